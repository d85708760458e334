"""leadline search: show the results of a system for one query."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

import typer

from leadline import progress
from leadline.cli import options
from leadline.cli.language_models import with_models
from leadline.errors import InputError


@options.reads_corpus
@with_models
def search(
    corpus: str,
    query: str,
    *,
    system: str = "bm25",
    k: int = 10,
    chunks: str = "",
    reading: options.Reading = options.AS_IT_IS,
    quiet: bool = False,
    explain: bool = False,
    as_json: bool = False,
) -> None:
    """Search a corpus with a system.

    Example: leadline search my-notes/ "harbour dues paid in March" -s hybrid

    Options:
        query: The query.
        k: How many documents to show.
        explain: Show which words of each document match the query.
        as_json: Print JSON, one hit a line.
    """
    from leadline.cli.tables import print_failures, print_rows
    from leadline.systems.chains import load_system
    from leadline.types import Query

    if k < 1:
        raise InputError(f"k must be at least 1, got {k}.")
    loaded = load_system(system, depth=max(k, 100), chunks=chunks)
    with progress.shown(quiet=quiet or as_json):
        documents, _ = reading.read(corpus)
        asked = Query(id="query", text=query, topic="query")
        hits = list(loaded.run(documents, [asked]).run["query"].items())[:k]
        rows = [(rank, score, documents[id]) for rank, (id, score) in enumerate(hits, start=1)]
        found = [document for _, _, document in rows]
        told = loaded.explain(asked, found) if explain else {}
    print_failures([loaded])
    if as_json:
        for rank, score, document in rows:
            hit: dict[str, Any] = {"rank": rank, "score": score, "id": document.id}
            hit |= {"title": document.title, "text": document.text}
            if explain:
                hit["reasons"] = [asdict(each) for each in told[document.id]]
            typer.echo(json.dumps(hit, ensure_ascii=False))
    elif rows:
        print_rows(
            ["rank", "score", "id", "document"],
            [(str(rank), f"{score:.4f}", d.id, _snippet(d.content)) for rank, score, d in rows],
        )
        for rank, _, document in rows if explain else ():
            typer.echo(f"{rank}  {document.id}")
            print_rows(
                ["asked for", "verdict", "degree", "found"],
                [(r.asked, r.verdict, f"{r.degree:.2f}", r.found) for r in told[document.id]],
            )
    else:
        typer.echo("Nothing found.", err=True)


def _snippet(text: str, length: int = 200) -> str:
    line = " ".join(text.split())
    return line if len(line) <= length else line[:length].rsplit(" ", 1)[0] + " …"
