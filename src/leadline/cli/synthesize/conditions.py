"""leadline synthesize conditions: queries of several conditions, and documents that break one."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from leadline.cli import options
from leadline.cli.synthesize.models import with_writers

if TYPE_CHECKING:
    from leadline.llm.pipeline.models import Models
    from leadline.synthesis.conditions.domains import Domain
    from leadline.types import Corpus


@options.reads_corpus
@with_writers
def synthesize(
    corpus: Annotated[
        str, typer.Argument(metavar="CORPUS", help="The documents that ladders are made of.")
    ],
    protocol: Annotated[
        Literal["", "paper"],
        typer.Option(
            help="[bold]paper[/bold]: the steps of MultiConIR, some 44 calls a ladder; without it "
            "two calls a document. For --llm.",
        ),
    ] = "",
    domain: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="What the documents are, for --protocol paper: people, books, movies, medical, "
            "legal, or any name with --features.",
        ),
    ] = "",
    features: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="What documents of your own domain tell, one a line, such as "
            "[bold]diagnosis[/bold], for --protocol paper.",
        ),
    ] = None,
    edit: Annotated[
        Literal["altered", "dummy"] | None,
        typer.Option(
            help="How a condition is broken, for --protocol paper: a critical fact is another, or "
            "key terms stay and are attached elsewhere. By default that of the domain.",
        ),
    ] = None,
    review: Annotated[
        bool,
        typer.Option(
            "--review",
            help="Also write review.csv and review.html: 100 queries and 100 documents of what "
            "--protocol paper made, for readers; see [bold]leadline analyse agreement[/bold].",
        ),
    ] = False,
    limit: Annotated[int, typer.Option(min=1, metavar="N", help="Most source documents.")] = 200,
    field: Annotated[
        list[str],
        typer.Option(
            "--field",
            metavar="NAME",
            help="A field of the records, such as [bold]director[/bold], that gives a condition "
            "and stands as a line before the text; without --llm. Repeatable.",
        ),
    ] = [],  # noqa: B006
    reading: options.Reading = options.AS_IT_IS,
    out: options.Out = Path("leadline-out"),
    seed: options.Seed = 0,
    dry_run: options.DryRun = False,
    quiet: options.Quiet = False,
    models: Models | None = None,
) -> None:
    """Build queries of several conditions, and documents that break one: by rules, or with --llm.

    A model writes facts with what breaks them, and a second one (--verify-model) reads which
    sentences state what. It is tried first, and not used where it is unfit.

    Example: leadline synthesize conditions my-corpus/ --out conditions/

    By a model: leadline synthesize conditions notes/ --llm URL --llm-model NAME

    Then: leadline evaluate -s hybrid+by_condition -b conditions/
    """
    from leadline import progress
    from leadline.benchmarks.folder import write
    from leadline.errors import InputError
    from leadline.files.writing import output_folder
    from leadline.kinds.conditions import by_rules
    from leadline.synthesis.conditions.domains import domain_of

    if models is not None and field:
        raise InputError("--field belongs to conditions by rules, without --llm.")
    if protocol and models is None:
        raise InputError("--protocol paper needs a language model: --llm MODEL.")
    if not protocol and (domain or features or edit or review):
        raise InputError("--domain, --features, --edit and --review belong to --protocol paper.")
    chosen = domain_of(domain, features) if protocol else None
    with progress.shown(quiet=quiet):
        documents, _ = reading.read(corpus, seed)
        if models is not None and chosen is not None:
            chosen = dataclasses.replace(chosen, edit=edit or chosen.edit)
            told = _by_llm(
                documents, chosen, models, out, limit, seed, corpus, review=review, dry_run=dry_run
            )
        elif models is not None:
            told = _by_model(documents, models, None if dry_run else out, limit, seed, corpus)
        elif dry_run:
            told = ""
        else:
            made = by_rules.build(documents, seed=seed, limit=limit, source=corpus, fields=field)
            if not made.queries:
                raise InputError(f"{corpus} gives no conditions: {made.built.get('dropped')}.")
            write(output_folder(out), made)
            topics = {query.topic for query in made.queries}
            told = f"{len(topics)} documents with {len(made.queries)} queries"
    if dry_run:
        typer.echo(f"Would write ladders of conditions to {out}.")
        return
    if not quiet:
        typer.echo(told, err=True)
    typer.echo(f"Benchmark: {out} (leadline evaluate -b {out})", err=True)


def _by_model(
    documents: Corpus, models: Models, out: Path | None, limit: int, seed: int, corpus: str
) -> str:
    """Write what a model makes in two calls a document, and return what is said of it."""
    from leadline.benchmarks.folder import write
    from leadline.checking import left_out_of
    from leadline.errors import InputError
    from leadline.files.writing import output_folder
    from leadline.probes.building import written

    folder = None if out is None else output_folder(out)
    made = written(documents, "conditions", models, folder, limit=limit, seed=seed, source=corpus)
    if folder is None:
        return ""
    if not made.queries:
        raise InputError(f"{corpus} gives no conditions: {made.built.get('dropped')}.")
    write(folder, made)
    return left_out_of(made)


def _by_llm(
    documents: Corpus,
    domain: Domain,
    models: Models,
    out: Path,
    limit: int,
    seed: int,
    corpus: str,
    *,
    review: bool,
    dry_run: bool,
) -> str:
    """Write what a language model makes, and return what is said of it."""
    from leadline.benchmarks.folder import write
    from leadline.errors import InputError
    from leadline.files.ladders import write_ladders
    from leadline.files.writing import output_folder
    from leadline.llm.pipeline.log import LogFile
    from leadline.llm.run_record import RunRecord
    from leadline.pages.annotation import Asked, write_annotation
    from leadline.synthesis.conditions.by_llm import as_benchmark, build
    from leadline.synthesis.conditions.sheet import ANSWER, items_of, write_sheet

    if dry_run:
        build(documents, domain, models, RunRecord("dry run"), seed=seed, limit=limit)
        return ""
    if models.writer is models.verifier:
        typer.echo("The writer reads its own ladders; --verify-model names another.", err=True)
    how = {"seed": seed, "writer": models.writer.name, "verifier": models.verifier.name}
    how |= {"domain": domain.name, "edit": domain.edit, "limit": limit}
    folder = output_folder(out)
    into = RunRecord("conditions", how)
    with into.kept_in(folder), LogFile.open_in(folder) as log:
        built = build(
            documents, domain, models, into, seed=seed, limit=limit, source=corpus, log=log
        )
        if not built.records:
            raise InputError(
                f"No document could be used: {dict(built.dropped) or 'the corpus is empty'}. "
                "Take another model, more --attempts, or documents of ten sentences or more."
            )
    write(folder, as_benchmark(built, models, domain, seed=seed, limit=limit, source=corpus))
    write_ladders(folder / "ladders.jsonl", built.records)
    if review:
        write_sheet(folder / "review.csv", built.records, seed=seed)
        asked = [
            Asked(item.id, item.what, tuple(item.conditions.splitlines()), item.text)
            for item in items_of(built.records, seed=seed)
        ]
        write_annotation(folder / "review.html", f"Conditions of {corpus}", ANSWER, asked)
    dropped = sum(built.dropped.values())
    return f"{len(built.records)} ladders; {dropped} documents dropped: {dict(built.dropped)}"
