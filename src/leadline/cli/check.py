"""leadline check: the main job."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Literal

import typer

from leadline import progress
from leadline.benchmark import Benchmark
from leadline.cli import options
from leadline.cli.language_models import plan, with_writers
from leadline.types import Corpus, Qrels, Query


@options.reads_corpus
@with_writers
def check(
    corpus: str,
    *,
    system: Sequence[str] = ("bm25",),
    queries: Path | None = None,
    qrels: Path | None = None,
    probe: Sequence[str] = (),
    chunks: str = "",
    kind: Sequence[Path] = (),
    reading: options.Reading = options.AS_IT_IS,
    out: Path = Path("leadline-out"),
    limit: int | None = None,
    seed: int = 0,
    compress_runs: bool = False,
    by: Literal["model", "rules"] = "model",
    no_reference: bool = False,
    dry_run: bool = False,
    quiet: bool = False,
    as_json: bool = False,
    models: Any = None,
) -> None:
    """Build tests from your documents, run search systems on them, and write a report.

    Without --llm rules build the tests. With --llm MODEL a language model writes conditions,
    questions and rephrasings, and reads them back; what does not pass is left out:

    [bold]rephrasings[/bold]: equivalent forms of a query must bring the same documents.

    [bold]conditions[/bold]: a document that breaks one condition of a query must not score as
    high as the one that meets them all. Needs a system that can be given edited documents.

    [bold]position[/bold]: a document must be found by what stands in its middle and at its end.

    Any search can be asked rephrasings and position. A search over an index of its own is asked
    neighbours in place of conditions: the document that meets all conditions must come before
    real ones.

    [bold]instructions[/bold]: a version of a document must rise or fall as an instruction says.
    Only on request. Needs a system that can be given edited documents.

    [bold]implicit-facts[/bold]: a document that only implies the date, amount or place asked for
    must be found. Only on request, and only with --llm.

    Example: leadline check my-notes/ -s bm25 -s minilm

    Or: leadline check my-notes/ -s bm25 --llm URL --llm-model NAME --dry-run

    Options:
        corpus: A folder of texts (.md, .html, .pdf ...), a .jsonl[.gz], .csv, .tsv or .parquet file
            with a field [bold]text[/bold], a BEIR folder, or a .zip of one.
        queries FILE: Your own queries: .jsonl with _id and text, .tsv or .csv with id and text,
            TREC topics, or .txt with one a line; without them those of a BEIR folder, or else short
            ones made from titles and phrases.
        qrels FILE: Judgements of those queries, as BEIR's test.tsv or TREC qrels; a query without
            any is skipped and counted.
        probe PROBE: Build only this probe. Repeatable; see [bold]leadline list kinds[/bold].
        by: Who builds the tests where [bold]--llm[/bold] names a model: the model, or rules whose
            conditions the model reads.
    """
    from leadline import checking

    options.add_kinds(kind)
    limit = checking.LIMIT if limit is None else limit
    writes = models is not None and by == "model"
    probe = probe or checking.default_probes(written=writes)
    asked, judgements = own_queries(corpus, queries, qrels)
    if dry_run:
        with progress.shown(quiet=quiet):
            documents, judgements = reading.read(corpus, seed, asked, judgements)
            systems = checking.load_systems(system, chunks=chunks)
        names = [each.name for each in systems]
        typer.echo(
            f"{corpus}: {len(documents)} documents. Would build {' and '.join(probe)} with at "
            f"most {limit} topics each, run {' and '.join(names)}, and write {out}/report.html. "
            "Estimated calls of language models are shown below. Without them it costs nothing."
        )
        made = _probes(
            documents, probe, queries=asked, qrels=judgements, limit=limit, seed=seed,
            models=models, by=by,
        )  # fmt: skip
        plan(systems, list(made) if models else made, None)
        return
    with progress.shown(quiet=quiet):
        outcome = checking.check(
            corpus,
            checking.load_systems(system, chunks=chunks),
            queries=asked,
            qrels=judgements,
            probes=probe,
            **asdict(reading),
            out=out,
            limit=limit,
            seed=seed,
            compress_runs=compress_runs,
            llm=models,
            by=by,
            reference=not no_reference,
            command=options.command_line(),
        )
    options.show_outcome(outcome, out / "report.html", quiet=quiet, as_json=as_json)


def _probes(documents: Corpus, probes: Sequence[str], **options: Any) -> Iterator[Benchmark]:
    """Build the probes only when somebody asks for them."""
    from leadline import checking

    yield from (
        made for made in checking.build_probes(documents, probes, **options) if made.queries
    )


def own_queries(
    corpus: str, queries: Path | None, qrels: Path | None
) -> tuple[Sequence[Query], Qrels | None]:
    """Read the user's own queries and judgements: given ones, else those beside the corpus."""
    from leadline.checking import own_queries
    from leadline.data.folder import read_beir_qrels, read_queries

    given = read_queries(queries) if queries is not None else ()
    return own_queries(corpus, given, read_beir_qrels(qrels) if qrels is not None else None)
