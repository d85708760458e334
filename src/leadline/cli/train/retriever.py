"""leadline train retriever: a dense retriever for your documents."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from leadline.cli import options as shared
from leadline.cli.train import options

if TYPE_CHECKING:
    from leadline.system import System
    from leadline.training.data import Choices, Material
    from leadline.training.grids import Tried
    from leadline.training.settings import LossSettings, Settings
    from leadline.types import Retriever


def retriever(
    context: typer.Context,
    data: options.Folders,
    model: Annotated[
        str,
        typer.Option(
            metavar="MODEL",
            help="What to train: [bold]minilm[/bold], an encoder of [bold]leadline list "
            "systems[/bold], a name on the hub or a folder.",
        ),
    ] = "minilm",
    loss: Annotated[
        str,
        typer.Option(
            metavar="LOSS",
            help="[bold]mnr[/bold] ranks documents; [bold]qa[/bold] takes rephrasings as more "
            "queries; [bold]qq[/bold] also ranks rephrasings, in turn; [bold]cr[/bold] places "
            "rephrasings together; [bold]full[/bold] is cr with qa; [bold]qea[/bold] and "
            "[bold]smc[/bold] have one term of cr.",
        ),
    ] = "cr",
    preset: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="Published settings: [bold]paper[/bold] (docs/rephrasings.md). Options go first.",
        ),
    ] = "",
    out: options.Out = Path("leadline-model"),
    alignment: Annotated[
        float,
        typer.Option(
            min=0,
            metavar="W",
            help="Weight of the distance of a query and its rephrasings, in cr, full and qea.",
        ),
    ] = 1.0,
    margin: Annotated[
        float,
        typer.Option(
            min=0,
            metavar="W",
            help="Weight of the difference of their margins, in cr, "
            "full and smc. It grows with rephrasings times negatives.",
        ),
    ] = 1.0,
    scale: options.Scale = 20.0,
    divisor: options.Divisor = "cluster",
    per_dimension: options.PerDimension = False,
    normalize: options.Normalize = False,
    compared_with: options.ComparedWith = "own",
    reduction: options.Reduction = "sum",
    candidates: options.RankedAgainst = "batch",
    static: Annotated[
        bool,
        typer.Option(
            "--static",
            help="First make a static embedding of the model: one vector a "
            "token, hundreds of times faster, less exact.",
        ),
    ] = False,
    pairs: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="First train on pairs of related texts: lines with "
            "[bold]query[/bold] and [bold]positive[/bold].",
        ),
    ] = None,
    negatives: options.Negatives = 5,
    negative_margin: options.NegativeMargin = 0.05,
    miner: options.Miner = "bm25",
    split: options.Split = "",
    variations: options.Variations = "",
    limit: Annotated[
        int,
        typer.Option(min=2, metavar="N", help="Most queries of a folder.", rich_help_panel="Data"),
    ] = 2000,
    learning_rate: options.LearningRate = 2e-5,
    batch_size: options.BatchSize = 32,
    epochs: options.Epochs = 15,
    steps: options.Steps = None,
    warmup: options.Warmup = 0.1,
    patience: options.Patience = 5,
    evaluations: options.Evaluations = 10,
    precision: options.Precision = "float32",
    max_length: options.MaxLength = None,
    gradient_cache: options.GradientCache = 0,
    tensorboard: options.Tensorboard = False,
    seed: shared.Seed = 0,
    seeds: Annotated[
        int,
        typer.Option(
            min=1,
            metavar="N",
            help="Train N models, from --seed on; the best on the validation queries is kept.",
        ),
    ] = 1,
    grid: Annotated[
        list[str],
        typer.Option(
            metavar="NAME=A,B",
            help="Try values of [bold]learning_rate[/bold], [bold]batch_size[/bold], "
            "[bold]alignment[/bold] or [bold]margin[/bold]; [bold]paper[/bold] for its whole grid. "
            "Repeat for several.",
        ),
    ] = [],  # noqa: B006  (typer copies it)
    dry_run: shared.DryRun = False,
    quiet: shared.Quiet = False,
    as_json: shared.Json = False,
) -> None:
    """Train a dense retriever, so that rephrasings of a query bring the same documents.

    The folder that comes out is a system: leadline evaluate -s dense:./my-model

    Example: leadline train retriever --model minilm --data my-corpus/ --loss cr --out my-model
    """  # fmt: skip
    from leadline import progress
    from leadline.training.data import Choices, opener
    from leadline.training.grids import axes_of
    from leadline.training.settings import LossSettings, Settings, process

    given = {**context.params, **_not_typed(context, preset)}
    settings, chosen = Settings(**_of(Settings, given)), LossSettings(**_of(LossSettings, given))
    axes = axes_of(grid)
    if not dry_run:
        import leadline.training.retriever  # noqa: F401  (what is not installed is told before work)
    with progress.shown(quiet=quiet or process() > 0):
        choices = Choices(limit=limit, negatives=given["negatives"], margin=negative_margin,
                          split=split, variations=variations, seed=seed)  # fmt: skip
        material = _material(data, miner, choices)
        (typer.echo if dry_run else progress.say)(_told(material))
        if dry_run:
            return
        opened = opener(model, static=static)
        if pairs is not None:
            opened = _after_pairs(model, opened, pairs, material, out, settings)
        tried = _trained(
            f"{model} (static)" if static else model, opened, material, out, chosen, settings,
            axes=axes, seeds=seeds,
        )  # fmt: skip
    if process() > 0:
        return
    if as_json:
        typer.echo(json.dumps([dataclasses.asdict(each) for each in tried], indent=1))
    elif not quiet:
        _show(tried)
    typer.echo(f"Model: {out} (a system: dense:{out})", err=True)


def _not_typed(context: typer.Context, preset: str) -> dict[str, Any]:
    """Return the values of a preset for the options that were not given."""
    from leadline.errors import unknown
    from leadline.training.settings import PRESETS

    if preset and preset not in PRESETS:
        raise unknown("preset", preset, tuple(PRESETS))
    return {
        name: value
        for name, value in PRESETS.get(preset, {}).items()
        if getattr(context.get_parameter_source(name), "name", "") == "DEFAULT"
    }


def _of(kind: Any, values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values that are fields of a class of settings."""
    names = {each.name for each in dataclasses.fields(kind)}
    return {name: value for name, value in values.items() if name in names}


def _material(data: Sequence[str], miner: str, choices: Choices) -> Material:
    from leadline.systems.chains import load_system
    from leadline.training.data import prepare

    found = load_system(miner, depth=choices.depth) if choices.negatives else None
    return prepare(data, found and _first_stage(found, miner), choices)


def _first_stage(system: System, name: str) -> Retriever:
    from leadline.errors import InputError

    if system.retriever is None or system.rerankers:
        raise InputError(f"--miner {name}: hard negatives are mined by a first stage alone.")
    return system.retriever


def _trained(
    base: str,
    opened: Callable[[], Any],
    material: Material,
    out: Path,
    loss: LossSettings,
    settings: Settings,
    **several: Any,
) -> list[Tried]:
    from leadline.training.grids import run_all
    from leadline.training.retriever import train

    def run(out: Path, loss: LossSettings, settings: Settings) -> dict[str, Any]:
        done = train(
            opened, material.examples, material.validation, out,
            base=base, loss=loss, settings=settings, data=material.facts,
        )  # fmt: skip
        return {"start": dict(done.start), "end": dict(done.end)}

    return run_all(run, out, loss, settings, **several)


def _after_pairs(
    base: str, opened: Callable[[], Any], pairs: Path, material: Material, out: Path,
    settings: Settings,
) -> Callable[[], Any]:  # fmt: skip
    """Train on pairs first; return what opens the model that comes out."""
    from leadline.training.data import opener, read_examples
    from leadline.training.retriever import is_finished, train
    from leadline.training.settings import LossSettings

    folder = out / "pairs"
    if not is_finished(folder):
        train(
            opened, read_examples(pairs), material.validation, folder,
            base=base, loss=LossSettings("mnr"), settings=settings, data={"pairs": str(pairs)},
        )  # fmt: skip
    return opener(str(folder))


def _told(material: Material) -> str:
    count = sum(len(each.rephrasings) for each in material.examples)
    held = len({query.topic for query in material.validation.queries})
    return (
        f"{material.sources}\n{len(material.examples)} examples with {count} rephrasings and "
        f"{sum(len(each.negatives) for each in material.examples)} hard negatives; "
        f"{held} queries held out for validation."
    )


def _show(tried: Sequence[Tried]) -> None:
    """Print what the untrained model and each choice reach on the validation queries."""
    columns = ("nDCG@10", "RBO@5", "cosine")
    typer.echo(f"{'validation':<28}" + "".join(f"{name:>18}" for name in columns))
    rows: list[tuple[str, Mapping[str, float], Mapping[str, float]]]
    rows = [("untrained", tried[0].start, {})]
    rows += [(_label(each), each.mean, each.deviation) for each in tried]
    for label, values, spread in rows:
        cells = []
        for name in columns:
            value, by = values.get(name), spread.get(name, 0.0)
            cells.append("" if value is None else f"{value:.3f}" + (f" ± {by:.3f}" if by else ""))
        typer.echo(f"{label:<28}" + "".join(f"{cell:>18}" for cell in cells))


def _label(tried: Tried) -> str:
    values = " ".join(f"{name}={value:g}" for name, value in tried.values.items())
    seeds = f"{len(tried.seeds)} seeds" if len(tried.seeds) > 1 else ""
    return " ".join(filter(None, ["trained", values, seeds]))
