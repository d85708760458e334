"""Why an answer is wrong although the document that holds it was there to be read.

Source: Taghavi et al., ImpliRet, section 4, error analysis. There a person judged; the rules here
are ours.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from leadline.benchmark import Benchmark
from leadline.diagnosis.causes import ErrorCase, Judgement, Shown, content_words
from leadline.metrics.answers import extract_answer, rouge1_recall
from leadline.types import Query

RIGHT_FROM = 1.0
"""Recall from which an answer is right."""

_REFUSAL = re.compile(
    r"\b(?:cannot|can ?not|can't|could ?n[o']t|unable|impossible|unknown|unclear|undetermined|"
    r"no (?:answer|information|mention|one|conversation|response|document)|none|nobody|"
    r"not? (?:\w+ )?(?:mentioned|specified|stated|provided|given|available|found|enough|possible|"
    r"clear|sure|known)|n/?a|does ?n[o']t (?:say|mention|specify|state|contain|provide))\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Given:
    """What a reader answered to one query.

    output     all that it wrote
    documents  ids of what it was shown
    cut_off    whether the answer ended at the limit of tokens
    recall     its score
    """

    query: Query
    output: str
    documents: tuple[str, ...]
    cut_off: bool
    recall: float


def misread(benchmark: Benchmark, system: str, given: Sequence[Given]) -> list[ErrorCase]:
    """Judge every wrong answer whose document was among those shown."""
    golds = _gold_answers(benchmark)
    return [
        _case(benchmark, system, each, golds)
        for each in given
        if each.recall < RIGHT_FROM and _positive(benchmark, each) in each.documents
    ]


def judge_answer(
    output: str,
    gold: str,
    positive: str,
    others: Mapping[str, tuple[str, str]],
    *,
    cut_off: bool = False,
) -> tuple[Judgement, str]:
    """Say why an answer is wrong, and which other document it is from, if any.

    others  id -> text and gold answer (or an empty one) of what else was shown

    distraction  it is the answer of another document, or its words stand in another one only
    malformed    it holds part of the answer, or all of it in the wrong place; or it was cut off;
                 or it is something else from the right document
    no answer    it is empty, refuses, or has nothing to do with what was shown
    """
    answer = extract_answer(output)
    words = content_words(answer)
    if not words:
        return Judgement("no answer", True, "the answer is empty"), ""
    own = rouge1_recall(answer, gold)
    if source := _whose_answer(answer, gold, own, others):
        theirs = others[source][1]
        return Judgement("distraction", True, f"{theirs!r} is the answer of {source}"), source
    if own > 0:
        return Judgement("malformed", True, f"holds {own:.0%} of the words of the answer"), ""
    if rouge1_recall(output, gold) == 1.0:
        return Judgement("malformed", True, "the answer stands before the last 'Answer:'"), ""
    if cut_off:
        return Judgement("malformed", True, "cut off before it was complete"), ""
    if _REFUSAL.search(answer):
        return Judgement("no answer", True, "says that there is none"), ""
    return _by_place(set(words), positive, others)


def _whose_answer(answer: str, gold: str, own: float, others: Mapping[str, tuple[str, str]]) -> str:
    for id, (_, theirs) in others.items():
        if theirs and theirs != gold and rouge1_recall(answer, theirs) == 1.0 and own < 1.0:
            return id
    return ""


def _by_place(
    words: set[str], positive: str, others: Mapping[str, tuple[str, str]]
) -> tuple[Judgement, str]:
    """Judge an answer without a word of the gold one by where its words stand."""
    if words <= set(content_words(positive)):
        why = "its words stand in the right document, but are not the answer"
        return Judgement("malformed", False, why), ""
    for id, (text, _) in others.items():
        if words <= set(content_words(text)):
            return Judgement("distraction", False, f"its words stand in {id}"), id
    shown = set(content_words(positive)).union(
        *(content_words(text) for text, _ in others.values())
    )
    if words.isdisjoint(shown):
        return Judgement("no answer", True, "none of its words stands in what was shown"), ""
    return Judgement("no answer", False, "its words stand together in no document"), ""


def _gold_answers(benchmark: Benchmark) -> dict[str, str]:
    """Return the answer of the query that each document is relevant to."""
    return {
        document: query.answer
        for query in benchmark.queries
        for document, grade in benchmark.qrels.get(query.id, {}).items()
        if grade > 0
    }


def _positive(benchmark: Benchmark, given: Given) -> str:
    grades = benchmark.qrels.get(given.query.id, {})
    shown = [id for id in given.documents if grades.get(id, 0) > 0]
    return max(shown, key=grades.__getitem__, default="")


def _case(benchmark: Benchmark, system: str, given: Given, golds: Mapping[str, str]) -> ErrorCase:
    id = _positive(benchmark, given)
    others = {
        other: (benchmark.corpus[other].content, golds.get(other, ""))
        for other in given.documents
        if other != id
    }
    positive = benchmark.corpus[id].content
    judgement, source = judge_answer(
        given.output, given.query.answer, positive, others, cut_off=given.cut_off
    )
    return ErrorCase(
        stage="reading",
        system=system,
        benchmark=benchmark.name,
        query_id=given.query.id,
        question=given.query.content,
        gold=given.query.answer,
        given=extract_answer(given.output),
        positive=Shown(id, positive),
        other=Shown(source, others[source][0]) if source else None,
        judgement=judgement,
    )
