"""leadline synthesize implicit-facts: facts that follow from others, in your texts or invented."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from leadline.cli import options
from leadline.cli.synthesize.models import by_model, with_writers

if TYPE_CHECKING:
    from leadline.kinds.implicit_facts.places import Table
    from leadline.kinds.implicit_facts.pools import Order
    from leadline.llm.pipeline.steps import Models
    from leadline.types import Corpus


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
    from leadline.errors import InputError
    from leadline.kinds.implicit_facts.places import read_places
    from leadline.kinds.implicit_facts.pools import POOLS, Order

    if judge_places and models is None:
        raise InputError("--judge-places asks the model of --llm URL, which is missing.")
    if corpus is not None and models is None:
        raise InputError("CORPUS needs --llm URL: a language model finds what documents imply.")
    with progress.shown(quiet=quiet):
        table = read_places(places)
        if corpus is not None and models is not None:
            documents, _ = reading.read(corpus, seed)
            named = {place.name: place.country for place in table.places}
            given = {"seed": seed, "limit": limit, "places": named}
            _from_documents(documents, corpus, out, models, given, dry_run=dry_run, quiet=quiet)
            return
        table = _filtered(table, place_encoder, judge=judge_places)
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
        names = [name.replace("-", "_") for name in pool] or list(POOLS)
        if dry_run:
            _plan(out, order, names, models)
            return
        rows = _written(out, order, names, facts, models, quiet=quiet)
        _write_folders(out, rows)
        if review:
            from leadline.kinds.implicit_facts.pools_by_rules import write_review
            from leadline.retrievers import bm25

            write_review(out / "review.csv", rows, bm25.build(), seed=seed)
    if not quiet and table.dropped:
        told = ", ".join(f"{count} {reason}" for reason, count in table.dropped.items())
        typer.echo(f"Places: {len(table.places)} used; dropped: {told}")
    typer.echo(f"Benchmark: {out} (leadline evaluate -b {out})", err=True)


def _from_documents(
    documents: Corpus,
    corpus: str,
    out: Path,
    models: Models,
    given: dict[str, Any],
    *,
    dry_run: bool,
    quiet: bool,
) -> None:
    """Write the benchmark of facts that documents of the user imply."""
    from leadline.kinds.benchmark_folder import write
    from leadline.kinds.implicit_facts.by_model import build

    made = by_model(
        "implicit-facts", build, documents, models, out, dry_run=dry_run,
        source=Path(corpus).resolve().name, **given,
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


def _filtered(table: Table, encoder: str, *, judge: bool) -> Table:
    """Return the places that the models asked for leave."""
    from leadline.cli.language_models import the_model
    from leadline.kinds.implicit_facts.places import far_from_countries, specific
    from leadline.retrievers import dense

    if encoder:
        table = far_from_countries(table, dense.build(encoder))
    return specific(table, the_model("leadline synthesize")) if judge else table


def _plan(out: Path, order: Order, names: Sequence[str], models: Models | None) -> None:
    told = (
        f"Would write {len(names)} pools of {order.sets} sets with {order.tuples} documents each "
        f"to {out}."
    )
    if models is None:
        typer.echo(f"{told} No language model is called; it costs nothing.")
        return
    from leadline.kinds.implicit_facts import pools_by_model
    from leadline.llm.run_record import RunRecord

    list(pools_by_model.build(models, order, RunRecord("dry run"), names))
    typer.echo(
        f"{told} What would be asked holds what is written again, where "
        f"{pools_by_model.REFUSED_DRAFTS:.0%} of drafts and "
        f"{pools_by_model.REFUSED_READINGS:.0%} of readings are refused."
    )


def _written(
    out: Path,
    order: Order,
    names: Sequence[str],
    facts: Mapping[str, Any],
    models: Models | None,
    *,
    quiet: bool,
) -> dict[str, list[dict[str, Any]]]:
    """Write the pools, and return their rows by name."""
    if models is None:
        from leadline.kinds.implicit_facts import pools_by_rules

        built: Sequence[Any] = pools_by_rules.write(out, order, names, facts=facts)
    else:
        from leadline.kinds.implicit_facts import pools_by_model

        if models.writer is models.verifier:
            told = "The writer reads its own documents back; --verify-model names another."
            typer.echo(told, err=True)
        built = pools_by_model.write(out, models, order, names, facts=facts)
    for each in built if not quiet or models else ():
        typer.echo(str(each), err=models is not None)
    return {each.name: each.rows for each in built if each.rows}


def _write_folders(out: Path, rows: Mapping[str, Any]) -> None:
    """Write every pool also as a benchmark folder, which other tools load."""
    from leadline.kinds.benchmark_folder import write
    from leadline.kinds.implicit_facts import published

    for pool in rows:
        part = pool.replace("_", "-")
        for benchmark in published.build(part, out):
            write(out / part, benchmark)
