"""Run systems on benchmarks one after the other, keeping each result as it comes."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from pathlib import Path

from leadline.benchmark import Benchmark
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
from leadline.evaluation import evaluate_prepared, limited
from leadline.kinds.cases import worst
from leadline.kinds.registry import by_name, kind_or_ranking
from leadline.progress import track, warn
from leadline.report import NotMeasured, Report, wholes
from leadline.report.evidence import Case
from leadline.report.folder import (
    digest_of,
    kept_beside,
    with_traces,
    write_not_measured,
    write_scores,
)
from leadline.report.outcome import Outcome, now
from leadline.system import System
from leadline.types import Query

WHY_NOT = (
    "it asks about edited copies of documents, which are not in the index of this search. An "
    "index for tests alone takes them (scratch, ingest and remove)"
)


def measure(
    systems: Sequence[System],
    benchmarks: Sequence[Benchmark],
    *,
    out: Path | None = None,
    limit: int | None = None,
    seed: int = 0,
    skip: Sequence[NotMeasured] = (),
    compress_runs: bool = False,
) -> Outcome:
    """Evaluate every system on every benchmark.

    out    folder that takes run and scores of each pair as soon as it is finished; None: nowhere
    limit  at most this many topics of each benchmark
    skip   what is known to be impossible, which is not tried
    compress_runs  write run files as `.trec.gz`

    Where a system cannot be measured on a benchmark, that pair is left out with the reason, and the
    others run. Mistakes in code are raised.

    Benchmarks named `whole/part` also give a report on the whole. What earlier runs left of other
    systems in the folder joins the outcome where they were asked the same.

    Raises InputError when nothing can be measured.
    """
    benchmarks = [limited(benchmark.validated(), limit) for benchmark in benchmarks]
    pairs = [
        (system, benchmark)
        for benchmark in benchmarks
        for system in systems
        if (system.name, benchmark.name) not in {(each.system, each.benchmark) for each in skip}
    ]
    asked = {each.name: digest_of(each) for each in benchmarks} if out is not None else {}
    reports: list[Report] = []
    cases: list[Case] = []
    errors: dict[str, Exception] = {}
    missing = list(skip)
    for system, benchmark in track(pairs, "Systems on benchmarks"):
        try:
            report = evaluate_prepared(system, benchmark, seed=seed)
            failed = worst(kind_or_ranking(benchmark.kind).failures(benchmark, report))
            failed = with_causes(with_traces(failed, report), benchmark, report, system.read)
        except (LeadlineError, OSError, MemoryError) as error:
            why = str(error) or type(error).__name__
            errors.setdefault(why, error)
            missing.append(NotMeasured(system.name, benchmark.name, why))
            if len(pairs) > 1:
                warn(f"{benchmark.name} was left out for {system.name}: {why}")
            continue
        if out is not None:
            write_scores(out, report, asked[benchmark.name], failed, compress_runs=compress_runs)
        reports.append(dataclasses.replace(report, stages=()))
        cases += failed
    if out is not None:
        for each in missing:
            write_not_measured(out, each)
    if errors and not reports:
        (first, *more) = errors.values()
        if isinstance(first, LeadlineError) and not more:
            raise first
        raise InputError(f"Nothing could be measured: {' '.join(errors)}") from first
    names = [system.name for system in systems]
    for report, failed in kept_beside(out, names, asked) if out is not None else ():
        reports.append(report)
        cases += failed
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

    First the stage that lost the expected document, what the system did not read of it, or words
    of the query that only the other one has, under the names of `leadline diagnose`; then the
    causes that its kind gave it. What takes statistics of the corpus is left to
    `diagnose`. A document that is not wanted (of a refused one) has no cause.

    read  what the system takes in, see `System.read`
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
        yield _named(unseen), unseen
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


def _named(unseen: str) -> str:
    """Return the name that `leadline diagnose` gives to a reason why a case was not seen."""
    if unseen.startswith("query"):
        return QUERY_CUT
    return TEXT_CUT if unseen.startswith("cut") else NOT_SEEN


def can_be_asked(system: System, probe: Benchmark) -> bool:
    """Tell whether a system can find what a probe judges: it has that, or can be given it."""
    if not system.own_corpus or not probe.made:
        return True
    made = set(probe.made)
    return not any(made & grades.keys() for grades in probe.qrels.values())


def cannot_be_asked(systems: Sequence[System], probes: Sequence[Benchmark]) -> list[NotMeasured]:
    """Return where a probe judges documents that the system cannot have."""
    return [
        NotMeasured(system.name, probe.name, WHY_NOT)
        for system in systems
        for probe in probes
        if not can_be_asked(system, probe)
    ]
