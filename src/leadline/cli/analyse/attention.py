"""leadline analyse attention: where a cross-encoder looks in one pair."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import Annotated

import typer

from leadline.cli import options as shared


def attention(
    model: Annotated[
        str,
        typer.Argument(metavar="MODEL", help="A cross-encoder: a folder, or a name on the hub."),
    ],
    query: Annotated[str, typer.Option(metavar="TEXT", help="What is asked.")],
    document: Annotated[str, typer.Option(metavar="TEXT", help="What the model reads beside it.")],
    out: shared.Out = Path("leadline-attention"),
    quiet: shared.Quiet = False,
) -> None:
    """Show the attention of a cross-encoder between the words of a query and of a document.

    Example: leadline analyse attention ./my-reranker --query "old mills" --document "The mill ..."
    """
    from leadline.analysis.attention import attention as read_attention
    from leadline.analysis.attention import heat_maps, load_attentive
    from leadline.data.writing import output_folder
    from leadline.report.sheets import Study, write_study

    found = read_attention(load_attentive(model), query, document)
    direction, _ = found.shown
    pairs = ", ".join(f"{word} / {other} {value:.3f}" for word, other, value in found.strongest())
    sentences = [
        f"The model gives {found.score:.3f}. Most attention, {direction}: {pairs}.",
        *(["The end of the document is cut: the model does not read it."] if found.cut else []),
    ]
    page = write_study(
        output_folder(out),
        Study(
            name="attention",
            title="Attention between query and document",
            command=shlex.join(["leadline", *sys.argv[1:]]),
            facts={"model": model, "query": query, "document": document},
            sentences=sentences,
            figures=heat_maps(found),
            numbers=found.as_json(),
        ),
    )
    if not quiet:
        typer.echo("\n".join(sentences))
    typer.echo(f"Study: {page}", err=True)
