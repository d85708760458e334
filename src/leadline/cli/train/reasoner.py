"""leadline train reasoner: a reranker that reasons before it judges."""

from __future__ import annotations

import dataclasses
import json
import random
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from leadline.cli import options as shared
from leadline.cli.train import options

if TYPE_CHECKING:
    from collections.abc import Sequence

    from leadline.kinds.reasoning.pairs import JudgedPair

_LORA, _HARDWARE, _OPTIMISATION = "LoRA", "Hardware", "Optimisation"


def reasoner(
    pairs: Annotated[
        list[str],
        typer.Option(
            metavar="FILE",
            help="Judged pairs: lines with [bold]query[/bold], [bold]document[/bold], "
            "[bold]relevant[/bold] and [bold]trace[/bold]; or Rank1, Promptriever or ReasonIR as "
            "published, a file or [bold]OWNER/NAME[/bold] on the hub. Repeat for several.",
        ),
    ],
    size: Annotated[
        int | None,
        typer.Option(
            min=2, metavar="N", help="So many pairs of each, half of them relevant, by the seed."
        ),
    ] = None,
    documents: Annotated[
        str,
        typer.Option(
            metavar="CORPUS",
            help="Documents that pairs name by id, such as BRIGHT's for ReasonIR.",
        ),
    ] = "",
    model: Annotated[
        str, typer.Option(metavar="MODEL", help="A causal model: a folder or a name on the hub.")
    ] = "Qwen/Qwen2.5-7B",
    out: options.Out = Path("leadline-reasoner"),
    preset: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="Published settings: [bold]paper[/bold], "
            "[bold]released-code[/bold] or [bold]rank1[/bold]. Options go first.",
        ),
    ] = "paper",
    without_traces: Annotated[
        bool, typer.Option("--without-traces", help="Learn the answers alone.")
    ] = False,
    held_out: Annotated[
        float,
        typer.Option(
            min=0,
            max=0.5,
            metavar="SHARE",
            help="Share of the queries whose pairs are judged at every save, not learnt.",
        ),
    ] = 0.01,
    learning_rate: Annotated[
        float | None, typer.Option(metavar="R", rich_help_panel=_OPTIMISATION)
    ] = None,
    batch_size: Annotated[
        int | None,
        typer.Option(
            min=1, metavar="N", help="Pairs on a device at a time.", rich_help_panel=_OPTIMISATION
        ),
    ] = None,
    accumulation: Annotated[
        int | None,
        typer.Option(
            min=1, metavar="N", help="Such batches to a step.", rich_help_panel=_OPTIMISATION
        ),
    ] = None,
    epochs: Annotated[
        float | None, typer.Option(metavar="N", rich_help_panel=_OPTIMISATION)
    ] = None,
    steps: options.Steps = None,
    rank: Annotated[int | None, typer.Option(min=1, metavar="N", rich_help_panel=_LORA)] = None,
    alpha: Annotated[int | None, typer.Option(min=1, metavar="N", rich_help_panel=_LORA)] = None,
    embeddings: Annotated[
        str | None,
        typer.Option(
            metavar="WHAT",
            help="Beside LoRA, train both embedding matrices [bold]whole[/bold], as the released "
            "code does, or only the rows of [bold]added[/bold] tokens, with less memory.",
            rich_help_panel=_LORA,
        ),
    ] = None,
    evaluations: Annotated[
        int | None,
        typer.Option(
            min=1,
            metavar="N",
            help="Save and judge so often in a run.",
            rich_help_panel=_OPTIMISATION,
        ),
    ] = None,
    trace_tokens: Annotated[
        int | None,
        typer.Option(
            min=1,
            metavar="N",
            help="Reasoning at most, when held-out pairs are judged.",
            rich_help_panel=_OPTIMISATION,
        ),
    ] = None,
    max_length: options.MaxLength = None,
    precision: options.Precision = "bfloat16",
    four_bit: Annotated[
        bool,
        typer.Option(
            "--four-bit",
            help="Keep the frozen weights in 4 bits (needs bitsandbytes and a GPU).",
            rich_help_panel=_HARDWARE,
        ),
    ] = False,
    packing: Annotated[
        bool,
        typer.Option(
            "--packing",
            help="Several pairs in a row (needs flash attention).",
            rich_help_panel=_HARDWARE,
        ),
    ] = False,
    seed: Annotated[int | None, typer.Option(metavar="N")] = None,
    dry_run: shared.DryRun = False,
    quiet: shared.Quiet = False,
    as_json: shared.Json = False,
) -> None:
    """Train a causal model with LoRA to reason about a passage, then say true or false.

    What comes out is a stage: leadline evaluate -s bm25+true_false:./my-model,reasoning=true

    Example: leadline train reasoner --pairs pairs.jsonl --model ./qwen --out my-model
    """  # fmt: skip
    from leadline import progress
    from leadline.errors import InputError
    from leadline.kinds.reasoning.pairs import open_pairs
    from leadline.training.reasoner_settings import preset as preset_of
    from leadline.training.settings import process, processes

    settings = preset_of(
        preset, processes=processes(), learning_rate=learning_rate, batch_size=batch_size,
        accumulation=accumulation, epochs=epochs, steps=steps, rank=rank, alpha=alpha,
        embeddings=embeddings, evaluations=evaluations,
        trace_tokens=trace_tokens, max_length=max_length, precision=precision,
        four_bit=four_bit, packing=packing, seed=seed,
    )  # fmt: skip
    sets = [open_pairs(each, documents) for each in pairs]
    found = [
        pair
        for each in sets
        for pair in (each if size is None else each.drawn(size, settings.seed))
    ]
    for each in sets:
        for reason, count in each.skipped.items():
            typer.echo(f"{each.source}: passed over {count:,}: {reason}", err=True)
    if not found:
        raise InputError(f"Nothing is left of {', '.join(pairs)} to train on.")
    if without_traces:
        found = [dataclasses.replace(pair, trace="") for pair in found]
    taught, held = _divided(found, held_out, settings.seed)
    if dry_run:
        typer.echo(f"{len(taught)} pairs to train on, {len(held)} held out.")
        return
    from leadline.training.reasoner import train_reasoner

    with progress.shown(quiet=quiet or process() > 0):
        done = train_reasoner(
            model, taught, held, out, settings=settings,
            data={"files": ", ".join(Path(each).name for each in pairs), "preset": preset},
        )  # fmt: skip
    if process() > 0:
        return
    if as_json:
        told = {key: value for key, value in dataclasses.asdict(done).items() if key != "folder"}
        typer.echo(json.dumps(told, indent=1))
    elif not quiet:
        typer.echo(f"{done.rows} pairs, {done.too_long} too long, {done.steps} steps")
        for name, value in done.end.items():
            typer.echo(f"held-out {name}: {value:.3f}")
    typer.echo(f"Model: {out} (a stage: true_false:{out},reasoning=true)", err=True)


def _divided(
    pairs: Sequence[JudgedPair], share: float, seed: int
) -> tuple[list[JudgedPair], list[JudgedPair]]:
    """Hold out a share of the queries, with all their pairs; at least one of two or more."""
    queries = sorted({pair.query for pair in pairs})
    count = min(len(queries) - 1, max(1, round(share * len(queries)))) if share else 0
    held = set(random.Random(f"{seed} held out").sample(queries, count))
    return (
        [pair for pair in pairs if pair.query not in held],
        [pair for pair in pairs if pair.query in held],
    )
