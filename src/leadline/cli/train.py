"""leadline train: train a retriever that is stable under rephrasing, or a reasoning reranker."""

from __future__ import annotations

import inspect
import json
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, get_type_hints

import typer

from leadline import progress
from leadline.cli import options
from leadline.errors import InputError, unknown
from leadline.training.settings import Choices, LossSettings, ReasonerSettings, Settings

if TYPE_CHECKING:
    from leadline.kinds.reasoning.pairs import JudgedPair
    from leadline.training.data import Material
    from leadline.training.retriever import Tried


def _with_settings(
    *kinds: type,
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Give a command the fields of settings as options. Those given arrive as its `typed`."""

    def decorated(command: Callable[..., None]) -> Callable[..., None]:
        added = [option for kind in kinds for option in _options_of(kind)]

        def run(**given: Any) -> None:
            typed = {each.name: given.pop(each.name) for each in added}
            command(typed={k: v for k, v in typed.items() if v is not None}, **given)

        return options.with_options(run, command, added, "typed")

    return decorated


def _options_of(kind: Any) -> list[inspect.Parameter]:
    """Return an option for each field of the settings, with None as the default."""
    hints = get_type_hints(kind)
    found = []
    for each in fields(kind):
        if not (about := each.metadata):
            continue
        flag = hints[each.name] is bool
        shown = "" if flag or each.default in (None, "") else str(each.default)
        option = typer.Option(
            f"--{each.name.replace('_', '-')}",
            metavar="" if flag else about["metavar"],
            help=about["help"],
            rich_help_panel=about["panel"],
            show_default=shown or False,
        )
        kind_or_none: Any = Annotated[hints[each.name] | None, option]
        keyword = inspect.Parameter.KEYWORD_ONLY
        found.append(inspect.Parameter(each.name, keyword, default=None, annotation=kind_or_none))
    return found


def _of(kind: Any, values: Mapping[str, Any]) -> Any:
    """Return settings with these values. Values for other settings are ignored."""
    names = {each.name for each in fields(kind)}
    return kind(**{name: value for name, value in values.items() if name in names})


@_with_settings(Choices, LossSettings, Settings)
def retriever(
    *,
    data: Sequence[str],
    model: str = "minilm",
    preset: str = "",
    out: Path = Path("leadline-model"),
    static: bool = False,
    pairs: Path | None = None,
    pairs_setting: Sequence[str] = (),
    miner: str = "bm25",
    typed: Any = None,
    seeds: options.Count = 1,
    grid: Sequence[str] = (),
    dry_run: bool = False,
    quiet: bool = False,
    as_json: bool = False,
) -> None:
    """Train a dense retriever so that rephrasings of a query find the same documents.

    The result is a system: leadline evaluate -s dense:./my-model

    Example: leadline train retriever --model minilm --data my-corpus/ --loss cr --out my-model

    Options:
        data FOLDER: Training data: a BEIR or benchmark folder with judged queries and their
            rephrasings, a corpus (queries are made from its documents), or a file or folder with
            [bold]examples.jsonl[/bold]. Repeatable.
        model MODEL: The model to train: [bold]minilm[/bold], an encoder of [bold]leadline list
            systems[/bold], a name on the hub or a folder.
        preset NAME: Published settings: [bold]paper[/bold]. Options override them.
        out DIR: Folder for the model. To continue a stopped run, repeat the command.
        static: First turn the model into a static embedding: one vector for each token, hundreds of
            times faster, less exact.
        pairs FILE: First train on pairs of related texts: lines with [bold]query[/bold] and
            [bold]positive[/bold], which are read batch by batch.
        pairs_setting NAME=VALUE: A setting of the training on pairs. The paper's are
            [bold]learning_rate=2e-5[/bold], [bold]batch_size=2048[/bold] and
            [bold]max_length=128[/bold]. [bold]epochs=1[/bold] is ours. You can also set
            [bold]steps[/bold] and [bold]gradient_cache[/bold]. Repeatable.
        seeds N: Train N models, with seeds from --seed on, and keep the best on the validation
            queries.
        grid NAME=A,B: Try values of [bold]learning_rate[/bold], [bold]batch_size[/bold],
            [bold]alignment[/bold] or [bold]margin[/bold]. [bold]paper[/bold] is the whole grid of
            the paper. Repeatable.

    Options (Data):
        miner SYSTEM: The system that finds hard negatives.
    """
    from leadline.systems.chains import load_system
    from leadline.training.data import opener, prepare, stream_examples
    from leadline.training.settings import PRESETS, axes_of, pairs_settings, process

    if preset and preset not in PRESETS:
        raise unknown("preset", preset, tuple(PRESETS))
    given = {**PRESETS.get(preset, {}), **typed}
    settings, loss = _of(Settings, given), _of(LossSettings, given)
    choices: Choices = _of(Choices, given)
    axes = axes_of(grid)
    if pairs_setting and pairs is None:
        raise InputError("--pairs-setting is for the training on --pairs FILE, which is missing.")
    before = pairs_settings(settings, pairs_setting)
    if not dry_run:
        from leadline.training.retriever import Trained, run_all, train  # says what is missing
    with progress.shown(quiet=quiet or process() > 0):
        first_stage = None
        if choices.negatives:
            found = load_system(miner, depth=choices.depth)
            first_stage = found.retriever
            if first_stage is None or found.rerankers:
                raise InputError(
                    f"--miner {miner}: name a first stage only. Chains cannot mine hard negatives."
                )
        material = prepare(data, first_stage, choices)
        (typer.echo if dry_run else progress.say)(_told(material))
        if dry_run:
            return
        opened = opener(model, static=static)
        base = f"{model} (static)" if static else model
        if pairs is not None:
            folder = out / "pairs"
            train(
                opened, stream_examples(pairs), material.validation, folder,
                base=model, loss=LossSettings("mnr"), settings=before, data={"pairs": str(pairs)},
            )  # fmt: skip
            opened = opener(str(folder))

        def run(out: Path, loss: LossSettings, settings: Settings) -> Trained:
            return train(
                opened, material.examples, material.validation, out,
                base=base, loss=loss, settings=settings, data=material.facts,
            )  # fmt: skip

        tried = run_all(run, out, loss, settings, axes=axes, seeds=seeds)
    if process() > 0:
        return
    if as_json:
        typer.echo(json.dumps([asdict(each) for each in tried], indent=1))
    elif not quiet:
        _show(tried)
    typer.echo(f"Model: {out} (a system: dense:{out})", err=True)


def _told(material: Material) -> str:
    count = sum(len(each.rephrasings) for each in material.examples)
    held = len({query.topic for query in material.validation.queries})
    return (
        f"{material.sources}\n{len(material.examples)} examples with {count} rephrasings and "
        f"{sum(len(each.negatives) for each in material.examples)} hard negatives. {held} queries "
        "are held out for validation."
    )


def _show(tried: Sequence[Tried]) -> None:
    """Print the scores of the untrained model and of each choice on the validation queries."""
    columns = ("nDCG@10", "RBO@5", "cosine")
    rows: list[tuple[str, Mapping[str, float], Mapping[str, float]]]
    rows = [("untrained", tried[0].start, {})]
    for each in tried:
        values = [f"{name}={value:g}" for name, value in each.values.items()]
        seeds = [f"{len(each.seeds)} seeds"] * (len(each.seeds) > 1)
        rows.append((" ".join(["trained", *values, *seeds]), each.mean, each.deviation))
    typer.echo(f"{'validation':<28}" + "".join(f"{name:>18}" for name in columns))
    for label, figures, spread in rows:
        cells = [
            f"{figures[name]:.3f}" + (f" ± {spread[name]:.3f}" if spread.get(name) else "")
            if name in figures else ""
            for name in columns
        ]  # fmt: skip
        typer.echo(f"{label:<28}" + "".join(f"{cell:>18}" for cell in cells))


@_with_settings(ReasonerSettings)
def reasoner(
    *,
    pairs: Sequence[str],
    size: Annotated[int, options.Bounds(2)] | None = None,
    documents: str = "",
    model: str = "Qwen/Qwen2.5-7B",
    out: Path = Path("leadline-reasoner"),
    preset: str = "paper",
    without_traces: bool = False,
    held_out: Annotated[float, options.Bounds(0, 0.5)] = 0.01,
    typed: Any = None,
    dry_run: bool = False,
    quiet: bool = False,
    as_json: bool = False,
) -> None:
    """Train a causal model with LoRA to reason about a passage, then answer true or false.

    The result is a reranker: leadline evaluate -s bm25+true_false:./my-model,reasoning=true

    Example: leadline train reasoner --pairs pairs.jsonl --model ./qwen --out my-model

    Options:
        pairs FILE: Judged pairs: lines with [bold]query[/bold], [bold]document[/bold],
            [bold]relevant[/bold] and [bold]trace[/bold]; or the published training data of Rank1,
            Promptriever or ReasonIR, as a file or [bold]OWNER/NAME[/bold] on the hub. Repeatable.
        size N: Draw this many pairs from each, half of them relevant.
        documents CORPUS: Documents that pairs name by id, such as BRIGHT's for ReasonIR.
        model MODEL: A causal model: a folder or a name on the hub.
        out DIR: Folder for the model. To continue a stopped run, repeat the command.
        preset NAME: Published settings: [bold]paper[/bold], [bold]released-code[/bold] or
            [bold]rank1[/bold]. Options override them.
        without_traces: Train on the answers only, without reasoning.
        held_out SHARE: Share of the queries to hold out. Their pairs are scored at every save.
    """
    from leadline.kinds.reasoning.pairs import open_pairs
    from leadline.training.settings import process, reasoner_settings

    settings = reasoner_settings(preset, **typed)
    sets = [open_pairs(each, documents) for each in pairs]
    found = [
        pair
        for each in sets
        for pair in (each if size is None else each.drawn(size, settings.seed))
    ]
    for each in sets:
        for reason, count in each.skipped.items():
            typer.echo(f"{each.source}: skipped {count:,}: {reason}", err=True)
    if not found:
        raise InputError(f"No pairs to train on are left in {', '.join(pairs)}.")
    if without_traces:
        found = [replace(pair, trace="") for pair in found]
    taught, held = _divided(found, held_out, settings.seed)
    if dry_run:
        typer.echo(f"{len(taught)} pairs to train on, {len(held)} held out.")
        return
    from leadline.training.reasoner import train_reasoner
    from leadline.training.runs import figures_of

    with progress.shown(quiet=quiet or process() > 0):
        done = train_reasoner(
            model, taught, held, out, settings=settings,
            data={"files": ", ".join(Path(each).name for each in pairs), "preset": preset},
        )  # fmt: skip
    if process() > 0:
        return
    if as_json:
        typer.echo(json.dumps(figures_of(done), indent=1))
    elif not quiet:
        typer.echo(f"{done.rows} pairs, {done.too_long} too long, {done.steps} steps")
        for name, value in done.end.items():
            typer.echo(f"held-out {name}: {value:.3f}")
    typer.echo(f"Model: {out} (a stage: true_false:{out},reasoning=true)", err=True)


def _divided(
    pairs: Sequence[JudgedPair], share: float, seed: int
) -> tuple[list[JudgedPair], list[JudgedPair]]:
    """Hold out a share of the queries with all their pairs, at least one if there are two."""
    queries = sorted({pair.query for pair in pairs})
    count = min(len(queries) - 1, max(1, round(share * len(queries)))) if share else 0
    held = set(random.Random(f"{seed} held out").sample(queries, count))
    return (
        [pair for pair in pairs if pair.query not in held],
        [pair for pair in pairs if pair.query in held],
    )
