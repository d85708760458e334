"""leadline export: write a probe as a complete BEIR folder."""

from __future__ import annotations

from pathlib import Path

import typer


def export(
    folder: Path,
    *,
    out: Path,
) -> None:
    """Write a probe as a complete BEIR folder, for other tools.

    [bold]leadline check[/bold] does not copy a corpus of more than 16 MiB. Its probes refer to the
    corpus file instead. Leadline follows that reference, but other tools cannot.

    Example: leadline export leadline-out/rephrasings --out rephrasings/

    Options:
        folder: A benchmark folder, or an output folder of [bold]leadline check[/bold].
        out DIR: Write the folder here.
    """
    from leadline.data.folder import read_folder, write_folder
    from leadline.data.writing import output_folder
    from leadline.kinds.benchmark_folder import folders_in

    for each in folders_in(folder):
        content = read_folder(each)
        to = out if each == folder else out / each.name
        write_folder(output_folder(to), content)
        typer.echo(
            f"{to}: {len(content.corpus):,} documents, {len(content.queries):,} queries.", err=True
        )
