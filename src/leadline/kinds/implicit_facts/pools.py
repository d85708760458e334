"""The six invented pools before a word is written: tuples, names, things, questions, frames.

Source: ImpliRet, appendix A.4 and table 6.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from itertools import combinations, product
from typing import Any, Generic, TypeVar

from leadline.errors import InputError, unknown
from leadline.kinds.implicit_facts.places import Place, country_in_sentence, draw_places, with_the
from leadline.kinds.implicit_facts.tuples import (
    SCHEDULE_SIZE,
    Algorithm,
    PriceTuple,
    draw_dates,
    draw_prices,
    draw_schedule,
)
from leadline.kinds.implicit_facts.wording import date_pattern, long_date, price_pattern
from leadline.text.words import table

T = TypeVar("T")

POOLS = (
    "arithmetic_unispeaker",
    "arithmetic_multispeaker",
    "temporal_unispeaker",
    "temporal_multispeaker",
    "wknow_unispeaker",
    "wknow_multispeaker",
)
"""The six pools, named like their files: a category, chats (one speaker) or forum posts (many)."""

CHAT_UTTERANCES = 10
POST_SENTENCES = 5

_YEAR_PAIRS = tuple(combinations(range(2013, 2025), 2))
"""Model years; of two, the older is the cheaper one."""


@dataclass(frozen=True)
class Order:
    """What is to be made.

    Attributes:
        sets, tuples: number of tuple sets in a pool, and of documents in a set
        algorithm: how prices are drawn
        places: landmarks; only the pools of world knowledge need them
    """

    seed: int = 0
    sets: int = 50
    tuples: int = 30
    algorithm: Algorithm = "tens"
    places: Sequence[Place] = ()


@dataclass(frozen=True)
class Plan:
    """A tuple with the entities bound to it, its question, and what its document must not say.

    Attributes:
        speaker: the main conversant of a chat, or the member who wrote the post
        partner: the second conversant; empty for a post
        opened: stamp of the first message
        thread: the opening question of the forum; empty for a chat
        hint: the tuple in words, parts joined by " ** "
        values: the tuple as JSON
        slots: what frames may say of it
        secrets: patterns that would state the fact outright
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

    @property
    def category(self) -> str:
        """Return "arithmetic", "temporal" or "wknow"."""
        return self.pool.partition("_")[0]


def _word_lists() -> Any:
    return table("leadline.kinds.implicit_facts", "words")


def lines(name: str, section: str = "") -> list[str]:
    """Return the lines of a word list, or of a section of one."""
    text: str = _word_lists()[name][section] if section else _word_lists()[name]
    return text.splitlines()


def words(name: str, section: str = "") -> list[str]:
    """Return the entries of a word list with `|` or line ends between them."""
    return [entry.strip() for line in lines(name, section) for entry in line.split("|")]


def _names(name: str, section: str = "") -> list[str]:
    return " ".join(lines(name, section)).split()


def fill(frame: str, slots: Mapping[str, str], rng: random.Random) -> str:
    """Return a frame with a choice made at every `<a|b>` and every `{slot}` filled.

    The first letter becomes a capital, and a full stop after "p.m." is not doubled.
    """
    chosen = re.sub(r"<([^<>]*)>", lambda match: rng.choice(match[1].split("|")), frame)
    filled = re.sub(r"\{(\w+)\}", lambda match: slots[match[1]], chosen)
    filled = re.sub(r"([ap]\.m\.)\.", r"\1", filled)
    return filled[:1].upper() + filled[1:]


def with_article(noun: str) -> str:
    """Return the noun with "a" or "an"."""
    sounds_open = re.match(r"[aeiou]", noun, re.IGNORECASE)
    sounds_closed = re.match(r"(?:u[nkst]i|ukulele|eu|one\b)", noun, re.IGNORECASE)
    return f"{'an' if sounds_open and not sounds_closed else 'a'} {noun}"


class Deck(Generic[T]):
    """Cards drawn at random; none comes twice before all have come once."""

    def __init__(self, cards: Sequence[T], rng: random.Random) -> None:
        self._cards, self._rng, self._left = cards, rng, list[T]()

    def draw(self) -> T:
        """Return the next card."""
        if not self._left:
            self._left = list(self._cards)
            self._rng.shuffle(self._left)
        return self._left.pop()


class Stock:
    """The frames of one tuple set: a deck for every section, so that its documents differ."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self._decks: dict[tuple[str, str], Deck[str]] = {}

    def frame(self, name: str, section: str) -> str:
        """Return the next frame of a section as it stands."""
        key = (name, section)
        if key not in self._decks:
            self._decks[key] = Deck(lines(name, section), self._rng)
        return self._decks[key].draw()

    def draw(self, name: str, section: str, slots: Mapping[str, str]) -> str:
        """Return the next frame of a section, filled."""
        return fill(self.frame(name, section), slots, self._rng)


class Binder:
    """Draws the tuple sets of a pool, and binds names, things and questions to them.

    A main speaker occurs in one tuple set of one pool and nowhere else, not even as a second
    speaker. Members of arithmetic forums occur in one document of the whole benchmark. Within a
    tuple set all given names differ.
    """

    def __init__(self, pool: str, order: Order) -> None:
        if pool not in POOLS:
            raise unknown("pool", pool, POOLS)
        self.pool, self.order, self._size = pool, order, order.tuples
        rng = random.Random(f"{order.seed} cast")
        given, family = _names("first_names"), _names("family_names")
        rng.shuffle(given)
        rng.shuffle(family)
        half = len(given) // 2
        self._mains, self._others = given[:half], given[half:]
        self._unique_families, self._families = family[::2], family[1::2]
        self._taken: set[str] = set()
        rng = random.Random(f"{order.seed} {pool}")
        self._topics = list(_word_lists()["topics"].get(pool, ()))
        rng.shuffle(self._topics)
        if self._topics and order.sets > len(self._topics):
            raise InputError(
                f"There are topics for {len(self._topics)} sets of {pool}, not {order.sets}. "
                "Ask for fewer --sets."
            )
        if pool == "arithmetic_multispeaker":
            self._brands = invented_brands(order.sets * order.tuples, rng)

    def plans(self, tuple_set: int) -> list[Plan]:
        """Return the plans of one tuple set; sets are asked for in order from 0."""
        rng = random.Random(f"{self.order.seed} {self.pool} {tuple_set}")
        bind = {
            "arithmetic_unispeaker": self._prices_in_chats,
            "arithmetic_multispeaker": self._prices_in_posts,
            "temporal_unispeaker": self._days_in_chats,
            "temporal_multispeaker": self._days_in_posts,
            "wknow_unispeaker": self._places_in_chats,
            "wknow_multispeaker": self._places_in_posts,
        }[self.pool]
        return list(bind(tuple_set, rng))

    def _prices_in_chats(self, number: int, rng: random.Random) -> Iterator[Plan]:
        drawn = self._prices("unispeaker", rng)
        main, partners, stock = self._main(number), self._different(rng), Stock(rng)
        items = self._distinct(words("shopping_items"), "items", rng)
        brands = iter(invented_brands(2 * self._size, rng))
        for i, (prices, item) in enumerate(zip(drawn, items, strict=True)):
            slots = {"item": item, "an_item": with_article(item)}
            slots |= {"low": next(brands), "high": next(brands)} | prices.sides
            base, got = (f"{slots[slots[side]]} {item}" for side in ("base", "got"))
            asked = {"main": main, "price": f"${prices.target:,}"}
            question = stock.draw("questions", self.pool, asked)
            yield Plan(
                self.pool, number, i, question, got, main, partners[i], some_moment(rng), "",
                prices.hint(base, got), prices.as_json(), slots, (price_pattern(prices.target),),
            )  # fmt: skip

    def _prices_in_posts(self, number: int, rng: random.Random) -> Iterator[Plan]:
        drawn = self._prices("multispeaker", rng)
        topic, stock = self._topics[number]["topic"], Stock(rng)
        thread = stock.draw("forum_replies", "ask.product", {"topic": topic})
        members = self._unique_members(rng)
        years_left = Deck(_YEAR_PAIRS, rng)
        for i, prices in enumerate(drawn):
            years = years_left.draw()
            while {prices.base, prices.target} & set(years):  # a year must not look like a price
                years = years_left.draw()
            brand = self._brands[number * self._size + i]
            slots = {"topic": topic, "brand": brand, "low": str(years[0]), "high": str(years[1])}
            slots |= prices.sides
            base, got = (f"{brand} {slots[slots[side]]} model" for side in ("base", "got"))
            asked = {"topic": topic, "price": f"${prices.target:,}"}
            question = stock.draw("questions", self.pool, asked)
            yield Plan(
                self.pool, number, i, question, got, members[i], "", some_moment(rng), thread,
                prices.hint(base, got), prices.as_json(), slots, (price_pattern(prices.target),),
            )  # fmt: skip

    def _days_in_chats(self, number: int, rng: random.Random) -> Iterator[Plan]:
        if self._size > SCHEDULE_SIZE:
            raise InputError(f"A schedule has {SCHEDULE_SIZE} activities, not {self._size}.")
        start = date(2019, 1, 1) + timedelta(days=rng.randrange(2_400))
        drawn = rng.sample(draw_schedule(start, rng), self._size)
        main, partners, stock = self._main(number), self._different(rng), Stock(rng)
        things = [line.split(" | ") for line in lines("chat_activities")]
        chosen = self._distinct(things, "activities", rng)
        for i, (activity, (do, doing)) in enumerate(zip(drawn, chosen, strict=True)):
            asked = {"main": main, "hour": f"{activity.asked:%H:%M}"}
            asked |= {"date": long_date(activity.asked.date())}
            days = ", ".join(day.isoformat() for day in activity.days)
            yield Plan(
                self.pool, number, i, stock.draw("questions", self.pool, asked), do, main,
                partners[i], activity.message, "",
                f"days: {days} ** hours: {activity.start}, {activity.end}", activity.as_json(),
                {"do": do, "doing": doing}, tuple(map(date_pattern, activity.days)),
            )  # fmt: skip

    def _days_in_posts(self, number: int, rng: random.Random) -> Iterator[Plan]:
        drawn = draw_dates(self._size, rng)
        topic, stock = self._topics[number], Stock(rng)
        thread = stock.draw("forum_replies", "ask.day", topic)
        members = self._members(rng)
        things = self._distinct(_things(topic), f"things for {topic['topic']!r}", rng)
        for i, (dates, thing) in enumerate(zip(drawn, things, strict=True)):
            asked = topic | {"date": long_date(dates.target)}
            slots = {"did": f"{topic['did']} {thing}", "doing_it": f"{topic['doing']} {thing}"}
            question = stock.draw("questions", self.pool, asked)
            opened = datetime(
                dates.message.year, dates.message.month, dates.message.day,
                rng.randint(7, 22), rng.randint(0, 59),
            )  # fmt: skip
            yield Plan(
                self.pool, number, i, question, members[i], members[i], "", opened, thread,
                f"message_date: {dates.message} ** offset_days: {dates.offset} days ago",
                dates.as_json(), {"topic": topic["topic"]} | slots, (date_pattern(dates.target),),
            )  # fmt: skip

    def _places_in_chats(self, number: int, rng: random.Random) -> Iterator[Plan]:
        drawn = draw_places(self.order.places, self._size, rng)
        main, partners, stock = self._main(number), self._different(rng), Stock(rng)
        reasons = self._distinct(words("visit_reasons"), "reasons", rng)
        days = rng.sample(range(366), self._size)
        moments = [_moment(day, rng) for day in days]
        for i, (place, reason) in enumerate(zip(drawn, reasons, strict=True)):
            asked = {"main": main, "country": country_in_sentence(place.country)}
            yield Plan(
                self.pool, number, i, stock.draw("questions", self.pool, asked), reason, main,
                partners[i], moments[i], "", f"landmark: {place.name}", place.as_json(),
                {"landmark": with_the(place.name), "reason": reason},
                _place_secrets(place, main, partners[i]),
            )  # fmt: skip

    def _places_in_posts(self, number: int, rng: random.Random) -> Iterator[Plan]:
        drawn = draw_places(self.order.places, self._size, rng)
        topic, stock = self._topics[number], Stock(rng)
        thread = stock.draw("forum_replies", "ask.visit", topic)
        members = self._members(rng)
        both = {"topic": topic["topic"], "did_it": f"{topic['did']} {topic['topic']}"}
        for i, place in enumerate(drawn):
            asked = both | {"country": country_in_sentence(place.country)}
            yield Plan(
                self.pool, number, i, stock.draw("questions", self.pool, asked), members[i],
                members[i], "", some_moment(rng), thread, f"landmark: {place.name}",
                place.as_json(), both | {"landmark": with_the(place.name)},
                _place_secrets(place, members[i]),
            )  # fmt: skip

    def _prices(self, style: str, rng: random.Random) -> list[PriceTuple]:
        drawn = draw_prices(style, self._size, rng, self.order.algorithm)
        rng.shuffle(drawn)
        return drawn

    def _main(self, tuple_set: int) -> str:
        """Return the main speaker of a tuple set of chats."""
        number = 3 * tuple_set + POOLS.index(self.pool) // 2
        if number >= len(self._mains):
            most = len(self._mains) // 3
            raise InputError(f"There are names for {most} sets of chats. Ask for fewer --sets.")
        return self._mains[number]

    def _members(self, rng: random.Random) -> list[str]:
        """Return the members of a thread, most with a family name, no two alike."""
        return [
            f"{name} {rng.choice(self._families)}" if rng.random() < 0.6 else name
            for name in self._different(rng)
        ]

    def _unique_members(self, rng: random.Random) -> list[str]:
        """Return the members of a thread whose full names occur in no other."""
        members = []
        for name in self._different(rng):
            free = [each for each in self._unique_families if f"{name} {each}" not in self._taken]
            if not free:
                raise InputError("The names for threads are used up. Ask for fewer --sets.")
            members.append(f"{name} {rng.choice(free)}")
        self._taken.update(members)
        return members

    def _different(self, rng: random.Random) -> list[str]:
        return self._distinct(self._others, "names", rng)

    def _distinct(self, entries: Sequence[T], what: str, rng: random.Random) -> list[T]:
        if self._size > len(entries):
            raise InputError(
                f"There are {len(entries)} {what}, not {self._size}. Ask for fewer --tuples."
            )
        return rng.sample(entries, self._size)


def invented_brands(count: int, rng: random.Random) -> list[str]:
    """Return names of makers, all different, that no list of real makers was used for."""
    beginnings, ends, marks = (
        _names("brand_parts", part) for part in ("beginnings", "ends", "marks")
    )
    houses = words("brand_parts", "houses")
    stems = [f"{first}{last}" for first in beginnings for last in ends if first[-1] != last[0]]
    if count > len(stems):
        raise InputError(f"There are {len(stems)} names of makers, not {count}.")
    plain = [name for name in _names("family_names") if "-" not in name]
    pairs = iter(rng.sample([(a, b) for a in plain for b in plain if a < b], count))
    brands = []
    for stem in rng.sample(stems, count):
        shape = rng.random()
        if shape < 0.55:
            brands.append(stem)
        elif shape < 0.7:
            brands.append(f"{rng.choice(marks)} {stem}")
        elif shape < 0.85:
            brands.append(f"{stem} {rng.choice(houses)}")
        else:
            brands.append(" & ".join(next(pairs)))
    return brands


def some_moment(rng: random.Random) -> datetime:
    """Return a moment of 2024 between 7:00 and 20:59."""
    return _moment(rng.randrange(366), rng)


def _moment(day: int, rng: random.Random) -> datetime:
    return datetime(2024, 1, 1, rng.randint(7, 20), rng.randint(0, 59)) + timedelta(days=day)


def _things(topic: Mapping[str, Any]) -> list[str]:
    """Return "a rye loaf" and the like: what members did it to."""
    return [
        with_article(f"{a} {b}") if not b.startswith("pair") else f"{with_article(a)} {b}"
        for a, b in product(topic["first"], topic["last"])
    ]


def _place_secrets(place: Place, *names: str) -> tuple[str, ...]:
    """Return patterns of the clues to the country, but for those that speakers are named by."""
    spoken = {part for name in names for part in name.split()}
    return tuple(rf"(?<!\w){re.escape(clue)}(?!\w)" for clue in place.clues if clue not in spoken)
