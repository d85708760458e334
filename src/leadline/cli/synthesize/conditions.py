"""leadline synthesize conditions: queries with several conditions, and documents that break one."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

import typer

from leadline import progress
from leadline.cli import options
from leadline.cli.language_models import built, with_writers
from leadline.errors import InputError

_PAPER = "As in the paper (--protocol paper)"


@options.reads_corpus
@with_writers
def synthesize(
    corpus: str,
    *,
    protocol: Literal["paper"] | None = None,
    domain: str = "",
    features: Path | None = None,
    edit: Literal["altered", "dummy"] | None = None,
    drop: Literal["fact", "ladder"] | None = None,
    review: bool = False,
    limit: options.Count = 200,
    field: Sequence[str] = (),
    reading: options.Reading = options.AS_IT_IS,
    out: Path = Path("leadline-out"),
    seed: int = 0,
    dry_run: bool = False,
    quiet: bool = False,
    models: Any = None,
) -> None:
    """Build queries with several conditions, and documents that break one: by rules, or with --llm.

    A second model (--verify-model) reads the tests of the first one. A test that it understands
    differently is dropped and counted.

    Example: leadline synthesize conditions my-corpus/ --out conditions/

    By a model: leadline synthesize conditions notes/ --llm URL --llm-model NAME

    As in the paper: leadline synthesize conditions notes/ --llm URL --llm-model NAME
    --protocol paper --domain medical

    Then: leadline evaluate -s hybrid+by_condition -b conditions/

    Options:
        corpus: The documents to build ladders from.
        protocol: With --llm: [bold]paper[/bold] follows MultiConIR, with ten conditions a document
            and some 24 calls. By default two calls write 3 to 10 conditions.
        limit N: Use at most N source documents.
        field NAME: Make a condition of this field of the records, such as [bold]director[/bold].
            The field also becomes a line before the text. Only without --llm. Repeatable.

    Options (As in the paper (--protocol paper)):
        domain NAME: What the documents are: people, books, movies, medical, legal, or any name with
            --features.
        features FILE: What documents of your own domain state, one feature a line, such as
            [bold]diagnosis[/bold].
        edit: How to break a condition: change a critical fact, or keep the key terms and change
            what is said of them. By default that of the domain.
        drop: Drop only a condition that fails (the default), or its whole ladder.
        review: Also write review.csv and review.html. On them readers count the conditions of 100
            queries and 100 documents, and judge 100 queries; see [bold]leadline analyse
            agreement[/bold].
    """
    from leadline.data.writing import output_folder
    from leadline.kinds.benchmark_folder import write
    from leadline.kinds.conditions import as_in_paper, by_model, by_rules

    if models is not None and field:
        raise InputError("--field works only without --llm.")
    if models is None and protocol:
        raise InputError("--protocol needs --llm URL.")
    if protocol is None and (domain or features or edit or drop or review):
        raise InputError("--domain, --features, --edit, --drop and --review need --protocol paper.")
    with progress.shown(quiet=quiet):
        documents, _ = reading.read(corpus, seed)
        given: dict[str, Any] = {"seed": seed, "limit": limit, "source": corpus}
        build: Any = by_model.build
        if models is None:
            build, given = by_rules.build, {"fields": field, **given}
        elif protocol:
            given |= {"domain": as_in_paper.domain_of(domain, features, edit),
                      "drop": drop or "fact",
                      "ladders": None if dry_run else out / "ladders.jsonl"}  # fmt: skip
            build = as_in_paper.build
        made = built(
            "conditions", build, documents, models, out, dry_run=dry_run, is_tried=not protocol,
            **given,
        )  # fmt: skip
        if made is None:
            return
        write(output_folder(out), made)
        if review:
            _write_review(out, corpus, seed)
    if not quiet:
        topics = {query.topic for query in made.queries}
        typer.echo(f"{len(topics)} documents with {len(made.queries)} queries", err=True)
    typer.echo(f"Benchmark: {out} (leadline evaluate -b {out})", err=True)


def _write_review(out: Path, corpus: str, seed: int) -> None:
    """Write the review sheet as a table and as a page."""
    from leadline.kinds.conditions.ladders import read_ladders
    from leadline.kinds.conditions.sheet import ANSWER, items_of, write_sheet
    from leadline.report.sheets import Asked, write_annotation

    records = list(read_ladders(out / "ladders.jsonl"))
    write_sheet(out / "review.csv", records, seed=seed)
    asked = [
        Asked(item.id, item.what, tuple(item.conditions.splitlines()), item.text)
        for item in items_of(records, seed=seed)
    ]
    write_annotation(out / "review.html", f"Conditions of {corpus}", ANSWER, asked)
