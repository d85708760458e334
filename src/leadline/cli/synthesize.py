"""leadline synthesize: build a benchmark."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from leadline.cli import options

if TYPE_CHECKING:
    from leadline.synthesis.implicit_facts.by_rules import Pool

_KINDS = ("implicit-facts",)


def synthesize(
    kind: Annotated[
        str,
        typer.Argument(
            metavar="KIND",
            help="What to build: [bold]implicit-facts[/bold], six pools of chats and forum "
            "replies whose facts follow from dates, prices and places.",
            show_default=False,
        ),
    ],
    corpus: Annotated[
        str | None,
        typer.Argument(
            metavar="[CORPUS]",
            help="Documents to build from; implicit-facts invents its own and takes none.",
            show_default=False,
        ),
    ] = None,
    out: options.Out = Path("leadline-out"),
    seed: options.Seed = 0,
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
            help="Landmarks and their countries: an export of Wikidata (.jsonl, .csv, .tsv or the "
            ".json of SPARQL), or a .tsv of name, kind and country code. Without it, our own "
            "short list of well-known ones.",
        ),
    ] = None,
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
    dry_run: options.DryRun = False,
    quiet: options.Quiet = False,
) -> None:
    """Build a benchmark, by rules, without any language model.

    Example: leadline synthesize implicit-facts --out facts/ --seed 7

    Then: leadline evaluate -s bm25 -b implicit-facts --data facts/
    """
    from leadline import progress
    from leadline.errors import InputError, unknown
    from leadline.synthesis.implicit_facts import by_rules
    from leadline.synthesis.implicit_facts.binding import POOLS, Order
    from leadline.synthesis.implicit_facts.places import read_places

    if kind not in _KINDS:
        raise unknown("kind of benchmark", kind, _KINDS)
    if corpus is not None:
        raise InputError(f"implicit-facts takes no corpus, got {corpus!r}.")
    names = [name.replace("-", "_") for name in pool] or list(POOLS)
    table = read_places(places, _countries())
    order = Order(seed, sets, tuples, "printed" if printed else "tens", table.places)
    if dry_run:
        typer.echo(
            f"Would write {len(names)} pools of {sets} sets with {tuples} documents each to "
            f"{out}. No language model is called; it costs nothing."
        )
        return
    facts = {
        "places": {
            "table": places.name if places else "built in",
            "kept": len(table.places),
            "dropped": dict(table.dropped),
        }
    }
    with progress.shown(quiet=quiet):
        built = by_rules.write(out, order, names, facts=facts)
        if review:
            _write_review(out, built, seed)
    if not quiet:
        for each in built.values():
            rejected = each.rejected.total()
            typer.echo(
                f"{each.name}: {len(each.rows)} documents and questions, {rejected} drafts rejected"
            )
    typer.echo(f"Benchmark: {out} (leadline evaluate -b implicit-facts --data {out})", err=True)


def _write_review(out: Path, built: Mapping[str, Pool], seed: int) -> None:
    from leadline.retrievers import bm25
    from leadline.synthesis.implicit_facts.review import write_sheet

    pools = {name: pool.rows for name, pool in built.items()}
    write_sheet(out / "review.csv", pools, bm25.build(), seed=seed)


def _countries() -> dict[str, tuple[str, ...]]:
    """Return the names and adjectives of every country by its code."""
    from leadline.enrichers.countries import DEMONYMS, VARIANTS

    people: dict[str, list[str]] = {}
    for demonym, code in DEMONYMS.items():
        people.setdefault(code, []).append(demonym.title())
    return {code: (*names, *people.get(code, ())) for code, names in VARIANTS.items()}
