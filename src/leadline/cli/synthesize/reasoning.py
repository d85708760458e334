"""leadline synthesize reasoning: queries whose relevant documents take reasoning to see."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from leadline.cli import options
from leadline.cli.synthesize.models import with_writers

if TYPE_CHECKING:
    from leadline.kinds.reasoning.by_model import Built
    from leadline.kinds.reasoning.pairs import JudgedPair, PairSet
    from leadline.kinds.reasoning.recipe import Recipe
    from leadline.llm.pipeline.models import Models
    from leadline.types import Document, Query

_MIXING = "Training pairs"


@options.reads_corpus
@with_writers
def synthesize(
    corpus: Annotated[
        str | None,
        typer.Argument(
            metavar="[CORPUS]",
            help="Documents of which seed queries are made, where --queries gives none.",
            show_default=False,
        ),
    ] = None,
    queries: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Your own seed queries, as for check."),
    ] = None,
    style: Annotated[
        str,
        typer.Option(
            metavar="STYLE",
            help="[bold]both[/bold] makes a daily-life and an expert query of each seed; "
            "[bold]daily[/bold], [bold]expert[/bold] one; [bold]plain[/bold] takes the seed as it "
            "stands.",
        ),
    ] = "both",
    difficulty: Annotated[
        str,
        typer.Option(
            metavar="LEVEL",
            help="[bold]mixed[/bold], [bold]simple[/bold] or [bold]hard[/bold] queries.",
        ),
    ] = "mixed",
    traces: Annotated[
        str,
        typer.Option(
            metavar="LENGTH",
            help="Reasoning of the judge: [bold]adaptive[/bold], "
            "[bold]short[/bold] or [bold]long[/bold].",
        ),
    ] = "adaptive",
    protocol: Annotated[
        Literal["short", "paper"],
        typer.Option(
            help="[bold]short[/bold] plans the passages of a query in one call, four relevant and "
            "four others; [bold]paper[/bold] takes every step of LimRank in a call of its own.",
        ),
    ] = "short",
    judge: Annotated[
        Literal["own", "rank1"],
        typer.Option(
            help="What the judge is asked: our own words, or [bold]rank1[/bold] as in the paper, "
            "for a model that thinks before it answers.",
        ),
    ] = "own",
    personas: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Descriptions of people, one a line, as examples; without it, our own short list.",
        ),
    ] = None,
    limit: Annotated[int, typer.Option(min=1, metavar="N", help="Most seeds.")] = 200,
    held_out: Annotated[
        float,
        typer.Option(
            min=0,
            max=0.9,
            metavar="SHARE",
            help="Share of the seeds that only the benchmark has, never the pairs.",
        ),
    ] = 0.2,
    against: Annotated[
        list[Path],
        typer.Option(
            metavar="FILE",
            help="Queries of an evaluation, as for check: what says "
            "the same is left out. Repeatable.",
        ),
    ] = [],  # noqa: B006  (typer copies it)
    size: Annotated[
        int | None,
        typer.Option(
            min=2, metavar="N", help="Most pairs, half of them relevant.", rich_help_panel=_MIXING
        ),
    ] = None,
    mix: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="Another set of judged pairs to mix in: a file or folder of our own, or Rank1, "
            "Promptriever or ReasonIR as published ([bold]OWNER/NAME[/bold] on the hub).",
            rich_help_panel=_MIXING,
        ),
    ] = None,
    mix_size: Annotated[
        int | None,
        typer.Option(
            min=2,
            metavar="N",
            help="How many of its pairs; without it, as many as are synthesized.",
            rich_help_panel=_MIXING,
        ),
    ] = None,
    mix_documents: Annotated[
        str,
        typer.Option(
            metavar="CORPUS",
            help="Documents that its pairs name by id, such as BRIGHT's for ReasonIR.",
            rich_help_panel=_MIXING,
        ),
    ] = "",
    reading: options.Reading = options.AS_IT_IS,
    out: options.Out = Path("leadline-out"),
    seed: options.Seed = 0,
    dry_run: options.DryRun = False,
    quiet: options.Quiet = False,
    models: Any = None,
) -> None:
    """Build queries that take reasoning, passages that help or only seem to, and why.

    A second model (--verify-model) judges each passage and says why; only passages that it judges
    as they were meant are kept. What it thought is the trace of a pair: its own reasoning if the
    server sends it. Writes pairs.jsonl (to train on) and a benchmark folder.

    Example: leadline synthesize reasoning --queries seeds.txt --llm URL --llm-model NAME

    Then: leadline train reasoner --pairs leadline-out/pairs.jsonl --model MODEL

    And: leadline evaluate -s bm25 -b leadline-out
    """  # fmt: skip
    from leadline import progress
    from leadline.errors import InputError
    from leadline.kinds.reasoning.recipe import Recipe

    recipe = Recipe(style, difficulty, traces, protocol, judge)
    if recipe.is_as_in_paper:
        recipe = replace(recipe, words=(30, 400))
    if (corpus is None) == (queries is None):
        raise InputError("Give either documents, CORPUS, or seed queries, --queries FILE.")
    if mix_size is not None and mix is None:
        raise InputError("--mix-size counts the pairs of --mix FILE, which is missing.")
    if models is None:
        raise InputError(
            "reasoning is written by a language model: give --llm URL and --llm-model NAME."
        )
    with progress.shown(quiet=quiet):
        sources = _sources(corpus, reading, queries, limit, seed)
        leaks = _leaks(against)
        if dry_run:
            _plan(sources, models, recipe, personas, seed)
            typer.echo(f"Would make groups of {len(sources)} seeds and write them to {out}.")
            return
        others = _others(mix, mix_documents, mix_size, leaks, seed)
        built = _built(sources, models, out, recipe, personas, seed, leaks)
        told = _write(out, built, seed, held_out, (size, others), models, recipe)
    if not quiet:
        for name, value in told.items():
            typer.echo(f"{name}: {value}")
    typer.echo(f"Pairs: {out / 'pairs.jsonl'}", err=True)
    typer.echo(f"Benchmark: {out} (leadline evaluate -b {out})", err=True)


def _sources(
    corpus: str | None, reading: options.Reading, queries: Path | None, limit: int, seed: int
) -> list[Query | Document]:
    """Return seeds drawn at random, in the order of the file."""
    import random

    from leadline.data.folder import read_queries

    found: Sequence[Any]
    if queries is not None:
        found = read_queries(queries)
    else:
        documents, _ = reading.read(corpus or "", seed)
        ids = list(documents)
        drawn = random.Random(f"{seed} seeds").sample(range(len(ids)), min(limit, len(ids)))
        return [documents[ids[place]] for place in sorted(drawn)]
    drawn = random.Random(f"{seed} seeds").sample(range(len(found)), min(limit, len(found)))
    return [found[place] for place in sorted(drawn)]


def _leaks(against: Sequence[Path]) -> Any:
    from leadline.data.folder import read_queries
    from leadline.kinds.reasoning.groups import Leaks

    return Leaks(query.content for path in against for query in read_queries(path))


def _others(
    mix: str | None, documents: str, size: int | None, leaks: Any, seed: int
) -> Mixed | None:
    """Open the other set, and draw from it at once where its size is known."""
    from leadline.kinds.reasoning.pairs import open_pairs

    if mix is None:
        return None
    others = open_pairs(mix, documents)
    return Mixed(others, leaks, others.drawn(size, seed, leaks=leaks) if size else None)


@dataclass(frozen=True)
class Mixed:
    """Another set of pairs, and those drawn from it; None until it is known how many."""

    source: PairSet
    leaks: Any
    pairs: list[JudgedPair] | None

    def drawn(self, size: int, seed: int) -> list[JudgedPair]:
        """Return the pairs drawn, `size` of them where that was not said before."""
        if self.pairs is not None:
            return self.pairs
        return self.source.drawn(size, seed, leaks=self.leaks)

    def told(self) -> dict[str, Any]:
        """Say for the statistics where the pairs are from, and what was passed over."""
        layout = self.source.layout
        return {
            "mixed from": self.source.source,
            "layout": layout.name if layout else "leadline",
            "passed over": dict(self.source.skipped),
        }


def _plan(
    sources: Sequence[Any], models: Models, recipe: Recipe, personas: Path | None, seed: int
) -> None:
    """Count what would be asked, inside the account of a dry run."""
    from leadline.kinds.reasoning.by_model import build_groups
    from leadline.kinds.reasoning.steps import read_personas
    from leadline.llm.run_record import RunRecord

    into = RunRecord("dry run")
    build_groups(sources, models, into, recipe=recipe, personas=read_personas(personas), seed=seed)


def _built(
    sources: Sequence[Any],
    models: Models,
    out: Path,
    recipe: Recipe,
    personas: Path | None,
    seed: int,
    leaks: Any,
) -> Built:
    """Return what a model makes, without leaks and repetitions; words alone are tried on it."""
    from collections import Counter

    from leadline.data.writing import output_folder
    from leadline.errors import InputError
    from leadline.kinds.reasoning.by_model import Built, build_groups
    from leadline.kinds.reasoning.groups import by_words, filtered
    from leadline.kinds.reasoning.steps import read_personas
    from leadline.llm.pipeline.log import LogFile
    from leadline.llm.run_record import RunRecord
    from leadline.systems.chains import load_system

    if models.writer is models.verifier:
        typer.echo("The writer judges its own passages; --verify-model names another.", err=True)
    people = read_personas(personas)
    how = {"seed": seed, "writer": models.writer.name, "verifier": models.verifier.name,
           **asdict(recipe), "personas": personas.name if personas else "built in"}  # fmt: skip
    folder = output_folder(out)
    into = RunRecord("reasoning", how)
    with into.kept_in(folder), LogFile.open_in(folder) as log:
        built = build_groups(
            sources, models, into, recipe=recipe, personas=people, seed=seed, log=log
        )
        dropped = Counter(built.dropped)
        groups = filtered(built.groups, dropped, leaks=leaks, note=into.note)
        if not groups:
            raise InputError(f"Nothing is left: {dict(dropped)}.")
        groups = by_words(groups, lambda *asked: load_system("bm25").run(*asked).run)
        return Built(groups, dict(sorted(dropped.items())))


def _write(
    out: Path,
    built: Built,
    seed: int,
    held_out: float,
    mixing: tuple[int | None, Mixed | None],
    models: Models,
    recipe: Recipe,
) -> dict[str, Any]:
    """Write pairs, permutations, sets, the benchmark, a sample and the statistics."""
    import json

    from leadline.data.jsonl import write_records
    from leadline.data.writing import atomic_file
    from leadline.kinds.benchmark_folder import write
    from leadline.kinds.reasoning import shapes
    from leadline.kinds.reasoning.pairs import FILE, write_pairs
    from leadline.kinds.reasoning.review import write_sample

    groups, dropped = built.groups, dict(built.dropped)
    parts = shapes.split(groups, held_out, seed)
    size, others = mixing
    judged = list(shapes.pairs_of(parts.training))
    pairs = shapes.balanced(judged, seed, size)
    own = len(pairs)
    if others is not None:
        pairs = shapes.mixed(pairs, others.drawn(own, seed), seed)
    told = shapes.statistics(groups, pairs)
    told |= others.told() if others is not None else {}
    if size is not None and own < size // 2 * 2:
        told["pairs fewer than --size"] = size - own
        typer.echo(
            f"{own} balanced pairs were made, --size asked for {size}: give more seeds (--limit)."
            + " The mixture has another ratio than asked for." * (others is not None),
            err=True,
        )
    told |= {"pairs left out for balance or --size": len(judged) - own,
             "pairs mixed in": len(pairs) - own, "held-out queries": len(parts.held_out),
             "dropped": dropped}  # fmt: skip
    write_pairs(out / FILE, pairs)
    write_records(out / "permutations.jsonl", shapes.permutations(parts.training, seed))
    write_records(out / "sets.jsonl", shapes.sets(parts.training, seed))
    write(out, shapes.as_benchmark(
        "reasoning", parts, seed=seed, writer=models.writer.name, verifier=models.verifier.name,
        recipe=asdict(recipe), dropped=dropped, read=models.reads,
    ))  # fmt: skip
    write_sample(out / "sample.txt", groups, seed=seed)
    with atomic_file(out / "statistics.json") as handle:
        json.dump(told, handle, indent=1, ensure_ascii=False)
    return told
