from typing import Any

import pytest

from derived import amounts, derived
from leadline.types import Query
from leadline_facts.quantities import build
from tables import each_row


def usd(amount: float) -> dict[str, Any]:
    return {"amount": amount, "currency": "USD"}


@each_row
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


@each_row
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
