"""Conditions that rules made, read by a language model before anything is asked with them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Literal

from pydantic import BaseModel, Field

from leadline.errors import InputError
from leadline.prompt import Prompt
from leadline.synthesis.ask import Asking, Question, ask
from leadline.synthesis.conditions.choice import Condition
from leadline.synthesis.conditions.edits import Edit, apply_edits, moved
from leadline.synthesis.conditions.wording import stated
from leadline.synthesis.run_record import Step
from leadline.types import LLM, Document

GOOD: Literal["good"] = "good"
_PACKAGE = "leadline.synthesis.conditions"
_AROUND = 200
"""Characters of the document that are shown on either side of a condition or a control."""
_MOST_TOKENS = 200


class Verdicts(BaseModel):
    """What a model says of the conditions of a document, in their order."""

    verdicts: list[Literal["good", "doubtful", "bad"]] = Field(min_length=1)


def vetted(
    made: Sequence[tuple[Document, Sequence[Condition]]],
    topics: Sequence[str],
    llm: LLM,
    refused: Counter[str],
) -> list[list[Condition]]:
    """Return the conditions of each document that a model finds good, in their order.

    made     documents with the conditions that rules made of them
    topics   what each document is about, or nothing
    refused  verdicts other than good are counted here, and conditions that got none

    A document is one call. Whatever got no answer that can be used is left out.

    Raises InputError when no document got one.
    """
    step = Step("judge conditions")
    questions = [
        Question(
            {"count": str(len(conditions))},
            {"topic": topic, "cases": "\n\n".join(_cases(document, conditions))},
            (document.id,),
            number,
        )
        for number, ((document, conditions), topic) in enumerate(zip(made, topics, strict=True))
    ]
    kept: list[list[Condition]] = [[] for _ in made]
    prompt = Prompt.load(_PACKAGE, "judge_conditions")
    usual = Verdicts(verdicts=[GOOD])
    answers = ask(llm, prompt, questions, Verdicts, Asking(_MOST_TOKENS), step, example=usual)
    read = 0
    for answer in answers:
        conditions, verdicts = made[answer.source][1], answer.value.verdicts
        if len(verdicts) != len(conditions):
            step.drop("not as many verdicts as conditions")
            continue
        read += len(conditions)
        for condition, verdict in zip(conditions, verdicts, strict=True):
            if verdict == GOOD:
                kept[answer.source].append(condition)
            else:
                refused[f"{verdict}, says {llm.name}"] += 1
    if made and not read and (why := {**step.dropped, **step.unanswered}):
        raise InputError(
            f"{llm.name} gave no verdict that can be used on any of {len(made)} documents "
            f"({max(why, key=lambda reason: why[reason])}). Name another model, or leave out --vet."
        )
    if unread := sum(len(conditions) for _, conditions in made) - read:
        refused[f"no verdict of {llm.name}"] += unread
    return kept


def _cases(document: Document, conditions: Sequence[Condition]) -> list[str]:
    return [
        f"{number}. Condition: {stated(condition)}\n"
        f"The document says: {_around(document.text, condition.edit)}\n"
        f"The edited copy says: {_around(document.text, condition.edit, made=True)}\n"
        f"The control changes: {_around(document.text, condition.controls[0])}\n"
        f"into: {_around(document.text, condition.controls[0], made=True)}"
        for number, condition in enumerate(conditions, 1)
    ]


def _around(text: str, edit: Edit, *, made: bool = False) -> str:
    """Return the text on both sides of an edit, with the edit made or not, on one line."""
    start = max(0, edit.start - _AROUND)
    part = text[start : edit.end + _AROUND]
    return " ".join((apply_edits(part, [moved(edit, -start)]) if made else part).split())
