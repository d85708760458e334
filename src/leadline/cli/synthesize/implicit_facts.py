"""leadline synthesize implicit-facts: queries for facts that documents only imply."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from leadline import progress
from leadline.cli import options
from leadline.cli.language_models import built, the_model, with_writers
from leadline.errors import InputError

if TYPE_CHECKING:
    from leadline.kinds.implicit_facts.pools import Order
    from leadline.llm.pipeline.steps import Models


@options.reads_corpus
@with_writers
def synthesize(
    corpus: str | None = None,
    *,
    out: Path = Path("leadline-out"),
    seed: int = 0,
    limit: options.Count = 200,
    reading: options.Reading = options.AS_IT_IS,
    sets: options.Count = 50,
    tuples: options.Count = 30,
    pool: Sequence[str] = (),
    places: Path | None = None,
    place_encoder: str = "",
    review: bool = False,
    judge_places: bool = False,
    dry_run: bool = False,
    quiet: bool = False,
    models: Any = None,
) -> None:
    """Build queries for facts that documents only imply, from your documents or invented ones.

    With CORPUS a language model finds days, amounts and places that your documents imply. Without
    CORPUS the model invents chats and forum replies like those of ImpliRet. Both need --llm.

    Example: leadline synthesize implicit-facts my-notes/ --llm URL --llm-model NAME --out facts/

    Invented: leadline synthesize implicit-facts --llm URL --llm-model NAME --out facts/

    Then: leadline evaluate -s bm25 -b facts/

    Options:
        corpus [CORPUS]: Documents to find implied facts in. Without CORPUS, documents are
            invented.
        limit N: Read at most N documents of CORPUS.
        sets N: Tuple sets in every pool.
        tuples M: Documents in a set. Each document has one question.
        pool POOL: Build only this pool, such as [bold]temporal-multispeaker[/bold]. Repeatable.
        places TABLE: Landmarks and their countries: a dump of Wikidata (.json, .json.gz,
            .json.bz2), an export of it (.jsonl, .csv or .tsv), or a .tsv of
            name, kind and country code. Default: a short built-in list.
        place_encoder MODEL: Drop landmarks whose name is similar to that of their country, as this
            dense model embeds them, such as [bold]facebook/contriever[/bold].
        review: Also write review.csv: 12 documents of each pool, with columns for readers to fill
            in.

    Options (Language models):
        judge_places: Let the model of [bold]--llm[/bold] drop landmarks whose name is generic or
            reveals the country. This asks one question for each.
    """
    from leadline.kinds.benchmark_folder import write
    from leadline.kinds.implicit_facts import pools_by_model, published
    from leadline.kinds.implicit_facts.places import far_from_countries, read_places, specific
    from leadline.kinds.implicit_facts.pools import POOLS, Order
    from leadline.retrievers import bm25, dense

    if models is None:
        raise InputError(
            "Implicit facts need --llm URL, because a language model finds or writes them."
        )
    told: list[str] = []
    with progress.shown(quiet=quiet):
        table = read_places(places)
        if corpus is not None:
            from leadline.kinds.implicit_facts.by_model import build

            documents, _ = reading.read(corpus, seed)
            named = {place.name: place.country for place in table.places}
            made = built(
                "implicit-facts", build, documents, models, out, dry_run=dry_run,
                source=Path(corpus).resolve().name, seed=seed, limit=limit, places=named,
            )  # fmt: skip
            if made is None:
                return
            write(out, made)
            found = made.built["facts"]
            told = [f"{kind}: {count} queries" for kind, count in found["kept"].items()]
            rivals = found["with rivals that hold all words"]
            told.append(f"For {rivals} queries, another document holds every word except the value")
        else:
            if place_encoder:
                table = far_from_countries(table, dense.build(place_encoder))
            if judge_places:
                table = specific(table, the_model("leadline synthesize"))
            order = Order(seed, sets, tuples, table.places)
            names = [name.replace("-", "_") for name in pool] or list(POOLS)
            if dry_run:
                _plan(out, order, names, models)
                return
            facts = {"places": {
                "table": places.name if places else "built in", "kept": len(table.places),
                "encoder": place_encoder, "judged": judge_places, "dropped": dict(table.dropped),
            }}  # fmt: skip
            if models.writer is models.verifier:
                note = (
                    "The writer checks its own documents. Name another model with --verify-model."
                )
                typer.echo(note, err=True)
            pools = pools_by_model.write(out, models, order, names, facts=facts)
            for filled in pools:
                typer.echo(str(filled), err=True)
            rows = {each.name: each.rows for each in pools if each.rows}
            for each in rows:  # also write benchmark folders, which other tools can load
                part = each.replace("_", "-")
                for benchmark in published.build(part, out):
                    write(out / part, benchmark)
            if review:
                pools_by_model.write_review(out / "review.csv", rows, bm25.build(), seed=seed)
            if table.dropped:
                reasons = ", ".join(f"{count} {reason}" for reason, count in table.dropped.items())
                told = [f"Places: {len(table.places)} used; dropped: {reasons}"]
    for line in told if not quiet else ():
        typer.echo(line)
    typer.echo(f"Benchmark: {out} (leadline evaluate -b {out})", err=True)


def _plan(out: Path, order: Order, names: Sequence[str], models: Models) -> None:
    from leadline.kinds.implicit_facts import pools_by_model
    from leadline.llm.run_record import RunRecord

    list(pools_by_model.build(models, order, RunRecord("dry run"), names))
    typer.echo(
        f"Would write {len(names)} pools of {order.sets} sets with {order.tuples} documents each "
        f"to {out}."
    )
