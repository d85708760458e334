"""A retriever that also uses facts, in a separate index next to its own.

Rules find typed constraints in a query (a date, a price, a country). It is searched as usual,
without its dates and amounts. Documents whose facts meet the constraints are boosted; none is
removed.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, TypeAlias

from leadline.errors import InputError
from leadline.progress import track
from leadline.types import (
    Candidates,
    Constraint,
    Corpus,
    Enricher,
    Fact,
    Index,
    Query,
    Retriever,
    Run,
)
from leadline_facts.facts import joined
from leadline_facts.nearness import Near, Rarity, rest_of, shares, words_of
from leadline_facts.values_index import FactLane

_Lane: TypeAlias = Mapping[int, list[tuple[float, Fact]]]
"""Place of a document -> what meets a constraint there: (agreement, fact)."""

_LOOSE = 0.3  # what it is worth to lie on one side of a value, beside being equal to it
_OTHER = 0.3  # of the retriever's best score: what it costs to tell only other values of the kind
_NAMES = frozenset(("country", "city", "region"))  # words that retrievers understand, too
_SAMPLED = 20_000  # documents that tell how rare a word is


def build(retriever: Retriever, enrichers: Sequence[Enricher]) -> Retriever:
    """Return the retriever with the facts of the enrichers in a lane beside its index."""
    return enriched(retriever, joined(enrichers))


def enriched(
    retriever: Retriever,
    enricher: Enricher,
    *,
    weight: float = 5.0,
    context: float = 0.8,
    depth: int = 200,
) -> Retriever:
    """Return the retriever with a lane of facts beside its index.

    A document's score is its score for the query without its dates and amounts, as a share of the
    best one, plus, for every constraint, weight * rarity * agreement * root of the confidence of
    the fact that meets it best: as no document is shut out, a doubtful reading tells more than
    none.
    Rarity falls from 1, where one document meets the constraint as far as that, as the logarithm
    of their number. A document that tells only other values of the kind loses a little: one that
    tells none may still be meant. One that has a value which the query refuses loses as much as the
    best score of the retriever. A query without constraints, or whose constraints no document
    meets, has exactly the result of the retriever.

    weight   of the lane, >= 0
    context  share, in [0, 1], of a fact's worth that hangs on whether its subject, its sentence
             and its document hold the other words of the query
    depth    documents that are taken from the retriever for a query with constraints, and at
             most as many again that only the lane found

    Raises InputError when a value is out of its range.
    """
    if not weight >= 0 or not 0 <= context <= 1 or depth < 1:
        raise InputError(
            "A lane of facts needs weight >= 0, context between 0 and 1 and depth >= 1, got "
            f"weight={weight}, context={context}, depth={depth}."
        )
    return _Enriched(retriever, enricher, weight, context, depth)


@dataclass(frozen=True, slots=True)
class _Enriched(Retriever):
    retriever: Retriever
    enricher: Enricher
    weight: float
    context: float
    depth: int

    @property
    def name(self) -> str:
        return f"facts+{self.retriever.name}"

    @property
    def settings(self) -> dict[str, Any]:
        return {
            "enricher": self.enricher.name,
            "weight": self.weight,
            "context": self.context,
            "depth": self.depth,
            "retriever": {
                "name": self.retriever.name,
                **self.retriever.settings,
            },
        }

    @property
    def own_corpus(self) -> bool:
        """Whether the retriever searches documents of its own."""
        return self.retriever.own_corpus

    @property
    def failures(self) -> Mapping[str, int]:
        return {
            reason: count
            for stage in (self.enricher, self.retriever)
            for reason, count in getattr(stage, "failures", {}).items()
        }

    def index(self, corpus: Corpus) -> _Index:
        inner = self.retriever.index(corpus)
        facts = self.enricher.facts(track(corpus.values(), "Deriving facts", len(corpus)))
        return _Index(self, corpus, inner, FactLane(each for _, each in facts))


class _Index(Index):
    def __init__(self, setting: _Enriched, corpus: Corpus, inner: Index, lane: FactLane) -> None:
        self._setting = setting
        self._corpus = corpus
        self._inner = inner
        self._lane = lane
        self._ids = list(corpus)
        self._places: dict[str, int] = {}
        self._rarity = Rarity(_sample(corpus))

    @property
    def index_bytes(self) -> int | None:
        """What the index inside takes, and about what the facts take; None where it cannot tell."""
        inner = self._inner.index_bytes
        return None if inner is None else inner + self._lane.about_bytes

    def prepare(self) -> None:
        """Let the index inside do what it put off until a search."""
        self._inner.prepare()

    def close(self) -> None:
        """Close the index inside."""
        self._inner.close()

    def search(self, queries: Sequence[Query], k: int) -> Run:
        """Return at most k documents for each query; equal scores in the order of the retriever."""
        asked = self._asked(queries)
        if not asked:
            return self._inner.search(queries, k)
        plain = [query for query in queries if query.id not in asked]
        run = {**(self._inner.search(plain, k) if plain else {}), **self._search_asked(asked, k)}
        return {query.id: run[query.id] for query in queries}

    def score(self, queries: Sequence[Query], candidates: Candidates) -> Run:
        """Score every candidate of each query, best first."""
        asked = self._asked(queries)
        texts = [asked[query.id].rest if query.id in asked else query for query in queries]
        run = dict(self._inner.score(texts, candidates))
        for id, one in asked.items():
            run[id] = self._joined(one, list(candidates.get(id, ())), run[id])
        return run

    def _asked(self, queries: Sequence[Query]) -> dict[str, _Asked]:
        """Return what is asked of the lane, for the queries that it has an answer to."""
        asked: dict[str, _Asked] = {}
        if not len(self._lane):
            return asked
        constraints = self._setting.enricher.constraints(queries)
        for query, some in zip(queries, constraints, strict=True):
            if some:
                pairs = [(each, lane) for each in some if (lane := self._lane.met(each))]
                if pairs:
                    asked[query.id] = _Asked.of(query, pairs, self._rarity)
        return asked

    def _search_asked(self, asked: Mapping[str, _Asked], k: int) -> Run:
        run: dict[str, dict[str, float]] = {}
        rest = [one.rest for one in asked.values()]
        first = self._inner.search(rest, max(k, self._setting.depth))
        candidates = {id: self._candidates(one, first[id]) for id, one in asked.items()}
        scored = self._completed(rest, candidates, first)
        for id, one in asked.items():
            full = len(first[id]) >= self._setting.depth
            scores = scored[id]
            # Far enough down stands what has nothing to do with the query.
            least = min(scores[each] for each in first[id]) if full else 0.0
            best = list(self._joined(one, candidates[id], scores, least).items())
            run[id] = dict(best[:k])
        return run

    def _candidates(self, one: _Asked, found: Mapping[str, float]) -> list[str]:
        """Return what the retriever found and then the best of what only the lane found."""
        gains: dict[int, float] = {}
        for constraint, lane in zip(one.constraints, one.met, strict=True):
            if constraint.relation == "not":
                continue
            for place, facts in lane.items():
                best = max(worth * _trust(fact) for worth, fact in facts)
                gains[place] = gains.get(place, 0.0) + best
        best_first = sorted(gains, key=lambda place: -gains[place])
        others = (self._ids[place] for place in best_first if self._ids[place] not in found)
        return [*found, *(id for id, _ in zip(others, range(self._setting.depth), strict=False))]

    def _completed(self, rest: Sequence[Query], candidates: Candidates, first: Run) -> Run:
        """Score what only the lane found; all candidates again, as scores may hang together."""
        short = [query for query in rest if len(candidates[query.id]) > len(first[query.id])]
        return {**first, **self._inner.score(short, candidates)} if short else first

    def _joined(
        self,
        one: _Asked,
        candidates: Sequence[str],
        scores: Mapping[str, float],
        least: float = 0.0,
    ) -> dict[str, float]:
        """Return candidates by their joined scores, best first; `least` counts as nothing."""
        least = min(least, min(scores.values(), default=0.0))
        spread = max(scores.values(), default=0.0) - least
        joined = {
            id: (scores.get(id, least) - least) / spread if spread > 0 else 0.0
            for id in dict.fromkeys((*scores, *candidates))
        }
        for constraint, lane in zip(one.constraints, one.met, strict=True):
            if constraint.relation == "not":
                for id in joined:
                    joined[id] -= max(
                        (_trust(f) for _, f in lane.get(self._place(id), ())), default=0
                    )
                continue
            is_loose = constraint.relation in ("before", "after")
            weight = self._setting.weight * (_LOOSE if is_loose else 1.0)
            for id, worth in self._worths(one, lane, joined).items():
                joined[id] += weight * worth
            if not is_loose:
                for id in joined:
                    place = self._place(id)
                    if place not in lane and self._lane.tells(constraint.kind, place):
                        joined[id] -= min(_OTHER, weight)
        return dict(sorted(joined.items(), key=lambda item: -item[1]))

    def _worths(self, one: _Asked, lane: _Lane, candidates: Iterable[str]) -> dict[str, float]:
        """Return what the best fact of each candidate is worth that meets a constraint."""
        rarity = self._rarities(lane)
        told: list[tuple[str, float]] = []
        found: list[tuple[float, ...]] = []
        for id in candidates:
            facts = lane.get(self._place(id))
            if facts:
                text = self._corpus[id].content
                for agreement, fact in facts:
                    told.append((id, agreement * rarity[agreement] * _trust(fact)))
                    found.append(one.near.found(fact, text))
        share = self._setting.context
        worths: dict[str, float] = {}
        for (id, worth), near in zip(told, shares(found, one.weights), strict=True):
            worths[id] = max(worths.get(id, 0.0), worth * (1 - share + share * near))
        return worths

    def _rarities(self, lane: _Lane) -> dict[float, float]:
        """Return, for every agreement, how rare it is for a document to agree at least so far."""
        best = Counter(max(agreement for agreement, _ in facts) for facts in lane.values())
        levels = {agreement for facts in lane.values() for agreement, _ in facts}
        return {
            level: self._lane.rarity(sum(n for each, n in best.items() if each >= level))
            for level in levels
        }

    def _place(self, document_id: str) -> int:
        if not self._places:
            self._places = {id: place for place, id in enumerate(self._ids)}
        return self._places.get(document_id, -1)


@dataclass(frozen=True, slots=True)
class _Asked:
    """What a query asks of the lane: constraints, who meets them, and what remains."""

    rest: Query
    near: Near
    weights: tuple[float, ...]
    constraints: tuple[Constraint, ...]
    met: tuple[_Lane, ...]

    @classmethod
    def of(
        cls,
        query: Query,
        pairs: Sequence[tuple[Constraint, _Lane]],
        rarity: Rarity,
    ) -> _Asked:
        constraints = tuple(constraint for constraint, _ in pairs)
        words = words_of(rest_of(query.content, constraints))
        told = rest_of(query.content, [each for each in constraints if each.kind not in _NAMES])
        kept = replace(query, text=told, instruction="") if words else query
        met = tuple(met for _, met in pairs)
        return cls(kept, Near.of(words), rarity.weights(words), constraints, met)


def _trust(fact: Fact) -> float:
    return math.sqrt(fact.confidence)


def _sample(corpus: Corpus) -> Iterator[str]:
    """Yield the texts of documents spread over a corpus, at most so many."""
    step = 1 + len(corpus) // _SAMPLED
    for document in islice(corpus.values(), 0, None, step):
        yield document.content
