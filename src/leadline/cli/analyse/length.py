"""leadline analyse length: the same ladders in longer and longer documents."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from leadline.cli import options as shared
from leadline.cli.language_models import with_models

if TYPE_CHECKING:
    from leadline.analysis.length import LengthStudy
    from leadline.benchmark import Benchmark
    from leadline.system import System


@with_models
def length(
    system: shared.Systems,
    data: shared.Ladders = None,
    words: Annotated[
        list[int] | None,
        typer.Option(
            min=0,
            metavar="N",
            help="Pad documents to so many words; 0 as they are. Repeat for several; by default "
            "0, 512 and 1024.",
        ),
    ] = None,
    style: shared.Style = "list",
    limit: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Use at most N ladders of each domain.")
    ] = None,
    out: shared.Out = Path("leadline-length"),
    seed: shared.Seed = 0,
    quiet: shared.Quiet = False,
) -> None:
    """Show what padding does to how systems order ladders of conditions, and to similarity.

    Example: leadline analyse length -s minilm -s bm25 --data conditions_dev/
    """
    from leadline import progress
    from leadline.analysis.length import figures, in_common
    from leadline.checking import load_systems
    from leadline.data.writing import output_folder
    from leadline.evaluation import limited
    from leadline.pages.study import Study, write_study

    lengths = sorted(set(words or (0, 512, 1024)))
    systems = load_systems(system)
    folder = output_folder(out)
    with progress.shown(quiet=quiet):
        ladders = in_common({words: _ladders(words, data, style) for words in lengths})
        parts = {
            words: [limited(each, limit) for each in found] for words, found in ladders.items()
        }
        studies = [_studied(each, parts, seed) for each in systems]
    sentences = [_told(each) for each in studies]
    page = write_study(
        folder,
        Study(
            name="length",
            title="Length of documents",
            command=shlex.join(["leadline", *sys.argv[1:]]),
            facts={
                "words": ", ".join(map(str, lengths)),
                "queries": f"all conditions, {style}",
                "seed": str(seed),
            },
            sentences=sentences,
            figures=figures(studies),
            numbers=[each.as_json() for each in studies],
        ),
    )
    if not quiet:
        typer.echo("\n".join(sentences))
    typer.echo(f"Study: {page}", err=True)


def _ladders(words: int, data: Path | None, style: str) -> list[Benchmark]:
    from leadline.analysis.length import only_ladders
    from leadline.systems.benchmarks import load_benchmarks

    name = f"conditions:words={words}" if words else "conditions"
    return [only_ladders(each, style) for each in load_benchmarks(name, data=data)]


def _studied(system: System, parts: dict[int, list[Benchmark]], seed: int) -> LengthStudy:
    from leadline.analysis.length import study_length
    from leadline.evaluation import evaluate
    from leadline.models.encoder import Embedder

    by_words = {
        words: [(each, evaluate(system, each, seed=seed)) for each in some]
        for words, some in parts.items()
    }
    encoder: object = system.retriever
    similar = isinstance(encoder, Embedder) and not system.rerankers
    return study_length(system.name, by_words, similar=similar, reader=system, seed=seed)


def _told(study: LengthStudy) -> str:
    """Return both measures by length in a sentence."""
    rates = ", ".join(f"{each.mean:.3f} {_length(words)}" for words, each in study.adjacent.items())
    ladders = next(iter(study.adjacent.values())).n
    scores = ", ".join(
        f"{each.mean:.3f} {_length(words)}" for words, each in study.similarity.items()
    )
    unread = ", ".join(
        f"{each.mean:.3f} {_length(words)}" for words, each in study.unread.items() if each.mean
    )
    return (
        f"{study.system}, {ladders} ladders: adjacent win rate {rates}"
        + (f"; similarity {scores}" if scores else "")
        + (f"; what differs is unread in {unread}." if unread else ".")
    )


def _length(words: int) -> str:
    return f"at {words} words" if words else "as they are"
