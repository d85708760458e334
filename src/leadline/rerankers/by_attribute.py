"""Rerank by what an instruction asks for besides the topic: length, language, words."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from leadline.errors import InputError
from leadline.rerankers.parts.query_reader import QueryReader, ReadingReranker
from leadline.rerankers.parts.restrictions import (
    Restriction,
    conditions,
    lengths_in,
    met_by,
    read,
    satisfaction,
)
from leadline.text.attributes import holds
from leadline.types import (
    LLM,
    Candidates,
    Corpus,
    Document,
    Query,
    Reason,
    Reranker,
    Run,
    best_first,
    candidates_of,
    scores_of,
    shared_ranks,
)

_MOST = 6  # restrictions of a query that a model may name


def build(*, strength: float = 1.0, fall: float = 1.2, llm: LLM | None = None) -> Reranker:
    """Return a reranker that reads restrictions of a query, and ranks by them and topic.

    A query is parted into what it is about and what it asks of documents beside that (`no forum
    posts`, `in French`, `mentioning a credit freeze`). A document's score is -fall * ln(rank among
    the candidates), plus, for each restriction, strength * ln(p / (1 - p)) where p is how well it
    meets it. No document is shut out; a query without restrictions keeps its order. What was a tie
    before shares a rank.

    strength  of restrictions, >= 0
    fall      how fast the topic's weight falls with the rank, > 0
    llm       a language model that reads the queries, one call each, by the name people type.
              Without one, and where it does not answer as asked, rules read them

    Raises InputError when a value is out of its range.
    """
    if not strength >= 0 or not fall > 0:
        raise InputError(f"by_attribute needs strength >= 0 and fall > 0, got {strength}, {fall}.")
    return ByAttribute(strength, fall, reader_of(llm))


@dataclass(frozen=True)
class ByAttribute(ReadingReranker):
    """A reranker; `build` explains the options."""

    strength: float
    fall: float
    reader: QueryReader[list[Restriction]]
    name: str = "by_attribute"

    @property
    def settings(self) -> dict[str, Any]:
        """Every option."""
        return {"strength": self.strength, "fall": self.fall, **self.reader.settings}

    def rerank(self, queries: Sequence[Query], corpus: Corpus, candidates: Candidates) -> Run:
        """Score every candidate of each query, best first; ties in their order."""
        run: dict[str, Mapping[str, float]] = {}
        for query, understood in zip(queries, self.reader.read(queries), strict=True):
            ranks = shared_ranks(scores_of(candidates_of(query, candidates, corpus)))
            asked = _settled(understood, [corpus[id] for id in ranks])
            scores = [
                -self.fall * math.log(rank) + self.strength * _log_odds(asked, corpus[id])
                for id, rank in ranks.items()
            ]
            run[query.id] = best_first([*ranks], scores)
        return run

    def explain(self, query: Query, documents: Sequence[Document]) -> dict[str, list[Reason]]:
        """Say, by document id, which restrictions were understood and how each is met."""
        [understood] = self.reader.read([query])
        asked = _settled(understood, documents)
        return {each.id: [_reason(one, each) for one in asked] for each in documents}


def _reason(restriction: Restriction, document: Document) -> Reason:
    met = satisfaction(restriction, document)
    verdict = "met" if met > 0.5 else "contradicted" if met < 0.5 else "doubtful"
    return Reason(str(restriction), met_by(restriction, document), verdict, met)


def _settled(
    restrictions: Sequence[Restriction], documents: Sequence[Document]
) -> list[Restriction]:
    """Settle which words are meant: the first guess that any of the documents holds.

    Words that none holds restrict nothing.
    """
    kept = []
    for each in restrictions:
        is_words = each.dimension == "keyword"
        if held := _first_held(each, documents) if is_words else each.condition:
            kept.append(replace(each, condition=held))
    return kept


def _first_held(restriction: Restriction, documents: Sequence[Document]) -> str:
    best, best_size = "", 0
    for guess in (restriction.condition, *restriction.others):
        size = len(guess.split())
        if size > best_size and any(holds(each.content, guess) for each in documents):
            best, best_size = guess, size
            if restriction.confidence == 1.0:
                return best
    return best


def _log_odds(restrictions: Sequence[Restriction], document: Document) -> float:
    met = [satisfaction(each, document) for each in restrictions]
    return sum(math.log(p / (1 - p)) for p in met)


# Reading by a language model


_ENTRY = {
    "dimension": {"type": "string"},
    "condition": {"type": "string"},
    "refused": {"type": "boolean"},
}
_SCHEMA = {"restrictions": {"type": "array", "items": {"type": "object", "properties": _ENTRY}}}


def reader_of(llm: LLM | None) -> QueryReader[list[Restriction]]:
    """Return what reads the restrictions of queries; rules without a model."""
    known = "\n".join(f"  {name}: {', '.join(each)}" for name, each in conditions().items())
    values = {"conditions": known}
    return QueryReader(llm, "read_restrictions", _SCHEMA, _restrictions, read, values)


def _restrictions(query: Query, value: Any) -> list[Restriction]:
    """Return what an answer lists. Raises ValueError for anything else."""
    entries = value.get("restrictions") if isinstance(value, dict) else None
    if not isinstance(entries, list) or not all(isinstance(each, dict) for each in entries):
        raise ValueError('it has no list "restrictions" of objects')
    return [_restriction(query, *map(each.get, _ENTRY)) for each in entries][:_MOST]


def _restriction(query: Query, dimension: Any, condition: Any, refused: Any) -> Restriction:
    told = f"{str(dimension)[:40]!r}: {str(condition)[:40]!r}"
    if not isinstance(condition, str) or not isinstance(refused, bool):
        raise ValueError(f'{told} is no text, or "refused" not true or false')
    words = condition.strip()
    spans = lengths_in(words) if dimension == "length" else []
    if spans or dimension == "keyword":
        if not words or words.casefold() not in query.content.casefold():
            raise ValueError(f"{told} are no words of the query")
        return Restriction(dimension, words, refused, spans[0][0] if spans else None)
    if words not in conditions().get(str(dimension), ()):
        raise ValueError(f"{told} is not in the list")
    return Restriction(dimension, words, refused)
