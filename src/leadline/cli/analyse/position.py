"""leadline analyse position: one condition moved through a document of filler."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from leadline.cli import options as shared

if TYPE_CHECKING:
    from leadline.analysis.position import Condition, PositionStudy
    from leadline.models.encoder import Embedder


def position(
    system: shared.Systems,
    data: Annotated[
        Path | None,
        typer.Option(
            metavar="PATH",
            help="Conditions to move: a [bold]ladders.jsonl[/bold], or a folder with one.",
        ),
    ] = None,
    condition: Annotated[
        str, typer.Option(metavar="TEXT", help="One condition of your own instead.")
    ] = "",
    query: Annotated[
        str, typer.Option(metavar="TEXT", help="The query for --condition; by default its text.")
    ] = "",
    places: Annotated[int, typer.Option(min=2, metavar="N", help="Places in the document.")] = 10,
    filler: Annotated[
        str, typer.Option(metavar="TEXT", help="What stands at the other places.")
    ] = "[unused0]",
    repeat: Annotated[
        int | None,
        typer.Option(
            min=1,
            metavar="N",
            help="How often the filler stands at a place. By default ten times, or as often as "
            "the encoder can read; with more, what it does not read is counted apart.",
        ),
    ] = None,
    limit: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Use the first N ladders.")
    ] = None,
    out: shared.Out = Path("leadline-position"),
    seed: shared.Seed = 0,
    quiet: shared.Quiet = False,
) -> None:
    """Show how similar a document is to a query, by where the sentence stands that answers it.

    Example: leadline analyse position -s minilm --data conditions_dev/
    """
    from leadline import progress
    from leadline.analysis.position import figures, study_position
    from leadline.data.writing import output_folder
    from leadline.pages.study import Study, write_study

    conditions = _conditions(data, condition, query, limit)
    folder = output_folder(out)
    with progress.shown(quiet=quiet):
        studies = [
            study_position(
                name, _encoder(name), conditions, places=places, filler=filler, repeat=repeat
            )
            for name in system
        ]
    sentences = [_told(each) for each in studies]
    page = write_study(
        folder,
        Study(
            name="position",
            title="Position of a condition",
            command=shlex.join(["leadline", *sys.argv[1:]]),
            facts={
                "conditions": str(len(conditions)),
                "filler": ", ".join(
                    f"{each.system}: {filler!r} x {each.repeat}" for each in studies
                ),
            },
            sentences=sentences,
            figures=figures(studies),
            numbers=[each.as_json() for each in studies],
        ),
    )
    if not quiet:
        typer.echo("\n".join(sentences))
    typer.echo(f"Study: {page}", err=True)


def _conditions(
    data: Path | None, condition: str, query: str, limit: int | None
) -> list[Condition]:
    from itertools import islice

    from leadline.analysis.position import Condition
    from leadline.errors import InputError
    from leadline.kinds.conditions.ladders import read_ladders

    if (data is None) == (not condition):
        raise InputError("Give --data with ladders of conditions, or one --condition.")
    if data is None:
        return [Condition(query or condition, condition, "")]
    path = data / "ladders.jsonl" if data.is_dir() else data
    return [
        Condition(asked, sentence, record.id)
        for record in islice(read_ladders(path), limit)
        for asked, sentence in zip(record.short, record.conditions, strict=True)
    ]


def _encoder(name: str) -> Embedder:
    from leadline.errors import InputError
    from leadline.models.encoder import Embedder
    from leadline.systems.chains import load_system

    system = load_system(name)
    encoder: object = system.retriever
    if system.rerankers or not isinstance(encoder, Embedder):
        raise InputError(f"{name}: a position study needs one dense encoder, such as minilm.")
    return encoder


def _told(study: PositionStudy) -> str:
    """Return where the curve is highest and lowest, in a sentence."""
    known = [(each.mean, place) for place, each in enumerate(study.curve(), 1) if each]
    if not known:
        return f"{study.system}: no place is read."
    high, low = max(known), min(known)
    return (
        f"{study.system}: similarity is highest with the condition at place {high[1]} "
        f"({high[0]:.3f}), lowest at place {low[1]} ({low[0]:.3f}), smoothed."
    )
