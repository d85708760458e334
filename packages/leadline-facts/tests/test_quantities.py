from __future__ import annotations

from typing import Any

import pytest

from derived import amounts, derived
from leadline.types import Query
from leadline_facts.quantities import build


def usd(amount: float) -> dict[str, Any]:
    return {"amount": amount, "currency": "USD"}


@pytest.mark.parametrize(
    ("text", "amount"),
    [
        # 780 x 2.5
        ("The Alto lamp costs $780, while the newer Brio is two and a half times pricier.", 1950),
        # 1200 / 2: the lamp compared is the one with the price
        ("The Alto lamp costs $1,200. It is twice as expensive as the Brio lamp.", 600),
        # 40 x 1.25, the price told after the comparison
        ("The Brio costs 25% more than the Alto, which was priced at $40.", 50),
        # 90 / 2
        ("The Alto costs $90, and the Brio is half that price.", 45),
    ],
)
def test_a_comparison_gives_the_price_of_the_other_thing(text: str, amount: float) -> None:
    assert derived(text) == [("money", usd(amount))]


def test_the_other_reading_of_a_comparison_is_an_alternative() -> None:
    text = "The Alto lamp costs $780, while the newer Brio is twice as expensive."
    other = [fact for fact in amounts(text) if fact.role == "alternative"]
    assert [fact.value for fact in other] == [usd(390)]
    assert all(fact.confidence < 0.5 for fact in other)


def test_a_dozen_is_a_number() -> None:
    assert ("number", 144) in derived("A gross of eggs, please.")
    assert ("number", 24) in derived("We baked two dozen buns.")


@pytest.mark.parametrize(
    "text",
    [
        "If it were 40% off the $250 I would buy it.",
        "Second act twice as good as the first; row 12, four of us.",
        "Up to 70% off selected lines. Lamp shown: $120.",
        "Six of one and half a dozen of the other.",
        "The union rejected a so-called 5% rise.",
        "Page 12 of 40, model 2019.",
    ],
)
def test_nothing_follows_from_what_is_not_vouched_for(text: str) -> None:
    assert derived(text) == []


def test_evidence_holds_the_base_and_the_relation() -> None:
    text = "The Alto lamp costs $780, while the Brio lamp is twice as expensive."
    [fact] = [fact for fact in amounts(text) if fact.role == "derived"]
    words = [text[start:end] for start, end in fact.spans]
    assert words == ["$780", "twice", "twice as expensive"]


@pytest.mark.parametrize(
    ("query", "kind", "value", "relation"),
    [
        ("Which lamp was priced at $1,450?", "money", usd(1450), "equal"),
        ("what costs under $50", "money", usd(50), "before"),
        ("What grew by 25 percent?", "percent", 25, "equal"),
        (
            "parcels between 10 and 20 kg",
            "quantity",
            [{"amount": 10, "unit": "kg"}, {"amount": 20, "unit": "kg"}],
            "within",
        ),
    ],
)
def test_a_query_asks_for_an_amount(query: str, kind: str, value: Any, relation: str) -> None:
    [[found]] = build().constraints([Query(id="q", text=query)])
    assert (found.kind, found.value, found.relation) == (kind, value, relation)
