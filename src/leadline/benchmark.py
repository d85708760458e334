"""Benchmark: a corpus, queries, judgements, and the metrics that use them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from leadline.errors import InputError
from leadline.metrics.ranking import RankingMetric
from leadline.text.words import table
from leadline.types import Candidates, Corpus, Metric, Qrels, Query, Seed, adopted


def of_corpus(qrels: Qrels, corpus: Corpus) -> Qrels:
    """Return the judgements of documents that are in a corpus."""
    return {
        query: {id: grade for id, grade in grades.items() if id in corpus}
        for query, grades in qrels.items()
    }


@dataclass(frozen=True)
class Quoted:
    """Published results of one system, shown next to measured ones but never mixed with them.

    metrics  name -> value, in our units
    sizes    published numbers of `documents`, `queries` and `topics`, if known
    departs  how this benchmark differs from the published one; empty if it does not
    parts    number of parts that the figure was published for; 0 for this part only
    """

    system: str
    metrics: Mapping[str, float]
    source: str
    sizes: Mapping[str, int] = field(default_factory=dict)
    departs: str = ""
    parts: int = 0


def quoted_results(package: str, name: str, *, departs: str = "") -> tuple[Quoted, ...]:
    """Return the published results on a part of a benchmark, and on the whole.

    package  a package with a `quoted.yaml`
    name     name of the part, with options: `conditions:words=512/books`
    departs  how this benchmark differs from the published one; empty if it does not
    """
    told = table(package, "quoted")
    whole, _, part = name.partition("/")
    sizes = told["sizes"].get(whole.partition(":")[0], {})
    found = []
    for each in told["tables"] if (part or "all") in sizes else ():
        unit = 100 if each.get("unit", "percent") == "percent" else 1
        columns = [column.rpartition(" ") for column in each["columns"]]
        for system, values in each["rows"].items() if each["of"] == whole else ():
            for of in dict.fromkeys(("", part)):
                metrics = {
                    metric: round(value / unit, 6)
                    for (where, _, metric), value in zip(columns, values, strict=True)
                    if where == of
                }
                reasons = filter(None, (departs, each.get("departs", "")))
                why, parts = "; ".join(reasons), 0 if of == part else len(sizes)
                if metrics:
                    found.append(
                        Quoted(system, metrics, each["source"], sizes[part or "all"], why, parts)
                    )
    return tuple(found)


@dataclass(frozen=True)
class Benchmark:
    """Documents, queries and judgements, with the metrics that apply to them.

    Attributes:
        name: Its name in reports.
        kind: The kind of test: `ranking`, `conditions`, `rephrasings`, ...
        corpus: Document id -> document.
        queries: The queries, with their variants.
        qrels: Query id -> document id -> grade.
        metrics: Metrics to compute.
        candidates: If given, systems rank these documents and do not search.
        ranked: Whether candidates come in the order of a first stage. Else they are shuffled
            and enter as ties.
        breakdowns: Metrics to divide by a facet, as `metric[facet]`.
        built_by: `published`, `own` (files of the user), `rules` or `llm`. Results of
            benchmarks that were built differently are never compared.
        built: How it was built (seed, builder, counts of dropped topics), as JSON.
        depth: The deepest rank that metrics need; None if the results of a system suffice.
        rerankers_end: Whether a reranked list ends with the last reordered document.
        quoted: Published results.
        excluded: Query id -> documents to remove from its ranking before scoring.
        made: Documents that were written for the test, which no user's index has.
        notes: How unusable data were handled, in sentences for the report.
    """

    name: str
    corpus: Corpus
    queries: Sequence[Query]
    qrels: Qrels
    metrics: Sequence[Metric]
    candidates: Candidates | None = None
    source: str = ""
    kind: str = "ranking"
    built_by: str = "own"
    breakdowns: Sequence[str] = ()
    built: Mapping[str, Any] = field(default_factory=dict)
    depth: int | None = None
    rerankers_end: bool = False
    quoted: Sequence[Quoted] = ()
    excluded: Candidates = field(default_factory=dict)
    made: Collection[str] = ()
    notes: Sequence[str] = ()
    ranked: bool = False

    def __post_init__(self) -> None:
        metrics = tuple(adopted(each, Metric) for each in self.metrics)
        object.__setattr__(self, "metrics", metrics)

    def order(self, seed: int) -> Seed:
        """Return the seed of the order of candidates, or None if their own order counts."""
        return None if self.ranked else seed

    def only(self, queries: Sequence[Query]) -> Benchmark:
        """Return the benchmark with some of its queries, and the whole corpus."""
        kept = {each.id for each in queries}
        given = self.candidates
        return replace(
            self,
            queries=list(queries),
            qrels={id: grades for id, grades in self.qrels.items() if id in kept},
            candidates=None if given is None else {id: given[id] for id in given if id in kept},
        )

    def validated(self, *, whole: bool = False) -> Benchmark:
        """Return the benchmark without unusable queries and candidates. `notes` lists them.

        Relevant documents that the corpus lacks stay. They count as never found.

        whole  raise InputError if a judged document is missing, as pairs need both documents
        """
        if not self.queries:
            raise InputError(f"Benchmark {self.name!r} has no queries.")
        if not self.corpus:
            raise InputError(
                f"Benchmark {self.name!r} has no documents to rank. Questions without documents "
                "are for `leadline read`."
            )
        self._check_queries()
        notes: list[str] = []
        qrels, candidates = self._known_queries(notes), self._known_candidates(notes)
        self._check_documents(qrels, notes, whole=whole)
        if not notes:
            return self
        told = tuple(dict.fromkeys([*self.notes, *notes]))
        return replace(self, qrels=qrels, candidates=candidates, notes=told)

    def _check_queries(self) -> None:
        seen: set[str] = set()
        for query in self.queries:
            if query.id in seen:
                raise InputError(f"Query id {query.id!r} occurs twice in {self.name!r}.")
            seen.add(query.id)
        judged_topics = {query.topic for query in self.queries if query.id in self.qrels}
        for query in self.queries:
            in_judged_topic = query.topic and query.topic in judged_topics
            if self.qrels and query.id not in self.qrels and not in_judged_topic:
                raise InputError(
                    f"Query {query.id!r} has no judgement in {self.name!r}. Do queries and qrels "
                    "come from the same split?"
                )

    def _known_queries(self, notes: list[str]) -> Qrels:
        seen = {query.id for query in self.queries}
        others = [query_id for query_id in self.qrels if query_id not in seen]
        if not others:
            return self.qrels
        if 2 * len(others) > len(self.qrels):
            raise InputError(
                f"The qrels of {self.name!r} judge query {others[0]!r}, which is not one of its "
                "queries. Do queries and qrels come from the same split?"
            )
        notes.append(
            f"{len(others):,} of {len(self.qrels):,} judged queries are not in the queries file, "
            f"so they are skipped (the first is {others[0]!r})."
        )
        return {id: grades for id, grades in self.qrels.items() if id in seen}

    def _missing(self, by_query: Mapping[str, Iterable[str]]) -> list[tuple[str, str]]:
        return [
            (query, id) for query, ids in by_query.items() for id in ids if id not in self.corpus
        ]

    def _check_documents(self, qrels: Qrels, notes: list[str], *, whole: bool) -> None:
        unknown, rows = self._missing(qrels), sum(map(len, qrels.values()))
        if not unknown:
            return
        query_id, document_id = unknown[0]
        if whole or 2 * len(unknown) > rows:
            raise InputError(
                f"The qrels of {self.name!r} name document {document_id!r} (query {query_id!r}), "
                "which is not in the corpus. Do corpus and qrels belong together?"
            )
        notes.append(
            f"{len(unknown):,} of {rows:,} judgements name documents that the corpus lacks (the "
            f"first is {document_id!r} of query {query_id!r}). The relevant ones count as never "
            "found."
        )

    def _known_candidates(self, notes: list[str]) -> Candidates | None:
        if self.candidates is None or not (missing := self._missing(self.candidates)):
            return self.candidates
        count, (query_id, document_id) = sum(map(len, self.candidates.values())), missing[0]
        if 2 * len(missing) > count:
            raise InputError(
                f"The candidates of query {query_id!r} in {self.name!r} name document "
                f"{document_id!r}, which is not in the corpus. "
                "Do corpus and candidates belong together?"
            )
        notes.append(
            f"{len(missing):,} of {count:,} candidates are not in the corpus, so they are not "
            f"ranked (the first is {document_id!r} of query {query_id!r})."
        )
        return {
            query: tuple(id for id in ids if id in self.corpus)
            for query, ids in self.candidates.items()
        }


def notes_on(benchmark: Benchmark) -> list[str]:
    """Return notes on how unusable data and queries without relevant documents were handled."""
    names: dict[tuple[int, int, str], list[str]] = {}
    for metric in benchmark.metrics:
        if isinstance(metric, RankingMetric):
            judged = metric.asked(benchmark.queries, benchmark.qrels)
            empty = sum(all(grade <= 0 for grade in its.values()) for its in judged.values())
            if empty:
                case = empty, len(judged), metric.no_relevant
                names.setdefault(case, []).append(metric.name)
    notes = list(benchmark.notes)
    own = sum(
        set(benchmark.excluded.get(query.id, ())) & {query.id, query.topic} != set()
        for query in benchmark.queries
    )
    if own:
        notes.append(
            f"Queries that are documents of the corpus (same id): {own:,} of "
            f"{len(benchmark.queries):,}. Each is ranked without its own document, as in BEIR and "
            "MTEB (identical_ids=keep keeps it)."
        )
    for (without, asked, counts), metrics in names.items():
        done = (
            "count 0, as in trec_eval, BEIR and MTEB (no_relevant=leave_out leaves them out)"
            if counts == "zero"
            else "are left out (no_relevant=zero counts them as 0, as trec_eval, BEIR and MTEB do)"
        )
        notes.append(
            f"Queries without a relevant document: {without:,} of {asked:,}. In "
            f"{', '.join(metrics)} they {done}."
        )
    return notes
