"""Find the cases that a system can see, why it fails on others, and what would help.

A case compares, for a query of a ladder, the document that meets all k conditions with one that
misses one, or with a control. It is unseen if the system reads the same of both (the edit is after
its length limit, or in words that it drops), or if the query is cut.
"""

from __future__ import annotations

import dataclasses
import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from statistics import fmean, pvariance

from leadline.benchmark import Benchmark
from leadline.kinds.conditions.metrics import SEEN, YES, Compared, cases, pair_of
from leadline.kinds.kind import Examined, what_reasoning_changed
from leadline.system import Ranking, System
from leadline.text.letters import WORD
from leadline.types import Corpus, Qrels, Query, Reading, Reads

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
_STOP, _FIGURE = "stop word", "figure"

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
    """Return causes that the system itself names: what it cuts off, and words that it drops."""
    reasons = Counter(case.seen for case in cases if case.seen not in (YES, ""))
    dropped: dict[str, Counter[str]] = {_STOP: Counter(), _FIGURE: Counter()}
    causes = []
    for reason, count in reasons.items():
        share = count / len(cases)
        kind, _, word = reason.rpartition(": ")
        if kind in dropped:
            dropped[kind][word] = count
            continue
        if share < _LEAST_SHARE:
            continue
        if reason.startswith("query"):
            name, text = "query cut", f"the query is {reason.removeprefix('query ')}"
            advice = "raise max_length, or ask for fewer conditions at once"
        elif reason.startswith("cut"):
            name, text = "cut", f"the edited words stand where the document is {reason}"
            advice = "raise max_length where the model allows it, or split long documents"
        elif "letter" in reason:
            name, text = "one-letter word", f"the edit is a {reason}"
            advice = "index words of one letter too (token_pattern)"
        else:
            name, text = "same words", f"it leaves the {reason}"
            advice = "use a system that reads the order of words"
        causes.append(Cause(name, share, text, advice))
    for kind, counts in dropped.items():
        share = counts.total() / len(cases)
        words = ", ".join(f"`{word}`" for word, _ in counts.most_common(3))
        if share < _LEAST_SHARE:
            continue
        if kind == _FIGURE:
            text = f"{words} are dropped, as all figures are"
            causes.append(Cause("not read: digits", share, text, "keep digits (token_pattern)"))
        else:
            are = "are stop words" if len(counts) > 1 else "is a stop word"
            text, advice = f"{words} {are} here", "keep them: stopwords=none"
            causes.append(Cause(_STOP, share, text, advice))
    return causes


def _cut(cases: Sequence[Compared]) -> tuple[int, Cause] | None:
    """Return the word behind which a system reads nothing, where ties show it."""
    # Controls tell nothing here: what no condition asks for may tie where it is read, too.
    placed = sorted((case.place, _is_tie(case)) for case in cases if case.place)
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
        tied = fmean(_is_tie(case) for case in held)
        others = fmean(_is_tie(case) for case in rest) if rest else 0.0
        noticed = fmean(case.won - case.control_won for case in held)
        share = len(held) / total
        if kind in {"number", "date"} and any(cause.name.endswith("digits") for cause in causes):
            continue
        # "did move" for "did not move" differs from "moved" even where "not" is dropped, so that
        # negations need not all tie; but then an inserted word of another meaning weighs more.
        dropped = kind == "negation" and tied > _CLEARLY and noticed < -_ERROR
        if (tied >= _NEARLY or dropped) and others < _ALL - _CLEARLY:
            text = f"{NAMED[kind]} make no difference at all to it"
            advice = f"look where {NAMED[kind]} are dropped before documents are indexed"
            causes.append(Cause(f"not read: {kind}", share, text, advice))
        elif kind != "digits" and len(held) >= _MANY and noticed + _error(held) <= _BARELY:
            share *= 1 - max(0.0, noticed)
            text = f"{NAMED[kind]} are seen, but weigh no more than any other change"
            advice = "rerank with a model that reads query and document together"
            causes.append(Cause(f"not noticed: {kind}", share, text, advice))
    return causes


def _is_tie(case: Compared) -> bool:
    return math.isclose(case.met, case.broken, rel_tol=_CLOSE)


def _error(cases: Sequence[Compared]) -> float:
    """Return the standard error of what is noticed."""
    differences = [case.won - case.control_won for case in cases]
    return math.sqrt(pvariance(differences) / len(differences))


_WORD = re.compile(WORD)


def examine(benchmark: Benchmark, ranking: Ranking, system: System) -> Examined:
    """Mark the cases that the system could not see, and count why it fails."""
    queries = marked(benchmark.queries, benchmark.qrels, benchmark.corpus, system)
    causes = causes_of(cases(queries, benchmark.qrels, ranking.run))
    found = what_reasoning_changed(benchmark, ranking, system)
    return Examined(
        dataclasses.replace(benchmark, queries=queries),
        {**({"causes": [asdict(each) for each in causes]} if causes else {}), **found.examined},
        {each.id: each.facets[SEEN] for each in queries if each.facets.get(SEEN, YES) != YES},
    )


def marked(
    queries: Sequence[Query], qrels: Qrels, corpus: Corpus, system: Reads
) -> Sequence[Query]:
    """Return the queries, those that compare two documents with the facet `seen`.

    Unchanged where nothing is known of what the system reads, or nothing is compared.
    """
    pairs = {query.id: pair for query in queries if (pair := pair_of(query, qrels))}
    compared = [query for query in queries if query.id in pairs]
    if not compared:
        return queries
    asked = [query.content for query in compared for _ in range(2)]
    texts = [corpus[id].content for query in compared for id in pairs[query.id]]
    readings = system.read(asked, texts)
    if readings is None:
        return queries
    seen = {
        query.id: _verdict(query, one, other, system)
        for query, one, other in zip(compared, readings[::2], readings[1::2], strict=True)
    }
    return [
        dataclasses.replace(query, facets={**query.facets, SEEN: seen[query.id]})
        if query.id in seen
        else query
        for query in queries
    ]


def _verdict(query: Query, one: Reading, other: Reading, system: Reads) -> str:
    if one.query_cut:
        return f"query {one.query_cut}"
    if one.document != other.document:
        return YES
    if one.cut and other.cut:
        return one.cut
    return _dropped(query.facets, system)


def _dropped(facets: Mapping[str, str], system: Reads) -> str:
    """Say what kind of words an edit consists of that make no difference."""
    before, after = _WORD.findall(facets["before"]), _WORD.findall(facets["after"])
    words = sorted({*before} ^ {*after}, key=lambda word: (-len(word), word))

    def is_read(word: str) -> bool:
        read = system.read(["", ""], ["", word])
        return read is not None and read[0].document != read[1].document

    for word in words:
        if is_read(word):
            continue
        if any(letter.isdigit() for letter in word) and not is_read("10"):
            return f"{_FIGURE}: {word}"
        return f"{_STOP}: {word.lower()}" if len(word) > 1 else "one-letter word"
    return "same words in another order or form"
