"""Measure what reasoning changed: ranks before and after, and the ends and lengths of traces."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from statistics import fmean, median
from typing import Any

from leadline.benchmark import Benchmark
from leadline.data.fields import Record
from leadline.data.jsonl import read_records
from leadline.errors import InputError
from leadline.metrics.ranking import ndcg
from leadline.types import Corpus, Qrels, Run, StageRun

K = 10
LONGEST_TRACE = 6000
"""Characters of a trace that an example shows; the file of traces has all of it."""
EXAMPLES = 3

_SIZES = (("1", 1, 1), ("2 to 4", 2, 4), ("5 or more", 5, math.inf))
_SAME = 1e-9


def reasoning_of(benchmark: Benchmark, stages: Sequence[StageRun]) -> dict[str, Any] | None:
    """Return what the last stage that reasoned changed; None where none did.

    stage          its name
    pairs          queries with a document that it judged
    endings        how its traces ended -> pairs
    judgements     for what was `said` and whether that is `relevant`: `count` of pairs, and median
                   `tokens` of their traces
    tokens         `total`, `asked` (of prompts), `mean`, `median`, `90 %` and `most` of a trace,
                   and `by query`
    queries        `helped`, `hurt` and `unchanged` by nDCG@10
    before, after  mean nDCG@10
    slices         of the queries by their number of relevant documents
    relations      of the relevant documents by how they are relevant, where the corpus says
    helped, hurt   the documents that explain the largest gains and losses
    """
    places = [place for place, stage in enumerate(stages) if place and stage.traces]
    if not places:
        return None
    qrels, corpus = benchmark.qrels, benchmark.corpus
    before, stage = stages[places[-1] - 1].run, stages[places[-1]]
    values = [ndcg(run, qrels, K, ties="stable") for run in (before, stage.run)]
    changes = {id: values[1][id] - values[0][id] for id in values[0] if id in values[1]}
    endings: Counter[str] = Counter()
    lengths: dict[tuple[str, bool], list[int]] = {}
    asked = 0
    for (query_id, document_id), trace in stage.traces.items():
        endings[trace.ending] += 1
        asked += trace.prompt_tokens
        is_relevant = qrels.get(query_id, {}).get(document_id, 0) > 0
        lengths.setdefault((trace.said, is_relevant), []).append(trace.tokens)
    every = sorted(length for some in lengths.values() for length in some)
    queried = len({query_id for query_id, _ in stage.traces})
    ordered = sorted(changes, key=lambda id: (changes[id], id))

    def examples(ids: Iterator[str]) -> list[dict[str, Any]]:
        found = (_example(benchmark, before, stage, id) for id in ids)
        return list(islice(filter(None, found), EXAMPLES))

    return {
        "stage": stage.stage,
        "pairs": len(every),
        "endings": dict(endings.most_common()),
        "judgements": [
            {"said": said, "relevant": relevant, "count": len(some), "tokens": float(median(some))}
            for (said, relevant), some in sorted(lengths.items(), reverse=True)
        ],
        "tokens": {
            "total": sum(every), "asked": asked, "mean": fmean(every), "median": median(every),
            "90 %": every[math.ceil(0.9 * len(every)) - 1], "most": every[-1],
            "by query": sum(every) / queried,
        },
        "queries": {
            "helped": sum(change > _SAME for change in changes.values()),
            "hurt": sum(change < -_SAME for change in changes.values()),
            "unchanged": sum(abs(change) <= _SAME for change in changes.values()),
        },
        "before": fmean(values[0].values()) if values[0] else 0.0,
        "after": fmean(values[1].values()) if values[1] else 0.0,
        "slices": list(_by_size(qrels, values[0], values[1])),
        "relations": list(_by_relation(qrels, corpus, before, stage.run)),
        "helped": examples(id for id in reversed(ordered) if changes[id] > _SAME),
        "hurt": examples(id for id in ordered if changes[id] < -_SAME),
    }  # fmt: skip


def side_by_side(first: Path, second: Path) -> list[tuple[Record, Record]]:
    """Return what two files of traces say of the same pairs, where scores differ most first.

    Raises InputError for a line that is no trace, and for files without a pair in common.
    """
    lines = [{_pair(each, path, n): each for n, each in read_records(path)}
             for path in (first, second)]  # fmt: skip
    both = [(each, lines[1][pair]) for pair, each in lines[0].items() if pair in lines[1]]
    if not both:
        raise InputError(f"{first} and {second} have no pair of a query and a document in common.")
    return sorted(both, key=lambda pair: -abs(pair[0]["score"] - pair[1]["score"]))


def _pair(line: Record, path: Path, number: int) -> tuple[str, str]:
    missing = [each for each in ("query-id", "corpus-id", "score", "said") if each not in line]
    if missing:
        raise InputError(f"{path}:{number} is not a trace of Leadline: it has no {missing[0]!r}.")
    return line["query-id"], line["corpus-id"]


def size_name(count: int) -> str:
    """Return the slice of a query with so many relevant documents; empty for none."""
    return next((name for name, least, most in _SIZES if least <= count <= most), "")


def ranks_of(scores: Mapping[str, float]) -> dict[str, int]:
    """Return document id -> rank, from 1, in the order of a run."""
    return {id: rank for rank, id in enumerate(scores, start=1)}


def _slice(name: str, pairs: Sequence[tuple[float, float]]) -> dict[str, Any]:
    """Return a part of queries or documents with the means before and after."""
    before, after = (fmean(each) for each in zip(*pairs, strict=True))
    return {"name": name, "count": len(pairs), "before": before, "after": after}


def _by_size(
    qrels: Qrels, before: Mapping[str, float], after: Mapping[str, float]
) -> Iterator[dict[str, Any]]:
    sizes = {
        id: size_name(sum(grade > 0 for grade in qrels[id].values()))
        for id in before
        if id in after
    }
    for name, _, _ in _SIZES:
        pairs = [(before[id], after[id]) for id, size in sizes.items() if size == name]
        if pairs:
            yield _slice(name, pairs)


def _by_relation(qrels: Qrels, corpus: Corpus, before: Run, after: Run) -> Iterator[dict[str, Any]]:
    """Yield relevant documents by the facet `relation`: the share of them in the first ten."""
    found: dict[str, list[tuple[float, float]]] = {}
    for query_id, grades in qrels.items():
        if query_id not in before:
            continue
        ranks = [ranks_of(run.get(query_id, {})) for run in (before, after)]
        for document_id, grade in grades.items():
            known = grade > 0 and document_id in corpus
            relation = corpus[document_id].facets.get("relation", "") if known else ""
            if relation:
                there = [float(of.get(document_id, K + 1) <= K) for of in ranks]
                found.setdefault(relation, []).append((there[0], there[1]))
    for relation, pairs in sorted(found.items()):
        yield _slice(relation, pairs)


def _example(
    benchmark: Benchmark, first: Run, stage: StageRun, query_id: str
) -> dict[str, Any] | None:
    """Return the document whose move did most to nDCG, relevant ones first."""
    grades = benchmark.qrels.get(query_id, {})
    before = ranks_of(first.get(query_id, {}))
    after = ranks_of(stage.run.get(query_id, {}))
    moved = {
        id: abs(1 / math.log2(after[id] + 1) - 1 / math.log2(before[id] + 1))
        for id in after
        if id in before and (query_id, id) in stage.traces
    }
    if not moved:
        return None
    id = max(moved, key=lambda id: (moved[id] * (1 + 9 * (grades.get(id, 0) > 0)), id))
    trace = stage.traces[query_id, id]
    return {
        "query_id": query_id,
        "query": next((q.content for q in benchmark.queries if q.id == query_id), ""),
        "document_id": id,
        "document": benchmark.corpus[id].content,
        "grade": grades.get(id, 0),
        "before": before[id],
        "after": after[id],
        "score": stage.run[query_id][id],
        "said": trace.said,
        "ending": trace.ending,
        "tokens": trace.tokens,
        "trace": trace.text[:LONGEST_TRACE],
    }
