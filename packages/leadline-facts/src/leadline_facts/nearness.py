"""Compare the words around a fact with the words of a query outside its constraints."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from leadline.text.letters import MARKS, WORD
from leadline.types import Constraint, Fact

_WORD = re.compile(rf"(?=[^\W_](?:[^\W_]|[{MARKS}])){WORD}")
_COMMON_WORDS = """
a about after all an and any are as at be been before being but by can could did do does doing
during for from had has have her his how if in into is it its many may me much my of on one or our
over she should so some than that the their them there these they this those to under was we were
what when where which while who whom whose why will with would you your
"""
_COMMON = frozenset(_COMMON_WORDS.split())
_ENDING = re.compile(r"(?:ing|ed|es|s|e)$")
# Words that say no more than the constraint behind them: `that cost $20`.
_CUES = {
    "money": re.compile(
        r"(?:\b(?:that|which)\s+)?\b(?:cost(?:s|ing)?|priced?|prices|worth)"
        r"(?:\s+(?:at|of|is|was|were|about|around|exactly))?\s*$",
        re.IGNORECASE,
    )
}
# Words that name what is asked for, not what is looked for: `What is the brand and model of ...`.
_ASKED = re.compile(
    r"\b(?:what|which)(?:(?:['’]s|\s+(?:is|was|are|were))\s+(?:the\s+)?|\s+)"
    r"(?:\w+\s+)?\w+(?:(?:\s*,\s*|\s+(?:and|or)\s+)(?:the\s+)?\w+){0,2}\s+of\b",
    re.IGNORECASE,
)
_REACH = 400  # characters of a sentence on each side that are read
_ELSEWHERE, _COMPOUND = 0.6, 0.7
_SHORTEST_PART = 5


def rest_of(text: str, constraints: Iterable[Constraint]) -> str:
    """Return a query's text without the words of its constraints."""
    for constraint in sorted(constraints, key=lambda each: each.span, reverse=True):
        start, end = constraint.span
        before, cue = text[:start], _CUES.get(constraint.kind)
        text = f"{cue.sub('', before) if cue else before} {text[end:]}"
    return " ".join(text.split())


def words_of(text: str) -> tuple[str, ...]:
    """Return the words of a query that tell what it looks for, each once, in lower case.

    Those that name what it asks of that do not count, unless there are no others.
    """
    return _telling(_ASKED.sub(" ", text)) or _telling(text)


@dataclass(frozen=True, slots=True)
class Near:
    """Finds words of a query, in any form, around facts.

    A word counts in full in the sentence of a fact or in its subject, less elsewhere in the
    document, and less where only the last part of it is found (`phone` for `smartphone`).
    """

    forms: tuple[tuple[re.Pattern[str], re.Pattern[str] | None], ...]

    @classmethod
    def of(cls, words: Iterable[str]) -> Near:
        """Make ready to look for words."""
        return cls(tuple(_forms(word) for word in words))

    def found(self, fact: Fact, text: str) -> tuple[float, ...]:
        """Return, for each word, how far it is found around a fact of a text, in [0, 1]."""
        lower = text.lower()
        near = fact.about.lower()
        for start, end in fact.spans[:1]:
            near += " " + lower[_sentence_start(lower, start) : _sentence_end(lower, end)]
        return tuple(
            max(_match(form, near), _ELSEWHERE * _match(form, lower)) for form in self.forms
        )


class Rarity:
    """How rare words are in a corpus, by a sample of its documents."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._counts: Counter[str] = Counter()
        self._texts = 0
        stems: dict[str, str] = {}
        for text in texts:
            words = set(_WORD.findall(text.lower()))
            self._counts.update({stems.get(word) or _stem(word, stems) for word in words})
            self._texts += 1

    def weights(self, words: Iterable[str]) -> tuple[float, ...]:
        """Return log(1 + N / (1 + n)) for each word, which n of N texts hold in some form."""
        return tuple(
            math.log(1 + self._texts / (1 + self._counts[_stem(word, {})])) for word in words
        )


def shares(found: Sequence[tuple[float, ...]], weights: Sequence[float]) -> list[float]:
    """Return the share of the words, by weight, that is found around each fact.

    found  for each fact and word, how far it is found; a word that is found around none of them
           does not count

    1 for each where no word is found anywhere, or there is none.
    """
    weights = [
        weight if any(column) else 0.0
        for weight, column in zip(weights, zip(*found, strict=True), strict=False)
    ]
    whole = sum(weights)
    if not whole:
        return [1.0] * len(found)
    return [
        sum(weight * each for weight, each in zip(weights, row, strict=True)) / whole
        for row in found
    ]


def _telling(text: str) -> tuple[str, ...]:
    words = (word for word in _WORD.findall(text.lower()) if word not in _COMMON)
    return tuple(dict.fromkeys(words))


def _stem(word: str, known: dict[str, str]) -> str:
    stem = known[word] = _ENDING.sub("", word) if len(word) > 4 else word
    return stem


def _forms(word: str) -> tuple[re.Pattern[str], re.Pattern[str] | None]:
    stem = _stem(word, {})
    whole = re.compile(rf"{'' if len(stem) >= _SHORTEST_PART else chr(92) + 'b'}{re.escape(stem)}")
    single = word.removesuffix("s")
    shortest = max(_SHORTEST_PART, (len(single) + 1) // 2)
    parts = [single[start:] for start in range(1, len(single) - shortest + 1)]
    return whole, re.compile(rf"\b(?:{'|'.join(parts)})s?\b") if parts else None


def _match(form: tuple[re.Pattern[str], re.Pattern[str] | None], text: str) -> float:
    whole, part = form
    if whole.search(text):
        return 1.0
    return _COMPOUND if part and part.search(text) else 0.0


def _sentence_start(text: str, place: int) -> int:
    first = max(0, place - _REACH)
    return max(first, *(text.rfind(mark, first, place) + 1 for mark in (". ", "! ", "? ", "\n")))


def _sentence_end(text: str, place: int) -> int:
    last = min(len(text), place + _REACH)
    ends = (text.find(mark, place, last) for mark in (". ", "! ", "? ", "\n"))
    return min([end for end in ends if end >= 0], default=last)
