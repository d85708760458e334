"""What reasoning changed: ranks before and after, how traces ended, how long they were."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from statistics import fmean, median
from typing import Any

from leadline.metrics.ranking import ndcg
from leadline.types import Corpus, Qrels, Query, Run, StageRun

K = 10
EXAMPLES = 3
LONGEST_TRACE = 6000
"""Characters of a trace that are shown; the file of traces has all of it."""

_SIZES = (("1", 1, 1), ("2 to 4", 2, 4), ("5 or more", 5, math.inf))
_SAME = 1e-9


@dataclass(frozen=True, slots=True)
class Judgements:
    """Documents that were said to be relevant or not, and were or were not.

    tokens  median length of their traces
    """

    said: str
    relevant: bool
    count: int
    tokens: float


@dataclass(frozen=True, slots=True)
class Slice:
    """A part of the queries or of the relevant documents, before and after the reasoning.

    before, after  mean nDCG@10 of the queries; of documents the share in the first 10
    """

    name: str
    count: int
    before: float
    after: float


@dataclass(frozen=True, slots=True)
class Example:
    """A document that the reasoning moved, with its trace.

    before, after  its rank
    """

    query_id: str
    query: str
    document_id: str
    document: str
    grade: int
    before: int
    after: int
    score: float
    said: str
    ending: str
    tokens: int
    trace: str


@dataclass(frozen=True)
class Reasoning:
    """What one stage that reasons changed in the order of the stage before it.

    pairs          queries with a document that it judged
    endings        how their traces ended -> pairs
    judgements     by what was said and what is true
    tokens         `total`, `asked` (of prompts), `mean`, `median`, `90 %` and `most` of a trace,
                   and `by query`
    queries        `helped`, `hurt` and `unchanged` by nDCG@10
    before, after  mean nDCG@10
    slices         of the queries by their number of relevant documents
    relations      of the relevant documents by how they are relevant, where the corpus says
    helped, hurt   the documents that explain the largest gains and losses
    """

    stage: str
    pairs: int
    endings: Mapping[str, int]
    judgements: Sequence[Judgements]
    tokens: Mapping[str, float]
    queries: Mapping[str, int]
    before: float
    after: float
    slices: Sequence[Slice] = ()
    relations: Sequence[Slice] = ()
    helped: Sequence[Example] = ()
    hurt: Sequence[Example] = ()

    @property
    def remarks(self) -> list[str]:
        """Say what makes its scores doubtful."""
        told = []
        answers = {word: sum(each.count for each in self.judgements if each.said == word)
                   for word in ("true", "false", "")}  # fmt: skip
        for word, other in (("true", "false"), ("false", "true")):
            if not answers[word] and answers[other]:
                told.append(f"It never said {word}: all {answers[other]:,} answers are {other}.")
        if answers[""]:
            told.append(
                f"{answers['']:,} of {self.pairs:,} pairs have no answer at all; each counts as a "
                "score of 0.5."
            )
        forced = sum(count for ending, count in self.endings.items() if "forced" in ending)
        if forced:
            told.append(
                f"{forced:,} of {self.pairs:,} answers were forced behind a reasoning that left "
                "none that can be read."
            )
        return told

    def as_json(self, *, examples: bool = True) -> dict[str, Any]:
        """Return it as plain values; `reasoning_from` reads them."""
        record = asdict(self)
        if not examples:
            del record["helped"], record["hurt"]
        return record


def reasoning_from(record: Mapping[str, Any]) -> Reasoning:
    """Return what `as_json` wrote. Raises TypeError or KeyError when it did not."""
    kinds: dict[str, Any] = {
        "judgements": Judgements, "slices": Slice, "relations": Slice, "helped": Example,
        "hurt": Example,
    }  # fmt: skip
    lists = {name: tuple(kind(**each) for each in record.get(name, ()))
             for name, kind in kinds.items()}  # fmt: skip
    return Reasoning(**{**record, **lists})


def reasoning_of(
    queries: Sequence[Query], qrels: Qrels, corpus: Corpus, stages: Sequence[StageRun]
) -> Reasoning | None:
    """Return what the last stage that reasoned changed; None where none did."""
    places = [place for place, stage in enumerate(stages) if place and stage.traces]
    if not places:
        return None
    before, stage = stages[places[-1] - 1].run, stages[places[-1]]
    values = [_ndcg(run, qrels) for run in (before, stage.run)]
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
    texts = {query.id: query.content for query in queries}
    telling = _Telling(texts, qrels, corpus, before, stage)
    ordered = sorted(changes, key=lambda id: (changes[id], id))
    return Reasoning(
        stage=stage.stage,
        pairs=len(every),
        endings=dict(endings.most_common()),
        judgements=tuple(
            Judgements(said, relevant, len(some), float(median(some)))
            for (said, relevant), some in sorted(lengths.items(), reverse=True)
        ),
        tokens={
            "total": sum(every), "asked": asked, "mean": fmean(every), "median": median(every),
            "90 %": every[math.ceil(0.9 * len(every)) - 1], "most": every[-1],
            "by query": sum(every) / queried,
        },
        queries={
            "helped": sum(change > _SAME for change in changes.values()),
            "hurt": sum(change < -_SAME for change in changes.values()),
            "unchanged": sum(abs(change) <= _SAME for change in changes.values()),
        },
        before=_mean(values[0]),
        after=_mean(values[1]),
        slices=tuple(_by_size(qrels, values[0], values[1])),
        relations=tuple(_by_relation(qrels, corpus, before, stage.run)),
        helped=tuple(telling.examples(id for id in reversed(ordered) if changes[id] > _SAME)),
        hurt=tuple(telling.examples(id for id in ordered if changes[id] < -_SAME)),
    )  # fmt: skip


def size_name(count: int) -> str:
    """Return the slice of a query with so many relevant documents; empty for none."""
    return next((name for name, least, most in _SIZES if least <= count <= most), "")


def ranks_of(scores: Mapping[str, float]) -> dict[str, int]:
    """Return document id -> rank, from 1, in the order of a run."""
    return {id: rank for rank, id in enumerate(scores, start=1)}


def _ndcg(run: Run, qrels: Qrels) -> dict[str, float]:
    return ndcg(run, qrels, K, ties="stable")


def _mean(values: Mapping[str, float]) -> float:
    return fmean(values.values()) if values else 0.0


def _by_size(
    qrels: Qrels, before: Mapping[str, float], after: Mapping[str, float]
) -> Iterator[Slice]:
    sizes = {
        id: size_name(sum(grade > 0 for grade in qrels[id].values()))
        for id in before
        if id in after
    }
    for name, _, _ in _SIZES:
        ids = [id for id, size in sizes.items() if size == name]
        if ids:
            yield Slice(name, len(ids), fmean(before[i] for i in ids), fmean(after[i] for i in ids))


def _by_relation(qrels: Qrels, corpus: Corpus, before: Run, after: Run) -> Iterator[Slice]:
    """Yield relevant documents by the facet `relation`: the share of them in the first ten."""
    found: dict[str, list[tuple[bool, bool]]] = {}
    for query_id, grades in qrels.items():
        if query_id not in before:
            continue
        ranks = [ranks_of(run.get(query_id, {})) for run in (before, after)]
        for document_id, grade in grades.items():
            known = grade > 0 and document_id in corpus
            relation = corpus[document_id].facets.get("relation", "") if known else ""
            if relation:
                there = [of.get(document_id, K + 1) <= K for of in ranks]
                found.setdefault(relation, []).append((there[0], there[1]))
    for relation, pairs in sorted(found.items()):
        yield Slice(relation, len(pairs), fmean(b for b, _ in pairs), fmean(a for _, a in pairs))


@dataclass(frozen=True)
class _Telling:
    """Finds the document that explains best why a query changed."""

    texts: Mapping[str, str]
    qrels: Qrels
    corpus: Corpus
    before: Run
    stage: StageRun

    def examples(self, query_ids: Iterator[str]) -> Iterator[Example]:
        count = 0
        for query_id in query_ids:
            if count == EXAMPLES:
                return
            example = self._example(query_id)
            if example is not None:
                count += 1
                yield example

    def _example(self, query_id: str) -> Example | None:
        """Return the document whose move did most to nDCG, relevant ones first."""
        grades = self.qrels.get(query_id, {})
        before = ranks_of(self.before.get(query_id, {}))
        after = ranks_of(self.stage.run.get(query_id, {}))
        moved = {
            id: abs(1 / math.log2(after[id] + 1) - 1 / math.log2(before[id] + 1))
            for id in after
            if id in before and (query_id, id) in self.stage.traces
        }
        if not moved:
            return None
        id = max(moved, key=lambda id: (moved[id] * (1 + 9 * (grades.get(id, 0) > 0)), id))
        trace, document = self.stage.traces[query_id, id], self.corpus[id]
        return Example(
            query_id=query_id,
            query=self.texts.get(query_id, ""),
            document_id=id,
            document=document.content,
            grade=grades.get(id, 0),
            before=before[id],
            after=after[id],
            score=self.stage.run[query_id][id],
            said=trace.said,
            ending=trace.ending,
            tokens=trace.tokens,
            trace=trace.text[:LONGEST_TRACE],
        )
