"""leadline test: what must hold of single queries, tried on systems."""

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
def test(
    tests: Path,
    *,
    system: Sequence[str] = ("bm25",),
    chunks: str = "",
    corpus: str = "",
    junit: Path | None = None,
    reading: options.Reading = options.AS_IT_IS,
    quiet: bool = False,
) -> None:
    r"""Try what must hold of single queries. Exit code 1 when something does not.

    The file, by example:

    [dim]corpus: my-notes/[/dim]

    [dim]tests:[/dim]

    [dim]  - {query: rotate an API key, finds: security/keys.md, within: 3}[/dim]

    [dim]  - {query: harbour dues, never: old/dues.md, order: \[dues.md, tariffs.md]}[/dim]

    [dim]  - {query: reset password, same_as: how do I reset my password}[/dim]

    [bold]finds[/bold]: all of these are in the first [bold]within[/bold] results (10 unless it
    says so). [bold]never[/bold]: none of these is. [bold]order[/bold]: each stands before the
    next. [bold]same_as[/bold]: the other form brings the same results, in any order.

    Example: leadline test tests.yaml -s hybrid --junit tests.xml

    Options:
        tests FILE: A YAML file of tests; see below.
        corpus CORPUS: The documents, in any form that check takes, where the file does not name
            them.
    """
    from leadline.checking import load_systems
    from leadline.comparison.assertions import as_junit, read_assertions, tried
    from leadline.data.writing import atomic_file

    named, wanted = read_assertions(tests)
    source = corpus or named
    if not source:
        raise InputError(f"{tests} names no corpus: add `corpus: FOLDER`, or give --corpus.")
    with progress.shown(quiet=quiet):
        systems = load_systems(system, max(100, *(each.within for each in wanted)), chunks)
        documents, _ = reading.read(source)
        results = tried(systems, documents, wanted, tests)
    if junit is not None:
        with atomic_file(junit) as handle:
            handle.write(as_junit(results))
    failed = [each for each in results if each.faults]
    for each in failed:
        typer.echo(f"{each.system}: {each.assertion.query!r}: {'; '.join(each.faults)}")
    if not quiet:
        typer.echo(f"{len(results) - len(failed)} of {len(results)} tests hold.", err=True)
    if failed:
        raise SystemExit(1)
