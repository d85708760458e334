"""Test cases that rules made, read by a language model before anything is asked with them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from pydantic import BaseModel, Field

from leadline.errors import InputError
from leadline.kinds.sheets import Sheet
from leadline.llm.ask import Asking, Question, ask
from leadline.llm.run_record import Step
from leadline.prompt import Prompt
from leadline.types import LLM

GOOD: Literal["good"] = "good"
_MOST_TOKENS = 200


class Verdicts(BaseModel):
    """What a model says of the cases of a document, in their order."""

    verdicts: list[Literal["good", "doubtful", "bad"]] = Field(min_length=1)


@dataclass(frozen=True)
class Reader:
    """A language model that says which cases are good."""

    llm: LLM

    @property
    def name(self) -> str:
        """What reports call it: the name of the model."""
        return self.llm.name

    def good_cases(
        self, prompt: Prompt, sheets: Sequence[Sheet], refused: Counter[str]
    ) -> list[list[bool]]:
        """Return which cases of each sheet the model finds good; see `good_cases`."""
        return good_cases(self.llm, prompt, sheets, refused)


def good_cases(
    llm: LLM, prompt: Prompt, sheets: Sequence[Sheet], refused: Counter[str]
) -> list[list[bool]]:
    """Return which cases of each sheet a model finds good.

    prompt   with the fields `count`, `cases` and those of the sheets' texts
    refused  verdicts other than good are counted here, and cases that got none

    Whatever got no answer that can be used is not good.

    Raises InputError when no sheet got one.
    """
    step = Step("judge cases")
    questions = [
        Question(
            {"count": str(len(sheet.cases))},
            {"cases": _numbered(sheet.cases), **sheet.texts},
            (sheet.document,),
            number,
        )
        for number, sheet in enumerate(sheets)
    ]
    good = [[False] * len(sheet.cases) for sheet in sheets]
    usual = Verdicts(verdicts=[GOOD])
    read = 0
    for answer in ask(llm, prompt, questions, Verdicts, Asking(_MOST_TOKENS), step, example=usual):
        verdicts = answer.value.verdicts
        if len(verdicts) != len(good[answer.source]):
            step.drop("not as many verdicts as cases")
            continue
        read += len(verdicts)
        good[answer.source] = [verdict == GOOD for verdict in verdicts]
        refused.update(f"{verdict}, says {llm.name}" for verdict in verdicts if verdict != GOOD)
    if sheets and not read and (why := {**step.dropped, **step.unanswered}):
        raise InputError(
            f"{llm.name} gave no verdict that can be used on any of {len(sheets)} documents "
            f"({max(why, key=lambda reason: why[reason])}). Name another model, or leave out --vet."
        )
    if unread := sum(len(sheet.cases) for sheet in sheets) - read:
        refused[f"no verdict of {llm.name}"] += unread
    return good


def _numbered(cases: Sequence[str]) -> str:
    return "\n\n".join(f"{number}. {case}" for number, case in enumerate(cases, 1))
