"""Chats of exactly ten utterances, put together from exchanges of two."""

from __future__ import annotations

import random
from collections.abc import Sequence

from leadline.kinds.implicit_facts.frames import Stock, fill
from leadline.kinds.implicit_facts.plans import Plan, Utterances

_SMALL_TALK = "small_talk.txt"

_ORDERS: tuple[tuple[str, ...], ...] = (
    ("open", "fact", "after", "talk", "close"),
    ("open", "talk", "fact", "after", "close"),
    ("open", "talk", "talk", "fact", "close"),
    ("open", "fact", "talk", "talk", "close"),
    ("open", "fact", "after", "after", "close"),
)
_LONG_ORDERS: tuple[tuple[str, ...], ...] = (
    ("open", "fact", "rest", "talk", "close"),
    ("open", "fact", "rest", "after", "close"),
    ("open", "talk", "fact", "rest", "close"),
)


def write_chat(
    plan: Plan, frames: str, facts: Sequence[str], stock: Stock, rng: random.Random
) -> Utterances:
    """Return ten utterances in turns, beginning with either speaker.

    frames  word list with the sections tell.M, tell.S, after.M, after.S, and react.M, react.S
            when there are two facts
    facts   what the main speaker tells: in one utterance, or in two with others in between
    """
    first = rng.choice("MS")
    order = rng.choice(_ORDERS if len(facts) == 1 else _LONG_ORDERS)
    slots = dict(plan.slots) | {"fact": facts[0], "facts": facts[0]}
    utterances: Utterances = []
    for part in order:
        if part in ("fact", "after"):
            section = f"{'tell' if part == 'fact' else 'after'}.{first}"
            frame = stock.frame(frames, section)
            if part == "fact" and first == "M" and len(facts) > 1:
                frame = f"{frame.partition(' // ')[0]} // S: {stock.frame(frames, 'react.S')}"
        elif part == "rest":
            frame = _rest(frames, first, stock)
            slots |= {"rest": facts[1]}
        else:
            frame = stock.frame(_SMALL_TALK, part)
        utterances += _said(frame, plan, first, slots, rng)
    return utterances


def _rest(frames: str, first: str, stock: Stock) -> str:
    """Return an exchange in which the main speaker goes on with what is left to tell."""
    if first == "S":
        return f"S: {stock.frame(frames, 'react.S')} // M: {{rest}}"
    return f"M: {{rest}} // S: {stock.frame(frames, 'react.M')}"


def _said(
    frame: str, plan: Plan, first: str, slots: dict[str, str], rng: random.Random
) -> Utterances:
    """Fill an exchange; its speakers are M and S, or A and B for whoever is first and second."""
    names = {"M": plan.speaker, "S": plan.partner}
    second = "S" if first == "M" else "M"
    names |= {"A": names[first], "B": names[second]}
    both = slots | {"A": names["A"], "B": names["B"]}
    said = []
    for i, turn in enumerate(frame.split(" // ")):
        who, _, text = turn.partition(": ")
        if who not in names:
            who, text = "AB"[i], turn
        said.append((names[who], fill(text, both, rng)))
    return said
