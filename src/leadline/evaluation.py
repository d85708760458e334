"""Run systems on benchmarks, score their results, and write each one when it is finished."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, cast

from leadline.benchmark import Benchmark, notes_on
from leadline.diagnosis.causes import (
    GIVEN,
    NOT_SEEN,
    QUERY_CUT,
    TEXT_CUT,
    Read,
    judge_overlap,
    judge_sight,
    judge_stages,
)
from leadline.errors import InputError, LeadlineError
from leadline.kinds.cases import worst
from leadline.kinds.registry import by_name, kind_or_ranking
from leadline.metrics.names import of_facet, read_name
from leadline.metrics.topics import select, topic_of, units_of, values_of
from leadline.progress import track, warn
from leadline.report import REFERENCE, NotMeasured, Report, wholes
from leadline.report.folder import (
    digest_of,
    kept_beside,
    with_traces,
    write_not_measured,
    write_scores,
)
from leadline.report.outcome import Outcome, now
from leadline.report.shapes import Case
from leadline.system import System
from leadline.types import Metric, Query, Run

_NUMBER = re.compile(r"\d+$")


def evaluate(
    system: System, benchmark: Benchmark, *, limit: int | None = None, seed: int = 0
) -> Report:
    """Run the system on the benchmark and score the run with its metrics.

    limit  use only the first topics, with all their variants
    seed   seed of the bootstrap intervals and of the order of candidates

    Raises InputError if queries, judgements and documents do not belong together.
    """
    return evaluate_prepared(system, limited(benchmark.validated(), limit), seed=seed)


def evaluate_prepared(system: System, benchmark: Benchmark, *, seed: int = 0) -> Report:
    """Evaluate on a benchmark that is already validated and limited."""
    before, asked = system.failures, system.asked_by_stage
    ranking = system.run(
        benchmark.corpus,
        benchmark.queries,
        benchmark.candidates,
        ranks=None if benchmark.rerankers_end and system.rerankers else benchmark.depth,
        excluded=benchmark.excluded,
        seed=benchmark.order(seed),
    )
    if benchmark.queries and not any(ranking.run.values()):
        what = "candidates" if benchmark.candidates is not None else "documents"
        raise InputError(
            f"{system.name} found no {what} for any of the {len(benchmark.queries):,} queries of "
            f"{benchmark.name}. Perhaps it requires all words of a query."
        )
    found = kind_or_ranking(benchmark.kind).examine(benchmark, ranking, system)
    scores, left_out = score(found.benchmark, ranking.deep, by_rank=system.scores_are_ranks)
    notes = [*notes_on(benchmark)]
    for metric in benchmark.metrics:
        if not scores[metric.name] and (why := getattr(metric, "why_empty", "")):
            notes.append(f"{metric.name} has no value: {why}.")
            warn(f"{system.name} on {benchmark.name}: {notes[-1]}")
    return Report(
        system=system.name,
        benchmark=benchmark.name,
        scores=scores,
        left_out=left_out,
        kind=benchmark.kind,
        built_by=benchmark.built_by,
        settings=system.settings | _settings(system, benchmark, ranking.run),
        seconds=ranking.seconds,
        query_seconds=ranking.query_seconds,
        failures=_since(before, system.failures),
        asked=_since(asked, system.asked_by_stage),
        run=ranking.run,
        clusters=_clusters(benchmark.queries),
        seed=seed,
        examined={**found.examined, **_in_words(system, found.benchmark, ranking.deep)},
        unseen=found.unseen,
        stages=ranking.stages,
        index_bytes=ranking.index_bytes,
        notes=notes,
    )


def _in_words(system: System, benchmark: Benchmark, run: Run) -> dict[str, dict[str, str]]:
    """Return what the main metrics mean for a reader, if they have words for it."""
    by_name = {metric.name: metric for metric in benchmark.metrics}
    main = [name for name in kind_or_ranking(benchmark.kind).main if name in by_name]
    told = {}
    for name in main:
        metric = by_name[name].by_rank() if system.scores_are_ranks else by_name[name]
        told[name] = metric.in_words(benchmark.queries, benchmark.qrels, run)
    return {"in_words": {name: words for name, words in told.items() if words}}


def _settings(system: System, benchmark: Benchmark, run: Run) -> dict[str, Any]:
    """Return notes on the ranks that metrics used, and on the chunks that found documents."""
    told: dict[str, Any] = {}
    depth = benchmark.depth
    ends = benchmark.rerankers_end and bool(system.rerankers)
    compared = benchmark.built.get("compared to rank")
    if benchmark.candidates is None and compared is not None:
        reached = system.depth if ends else max(system.depth, depth or 0)
        told["compared to rank"] = str(compared or f"{reached}, as deep as each ranking goes")
    if benchmark.candidates is None and depth is not None and depth > system.depth and not ends:
        told["ranks"] = (
            f"to {depth}; those below {system.depth} are in the order of the first stage, and not "
            "in the run file"
        )
    by_rank = ((each, each.by_rank()) for each in benchmark.metrics if system.scores_are_ranks)
    if changed := {each.name: other.name for each, other in by_rank if other != each}:
        told["measured as"] = changed
    numbers = [
        int(number[0])
        for query, grades in benchmark.qrels.items()
        for document, chunk in system.chunks_found.get(query, {}).items()
        if grades.get(document, 0) > 0 and document in run.get(query, {})
        if chunk.startswith(document) and (number := _NUMBER.search(chunk[len(document) :]))
    ]
    if numbers:
        first = numbers.count(min(numbers))
        counts = {"the first chunk": first, "a later chunk": len(numbers) - first}
        told["relevant documents found by"] = counts
    return told


def _with_chunks(case: Case, system: System) -> Case:
    """Return the case with the chunks that found its documents."""
    found = system.chunks_found.get(case.facts.get("query", ""), {})
    sides = ((case.expected_label, case.expected), (case.retrieved_label, case.retrieved))
    told = {
        f"chunk of {label.lower()}": found[each.id] for label, each in sides if each.id in found
    }
    return dataclasses.replace(case, facts={**case.facts, **told})


def _since(before: Mapping[str, int], now: Mapping[str, int]) -> dict[str, int]:
    more = {reason: count - before.get(reason, 0) for reason, count in now.items()}
    return {reason: count for reason, count in more.items() if count}


def limited(benchmark: Benchmark, limit: int | None) -> Benchmark:
    """Return the benchmark with only its first `limit` topics."""
    if limit is None:
        return benchmark
    if limit < 1:
        raise InputError(f"limit must be at least 1, got {limit}.")
    topics: dict[str, None] = {}
    for query in benchmark.queries:
        if len(topics) == limit:
            break
        topics[topic_of(query)] = None
    queries = [query for query in benchmark.queries if topic_of(query) in topics]
    metrics = [metric.within(benchmark.queries, benchmark.qrels) for metric in benchmark.metrics]
    return dataclasses.replace(benchmark.only(queries), metrics=metrics)


def score(
    benchmark: Benchmark, run: Run, *, by_rank: bool = False
) -> tuple[dict[str, Mapping[str, float]], dict[str, int]]:
    """Apply every metric of the benchmark to a run, then its breakdowns by facet.

    by_rank  whether metrics that compare scores across queries use ranks instead

    Returns metric -> unit -> value, and metric -> number of units without a value.
    """
    scores: dict[str, Mapping[str, float]] = {}
    left_out: dict[str, int] = {}

    def add(name: str, metric: Metric, queries: Sequence[Query]) -> None:
        scores[name] = (metric.by_rank() if by_rank else metric)(queries, benchmark.qrels, run)
        left_out[name] = len(units_of(metric, queries)) - len(scores[name])

    metrics = {metric.name: metric for metric in benchmark.metrics}
    for name, metric in metrics.items():
        add(name, metric, benchmark.queries)
    for breakdown in benchmark.breakdowns:
        parts = read_name(breakdown)
        name, facet = parts.plain, parts.facet
        if name not in metrics:
            raise InputError(
                f"Breakdown {breakdown!r} of {benchmark.name!r} names a metric that the benchmark "
                "does not have."
            )
        metric = metrics[name]
        if metric.where:  # the metric is restricted to it by default
            metric = dataclasses.replace(cast(Any, metric), where=())
        originals = metric.unit == "topic"
        for value in values_of(benchmark.queries, facet):
            if not originals or value != "original":
                queries = select(benchmark.queries, facet, value, keep_originals=originals)
                add(of_facet(name, facet, value), metric, queries)
    return scores, left_out


def _clusters(queries: Sequence[Query]) -> dict[str, str]:
    """Return the source document or topic of every unit."""
    clusters: dict[str, str] = {}
    for query in queries:
        source = query.facets.get("document") or topic_of(query)
        clusters[query.id] = source
        clusters.setdefault(topic_of(query), source)
    return clusters


def measure(
    systems: Sequence[System],
    benchmarks: Sequence[Benchmark],
    *,
    out: Path | None = None,
    limit: int | None = None,
    seed: int = 0,
    skip: Sequence[NotMeasured] = (),
    compress_runs: bool = False,
    reference: System | None = None,
) -> Outcome:
    """Evaluate every system on every benchmark.

    out    folder for runs and scores, written as soon as each is finished; None writes nothing
    limit  at most this many topics of each benchmark
    skip   pairs that are known to be impossible
    compress_runs  write run files as `.trec.gz`
    reference  runs last, on benchmarks that another system ran: see `reference_for`

    A system that cannot run on a benchmark is left out there, with the reason. Benchmarks named
    `whole/part` also give a report on the whole. Results of other systems from earlier runs in the
    folder join the outcome if the benchmark is unchanged.

    Raises InputError if nothing can be measured.
    """
    benchmarks = [limited(benchmark.validated(), limit) for benchmark in benchmarks]
    asked = {each.name: digest_of(each) for each in benchmarks} if out is not None else {}
    names = [system.name for system in systems]
    kept = kept_beside(out, names, asked) if out is not None else []
    known = {(report.system, report.benchmark) for report, _ in kept}
    if reference is not None:
        known |= {(name + REFERENCE, benchmark) for name, benchmark in known}
    kept = [
        (report, failed)
        for report, failed in kept
        if not report.is_reference
        or (reference and (report.system.removesuffix(REFERENCE), report.benchmark) not in known)
    ]
    pairs = [
        (system, benchmark)
        for benchmark in benchmarks
        for system in (*systems, *([reference] if reference is not None else []))
        if (system.name, benchmark.name) not in {(each.system, each.benchmark) for each in skip}
        if system is not reference or (system.name, benchmark.name) not in known
    ]
    reports: list[Report] = []
    cases: list[Case] = []
    errors: dict[str, Exception] = {}
    missing = list(skip)
    for system, benchmark in track(pairs, "Systems on benchmarks"):
        if system is reference and all(each.benchmark != benchmark.name for each in reports):
            continue
        try:
            report = evaluate_prepared(system, benchmark, seed=seed)
            failed = worst(kind_or_ranking(benchmark.kind).failures(benchmark, report))
            failed = with_causes(with_traces(failed, report), benchmark, report, system.read)
            failed = [_with_chunks(each, system) for each in failed]
        except (LeadlineError, OSError, MemoryError) as error:
            why = str(error) or type(error).__name__
            errors.setdefault(why, error)
            missing.append(NotMeasured(system.name, benchmark.name, why))
            if len(pairs) > 1:
                warn(f"{benchmark.name} is left out for {system.name}: {why}")
            continue
        if out is not None:
            write_scores(out, report, asked[benchmark.name], failed, compress_runs=compress_runs)
        reports.append(dataclasses.replace(report, stages=()))
        cases += [] if report.is_reference else failed
    if out is not None:
        for each in missing:
            write_not_measured(out, each)
    if errors and not reports:
        (first, *more) = errors.values()
        if isinstance(first, LeadlineError) and not more:
            raise first
        raise InputError(f"No system could run on any benchmark: {' '.join(errors)}") from first
    for report, failed in kept:
        reports.append(report)
        cases += [] if report.is_reference else failed
    return Outcome(
        benchmarks=benchmarks,
        reports=reports + wholes(reports, [each.name for each in benchmarks]),
        cases=cases,
        not_measured=missing,
        created=now(),
        folder="" if out is None else str(out),
        kinds=by_name(),
    )


def with_causes(
    cases: Sequence[Case], benchmark: Benchmark, report: Report, read: Read
) -> list[Case]:
    """Return the cases with the causes that were found for each.

    The causes are those of `leadline diagnose` that need no statistics of the corpus, then those
    of the kind.

    read  returns what the system reads, see `System.read`
    """
    queries = {query.id: query for query in benchmark.queries}
    found = []
    for case in cases:
        query = queries.get(case.facts.get("query", ""))
        causes = {} if query is None else dict(_causes(case, query, benchmark, report, read))
        found.append(dataclasses.replace(case, causes=causes))
    return found


def _causes(
    case: Case, query: Query, benchmark: Benchmark, report: Report, read: Read
) -> Iterator[tuple[str, str]]:
    grades = benchmark.qrels.get(query.id, {})
    best = max(grades.values(), default=0)
    if best <= 0 or grades.get(case.expected.id, 0) < best:
        return
    if unseen := report.unseen.get(query.id):
        is_query, is_text = unseen.startswith("query"), unseen.startswith("cut")
        yield QUERY_CUT if is_query else TEXT_CUT if is_text else NOT_SEEN, unseen
        return
    stages = [stage for stage in report.stages if stage.stage != GIVEN]
    runs = [stage.run.get(query.id) for stage in stages]
    names, seen = [stage.stage for stage in stages], report.settings.get("reranked")
    found = judge_stages(case.expected.id, runs, names, seen)
    texts = case.expected.id in benchmark.corpus
    if found is None and texts and case.retrieved.id not in ("", case.expected.id):
        first, positive = (
            benchmark.corpus[each.id].content for each in (case.retrieved, case.expected)
        )
        found = judge_sight(query.content, first, positive, read)
        found = found or judge_overlap(query.content, first, positive)
    if found is not None:
        yield found.category, found.why
    yield from case.causes.items()


WHY_NOT = (
    "it needs edited copies of documents, which are not in the index of this search. Give it an "
    "index for tests (scratch, ingest and remove). See docs/how-to/connect-an-engine.md"
)


def cannot_be_asked(systems: Sequence[System], probes: Sequence[Benchmark]) -> list[NotMeasured]:
    """Return the probes with documents that a system cannot have, and why."""
    return [
        NotMeasured(system.name, probe.name, WHY_NOT)
        for system in systems
        for probe in probes
        if system.own_corpus
        and any(set(probe.made) & grades.keys() for grades in probe.qrels.values())
    ]
