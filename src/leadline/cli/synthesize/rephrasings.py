"""leadline synthesize rephrasings: queries, each with other forms of the same need."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from leadline import progress
from leadline.cli import options
from leadline.cli.language_models import built, with_writers
from leadline.errors import InputError

if TYPE_CHECKING:
    from leadline.types import Corpus


@options.reads_corpus
@with_writers
def synthesize(
    corpus: str = "",
    *,
    queries: Path | None = None,
    qrels: Path | None = None,
    review: bool = False,
    limit: options.Count = 200,
    reading: options.Reading = options.AS_IT_IS,
    out: Path = Path("leadline-out"),
    seed: int = 0,
    dry_run: bool = False,
    quiet: bool = False,
    models: Any = None,
) -> None:
    """Build queries, each with other forms of it: by rules, or with --llm by a language model.

    A second model (--verify-model) finds forms that ask for something else. They are dropped.

    Example: leadline synthesize rephrasings my-corpus/ --out rephrasings/

    Queries alone: leadline synthesize rephrasings --queries my-queries.jsonl --out variations/

    By a model: leadline synthesize rephrasings my-corpus/ --llm URL --llm-model NAME

    Then: leadline evaluate -s bm25 -b rephrasings/

    Or: leadline train retriever --data rephrasings/ --split test

    Options:
        corpus: The documents to search. Without CORPUS, only the queries of --queries are
            rephrased,
            into query_variations.jsonl.
        queries FILE: Your own queries, in any format of [bold]leadline check[/bold]. Default:
            titles and phrases of the documents, or with --llm queries that the model writes.
        qrels FILE: Judgements of your queries.
        review: Also write review.csv: 100 queries with their rephrasings, and columns for readers
            to fill in.
        limit N: Use at most N queries.
    """
    from leadline.data.folder import read_beir_qrels, read_queries
    from leadline.data.writing import output_folder
    from leadline.kinds.benchmark_folder import write
    from leadline.kinds.rephrasings import by_model, by_rules
    from leadline.kinds.rephrasings.variations import FILE as VARIATIONS
    from leadline.kinds.rephrasings.variations import write_sheet, write_variations

    if qrels is not None and queries is None:
        raise InputError("--qrels needs your own queries. Give them with --queries FILE.")
    if not corpus and queries is None:
        raise InputError("Give documents (CORPUS), or queries to rephrase (--queries FILE).")
    asked = read_queries(queries) if queries else ()
    judged = read_beir_qrels(qrels) if qrels else None
    documents: Corpus = {}
    with progress.shown(quiet=quiet):
        if corpus:
            documents, judged = reading.read(corpus, seed, asked, judged)
        given: dict[str, Any] = {
            "queries": asked, "qrels": judged, "seed": seed, "limit": limit,
            "source": corpus or str(queries),
        }  # fmt: skip
        build: Any = by_rules.build if models is None else by_model.build
        made = built("rephrasings", build, documents, models, out, dry_run=dry_run, **given)
        if made is None:
            return
        if corpus:
            write(output_folder(out), made)
        else:
            write_variations(output_folder(out) / VARIATIONS, made.queries)
        if review:
            write_sheet(out / "review.csv", made.queries, seed=seed)
    topics = {query.topic for query in made.queries}
    if not quiet:
        typer.echo(f"{len(topics)} queries with {len(made.queries) - len(topics)} rephrasings")
    told = f"Benchmark: {out} (leadline evaluate -b {out})"
    if not corpus:
        told = (
            f"Variations: {out / VARIATIONS} (leadline evaluate "
            f'-b "rephrasings/NAME:variants={out / VARIATIONS}" --data FOLDER-WITH-THESE-QUERIES; '
            f"leadline train retriever --data THAT-FOLDER --variations {out / VARIATIONS})"
        )
    typer.echo(told, err=True)
