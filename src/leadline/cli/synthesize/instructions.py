"""leadline synthesize instructions: queries with an instruction, and the reverse instruction."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import typer

from leadline import progress
from leadline.cli import options
from leadline.cli.language_models import built, with_writers
from leadline.errors import InputError

if TYPE_CHECKING:
    from leadline.benchmark import Benchmark


@options.reads_corpus
@with_writers
def synthesize(
    corpus: str,
    *,
    out: Path = Path("leadline-out"),
    queries: Path | None = None,
    qrels: Path | None = None,
    limit: options.Count = 100,
    dimension: Sequence[str] = (),
    protocol: Literal["", "paper"] = "",
    review: Sequence[str] = (),
    reading: options.Reading = options.AS_IT_IS,
    seed: int = 0,
    dry_run: bool = False,
    quiet: bool = False,
    models: Any = None,
) -> None:
    """Build instructions about the form of documents, and their reverse: by rules, or with --llm.

    Example: leadline synthesize instructions my-notes/ --out instructions/

    By a model: leadline synthesize instructions my-notes/ --llm URL --llm-model NAME

    Then: leadline evaluate -s bm25 -s hybrid+by_attribute -b instructions/

    Options:
        corpus: Documents to build from.
        queries FILE: Your own queries, with [bold]--qrels[/bold]. Their relevant documents must
            differ in length, audience or language.
        qrels FILE: Judgements of those queries, as BEIR's test.tsv.
        limit N: At most N core queries: for each dimension by rules, in all with --llm.
        dimension NAME: With --llm: only this dimension (audience, keyword, format, language,
            length, source). Repeatable.
        protocol NAME: With --llm: [bold]paper[/bold] follows InfoSearch's seven steps, some 30
            calls for each core query. By default two calls.
        review SYSTEM: Write review.csv with the documents that at least half of these systems do
            not find among the first 50, or (with --protocol paper) score below 0.5. Repeatable.
    """
    from leadline.data.folder import read_beir_qrels, read_queries
    from leadline.data.writing import output_folder
    from leadline.kinds.benchmark_folder import write
    from leadline.kinds.instructions import by_model, by_rules, paper_protocol

    if (queries is None) != (qrels is None):
        raise InputError("--queries and --qrels belong together. Give both.")
    if models is None and (protocol or dimension):
        raise InputError("--protocol and --dimension need --llm URL.")
    if models is not None and queries and not protocol:
        raise InputError("With --llm, --queries and --qrels need --protocol paper.")
    with progress.shown(quiet=quiet):
        asked = read_queries(queries) if queries else ()
        judged = read_beir_qrels(qrels) if qrels else None
        documents, judged = reading.read(corpus, seed, asked, judged)
        own: dict[str, Any] = {"queries": asked, "qrels": judged}
        given: dict[str, Any] = {"seed": seed, "limit": limit}
        given["source"] = Path(corpus).resolve().name
        build: Any = by_rules.build
        if models is not None:
            build = paper_protocol.build if protocol else by_model.build
            given["dimensions"] = dimension
        if models is None or protocol:
            given |= own
        made = built(
            "instructions", build, documents, models, out, dry_run=dry_run, is_tried=not protocol,
            **given,
        )  # fmt: skip
        if made is None:
            return
    write(output_folder(out), made)
    if review:
        _write_sheet(out, made, review, has_least=bool(protocol))
    if not quiet:
        for each, count in made.built["core queries"].items():
            typer.echo(f"{each}: {count} core queries")
    typer.echo(f"Benchmark: {out} (leadline evaluate -b {out})", err=True)


def _write_sheet(out: Path, built: Benchmark, named: Sequence[str], *, has_least: bool) -> None:
    from leadline.kinds.instructions.paper_protocol import LEAST_SCORE, write_sheet
    from leadline.systems.chains import load_system

    originals = [each for each in built.queries if each.facets["mode"] == "original"]
    systems = {name: load_system(name) for name in named}
    runs = {name: each.run(built.corpus, originals).run for name, each in systems.items()}
    scored = [name for name, each in systems.items() if not each.scores_are_ranks]
    least = dict.fromkeys(scored if has_least else (), LEAST_SCORE)
    count = write_sheet(out / "review.csv", built, runs, least)
    typer.echo(f"{count} documents to review: {out / 'review.csv'}", err=True)
