"""How far the sentences of documents meet conditions, and what the verdict is."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from leadline.rerankers.conditions.verifier import WEIGHTS, Verifier, load_head
from leadline.text.words import MONTHS, NUMBER_WORDS, words_of
from leadline.types import Document, Index, Query, Reason, Retriever

_SMOOTH = 0.03
"""Degrees below the best at which a span still counts for about a third."""

_NUMBER = re.compile(r"(?<![\w.,])(\d{1,3}(?:,\d{3})+|\d+)(\.\d+)?(?!\d|s\b)")
_SPELT = re.compile(r"[a-z]+", re.IGNORECASE)
_WORDS = NUMBER_WORDS | {"dozen": 12, "twice": 2, "trio": 3, "twins": 2, "pair": 2}
_ABOUT = words_of(
    """
    about around roughly nearly almost over under above below some circa approximately just
    before after least most more less half
    """
)
"""Words that make a number in a condition less than exact."""


@dataclass(frozen=True)
class Judge:
    """Holds conditions against spans.

    matrix    [conditions, spans] of how far each span meets each condition
    prepare   gets ready what many queries need, at once
    settings  what a report tells of it
    exact     whether a number or month that a span gives otherwise counts against it
    met       least degree of that verdict; likewise `doubtful`
    penalty   what a fact given otherwise takes off: about what tells a good match from a chance one
    """

    matrix: Callable[[Sequence[str], Sequence[str]], Any]
    prepare: Callable[[Sequence[str], Sequence[str]], None]
    settings: Mapping[str, Any]
    exact: bool
    met: float
    doubtful: float
    penalty: float

    def degrees(self, conditions: Sequence[str], spans: Sequence[Sequence[str]]) -> Any:
        """Return [documents, conditions]: how far the best of a document's spans meets each."""
        return np.stack([best_of(each) for each in self._judged(conditions, spans)])

    def reasons(
        self, conditions: Sequence[str], spans: Sequence[Sequence[str]]
    ) -> list[tuple[Reason, ...]]:
        """Return the best span of each condition in each document, and the verdict on it."""
        return [
            tuple(map(self._reason, conditions, [each] * len(conditions), scores))
            for each, scores in zip(spans, self._judged(conditions, spans), strict=True)
        ]

    def _judged(self, conditions: Sequence[str], spans: Sequence[Sequence[str]]) -> list[Any]:
        """Return [conditions, spans] for each document; the same span is judged once."""
        texts = list(dict.fromkeys(span for each in spans for span in each))
        places = {span: place for place, span in enumerate(texts)}
        scores = np.array(self.matrix(conditions, texts))
        if self.exact:
            for row, condition in enumerate(conditions):
                wrong = [bool(contradicted(condition, span)) for span in texts]
                scores[row] -= self.penalty * np.array(wrong)
        return [scores[:, [places[span] for span in each]] for each in spans]

    def _reason(self, condition: str, spans: Sequence[str], scores: Any) -> Reason:
        """Return the verdict on the best span, or on the one that would be but for a fact."""
        wrong = [contradicted(condition, span) if self.exact else "" for span in spans]
        alike = [
            float(score) + self.penalty * bool(fact)
            for score, fact in zip(scores, wrong, strict=True)
        ]
        best = int(scores.argmax())
        degree = float(scores[best])
        nearest = max(range(len(spans)), key=alike.__getitem__)
        beaten = not wrong[best] and degree >= self.met
        if wrong[nearest] and not beaten and alike[nearest] >= self.doubtful:
            detail = f"asked for {wrong[nearest]}, which is given otherwise"
            return Reason(condition, spans[nearest], "contradicted", degree, detail)
        if degree < self.doubtful:
            return Reason(condition, "", "not found", degree)
        verdict = "met" if degree >= self.met else "doubtful"
        return Reason(condition, spans[best], verdict, degree)


def by_verifier(weights: str, *, exact: bool, cache: bool) -> Judge:
    """Return what judges by the learned verifier; `weights` is a file, empty for ours."""
    verifier = Verifier(load_head(Path(weights) if weights else WEIGHTS), cache=cache)
    settings = {"model": verifier.encoder.model, "layers": verifier.encoder.layers}
    return Judge(
        verifier.scores,
        lambda conditions, spans: verifier.prepare([*conditions, *spans]),
        {**settings, **({"weights": weights} if weights else {})},
        exact=exact,
        met=0.62,
        doubtful=0.55,
        penalty=0.15,
    )


def by_retriever(scorer: Retriever, *, exact: bool) -> Judge:
    """Return what judges by a first stage that searches the spans, one scale a condition."""
    spans = _Spans(scorer)
    settings = {"scorer": {"name": scorer.name, **scorer.settings}}
    return Judge(
        spans.scores, spans.prepare, settings, exact=exact, met=0.8, doubtful=0.5, penalty=0.3
    )


@dataclass
class _Spans:
    """Spans in an index of a first stage, which is made anew when others are asked about."""

    scorer: Retriever
    _ids: dict[str, str] = field(default_factory=dict)
    _index: Index | None = None

    def prepare(self, conditions: Sequence[str], spans: Sequence[str]) -> None:
        if self._index is None or any(span not in self._ids for span in spans):
            self._ids = {span: str(place) for place, span in enumerate(dict.fromkeys(spans))}
            corpus = {id: Document(id, span) for span, id in self._ids.items()}
            self._index = self.scorer.index(corpus) if corpus else None

    def scores(self, conditions: Sequence[str], spans: Sequence[str]) -> Any:
        """Return [conditions, spans]; the best span of each condition has 1."""
        self.prepare(conditions, spans)
        found = np.zeros((len(conditions), len(spans)), dtype=np.float32)
        if self._index is None:
            return found
        place_of = {self._ids[span]: place for place, span in enumerate(spans)}
        queries = [Query(str(row), text) for row, text in enumerate(conditions)]
        run = self._index.score(queries, {query.id: list(place_of) for query in queries})
        for row, query in enumerate(queries):
            for id, score in run.get(query.id, {}).items():
                found[row, place_of[id]] = score
            found[row] /= max(1e-6, float(found[row].max()))
        return found


def best_of(scores: Any) -> Any:
    """Return [conditions] of [conditions, spans]: the greatest, and a little more for near ones.

    A smooth maximum: it never falls when a span is added or does better, and it tells two
    documents apart whose best spans are the same.
    """
    highest = scores.max(axis=1, keepdims=True)
    near = np.exp((scores - highest) / _SMOOTH).sum(axis=1)
    return highest[:, 0] + _SMOOTH * np.log(near)


def contradicted(condition: str, span: str) -> str:
    """Return the fact of a condition that a span about it gives otherwise, or an empty string.

    A number in digits is given otherwise where the span has numbers and none of the condition's; a
    month, where it names another one. What is only about right contradicts nothing.
    """
    if asked := _asked(condition):
        said = numbers(span)
        if said and not asked & said:
            return ", ".join(f"{value:g}" for value in sorted(asked))
    if named := _months(condition):
        others = _months(span)
        if others and not named & others:
            return ", ".join(sorted(month.capitalize() for month in named))
    return ""


@lru_cache(maxsize=65536)
def numbers(text: str) -> frozenset[float]:
    """Return the numbers of a text, in digits or words; `one` alone is no number."""
    found = set(_digits(text))
    before = 0.0
    for word in map(str.lower, _SPELT.findall(text)):
        value = float(_WORDS.get(word, 1 if word == "one" else 0))
        if value and value < 10 and before >= 20 and before % 10 == 0:
            found -= {before}
            value += before
        if value > 1:
            found.add(value)
        before = value
    return frozenset(found)


def _digits(text: str) -> frozenset[float]:
    return frozenset(
        float(match[1].replace(",", "") + (match[2] or "")) for match in _NUMBER.finditer(text)
    )


@lru_cache(maxsize=65536)
def _months(text: str) -> frozenset[str]:
    return frozenset(month for month in MONTHS if month.capitalize() in text)


@lru_cache(maxsize=4096)
def _asked(condition: str) -> frozenset[float]:
    """Return the numbers that a condition asks for exactly."""
    about = _ABOUT.intersection(map(str.lower, _SPELT.findall(condition)))
    return frozenset() if about else _digits(condition)
