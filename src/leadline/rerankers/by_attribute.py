"""Documents that have what an instruction asks for beside the topic: length, language, words."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from leadline.errors import InputError
from leadline.llm.opening import ModelPlace, open_llm, takes_model
from leadline.llm.pipeline.steps import closed
from leadline.llm.prompt import Prompt
from leadline.llm.requests import Request
from leadline.llm.structured import structured
from leadline.progress import track
from leadline.rerankers.parts.restrictions import (
    Restriction,
    conditions,
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

_TOKENS, _USUAL_TOKENS = 4096, 300
"""Longest answer, the thought of a model that reasons included, and a usual one."""
_AT_ONCE = 64
_MOST = 6  # restrictions of a query that a model may name


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

    def _read(self, queries: Sequence[Query]) -> list[list[Restriction]]:
        return self.reader.read(queries) if self.reader else [read(query) for query in queries]

    def rerank(self, queries: Sequence[Query], corpus: Corpus, candidates: Candidates) -> Run:
        """Score every candidate of each query, best first; ties in their order."""
        run: dict[str, Mapping[str, float]] = {}
        for query, understood in zip(queries, self._read(queries), strict=True):
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
        [understood] = self._read([query])
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
_ENTRIES = {"type": "array", "items": {"type": "object", "properties": _ENTRY}}
_SCHEMA = closed({"type": "object", "properties": {"restrictions": _ENTRIES}})


def _restrictions(value: Any) -> list[Restriction]:
    """Return what an answer lists. Raises ValueError for anything else."""
    entries = value.get("restrictions") if isinstance(value, dict) else None
    if not isinstance(entries, list) or not all(isinstance(each, dict) for each in entries):
        raise ValueError('it has no list "restrictions" of objects')
    found = []
    for dimension, condition, refused in ([each.get(name) for name in _ENTRY] for each in entries):
        words = condition.strip() if isinstance(condition, str) else ""
        is_known = (words and dimension == "keyword") or words in conditions().get(
            str(dimension), ()
        )
        if not is_known or not isinstance(refused, bool):
            told = f"{str(dimension)[:40]!r}: {str(condition)[:40]!r}"
            raise ValueError(f'{told} is not in the list, or "refused" not true or false')
        found.append(Restriction(str(dimension), words, refused))
    return found[:_MOST]


@dataclass
class ModelReader:
    """Reads queries by a language model.

    What it names must be known, or words of the query. A query that it does not answer, or not as
    asked even when it is asked again, is read by rules.

    failures  queries that rules read instead, by reason
    """

    llm: LLM
    failures: Counter[str] = field(default_factory=Counter)
    _known: dict[str, list[Restriction]] = field(default_factory=dict, repr=False)

    def read(self, queries: Sequence[Query]) -> list[list[Restriction]]:
        """Return what queries ask; each content is asked about once."""
        unknown = [each for each in queries if each.content not in self._known]
        fresh = list({each.content: each for each in unknown}.values())
        for start in track(range(0, len(fresh), _AT_ONCE), "Reading what queries ask"):
            self._ask(fresh[start : start + _AT_ONCE])
        return [self._known[each.content] for each in queries]

    def _ask(self, queries: Sequence[Query]) -> None:
        prompt = Prompt.load(__package__, "read_restrictions")
        told = "\n".join(f"  {name}: {', '.join(each)}" for name, each in conditions().items())
        requests = [
            Request(
                prompt.fill(query=each.content, conditions=told),
                _TOKENS,
                schema=_SCHEMA,
                expected_tokens=_USUAL_TOKENS,
            )
            for each in queries
        ]
        found = structured(self.llm, requests, _restrictions)
        for query, answered in zip(queries, found, strict=True):
            if answered.is_there:
                self._known[query.content] = [
                    each
                    for each in answered.value
                    if each.dimension != "keyword"  # of words, only those that the query has
                    or each.condition.casefold() in query.content.casefold()
                ]
                continue
            failure = answered.answer.failure
            why = f"no answer from the model ({failure.kind})" if failure else answered.problem
            self.failures[why] += 1
            self._known[query.content] = read(query)
