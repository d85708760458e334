"""leadline export: a probe that refers to its corpus, as a whole BEIR folder."""

from __future__ import annotations

from pathlib import Path

import typer


def export(
    folder: Path,
    *,
    out: Path,
) -> None:
    """Write a probe as a BEIR folder that holds its corpus, for other tools.

    [bold]leadline check[/bold] does not copy a corpus of more than 16 MiB in JSON lines: its probes
    refer to the file, which Leadline follows and other tools do not.

    Example: leadline export leadline-out/rephrasings --out rephrasings/

    Options:
        folder: A benchmark folder, or an output folder of [bold]leadline check[/bold] with several.
        out DIR: Where the folder is written.
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
