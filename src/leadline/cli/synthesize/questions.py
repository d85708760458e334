"""leadline synthesize questions: natural queries, and the documents that answer them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from leadline.cli import options
from leadline.cli.synthesize.models import with_writers

if TYPE_CHECKING:
    from leadline.benchmark import Benchmark
    from leadline.llm.pipeline.models import Models


@options.reads_corpus
@with_writers
def synthesize(
    corpus: Annotated[str, typer.Argument(metavar="CORPUS", help="The documents.")],
    limit: Annotated[int, typer.Option(min=1, metavar="N", help="Most queries.")] = 200,
    reading: options.Reading = options.AS_IT_IS,
    out: options.Out = Path("leadline-out"),
    seed: options.Seed = 0,
    dry_run: options.DryRun = False,
    quiet: options.Quiet = False,
    models: Models | None = None,
) -> None:
    """Build natural queries and the documents that answer them, with a language model.

    The model writes one query for each document. A second model (--verify-model) says which of the
    documents that searches find answer it.

    Example: leadline synthesize questions my-corpus/ --llm URL --llm-model NAME --out questions/

    Then: leadline evaluate -s bm25 -b questions/
    """
    from leadline import progress
    from leadline.data.writing import output_folder
    from leadline.errors import InputError
    from leadline.kinds.benchmark_folder import write
    from leadline.kinds.questions import by_model

    if models is None:
        raise InputError("Questions are written by a language model: --llm URL --llm-model NAME.")
    with progress.shown(quiet=quiet):
        documents, _ = reading.read(corpus, seed, (), None)
        made = built(
            by_model.build, documents, models, out,
            dry_run=dry_run, seed=seed, limit=limit, source=corpus,
        )  # fmt: skip
        if not made:
            return
        write(output_folder(out), made)
    if not quiet:
        relevant = sum(map(len, made.qrels.values()))
        typer.echo(f"{len(made.queries)} queries, which {relevant} documents answer")
    typer.echo(f"Benchmark: {out} (leadline evaluate -b {out})", err=True)


def built(
    build: Callable[..., Benchmark], documents: Any, models: Models, out: Path,
    *, dry_run: bool, **given: Any,
) -> Benchmark | None:  # fmt: skip
    """Return what a builder makes with a language model; None in a dry run.

    Its record and its log are written into `out`. What it left out is said.

    Raises InputError when nothing is left.
    """
    from leadline import progress
    from leadline.data.writing import output_folder
    from leadline.errors import InputError
    from leadline.llm.pipeline.log import LogFile
    from leadline.llm.run_record import RunRecord

    if dry_run:
        build(documents, models, RunRecord("dry run"), **given)
        typer.echo(f"Would write the benchmark to {out}.")
        return None
    if models.writer is models.verifier and models.reads:
        progress.say("The writer reads its own work; --verify-model names another reader.")
    folder = output_folder(out)
    how = {"seed": given["seed"], "writer": models.writer.name, "verifier": models.verifier.name}
    into = RunRecord(build.__module__, how)
    with into.kept_in(folder), LogFile.open_in(folder) as log:
        made = build(documents, models, into, log=log, **given)
    left_out = ", ".join(f"{count} {reason}" for reason, count in made.built["dropped"].items())
    if not made.queries:
        raise InputError(f"Nothing could be built of {given['source']}: {left_out}.")
    if left_out:
        progress.say(f"Left out: {left_out}.")
    return made
