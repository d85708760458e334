"""Who was where: trips to a landmark, and events that were held at one."""

from __future__ import annotations

import random
import re
from datetime import datetime, timedelta

from leadline.kinds.implicit_facts.chats import write_chat
from leadline.kinds.implicit_facts.frames import Stock, lines
from leadline.kinds.implicit_facts.places import Place, with_the
from leadline.kinds.implicit_facts.plans import Plan, Topic, Utterances, some_time
from leadline.kinds.implicit_facts.posts import REPLIES, write_post

_CHATS = "chat_visits.txt"
_ORDERS = (
    ("open", "fact", "detail.visit", "detail.visit", "close"),
    ("open", "context.visit", "fact", "detail.visit", "close"),
    ("open", "context.visit", "fact", "detail.visit", "detail.visit"),
    ("open", "fact", "detail.visit", "detail.visit", "detail.visit"),
)


def outing_topics() -> list[Topic]:
    """Return the topics of threads about what members took part in."""
    topics = []
    for line in lines("outing_topics.txt"):
        verb, event = line.split(" | ")
        did, doing = verb.split("/")
        topics.append(Topic(event, did, doing))
    return topics


def visit_slots(place: Place) -> dict[str, str]:
    """Return what frames may say of the place."""
    return {"landmark": with_the(place.name)}


def visit_values(place: Place) -> dict[str, object]:
    """Return the tuple as JSON."""
    return {"landmark": place.name, "country": place.country, "code": place.code}


def place_secrets(place: Place, *names: str) -> tuple[str, ...]:
    """Return patterns of the clues to the country, but for those that speakers are named by."""
    spoken = {part for name in names for part in name.split()}
    return tuple(rf"(?<!\w){re.escape(clue)}(?!\w)" for clue in place.clues if clue not in spoken)


def some_days(size: int, rng: random.Random) -> list[datetime]:
    """Return moments on different days of 2024."""
    moments = []
    for day in rng.sample(range(366), size):
        hour, minute = some_time(rng)
        moments.append(datetime(2024, 1, 1, hour, minute) + timedelta(days=day))
    return moments


def write_visit_chat(plan: Plan, stock: Stock, rng: random.Random) -> Utterances:
    """Write a chat in which the main speaker tells of a trip."""
    return write_chat(plan, _CHATS, [""], stock, rng)


def write_visit_post(plan: Plan, stock: Stock, rng: random.Random) -> Utterances:
    """Write a reply in which a member tells of an event."""
    fact = stock.draw(REPLIES, "fact.visit", plan.slots)
    return write_post(plan, rng.choice(_ORDERS), [fact], stock)
