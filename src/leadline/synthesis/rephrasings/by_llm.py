"""Equivalent queries in seven styles, written by a language model and checked by a second one.

Source: Campese et al., Improving Document Retrieval Coherence, appendix A; the prompts follow it.
"""

from __future__ import annotations

import dataclasses
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from pydantic import BaseModel

from leadline.benchmark import Benchmark
from leadline.errors import InputError
from leadline.kinds.rephrasings import KIND
from leadline.llm.pipeline.log import LogFile
from leadline.llm.pipeline.models import Models
from leadline.llm.pipeline.record import Record
from leadline.llm.pipeline.running import Pipeline, complete, run
from leadline.llm.pipeline.steps import VERIFIER, Asks, Fault, Question, Refusal, question_after
from leadline.llm.run_record import RunRecord
from leadline.metrics.topics import is_original
from leadline.prompt import Prompt
from leadline.text.tokens import normalised
from leadline.types import Query

STYLES = ("squad", "ms-marco", "duorc", "hotpotqa", "nq", "triviaqa", "webqa")
COUNT = 10

_PACKAGE = "leadline.synthesis.rephrasings"
_LONGEST = 400


class Similarity(Protocol):
    """Tells how close texts are to another one."""

    def __call__(self, query: str, others: Sequence[str]) -> list[float]:
        """Return a cosine for each of the others."""
        ...


class Equivalent(BaseModel):
    """One rephrasing."""

    question: str
    style: str


class Written(BaseModel):
    """What the writer answers."""

    original_question: str
    equivalent_questions: list[Equivalent]


class Judged(BaseModel):
    """What the judge answers."""

    equivalent: list[bool]


@dataclass(frozen=True)
class Built:
    """Queries with their rephrasings, and what became of all that were written.

    written, kept  rephrasings that passed the check by code, and those judged equivalent
    dropped        reason -> rephrasings or queries
    """

    queries: Sequence[Query]
    written: int
    kept: int
    dropped: Mapping[str, int] = field(default_factory=dict)

    @property
    def reject_rate(self) -> float:
        """Share of the rephrasings written that are not equivalent."""
        return 1 - self.kept / self.written if self.written else 0.0


def rephrase(
    originals: Iterable[Query],
    models: Models,
    into: RunRecord,
    *,
    seed: int = 0,
    count: int = COUNT,
    similarity: Similarity | None = None,
    threshold: float = 0.6,
    log: LogFile | None = None,
) -> Built:
    """Return each query followed by at most `count` equivalents in named styles.

    similarity  when given, rephrasings below `threshold` are dropped, too

    A rephrasing that says the same words as the query or an earlier one is dropped. A query whose
    drafts give no usable rephrasing stays out. Raises InputError when nothing is left, and
    IncompleteError when calls got no answer.
    """
    if count < 1:
        raise InputError(f"count must be at least 1, got {count}.")
    dropped: Counter[str] = Counter()
    steps = _steps(models, count)
    sources = ((query.id, query) for query in originals)
    outcomes = complete(
        run(
            Pipeline("", steps, _maker(steps, count, dropped)), sources,
            {"writer": models.writer, "verifier": models.verifier}, into,
            seed=seed, attempts=models.attempts, log=log,
        ),
        into,
    )  # fmt: skip
    queries: list[Query] = []
    written = kept = 0
    for outcome in outcomes:
        if outcome.fault is not None or outcome.value is None:
            dropped["query given up: " + (outcome.fault.reason if outcome.fault else "")] += 1
            continue
        found, judged = outcome.value
        written += len(found)
        good = [each for each, is_equivalent in zip(found, judged, strict=True) if is_equivalent]
        dropped["judged not equivalent"] += len(found) - len(good)
        near = _near(outcome.source, good, similarity, threshold)
        dropped["too far by the encoder"] += len(good) - len(near)
        kept += len(near)
        if near:
            queries += _variants(outcome.source, near)
    if not queries:
        raise InputError(
            f"No rephrasing of {models.writer.name} could be used. Take another model, or more "
            "--attempts."
        )
    return Built(queries, written, kept, {key: n for key, n in sorted(dropped.items()) if n})


def as_benchmark(base: Benchmark, built: Built, models: Models, **facts: Any) -> Benchmark:
    """Return a benchmark of the queries built, with corpus and judgements of `base`."""
    relevant = {query.id: base.qrels.get(query.topic, {}) for query in built.queries}
    return dataclasses.replace(
        base,
        queries=built.queries,
        qrels={query_id: grades for query_id, grades in relevant.items() if grades},
        built_by="llm",
        **KIND.measured(),
        built={
            "builder": __name__,
            "writer": models.writer.name,
            "verifier": models.verifier.name,
            "written": built.written,
            "kept": built.kept,
            "reject rate": round(built.reject_rate, 4),
            "dropped": dict(built.dropped),
            **facts,
        },
    )


def style_of(name: str) -> str:
    """Return the style that a model means, `other` for none of the seven."""
    plain = re.sub(r"[^a-z]", "", name.casefold().replace("question", "").replace("style", ""))
    names = {style.replace("-", ""): style for style in STYLES}
    names |= {"naturalquestions": "nq", "webquestions": "webqa", "trivia": "triviaqa"}
    return names.get(plain, "other")


def tidied(query: str, draft: Written, count: int) -> list[Equivalent]:
    """Return the rephrasings that say other words than the query and than those before."""
    seen = {normalised(query)}
    found = []
    for each in draft.equivalent_questions:
        text = " ".join(each.question.split())
        if text and len(text) <= _LONGEST and normalised(text) not in seen:
            seen.add(normalised(text))
            found.append(Equivalent(question=text, style=style_of(each.style)))
    return found[:count]


def _steps(models: Models, count: int) -> tuple[Asks[Any], Asks[Any]]:
    usual = [Equivalent(question="what is known about the old mill", style="NQ")] * count
    write = Asks(
        "write", Prompt.load(_PACKAGE, "write_equivalents"), Written,
        usual=Written(original_question="the old mill", equivalent_questions=usual),
        max_tokens=models.max_tokens, temperature=models.temperature, refused=0.05,
    )  # fmt: skip
    judge = Asks(
        "judge", Prompt.load(_PACKAGE, "judge_equivalents"), Judged,
        usual=Judged(equivalent=[True] * count), max_tokens=models.max_tokens, model=VERIFIER,
        refused=0.05,
    )  # fmt: skip
    return write, judge


def _maker(steps: tuple[Asks[Any], Asks[Any]], count: int, dropped: Counter[str]) -> Any:
    write, judge = steps

    async def make(record: Record, query: Query) -> tuple[list[Equivalent], list[bool]]:
        def question(refusal: Refusal | None) -> Question:
            texts = {"query": query.content}
            return question_after(refusal, {"count": str(count)}, texts, (query.id,))

        def check(draft: Written) -> Written | Fault:
            found = tidied(query.content, draft, count)
            if not found:
                return Fault("nothing new", "Every rephrasing repeats the words of the query.")
            return draft.model_copy(update={"equivalent_questions": found})

        made = await record.make(write, question, check=check)
        found = made.value.equivalent_questions

        def complete_verdict(read: Judged) -> Judged | Fault:
            if len(read.equivalent) != len(found):
                problem = f"There are {len(found)} rephrasings and {len(read.equivalent)} verdicts."
                return Fault("another number of verdicts", problem)
            return read

        lines = "\n".join(f"{n}. {each.question}" for n, each in enumerate(found, start=1))
        texts = {"query": query.content, "rephrasings": lines}
        judged = await record.ask(
            judge, Question({"count": str(len(found))}, texts, (query.id,)), check=complete_verdict
        )
        return found, judged.equivalent

    return make


def _near(
    query: Query,
    found: Sequence[Equivalent],
    similarity: Similarity | None,
    threshold: float,
) -> list[Equivalent]:
    if similarity is None or not found:
        return list(found)
    scores = similarity(query.content, [each.question for each in found])
    return [each for each, score in zip(found, scores, strict=True) if score >= threshold]


def _variants(query: Query, found: Sequence[Equivalent]) -> Iterator[Query]:
    """Yield the query as an original, then its rephrasings."""
    original = (
        query
        if is_original(query)
        else dataclasses.replace(query, facets={**query.facets, "kind": "original"})
    )
    yield dataclasses.replace(original, topic=query.id)
    for number, each in enumerate(found, start=1):
        facets = {**query.facets, "kind": each.style, "edit": "rephrased by a language model"}
        yield Query(f"{query.id}~{number}", each.question, query.id, "", facets, query.answer)
