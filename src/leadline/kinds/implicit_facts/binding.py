"""Entities for every tuple: speakers, products, activities, topics; unique where they must be.

Source: ImpliRet, appendix A.4 and table 6.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import TypeVar

from leadline.errors import InputError
from leadline.kinds.implicit_facts import purchases, schedules, visits
from leadline.kinds.implicit_facts.arithmetic import Algorithm, draw_prices
from leadline.kinds.implicit_facts.frames import Deck, Stock, words
from leadline.kinds.implicit_facts.moments import date_pattern, long_date
from leadline.kinds.implicit_facts.names import Cast, invented_brands
from leadline.kinds.implicit_facts.places import Place, country_in_sentence, draw_places
from leadline.kinds.implicit_facts.plans import Plan, Topic
from leadline.kinds.implicit_facts.posts import REPLIES
from leadline.kinds.implicit_facts.temporal import SCHEDULE_SIZE, draw_dates, draw_schedule

T = TypeVar("T")

_FIRST_SCHEDULE, _SCHEDULE_DAYS = date(2019, 1, 1), 2_400


@dataclass(frozen=True)
class Order:
    """What is to be made.

    sets, tuples  number of tuple sets in a pool, and of documents in a set
    algorithm     how prices are drawn
    places        landmarks; only the pools of world knowledge need them
    """

    seed: int = 0
    sets: int = 50
    tuples: int = 30
    algorithm: Algorithm = "tens"
    places: Sequence[Place] = ()


class Binder:
    """Draws the tuple sets of a pool and binds entities to them."""

    def __init__(self, pool: str, order: Order) -> None:
        self.pool, self.order = pool, order
        self._cast = Cast(_names("first_names.txt"), _names("family_names.txt"), order.seed)
        rng = random.Random(f"{order.seed} {pool}")
        self._topics = list(_TOPICS[pool]()) if pool in _TOPICS else []
        rng.shuffle(self._topics)
        if self._topics and order.sets > len(self._topics):
            raise InputError(
                f"There are topics for {len(self._topics)} sets of {pool}, not {order.sets}. "
                "Ask for fewer --sets."
            )
        self._brands: list[str] = []
        if pool == "arithmetic_multispeaker":
            self._brands = invented_brands(
                order.sets * order.tuples, rng, _names("family_names.txt")
            )

    def plans(self, tuple_set: int) -> list[Plan]:
        """Return the plans of one tuple set; sets are asked for in order from 0."""
        rng = random.Random(f"{self.order.seed} {self.pool} {tuple_set}")
        return _BINDERS[self.pool](self, tuple_set, rng)

    def _arithmetic_chats(self, tuple_set: int, rng: random.Random) -> list[Plan]:
        size = self.order.tuples
        drawn = draw_prices("unispeaker", size, rng, self.order.algorithm)
        rng.shuffle(drawn)
        main, stock = self._cast.main(self.pool, tuple_set), Stock(rng)
        partners = self._cast.partners(size, rng)
        items = _distinct(words("shopping_items.txt"), size, "items", rng)
        brands = iter(invented_brands(2 * size, rng, _names("family_names.txt")))
        plans = []
        for i, prices in enumerate(drawn):
            slots = purchases.chat_slots(prices, items[i], low=next(brands), high=next(brands))
            asked = {"main": main, "price": f"${prices.target:,}"}
            got = f"{slots[slots['got']]} {items[i]}"
            base = f"{slots[slots['base']]} {items[i]}"
            plans.append(
                Plan(
                    self.pool, tuple_set, i, stock.draw("questions.txt", self.pool, asked), got,
                    main, partners[i], purchases.some_moment(rng), "",
                    purchases.hint_of(prices, base, got), purchases.values_of(prices), slots,
                    purchases.secrets_of(prices),
                )
            )  # fmt: skip
        return plans

    def _arithmetic_posts(self, tuple_set: int, rng: random.Random) -> list[Plan]:
        size = self.order.tuples
        drawn = draw_prices("multispeaker", size, rng, self.order.algorithm)
        rng.shuffle(drawn)
        topic, stock = self._topics[tuple_set].name, Stock(rng)
        thread = stock.draw(REPLIES, "ask.product", {"topic": topic})
        members = self._cast.unique_members(size, rng)
        years_left = Deck(purchases.YEAR_PAIRS, rng)
        plans = []
        for i, prices in enumerate(drawn):
            years = years_left.draw()
            while {prices.base, prices.target} & set(years):  # a year must not look like a price
                years = years_left.draw()
            brand = self._brands[tuple_set * size + i]
            slots = purchases.post_slots(prices, topic, brand, years)
            asked = {"topic": topic, "price": f"${prices.target:,}"}
            base, got = (f"{brand} {slots[slots[side]]} model" for side in ("base", "got"))
            plans.append(
                Plan(
                    self.pool, tuple_set, i, stock.draw("questions.txt", self.pool, asked), got,
                    members[i], "", purchases.some_moment(rng), thread,
                    purchases.hint_of(prices, base, got), purchases.values_of(prices), slots,
                    purchases.secrets_of(prices),
                )
            )  # fmt: skip
        return plans

    def _temporal_chats(self, tuple_set: int, rng: random.Random) -> list[Plan]:
        size = self.order.tuples
        if size > SCHEDULE_SIZE:
            raise InputError(f"A schedule has {SCHEDULE_SIZE} activities, not {size}.")
        start = _FIRST_SCHEDULE + timedelta(days=rng.randrange(_SCHEDULE_DAYS))
        drawn = rng.sample(draw_schedule(start, rng), size)
        main, stock = self._cast.main(self.pool, tuple_set), Stock(rng)
        partners = self._cast.partners(size, rng)
        chosen = _distinct(schedules.activities(), size, "activities", rng)
        plans = []
        for i, (activity, (do, doing)) in enumerate(zip(drawn, chosen, strict=True)):
            asked = {"main": main, "hour": f"{activity.asked:%H:%M}",
                     "date": long_date(activity.asked.date())}  # fmt: skip
            days = ", ".join(day.isoformat() for day in activity.days)
            hint = f"days: {days} ** hours: {activity.start}, {activity.end}"
            plans.append(
                Plan(
                    self.pool, tuple_set, i, stock.draw("questions.txt", self.pool, asked), do,
                    main, partners[i], activity.message, "", hint,
                    schedules.activity_values(activity), {"do": do, "doing": doing},
                    schedules.activity_secrets(activity),
                )
            )  # fmt: skip
        return plans

    def _temporal_posts(self, tuple_set: int, rng: random.Random) -> list[Plan]:
        size = self.order.tuples
        drawn = draw_dates(size, rng)
        topic = self._topics[tuple_set]
        stock = Stock(rng)
        thread = stock.draw(REPLIES, "ask.day", {"topic": topic.name})
        members = self._cast.members(size, rng)
        things = _distinct(topic.things, size, f"things for {topic.name!r}", rng)
        plans = []
        for i, dates in enumerate(drawn):
            asked = {"topic": topic.name, "date": long_date(dates.target)}
            slots = {
                "topic": topic.name,
                "did": f"{topic.did} {things[i]}",
                "doing_it": f"{topic.doing} {things[i]}",
            }
            hint = f"message_date: {dates.message} ** offset_days: {dates.offset} days ago"
            plans.append(
                Plan(
                    self.pool, tuple_set, i, stock.draw("questions.txt", self.pool, asked),
                    members[i], members[i], "", schedules.post_moment(dates, rng), thread, hint,
                    schedules.date_values(dates), slots, (date_pattern(dates.target),),
                )
            )  # fmt: skip
        return plans

    def _place_chats(self, tuple_set: int, rng: random.Random) -> list[Plan]:
        size = self.order.tuples
        drawn = draw_places(self.order.places, size, rng)
        main, stock = self._cast.main(self.pool, tuple_set), Stock(rng)
        partners = self._cast.partners(size, rng)
        reasons = _distinct(words("visit_reasons.txt"), size, "reasons", rng)
        plans = []
        for i, (place, moment) in enumerate(zip(drawn, visits.some_days(size, rng), strict=True)):
            asked = {"main": main, "country": country_in_sentence(place.country)}
            slots = visits.visit_slots(place) | {"reason": reasons[i]}
            plans.append(
                Plan(
                    self.pool, tuple_set, i, stock.draw("questions.txt", self.pool, asked),
                    reasons[i], main, partners[i], moment, "", f"landmark: {place.name}",
                    visits.visit_values(place), slots,
                    visits.place_secrets(place, main, partners[i]),
                )
            )  # fmt: skip
        return plans

    def _place_posts(self, tuple_set: int, rng: random.Random) -> list[Plan]:
        size = self.order.tuples
        drawn = draw_places(self.order.places, size, rng)
        topic = self._topics[tuple_set]
        stock = Stock(rng)
        thread = stock.draw(REPLIES, "ask.visit", {"topic": topic.name})
        members = self._cast.members(size, rng)
        both = {"topic": topic.name, "did_it": f"{topic.did} {topic.name}"}
        plans = []
        for i, place in enumerate(drawn):
            asked = both | {"country": country_in_sentence(place.country)}
            plans.append(
                Plan(
                    self.pool, tuple_set, i, stock.draw("questions.txt", self.pool, asked),
                    members[i], members[i], "", purchases.some_moment(rng), thread,
                    f"landmark: {place.name}", visits.visit_values(place),
                    both | visits.visit_slots(place), visits.place_secrets(place, members[i]),
                )
            )  # fmt: skip
        return plans


_BINDERS: dict[str, Callable[[Binder, int, random.Random], list[Plan]]] = {
    "arithmetic_unispeaker": Binder._arithmetic_chats,
    "arithmetic_multispeaker": Binder._arithmetic_posts,
    "temporal_unispeaker": Binder._temporal_chats,
    "temporal_multispeaker": Binder._temporal_posts,
    "wknow_unispeaker": Binder._place_chats,
    "wknow_multispeaker": Binder._place_posts,
}

POOLS = tuple(_BINDERS)
"""The six pools, named like their files."""

_TOPICS: dict[str, Callable[[], list[Topic]]] = {
    "arithmetic_multispeaker": purchases.product_topics,
    "temporal_multispeaker": schedules.day_topics,
    "wknow_multispeaker": visits.outing_topics,
}


def _names(file: str) -> tuple[str, ...]:
    return tuple(name for line in words(file) for name in line.split())


def _distinct(entries: Sequence[T], size: int, what: str, rng: random.Random) -> list[T]:
    if size > len(entries):
        raise InputError(f"There are {len(entries)} {what}, not {size}. Ask for fewer --tuples.")
    return rng.sample(entries, size)
