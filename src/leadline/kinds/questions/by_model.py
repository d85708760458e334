"""Questions by a language model: one query a document, and all documents that answer it."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from statistics import fmean
from typing import Any

from pydantic import BaseModel

from leadline.benchmark import Benchmark
from leadline.kinds.questions.excerpts import Excerpt, excerpt_at, excerpt_for
from leadline.kinds.questions.kind import KIND
from leadline.kinds.questions.pooling import Found, find
from leadline.kinds.questions.writing import Draft, parts, write_queries
from leadline.llm.pipeline.log import LogFile
from leadline.llm.pipeline.models import Models
from leadline.llm.pipeline.record import Record
from leadline.llm.pipeline.running import Pipeline, complete, run
from leadline.llm.pipeline.steps import VERIFIER, Asks, Fault, Question, RejectedError
from leadline.llm.prompt import Prompt
from leadline.llm.run_record import RunRecord
from leadline.types import Corpus, Query

UNREAD = "Alternatives are not judged: only the document that a query was written for is relevant."
KEPT = "kept"

_PACKAGE = "leadline.kinds.questions"
_PASSAGE, _MOST_WORDS, _AROUND = 100, 500, 80
"""Words of a passage that is judged."""
_MOST_ANSWERS = 10
"""Documents that may answer a query: with more it is no question but a subject."""


class Judged(BaseModel):
    """What the reader answers."""

    answers: list[int]


def build(
    corpus: Corpus,
    models: Models,
    into: RunRecord,
    *,
    seed: int = 0,
    limit: int = 200,
    source: str = "",
    log: LogFile | None = None,
) -> Benchmark:
    """Return a benchmark of kind "questions": a query a document, and what else answers it.

    limit   most documents that a query is written for, drawn by the seed
    source  what the corpus is, for the record

    BM25 and, where it is installed, a small encoder pool documents that may answer a query; the
    reader judges them in one call. The document that it was written for has grade 2, the others
    that answer it grade 1. Without a reader only the first is relevant.

    Raises IncompleteError when calls got no answer.
    """
    fates: dict[str, str] = {}
    drafts = write_queries(corpus, models, into, seed, limit, fates, log)
    queries = [_query(each) for each in drafts]
    found = find(corpus, queries)
    answers = _judged(corpus, drafts, found, models, into, seed, log) if models.reads else {}
    qrels: dict[str, dict[str, int]] = {}
    kept: list[Query] = []
    for query in queries:
        is_found = query.id in found.within[query.id]
        fate = _fate(query.id, answers.get(query.id), is_found=is_found, reads=models.reads)
        fates[query.id] = fate
        if fate == KEPT:
            facets = {**query.facets, "found": "yes" if is_found else "no"}
            kept.append(replace(query, facets=facets))
            others = answers.get(query.id, ())
            qrels[query.id] = {**dict.fromkeys(others, 1), query.id: 2}  # type: ignore[arg-type]
    into.measured = {**into.measured, "questions": fates}
    dropped = Counter(fate for fate in fates.values() if fate != KEPT)
    return Benchmark(
        name="questions",
        corpus=corpus,
        queries=kept,
        qrels=qrels,
        source=source,
        built_by="llm",
        notes=() if models.reads else (UNREAD,),
        **KIND.measured(),
        built={
            "builder": __name__,
            "seed": seed,
            "limit": limit,
            "considered": len(fates),
            "kept": len(kept),
            "dropped": dict(sorted(dropped.items())),
            "writer": models.writer.name,
            "verifier": models.verifier.name if models.reads else "",
            "read": models.reads,
            "pooled by": list(found.searches),
            "hard": sum(each.facets["found"] == "no" for each in kept),
            "relevant": round(fmean(map(len, qrels.values())), 2) if qrels else 0,
        },
    )


def _query(draft: Draft) -> Query:
    id = draft.excerpt.document.id
    facets = {"form": draft.form, "document": id, "span": f"{draft.start}-{draft.end}"}
    return Query(id, draft.query, id, facets=facets)


def _judged(
    corpus: Corpus,
    drafts: Sequence[Draft],
    found: Found,
    models: Models,
    into: RunRecord,
    seed: int,
    log: LogFile | None,
) -> dict[str, list[str] | Fault]:
    """Return by query the documents that answer it as the reader says, or why it says nothing."""
    step = Asks(
        "judge", Prompt.load(_PACKAGE, "judge_passages"), Judged, usual=Judged(answers=[2, 5]),
        max_tokens=models.max_tokens, model=VERIFIER, refused=0.02,
    )  # fmt: skip

    async def make(record: Record, draft: Draft) -> list[str]:
        pool = _pool(corpus, draft, found, seed)
        size = len(pool) if models.effort == "high" else 1

        async def judge(part: Record, some: Sequence[Excerpt]) -> list[str]:
            lines = [f"[{number}] {each.text}" for number, each in enumerate(some, 1)]
            texts = {"query": draft.query, "passages": "\n\n".join(lines)}
            parents = tuple(each.document.id for each in some)

            def check(read: Judged) -> Judged | Fault:
                if all(1 <= number <= len(some) for number in read.answers):
                    return read
                return Fault("a number that no passage has")

            read = await part.ask(step, Question({}, texts, parents), check=check)
            if read is step.usual:  # a dry run
                return [draft.excerpt.document.id]
            return [some[number - 1].document.id for number in sorted(set(read.answers))]

        answers: list[str] = []
        for result in await record.each(parts(pool, size), judge):
            if not isinstance(result, Fault):
                answers += result
            elif size > 1:
                raise RejectedError(result)
        return answers

    sources = ((each.excerpt.document.id, each) for each in drafts)
    outcomes = complete(
        run(
            Pipeline("questions", (step,), make), sources, {VERIFIER: models.verifier}, into,
            seed=seed, attempts=models.attempts, log=log,
        ),
        into,
    )  # fmt: skip
    return {each.id: each.fault or each.value or [] for each in outcomes}


def _pool(corpus: Corpus, draft: Draft, found: Found, seed: int) -> list[Excerpt]:
    """Return the passages to judge, shuffled: the one that the query was written for among them."""
    own = draft.excerpt.document
    others = [corpus[id] for id in found.pools[own.id] if id != own.id]
    named = len(own.text[draft.start : draft.end].split()) + _AROUND
    passages = [excerpt_at(own, draft.start, max(_PASSAGE, min(named, _MOST_WORDS)))]
    passages += [excerpt_for(each, draft.query, _PASSAGE) for each in others]
    random.Random(f"{seed} {own.id} pool").shuffle(passages)
    return passages


def _fate(id: str, answers: Any, *, is_found: bool, reads: bool) -> str:
    """Return what becomes of a query: `KEPT`, or why it is dropped."""
    if not reads:
        return KEPT if is_found else "query: not read, and no search finds its document"
    if isinstance(answers, Fault):
        return f"reader: {answers.reason}"
    if id not in answers:
        return "reader: its document does not answer it"
    if len(answers) > _MOST_ANSWERS:
        return f"reader: more than {_MOST_ANSWERS} documents answer it"
    return KEPT
