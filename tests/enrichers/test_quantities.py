from __future__ import annotations

from typing import Any

import pytest

from derived import amounts, derived
from leadline.enrichers.quantities import build
from leadline.types import Query


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
        # 60 - 15
        ("The Alto costs $60. The Brio costs $15 less than the Alto.", 45),
    ],
)
def test_a_comparison_gives_the_price_of_the_other_thing(text: str, amount: float) -> None:
    assert derived(text) == [("money", usd(amount))]


def test_a_number_is_money_where_prices_are_compared() -> None:
    # 860 x 2.5; no currency is named
    text = "The Alto mower is 860, and the Brio mower is 2.5 times more expensive than the Alto."
    assert derived(text) == [("money", {"amount": 2150, "currency": "XXX"})]


def test_the_other_reading_of_a_comparison_is_an_alternative() -> None:
    text = "The Alto lamp costs $780, while the newer Brio is twice as expensive."
    other = [fact for fact in amounts(text) if fact.role == "alternative"]
    assert [fact.value for fact in other] == [usd(390)]
    assert all(fact.confidence < 0.5 for fact in other)


@pytest.mark.parametrize(
    ("text", "amount"),
    [
        # 480 x 0.75
        ("Oak desk, was $480, now 25% off.", 360),
        # 84 x 1.2
        ("Dinner was $84 plus a 20% tip.", 100.8),
        # 3600 / 1.2
        ("The quote is $3,600 including VAT at 20%.", 3000),
        # 14 x 65
        ("The job took 14 hours at 65 dollars an hour.", 910),
        # 6 x 31.50
        ("We need 6 boxes at $31.50 a box.", 189),
        # 120 / 4
        ("The bill of $120 was split four ways.", 30),
        # 100 / 5
        ("She paid $100 for 5 plates.", 20),
        # 40 x 3 + 20 x 4
        ("We sold 40 cakes at $3 and 20 pies at $4.", 200),
        # 50 - 20
        ("We got $20 back from a $50 note.", 30),
        # 1140 / 12 x 5
        ("The sum of $1,140 is due in twelve equal instalments. You have made five.", 475),
        # 36 / 20 for each kilogram
        # 4500 + 700
        ("We raised $4,500, $700 short of our target.", 5200),
        # (18.20 + 3.30 + 9), dollars by the last sentence
    ],
)
def test_an_amount_of_money_follows(text: str, amount: float) -> None:
    assert ("money", usd(amount)) in derived(text)


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        # 9 / 12, and 12 - 9
        ("Nine of the twelve jurors voted to convict.", ("percent", 75)),
        ("Nine of the twelve jurors voted to convict.", ("number", 3)),
        # (640 - 544) / 640
        ("Enrolment fell from 640 pupils to 544.", ("percent", 15)),
        # 47 + 4
        ("Support slipped four points to 47 per cent.", ("percent", 51)),
        # 1500 / 0.06
        ("They will cut 1,500 jobs, or 6 per cent of the workforce.", ("number", 25000)),
        ("A gross of eggs, please.", ("number", 144)),
        # 30 - 5
        ("We had 30 chairs but five broke.", ("number", 25)),
        # 16 / (1 - 3/5)
        ("We sold 3/5 of the prints and have only 16 left.", ("number", 40)),
        # 28 = 30 - 2
        ("All but two of the 30 rowers came.", ("number", 28)),
        # 27 x 2 / 3
        ("Ayes beat noes two to one among the 27 members.", ("number", 18)),
        # 6000 x 2
        ("We sold 6,000 in May and twice that in June.", ("number", 12000)),
        # 10 x 1.609
        (
            "Ran 10 miles; there are 1.609 km to the mile.",
            ("quantity", {"amount": 16.09, "unit": "km"}),
        ),
        # 210 / 60
        ("We drove 210 km at 60 km/h.", ("duration", {"amount": 3.5, "unit": "hour"})),
    ],
)
def test_a_number_or_measure_follows(text: str, fact: tuple[str, Any]) -> None:
    assert fact in derived(text)


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


def test_a_stated_amount_is_not_derived() -> None:
    assert [(fact.value, fact.role) for fact in amounts("It costs $50.")] == [(usd(50), "stated")]


def test_evidence_holds_the_base_and_the_relation() -> None:
    text = "The Alto lamp costs $780, while the Brio lamp is twice as expensive."
    [fact] = [fact for fact in amounts(text) if fact.role == "derived"]
    words = [text[start:end] for start, end in fact.spans]
    assert words == ["$780", "twice", "twice as expensive"]


def test_a_fact_names_the_speaker_where_it_names_no_thing() -> None:
    text = "2024-05-01 09:00, Ann: Oak desk, was $480, now 25% off."
    assert {fact.about for fact in amounts(text)} == {"Ann"}


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


def test_a_query_without_amounts_asks_for_none() -> None:
    assert build().constraints([Query(id="q", text="what brand of lamp")]) == [()]
