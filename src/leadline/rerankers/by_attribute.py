"""Documents that have what an instruction asks for beside the topic: length, language, words."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from leadline.candidates import scores_of, shared_ranks
from leadline.errors import InputError
from leadline.kinds.instructions.attributes.phrases import holds
from leadline.kinds.instructions.attributes.restrictions import Reading, Restriction, read
from leadline.kinds.instructions.attributes.satisfaction import met_by, satisfaction
from leadline.llm.opening import ModelPlace, open_llm, takes_model
from leadline.rerankers.restrictions.by_model import ModelReader
from leadline.types import Candidates, Corpus, Document, Query, Reason, Reranker, Run


@takes_model
def build(place: ModelPlace, *, strength: float = 1.0, fall: float = 1.2) -> Reranker:
    """Return a reranker that reads restrictions of a query, and ranks by them and topic.

    A query is parted into what it is about and what it asks of documents beside that (`no forum
    posts`, `in French`, `mentioning a credit freeze`). A document's score is -fall * ln(rank among
    the candidates), plus, for each restriction, strength * ln(p / (1 - p)) where p is how well it
    meets it. No document is shut out; a query without restrictions keeps its order. What was a tie
    before shares a rank.

    place     the language model that reads the query, where one is named: the options of
              `ModelPlace`. Without, and where it does not answer as asked, rules read it
    strength  of restrictions, >= 0
    fall      how fast the topic's weight falls with the rank, > 0

    Raises InputError when a value is out of its range.
    """
    if not strength >= 0 or not fall > 0:
        raise InputError(f"by_attribute takes strength >= 0 and fall > 0, got {strength}, {fall}.")
    named = bool(place.model or place.llm or place.llm_model)
    reader = ModelReader(open_llm("by_attribute", place)) if named else None
    return ByAttribute(strength, fall, reader)


@dataclass(frozen=True)
class ByAttribute(Reranker):
    """A reranker; `build` explains the options."""

    strength: float
    fall: float
    reader: ModelReader | None = None
    name: str = "by_attribute"

    @property
    def settings(self) -> dict[str, Any]:
        """Every option."""
        own = {"strength": self.strength, "fall": self.fall}
        if self.reader is None:
            return {**own, "reader": "rules"}
        llm = self.reader.llm
        return {**own, "reader": getattr(llm, "settings", {"model": llm.name})}

    def _read(self, queries: Sequence[Query]) -> list[Reading]:
        return self.reader.read(queries) if self.reader else [read(query) for query in queries]

    def rerank(self, queries: Sequence[Query], corpus: Corpus, candidates: Candidates) -> Run:
        """Score every candidate of each query, best first; ties in their order."""
        run: dict[str, Mapping[str, float]] = {}
        for query, understood in zip(queries, self._read(queries), strict=True):
            ranks = shared_ranks(scores_of(candidates.get(query.id, ())))
            reading = settled(understood, [corpus[id] for id in ranks])
            scores = {
                id: -self.fall * math.log(rank) + self._bonus(reading, corpus[id])
                for id, rank in ranks.items()
            }
            order = sorted(scores, key=lambda id: -scores[id])
            run[query.id] = {id: scores[id] for id in order}
        return run

    def explain(self, query: Query, documents: Sequence[Document]) -> dict[str, list[Reason]]:
        """Say, by document id, which restrictions were understood and how each is met."""
        [understood] = self._read([query])
        reading = settled(understood, documents)
        return {
            document.id: [
                _reason(each, met_by(each, document), satisfaction(each, document))
                for each in reading.restrictions
            ]
            for document in documents
        }

    def _bonus(self, reading: Reading, document: Document) -> float:
        return self.strength * sum(
            _log_odds(satisfaction(each, document)) for each in reading.restrictions
        )


def _reason(restriction: Restriction, told: str, met: float) -> Reason:
    verdict = "met" if met > 0.5 else "contradicted" if met < 0.5 else "doubtful"
    return Reason(str(restriction), told, verdict, met)


def settled(reading: Reading, documents: Sequence[Document]) -> Reading:
    """Settle which words are meant: the first guess that any of the documents holds.

    Words that none holds restrict nothing.
    """
    kept = []
    for restriction in reading.restrictions:
        if restriction.dimension != "keyword":
            kept.append(restriction)
            continue
        held = _first_held(restriction, documents)
        if held:
            kept.append(replace(restriction, condition=held))
    return replace(reading, restrictions=tuple(kept))


def _first_held(restriction: Restriction, documents: Sequence[Document]) -> str:
    best, best_size = "", 0
    for guess in (restriction.condition, *restriction.others):
        size = len(guess.split())
        if size > best_size and any(holds(each.content, guess) for each in documents):
            best, best_size = guess, size
            if restriction.confidence == 1.0:
                return best
    return best


def _log_odds(p: float) -> float:
    return math.log(p / (1 - p))
