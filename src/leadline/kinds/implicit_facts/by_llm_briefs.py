"""Briefs: what a language model is told of a plan, and the beginnings that it is to use."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from pydantic import BaseModel, ConfigDict

from leadline.errors import InputError
from leadline.kinds.implicit_facts.frames import Stock, fill, words
from leadline.kinds.implicit_facts.moments import hours, relative_day, repeated_days
from leadline.kinds.implicit_facts.plans import Plan
from leadline.kinds.implicit_facts.posts import REPLIES
from leadline.llm.pipeline.steps import Question, Refusal, question_after
from leadline.llm.prompt import Prompt
from leadline.text.tokens import tokens

PACKAGE = "leadline.kinds.implicit_facts"
PROMPTS = (
    "openings_chat", "openings_post", "write_chat", "write_post",
    "facts_purchase", "facts_schedule", "facts_day", "facts_visit", "facts_outing",
    "recover_purchase", "recover_schedule", "recover_day", "recover_visit",
)  # fmt: skip
"""The prompts that documents are made with."""

STRICT = ConfigDict(json_schema_extra={"additionalProperties": False})
"""For servers that enforce a schema only when it is closed; other fields are passed over."""

_SPARE = 1.2
"""Starting phrases asked for, as a multiple of those needed: some repeat each other."""

_FEWEST_WORDS, _MOST_WORDS = 2, 12


class Phrases(BaseModel):
    """The answer to a question for starting phrases."""

    model_config = STRICT

    phrases: list[str]


@dataclass(frozen=True)
class Brief:
    """All that a document is written from.

    first    who writes the first message
    opening  the words that it begins with; no other document of the set begins with them
    facts    what the document has to imply, and what it must not say
    """

    plan: Plan
    first: str
    opening: str
    facts: str

    def question(self, refusal: Refusal | None = None) -> Question:
        """Return what the prompt for a document is filled with.

        refusal  why an earlier draft was refused, and that draft
        """
        plan = self.plan
        both = {"speaker": plan.speaker, "facts": self.facts}
        if plan.is_chat:
            own = {"partner": plan.partner, "first": self.first}
        else:
            own = {"thread": plan.thread}
        return question_after(refusal, {**both, **own}, {"opening": self.opening})


def prompt(name: str) -> Prompt:
    """Return one of our prompts."""
    return Prompt.load(PACKAGE, name)


def style(plan: Plan) -> str:
    """Return "chat" or "post"."""
    return "chat" if plan.is_chat else "post"


def phrases_question(plans: Sequence[Plan], wanted: int) -> Question:
    """Return what the prompt for the starting phrases of a tuple set is filled with."""
    plan = plans[0]
    subject = {"speaker": plan.speaker} if plan.is_chat else {"thread": plan.thread}
    return Question({"count": str(round(wanted * _SPARE)), **subject})


def usual_phrases(size: int) -> Phrases:
    """Return an answer to go on with in a dry run."""
    things = words("shopping_items.txt")
    return Phrases(phrases=[f"The {each} again, would you" for each in things[: 2 * size]])


def usable(phrases: Iterable[str], plans: Sequence[Plan], taken: Sequence[str]) -> Iterator[str]:
    """Yield the phrases that a document can begin with, none the beginning of another.

    Phrases with figures, with a name of the set or with what a document must not say are left out.
    """
    names = {word for plan in plans for who in (plan.speaker, plan.partner) for word in tokens(who)}
    secrets = [secret for plan in plans for secret in plan.secrets]
    seen = [tokens(phrase) for phrase in taken]
    for each in phrases:
        phrase = " ".join(each.split()).strip(" \"'“”.…")
        said = tokens(phrase)
        if (
            _FEWEST_WORDS <= len(said) <= _MOST_WORDS
            and phrase.isprintable()
            and not names.intersection(said)
            and not re.search(r"\d", phrase)
            and not any(re.search(secret, phrase) for secret in secrets)
            and not any(_begins(said, other) or _begins(other, said) for other in seen)
        ):
            seen.append(said)
            yield phrase


def begins_with(text: str, phrase: str) -> bool:
    """Tell whether a text begins with the words of a phrase, whatever the punctuation."""
    return _begins(tokens(text), tokens(phrase))


def briefs(plans: Sequence[Plan], phrases: Sequence[str], seed: int) -> list[Brief]:
    """Return a brief for every plan of a tuple set; our own phrases fill in for missing ones.

    Raises InputError when there are not enough of either.
    """
    rng = random.Random(f"{seed} {plans[0].pool} {plans[0].tuple_set} beginnings")
    openings = list(phrases[: len(plans)])
    openings += _own(plans, openings, rng)
    rng.shuffle(openings)
    made = []
    for plan, opening in zip(plans, openings, strict=True):
        own = random.Random(f"{seed} {plan.pool} {plan.tuple_set} {plan.number} brief")
        first = own.choice([plan.speaker, plan.partner]) if plan.is_chat else plan.speaker
        made.append(Brief(plan, first, opening, _facts(plan, own)))
    return made


def _own(plans: Sequence[Plan], taken: Sequence[str], rng: random.Random) -> list[str]:
    missing = len(plans) - len(taken)
    if missing <= 0:
        return []
    stock = Stock(rng)
    file = "small_talk.txt" if plans[0].is_chat else REPLIES
    drawn = (stock.frame(file, "open").partition(" // ")[0] for _ in range(10 * len(plans)))
    plain = (fill(re.sub(r",? ?\{[AB]\},?", "", each), {}, rng) for each in drawn)
    found = list(usable(plain, plans, taken))[:missing]
    if len(found) < missing:
        raise InputError(
            f"There are starting phrases for {len(taken) + len(found)} documents of set "
            f"{plans[0].tuple_set} of {plans[0].pool}, not {len(plans)}: the model gave too few. "
            "Ask for fewer --tuples or take another model."
        )
    return found


def _begins(said: Sequence[str], other: Sequence[str]) -> bool:
    return list(said[: len(other)]) == list(other)


def _facts(plan: Plan, rng: random.Random) -> str:
    name, values = _FACTS[plan.pool](plan, rng)
    return prompt(name).fill(**values)


_Told = tuple[str, Mapping[str, str]]
"""Name of a prompt, and what it is filled with."""


def _purchase(plan: Plan, rng: random.Random) -> _Told:
    named = products(plan)
    return "facts_purchase", {
        "buyer": plan.speaker,
        "base": named[plan.slots["base"]],
        "got": named[plan.slots["got"]],
        "price": f"${plan.values['base']:,}",
        "ratio": f"{plan.values['ratio']:g}",
        "dear": named["high"],
        "cheap": named["low"],
    }


def products(plan: Plan) -> Mapping[str, str]:
    """Return the names of the dearer ("high") and the cheaper ("low") product of a purchase."""
    slots = plan.slots
    if plan.is_chat:
        return {side: f"the {slots[side]} {slots['item']}" for side in ("high", "low")}
    return {side: f"the {slots[side]} model of {slots['brand']}" for side in ("high", "low")}


def _schedule(plan: Plan, rng: random.Random) -> _Told:
    differences, anchor = plan.values["differences"], plan.opened.date()
    if len(differences) == 1:
        when = relative_day(differences[0], anchor, rng)
    else:
        when = repeated_days(differences, anchor, rng)
    start, end = plan.values["hours"]
    said = {"doing": plan.slots["doing"], "when": when, "hours": hours(start, end, rng)}
    return "facts_schedule", {"speaker": plan.speaker, **said}


def _day(plan: Plan, rng: random.Random) -> _Told:
    when = relative_day(-plan.values["offset"], plan.opened.date(), rng)
    return "facts_day", {"did": plan.slots["did"], "when": when}


def _visit(plan: Plan, rng: random.Random) -> _Told:
    said = {"landmark": plan.slots["landmark"], "reason": plan.slots["reason"]}
    return "facts_visit", {"speaker": plan.speaker, **said}


def _outing(plan: Plan, rng: random.Random) -> _Told:
    said = {"landmark": plan.slots["landmark"], "did_it": plan.slots["did_it"]}
    return "facts_outing", said


_FACTS = {
    "arithmetic_unispeaker": _purchase,
    "arithmetic_multispeaker": _purchase,
    "temporal_unispeaker": _schedule,
    "temporal_multispeaker": _day,
    "wknow_unispeaker": _visit,
    "wknow_multispeaker": _outing,
}
