"""Forum replies of exactly five sentences."""

from __future__ import annotations

from collections.abc import Sequence

from leadline.kinds.implicit_facts.frames import Stock
from leadline.kinds.implicit_facts.plans import Plan, Utterances

REPLIES = "forum_replies.txt"


def write_post(plan: Plan, order: Sequence[str], facts: Sequence[str], stock: Stock) -> Utterances:
    """Return the one message of a reply.

    order  five parts: names of sections of the replies, or "fact" for the next of the facts
    """
    left = list(facts)
    sentences = [
        left.pop(0) if part == "fact" else stock.draw(REPLIES, part, plan.slots) for part in order
    ]
    return [(plan.speaker, " ".join(sentences))]
