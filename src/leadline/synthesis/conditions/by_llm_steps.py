"""The steps of one ladder: choose, write queries, break each condition, audit every variant."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from leadline.llm.pipeline.record import Record
from leadline.llm.pipeline.steps import (
    VERIFIER,
    Asks,
    Fault,
    Made,
    Provenance,
    Question,
    Refusal,
    RejectedError,
    Verify,
    question_after,
)
from leadline.prompt import Prompt
from leadline.synthesis.conditions.domains import Domain
from leadline.synthesis.conditions.drafts import (
    CONDITIONS,
    KINDS,
    Chosen,
    Holds,
    Negative,
    Queries,
    Stated,
    check_chosen,
    check_negative,
    check_queries,
)
from leadline.types import Document

if TYPE_CHECKING:
    from leadline.llm.pipeline.models import Models

_PACKAGE = "leadline.synthesis.conditions"
_SENTENCE = "The mill at the northern bridge was rebuilt of stone in 1873 by the council."
_SHORT = "Mill by the northern bridge rebuilt in stone in 1873"


@dataclass(frozen=True)
class Ladder:
    """What was made of one document.

    audited     variants that the verifier read
    mismatches  names of variants that meet other conditions than meant
    made        by step: where its texts come from
    """

    conditions: list[str]
    queries: Queries
    negatives: list[Negative]
    audited: int
    mismatches: list[str]
    made: dict[str, Provenance]


@dataclass(frozen=True)
class Steps:
    """Every step that asks a model."""

    choose: Asks[Chosen]
    queries: Asks[Queries]
    stated: Asks[Stated]
    altered: Asks[Negative]
    dummy: Asks[Negative]
    broken: Asks[Holds]
    audit: Asks[Holds]

    @property
    def all(self) -> tuple[Asks[Any], ...]:
        """The steps in the order of the work."""
        return (self.choose, self.queries, self.stated, self.altered, self.dummy, self.broken,
                self.audit)  # fmt: skip


def steps_of(models: Models) -> Steps:
    """Return the steps with the settings of a run."""
    write: dict[str, Any] = {"max_tokens": models.max_tokens, "temperature": models.temperature}
    read: dict[str, Any] = {"max_tokens": models.max_tokens, "model": VERIFIER, "refused": 0.1}

    def prompt(name: str) -> Prompt:
        return Prompt.load(_PACKAGE, name)

    usual = Queries(
        short=[_SHORT] * CONDITIONS,
        prose=[" ".join([_SHORT] * k) for k in range(1, CONDITIONS + 1)],
    )
    negative = Negative(sentence=_SENTENCE, changed="number")
    verdicts = Holds(holds=[True] * CONDITIONS)
    return Steps(
        Asks("choose", prompt("choose_conditions"), Chosen,
             usual=Chosen(conditions=[_SENTENCE] * CONDITIONS),
             max_tokens=models.max_tokens, refused=0.2),
        Asks("queries", prompt("write_queries"), Queries, usual=usual, **write),
        Asks("queries read", prompt("count_stated"), Stated,
             usual=Stated(stated=list(range(1, CONDITIONS + 1))), **read),
        Asks("fact altered", prompt("alter_fact"), Negative, usual=negative, **write),
        Asks("terms kept", prompt("attach_elsewhere"), Negative, usual=negative, **write),
        Asks("broken", prompt("what_holds"), Holds, usual=Holds(holds=[False]), **read),
        Asks("audit", prompt("what_holds"), Holds, usual=verdicts, **{**read, "refused": 0.02}),
    )  # fmt: skip


def maker(steps: Steps, domain: Domain) -> Callable[[Record, Document], Awaitable[Ladder]]:
    """Return the coroutine that makes one ladder."""

    async def make(record: Record, document: Document) -> Ladder:
        chosen = await _choose(record, steps, domain, document)
        conditions = chosen.value.conditions
        queries = await _queries(record, steps, document, conditions)
        found = await record.each(
            range(len(conditions)),
            lambda part, k: _negative(part, steps, domain, document, conditions, queries.value, k),
        )
        negatives: list[Made[Negative]] = []
        for each in found:
            if isinstance(each, Fault):
                raise RejectedError(Fault(f"negative: {each.reason}", each.problem))
            negatives.append(each)
        sentences = [each.value for each in negatives]
        mismatches, audited = await _audit(
            record, steps, document, conditions, sentences, queries.value.short
        )
        made = {"conditions": chosen.provenance, "queries": queries.provenance}
        made |= {"negatives": negatives[0].provenance}
        return Ladder(conditions, queries.value, sentences, audited, mismatches, made)

    return make


def variants(
    conditions: Sequence[str], negatives: Sequence[str]
) -> dict[str, tuple[str, list[bool]]]:
    """Return the text of each document of a ladder, and which conditions it is meant to meet."""
    n = len(conditions)
    meant = {f"d{j}": [k < j for k in range(n)] for j in range(n + 1)}
    meant |= {f"not{k}": [place != k - 1 for place in range(n)] for k in range(1, n)}
    return {
        name: (
            " ".join(
                condition if holds else negative
                for condition, negative, holds in zip(conditions, negatives, met, strict=True)
            ),
            met,
        )
        for name, met in meant.items()
    }


async def _choose(record: Record, steps: Steps, domain: Domain, document: Document) -> Made[Chosen]:
    def question(refusal: Refusal | None) -> Question:
        values = {"count": str(CONDITIONS), "domain": domain.name}
        values |= {"features": ", ".join(domain.features)}
        return question_after(refusal, values, {"document": document.text}, (document.id,))

    return await record.make(
        steps.choose, question, check=lambda draft: check_chosen(document.text, draft)
    )


async def _queries(
    record: Record, steps: Steps, document: Document, conditions: Sequence[str]
) -> Made[Queries]:
    count = str(len(conditions))

    def question(refusal: Refusal | None) -> Question:
        texts = {"sentences": _numbered(conditions)}
        return question_after(refusal, {"count": count}, texts, (document.id,))

    def shown(draft: Queries) -> Question:
        texts = {"facts": _numbered(conditions), "queries": _numbered(draft.prose)}
        return Question({"count": count}, texts, (document.id,))

    def compare(read: Stated, draft: Queries) -> Fault | None:
        meant = list(range(1, len(draft.prose) + 1))
        if read.stated == meant:
            return None
        return Fault(
            "queries state other conditions than meant",
            f"Queries 1 to {len(meant)} were found to state {read.stated[:20]} of the facts.",
        )

    return await record.make(
        steps.queries, question, check=lambda draft: check_queries(conditions, draft),
        verify=Verify(steps.stated, shown, compare),
    )  # fmt: skip


async def _negative(
    part: Record,
    steps: Steps,
    domain: Domain,
    document: Document,
    conditions: Sequence[str],
    queries: Queries,
    k: int,
) -> Made[Negative]:
    others = [*conditions[:k], *conditions[k + 1 :]]
    is_dummy = domain.edit == "dummy"

    def question(refusal: Refusal | None) -> Question:
        values = {} if is_dummy else {"kinds": ", ".join(KINDS)}
        texts = {"sentence": conditions[k], "condition": queries.short[k]}
        return question_after(refusal, values, texts, (document.id,))

    def shown(draft: Negative) -> Question:
        texts = {"text": draft.sentence, "conditions": _numbered([queries.short[k]])}
        return Question({"count": "1"}, texts, (document.id,))

    def compare(read: Holds, draft: Negative) -> Fault | None:
        if read.holds == [False]:
            return None
        return Fault("the condition still holds", "A reader found the condition still met.")

    return await part.make(
        steps.dummy if is_dummy else steps.altered, question,
        check=lambda draft: check_negative(
            conditions[k], document.text, others, domain.edit, draft
        ),
        verify=Verify(steps.broken, shown, compare),
    )  # fmt: skip


async def _audit(
    record: Record,
    steps: Steps,
    document: Document,
    conditions: Sequence[str],
    negatives: Sequence[Negative],
    short: Sequence[str],
) -> tuple[list[str], int]:
    """Return the variants in which other conditions hold than meant, and how many were read."""
    found = variants(conditions, [each.sentence for each in negatives])

    def whole(read: Holds) -> Holds | Fault:
        if len(read.holds) != len(conditions):
            told = f"There are {len(conditions)} conditions and {len(read.holds)} verdicts."
            return Fault("another number of verdicts", told)
        return read

    async def read(part: Record, text: str) -> Holds:
        texts = {"text": text, "conditions": _numbered(short)}
        asked = Question({"count": str(len(conditions))}, texts, (document.id,))
        return await part.ask(steps.audit, asked, check=whole)

    answers = await record.each([text for text, _ in found.values()], read)
    mismatches = []
    for (name, (_, meant)), answer in zip(found.items(), answers, strict=True):
        if isinstance(answer, Fault):
            raise RejectedError(Fault(f"audit: {answer.reason}", answer.problem))
        if answer.holds != meant:
            mismatches.append(name)
    return mismatches, len(found)


def _numbered(texts: Sequence[str]) -> str:
    return "\n".join(f"{number}. {text}" for number, text in enumerate(texts, 1))
