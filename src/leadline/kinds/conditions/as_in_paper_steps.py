"""The steps of one ladder: choose, write queries, break each condition, audit every variant."""

from __future__ import annotations

import random
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from leadline.kinds.conditions.as_in_paper_drafts import (
    CONDITIONS,
    KINDS,
    Chosen,
    Holds,
    Negative,
    Queries,
    Rows,
    Stated,
    check_chosen,
    check_negative,
    check_queries,
    words_of,
)
from leadline.kinds.conditions.domains import Domain
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
from leadline.llm.prompt import Prompt
from leadline.types import Document

if TYPE_CHECKING:
    from leadline.llm.pipeline.models import Models

Drop = Literal["fact", "ladder"]

_PACKAGE = "leadline.kinds.conditions"
_SENTENCE = "The mill at the northern bridge was rebuilt of stone in 1873 by the council."
_SHORT = "Mill by the northern bridge rebuilt in stone in 1873"


@dataclass(frozen=True)
class Ladder:
    """What was made of one document.

    negatives  None where a sentence could not be had that breaks its condition
    faults     by place of a condition: why it cannot stay
    made       by step: where its texts come from
    """

    conditions: list[str]
    queries: Queries
    negatives: list[Negative | None]
    faults: dict[int, str]
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
    audit: Asks[Rows]

    @property
    def all(self) -> tuple[Asks[Any], ...]:
        """The steps in the order of the work."""
        return (self.choose, self.queries, self.stated, self.altered, self.dummy, self.broken,
                self.audit)  # fmt: skip


def steps_of(models: Models) -> Steps:
    """Return the steps with the settings of a run."""
    write: dict[str, Any] = {"max_tokens": models.max_tokens, "temperature": models.temperature}
    write["refused"] = 0.05
    read: dict[str, Any] = {"max_tokens": models.max_tokens, "model": VERIFIER, "refused": 0.05}

    def prompt(name: str) -> Prompt:
        return Prompt.load(_PACKAGE, name)

    usual = Queries(
        short=[_SHORT] * CONDITIONS,
        prose=[" ".join([_SHORT] * k) for k in range(1, CONDITIONS + 1)],
    )
    negative = Negative(sentence=_SENTENCE, changed="number")
    rows = Rows(rows=[[number] for number in range(1, CONDITIONS + 1)])
    return Steps(
        Asks("choose", prompt("choose_conditions"), Chosen,
             usual=Chosen(conditions=[_SENTENCE] * CONDITIONS),
             max_tokens=models.max_tokens, refused=0.05),
        Asks("queries", prompt("write_queries"), Queries, usual=usual, **write),
        Asks("queries read", prompt("count_stated"), Stated,
             usual=Stated(stated=list(range(1, CONDITIONS + 1))), **read),
        Asks("fact altered", prompt("alter_fact"), Negative, usual=negative, **write),
        Asks("terms kept", prompt("attach_elsewhere"), Negative, usual=negative, **write),
        Asks("broken", prompt("what_holds"), Holds, usual=Holds(holds=False), **read),
        Asks("audit", prompt("audit"), Rows, usual=rows, **{**read, "refused": 0.02}),
    )  # fmt: skip


def maker(
    steps: Steps, domain: Domain, drop: Drop = "fact"
) -> Callable[[Record, Document], Awaitable[Ladder]]:
    """Return the coroutine that makes one ladder.

    drop  what one fault costs: its condition, or the whole ladder, which then asks nothing more
    """

    async def make(record: Record, document: Document) -> Ladder:
        chosen = await _choose(record, steps, domain, document)
        conditions = chosen.value.conditions
        queries = await _queries(record, steps, document, conditions)
        found = await record.each(
            range(len(conditions)),
            lambda part, k: _negative(part, steps, domain, document, conditions, queries.value, k),
        )
        faults = {k: f"negative: {each.reason}" for k, each in enumerate(found)
                  if isinstance(each, Fault)}  # fmt: skip
        if drop == "ladder" and faults:
            raise RejectedError(Fault(faults[min(faults)]))
        negatives = [None if isinstance(each, Fault) else each.value for each in found]
        faults |= await _audit(record, steps, document, conditions, negatives, queries.value.short)
        made = {"conditions": chosen.provenance, "queries": queries.provenance}
        made.update(("negatives", each.provenance) for each in found if isinstance(each, Made))
        return Ladder(conditions, queries.value, negatives, faults, made)

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
        least, most = words_of(conditions[k], domain.edit)
        values = {"least": str(least), "most": str(most)}
        values |= {} if is_dummy else {"kinds": ", ".join(KINDS)}
        texts = {"sentence": conditions[k], "condition": queries.short[k]}
        return question_after(refusal, values, texts, (document.id,))

    def shown(draft: Negative) -> Question:
        texts = {"text": draft.sentence, "condition": queries.short[k]}
        return Question({}, texts, (document.id,))

    def compare(read: Holds, draft: Negative) -> Fault | None:
        problem = "A reader found the condition still met."
        return Fault("the condition still holds", problem) if read.holds else None

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
    negatives: Sequence[Negative | None],
    short: Sequence[str],
) -> dict[int, str]:
    """Return by place which conditions other sentences state than the one that is meant to.

    Documents are nothing but these sentences, so that one reading of each settles every variant.
    """
    shown = [(k, text) for k, text in enumerate(conditions)]
    shown += [(-1, each.sentence) for each in negatives if each is not None]
    random.Random(document.id).shuffle(shown)
    texts = {"statements": _numbered([text for _, text in shown]), "conditions": _numbered(short)}
    asked = Question({"count": str(len(short))}, texts, (document.id,))
    try:
        read = await record.ask(steps.audit, asked)
    except RejectedError as error:
        raise RejectedError(Fault(f"audit: {error.fault.reason}", error.fault.problem)) from error
    faults = {}
    for k, row in enumerate(read.rows):
        stating = {shown[number - 1][0] for number in row if number <= len(shown)}
        if k not in stating:
            faults[k] = "audit: a reader does not find the condition in its sentence"
        elif stating != {k}:
            faults[k] = "audit: another sentence states the condition, too"
    return faults


def _numbered(texts: Sequence[str]) -> str:
    return "\n".join(f"{number}. {text}" for number, text in enumerate(texts, 1))
