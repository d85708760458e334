"""Recovery: what a second model reads in a document, compared with what it was written from."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel

from leadline.kinds.implicit_facts.by_llm_briefs import STRICT
from leadline.kinds.implicit_facts.by_llm_drafts import ALIKE, alike, holds
from leadline.kinds.implicit_facts.plans import Plan
from leadline.llm.pipeline.steps import Fault, Question, quoted
from leadline.text.tokens import tokens

_EXACT = 0.005
"""Dollars by which a recovered price may differ: prices are whole dollars."""


class Purchase(BaseModel):
    """What was bought, what it was compared with, and both prices in dollars."""

    model_config = STRICT

    working: str
    bought: str
    paid: float
    other: str
    other_price: float


class Schedule(BaseModel):
    """What was done on which days (ISO dates) between which full hours."""

    model_config = STRICT

    working: str
    activity: str
    days: list[str]
    start: int
    end: int


class Day(BaseModel):
    """Who did what on which day (an ISO date)."""

    model_config = STRICT

    working: str
    member: str
    activity: str
    date: str


class Visit(BaseModel):
    """Where somebody was, for what, and what else the text names that gives the country away."""

    model_config = STRICT

    landmark: str
    purpose: str
    elsewhere: list[str]


@dataclass(frozen=True)
class Recovery:
    """How a tuple is recovered.

    prompt   name of the prompt
    shape    of the answer
    compare  (answer, plan, document) -> what is wrong, as the writer is told; empty when nothing is
    reason   why a document goes, for counts
    example  a usual answer, for estimates
    names_speaker  whether the prompt tells whose fact is asked for
    """

    prompt: str
    shape: type[BaseModel]
    compare: Callable[[Any, Plan, str], str]
    reason: str
    example: BaseModel
    names_speaker: bool = True

    def question(self, plan: Plan, document: str) -> Question:
        """Return what the prompt is filled with."""
        values = {"speaker": plan.speaker} if self.names_speaker else {}
        return Question(values, {"document": document})

    def fault(self, answer: BaseModel, plan: Plan, document: str) -> Fault | None:
        """Return what is wrong with a document from which this was recovered."""
        problem = self.compare(answer, plan, document)
        return Fault(self.reason, problem) if problem else None


def _purchase(answer: Purchase, plan: Plan, document: str) -> str:
    got, base = plan.slots[plan.slots["got"]], plan.slots[plan.slots["base"]]
    right = (
        holds(answer.bought, got)
        and not holds(answer.bought, base)
        and not holds(answer.other, got)
        and abs(answer.paid - plan.values["target"]) < _EXACT
        and abs(answer.other_price - plan.values["base"]) < _EXACT
    )
    if right:
        return ""
    return (
        f"A careful reader understood that {quoted(answer.bought or 'something')} was bought for "
        f"${answer.paid:g}, and that {quoted(answer.other or 'the other')} costs "
        f"${answer.other_price:g}, which is not what the facts say. Tell base price, ratio and "
        "choice so that they cannot be misread."
    )


def _schedule(answer: Schedule, plan: Plan, document: str) -> str:
    right = (
        {each.strip() for each in answer.days} == set(plan.values["days"])
        and [answer.start, answer.end] == list(plan.values["hours"])
        and alike(plan.slots["do"], answer.activity) >= ALIKE
    )
    if right:
        return ""
    return (
        f"A careful reader understood {quoted(answer.activity or 'nothing')}, {len(answer.days)} "
        f"days, from {answer.start}:00 to {answer.end}:00, and did not find the days that the "
        "facts give. Tell activity, days and hours so that they cannot be misread."
    )


def _day(answer: Day, plan: Plan, document: str) -> str:
    right = answer.date.strip() == plan.values["target"] and holds(answer.member, plan.speaker)
    if right and alike(plan.slots["did"], answer.activity) >= ALIKE:
        return ""
    return (
        f"A careful reader understood that {quoted(answer.member or 'nobody')} did this: "
        f"{quoted(answer.activity or 'nothing')}, and did not find the day that the facts give. "
        "Tell what was done and when so that it cannot be misread."
    )


def _visit(answer: Visit, plan: Plan, document: str) -> str:
    purpose = plan.slots.get("reason", "")
    landmark = plan.values["landmark"]
    if not holds(answer.landmark, landmark) or alike(purpose, answer.purpose) < ALIKE:
        return (
            f"A careful reader understood {quoted(answer.landmark or 'no place')}, for "
            f"{quoted(answer.purpose or 'nothing')}. Tell place and purpose so that they cannot be "
            "misread."
        )
    own = set(tokens(" ".join((*plan.slots.values(), plan.thread, plan.speaker, plan.partner))))
    for place in answer.elsewhere:
        named = set(tokens(place))
        if named and not named <= own and place.casefold() in document.casefold():
            return f"It says this, which tells where it is: {quoted(place)}"
    return ""


_PURCHASE = Recovery(
    "recover_purchase",
    Purchase,
    _purchase,
    "the prices were not recovered",
    Purchase(
        working="450 dollars times 1.6 is 720 dollars.",
        bought="Loryne 2024 model",
        paid=720,
        other="Loryne 2023 model",
        other_price=450,
    ),
)
_VISIT = Recovery(
    "recover_visit",
    Visit,
    _visit,
    "place or purpose were not recovered, or told otherwise",
    Visit(landmark="Amphitheatre of El Jem", purpose="a board meeting", elsewhere=[]),
)

RECOVERIES: Mapping[str, Recovery] = {
    "arithmetic_unispeaker": _PURCHASE,
    "arithmetic_multispeaker": _PURCHASE,
    "temporal_unispeaker": Recovery(
        "recover_schedule",
        Schedule,
        _schedule,
        "days or hours were not recovered",
        Schedule(
            working="The chat is of 2020-03-13, a Friday; eleven days later is 2020-03-24.",
            activity="rehearse with the brass band",
            days=["2020-03-24"],
            start=7,
            end=10,
        ),
    ),
    "temporal_multispeaker": Recovery(
        "recover_day",
        Day,
        _day,
        "the day was not recovered",
        Day(
            working="The reply is of 2024-07-15; six days before is 2024-07-09.",
            member="Ignacio Amsel",
            activity="drew a profile portrait of a nurse",
            date="2024-07-09",
        ),
        names_speaker=False,
    ),
    "wknow_unispeaker": _VISIT,
    "wknow_multispeaker": _VISIT,
}
"""By pool. The country of a landmark is known from the table, not from the document."""
