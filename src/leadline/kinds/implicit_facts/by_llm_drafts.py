"""Drafts: what a language model wrote for a plan, and what the code finds wrong with it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from pydantic import BaseModel, Field

from leadline.kinds.implicit_facts.amounts import in_words, price_pattern
from leadline.kinds.implicit_facts.by_llm_briefs import STRICT, Brief, begins_with, products
from leadline.kinds.implicit_facts.fitness import names_the_day
from leadline.kinds.implicit_facts.plans import (
    CHAT_UTTERANCES,
    POST_SENTENCES,
    Plan,
    Utterances,
)
from leadline.llm.pipeline.steps import Fault, quoted
from leadline.text.sentences import split_sentences
from leadline.text.tokens import content_tokens, tokens

ALIKE = 0.5
"""Share of the words of a thing by which it is recognised: writers inflect and shorten."""

_STAMP = re.compile(r"[\[(]?\d{4}-\d\d-\d\d|[\[(]?\d{1,2}:\d\d\b")
_NAME_IN_FRONT = re.compile(r"[^\s:][^:]{0,40}:\s")
_HYPHENS = re.compile("[\u2010\u2011\u2212]")
_CENTS = re.compile(r"(?<=\d)[.,]00(?!\d)")
_SPACED = re.compile(r"(?<![\d.,])(\d{1,3})[ \u00a0\u2009\u202f'’](\d{3})(?!\d)")


class Utterance(BaseModel):
    """A message of a chat."""

    model_config = STRICT

    speaker: str
    text: str


class Chat(BaseModel):
    """The answer to a question for a chat; its length is checked by `first_fault`."""

    model_config = STRICT

    utterances: list[Utterance] = Field(
        json_schema_extra={"minItems": CHAT_UTTERANCES, "maxItems": CHAT_UTTERANCES}
    )


class Post(BaseModel):
    """The answer to a question for a reply; its length is checked by `first_fault`."""

    model_config = STRICT

    sentences: list[str] = Field(
        json_schema_extra={"minItems": POST_SENTENCES, "maxItems": POST_SENTENCES}
    )


def tidied(answer: Chat | Post) -> Chat | Post:
    """Return an answer with single spaces, and without speakers' names before their messages."""
    if isinstance(answer, Post):
        return Post(sentences=[_spaced(each) for each in answer.sentences])
    said = [Utterance(speaker=_spaced(each.speaker), text=_spaced(each.text))
            for each in answer.utterances]  # fmt: skip
    for each in said:
        each.text = each.text.removeprefix(f"{each.speaker}: ")
    return Chat(utterances=said)


def utterances_of(answer: Chat | Post, plan: Plan) -> Utterances:
    """Return speakers and texts of the messages."""
    if isinstance(answer, Post):
        return [(plan.speaker, " ".join(answer.sentences))]
    return [(each.speaker, each.text) for each in answer.utterances]


def first_fault(answer: Chat | Post, brief: Brief, others: Sequence[Plan]) -> Fault | None:
    """Return what is wrong with a draft, as far as code can tell.

    others  plans of the same tuple set: a draft must not say what their documents imply either
    """
    plan = brief.plan
    shape = _chat_fault(answer, plan) if isinstance(answer, Chat) else _post_fault(answer)
    if shape:
        return shape
    texts = [text for _, text in utterances_of(answer, plan)]
    if found := stated(plan, texts):
        return Fault("states the fact", f"It says what must not be said: {quoted(found)}")
    if not begins_with(texts[0], brief.opening):
        problem = f"It does not begin with these words, as it has to: {quoted(brief.opening)}"
        return Fault("begins otherwise", problem)
    whole = " ".join(texts)
    for what, is_there in _needed(plan, whole):
        if not is_there:
            return Fault("leaves out what it needs", f"It does not say this: {what}.")
    if found := _said_of_others(brief, others, texts):
        problem = f"Leave this out, which has nothing to do with its facts: {quoted(found)}"
        return Fault("states what another implies", problem)
    return None


def stated(plan: Plan, texts: Sequence[str]) -> str:
    """Return the words in which texts state the fact that they should imply; nothing if none do.

    Beyond the patterns of the plan it knows prices with cents, with spaces, in thousands and as
    spoken ("four fifty"), and dates in words or by the day of the month alone.
    """
    flags = re.NOFLAG if plan.pool.startswith("wknow") else re.IGNORECASE
    patterns = [*plan.secrets, *_spoken(plan)]
    for text in map(_plain, texts):
        for pattern in patterns:
            if found := re.search(pattern, text, flags):
                return found[0]
        for sentence in split_sentences(text):
            if any(_tells_the_day(sentence.text, day) for day in days_of(plan)):
                return sentence.text
    return ""


def days_of(plan: Plan) -> list[str]:
    """Return the days, as ISO dates, that a document implies."""
    if plan.pool == "temporal_multispeaker":
        return [plan.values["target"]]
    return list(plan.values.get("days", ()))


def alike(wanted: str, text: str) -> float:
    """Return the share of the content words of a thing that stand in a text in some form."""
    words, there = content_tokens(wanted), set(tokens(text))
    if not words:
        return 1.0
    return sum(any(_same_word(word, other) for other in there) for word in words) / len(words)


def holds(text: str, name: str) -> bool:
    """Tell whether a text holds every word of a name, "the" aside."""
    return set(tokens(name)) - {"the"} <= set(tokens(text))


def _chat_fault(chat: Chat, plan: Plan) -> Fault | None:
    said = chat.utterances
    if len(said) != CHAT_UTTERANCES:
        problem = f"It has {len(said)} messages, not {CHAT_UTTERANCES}."
        return Fault("not ten utterances", problem)
    if strangers := {each.speaker for each in said} - {plan.speaker, plan.partner}:
        problem = f"Only the two friends write, by these names. Another is {quoted(min(strangers))}"
        return Fault("other speakers", problem)
    if {each.speaker for each in said} != {plan.speaker, plan.partner}:
        return Fault("other speakers", "Only one of the two friends writes.")
    if not all(each.text for each in said):
        return Fault("an empty message", "A message has no text.")
    return _label_fault([each.text for each in said], (plan.speaker, plan.partner))


def _post_fault(post: Post) -> Fault | None:
    found = len(split_sentences(" ".join(post.sentences)))
    single = [each for each in post.sentences if len(split_sentences(each)) == 1]
    if len(post.sentences) != POST_SENTENCES or len(single) != POST_SENTENCES:
        problem = f"It has {found} sentences, or they are not given one by one: {POST_SENTENCES}."
        return Fault("not five sentences", problem)
    return _label_fault(post.sentences, ())


def _label_fault(texts: Sequence[str], names: Sequence[str]) -> Fault | None:
    """Find the date, time or name that a model has put before a text, where ours will stand."""
    for text in texts:
        label = _NAME_IN_FRONT.match(text)
        if _STAMP.match(text) or (label and label[0].strip(": ") in names):
            told = "Dates, times and names in front are added later. This has one:"
            problem = f"{told} {quoted(text[:40])}"
            return Fault("labels of its own", problem)
    return None


def _needed(plan: Plan, text: str) -> list[tuple[str, bool]]:
    """Return what must stand in a document for its question to be answered, and whether it does."""
    category, _, _ = plan.pool.partition("_")
    if category == "arithmetic":
        base = re.search(price_pattern(plan.values["base"]), _plain(text)) is not None
        return [(name, holds(text, plan.slots[side])) for side, name in products(plan).items()] + [
            (f"what it compares with costs ${plan.values['base']:,}", base)
        ]
    if category == "temporal":
        what = plan.slots["did" if "did" in plan.slots else "do"]
        return [(what, alike(what, text) >= ALIKE)]
    landmark = plan.values["landmark"]
    needed = [(landmark, holds(text, landmark))]
    if reason := plan.slots.get("reason"):
        needed.append((reason, alike(reason, text) >= ALIKE))
    return needed


def _said_of_others(brief: Brief, others: Sequence[Plan], texts: Sequence[str]) -> str:
    own = " ".join((brief.facts, brief.plan.thread, brief.opening))
    flags = re.NOFLAG if brief.plan.pool.startswith("wknow") else re.IGNORECASE
    plain = _plain("\n".join(texts))
    for other in others:
        for secret in other.secrets if other is not brief.plan else ():
            found = re.search(secret, plain, flags)
            if found and not re.search(secret, own, flags):
                return found[0]
    return ""


def _spoken(plan: Plan) -> list[str]:
    """Return patterns for what people say that the patterns of a plan do not hold."""
    patterns = [
        rf"(?<!\w)(?:on|by|since) the {int(day[8:])}(?:st|nd|rd|th)\b" for day in days_of(plan)
    ]
    price: Any = plan.values.get("target")
    if isinstance(price, int):
        hundreds, rest = divmod(price, 100)
        thousands = [f"{price / 1000:g}"] + ([in_words(price // 1000)] * (price % 1000 == 0))
        numbers = "|".join(map(re.escape, thousands))
        patterns.append(rf"(?<![\w.,])(?:{numbers}) ?-?(?:k|grand|thousand)\b(?! and)")
        if hundreds and rest >= 10:
            spoken = re.sub("[- ]", "[- ]", f"{in_words(hundreds)} {in_words(rest)}")
            patterns.append(rf"(?<![\w-]){spoken}(?![\w-])")
    return patterns


def _tells_the_day(sentence: str, day: str) -> bool:
    month = f"{date.fromisoformat(day):%B}"
    is_named = re.search(rf"\b(?:{month}|{month[:3]})\b", sentence)  # neither "market" nor "may"
    return is_named is not None and names_the_day(sentence, day)


def _same_word(one: str, other: str) -> bool:
    shorter = min(len(one), len(other))
    common = next((i for i in range(shorter) if one[i] != other[i]), shorter)
    return one == other or common >= max(3, shorter - 2)


def _plain(text: str) -> str:
    """Write figures and hyphens in one way, so that a price is found however it is set."""
    text = _HYPHENS.sub("-", unicodedata.normalize("NFKC", text))
    return _SPACED.sub(r"\1\2", _CENTS.sub("", text))


def _spaced(text: str) -> str:
    printable = "".join(c if c.isprintable() else " " for c in text)
    return " ".join(printable.split())


_LINES = (
    "Sorry for going quiet, this month has been one long list of small repairs.",
    "Don't worry about it, mine is no different, only the list is in somebody else's hand.",
    "Tell me one thing, did you get anywhere with what we talked about the other day?",
    "I did in the end, after I had gone back and forth between two of them all afternoon.",
    "That sounds like you, and I mean it kindly. What tipped the scales for you then?",
)
USUAL: Mapping[str, Chat | Post] = {
    "chat": Chat(utterances=[Utterance(speaker="Yosef", text=each) for each in 2 * _LINES]),
    "post": Post(sentences=list(_LINES)),
}
"""Answers of usual length for a chat and for a post: what a dry run goes on with."""
