"""leadline analyse negatives: two strategies of hard negatives side by side."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from leadline.cli import options as shared
from leadline.cli.language_models import with_models

if TYPE_CHECKING:
    from leadline.analysis.negatives import NegativesStudy
    from leadline.system import System


@with_models
def negatives(
    system: shared.Systems,
    data: shared.Ladders = None,
    style: shared.Style = "list",
    out: shared.Out = Path("leadline-negatives"),
    seed: shared.Seed = 0,
    quiet: shared.Quiet = False,
) -> None:
    """Compare how often systems notice an altered fact, and kept terms that say something else.

    Example: leadline analyse negatives -s minilm -s bm25 --data conditions_dev/
    """
    from leadline import progress
    from leadline.analysis.negatives import STRATEGIES, figures
    from leadline.checking import load_systems
    from leadline.data.writing import output_folder
    from leadline.report.sheets import Study, write_study

    systems = load_systems(system)
    folder = output_folder(out)
    with progress.shown(quiet=quiet):
        studies = [_studied(each, data, style, seed) for each in systems]
    sentences = [_told(each) for each in studies]
    page = write_study(
        folder,
        Study(
            name="negatives",
            title="Strategies of hard negatives",
            command=shlex.join(["leadline", *sys.argv[1:]]),
            facts={"strategies": ", ".join(STRATEGIES), "queries": style, "seed": str(seed)},
            sentences=sentences,
            figures=figures(studies),
            numbers=[each.as_json() for each in studies],
        ),
    )
    if not quiet:
        typer.echo("\n".join(sentences))
    typer.echo(f"Study: {page}", err=True)


def _studied(system: System, data: Path | None, style: str, seed: int) -> NegativesStudy:
    from leadline.analysis.negatives import STRATEGIES, of_strategy, study_negatives
    from leadline.evaluation import evaluate
    from leadline.systems.benchmarks import load_benchmarks

    loaded = load_benchmarks("conditions", data=data)
    reports = {
        name: [
            evaluate(system, part, seed=seed)
            for each in loaded
            if (part := of_strategy(each, name, style)) is not None
        ]
        for name in STRATEGIES
    }
    return study_negatives(system.name, reports, seed=seed)


def _told(study: NegativesStudy) -> str:
    rates = ", ".join(
        f"{each.mean:.3f}{'' if each.few else f' [{each.low:.3f}, {each.high:.3f}]'} {name} "
        f"({each.n} documents{', too few' if each.few else ''})"
        for name, each in study.win_rate.items()
    )
    return f"{study.system}: win rate {rates}."
