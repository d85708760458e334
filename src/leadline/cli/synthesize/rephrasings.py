"""leadline synthesize rephrasings: queries with equivalents of each."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from leadline.cli import options
from leadline.cli.synthesize.models import with_writers

if TYPE_CHECKING:
    from leadline.benchmark import Benchmark
    from leadline.llm.pipeline.models import Models
    from leadline.synthesis.rephrasings.by_llm import Similarity
    from leadline.types import Corpus


@options.reads_corpus
@with_writers
def synthesize(
    corpus: Annotated[
        str,
        typer.Argument(
            metavar="CORPUS",
            help="The documents that are searched. Without them --queries alone are rephrased, "
            "into query_variations.jsonl.",
        ),
    ] = "",
    queries: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Your own queries, in any format of [bold]check[/bold]; without them, titles "
            "and salient sentences of the documents.",
        ),
    ] = None,
    qrels: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Judgements of your queries.")
    ] = None,
    count: Annotated[
        int,
        typer.Option(min=1, metavar="N", help="Rephrasings of a query by a language model."),
    ] = 10,
    encoder: Annotated[
        str,
        typer.Option(
            metavar="MODEL",
            help="Also drop rephrasings of the language model that this "
            "encoder, such as [bold]minilm[/bold], finds far from their query.",
        ),
    ] = "",
    threshold: Annotated[
        float, typer.Option(metavar="COSINE", help="How close they must be, for --encoder.")
    ] = 0.6,
    review: Annotated[
        bool,
        typer.Option(
            "--review",
            help="Also write review.csv: 100 queries with their rephrasings, "
            "and columns for readers to fill in.",
        ),
    ] = False,
    limit: Annotated[int, typer.Option(min=1, metavar="N", help="Most queries.")] = 200,
    reading: options.Reading = options.AS_IT_IS,
    out: options.Out = Path("leadline-out"),
    seed: options.Seed = 0,
    dry_run: options.DryRun = False,
    quiet: options.Quiet = False,
    models: Models | None = None,
) -> None:
    """Build queries with equivalents of each: by rules, or with --llm in seven styles.

    A second model (--verify-model) drops what is not equivalent; the share is told.

    Example: leadline synthesize rephrasings my-corpus/ --out rephrasings/

    Queries alone: leadline synthesize rephrasings --queries my-queries.jsonl --out variations/

    By a model: leadline synthesize rephrasings my-corpus/ --llm URL --llm-model NAME

    Then: leadline evaluate -s bm25 -b rephrasings/

    Or: leadline train retriever --data rephrasings/ --split test
    """  # fmt: skip
    from leadline import progress
    from leadline.benchmarks.folder import write
    from leadline.errors import InputError
    from leadline.files.folder import read_beir_qrels, read_queries
    from leadline.files.variations import FILE as VARIATIONS
    from leadline.files.variations import write_variations
    from leadline.files.writing import output_folder
    from leadline.synthesis.rephrasings import by_rules
    from leadline.synthesis.rephrasings.review import write_sheet

    if qrels is not None and queries is None:
        raise InputError("--qrels judges your own queries: give them with --queries FILE.")
    if not corpus and queries is None:
        raise InputError("Name the documents (CORPUS), or queries to rephrase with --queries FILE.")
    asked = read_queries(queries) if queries else ()
    judged = read_beir_qrels(qrels) if qrels else None
    documents: Corpus = {}
    with progress.shown(quiet=quiet):
        if corpus:
            documents, judged = reading.read(corpus, seed, asked, judged)
        made = by_rules.build(
            documents, queries=asked, qrels=judged,
            seed=seed, limit=limit, source=corpus or str(queries),
        )  # fmt: skip
        if not made.queries:
            source = corpus or queries
            raise InputError(f"{source} gives no queries: {made.built.get('dropped')}.")
        if models is not None:
            found = _by_llm(made, models, out, count, encoder, threshold, seed, dry_run=dry_run)
            made = found or made
        if dry_run:
            typer.echo(f"Would write queries with their rephrasings to {out}.")
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


def _by_llm(
    base: Benchmark,
    models: Models,
    out: Path,
    count: int,
    encoder: str,
    threshold: float,
    seed: int,
    *,
    dry_run: bool,
) -> Benchmark | None:
    """Return the benchmark with rephrasings of a language model; None in a dry run."""
    from leadline.files.writing import output_folder
    from leadline.llm.pipeline.log import LogFile
    from leadline.llm.run_record import RunRecord
    from leadline.metrics.topics import is_original
    from leadline.synthesis.rephrasings.by_llm import as_benchmark, rephrase

    originals = [query for query in base.queries if is_original(query)]
    given: dict[str, Any] = {"seed": seed, "count": count}
    if dry_run:
        rephrase(originals, models, RunRecord("dry run"), **given)
        return None
    if models.writer is models.verifier:
        typer.echo("The writer judges its own rephrasings; --verify-model names another.", err=True)
    given |= {"similarity": _similarity(encoder) if encoder else None, "threshold": threshold}
    how = {"seed": seed, "writer": models.writer.name, "verifier": models.verifier.name}
    folder = output_folder(out)
    into = RunRecord("rephrasings", how)
    with into.kept_in(folder), LogFile.open_in(folder) as log:
        built = rephrase(originals, models, into, log=log, **given)
    typer.echo(
        f"{built.kept} of {built.written} rephrasings are equivalent "
        f"({built.reject_rate:.1%} rejected).",
        err=True,
    )
    told = {"encoder": encoder, "threshold": threshold} if encoder else {}
    return as_benchmark(base, built, models, seed=seed, count=count, **told)


def _similarity(name: str) -> Similarity:
    from leadline.models.embedder import embed
    from leadline.systems.chains import encoder_named

    encoder = encoder_named(name)

    def cosines(query: str, others: Sequence[str]) -> list[float]:
        vectors = embed(encoder, [query, *others], "query")
        return [float(value) for value in vectors[1:] @ vectors[0]]

    return cosines
