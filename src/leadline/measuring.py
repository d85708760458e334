"""Run systems on benchmarks one after the other, keeping each result as it comes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from leadline.benchmark import Benchmark
from leadline.evaluation import evaluate, limited
from leadline.highlights import worst_cases
from leadline.output import Outcome, now, write_scores
from leadline.pages.page import Case
from leadline.progress import track
from leadline.report import Report, over_parts
from leadline.system import System


def measure(
    systems: Sequence[System],
    benchmarks: Sequence[Benchmark],
    *,
    out: Path | None = None,
    limit: int | None = None,
    seed: int = 0,
) -> Outcome:
    """Evaluate every system on every benchmark.

    out    folder that takes run and scores of each pair as soon as it is finished; None: nowhere
    limit  at most this many topics of each benchmark

    Benchmarks named `whole/part` also give a report on the whole.
    """
    benchmarks = [limited(benchmark.validated(), limit) for benchmark in benchmarks]
    pairs = [(system, benchmark) for benchmark in benchmarks for system in systems]
    reports: list[Report] = []
    cases: list[Case] = []
    for system, benchmark in track(pairs, "Systems on benchmarks"):
        report = evaluate(system, benchmark, seed=seed)
        if out is not None:
            write_scores(out, report)
        reports.append(report)
        cases += worst_cases(benchmark, report)
    return Outcome(
        benchmarks=benchmarks,
        reports=reports + wholes(reports),
        cases=cases,
        created=now(),
    )


def wholes(reports: Sequence[Report]) -> list[Report]:
    """Join the parts of every benchmark that was run in more than one part."""
    parts: dict[tuple[str, str], list[Report]] = {}
    for report in reports:
        whole, slash, _ = report.benchmark.partition("/")
        if slash:
            parts.setdefault((whole, report.system), []).append(report)
    return [
        over_parts(whole, some)
        for (whole, _), some in sorted(parts.items(), key=lambda item: item[0][0])
        if len(some) > 1
    ]
