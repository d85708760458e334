"""leadline test: assertions about single queries, run on systems."""

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
    r"""Run assertions about single queries. Exit code 1 if one fails.

    An example file:

    [dim]corpus: my-notes/[/dim]

    [dim]tests:[/dim]

    [dim]  - {query: rotate an API key, finds: security/keys.md, within: 3}[/dim]

    [dim]  - {query: harbour dues, never: old/dues.md, order: \[dues.md, tariffs.md]}[/dim]

    [dim]  - {query: reset password, same_as: how do I reset my password}[/dim]

    [bold]finds[/bold]: all of these are in the first [bold]within[/bold] results (default 10).
    [bold]never[/bold]: none of these is. [bold]order[/bold]: each ranks before the next.
    [bold]same_as[/bold]: the other query returns the same results, in any order.

    Example: leadline test tests.yaml -s hybrid --junit tests.xml

    Options:
        tests FILE: A YAML file of tests, as in the example above.
        corpus CORPUS: The documents, if the file does not name them.
    """
    from leadline.checking import load_systems
    from leadline.comparison.assertions import as_junit, read_assertions, tried
    from leadline.data.writing import atomic_file

    named, wanted = read_assertions(tests)
    source = corpus or named
    if not source:
        raise InputError(
            f"{tests} does not name a corpus. Add the line `corpus: FOLDER`, or give --corpus."
        )
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
        typer.echo(f"{len(results) - len(failed)} of {len(results)} tests pass.", err=True)
    if failed:
        raise SystemExit(1)
