"""leadline repair: find what mends a system, on documents that did not choose it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from leadline.cli import options
from leadline.cli.language_models import with_models
from leadline.metrics.significance import ENOUGH

if TYPE_CHECKING:
    from leadline.benchmark import Benchmark
    from leadline.repairing.rules import Effect
    from leadline.repairing.trial import Repair
    from leadline.system import System
    from leadline.types import Corpus


@options.reads_corpus
@with_models
def repair(
    corpus: Annotated[
        str, typer.Argument(metavar="CORPUS", help="The documents to search.", show_default=False)
    ],
    system: Annotated[
        str, typer.Option("--system", "-s", metavar="SYSTEM", help=options.SYSTEM_HELP)
    ] = "bm25",
    propose: Annotated[
        list[str],
        typer.Option(
            metavar="SYSTEM",
            help="Also try this system, beside what Leadline proposes. Repeatable.",
        ),
    ] = [],  # noqa: B006  (typer copies it)
    queries: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Your own queries, as for check.")
    ] = None,
    qrels: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Judgements of those queries.")
    ] = None,
    probe: Annotated[
        list[str], typer.Option(metavar="PROBE", help="Build only this probe. Repeatable.")
    ] = [],  # noqa: B006
    kind: options.Kinds = [],  # noqa: B006
    reading: options.Reading = options.AS_IT_IS,
    out: options.Out = Path("leadline-out"),
    limit: options.Limit = None,
    seed: options.Seed = 0,
    dry_run: options.DryRun = False,
    quiet: options.Quiet = False,
    as_json: options.Json = False,
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
    """
    from leadline import progress
    from leadline.checking import (
        build_probes,
        load_systems,
        nothing_built,
        nothing_to_ask,
    )
    from leadline.cli.check import own_queries
    from leadline.data.writing import output_folder
    from leadline.errors import InputError
    from leadline.kinds.registry import add_kind_at
    from leadline.repairing.proposals import asked_for, proposals, runnable
    from leadline.repairing.trial import LIMIT
    from leadline.repairing.trial import repair as run_repair
    from leadline.repairing.writing import as_json as in_json
    from leadline.repairing.writing import write_repair

    for path in kind:
        add_kind_at(path)
    wanted = [*proposals(system), *map(asked_for, propose)]
    if dry_run:
        for proposal in wanted:
            typer.echo(f"{proposal.name}: {proposal.why}")
        return
    own, judged = own_queries(corpus, queries, qrels)
    (base,) = load_systems([system])
    candidates, lacking = runnable(wanted)
    folder = output_folder(out)
    with progress.shown(quiet=quiet):
        documents, judged = reading.read(corpus, seed, own, judged)
        built = build_probes(
            documents, probe or None, queries=own, qrels=judged,
            limit=LIMIT if limit is None else limit, seed=seed, source=corpus,
        )  # fmt: skip
        usable = [each for each in built if each.queries]
        if not usable:
            raise InputError(nothing_built(corpus, built))
        probes = _askable(base, usable, documents)
        if not probes:
            raise InputError(nothing_to_ask([base], usable))
        found = run_repair(base, candidates, probes, seed=seed)
    write_repair(folder, found, lacking)
    if as_json:
        typer.echo(json.dumps(in_json(found, lacking), ensure_ascii=False, indent=1))
    elif not quiet:
        _show(found, lacking)
    _tell(found, folder)


def _askable(system: System, probes: list[Benchmark], corpus: Corpus) -> list[Benchmark]:
    """Return the probes that a system can be asked, and say which it cannot, and why."""
    from leadline.checking import in_place_of_skipped
    from leadline.results.lending import cannot_be_asked

    skip = cannot_be_asked([system], probes)
    instead = in_place_of_skipped(probes, skip, corpus)
    for left_out in skip:
        typer.echo(f"Left out: {left_out.benchmark} ({left_out.why})", err=True)
    for each in instead:
        typer.echo(f"Asked instead: {each.name} (real documents, not judged)", err=True)
    names = {left_out.benchmark for left_out in skip}
    return [*(each for each in probes if each.name not in names), *instead]


def _show(found: Repair, lacking: dict[str, str]) -> None:
    """Print every trial of the first half: what it changes, what it costs."""
    from leadline.comparison.writing import interval_in_words
    from leadline.repairing.writing import told_bytes

    def told(name: str, seconds: float, size: int | None) -> None:
        typer.echo(f"{name}: search {seconds:.1f} s, index {told_bytes(size)}")

    typer.echo("Tried on the first half of the documents:\n")
    told(f"{found.system} (as it is)", found.base_seconds[1], found.base_bytes)
    for trial in found.tried:
        told(trial.proposal.name, trial.search_seconds, trial.index_bytes)
        for effect in trial.effects:
            it = effect.difference
            typer.echo(f"    {effect.benchmark} {it.metric} {it.mean_b:.3f} to {it.mean_a:.3f} "
                       f"(change {interval_in_words(it)}, n {it.n:,})")  # fmt: skip
    typer.echo()
    for name, why in {**lacking, **found.failed}.items():
        typer.echo(f"Not tried: {name}: {why}", err=True)


def _tell(found: Repair, folder: Path) -> None:
    """Say what is recommended, in one line."""
    from leadline.repairing.rules import MARGIN

    confirmed = found.confirmed
    if confirmed is None:
        typer.echo("Nothing that was tried surely helps: no change is recommended.", err=True)
        typer.echo(_cases(found), err=True)
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
                   f"Run it as -s {folder / 'repaired.yaml'}", err=True)  # fmt: skip
        losses = ", ".join(map(_change, (each for each in confirmed.effects if each.likely_loss)))
        if losses:
            typer.echo(f"It may cost: {losses}.", err=True)
        for other in found.also:
            typer.echo(f"Also helps: {other.proposal.name} ({other.proposal.why}).", err=True)


def _change(effect: Effect) -> str:
    it = effect.difference
    return f"{effect.benchmark} {it.metric} {it.mean_b:.3f} to {it.mean_a:.3f} (n {it.n:,})"


def _cases(found: Repair) -> str:
    """Say on how many cases that was judged, and where they are too few to find a change."""
    counts: dict[str, int] = {}
    for trial in found.tried:
        for effect in trial.effects:
            n = counts.get(effect.benchmark, 0)
            counts[effect.benchmark] = max(n, effect.difference.n)
    told = ", ".join(f"{count:,} of {name}" for name, count in counts.items())
    few = [name for name, count in counts.items() if count < ENOUGH]
    tail = f" Too few to find a gain: {', '.join(few)}." if few else ""
    return f"Cases in the first half of the documents: {told or 'none'}.{tail}"
