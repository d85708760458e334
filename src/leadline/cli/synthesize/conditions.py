"""leadline synthesize conditions: queries of several conditions, and documents that break one."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from leadline.cli import options
from leadline.cli.synthesize.models import with_writers

if TYPE_CHECKING:
    from leadline.kinds.conditions.as_in_paper_steps import Drop
    from leadline.kinds.conditions.domains import Domain
    from leadline.llm.pipeline.models import Models
    from leadline.types import Corpus

_PAPER = "As in the paper (--protocol paper)"


@options.reads_corpus
@with_writers
def synthesize(
    corpus: Annotated[
        str, typer.Argument(metavar="CORPUS", help="The documents that ladders are made of.")
    ],
    protocol: Annotated[
        Literal["paper"] | None,
        typer.Option(
            help="With --llm: [bold]paper[/bold] follows MultiConIR, with ten conditions a "
            "document and some 24 calls. By default two calls make 3 to 10 conditions.",
        ),
    ] = None,
    domain: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="What the documents are: people, books, movies, medical, legal, or any name with "
            "--features.",
            rich_help_panel=_PAPER,
        ),
    ] = "",
    features: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="What documents of your own domain state, one a line, such as "
            "[bold]diagnosis[/bold].",
            rich_help_panel=_PAPER,
        ),
    ] = None,
    edit: Annotated[
        Literal["altered", "dummy"] | None,
        typer.Option(
            help="How a condition is broken: a critical fact is changed, or key terms stay and "
            "are attached elsewhere. By default that of the domain.",
            rich_help_panel=_PAPER,
        ),
    ] = None,
    drop: Annotated[
        Literal["fact", "ladder"] | None,
        typer.Option(
            help="What a condition costs that fails: itself (the default), or its whole ladder.",
            rich_help_panel=_PAPER,
        ),
    ] = None,
    review: Annotated[
        bool,
        typer.Option(
            "--review",
            help="Also write review.csv and review.html: 100 queries and 100 documents for "
            "readers to fill in; see [bold]leadline analyse agreement[/bold].",
            rich_help_panel=_PAPER,
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

    A second model (--verify-model) reads what the first one wrote. What it reads otherwise than
    meant is dropped, and counted.

    Example: leadline synthesize conditions my-corpus/ --out conditions/

    By a model: leadline synthesize conditions notes/ --llm URL --llm-model NAME

    As in the paper: leadline synthesize conditions notes/ --llm URL --llm-model NAME
    --protocol paper --domain medical

    Then: leadline evaluate -s hybrid+by_condition -b conditions/
    """
    from leadline import progress
    from leadline.data.writing import output_folder
    from leadline.errors import InputError
    from leadline.kinds.benchmark_folder import write
    from leadline.kinds.conditions import by_rules
    from leadline.kinds.conditions.domains import domain_of

    if models is not None and field:
        raise InputError("--field belongs to conditions by rules, without --llm.")
    if models is None and protocol:
        raise InputError("--protocol belongs to --llm URL, which is missing.")
    if protocol is None and (domain or features or edit or drop or review):
        raise InputError(
            "--domain, --features, --edit, --drop and --review belong to --protocol paper."
        )
    chosen = domain_of(domain, features) if protocol else None
    with progress.shown(quiet=quiet):
        documents, _ = reading.read(corpus, seed)
        given = {"seed": seed, "limit": limit, "source": corpus}
        if models is not None and chosen is not None:
            chosen = dataclasses.replace(chosen, edit=edit or chosen.edit)
            told = _as_in_paper(
                documents, chosen, models, out, given, drop or "fact", review=review,
                dry_run=dry_run,
            )  # fmt: skip
        elif models is not None:
            told = _by_model(documents, models, None if dry_run else out, given)
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


def _by_model(documents: Corpus, models: Models, out: Path | None, given: dict[str, Any]) -> str:
    """Write what a language model makes in two calls a document, and return what is said of it."""
    from leadline.checking import left_out_of
    from leadline.checking.probes import written
    from leadline.data.writing import output_folder
    from leadline.errors import InputError
    from leadline.kinds.benchmark_folder import write

    folder = None if out is None else output_folder(out)
    made = written(documents, "conditions", models, folder, **given)
    if folder is None:
        return ""
    if not made.queries:
        raise InputError(f"{given['source']} gives no conditions: {made.built.get('dropped')}.")
    write(folder, made)
    return left_out_of(made)


def _as_in_paper(
    documents: Corpus,
    domain: Domain,
    models: Models,
    out: Path,
    given: dict[str, Any],
    drop: Drop,
    *,
    review: bool,
    dry_run: bool,
) -> str:
    """Write what a language model makes as in the paper, and return what is said of it."""
    from leadline.data.writing import output_folder
    from leadline.errors import InputError
    from leadline.kinds.benchmark_folder import write
    from leadline.kinds.conditions.as_in_paper import as_benchmark, build
    from leadline.kinds.conditions.ladders import write_ladders
    from leadline.kinds.conditions.sheet import ANSWER, items_of, write_sheet
    from leadline.llm.pipeline.log import LogFile
    from leadline.llm.run_record import RunRecord
    from leadline.pages.annotation import Asked, write_annotation

    if dry_run:
        build(documents, domain, models, RunRecord("dry run"), drop=drop, **given)
        return ""
    how = {"domain": domain.name, "edit": domain.edit, "drop": drop}
    if models.writer is models.verifier:
        typer.echo("The writer reads its own ladders; --verify-model names another.", err=True)
    how |= {"writer": models.writer.name, "verifier": models.verifier.name}
    folder, into = output_folder(out), RunRecord("conditions", {**given, **how})
    with into.kept_in(folder), LogFile.open_in(folder) as log:
        built = build(documents, domain, models, into, drop=drop, log=log, **given)
        if not built.records:
            raise InputError(
                f"No document could be used: {dict(built.dropped) or 'the corpus is empty'}. "
                "Take another model, more --attempts, or documents of ten sentences or more."
            )
    write(folder, as_benchmark(built, models, domain, drop=drop, **given))
    write_ladders(folder / "ladders.jsonl", built.records)
    seed = given["seed"]
    if review:
        write_sheet(folder / "review.csv", built.records, seed=seed)
        asked = [
            Asked(item.id, item.what, tuple(item.conditions.splitlines()), item.text)
            for item in items_of(built.records, seed=seed)
        ]
        title = f"Conditions of {given['source']}"
        write_annotation(folder / "review.html", title, ANSWER, asked)
    dropped = sum(built.dropped.values())
    lost = f"; conditions left out: {dict(built.left_out)}" if built.left_out else ""
    return f"{len(built.records)} ladders; {dropped} documents dropped: {dict(built.dropped)}{lost}"
