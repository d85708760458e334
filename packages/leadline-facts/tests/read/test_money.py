from fractions import Fraction

import pytest

from leadline_facts.read.amounts.money import (
    currency_of,
    find_money,
    money_value,
)


@pytest.mark.parametrize(
    ("text", "amount", "currency"),
    [
        ("cost $1,450?", 1450, "USD"),
        ("cost 1.950 euros", 1950, "EUR"),
        ("€2,50", Fraction(5, 2), "EUR"),
        ("seven hundred and eighty dollars", 780, "USD"),
        ("9.5 million zlotys apiece", 9_500_000, "PLN"),
        ("SEK 180 per hour", 180, "SEK"),
        ("3 rolls for 90.00 AUD", 90, "AUD"),
        ("a $1.2m budget", 1_200_000, "USD"),
        ("50p each", Fraction(1, 2), "GBP"),
        ("12 Canadian dollars", 12, "CAD"),
        ("300 rand", 300, "ZAR"),
    ],
)
def test_an_amount_is_read_with_its_currency(text: str, amount: Fraction, currency: str) -> None:
    assert [(money.amount, money.currency) for money in find_money(text)] == [(amount, currency)]


@pytest.mark.parametrize(
    "text", ["twenty pounds of flour", "she lost 20 pounds", "a 5 percent tip"]
)
def test_a_weight_or_a_share_is_no_money(text: str) -> None:
    assert find_money(text) == []


def test_a_text_has_the_one_currency_that_it_names() -> None:
    assert currency_of("rent's 1,050\npounds?", []) == "GBP"


def test_money_has_two_decimals_at_most() -> None:
    assert money_value(Fraction(100, 3), "EUR") == {"amount": 33.33, "currency": "EUR"}


@pytest.mark.parametrize(
    ("text", "amount", "currency"),
    [
        ("₹18.5 lakh in the fund", 1_850_000, "INR"),
        ("2 crore rupees", 20_000_000, "INR"),
        ("₹3.2 cr", 32_000_000, "INR"),
        ("Rs. 1,20,000 only", 120_000, "INR"),
        ("₦15,000", 15_000, "NGN"),
        ("RM 45", 45, "MYR"),
        ("75¢ a stamp", Fraction(3, 4), "USD"),
        ("1.2m pounds", 1_200_000, "GBP"),
        # the place tells which dollar, krone or rupee is meant
        # `US$` and two countries leave no doubt, or all of it
        ("US$5 in Toronto", 5, "USD"),
        ("$5 in Toronto or in New York", 5, "USD"),
    ],
)
def test_an_amount_is_read_as_the_country_writes_it(
    text: str, amount: Fraction, currency: str
) -> None:
    assert [(money.amount, money.currency) for money in find_money(text)] == [(amount, currency)]


@pytest.mark.parametrize("text", ["It opens at 12 p.m.", "a grand piano", "the grand total"])
def test_an_hour_or_a_grand_piano_is_no_money(text: str) -> None:
    assert find_money(text) == []
