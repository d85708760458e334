"""Why another document than the relevant one came first.

Source: Taghavi et al., ImpliRet, section 4, error analysis. There a person judged; the rules here
are ours.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from leadline.benchmark import Benchmark, of_corpus
from leadline.diagnosis.cases import (
    NO_CANDIDATE,
    OVERLAP,
    PUT_DOWN,
    ErrorCase,
    Judgement,
    Shown,
    drawn,
)
from leadline.diagnosis.sight import Read, judge_sight
from leadline.diagnosis.words import Statistics, content_words
from leadline.types import Query, Run, StageRun

SAMPLE = 10
GIVEN = "candidates"
"""Stage of candidates that no stage has ranked: their order says nothing."""

_CLEARLY_MORE = 1.5
_CLEARLY_SHORTER = 0.8


def misranked(
    benchmark: Benchmark,
    run: Run,
    system: str,
    *,
    stages: Sequence[StageRun] = (),
    seen: int | None = None,
    read: Read | None = None,
    strict: bool = False,
    sample: int | None = SAMPLE,
    seed: int = 0,
) -> list[ErrorCase]:
    """Judge queries whose first document is not a right one.

    stages  the run after every stage, to tell which one lost the relevant document
    seen    how many documents of the first stage the others see; None for all
    read    what the system takes in of a query and a document, where it tells
    strict  only a document of the highest grade is right, not any relevant one
    sample  at most this many, drawn by the seed; None for all
    """
    benchmark = replace(benchmark, qrels=of_corpus(benchmark.qrels, benchmark.corpus))
    right = {query.id for query in benchmark.queries if not _missed(query, benchmark, run, strict)}
    wrong = [query for query in benchmark.queries if query.id not in right]
    statistics = Statistics.of(document.content for document in benchmark.corpus.values())
    chosen = wrong if sample is None else drawn(wrong, sample, seed, f"{benchmark.name}/{system}")
    passed = [query for query in benchmark.queries if query.id in right]
    ran = [stage for stage in stages if stage.stage != GIVEN]
    return [
        _case(benchmark, run, system, query, statistics, ran, seen, read, passed)
        for query in chosen
    ]


def judge_stages(
    positive: str,
    stages: Sequence[Mapping[str, float] | None],
    names: Sequence[str],
    seen: int | None = None,
) -> Judgement | None:
    """Say which stage lost a document: None where the first one ranked it no better than the last.

    stages  the ranking of one query after every stage, None where a stage has none
    seen    how many documents of the first stage the others see; None for all
    """
    ranks = [_rank(positive, stage or {}) for stage in stages]
    if len(ranks) < 2:
        return None
    found = min(len(stages[0] or {}), seen or len(stages[0] or {}))
    if ranks[0] is None or ranks[0] > found:
        return Judgement(NO_CANDIDATE, True, f"not among the first {found} of {names[0]}")
    worst = None
    for name, before, after in zip(names[1:], ranks, ranks[1:], strict=False):
        if before is not None and (after is None or after > before):
            worst = f"{name} moved it from rank {before} to {after or 'nowhere'}"
    fell = worst is not None and (ranks[-1] is None or ranks[-1] > ranks[0])
    return Judgement(PUT_DOWN, True, worst) if fell and worst else None


def judge_first(query: str, first: str, positive: str, statistics: Statistics) -> Judgement:
    """Say why a text was ranked before the relevant one, by what a word can tell.

    word overlap  it holds more words of the query
    semantic cue  as many, and more words of the query's theme
    length        neither, and it is the shorter one
    unknown       none of these

    A small difference, or fewer words of the query than the relevant text holds, decides nothing.
    """
    asked = list(dict.fromkeys(content_words(query)))
    here, there = content_words(first), content_words(positive)
    if (overlap := judge_overlap(query, first, positive)) is not None:
        return overlap
    theme = statistics.theme(asked)
    cues, expected = _among(theme, here), _among(theme, there)
    level = len(_among(asked, here)) == len(_among(asked, there))
    if len(cues) > len(expected):
        extra = [word for word in cues if word not in expected]
        clear = level and len(cues) >= _CLEARLY_MORE * len(expected)
        why = f"theme words {len(cues)} against {len(expected)}; extra: {', '.join(extra)}"
        return Judgement("semantic cue", clear, why)
    if len(here) < len(there):
        clear = level and len(here) < _CLEARLY_SHORTER * len(there)
        return Judgement("length", clear, f"{len(here)} content words against {len(there)}")
    return Judgement("unknown", False, "no more words of the query or its theme, and not shorter")


def judge_overlap(query: str, first: str, positive: str) -> Judgement | None:
    """Say which words of the query only the first text has, where it has more of them."""
    asked = list(dict.fromkeys(content_words(query)))
    shared, missed = (_among(asked, content_words(text)) for text in (first, positive))
    if len(shared) <= len(missed):
        return None
    extra = [word for word in shared if word not in missed]
    return Judgement(OVERLAP, True, f"only the first has: {', '.join(extra)}")


def _among(words: Sequence[str], text: Sequence[str]) -> list[str]:
    present = set(text)
    return [word for word in words if word in present]


def _rank(document: str, ranking: Mapping[str, float]) -> int | None:
    return next((place for place, id in enumerate(ranking, 1) if id == document), None)


def _missed(query: Query, benchmark: Benchmark, run: Run, strict: bool) -> bool:
    grades = benchmark.qrels.get(query.id, {})
    best = max(grades.values(), default=0)
    first = next(iter(run.get(query.id, {})), None)
    return first is not None and best > 0 and grades.get(first, 0) < (best if strict else 1)


def _case(
    benchmark: Benchmark,
    run: Run,
    system: str,
    query: Query,
    statistics: Statistics,
    stages: Sequence[StageRun],
    seen: int | None,
    read: Read | None,
    passed: Sequence[Query],
) -> ErrorCase:
    grades = benchmark.qrels[query.id]
    positive = benchmark.corpus[max(grades, key=grades.__getitem__)]
    first = benchmark.corpus[next(iter(run[query.id]))]
    lost = judge_stages(
        positive.id,
        [stage.run.get(query.id) for stage in stages],
        [stage.stage for stage in stages],
        seen,
    )
    if lost is None and read is not None:
        lost = judge_sight(query.content, first.content, positive.content, read)
    return ErrorCase(
        stage="retrieval",
        system=system,
        benchmark=benchmark.name,
        query_id=query.id,
        question=query.content,
        gold=query.answer,
        given="",
        positive=Shown(positive.id, positive.content),
        other=Shown(first.id, first.content),
        judgement=lost or judge_first(query.content, first.content, positive.content, statistics),
        passing=_nearest(query, passed),
    )


def _nearest(query: Query, passed: Sequence[Query]) -> str:
    """Return the variant of a query that went well and shares most words with it."""
    words = set(content_words(query.content))
    variants = [other for other in passed if query.topic and other.topic == query.topic]
    if not variants:
        return ""
    best = max(variants, key=lambda other: len(words & set(content_words(other.content))))
    return best.content
