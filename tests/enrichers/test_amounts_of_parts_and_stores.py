from __future__ import annotations

import pytest

from derived import amounts, values


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("If I put $2,000 down and then paid 60 payments of $385 I would be broke.", 25100),
        ("We have 84 members at £45 and 31 juniors, who pay nothing.", 465),
        ("Knock off another $50 and we talk.", 0),
    ],
)
def test_other_payments_are_not(text: str, value: float) -> None:
    assert value not in values(text, "money")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("In stock: red, blue. Sold: 90 kg. Received: 50 kg.", 140),
        ("We need 90 chairs and have only 50 tables; each seats 12.", 4),
        ("You, me, Sam and the two kids make five.", 10),
        ("The count is 46,001. Average household size is four persons.", 11500.25),
    ],
)
def test_stores_of_other_things_are_not(text: str, value: float) -> None:
    assert value not in values(text)


@pytest.mark.parametrize(
    "text",
    [
        "0.2 Symptoms of a cut in hand: 0.3 Remedies sold for a cut: 0.4 Outlook",
        "Here is an array of the squares of numbers from 1 to 100.",
    ],
)
def test_contents_and_definitions_are_no_stock(text: str) -> None:
    assert values(text) == []


@pytest.mark.parametrize(
    ("text", "amount"),
    [("It came to 3 400 kroner.", 3400), ("Das Boot cost 12 500 €.", 12500), ("1 200 kr", 1200)],
)
def test_thousands_may_be_set_off_by_a_space_before_a_currency(text: str, amount: int) -> None:
    assert [fact.value["amount"] for fact in amounts(text) if fact.kind == "money"] == [amount]


def test_two_numbers_in_a_row_are_no_thousands() -> None:
    assert 3400 not in [fact.value for fact in amounts("We had 3 400 g packs, and 3 200 people.")]
