"""Plans: everything that is settled about a document before a word of it is written."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from leadline.kinds.implicit_facts.frames import Stock

CHAT_UTTERANCES = 10
POST_SENTENCES = 5


@dataclass(frozen=True)
class Plan:
    """A tuple with the entities bound to it, its question, and what its document must not say.

    pool      "arithmetic_unispeaker", ...
    speaker   the main conversant of a chat, or the member who wrote the post
    partner   the second conversant; empty for a post
    opened    stamp of the first message
    thread    the opening question of the forum; empty for a chat
    hint      the tuple in words, parts joined by " ** "
    values    the tuple as JSON
    slots     what frames may say of it
    secrets   patterns that would state the fact outright
    """

    pool: str
    tuple_set: int
    number: int
    question: str
    answer: str
    speaker: str
    partner: str
    opened: datetime
    thread: str
    hint: str
    values: Mapping[str, Any]
    slots: Mapping[str, str]
    secrets: Sequence[str] = field(default=(), repr=False)

    @property
    def is_chat(self) -> bool:
        """Whether the document is a chat, not a post."""
        return bool(self.partner)


@dataclass(frozen=True)
class Topic:
    """What a thread is about.

    name    "tablet computer", "baking bread", "a night run"
    did     "baked", "signed up for"; empty for products
    doing   "baking", "signing up for"
    things  "a rye loaf", ...: what the members did it to, where each has their own
    """

    name: str
    did: str = ""
    doing: str = ""
    things: tuple[str, ...] = ()


Utterances = list[tuple[str, str]]
"""Speaker and text of each message, in order."""

Writer = Callable[[Plan, Stock, random.Random], Utterances]
"""Writes the messages of a document: ten for a chat, one of five sentences for a post."""


def stamped(plan: Plan, utterances: Utterances, rng: random.Random) -> str:
    """Return the document: a message a line, stamped from `plan.opened` on, on one day."""
    minutes = 0
    written = []
    for speaker, text in utterances:
        moment = plan.opened.replace(
            hour=plan.opened.hour + (plan.opened.minute + minutes) // 60,
            minute=(plan.opened.minute + minutes) % 60,
        )
        written.append(f"{moment:%Y-%m-%d %H:%M}, {speaker}: {text}")
        minutes += rng.choice([1, 1, 2, 2, 3, 4, 5, 6, 8, 11, 14])
    return "\n".join(written)


def leaks(plan: Plan, texts: Sequence[str]) -> bool:
    """Tell whether the texts state the fact that they should only imply."""
    return any(re.search(secret, text) for secret in plan.secrets for text in texts)


def starting_phrase(text: str) -> str:
    """Return the first sentence of a text, without case."""
    return re.split(r"(?<=[.!?:])\s", text.casefold(), maxsplit=1)[0]


def some_time(rng: random.Random) -> tuple[int, int]:
    """Return hour and minute between 7:00 and 20:59."""
    return rng.randint(7, 20), rng.randint(0, 59)
