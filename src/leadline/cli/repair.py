"""leadline repair: find a change that improves a system, and confirm it on other documents."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from leadline import progress
from leadline.cli import options
from leadline.cli.language_models import with_models
from leadline.metrics.names import record_of
from leadline.metrics.significance import FEWEST, NOTICED, Difference, least_noticed

if TYPE_CHECKING:
    from leadline.repairing.trial import Effect, Repair


@options.reads_corpus
@with_models
def repair(
    corpus: str,
    *,
    system: str = "bm25",
    chunks: str = "",
    propose: Sequence[str] = (),
    queries: Path | None = None,
    qrels: Path | None = None,
    probe: Sequence[str] = (),
    kind: Sequence[Path] = (),
    reading: options.Reading = options.AS_IT_IS,
    out: Path = Path("leadline-out"),
    limit: int | None = None,
    seed: int = 0,
    dry_run: bool = False,
    quiet: bool = False,
    as_json: bool = False,
) -> None:
    """Propose changes to a system, try them on one half of the documents, confirm on the other.

    It tries other options of the stages, further stages (facts, by_condition, by_attribute), and
    a fusion with another search. It prefers changing an option to adding a stage.

    It recommends a change only if three things hold on documents that had no part in choosing it:
    the whole 95 % interval of some metric is a gain, no metric gets significantly worse, and
    ordinary queries lose less than 0.05 of nDCG@10. It then writes [bold]repaired.yaml[/bold]. Run
    that with -s out/repaired.yaml, or repair it again.

    Documents are split into two halves. Each needs many cases to detect a gain, so a test has up
    to 600 topics. Change that with --limit.

    Example: leadline repair my-notes/ -s minilm:max_length=64 --out repair/

    Options:
        corpus: The documents to search.
        propose SYSTEM: Also try this system. Repeatable.
        queries FILE: Your own queries, in any format of [bold]leadline check[/bold].
        qrels FILE: Judgements of those queries.
        probe PROBE: Build only this probe. Repeatable.
    """
    from leadline.cli.check import own_queries
    from leadline.repairing.proposals import asked_for, proposals
    from leadline.repairing.repair import repair as run
    from leadline.repairing.trial import LIMIT

    options.add_kinds(kind)
    if dry_run:
        for each in (*proposals(system), *map(asked_for, propose)):
            typer.echo(f"{each.name}: {each.why}")
        return
    own, judged = own_queries(corpus, queries, qrels)
    with progress.shown(quiet=quiet):
        found = run(
            corpus, system, chunks=chunks, propose=propose, queries=own, qrels=judged,
            probes=probe or None, **asdict(reading), out=out,
            limit=LIMIT if limit is None else limit, seed=seed,
        )  # fmt: skip
    if as_json:
        options.print_json(found.as_json())
    elif not quiet:
        _show(found)
    _tell(found, out, f" --chunks {shlex.quote(chunks)}" if chunks else "")


def _show(found: Repair) -> None:
    """Print every trial on the first half: the change, its effect and its cost."""
    from leadline.comparison.writing import interval_in_words

    def told(name: str, seconds: float, size: int | None) -> None:
        typer.echo(f"{name}: search {seconds:.1f} s, index {_bytes(size)}")

    typer.echo("Tried on the first half of the documents:\n")
    told(f"{found.system} (unchanged)", found.base_seconds[1], found.base_bytes)
    for trial in found.tried:
        told(trial.proposal.name, trial.search_seconds, trial.index_bytes)
        for effect in trial.effects:
            it = effect.difference
            typer.echo(f"    {effect.benchmark} {it.metric} {it.mean_b:.3f} to {it.mean_a:.3f} "
                       f"(change {interval_in_words(it)}, n {it.n:,})")  # fmt: skip
    typer.echo()
    for name, why in found.not_tried.items():
        typer.echo(f"Not tried: {name}: {why}", err=True)


def _tell(found: Repair, folder: Path, options: str) -> None:
    """Return the recommendation, in one line."""
    from leadline.repairing.trial import MARGIN

    confirmed = found.confirmed
    if not found.recommended:
        typer.echo(_cases(found), err=True)
    if confirmed is None:
        typer.echo(
            "No change improved the results significantly, so none is recommended.", err=True
        )
    elif not found.recommended and not confirmed.keeps_ordinary:
        typer.echo(
            f"No change is recommended. {confirmed.proposal.name} helped on one half of the "
            f"documents, but ordinary queries may lose more than {MARGIN} of nDCG@10 (bound "
            f"{confirmed.ordinary_low:+.3f} on both halves).",
            err=True,
        )
    elif not found.recommended:
        typer.echo(
            f"No change is recommended. {confirmed.proposal.name} helped on one half of the "
            "documents, but the other half does not confirm it.",
            err=True,
        )
    else:
        gains = ", ".join(map(_change, (each for each in confirmed.effects if each.sure_gain)))
        typer.echo(
            f"Recommended: {confirmed.proposal.name} ({confirmed.proposal.why}). On documents that "
            f"had no part in choosing it: {gains}. "
            f"Run it with -s {folder / 'repaired.yaml'}{options}",
            err=True,
        )
        losses = ", ".join(map(_change, (each for each in confirmed.effects if each.likely_loss)))
        if losses:
            typer.echo(f"It may cost: {losses}.", err=True)
        for other in found.also:
            typer.echo(f"Also helps: {other.proposal.name} ({other.proposal.why}).", err=True)


def _change(effect: Effect) -> str:
    it = effect.difference
    return f"{effect.benchmark} {it.metric} {it.mean_b:.3f} to {it.mean_a:.3f} (n {it.n:,})"


def _cases(found: Repair) -> str:
    """Return how many cases decided, and which gains are too small to detect with them."""
    differences: dict[str, list[Difference]] = {}
    for trial in found.tried:
        for effect in trial.effects:
            differences.setdefault(effect.benchmark, []).append(effect.difference)
    told = []
    for name, some in differences.items():
        n = max(each.n for each in some)
        least = max(
            least_noticed(each.low, each.high) for each in some if record_of(each.metric).span
        )
        unseen = "any gain" if n < FEWEST or least >= 1 else f"a gain below {least:.2f}"
        told.append(f"{n:,} of {name}" + f" ({unseen} may go undetected)" * (least > NOTICED))
    return f"Cases in the first half of the documents: {', '.join(told) or 'none'}."


def _bytes(size: int | None) -> str:
    """Return the size of an index as text, or `?` if it is not known."""
    if size is None:
        return "?"
    return f"{size / 1e6:.1f} MB" if size >= 1e5 else f"{size / 1e3:.1f} kB"
