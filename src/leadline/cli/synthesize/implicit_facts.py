"""leadline synthesize implicit-facts: facts that follow from others, in your texts or invented."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from leadline.cli import options
from leadline.cli.synthesize.models import by_model, with_writers

if TYPE_CHECKING:
    from leadline.kinds.implicit_facts.binding import Order
    from leadline.kinds.implicit_facts.places import Table
    from leadline.llm.pipeline.models import Models
    from leadline.types import Corpus

_Rows = Mapping[str, Sequence[Mapping[str, Any]]]
"""Rows by the name of their pool."""


@options.reads_corpus
@with_writers
def synthesize(
    corpus: Annotated[
        str | None,
        typer.Argument(
            metavar="[CORPUS]",
            help="With --llm: documents to find implied facts in. Without CORPUS, documents are "
            "invented.",
            show_default=False,
        ),
    ] = None,
    out: options.Out = Path("leadline-out"),
    seed: options.Seed = 0,
    limit: Annotated[
        int, typer.Option(min=1, metavar="N", help="Read at most N documents of CORPUS.")
    ] = 200,
    reading: options.Reading = options.AS_IT_IS,
    sets: Annotated[int, typer.Option(min=1, metavar="N", help="Tuple sets in every pool.")] = 50,
    tuples: Annotated[
        int, typer.Option(min=1, metavar="M", help="Documents, each with a question, in a set.")
    ] = 30,
    pool: Annotated[
        list[str],
        typer.Option(
            "--pool",
            metavar="POOL",
            help="Build only this pool, such as [bold]temporal-multispeaker[/bold]. Repeatable.",
        ),
    ] = [],  # noqa: B006  (typer copies it)
    places: Annotated[
        Path | None,
        typer.Option(
            metavar="TABLE",
            help="Landmarks and their countries: a dump of Wikidata (.json, .json.gz, .json.bz2), "
            "an export of it (.jsonl, .csv, .tsv or the .json of SPARQL), or a .tsv of name, kind "
            "and country code. Without it, our own short list of well-known ones.",
        ),
    ] = None,
    place_encoder: Annotated[
        str,
        typer.Option(
            metavar="MODEL",
            help="Drop landmarks whose name this dense model finds close to their country's, "
            "such as [bold]facebook/contriever[/bold].",
        ),
    ] = "",
    printed: Annotated[
        bool,
        typer.Option(
            "--printed-algorithm",
            help="Draw prices as the listing in the paper does, not only multiples of 10.",
        ),
    ] = False,
    review: Annotated[
        bool,
        typer.Option(
            "--review",
            help="Also write review.csv: a sample of 12 documents a pool, with columns for readers "
            "to fill in.",
        ),
    ] = False,
    judge_places: Annotated[
        bool,
        typer.Option(
            "--judge-places",
            help="Let the model of [bold]--llm[/bold] drop landmarks whose name is generic or "
            "gives the country away; one question each.",
            rich_help_panel="Language models",
        ),
    ] = False,
    dry_run: options.DryRun = False,
    quiet: options.Quiet = False,
    models: Any = None,
) -> None:
    """Build queries for facts that documents only imply: your documents, or six invented pools.

    With CORPUS a language model finds days, amounts and places that your documents imply. Without
    it, chats and forum replies are invented as ImpliRet does: by rules, or with --llm by a model.

    Example: leadline synthesize implicit-facts my-notes/ --llm URL --llm-model NAME --out facts/

    Invented: leadline synthesize implicit-facts --out facts/ --seed 7

    Then: leadline evaluate -s bm25 -b facts/
    """
    from leadline import progress
    from leadline.data.writing import output_folder
    from leadline.errors import InputError
    from leadline.kinds.implicit_facts.binding import POOLS, Order
    from leadline.kinds.implicit_facts.places import read_places

    if judge_places and models is None:
        raise InputError("--judge-places asks the model of --llm URL, which is missing.")
    if corpus is not None:
        if models is None:
            raise InputError(
                "CORPUS needs --llm URL. By rules: leadline check CORPUS --probe implicit-facts."
            )
        with progress.shown(quiet=quiet):
            documents, _ = reading.read(corpus, seed)
            table = read_places(places, _countries())
            _from_documents(
                documents, corpus, out, models, table, seed, limit, dry_run=dry_run, quiet=quiet
            )
        return
    names = [name.replace("-", "_") for name in pool] or list(POOLS)
    with progress.shown(quiet=quiet):
        table = read_places(places, _countries())
        if place_encoder:
            table = _far_from_countries(table, place_encoder)
        if judge_places:
            table = _judged(table)
        order = Order(seed, sets, tuples, "printed" if printed else "tens", table.places)
        facts = {
            "places": {
                "table": places.name if places else "built in",
                "kept": len(table.places),
                "encoder": place_encoder,
                "judged": judge_places,
                "dropped": dict(table.dropped),
            }
        }
        if models is not None:
            rows = _by_llm(out, models, order, names, facts, dry_run=dry_run)
        elif dry_run:
            typer.echo(f"{_plan(out, order, names)} No language model is called; it costs nothing.")
            return
        else:
            rows = _by_rules(out, order, names, facts, quiet=quiet)
        if dry_run:
            return
        _write_folders(output_folder(out), rows)
        if review:
            _write_review(out, rows, seed)
    if not quiet:
        _tell_dropped(table)
    typer.echo(f"Benchmark: {out} (leadline evaluate -b {out})", err=True)


def _from_documents(
    documents: Corpus,
    corpus: str,
    out: Path,
    models: Models,
    table: Table,
    seed: int,
    limit: int,
    *,
    dry_run: bool,
    quiet: bool,
) -> None:
    """Write the benchmark of facts that documents of the user imply."""
    from leadline.kinds.benchmark_folder import write
    from leadline.kinds.implicit_facts.by_model import build

    made = by_model(
        "implicit-facts", build, documents, models, out, dry_run=dry_run, seed=seed, limit=limit,
        source=Path(corpus).resolve().name,
        places={place.name: place.country for place in table.places},
    )  # fmt: skip
    if made is None:
        return
    write(out, made)
    if not quiet:
        for kind, count in made.built["facts"]["kept"].items():
            typer.echo(f"{kind}: {count} queries")
        rivals = made.built["facts"]["with rivals that hold all words"]
        typer.echo(f"Other documents hold all words but the value of {rivals} queries")
    typer.echo(f"Benchmark: {out} (leadline evaluate -b {out})", err=True)


def _write_folders(out: Path, rows: _Rows) -> None:
    """Write every pool also as a benchmark folder, which other tools load."""
    from leadline.kinds.benchmark_folder import write
    from leadline.kinds.implicit_facts import published

    for pool in rows:
        part = pool.replace("_", "-")
        for benchmark in published.build(part, out):
            write(out / part, benchmark)


def _far_from_countries(table: Table, model: str) -> Table:
    from leadline.kinds.implicit_facts.places_filters import far_from_countries
    from leadline.retrievers import dense

    return far_from_countries(table, dense.build(model))


def _judged(table: Table) -> Table:
    from leadline.cli.language_models import the_model
    from leadline.kinds.implicit_facts.places_filters import specific
    from leadline.llm.run_record import Step

    return specific(table, the_model("leadline synthesize"), Step("judge places"))


def _tell_dropped(table: Table) -> None:
    """Print how many places are used, and how many not by reason, where any are not."""
    if table.dropped:
        told = ", ".join(f"{count} {reason}" for reason, count in table.dropped.items())
        typer.echo(f"Places: {len(table.places)} used; dropped: {told}")


def _plan(out: Path, order: Order, names: Sequence[str]) -> str:
    return (
        f"Would write {len(names)} pools of {order.sets} sets with {order.tuples} documents each "
        f"to {out}."
    )


def _by_rules(
    out: Path, order: Order, names: Sequence[str], facts: Mapping[str, Any], *, quiet: bool
) -> _Rows:
    from leadline.kinds.implicit_facts import by_rules

    built = by_rules.write(out, order, names, facts=facts)
    for each in built.values() if not quiet else ():
        rejected = each.rejected.total()
        typer.echo(
            f"{each.name}: {len(each.rows)} documents and questions, {rejected} drafts rejected"
        )
    return {name: pool.rows for name, pool in built.items()}


def _by_llm(
    out: Path,
    models: Models,
    order: Order,
    names: Sequence[str],
    facts: Mapping[str, Any],
    *,
    dry_run: bool,
) -> _Rows:
    from leadline.kinds.implicit_facts import by_llm
    from leadline.llm.run_record import RunRecord

    if dry_run:
        list(by_llm.build(models, order, RunRecord("dry run"), names))
        typer.echo(
            f"{_plan(out, order, names)} What would be asked holds what is written again, where "
            f"{by_llm.REFUSED_DRAFTS:.0%} of drafts and {by_llm.REFUSED_READINGS:.0%} of readings "
            "are refused."
        )
        return {}
    if models.writer is models.verifier:
        typer.echo(
            "The writer reads its own documents back; --verify-model names another.", err=True
        )
    built = by_llm.write(out, models, order, names, facts=facts)
    for pool in built.values():
        typer.echo(str(pool), err=True)
    return {name: pool.rows for name, pool in built.items() if pool.rows}


def _write_review(out: Path, rows: _Rows, seed: int) -> None:
    from leadline.kinds.implicit_facts.review import write_sheet
    from leadline.retrievers import bm25

    write_sheet(out / "review.csv", rows, bm25.build(), seed=seed)


def _countries() -> dict[str, tuple[str, ...]]:
    """Return the names and adjectives of every country by its code."""
    from leadline.text.countries import DEMONYMS, VARIANTS

    people: dict[str, list[str]] = {}
    for demonym, code in DEMONYMS.items():
        people.setdefault(code, []).append(demonym.title())
    return {code: (*names, *people.get(code, ())) for code, names in VARIANTS.items()}
