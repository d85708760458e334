"""leadline repair: find what mends a system, on documents that did not choose it."""

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

    Tried are other options of its stages, stages around it (facts, by_condition, by_attribute) and
    joining it with another search. A change is recommended only where, on sources that had no part
    in choosing it, the whole 95 % interval of some metric is a gain, nothing surely gets worse, and
    ordinary queries surely lose less than 0.05 of nDCG@10; [bold]repaired.yaml[/bold] then holds
    it, ready as -s out/repaired.yaml. An option is preferred to a further stage; whatever else
    helped is named, and repairing what was repaired goes on. Probes have up to 600 topics, for each
    half must tell a gain from chance; --limit says otherwise.

    Example: leadline repair my-notes/ -s minilm:max_length=64 --out repair/

    Options:
        corpus: The documents to search.
        propose SYSTEM: Also try this system, beside what Leadline proposes. Repeatable.
        queries FILE: Your own queries, as for check.
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
    """Print every trial of the first half: what it changes, what it costs."""
    from leadline.comparison.writing import interval_in_words

    def told(name: str, seconds: float, size: int | None) -> None:
        typer.echo(f"{name}: search {seconds:.1f} s, index {_bytes(size)}")

    typer.echo("Tried on the first half of the documents:\n")
    told(f"{found.system} (as it is)", found.base_seconds[1], found.base_bytes)
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
    """Say what is recommended, in one line."""
    from leadline.repairing.trial import MARGIN

    confirmed = found.confirmed
    if not found.recommended:
        typer.echo(_cases(found), err=True)
    if confirmed is None:
        typer.echo("Nothing that was tried surely helps: no change is recommended.", err=True)
    elif not found.recommended and not confirmed.keeps_ordinary:
        typer.echo(
            f"{confirmed.proposal.name} helped on one half of the documents, and ordinary queries "
            f"may lose more than {MARGIN} of nDCG@10 (bound {confirmed.ordinary_low:+.3f} on "
            "both halves): no change is recommended.",
            err=True,
        )
    elif not found.recommended:
        typer.echo(
            f"{confirmed.proposal.name} helped on one half of the documents, and the other half "
            "does not confirm it: no change is recommended.",
            err=True,
        )
    else:
        gains = ", ".join(map(_change, (each for each in confirmed.effects if each.sure_gain)))
        typer.echo(f"Recommended: {confirmed.proposal.name} ({confirmed.proposal.why}). "
                   f"On documents that had no part in choosing it: {gains}. "
                   f"Run it as -s {folder / 'repaired.yaml'}{options}", err=True)  # fmt: skip
        losses = ", ".join(map(_change, (each for each in confirmed.effects if each.likely_loss)))
        if losses:
            typer.echo(f"It may cost: {losses}.", err=True)
        for other in found.also:
            typer.echo(f"Also helps: {other.proposal.name} ({other.proposal.why}).", err=True)


def _change(effect: Effect) -> str:
    it = effect.difference
    return f"{effect.benchmark} {it.metric} {it.mean_b:.3f} to {it.mean_a:.3f} (n {it.n:,})"


def _cases(found: Repair) -> str:
    """Say on how many cases that was judged, and what gain these might not show."""
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
        told.append(f"{n:,} of {name}" + f" ({unseen} may go unnoticed)" * (least > NOTICED))
    return f"Cases in the first half of the documents: {', '.join(told) or 'none'}."


def _bytes(size: int | None) -> str:
    """Return the size of an index for a reader; `?` where it is not known."""
    if size is None:
        return "?"
    return f"{size / 1e6:.1f} MB" if size >= 1e5 else f"{size / 1e3:.1f} kB"
