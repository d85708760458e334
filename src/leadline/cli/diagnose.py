"""leadline diagnose: which stage lost each failing query, why, and which groups fail most."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from leadline import progress
from leadline.cli import options
from leadline.cli.language_models import with_models

if TYPE_CHECKING:
    from leadline.benchmark import Benchmark
    from leadline.diagnosis.causes import ErrorCase
    from leadline.diagnosis.slices import Slice
    from leadline.system import System

_MOST_SLICES = 12


@with_models
def diagnose(
    *,
    system: Sequence[str],
    benchmark: Sequence[str],
    data: Path | None = None,
    split: str = "",
    chunks: str = "",
    kind: Sequence[Path] = (),
    review: options.Count = 10,
    limit: int | None = None,
    out: Path = Path("leadline-out"),
    seed: int = 0,
    quiet: bool = False,
    as_json: bool = False,
) -> None:
    """Find the stage that lost each failing query, the reason, and the groups that fail most.

    A query fails if its first result is not relevant. The first cause that applies is reported:

    [bold]not a candidate[/bold]: the first stage did not find the relevant document.

    [bold]put down[/bold]: the first stage found it, and a reranker moved it down.

    [bold]query cut, text cut, not seen[/bold]: the system does not read the words that set the
    relevant document apart from the first result. They are at the end of a long query or document,
    or the system drops them. Only for BM25, encoders and their fusions.

    [bold]word overlap, semantic cue, length, unknown[/bold]: rules name an advantage of the first
    result over the relevant document. Cases that no rule explains are on the review sheet for you
    to judge (retrieval-errors.csv and .html).

    Example: leadline diagnose -s hybrid+by_condition -b leadline-out/conditions

    Options:
        review N: Draw this many failing queries for the review sheet, for each system and part.
    """
    from leadline.checking import load_systems
    from leadline.cli.tables import print_failures, print_rows, print_shares
    from leadline.data.writing import output_folder
    from leadline.diagnosis.causes import drawn, shares
    from leadline.diagnosis.review import write_review
    from leadline.evaluation import limited

    systems = load_systems(system, chunks=chunks)
    parts = options.benchmarks_of(benchmark, data, kind, split)
    folder = output_folder(out)
    cases: list[ErrorCase] = []
    slices: list[tuple[str, str, Slice]] = []
    shown: list[ErrorCase] = []
    with progress.shown(quiet=quiet):
        for part in progress.track(parts, "Benchmarks"):
            asked = limited(part.validated(), limit)
            for each in systems:
                found, where = _diagnosed(each, asked, seed)
                cases += found
                shown += drawn(found, review, seed, f"{asked.name}/{each.name}")
                slices += [(each.name, asked.name, one) for one in where]
    title = "Retrieval errors on " + ", ".join(benchmark)
    sheet = write_review(folder, "retrieval-errors", title, shown, cases)
    if as_json:
        options.print_json(_as_json(cases, slices))
    elif not quiet:
        print_shares(shares(cases))
        print_rows(
            ["system", "benchmark", "slice", "n", "failed", "95 % interval"],
            [
                (name, on, f"{one.facet}: {one.value}", str(one.queries), f"{one.share:.0%}",
                 f"{one.low:.0%} to {one.high:.0%}")
                for name, on, one in _worst(slices)
            ],
            headings=2,
        )  # fmt: skip
    print_failures(systems)
    typer.echo(f"Review sheet: {sheet}", err=True)


def _diagnosed(
    system: System, benchmark: Benchmark, seed: int
) -> tuple[list[ErrorCase], list[Slice]]:
    from leadline.diagnosis.causes import misranked
    from leadline.diagnosis.slices import failing_slices
    from leadline.kinds.registry import kind_or_ranking

    ranking = system.run(
        benchmark.corpus,
        benchmark.queries,
        benchmark.candidates,
        excluded=benchmark.excluded,
        seed=benchmark.order(seed),
    )
    cases = misranked(
        benchmark,
        ranking.run,
        system.name,
        stages=ranking.stages,
        seen=system.reranked,
        read=system.read,
        strict=kind_or_ranking(benchmark.kind).strict,
    )
    failed = {case.query_id for case in cases}
    return cases, failing_slices(benchmark, failed, seed=seed)


def _worst(slices: list[tuple[str, str, Slice]]) -> list[tuple[str, str, Slice]]:
    """Return all queries of every system and benchmark, and the slices that fail most."""
    from leadline.diagnosis.slices import ALL

    kept: dict[tuple[str, str], int] = {}
    chosen = []
    for name, on, one in slices:
        if not one.share and one.value != ALL:
            continue
        kept[name, on] = kept.get((name, on), 0) + 1
        if kept[name, on] <= _MOST_SLICES:
            chosen.append((name, on, one))
    return chosen


def _as_json(cases: list[ErrorCase], slices: list[tuple[str, str, Slice]]) -> dict[str, Any]:
    from dataclasses import asdict

    from leadline.diagnosis.causes import shares

    return {
        "causes": [asdict(row) for row in shares(cases)],
        "slices": [{"system": name, "benchmark": on, **asdict(one)} for name, on, one in slices],
        "cases": [
            {
                "system": case.system,
                "benchmark": case.benchmark,
                "query": case.query_id,
                "expected": case.positive.id,
                "first": case.other.id if case.other else None,
                "cause": case.judgement.category,
                "decided": case.judgement.decided,
                "why": case.judgement.why,
                "passing variant": case.passing,
            }
            for case in cases
        ],
    }
