"""Why a system does not notice what edits say, from the cases counted: what to do about it."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

from leadline.kinds.conditions.metrics import YES, Compared

_FEWEST = 6
"""Cases below which nothing is concluded."""
_LEAST_SHARE = 0.02
_MANY = 15
"""Cases of a kind from which it is said that they are not noticed."""
_ALL, _BARELY = 0.9, 0.2
_NEARLY = 0.85
"""Ties of a kind that is dropped: "an American" for "a Russian" changes the article too."""
_CLEARLY = 0.25
_HALF = 0.5
"""Ties before a cut: a word put in there pushes another one out, and may leave the score."""
_ERROR = 0.1
_CLOSE = 1e-6

NAMED = {
    "digits": "digits", "number": "numbers", "date": "dates", "name": "names",
    "antonym": "opposites", "negation": "negations",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Cause:
    """One cause, in words, with the share of cases that it explains and what to do.

    name  cut, query cut, stop word, one-letter word, not read: <kind>, not noticed: <kind>
    """

    name: str
    share: float
    text: str
    advice: str

    def explains(self, edit: str, *, digits: bool) -> bool:
        """Tell whether it is about edits of a kind.

        digits  whether the edit changes digits
        """
        about = self.name.partition(": ")[2]
        return bool(about) and about in {edit, "digits" if digits else edit}


def causes_of(cases: Sequence[Compared]) -> tuple[Cause, ...]:
    """Return the causes that the cases show, the one with the largest share first.

    Told are what the system says of its own reading; where it says nothing, exact ties: of all
    edits behind some word (a cut), of all edits of one kind (words that are dropped). Last come
    kinds of edit that are seen and yet treated as their controls are.
    """
    if len(cases) < _FEWEST:
        return ()
    told = _told(cases)
    seen = [case for case in cases if case.seen in (YES, "")]
    cut = None if any(cause.name == "cut" for cause in told) else _cut(seen)
    if cut is not None:
        place, cause = cut
        told.append(cause)
        seen = [case for case in seen if case.place <= place]
    found = [*told, *_by_kind(seen, len(cases))]
    return tuple(sorted(found, key=lambda cause: -cause.share))


def _told(cases: Sequence[Compared]) -> list[Cause]:
    counts = Counter(case.seen for case in cases if case.seen not in (YES, ""))
    stopped: Counter[str] = Counter()
    causes = []
    for reason, count in counts.items():
        share = count / len(cases)
        if reason.startswith("stop word: "):
            stopped[reason.removeprefix("stop word: ")] += count
        elif share < _LEAST_SHARE:
            continue
        elif reason.startswith("query"):
            causes.append(
                Cause(
                    "query cut", share, f"the query is {reason.removeprefix('query ')}",
                    "raise max_length, or ask for fewer conditions at once",
                )
            )  # fmt: skip
        elif reason.startswith("cut"):
            causes.append(
                Cause(
                    "cut", share, f"the edited words stand where the document is {reason}",
                    "raise max_length where the model allows it, or split long documents",
                )
            )  # fmt: skip
        else:
            causes.append(
                Cause(
                    "one-letter word" if "letter" in reason else "same words", share,
                    f"the edit is a {reason}" if "letter" in reason else f"it leaves the {reason}",
                    "index words of one letter too (token_pattern)" if "letter" in reason
                    else "use a system that reads the order of words",
                )
            )  # fmt: skip
    if sum(stopped.values()) / len(cases) >= _LEAST_SHARE:
        words = ", ".join(f"`{word}`" for word, _ in stopped.most_common(3))
        plural = len(stopped) > 1
        causes.append(
            Cause(
                "stop word", sum(stopped.values()) / len(cases),
                f"{words} {'are stop words' if plural else 'is a stop word'} here",
                "keep them: stopwords=none",
            )
        )  # fmt: skip
    return causes


def _cut(cases: Sequence[Compared]) -> tuple[int, Cause] | None:
    """Return the word behind which a system reads nothing, where ties show it."""
    # Controls tell nothing here: what no condition asks for may tie where it is read, too.
    placed = sorted((case.place, _is_tie(case.met, case.broken)) for case in cases if case.place)
    ties = [tie for _, tie in placed]
    splits = range(_FEWEST, len(placed) - _FEWEST + 1)
    if not splits:
        return None
    # The best split has the fewest cases on its wrong side: ties before it, others behind it.
    first = min(splits, key=lambda each: sum(ties[:each]) + (len(ties) - each) - sum(ties[each:]))
    if fmean(ties[first:]) < _ALL or fmean(ties[:first]) > _HALF:
        return None
    place = placed[first - 1][0]
    share = sum(case.place > place for case in cases) / len(cases)
    cause = Cause(
        "cut", share, f"nothing behind about word {place} of a document makes a difference",
        "let it read more of a text, or split long documents",
    )  # fmt: skip
    return place, cause


def _by_kind(cases: Sequence[Compared], total: int) -> list[Cause]:
    kinds = {kind: [case for case in cases if case.edit == kind] for kind in NAMED}
    kinds["digits"] = [case for case in cases if case.digits]
    enough = {kind: held for kind, held in kinds.items() if len(held) >= _FEWEST}
    causes: list[Cause] = []
    for kind, held in enough.items():
        rest = [case for case in cases if case not in held]
        tied = fmean(_is_tie(case.met, case.broken) for case in held)
        others = fmean(_is_tie(case.met, case.broken) for case in rest) if rest else 0.0
        noticed = fmean(case.won - case.control_won for case in held)
        share = len(held) / total
        if kind in {"number", "date"} and any(cause.name.endswith("digits") for cause in causes):
            continue
        # "did move" for "did not move" differs from "moved" even where "not" is dropped, so that
        # negations need not all tie; but then an inserted word of another meaning weighs more.
        dropped = kind == "negation" and tied > _CLEARLY and noticed < -_ERROR
        if (tied >= _NEARLY or dropped) and others < _ALL - _CLEARLY:
            causes.append(
                Cause(
                    f"not read: {kind}", share,
                    f"{NAMED[kind]} make no difference at all to it",
                    f"look where {NAMED[kind]} are dropped before documents are indexed",
                )
            )  # fmt: skip
        elif kind != "digits" and len(held) >= _MANY and noticed + _error(held) <= _BARELY:
            causes.append(
                Cause(
                    f"not noticed: {kind}", share * (1 - max(0.0, noticed)),
                    f"{NAMED[kind]} are seen, but weigh no more than any other change",
                    "rerank with a model that reads query and document together",
                )
            )  # fmt: skip
    return causes


def _error(cases: Sequence[Compared]) -> float:
    """Return the standard error of what is noticed."""
    differences = [case.won - case.control_won for case in cases]
    mean = fmean(differences)
    variance = fmean((each - mean) ** 2 for each in differences)
    return math.sqrt(variance / len(differences))


def _is_tie(one: float, other: float) -> bool:
    if one == other:
        return True
    return math.isfinite(one) and math.isclose(one, other, rel_tol=_CLOSE)
