"""Queries that a language model writes for documents, and that code finds no fault with."""

from __future__ import annotations

import random
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias, TypeVar

from pydantic import BaseModel, Field

from leadline.kinds.questions.checks import MOST_COPIED, MOST_OF_TITLE, faults_of
from leadline.kinds.questions.excerpts import Excerpt, draw_documents, drawn_excerpt
from leadline.llm.pipeline.log import LogFile
from leadline.llm.pipeline.models import Models
from leadline.llm.pipeline.record import Record
from leadline.llm.pipeline.running import Pipeline, complete, run
from leadline.llm.pipeline.steps import Asks, Fault, Question
from leadline.llm.prompt import Prompt
from leadline.llm.run_record import RunRecord
from leadline.text.tokens import normalised
from leadline.types import Corpus

T = TypeVar("T")

_PACKAGE = "leadline.kinds.questions"
_FORMS = {"keywords": "3 to 6 search words", "question": "one short question"}
_TOGETHER = 4
"""Documents of one call to a strong writer."""
_WORDS, _FEW_WORDS = 350, 80
"""Words of a document that a strong writer, and a weak one, are shown."""
_LONGEST = 200
_USUAL = "how to store grain over a wet winter"


class Written(BaseModel):
    """One query."""

    document: int
    query: str = Field(max_length=_LONGEST)
    sentences: list[int] = Field(max_length=20)


class Batch(BaseModel):
    """What the writer answers."""

    queries: list[Written]


class Single(BaseModel):
    """What a weak writer answers."""

    query: str = Field(max_length=_LONGEST)


@dataclass(frozen=True, slots=True)
class Draft:
    """A query for a document.

    start, end  where the sentences stand that answer it
    is_skipped  whether the writer says that nobody would search for the document
    """

    excerpt: Excerpt
    form: str
    query: str = ""
    start: int = 0
    end: int = 0
    fault: str = ""
    is_skipped: bool = False


Make: TypeAlias = Callable[[Record, Sequence[Draft]], Awaitable[list[Draft]]]


def write_queries(
    corpus: Corpus,
    models: Models,
    into: RunRecord,
    seed: int,
    limit: int,
    fates: dict[str, str],
    log: LogFile | None,
) -> list[Draft]:
    """Return the queries that code finds no fault with; why others are none is put into `fates`."""
    is_high = models.effort == "high"
    words, together = (_WORDS, _TOGETHER) if is_high else (_FEW_WORDS, 1)
    asked = []
    for number, document in enumerate(draw_documents(corpus, limit, seed, fates)):
        rng = random.Random(f"{seed} {document.id}")
        asked.append(Draft(drawn_excerpt(document, words, rng), list(_FORMS)[number % 2]))
    step, make = _strong(models) if is_high else _weak(models)
    batches = ((each[0].excerpt.document.id, each) for each in parts(asked, together))
    outcomes = complete(
        run(
            Pipeline("questions", (step,), make), batches, {step.model: models.writer}, into,
            seed=seed, attempts=models.attempts, log=log,
        ),
        into,
    )  # fmt: skip
    kept: dict[str, Draft] = {}
    for outcome in outcomes:
        for draft in outcome.value or outcome.source:
            reason = outcome.fault.reason if outcome.fault else draft.fault
            if draft.is_skipped:
                reason = "nobody would search for the document, says the writer"
            words_of_it = normalised(draft.query)
            if not reason and words_of_it in kept:
                reason = "another document has the same query"
            if reason:
                fates[draft.excerpt.document.id] = f"query: {reason}"
            else:
                kept[words_of_it] = draft
    return list(kept.values())


def _strong(models: Models) -> tuple[Asks[Any], Make]:
    """Return how a strong writer is asked: for queries of some documents, each with its sentences.

    Queries with a fault are asked for once more.
    """
    usual = Written(document=1, query=_USUAL, sentences=[3, 4])
    step = Asks(
        "write", Prompt.load(_PACKAGE, "write_queries"), Batch,
        usual=Batch(queries=[usual] * _TOGETHER), max_tokens=models.max_tokens,
        temperature=models.temperature, refused=0.1,
    )  # fmt: skip

    async def make(record: Record, batch: Sequence[Draft]) -> list[Draft]:
        drafts = _read(await record.ask(step, _question(batch)), step, batch)
        bad = [each for each in drafts if each.fault]
        if bad:
            answer = await record.ask(step, _question(bad), first=models.attempts)
            again = iter(_read(answer, step, bad))
            drafts = [next(again) if each.fault else each for each in drafts]
        return drafts

    return step, make


def _weak(models: Models) -> tuple[Asks[Any], Make]:
    """Return how a weak writer is asked: for one query, which all that it is shown answers."""
    step = Asks(
        "write", Prompt.load(_PACKAGE, "write_query"), Single, usual=Single(query=_USUAL),
        max_tokens=models.max_tokens, temperature=models.temperature, refused=0.3,
    )  # fmt: skip

    async def make(record: Record, batch: Sequence[Draft]) -> list[Draft]:
        (draft,) = batch
        numbers = range(1, len(draft.excerpt.sentences) + 1)

        def check(read: Single) -> Single | Fault:
            fault = _checked(draft, read.query, numbers).fault
            return Fault(fault) if fault else read

        asked = Question(
            {"form": _FORMS[draft.form]}, {"document": draft.excerpt.text}, (record.id,)
        )
        read = await record.ask(step, asked, check=check)
        if read is step.usual:  # a dry run
            return [_planned(draft)]
        return [_checked(draft, " ".join(read.query.split()), numbers)]

    return step, make


def parts(items: Sequence[T], size: int) -> list[Sequence[T]]:
    """Return the items in order, so many together at most."""
    return [items[start : start + size] for start in range(0, len(items), max(1, size))]


def _question(batch: Sequence[Draft]) -> Question:
    """Return the question for queries; drafts with a fault are shown, and what is wrong."""
    shown, number = [], 0
    for place, draft in enumerate(batch, 1):
        title = " ".join(draft.excerpt.document.title.split())
        shown.append(f"Document {place} ({draft.form}). {title}".rstrip())
        for line in draft.excerpt.lines:
            number += 1
            shown.append(f"[{number}] {line}")
        shown.append("")
    values = {
        "count": str(len(batch)), "copied": str(MOST_COPIED), "of_title": str(MOST_OF_TITLE),
    }  # fmt: skip
    texts = {"documents": "\n".join(shown).rstrip()}
    if any(each.fault for each in batch):
        faults = "\n".join(f"- Document {n}: {each.fault}." for n, each in enumerate(batch, 1))
        values["again"] = (
            f"An earlier answer cannot be used:\n{faults}\nWrite these queries anew, otherwise, "
            "by all the rules above. The earlier queries were:\n"
        )
        texts["draft"] = "\n".join(f"{n}. {each.query}" for n, each in enumerate(batch, 1))
    else:
        values |= {"again": "", "draft": ""}
    parents = tuple(each.excerpt.document.id for each in batch)
    return Question(values, texts, parents)


def _read(answer: Batch, step: Asks[Batch], batch: Sequence[Draft]) -> list[Draft]:
    """Return the batch with the queries of an answer, or with what is wrong with them."""
    if answer is step.usual:  # a dry run: the queries must differ as those of a run do
        return [_planned(each) for each in batch]
    given = {each.document: each for each in reversed(answer.queries)}
    drafts, first = [], 0
    for place, draft in enumerate(batch, 1):
        sentences = draft.excerpt.sentences
        written = given.get(place)
        if written is None:
            drafts.append(replace(draft, fault="there is no query for it"))
        elif not written.query.strip():
            drafts.append(replace(draft, is_skipped=True))
        else:
            numbers = sorted({number - first for number in written.sentences})
            drafts.append(_checked(draft, " ".join(written.query.split()), numbers))
        first += len(sentences)
    return drafts


def _checked(draft: Draft, query: str, numbers: Sequence[int]) -> Draft:
    document, sentences = draft.excerpt.document, draft.excerpt.sentences
    faults = faults_of(query, draft.form, document.title, document.text)
    if not numbers or not 1 <= numbers[0] <= numbers[-1] <= len(sentences):
        faults.append("the numbers of its sentences are not those of this document")
        numbers = [1]
    return replace(
        draft,
        query=query,
        start=sentences[numbers[0] - 1].start,
        end=sentences[numbers[-1] - 1].end,
        fault="; ".join(faults),
    )


def _planned(draft: Draft) -> Draft:
    words = draft.excerpt.document.content.split()
    return replace(draft, query=" ".join(words[:8]), end=draft.excerpt.sentences[0].end)
