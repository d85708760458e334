"""leadline judge: a page on which you mark the results of your own queries."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import typer

from leadline import progress
from leadline.cli import options
from leadline.cli.language_models import with_models
from leadline.errors import InputError


@options.reads_corpus
@with_models
def judge(
    corpus: str,
    *,
    queries: Path,
    system: Sequence[str] = ("bm25",),
    chunks: str = "",
    out: Path = Path("judging.html"),
    qrels: Path | None = None,
    k: options.Count = 10,
    limit: int | None = None,
    reading: options.Reading = options.AS_IT_IS,
    seed: int = 0,
    quiet: bool = False,
) -> None:
    """Write a page on which you mark the first results of your systems as relevant or not.

    The page mixes the results of all systems, so that you cannot see which system found them. Open
    it in a browser, mark results with the keys 1, 2 and 3, and save qrels.tsv. It needs no server.

    Example: leadline judge my-notes/ --queries queries.txt -s bm25 -s minilm --out page.html

    Then: leadline check my-notes/ --queries queries.txt --qrels qrels.tsv -s bm25 -s minilm

    Options:
        queries FILE: Your queries: .jsonl with _id and text, .tsv or .csv with id and text, TREC
            topics, or .txt with one query a line.
        out FILE: Write the page here.
        qrels FILE: Judgements that you have already. The page starts with them.
        k N: Show the first N results of each system.
    """
    from leadline.checking import load_systems
    from leadline.data.folder import read_beir_qrels, read_queries
    from leadline.report.sheets import pooled, write_judging

    asked = list(read_queries(queries))[:limit]
    if not asked:
        raise InputError(f"{queries} has no queries.")
    judged = read_beir_qrels(qrels) if qrels is not None else {}
    with progress.shown(quiet=quiet):
        systems = load_systems(system, depth=k, chunks=chunks)
        documents, _ = reading.read(corpus, seed)
        runs = [each.run(documents, asked).run for each in systems]
        pool = pooled(runs, asked, k, seed)
        write_judging(out, documents, asked, pool, judged)
    count = sum(map(len, pool.values()))
    left = sum(id not in judged.get(query, {}) for query, ids in pool.items() for id in ids)
    typer.echo(
        f"{out}: {count:,} results of {len(asked):,} queries, {left:,} left to mark.", err=True
    )
