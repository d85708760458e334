"""leadline synthesize instructions."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from leadline.cli import options
from leadline.cli.synthesize.models import by_model, with_writers

if TYPE_CHECKING:
    from leadline.benchmark import Benchmark
    from leadline.llm.pipeline.models import Models
    from leadline.types import Corpus, Qrels, Query


@options.reads_corpus
@with_writers
def synthesize(
    corpus: Annotated[
        str | None,
        typer.Argument(
            metavar="[CORPUS]",
            help="Documents to build from; none with [bold]--invented[/bold].",
            show_default=False,
        ),
    ] = None,
    out: options.Out = Path("leadline-out"),
    queries: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Your own queries, as for check, with [bold]--qrels[/bold]: core queries whose "
            "relevant documents differ in length, audience or language.",
        ),
    ] = None,
    qrels: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Judgements of those queries, as BEIR's test.tsv."),
    ] = None,
    field: Annotated[
        list[str],
        typer.Option(
            "--field",
            metavar="NAME",
            help="A field of the metadata as a dimension of its own. Repeatable.",
        ),
    ] = [],  # noqa: B006  (typer copies it)
    invented: Annotated[
        bool,
        typer.Option(
            "--invented",
            help="Invent a corpus on household appliances, with all six dimensions.",
        ),
    ] = False,
    limit: Annotated[
        int,
        typer.Option(
            min=1,
            metavar="N",
            help="At most N core queries: of each dimension by rules, of all together with --llm.",
        ),
    ] = 100,
    dimension: Annotated[
        list[str],
        typer.Option(
            "--dimension",
            metavar="NAME",
            help="With --llm: only this dimension (audience, keyword, format, language, length, "
            "source). Repeatable.",
        ),
    ] = [],  # noqa: B006
    protocol: Annotated[
        Literal["", "paper"],
        typer.Option(
            metavar="NAME",
            help="With --llm: [bold]paper[/bold] for InfoSearch's seven steps, some 12 calls a "
            "core query; without it two calls.",
            show_default=False,
        ),
    ] = "",
    review: Annotated[
        list[str],
        typer.Option(
            "--review",
            metavar="SYSTEM",
            help="Write review.csv with the documents that at least half of these systems do not "
            "find among the first 50. Repeatable.",
        ),
    ] = [],  # noqa: B006
    reading: options.Reading = options.AS_IT_IS,
    seed: options.Seed = 0,
    dry_run: options.DryRun = False,
    quiet: options.Quiet = False,
    models: Models | None = None,
) -> None:
    """Build instructions on what documents are like, and their reverse: by rules, or with --llm.

    Example: leadline synthesize instructions my-notes/ --out instructions/

    By a model: leadline synthesize instructions my-notes/ --llm URL --llm-model NAME

    Then: leadline evaluate -s bm25 -s hybrid+by_attribute -b instructions/
    """
    from leadline import progress
    from leadline.data.folder import read_beir_qrels, read_queries
    from leadline.data.writing import output_folder
    from leadline.errors import InputError
    from leadline.kinds.benchmark_folder import write
    from leadline.kinds.instructions import by_rules, invented_corpus

    if (queries is None) != (qrels is None):
        raise InputError("--queries and --qrels belong together: one of them is missing.")
    if invented == (corpus is not None):
        raise InputError("Give a CORPUS, or --invented and none.")
    asked = read_queries(queries) if queries else ()
    judged = read_beir_qrels(qrels) if qrels else None
    with progress.shown(quiet=quiet):
        if models is not None:
            if corpus is None or field:
                raise InputError("--llm builds from a CORPUS, without --field and --invented.")
            documents, judged = reading.read(corpus, seed, asked, judged)
            if asked and not protocol:
                raise InputError("With --llm, --queries and --qrels need --protocol paper.")
            own = (asked, judged) if judged is not None else None
            made = _by_llm(
                documents, corpus, models, out, dimension, own, seed, limit, protocol,
                dry_run=dry_run,
            )  # fmt: skip
            if made is None:
                return
            built = made
        elif protocol or dimension:
            raise InputError("--protocol and --dimension belong to --llm URL, which is missing.")
        elif dry_run:
            typer.echo(f"Would build by rules and write to {out}; no language model is called.")
            return
        elif corpus is None:
            built = invented_corpus.build(seed=seed, limit=limit)
        else:
            documents, judged = reading.read(corpus, seed, asked, judged)
            built = by_rules.build(
                documents,
                queries=asked,
                qrels=judged,
                seed=seed,
                limit=limit,
                source=Path(corpus).resolve().name,
                fields=field,
            )
    counts = built.built["core queries"]
    if not counts:
        reasons = "; ".join(f"{n} {why}" for why, n in built.built["dropped"].items())
        raise InputError(f"No instructions could be built from {corpus} ({reasons}).")
    write(output_folder(out), built)
    if review:
        _write_sheet(out, built, review)
    if not quiet:
        for dimension, count in counts.items():
            typer.echo(f"{dimension}: {count} core queries")
    typer.echo(f"Benchmark: {out} (leadline evaluate -b {out})", err=True)


def _by_llm(
    documents: Corpus,
    corpus: str,
    models: Models,
    out: Path,
    dimensions: Sequence[str],
    own: tuple[Sequence[Query], Qrels] | None,
    seed: int,
    limit: int,
    protocol: str,
    *,
    dry_run: bool,
) -> Benchmark | None:
    """Return what a language model built; None in a dry run."""
    from leadline.errors import unknown
    from leadline.kinds.instructions import paper_protocol
    from leadline.kinds.instructions.by_model import DIMENSIONS, build

    for each in dimensions:
        if each not in DIMENSIONS:
            raise unknown("dimension", each, DIMENSIONS)
    given: dict[str, Any] = {
        "dimensions": list(dimensions) or list(DIMENSIONS),
        "seed": seed, "limit": limit, "source": Path(corpus).resolve().name,
    }  # fmt: skip
    making: Any = build
    if protocol:
        making = paper_protocol.build
        given["queries"] = paper_protocol.with_queries(documents, *own) if own else None
    return by_model(
        "instructions", making, documents, models, out,
        dry_run=dry_run, is_tried=not protocol, **given,
    )  # fmt: skip


def _write_sheet(out: Path, built: Benchmark, systems: Sequence[str]) -> None:
    from leadline.kinds.instructions.screening import doubtful, write_sheet
    from leadline.systems.chains import load_system

    originals = [each for each in built.queries if each.facets["mode"] == "original"]
    runs = {name: load_system(name).run(built.corpus, originals).run for name in systems}
    doubts = doubtful(built, runs)
    write_sheet(out / "review.csv", built, doubts)
    typer.echo(f"{len(doubts)} documents to review: {out / 'review.csv'}", err=True)
