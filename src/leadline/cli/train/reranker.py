"""leadline train reranker: a small cross-encoder for your documents."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from leadline.cli import options as shared
from leadline.cli.train import options

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from leadline.preparing import Choices
    from leadline.types import TrainingExample


def reranker(
    data: options.Folders = [],  # noqa: B006  (typer copies it)
    groups: Annotated[
        Path | None,
        typer.Option(
            "--pairs",
            metavar="FILE",
            help="Groups as they are: lines with [bold]query[/bold], [bold]positive[/bold] and "
            "[bold]negatives[/bold], instead of --data.",
        ),
    ] = None,
    model: Annotated[
        str,
        typer.Option(
            metavar="MODEL",
            help="Whose weights to begin with: [bold]minilm[/bold], a folder, a name on the hub.",
        ),
    ] = "minilm",
    loss: Annotated[
        str,
        typer.Option(
            metavar="LOSS",
            help="[bold]listwise[/bold] compares the documents of a query with each other; "
            "[bold]binary[/bold] judges each by itself; [bold]distilled[/bold] learns what "
            "--teacher says of them.",
        ),
    ] = "listwise",
    teacher: Annotated[
        str,
        typer.Option(
            metavar="SYSTEM",
            help="Learn from the scores of this system: [bold]hybrid[/bold], "
            "[bold]cross_encoder:FOLDER[/bold] of a larger model. Sets --loss distilled.",
            rich_help_panel="Data",
        ),
    ] = "",
    out: options.Out = Path("leadline-reranker"),
    negatives: options.Negatives = 7,
    random_negatives: Annotated[
        int,
        typer.Option(
            min=0,
            metavar="N",
            help="Other documents of the folder for each query, beside the hard negatives: without "
            "them a model that has never judged pairs learns slowly.",
            rich_help_panel="Data",
        ),
    ] = 0,
    negative_margin: options.NegativeMargin = 0.05,
    miner: options.Miner = "bm25",
    split: options.Split = "",
    limit: Annotated[
        int,
        typer.Option(min=2, metavar="N", help="Most queries of a folder.", rich_help_panel="Data"),
    ] = 2000,
    learning_rate: options.LearningRate = 3e-5,
    batch_size: options.BatchSize = 8,
    epochs: options.Epochs = 1,
    steps: options.Steps = None,
    warmup: options.Warmup = 0.1,
    patience: options.Patience = 5,
    evaluations: options.Evaluations = 10,
    precision: options.Precision = "float32",
    max_length: options.MaxLength = None,
    tensorboard: options.Tensorboard = False,
    seed: shared.Seed = 0,
    dry_run: shared.DryRun = False,
    quiet: shared.Quiet = False,
    as_json: shared.Json = False,
) -> None:
    """Train a cross-encoder on queries, their documents and hard negatives.

    The folder that comes out is a stage: leadline evaluate -s hybrid+cross_encoder:./my-reranker

    Example: leadline train reranker --model minilm --data my-corpus/ --out my-reranker
    """
    from typing import cast, get_args

    from leadline import progress
    from leadline.errors import unknown
    from leadline.preparing import Choices, divided, weights_of
    from leadline.systems.chains import load_system
    from leadline.training.reranker import RerankerLoss, train_reranker
    from leadline.training.settings import Settings, process
    from leadline.training.teacher import scored

    if loss not in get_args(RerankerLoss):
        raise unknown("loss", loss, get_args(RerankerLoss))
    settings = Settings(
        learning_rate=learning_rate, batch_size=batch_size, epochs=epochs, steps=steps,
        warmup=warmup, patience=patience, evaluations=evaluations, precision=precision,
        max_length=max_length, seed=seed, tensorboard=tensorboard,
    )  # fmt: skip
    with progress.shown(quiet=quiet or process() > 0):
        choices = Choices(limit=limit, negatives=negatives, margin=negative_margin, split=split,
                          easy=random_negatives, seed=seed)  # fmt: skip
        examples, facts = _groups(data, groups, miner, choices)
        held, taught = divided(examples, seed)
        if dry_run:
            typer.echo(f"{len(taught)} groups to train on, {len(held)} held out.")
            return
        if teacher:
            loss, taught = "distilled", scored(taught, load_system(teacher))
            facts = {**facts, "teacher": teacher}
        done = train_reranker(
            weights_of(model), taught, held, out, loss=cast(RerankerLoss, loss), settings=settings,
            data=facts,
        )  # fmt: skip
    if process() > 0:
        return
    if as_json:
        told = {key: value for key, value in dataclasses.asdict(done).items() if key != "folder"}
        typer.echo(json.dumps(told, indent=1))
    elif not quiet:
        typer.echo(f"nDCG@10 of held-out groups: untrained {done.start['nDCG@10']:.3f}, "
                   f"trained {done.end['nDCG@10']:.3f}")  # fmt: skip
    typer.echo(f"Model: {out} (a stage: cross_encoder:{out})", err=True)


def _groups(
    data: Sequence[str],
    file: Path | None,
    miner: str,
    choices: Choices,
) -> tuple[list[TrainingExample], Mapping[str, Any]]:
    """Return groups from a file, or mined from folders."""
    from leadline import progress
    from leadline.data.training import read_examples
    from leadline.errors import InputError
    from leadline.preparing import prepare
    from leadline.systems.chains import load_system

    if (file is None) == (not data):
        raise InputError("Give either --data FOLDER or --pairs FILE to train on.")
    if file is not None:
        return list(read_examples(file)), {"groups of": file.name}
    found = load_system(miner, depth=choices.depth)
    if found.retriever is None or found.rerankers:
        raise InputError(f"--miner {miner}: hard negatives are mined by a first stage alone.")
    material = prepare(data, found.retriever, choices)
    progress.say(material.sources)
    return list(material.examples), material.facts
