"""leadline compare and leadline gate: what changed between two runs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from leadline.cli import options
from leadline.errors import InputError

if TYPE_CHECKING:
    from leadline.comparison.verdict import Comparison, Verdict


def compare(
    base: Path,
    new: Path,
    *,
    metric: Sequence[str] = (),
    base_system: str = "",
    new_system: str = "",
    markdown: Path | None = None,
    seed: int = 0,
    as_json: bool = False,
) -> None:
    """Compare two output folders: differences with intervals and paired tests.

    Queries or topics are paired, and those from one source document are resampled together.
    p-values come from a randomization test, with Holm's correction for all comparisons. To
    compare the systems of one run with each other, give its folder twice.

    Example: leadline compare before/ after/
    """
    from leadline.comparison import writing
    from leadline.comparison.verdict import compare_systems

    if base.resolve() == new.resolve() and not (base_system or new_system):
        found = compare_systems(base, metrics=metric, seed=seed)
    else:
        found = _compared(base, new, metric, base_system, new_system, seed)
    _write(markdown, lambda: writing.as_markdown(found))
    if as_json:
        options.print_json(writing.as_json(found))
    else:
        _show(found, None)


def gate(
    base: Path,
    new: Path,
    *,
    max_drop: float = 0.01,
    alpha: float = 0.05,
    max_slower: str = "",
    metric: Sequence[str] = (),
    base_system: str = "",
    new_system: str = "",
    junit: Path | None = None,
    markdown: Path | None = None,
    seed: int = 0,
    as_json: bool = False,
) -> None:
    """Fail (exit code 1) when NEW is significantly worse than BASE by more than --max-drop.

    If NEW leaves more queries unanswered than BASE, by over 1 %, it cannot pass: exit code 2, or 1
    if it is also worse.

    Example: leadline gate main/ branch/ --max-drop 0.02 --junit gate.xml

    Options:
        max_drop X: The largest loss that passes, in units of the metric.
        alpha P: Significance level of a loss: one-sided, corrected for the number of tests.
        max_slower SHARE: Fail if the p95 time of a query rises by more than this, such as 20%.
            Only for functions and services.
    """
    from leadline.comparison import writing
    from leadline.comparison.verdict import TIMED, judge

    found = _compared(base, new, metric, base_system, new_system, seed)
    verdict = judge(found, max_drop=max_drop, alpha=alpha, max_slower=_share(max_slower))
    _write(junit, lambda: writing.as_junit(verdict))
    _write(markdown, lambda: writing.as_markdown(found, verdict))
    if as_json:
        options.print_json(writing.as_json(found, verdict))
    else:
        _show(found, verdict)
    for each in verdict.failed:
        typer.echo(f"worse: {writing.in_words(each)}", err=True)
    for slow in verdict.slower:
        typer.echo(f"slower: {writing.latency_in_words(slow)}", err=True)
    for few in verdict.too_few:
        told = f"{few.system} on {few.benchmark}: too few queries to compare p95 times"
        typer.echo(f"{told}: {few.n}, and {TIMED} are needed.", err=True)
    if verdict.failed or verdict.slower:
        raise typer.Exit(1)
    if found.unjudged:
        raise InputError(f"The gate cannot decide: {found.unjudged[0]}. Run the check again.")
    typer.echo("Gate passed.", err=True)


def _compared(
    base: Path, new: Path, metrics: Sequence[str], base_system: str, new_system: str, seed: int
) -> Comparison:
    from leadline.comparison.verdict import compare_folders

    return compare_folders(
        base, new, metrics=metrics, base_system=base_system, new_system=new_system, seed=seed
    )


def _share(text: str) -> float | None:
    """Return `20%` or `0.2` as a share, or None if no text is given."""
    try:
        number = float(text.removesuffix("%")) if text else None
    except ValueError:
        raise InputError(f"--max-slower takes a share such as 20%, got {text!r}.") from None
    return number / 100 if number is not None and text.endswith("%") else number


def _write(path: Path | None, text: Callable[[], str]) -> None:
    from leadline.data.writing import atomic_file

    if path is not None:
        with atomic_file(path) as file:
            file.write(text())


def _show(found: Comparison, verdict: Verdict | None) -> None:
    from leadline.cli.tables import print_rows
    from leadline.comparison.writing import interval_in_words, latency_in_words, too_few
    from leadline.metrics.names import label_of

    figures = ("n", "base", "new", "change", "95 % interval", "p (Holm)", "")
    print_rows(
        ("benchmark", "system", "metric", *figures),
        [
            (
                each.benchmark,
                each.system,
                label_of(it.metric),
                f"{it.n:,}",
                f"{it.mean_b:.3f}",
                f"{it.mean_a:.3f}",
                f"{it.difference:+.3f}",
                interval_in_words(it),
                f"{it.p_holm:.3f}",
                "worse" if verdict and each in verdict.failed else "",
            )
            for each in found.changes
            for it in [each.change]
        ],
        headings=2,
    )
    for each in found.latencies:
        typer.echo(latency_in_words(each))
    for left_out in found.left_out:
        typer.echo(f"Left out: {left_out}", err=True)
    for unanswered in found.unanswered:
        typer.echo(f"{unanswered}.", err=True)
    for few in too_few(found, verdict):
        typer.echo(few, err=True)
