"""Choosers on benchmarks: every system, k and temperature after the other, answers kept."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from leadline.answering.choosing import (
    CLOSED_BOOK,
    Chooser,
    Choosing,
    choose,
    is_of_choices,
    lines_of,
)
from leadline.answering.reader import Context, retrieved_contexts
from leadline.benchmark import Benchmark
from leadline.data.writing import atomic_file, file_name
from leadline.errors import InputError
from leadline.evaluation import limited
from leadline.kinds.registry import by_name
from leadline.progress import track
from leadline.report import wholes
from leadline.report.folder import benchmark_folder, write_scores
from leadline.report.outcome import Outcome, now
from leadline.system import System
from leadline.types import Corpus

KS = (3,)
"""How many documents the published reader is shown."""


@dataclass(frozen=True)
class ChoicePlan:
    """What choosers are shown.

    ks            numbers of documents
    systems       who retrieves them; none for a closed book
    corpus        where they are retrieved, for a benchmark without documents of its own
    temperatures  each is a result of its own
    limit         at most this many questions
    """

    ks: Sequence[int] = KS
    systems: Sequence[System] = ()
    corpus: Corpus | None = None
    temperatures: Sequence[float] = (0.8,)
    limit: int | None = None


def choose_benchmarks(
    chooser: Chooser, benchmarks: Sequence[Benchmark], plan: ChoicePlan, *, out: Path | None = None
) -> tuple[Outcome, list[Choosing]]:
    """Let a chooser answer the questions of every benchmark, for every k and temperature.

    out  folder that takes answers and scores of each result as soon as it is there

    Raises InputError when a system has no documents to search, or questions have no choices.
    """
    done: list[Choosing] = []
    reports = []
    for each in track(benchmarks, "Reading"):
        benchmark = _with_documents(each, plan)
        for name, contexts, settings in _contexts(benchmark, plan):
            for temperature in plan.temperatures:
                sampling = replace(chooser.sampling, temperature=temperature)
                drawn = f"{name},t={temperature:g}" if len(plan.temperatures) > 1 else name
                made = choose(
                    replace(chooser, sampling=sampling), benchmark, contexts,
                    name=drawn, settings=settings,
                )  # fmt: skip
                report = made.report()
                if out is not None:
                    write_scores(out, report)
                    _write_answers(out, made)
                done.append(made)
                reports.append(report)
    shown = [replace(each, quoted=()) for each in benchmarks]
    return Outcome(shown, reports + wholes(reports), (), now(), kinds=by_name()), done


def _with_documents(benchmark: Benchmark, plan: ChoicePlan) -> Benchmark:
    if not is_of_choices(benchmark):
        raise InputError(
            f"{benchmark.name!r} has no lettered choices: read it in a run of its own."
        )
    if plan.corpus is not None:
        benchmark = replace(benchmark, corpus=plan.corpus)
    if plan.systems and not benchmark.corpus:
        raise InputError(
            f"{benchmark.name!r} has no documents of its own: --corpus CORPUS names those that "
            f"{plan.systems[0].name} is to search. Without -s the book stays closed."
        )
    return limited(benchmark, plan.limit)


def _contexts(
    benchmark: Benchmark, plan: ChoicePlan
) -> Iterator[tuple[str, list[Context], dict[str, Any]]]:
    """Yield name, contexts and settings of every way to be shown documents."""
    queries = benchmark.queries
    if not plan.systems:
        closed = {"retriever": "none: the book is closed", "k": 0}
        yield CLOSED_BOOK, [Context(query, ()) for query in queries], closed
    for system in plan.systems:
        run = system.run(benchmark.corpus, queries).run
        for k in plan.ks:
            contexts = retrieved_contexts(queries, run, k)
            settings = {
                "retriever": system.settings,
                "k": k,
                "documents": len(benchmark.corpus),
                "questions without a document": sum(not each.documents for each in contexts),
            }
            yield f"{system.name}@{k}", contexts, settings


def _write_answers(out: Path, done: Choosing) -> None:
    folder = benchmark_folder(out, done.benchmark.name) / "answers"
    with atomic_file(folder / f"{file_name(done.name)}.jsonl") as file:
        for line in lines_of(done):
            file.write(json.dumps(line, ensure_ascii=False) + "\n")
