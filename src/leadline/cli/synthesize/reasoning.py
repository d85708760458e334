"""leadline synthesize reasoning: queries whose relevant passages only reasoning can recognise."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from leadline import progress
from leadline.cli import options
from leadline.cli.language_models import with_writers
from leadline.errors import InputError

if TYPE_CHECKING:
    from leadline.kinds.reasoning.by_model import Built, Recipe
    from leadline.kinds.reasoning.pairs import JudgedPair
    from leadline.llm.pipeline.steps import Models

_MIXING = "Training pairs"


@options.reads_corpus
@with_writers
def synthesize(
    corpus: str | None = None,
    *,
    queries: Path | None = None,
    style: str = "both",
    difficulty: str = "mixed",
    traces: str = "adaptive",
    protocol: Literal["short", "paper"] = "short",
    judge: Literal["own", "rank1"] = "own",
    personas: Path | None = None,
    limit: options.Count = 200,
    held_out: Annotated[float, options.Bounds(0, 0.9)] = 0.2,
    against: Sequence[Path] = (),
    size: Annotated[int, options.Bounds(2)] | None = None,
    mix: str | None = None,
    mix_size: Annotated[int, options.Bounds(2)] | None = None,
    mix_documents: str = "",
    reading: options.Reading = options.AS_IT_IS,
    out: Path = Path("leadline-out"),
    seed: int = 0,
    dry_run: bool = False,
    quiet: bool = False,
    models: Any = None,
) -> None:
    """Build queries that take reasoning, passages that help or only seem to, and explanations.

    A second model (--verify-model) judges each passage and explains why. A passage is kept only if
    the judge agrees with its label. The explanation, or the judge's own reasoning if the server
    sends it, becomes the trace of the pair. Writes pairs.jsonl for training, and a benchmark
    folder.

    Example: leadline synthesize reasoning --queries seeds.txt --llm URL --llm-model NAME

    Then: leadline train reasoner --pairs leadline-out/pairs.jsonl --model MODEL

    And: leadline evaluate -s bm25 -b leadline-out

    Options:
        corpus [CORPUS]: Documents to make seed queries from, if you give no --queries.
        queries FILE: Your own seed queries, in any format of [bold]leadline check[/bold].
        style STYLE: [bold]both[/bold] writes a daily-life and an expert query for each seed,
            [bold]daily[/bold] or [bold]expert[/bold] one of them. [bold]plain[/bold] uses the seed
            unchanged.
        difficulty LEVEL: [bold]mixed[/bold], [bold]simple[/bold] or [bold]hard[/bold] queries.
        traces LENGTH: Length of the judge's reasoning: [bold]adaptive[/bold], [bold]short[/bold] or
            [bold]long[/bold].
        protocol: [bold]short[/bold] plans the passages of a query in one call, four relevant and
            four others. [bold]paper[/bold] makes one call for every step of LimRank.
        judge: The prompt of the judge: our own, or [bold]rank1[/bold] as in the paper, for a model
            that thinks before it answers.
        personas FILE: Descriptions of people, one a line, as examples. Default: a short built-in
            list.
        limit N: Use at most N seeds.
        held_out SHARE: Share of the seeds that go to the benchmark and never into the pairs.
        against FILE: Queries of an evaluation. Generated queries that repeat one of them are left
            out. Repeatable.

    Options (Training pairs):
        size N: At most N pairs, half of them relevant.
        mix FILE: Another set of judged pairs to mix in: a file or folder of our own, or Rank1,
            Promptriever or ReasonIR as published ([bold]OWNER/NAME[/bold] on the hub).
        mix_size N: Take this many pairs from --mix. Default: as many as are synthesized.
        mix_documents CORPUS: Documents that the pairs of --mix name by id, such as BRIGHT's for
            ReasonIR.
    """
    from leadline.data.folder import read_queries
    from leadline.data.writing import atomic_file
    from leadline.kinds.reasoning.by_model import Recipe, build_groups, read_personas
    from leadline.kinds.reasoning.groups import Leaks
    from leadline.kinds.reasoning.pairs import open_pairs
    from leadline.llm.run_record import RunRecord

    recipe = Recipe(style, difficulty, traces, protocol, judge)
    if (corpus is None) == (queries is None):
        raise InputError("Give either documents (CORPUS) or seed queries (--queries FILE).")
    if mix_size is not None and mix is None:
        raise InputError("--mix-size needs --mix FILE.")
    if models is None:
        raise InputError(
            "A language model writes reasoning tests. Give --llm URL and --llm-model NAME."
        )
    with progress.shown(quiet=quiet):
        read = reading.read(corpus, seed)[0].values() if corpus else read_queries(queries or "")
        found: list[Any] = list(read)
        drawn = random.Random(f"{seed} seeds").sample(range(len(found)), min(limit, len(found)))
        sources = [found[place] for place in sorted(drawn)]
        leaks = Leaks(query.content for path in against for query in read_queries(path))
        given: dict[str, Any] = {
            "recipe": recipe,
            "personas": read_personas(personas),
            "seed": seed,
        }
        if dry_run:
            build_groups(sources, models, RunRecord("dry run"), **given)
            typer.echo(f"Would write tests from {len(sources)} seeds to {out}.")
            return
        others = open_pairs(mix, mix_documents) if mix else None
        known = others.drawn(mix_size, seed, leaks=leaks) if others and mix_size else []
        built = _built(sources, models, out, given, personas, leaks)

        def draw(count: int) -> list[JudgedPair]:
            return known or (others.drawn(count, seed, leaks=leaks) if others else [])

        told = _write(out, built, models, recipe, seed, held_out, size, draw)
        if others:
            told |= {
                "mixed from": others.source,
                "layout": others.layout.name if others.layout else "leadline",
                "passed over": dict(others.skipped),
            }
        with atomic_file(out / "statistics.json") as handle:
            json.dump(told, handle, indent=1, ensure_ascii=False)
    if not quiet:
        for name, value in told.items():
            typer.echo(f"{name}: {value}")
    typer.echo(f"Pairs: {out / 'pairs.jsonl'}", err=True)
    typer.echo(f"Benchmark: {out} (leadline evaluate -b {out})", err=True)


def _built(
    sources: Sequence[Any],
    models: Models,
    out: Path,
    given: Mapping[str, Any],
    personas: Path | None,
    leaks: Any,
) -> Built:
    """Return the model's queries and passages, without leaks, repetitions and word matches."""
    from collections import Counter

    from leadline.data.writing import output_folder
    from leadline.kinds.reasoning.by_model import Built, build_groups
    from leadline.kinds.reasoning.groups import by_words, filtered
    from leadline.llm.run_record import LogFile, RunRecord
    from leadline.systems.chains import load_system

    if models.writer is models.verifier:
        typer.echo(
            "The writer judges its own passages. Name another model with --verify-model.", err=True
        )
    how = {"seed": given["seed"], "writer": models.writer.name, "verifier": models.verifier.name,
           **asdict(given["recipe"]), "personas": personas.name if personas else "built in",
    }  # fmt: skip
    folder, into = output_folder(out), RunRecord("reasoning", how)
    with into.kept_in(folder), LogFile.open_in(folder) as log:
        built = build_groups(sources, models, into, log=log, **given)
        dropped = Counter(built.dropped)
        groups = filtered(built.groups, dropped, leaks=leaks, note=into.note)
        if not groups:
            raise InputError(f"All queries were dropped: {dict(dropped)}.")
        groups = by_words(groups, lambda *asked: load_system("bm25").run(*asked).run)
        return Built(groups, dict(sorted(dropped.items())))


def _write(
    out: Path,
    built: Built,
    models: Models,
    recipe: Recipe,
    seed: int,
    held_out: float,
    size: int | None,
    draw: Callable[[int], list[JudgedPair]],
) -> dict[str, Any]:
    """Write the pairs, the benchmark and a sample, and return lines that describe them.

    draw  draws pairs from another set; its argument is how many pairs are ours
    """
    from leadline.kinds.benchmark_folder import write
    from leadline.kinds.reasoning import groups as of
    from leadline.kinds.reasoning.pairs import FILE, write_pairs

    parts = of.split(built.groups, held_out, seed)
    judged = list(of.pairs_of(parts.training))
    own = of.balanced(judged, seed, size)
    others = draw(len(own))
    pairs = of.mixed(own, others, seed) if others else own
    told = of.statistics(built.groups, pairs)
    if size is not None and len(own) < size // 2 * 2:
        told["pairs fewer than --size"] = size - len(own)
        typer.echo(
            f"Made {len(own)} balanced pairs, but --size asked for {size}. Give more seeds "
            "(--limit)."
            + " The mixture has a different ratio from the one asked for."
            * bool(others),
            err=True,
        )
    told |= {"pairs left out for balance or --size": len(judged) - len(own),
             "pairs mixed in": len(others), "held-out queries": len(parts.held_out),
             "dropped": dict(built.dropped)}  # fmt: skip
    write_pairs(out / FILE, pairs)
    write(out, of.as_benchmark(
        "reasoning", parts, seed=seed, writer=models.writer.name, verifier=models.verifier.name,
        recipe=asdict(recipe), dropped=dict(built.dropped), read=models.reads,
    ))  # fmt: skip
    of.write_sample(out / "sample.txt", built.groups, seed=seed)
    return told
