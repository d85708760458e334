"""Plan the six invented pools before any text is written: tuples, names, things, questions.

Source: ImpliRet, appendix A.4 and table 6.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from fractions import Fraction
from itertools import combinations, pairwise, product
from typing import Any, Generic, Literal, TypeVar

from leadline.errors import InputError, unknown
from leadline.kinds.implicit_facts.places import Place, country_in_sentence, draw_places, with_the
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
        places: landmarks; only the pools of world knowledge need them
    """

    seed: int = 0
    sets: int = 50
    tuples: int = 30
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
                f"There are only topics for {len(self._topics)} sets of {pool}, not {order.sets}. "
                "Use fewer --sets."
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
        drawn = draw_prices(style, self._size, rng)
        rng.shuffle(drawn)
        return drawn

    def _main(self, tuple_set: int) -> str:
        """Return the main speaker of a tuple set of chats."""
        number = 3 * tuple_set + POOLS.index(self.pool) // 2
        if number >= len(self._mains):
            most = len(self._mains) // 3
            raise InputError(f"There are only names for {most} sets of chats. Use fewer --sets.")
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
                raise InputError("There are too few names for threads. Use fewer --sets.")
            members.append(f"{name} {rng.choice(free)}")
        self._taken.update(members)
        return members

    def _different(self, rng: random.Random) -> list[str]:
        return self._distinct(self._others, "names", rng)

    def _distinct(self, entries: Sequence[T], what: str, rng: random.Random) -> list[T]:
        if self._size > len(entries):
            raise InputError(
                f"There are only {len(entries)} {what}, not {self._size}. Use fewer --tuples."
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
        raise InputError(
            f"There are only {len(stems)} names of makers, not {count}. Use fewer --tuples."
        )
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


BOUNDS = {"multispeaker": (50, 2050), "unispeaker": (50, 3050)}
"""Lowest and highest price in dollars for forums and for chats."""
LARGEST_RATIO = 3
_MOST_TRIES = 1_000

WINDOW = (date(2024, 1, 1), date(2024, 12, 31))
SHORTEST_GAP, LONGEST_GAP, TAIL = 2, 7, 14
"""Days between the dates of a thread, and from the last of them to the end of the window."""
BLOCK = 14
DAY_STARTS, DAY_ENDS = 7, 19
SHORTEST_SLOT, LONGEST_SLOT = 2, 4
CONSECUTIVE, SEPARATE, SINGLE = (3, 3, 4), (2, 2, 3), 9
"""Days of the activities in a block of 14 days."""
SCHEDULE_SIZE = 2 * (len(CONSECUTIVE) + len(SEPARATE) + SINGLE)

Pattern = Literal["consecutive", "separate", "single"]


@dataclass(frozen=True)
class PriceTuple:
    """((base, ratio, direction), target): the target price follows from the other three."""

    base: int
    target: int

    @property
    def ratio(self) -> Fraction:
        """The larger price divided by the smaller: at most two decimals, below 3."""
        return Fraction(max(self.base, self.target), min(self.base, self.target))

    @property
    def direction(self) -> Literal["Lower", "Higher"]:
        """Where the target lies as seen from the base."""
        return "Lower" if self.target < self.base else "Higher"

    @property
    def sides(self) -> dict[str, str]:
        """Whether the price that others are told from is the lower, and which was bought."""
        low_is_bought = self.direction == "Lower"
        return {"base": "high", "got": "low"} if low_is_bought else {"base": "low", "got": "high"}

    def hint(self, base: str, got: str) -> str:
        """Return the tuple in words."""
        return (
            f"price_1: {base}, {self.base} ** ratio: {float(self.ratio):g}, "
            f"{self.direction.lower()} ** bought: {got}, {self.target}"
        )

    def as_json(self) -> dict[str, Any]:
        """Return it as JSON."""
        told = {"base": self.base, "ratio": float(self.ratio), "direction": self.direction}
        return {**told, "target": self.target}


@dataclass(frozen=True)
class DateTuple:
    """((message, offset), target): something was done `offset` days before the message."""

    message: date
    offset: int
    target: date

    def as_json(self) -> dict[str, Any]:
        """Return it as JSON."""
        message, target = self.message.isoformat(), self.target.isoformat()
        return {"message": message, "offset": self.offset, "target": target}


@dataclass(frozen=True)
class ActivityTuple:
    """((message, differences), days): an activity with the same hours on each of its days.

    Attributes:
        start, end: full hours, 2 to 4 apart, between 7 and 19
        asked: a day of it and an hour strictly inside: what the question names
        message: the asked time of another activity: when the conversation begins
    """

    pattern: Pattern
    days: tuple[date, ...]
    start: int
    end: int
    asked: datetime
    message: datetime

    @property
    def differences(self) -> tuple[int, ...]:
        """Days from the message to each day of the activity; negative in the past."""
        return tuple((day - self.message.date()).days for day in self.days)

    def as_json(self) -> dict[str, Any]:
        """Return it as JSON."""
        return {
            "pattern": self.pattern,
            "days": [day.isoformat() for day in self.days],
            "hours": [self.start, self.end],
            "asked": self.asked.isoformat(timespec="minutes"),
            "message": self.message.isoformat(timespec="minutes"),
            "differences": list(self.differences),
        }


def draw_prices(style: str, size: int, rng: random.Random) -> list[PriceTuple]:
    """Return a tuple set, targets ascending, evenly spread, all prices distinct.

    style  "multispeaker" or "unispeaker": which bounds

    Every price is a multiple of 10, as the text of the paper asks; its listing raises by 1.

    Raises InputError if the size does not fit the bounds.
    Source: ImpliRet, appendix A.1, algorithm 1.
    """
    lower, upper = BOUNDS[style]
    most = (upper - lower) // 20
    if not 1 <= size <= most:
        raise InputError(f"A set of prices for {style} needs 1 to {most} tuples, got {size}.")
    grid = [10 * round((lower + i * ((upper - lower) // size)) / 10) for i in range(size + 1)]
    for _ in range(_MOST_TRIES):
        if tuples := _prices(grid, (lower, upper), rng):
            return tuples
    raise InputError(f"Could not find {size} prices for {style}. Use fewer --tuples.")


def _prices(grid: list[int], bounds: tuple[int, int], rng: random.Random) -> list[PriceTuple]:
    """Return a tuple for each step of the grid; none if a step has no target with a base."""
    used: set[int] = set()
    tuples: list[PriceTuple] = []
    for target, following in pairwise(grid):
        while (base := _base(target, used, bounds, rng)) is None:
            target += 10
            if target >= following:
                return []
        used |= {base, target}
        tuples.append(PriceTuple(base, target))
    return tuples


def _base(target: int, used: set[int], bounds: tuple[int, int], rng: random.Random) -> int | None:
    if target in used:
        return None
    lowest, highest = -(-bounds[0] // 10), bounds[1] // 10
    for _ in range(_MOST_TRIES):
        base = 10 * rng.randint(lowest, highest)
        if base not in used and fits(base, target):
            return base
    return None


def fits(base: int, target: int) -> bool:
    """Tell whether the ratio of the prices is above 1, below 3 and has at most two decimals."""
    larger, smaller = max(base, target), min(base, target)
    return smaller < larger < LARGEST_RATIO * smaller and larger * 100 % smaller == 0


def draw_dates(size: int, rng: random.Random) -> list[DateTuple]:
    """Return the tuples of a thread, targets ascending with gaps of 2 to 7 days.

    The message of one is written on the target day of the next; the last one 1 to 7 days after
    its own. The last target lies at least 14 days before the end of the window.

    Raises InputError if so many dates do not fit the window.
    Source: ImpliRet, appendix A.3.1, algorithm 2, for any number of tuples.
    """
    first, last = WINDOW
    room = (last - first).days - TAIL
    most = room // SHORTEST_GAP + 1
    if not 1 <= size <= most:
        raise InputError(f"A thread needs 1 to {most} dates, got {size}.")
    gaps = [rng.randint(SHORTEST_GAP, LONGEST_GAP) for _ in range(size - 1)]
    while sum(gaps) > room:
        i = rng.randrange(len(gaps))
        gaps[i] = max(SHORTEST_GAP, gaps[i] - 1)
    day = first + timedelta(days=rng.randint(0, room - sum(gaps)))
    tuples = []
    for offset in [*gaps, rng.randint(1, LONGEST_GAP)]:
        following = day + timedelta(days=offset)
        tuples.append(DateTuple(following, offset, day))
        day = following
    return tuples


def draw_schedule(start: date, rng: random.Random) -> list[ActivityTuple]:
    """Return the 30 activities of four weeks, none at the same time as another.

    The message is never written on the day that the question asks for: its stamp would give the
    date away.

    Source: ImpliRet, appendix A.3.2, algorithm 3.
    """
    blocks = [_block(rng) for _ in range(2)]
    activities = [
        (pattern, tuple(start + timedelta(days=day + BLOCK * i) for day in days), *hours)
        for i, block in enumerate(blocks)
        for pattern, days, hours in block
    ]
    asked = [
        datetime.combine(rng.choice(days), time(rng.randrange(first + 1, end)))
        for _, days, first, end in activities
    ]
    return [
        ActivityTuple(
            *each, at, rng.choice([other for other in asked if other.date() != at.date()])
        )
        for each, at in zip(activities, asked, strict=True)
    ]


_Placed = tuple[Pattern, tuple[int, ...], tuple[int, int]]


def _block(rng: random.Random) -> list[_Placed]:
    """Place the 15 activities of a block; begin again when one finds no room."""
    wanted: list[tuple[Pattern, int]] = [
        *(("consecutive", count) for count in CONSECUTIVE),
        *(("separate", count) for count in SEPARATE),
        *(("single", 1) for _ in range(SINGLE)),
    ]
    while True:
        taken: set[tuple[int, int]] = set()
        placed: list[_Placed] = []
        for pattern, count in wanted:
            found = _place(pattern, count, taken, rng)
            if found is None:
                break
            placed.append(found)
        else:
            return placed


def _place(
    pattern: Pattern, count: int, taken: set[tuple[int, int]], rng: random.Random
) -> _Placed | None:
    for _ in range(_MOST_TRIES):
        length = rng.randint(SHORTEST_SLOT, LONGEST_SLOT)
        start = rng.randint(DAY_STARTS, DAY_ENDS - length)
        days = _days(pattern, count, rng)
        hours = {(day, hour) for day in days for hour in range(start, start + length)}
        if not hours & taken:
            taken |= hours
            return pattern, days, (start, start + length)
    return None


def _days(pattern: Pattern, count: int, rng: random.Random) -> tuple[int, ...]:
    """Return days of a block: in a row, or no two of them in a row."""
    if pattern == "consecutive":
        first = rng.randint(0, BLOCK - count)
        return tuple(range(first, first + count))
    # Choosing from a shorter block and spreading by one day each leaves a day between any two.
    chosen = sorted(rng.sample(range(BLOCK - count + 1), count))
    return tuple(day + i for i, day in enumerate(chosen))
