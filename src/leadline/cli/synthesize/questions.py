"""leadline synthesize questions: natural queries, and the documents that answer them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import typer

from leadline import progress
from leadline.cli import options
from leadline.cli.language_models import built, with_writers
from leadline.errors import InputError


@options.reads_corpus
@with_writers
def synthesize(
    corpus: str,
    *,
    limit: options.Count = 200,
    reading: options.Reading = options.AS_IT_IS,
    out: Path = Path("leadline-out"),
    seed: int = 0,
    dry_run: bool = False,
    quiet: bool = False,
    models: Any = None,
) -> None:
    """Build natural queries and the documents that answer them, with a language model.

    The model writes one query for each document. Several searches then collect candidates, and a
    second model (--verify-model) judges which of them answer the query.

    Example: leadline synthesize questions my-corpus/ --llm URL --llm-model NAME --out questions/

    Then: leadline evaluate -s bm25 -b questions/

    Options:
        corpus: The documents.
        limit N: Write at most N queries.
    """
    from leadline.kinds.benchmark_folder import write
    from leadline.kinds.questions.by_model import build

    if models is None:
        raise InputError("A language model writes the questions. Give --llm URL --llm-model NAME.")
    with progress.shown(quiet=quiet):
        documents, _ = reading.read(corpus, seed)
        made = built(
            "questions", build, documents, models, out,
            dry_run=dry_run, seed=seed, limit=limit, source=corpus,
        )  # fmt: skip
        if made is None:
            return
        write(out, made)
    if not quiet:
        relevant = sum(map(len, made.qrels.values()))
        typer.echo(f"{len(made.queries)} queries with {relevant} relevant documents")
    typer.echo(f"Benchmark: {out} (leadline evaluate -b {out})", err=True)
