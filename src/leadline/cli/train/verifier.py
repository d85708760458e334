"""leadline train verifier: the small network of `by_condition`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from leadline.cli import options as shared


def verifier(
    data: Annotated[
        list[str] | None,
        typer.Option(
            metavar="BENCHMARK",
            help="More to learn from: a benchmark folder of kind conditions, or a folder with "
            "ladders.jsonl. Repeat for several. Never what you test on.",
        ),
    ] = None,
    out: Annotated[Path, typer.Option(metavar="DIR", help="Folder for verifier.npz.")] = Path(
        "leadline-verifier"
    ),
    epochs: Annotated[int, typer.Option(min=1, help="How often over the pairs.")] = 6,
    seed: shared.Seed = 0,
    quiet: shared.Quiet = False,
) -> None:
    """Train the network that tells a sentence which meets a condition from one that nearly does.

    Example: leadline train verifier --data rule-built/conditions --out my-verifier
    """
    from leadline import progress
    from leadline.data.writing import output_folder
    from leadline.systems.benchmarks import load_benchmarks
    from leadline.training.verifier import (
        VerifierSettings,
        pairs_of,
        read_pairs,
        train_verifier,
    )

    pairs = read_pairs()
    for folder in data or ():
        ladders = (Path(folder) / "ladders.jsonl").is_file()
        parts = load_benchmarks("conditions", folder) if ladders else load_benchmarks(folder)
        pairs += [pair for part in parts for pair in pairs_of(part)]
    with progress.shown(quiet=quiet):
        head = train_verifier(pairs, VerifierSettings(epochs=epochs, seed=seed))
    path = output_folder(out) / "verifier.npz"
    head.save(path)
    typer.echo(
        f"Learned from {len(pairs)} pairs: {path}. Use it: hybrid+by_condition:weights={path}",
        err=True,
    )
