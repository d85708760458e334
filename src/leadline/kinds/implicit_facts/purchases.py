"""Purchases: who bought what at a price that follows from another one."""

from __future__ import annotations

import random
from collections.abc import Mapping
from datetime import datetime, timedelta
from fractions import Fraction
from itertools import combinations

from leadline.kinds.implicit_facts.amounts import percent, price, price_pattern, times
from leadline.kinds.implicit_facts.arithmetic import PriceTuple
from leadline.kinds.implicit_facts.chats import write_chat
from leadline.kinds.implicit_facts.frames import Stock, joined, with_article, words
from leadline.kinds.implicit_facts.plans import Plan, Topic, Utterances, some_time
from leadline.kinds.implicit_facts.posts import write_post

FIRST_YEAR, LAST_YEAR = 2013, 2024
"""Model years; of two, the older is the cheaper one."""

YEAR_PAIRS = tuple(combinations(range(FIRST_YEAR, LAST_YEAR + 1), 2))

_MONEY = "money_statements.txt"
_CHATS = "chat_purchases.txt"
_ORDERS = (
    ("open", "context.product", "fact", "fact", "fact"),
    ("open", "fact", "fact", "fact", "verdict.product"),
    ("open", "fact", "fact", "fact", "close"),
)
_JOINED_ORDERS = (
    ("open", "context.product", "fact", "fact", "verdict.product"),
    ("open", "context.product", "fact", "fact", "close"),
    ("open", "fact", "fact", "verdict.product", "close"),
)


def product_topics() -> list[Topic]:
    """Return the topics of threads about what members bought."""
    return [Topic(name) for name in words("forum_products.txt")]


def chat_slots(prices: PriceTuple, item: str, low: str, high: str) -> dict[str, str]:
    """Return what frames may say of a purchase of one of two brands of an item."""
    return {"item": item, "an_item": with_article(item), "low": low, "high": high} | _sides(prices)


def post_slots(
    prices: PriceTuple, topic: str, brand: str, years: tuple[int, int]
) -> dict[str, str]:
    """Return what frames may say of a purchase of one of two model years of a brand."""
    low, high = map(str, years)
    return {"topic": topic, "brand": brand, "low": low, "high": high} | _sides(prices)


def secrets_of(prices: PriceTuple) -> tuple[str, ...]:
    """Return the patterns of the price that the document must not state."""
    return (price_pattern(prices.target),)


def hint_of(prices: PriceTuple, base: str, got: str) -> str:
    """Return the tuple in words."""
    relation = "lower" if prices.direction == "Lower" else "higher"
    return (
        f"price_1: {base}, {prices.base} ** ratio: {float(prices.ratio):g}, {relation} ** "
        f"bought: {got}, {prices.target}"
    )


def values_of(prices: PriceTuple) -> dict[str, object]:
    """Return the tuple as JSON."""
    return {
        "base": prices.base,
        "ratio": float(prices.ratio),
        "direction": prices.direction,
        "target": prices.target,
    }


def some_moment(rng: random.Random) -> datetime:
    """Return a moment of 2024 by day, when somebody tells of a purchase."""
    day = datetime(2024, 1, 1) + timedelta(days=rng.randrange(366))
    hour, minute = some_time(rng)
    return day.replace(hour=hour, minute=minute)


def write_purchase_chat(plan: Plan, stock: Stock, rng: random.Random) -> Utterances:
    """Write a chat in which the main speaker tells of a purchase."""
    item = plan.slots["item"]
    shape = rng.choice(["{brand} {item}", "{item} from {brand}", "{item} by {brand}"])
    full = {brand: shape.format(brand=plan.slots[brand], item=item) for brand in ("low", "high")}
    short = rng.choice(["{brand} one", "one from {brand}", "{brand} {item}"])
    brief = {brand: short.format(brand=plan.slots[brand], item=item) for brand in ("low", "high")}
    base, ratio, bought = _statements(plan, full, brief, stock, rng)
    if rng.random() < 0.35:
        base, ratio = "", joined(base, ratio, "and")
    if rng.random() < 0.5:
        return write_chat(plan, _CHATS, [" ".join(filter(None, (base, ratio, bought)))], stock, rng)
    return write_chat(plan, _CHATS, [" ".join(filter(None, (base, ratio))), bought], stock, rng)


def write_purchase_post(plan: Plan, stock: Stock, rng: random.Random) -> Utterances:
    """Write a reply in which a member tells of a purchase."""
    brand = plan.slots["brand"]
    full_shape = rng.choice(["{year} {brand}", "{brand} from {year}", "{brand} {year} model",
                             "{year} model from {brand}", "{year} version by {brand}"])  # fmt: skip
    short_shape = rng.choice(["{year} model", "{year} version", "{year} {brand}", "one from {year}",
                              "{brand} {year} model"])  # fmt: skip
    full, brief = (
        {side: shape.format(year=plan.slots[side], brand=brand) for side in ("low", "high")}
        for shape in (full_shape, short_shape)
    )
    base, ratio, bought = _statements(plan, full, brief, stock, rng)
    if rng.random() < 0.5:
        facts = [joined(base, ratio, "and"), bought]
        return write_post(plan, rng.choice(_JOINED_ORDERS), facts, stock)
    return write_post(plan, rng.choice(_ORDERS), [base, ratio, bought], stock)


def _sides(prices: PriceTuple) -> dict[str, str]:
    """Say which of the two sides is the base, and which was bought."""
    lower = prices.direction == "Lower"
    return {"base": "high", "got": "low"} if lower else {"base": "low", "got": "high"}


def _statements(
    plan: Plan, full: Mapping[str, str], brief: Mapping[str, str], stock: Stock, rng: random.Random
) -> tuple[str, str, str]:
    """Return three sentences: the base price, how the prices compare, what was bought."""
    base, got = plan.slots["base"], plan.slots["got"]
    slots = dict(plan.slots) | {
        "base": full[base],
        "price": price(plan.values["base"], rng),
        "low": full["low"] if got == "low" else brief["low"],
        "high": full["high"] if got == "high" else brief["high"],
        "got": rng.choice([full, brief])[got],
        "other": brief[base],
    }
    ratio = Fraction(str(plan.values["ratio"]))
    section = rng.choice(_ways(ratio))
    slots |= {"times": times(ratio, rng), "more": percent(ratio - 1, rng)}
    slots |= {"less": percent(1 - 1 / ratio, rng)}
    return (
        stock.draw(_MONEY, "base", slots),
        stock.draw(_MONEY, section, slots),
        stock.draw(_MONEY, "bought", slots),
    )


def _ways(ratio: Fraction) -> list[str]:
    """Return the sections that can state the ratio exactly."""
    ways = ["times", "times", "more"]
    if (100 / ratio).denominator == 1:
        ways += ["less"]
    ways += {
        Fraction(2): ["double"] * 2,
        Fraction(3, 2): ["half again"],
        Fraction(5, 4): ["quarter"] * 2,
    }.get(ratio, [])
    return ways
