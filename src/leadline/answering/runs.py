"""Readers on benchmarks: every k after the other, answers kept, errors judged."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from leadline.answering.causes import Given, misread
from leadline.answering.reader import (
    SEED,
    Context,
    Negatives,
    Reader,
    Reading,
    oracle_contexts,
    read_answers,
    retrieved_contexts,
)
from leadline.benchmark import Benchmark
from leadline.data.writing import atomic_file, file_name
from leadline.diagnosis.causes import ErrorCase, drawn
from leadline.diagnosis.review import write_review
from leadline.evaluation import limited
from leadline.kinds.registry import by_name
from leadline.progress import track
from leadline.report import Report, wholes
from leadline.report.folder import benchmark_folder, write_scores
from leadline.report.outcome import Outcome, now
from leadline.system import System
from leadline.types import Query

KS = (1, 10, 30)


@dataclass(frozen=True)
class Plan:
    """What readers are shown.

    ks         numbers of documents
    negatives  of the oracle: `set` or `all`
    systems    retrievers in the place of the oracle; none for the oracle
    limit      at most this many topics of each benchmark
    seed       of the draw and the order of documents
    """

    ks: Sequence[int] = KS
    negatives: Negatives = "set"
    systems: Sequence[System] = ()
    limit: int | None = None
    seed: int = SEED


@dataclass(frozen=True)
class Read:
    """What came of reading: the outcome for the report, and every error with its judgement."""

    outcome: Outcome
    errors: Sequence[ErrorCase] = field(default_factory=tuple)


def read_benchmarks(
    reader: Reader, benchmarks: Sequence[Benchmark], plan: Plan, *, out: Path | None = None
) -> Read:
    """Let a reader answer the queries of every benchmark, for every k.

    out  folder that takes answers and scores of each run as soon as it is finished

    Errors are judged where the relevant document was among those shown.
    """
    reports: list[Report] = []
    errors: list[ErrorCase] = []
    for benchmark in track([each.validated() for each in benchmarks], "Reading"):
        queries = limited(benchmark, plan.limit).queries
        for name, contexts, settings in _contexts(benchmark, queries, plan):
            reading = read_answers(
                reader, benchmark, contexts, name=f"{name}+{reader.llm.name}", settings=settings
            )
            report, found = reading.report(), _errors(reading)
            if out is not None:
                write_scores(out, report)
                _write_answers(out, reading, found)
            reports.append(report)
            errors += found
    read = [replace(each, kind="reading", quoted=()) for each in benchmarks]
    outcome = Outcome(read, reports + wholes(reports), (), now(), kinds=by_name())
    return Read(outcome, tuple(errors))


def _contexts(
    benchmark: Benchmark, queries: Sequence[Query], plan: Plan
) -> list[tuple[str, list[Context], dict[str, Any]]]:
    """Return name, contexts and settings of every run on a benchmark."""
    if not plan.systems:
        oracle = {"retriever": "oracle", "negatives": plan.negatives, "seed": plan.seed}
        return [
            (f"oracle@{k}", contexts, oracle | _sizes(benchmark, contexts, k))
            for k in plan.ks
            for contexts in [
                oracle_contexts(
                    benchmark, k, negatives=plan.negatives, seed=plan.seed, queries=queries
                )
            ]
        ]
    found = []
    for system in plan.systems:
        run = system.run(
            benchmark.corpus,
            queries,
            benchmark.candidates,
            excluded=benchmark.excluded,
            seed=benchmark.order(plan.seed),
        ).run
        for k in plan.ks:
            contexts = retrieved_contexts(queries, run, k)
            settings = {"retriever": system.settings} | _sizes(benchmark, contexts, k)
            found.append((f"{system.name}@{k}", contexts, settings))
    return found


def _sizes(benchmark: Benchmark, contexts: Sequence[Context], k: int) -> dict[str, Any]:
    """Say how many documents were shown, and how often the relevant one was among them."""
    held = sum(
        any(benchmark.qrels.get(each.query.id, {}).get(id, 0) > 0 for id in each.documents)
        for each in contexts
    )
    fewer = sum(len(each.documents) < k for each in contexts)
    return {"k": k, "contexts with a relevant document": f"{held} of {len(contexts)}"} | (
        {"contexts with fewer than k documents": fewer} if fewer else {}
    )


def _errors(reading: Reading) -> list[ErrorCase]:
    given = [
        Given(
            context.query,
            answer.text,
            context.documents,
            answer.finish == "length",
            reading.scores[context.query.id],
        )
        for context, answer in zip(reading.contexts, reading.answers, strict=True)
        if context.query.id in reading.scores
    ]
    return misread(reading.benchmark, reading.name, given)


def _write_answers(out: Path, reading: Reading, errors: Sequence[ErrorCase]) -> None:
    """Write one line a query: what was shown, answered and scored, and why it is wrong."""
    folder = benchmark_folder(out, reading.benchmark.name) / "answers"
    judged = {case.query_id: case.judgement for case in errors}
    with atomic_file(folder / f"{file_name(reading.name)}.jsonl") as file:
        for context, answer in zip(reading.contexts, reading.answers, strict=True):
            id = context.query.id
            line: Mapping[str, Any] = {
                "query-id": id,
                "documents": context.documents,
                "gold": context.query.answer,
                "output": answer.text,
                "failure": str(answer.failure or ""),
                "ROUGE-1": reading.scores.get(id),
                "ExactMatch": reading.exact.get(id),
            } | ({"error": judged[id].category, "why": judged[id].why} if id in judged else {})
            file.write(json.dumps(line, ensure_ascii=False) + "\n")


def write_errors(out: Path, read: Read, *, sample: int, seed: int = SEED) -> Path:
    """Write the review sheet: of each reader and benchmark `sample` wrong answers.

    Those that no rule settles come first into the draw; the table counts every wrong answer.
    Returns the path of the page.
    """
    groups: dict[tuple[str, str], list[ErrorCase]] = {}
    for case in read.errors:
        groups.setdefault((case.system, case.benchmark), []).append(case)
    shown = [
        case
        for (system, benchmark), cases in groups.items()
        for case in _most_doubtful(cases, sample, seed, f"{benchmark}/{system}")
    ]
    return write_review(out, "reading-errors", "Wrong answers", shown, read.errors)


def _most_doubtful(
    cases: Sequence[ErrorCase], sample: int, seed: int, label: str
) -> list[ErrorCase]:
    open_cases = [case for case in cases if not case.judgement.decided]
    settled = [case for case in cases if case.judgement.decided]
    chosen = drawn(open_cases, sample, seed, label)
    return chosen + drawn(settled, sample - len(chosen), seed, label)
