"""leadline evaluate: run systems on benchmarks."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from leadline import progress
from leadline.cli import options
from leadline.cli.language_models import plan, with_models
from leadline.errors import InputError

if TYPE_CHECKING:
    from leadline.benchmark import Benchmark


@with_models
def evaluate(
    *,
    system: Sequence[str],
    benchmark: Sequence[str],
    data: Path | None = None,
    split: str = "",
    chunks: str = "",
    kind: Sequence[Path] = (),
    depth: int = 100,
    opportunity: str = "",
    out: Path = Path("leadline-out"),
    limit: int | None = None,
    seed: int = 0,
    compress_runs: bool = False,
    no_reference: bool = False,
    dry_run: bool = False,
    quiet: bool = False,
    as_json: bool = False,
) -> None:
    """Run systems on benchmarks and write runs, scores and a report.

    Example: leadline evaluate -s bm25 -s minilm -b implicit-facts --data impliret/

    Options:
        depth K: How many documents the first stage returns, rerankers reorder and run files hold.
            SetRank and MeanRank use deeper ranks anyway.
        opportunity SYSTEM: For rephrasings: also report Opportunity@50. It counts how often a
            rephrasing keeps the document that this reranker puts first.
    """
    from leadline.checking import load_systems, reference_for
    from leadline.data.writing import output_folder
    from leadline.evaluation import limited, measure
    from leadline.report.page import write_report

    options.add_kinds(kind)
    with progress.shown(quiet=quiet):
        systems = load_systems(system, depth=depth, chunks=chunks)
    benchmarks = options.benchmarks_of(benchmark, data, split=split)
    if opportunity:
        benchmarks = [_with_opportunity(each, opportunity) for each in benchmarks]
    if dry_run:
        typer.echo(
            "\n".join(
                f"{each.name}: {len(each.corpus)} documents, {len(each.queries)} queries, "
                f"{' and '.join(one.name for one in systems)}"
                for each in (limited(each, limit) for each in benchmarks)
            )
        )
        plan(systems, benchmarks, limit)
        return
    folder = output_folder(out)
    with progress.shown(quiet=quiet):
        outcome = measure(
            systems, benchmarks, out=folder, limit=limit, seed=seed, compress_runs=compress_runs,
            reference=None if no_reference or opportunity else reference_for(systems, benchmarks),
        )  # fmt: skip
        page = write_report(
            folder,
            outcome,
            title="Evaluation of " + ", ".join(benchmark),
            command=options.command_line(),
            facts={"depth": str(depth), "seed": str(seed)}
            | ({"topics, at most": str(limit)} if limit else {}),
        )
    _tell_skipped(benchmarks)
    options.show_outcome(outcome, page, quiet=quiet, as_json=as_json)


def _tell_skipped(benchmarks: Sequence[Benchmark]) -> None:
    """Print which benchmarks have queries without judgements."""
    from leadline.kinds.benchmark_folder import WITHOUT_JUDGEMENT

    for each in benchmarks:
        if skipped := each.built.get("dropped", {}).get(WITHOUT_JUDGEMENT):
            typer.echo(
                f"{each.name}: {skipped} queries {WITHOUT_JUDGEMENT} are skipped, "
                f"{len(each.queries)} are used.",
                err=True,
            )


def _with_opportunity(benchmark: Benchmark, name: str) -> Benchmark:
    """Return a rephrasings benchmark with the Opportunity metric of a reranker."""
    from leadline.metrics.coherence import Opportunity
    from leadline.metrics.topics import by_topic, original_of
    from leadline.systems.chains import load_system

    topics = by_topic(benchmark.queries).values()
    if not any(len(variants) > 1 and original_of(variants) for variants in topics):
        raise InputError(
            f"--opportunity needs queries with rephrasings; {benchmark.name!r} (kind "
            f"{benchmark.kind!r}) has none."
        )
    system = load_system(name)
    if system.retriever is not None or len(system.rerankers) != 1:
        raise InputError(
            f"--opportunity {name}: name a single reranker, such as cross_encoder:MODEL."
        )
    metric = Opportunity(system.rerankers[0], benchmark.corpus)
    return dataclasses.replace(
        benchmark,
        metrics=(*benchmark.metrics, metric),
        depth=max(benchmark.depth or 0, metric.k),
        built={**benchmark.built, "opportunity": name},
    )
