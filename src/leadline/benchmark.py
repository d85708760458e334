"""Benchmark: a corpus, queries, judgements, and the metrics that read them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from leadline.candidates import Seed
from leadline.errors import InputError
from leadline.types import Candidates, Corpus, Metric, Qrels, Query


@dataclass(frozen=True)
class Quoted:
    """What others published for one system: read beside measured results, never among them.

    metrics    name -> value, in the units of ours
    documents, queries  size of what was searched and asked
    departs    in what the benchmark at hand differs from the published one; empty for nothing
    """

    system: str
    metrics: Mapping[str, float]
    source: str
    documents: int
    queries: int
    departs: str = ""


@dataclass(frozen=True)
class Benchmark:
    """Everything that a system is measured on.

    kind        what it tests: `ranking`, `conditions`, `rephrasings`, `implicit-facts`, ...
    candidates  when given, systems rank these and do not search
    ranked      whether candidates stand in the order of a first stage, which then counts; else
                their order is shuffled, and they enter as ties
    breakdowns  what a report divides by which facet, as `metric[facet]`
    built_by    `published`, `rules` or `llm`; results of different makes are never compared
    built       how it was made (seed, builder, counts of what was dropped and why), as JSON
    depth       to which rank its metrics must see; None where what a system returns is enough
    quoted      published results
    excluded    query id -> documents that are removed from its ranking before it is scored
    made        documents of the corpus that were written for it, which no index of a user holds
    """

    name: str
    corpus: Corpus
    queries: Sequence[Query]
    qrels: Qrels
    metrics: Sequence[Metric]
    candidates: Candidates | None = None
    source: str = ""
    kind: str = "ranking"
    built_by: str = "published"
    breakdowns: Sequence[str] = ()
    built: Mapping[str, Any] = field(default_factory=dict)
    depth: int | None = None
    quoted: Sequence[Quoted] = ()
    excluded: Candidates = field(default_factory=dict)
    made: Collection[str] = ()
    ranked: bool = False

    def order(self, seed: int) -> Seed:
        """Return the seed of the order of candidates; None where their own order counts."""
        return None if self.ranked else seed

    def validated(self) -> Benchmark:
        """Return the benchmark itself when its parts fit together.

        Raises InputError that names the first query or document that does not.
        """
        if not self.queries:
            raise InputError(f"Benchmark {self.name!r} has no queries.")
        if not self.corpus:
            raise InputError(
                f"Benchmark {self.name!r} has no documents to rank. Questions without documents "
                "are for `leadline read`."
            )
        self._check_queries()
        self._check_documents()
        return self

    def _check_queries(self) -> None:
        seen: set[str] = set()
        for query in self.queries:
            if query.id in seen:
                raise InputError(f"Query id {query.id!r} stands twice in {self.name!r}.")
            seen.add(query.id)
        judged_topics = {query.topic for query in self.queries if query.id in self.qrels}
        for query in self.queries:
            in_judged_topic = query.topic and query.topic in judged_topics
            if self.qrels and query.id not in self.qrels and not in_judged_topic:
                raise InputError(
                    f"Query {query.id!r} has no qrels in {self.name!r}. "
                    "Do queries and qrels come from the same split?"
                )
        for query_id in self.qrels:
            if query_id not in seen:
                raise InputError(
                    f"The qrels of {self.name!r} judge query {query_id!r}, which is not among "
                    "its queries. Do queries and qrels come from the same split?"
                )

    def _check_documents(self) -> None:
        for query_id, grades in self.qrels.items():
            for document_id in grades:
                if document_id not in self.corpus:
                    raise InputError(
                        f"The qrels of {self.name!r} name document {document_id!r} "
                        f"(query {query_id!r}), which is not in the corpus. "
                        "Do corpus and qrels belong together?"
                    )
        for query_id, document_ids in (self.candidates or {}).items():
            for document_id in document_ids:
                if document_id not in self.corpus:
                    raise InputError(
                        f"The candidates of query {query_id!r} in {self.name!r} name document "
                        f"{document_id!r}, which is not in the corpus."
                    )
