"""How far the sentences of documents meet conditions, and what the verdict is."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from leadline.models.alignment import load_head
from leadline.rerankers.conditions.exact import contradicted
from leadline.rerankers.conditions.verifier import WEIGHTS, Verifier, settings_of
from leadline.types import Document, Index, Query, Reason, Retriever

Matrix = Callable[[Sequence[str], Sequence[str]], Any]

PENALTY = 0.15
"""What a fact given otherwise takes off: about what tells a good match from a chance one."""


_SMOOTH = 0.03
"""Degrees below the best at which a span still counts for about a third."""


class Judge(Protocol):
    """Holds conditions against spans."""

    @property
    def settings(self) -> Mapping[str, Any]:
        """What a report tells of it."""
        ...

    def prepare(self, conditions: Sequence[str], spans: Sequence[str]) -> None:
        """Get ready what many queries need, at once."""
        ...

    def degrees(
        self, conditions: Sequence[str], spans: Sequence[Sequence[str]], *, exact: bool
    ) -> Any:
        """Return [documents, conditions]: how far the best of a document's spans meets each."""
        ...

    def reasons(
        self, conditions: Sequence[str], spans: Sequence[Sequence[str]], *, exact: bool
    ) -> list[tuple[Reason, ...]]:
        """Return the best span of each condition in each document, and the verdict on it."""
        ...


def by_verifier(weights: str = "", *, cache: bool = True) -> Judge:
    """Return what judges by the learned verifier; `weights` is a file, empty for ours.

    cache  keep the tokens of sentences on disk
    """
    verifier = Verifier(load_head(Path(weights) if weights else WEIGHTS), cache=cache)
    return _Judge(
        verifier.scores,
        lambda conditions, spans: verifier.prepare([*conditions, *spans]),
        {**settings_of(verifier), **({"weights": weights} if weights else {})},
        met=0.62,
        doubtful=0.55,
    )


def by_retriever(scorer: Retriever) -> Judge:
    """Return what judges by a first stage that searches the spans, one scale a condition."""
    spans = _Spans(scorer)
    settings = {"scorer": {"name": scorer.name, **getattr(scorer, "settings", {})}}
    return _Judge(spans.scores, spans.prepare, settings, met=0.8, doubtful=0.5, penalty=0.3)


@dataclass
class _Spans:
    """Spans in an index of a first stage, which is made anew when others are asked about."""

    scorer: Retriever
    _ids: dict[str, str] = field(default_factory=dict)
    _index: Index | None = None

    def prepare(self, conditions: Sequence[str], spans: Sequence[str]) -> None:
        """Index the spans unless they all are."""
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


@dataclass(frozen=True)
class _Judge:
    """`met` and `doubtful` are the least degrees for those verdicts."""

    matrix: Matrix
    ready: Callable[[Sequence[str], Sequence[str]], None]
    settings: Mapping[str, Any]
    met: float
    doubtful: float
    penalty: float = field(default=PENALTY)

    def prepare(self, conditions: Sequence[str], spans: Sequence[str]) -> None:
        self.ready(list(dict.fromkeys(conditions)), list(dict.fromkeys(spans)))

    def degrees(
        self, conditions: Sequence[str], spans: Sequence[Sequence[str]], *, exact: bool
    ) -> Any:
        places = _places(spans)
        scores = self._judged(conditions, list(places), exact)
        rows = [scores[:, [places[span] for span in each]] for each in spans]
        return np.stack([best_of(each) for each in rows])

    def reasons(
        self, conditions: Sequence[str], spans: Sequence[Sequence[str]], *, exact: bool
    ) -> list[tuple[Reason, ...]]:
        places = _places(spans)
        scores = self._judged(conditions, list(places), exact)
        return [
            tuple(
                self._reason(condition, each, scores[row, [places[span] for span in each]], exact)
                for row, condition in enumerate(conditions)
            )
            for each in spans
        ]

    def _judged(self, conditions: Sequence[str], spans: Sequence[str], exact: bool) -> Any:
        scores = np.array(self.matrix(conditions, spans))
        if exact:
            for row, condition in enumerate(conditions):
                wrong = [bool(contradicted(condition, span)) for span in spans]
                scores[row] -= self.penalty * np.array(wrong)
        return scores

    def _reason(self, condition: str, spans: Sequence[str], scores: Any, exact: bool) -> Reason:
        """Return the verdict on the best span, or on the one that would be but for a fact."""
        wrong = [contradicted(condition, span) if exact else "" for span in spans]
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


def best_of(scores: Any) -> Any:
    """Return [conditions] of [conditions, spans]: the greatest, and a little more for near ones.

    A smooth maximum: it never falls when a span is added or does better, and it tells two
    documents apart whose best spans are the same.
    """
    highest = scores.max(axis=1, keepdims=True)
    near = np.exp((scores - highest) / _SMOOTH).sum(axis=1)
    return highest[:, 0] + _SMOOTH * np.log(near)


def _places(spans: Sequence[Sequence[str]]) -> dict[str, int]:
    """Give every span of the documents a number, the same text the same."""
    texts = dict.fromkeys(span for each in spans for span in each)
    return {span: place for place, span in enumerate(texts)}
