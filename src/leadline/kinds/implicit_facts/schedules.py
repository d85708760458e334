"""What somebody does when: activities of a four-week plan, and what members of a thread did."""

from __future__ import annotations

import random
from dataclasses import asdict
from datetime import datetime
from itertools import product

from leadline.kinds.implicit_facts.chats import write_chat
from leadline.kinds.implicit_facts.frames import Stock, lines, with_article
from leadline.kinds.implicit_facts.moments import (
    date_pattern,
    hours,
    relative_day,
    repeated_days,
)
from leadline.kinds.implicit_facts.plans import Plan, Topic, Utterances
from leadline.kinds.implicit_facts.posts import REPLIES, write_post
from leadline.kinds.implicit_facts.temporal import ActivityTuple, DateTuple

_CHATS = "chat_schedules.txt"
_ORDERS = (
    ("open", "fact", "detail.day", "detail.day", "close"),
    ("open", "context.day", "fact", "detail.day", "close"),
    ("open", "context.day", "fact", "detail.day", "detail.day"),
    ("open", "fact", "detail.day", "detail.day", "detail.day"),
)


def activities() -> list[tuple[str, str]]:
    """Return the activities of chats: to do, doing."""
    return [_two(line, " | ") for line in lines("chat_activities.txt")]


def day_topics() -> list[Topic]:
    """Return the topics of threads about what members did on a day."""
    topics = []
    for line in lines("day_topics.txt"):
        topic, verb, first, last = line.split(" | ")
        things = [
            with_article(f"{a} {b}") if not b.startswith("pair") else f"{with_article(a)} {b}"
            for a, b in product(first.split(", "), last.split(", "))
        ]
        topics.append(Topic(topic, *_two(verb, "/"), tuple(things)))
    return topics


def activity_values(activity: ActivityTuple) -> dict[str, object]:
    """Return the tuple as JSON."""
    return {
        "pattern": activity.pattern,
        "days": [day.isoformat() for day in activity.days],
        "hours": [activity.start, activity.end],
        "asked": activity.asked.isoformat(timespec="minutes"),
        "message": activity.message.isoformat(timespec="minutes"),
        "differences": list(activity.differences),
    }


def date_values(dates: DateTuple) -> dict[str, object]:
    """Return the tuple as JSON."""
    return {key: value if isinstance(value, int) else value.isoformat()
            for key, value in asdict(dates).items()}  # fmt: skip


def activity_secrets(activity: ActivityTuple) -> tuple[str, ...]:
    """Return the patterns of the dates that a chat must not state."""
    return tuple(date_pattern(day) for day in activity.days)


def write_schedule_chat(plan: Plan, stock: Stock, rng: random.Random) -> Utterances:
    """Write a chat in which the main speaker tells of an activity."""
    differences, anchor = plan.values["differences"], plan.opened.date()
    if len(differences) == 1:
        when, number = relative_day(differences[0], anchor, rng), "one"
    else:
        when, number = repeated_days(differences, anchor, rng), "many"
    start, end = plan.values["hours"]
    slots = dict(plan.slots) | {"when": when, "hours": hours(start, end, rng)}
    fact = stock.draw(_CHATS, f"{_tense(differences)}.{number}", slots)
    return write_chat(plan, _CHATS, [fact], stock, rng)


def write_day_post(plan: Plan, stock: Stock, rng: random.Random) -> Utterances:
    """Write a reply in which a member tells what they did on a day."""
    when = relative_day(-plan.values["offset"], plan.opened.date(), rng)
    fact = stock.draw(REPLIES, "fact.day", dict(plan.slots) | {"when": when})
    return write_post(plan, rng.choice(_ORDERS), [fact], stock)


def post_moment(dates: DateTuple, rng: random.Random) -> datetime:
    """Return when the reply was written: at any hour of the message date."""
    return datetime(dates.message.year, dates.message.month, dates.message.day,
                    rng.randint(7, 22), rng.randint(0, 59))  # fmt: skip


def _tense(differences: list[int]) -> str:
    if differences[-1] < 0:
        return "past"
    return "future" if differences[0] > 0 else "spanning"


def _two(line: str, between: str) -> tuple[str, str]:
    first, _, second = line.partition(between)
    return first, second
