"""leadline check: test search systems on your own documents."""

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

    Rules build the tests. With --llm MODEL a language model writes conditions, questions and
    rephrasings instead. It then reads them back, and tests that it answers wrongly are dropped.

    [bold]rephrasings[/bold]: equivalent forms of a query should find the same documents.

    [bold]conditions[/bold]: a document that breaks one condition of a query should score lower
    than the one that meets them all. The system must be able to index edited documents.

    [bold]position[/bold]: a query about the middle or the end of a document should find it.

    [bold]neighbours[/bold]: for a system with a fixed index of its own, instead of conditions. The
    document that meets all conditions should rank above the other real documents.

    [bold]instructions[/bold]: an instruction should move a matching version of a document up, and
    its reverse should move it down. Only with --probe. The system must index edited documents.

    [bold]implicit-facts[/bold]: a document that only implies the requested date, amount or place
    should be found. Only with --probe, and only with --llm.

    Example: leadline check my-notes/ -s bm25 -s minilm

    Or: leadline check my-notes/ -s bm25 --llm URL --llm-model NAME --dry-run

    Options:
        corpus: A folder of texts (.md, .html, .pdf ...), a .jsonl[.gz], .csv, .tsv or .parquet file
            with a field [bold]text[/bold], a BEIR folder, or a .zip of one.
        queries FILE: Your own queries: .jsonl with _id and text, .tsv or .csv with id and text,
            TREC topics, or .txt with one query a line. Default: the queries of a BEIR folder, or
            short ones made from titles and phrases.
        qrels FILE: Judgements of those queries, as BEIR's test.tsv or TREC qrels. Queries without
            judgements are skipped and counted.
        probe PROBE: Build only this probe. Repeatable; see [bold]leadline list kinds[/bold].
        by: Who writes the tests if you give [bold]--llm[/bold]: the model, or rules whose
            conditions the model then checks.
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
            "Estimated language model calls are shown below. If there are none, the run is free."
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
    """Build the probes when they are first needed."""
    from leadline import checking

    yield from (
        made for made in checking.build_probes(documents, probes, **options) if made.queries
    )


def own_queries(
    corpus: str, queries: Path | None, qrels: Path | None
) -> tuple[Sequence[Query], Qrels | None]:
    """Read the user's queries and judgements: the given files, or those next to the corpus."""
    from leadline.checking import own_queries
    from leadline.data.folder import read_beir_qrels, read_queries

    given = read_queries(queries) if queries is not None else ()
    return own_queries(corpus, given, read_beir_qrels(qrels) if qrels is not None else None)
