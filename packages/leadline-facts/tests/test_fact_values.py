import pytest

from leadline.types import Constraint, Fact
from leadline_facts.fact_values import agreement, canonical

SLOT = ["2021-04-26T15:00", "2021-04-26T18:00"]


def dollars(amount: float, currency: str = "USD") -> dict[str, object]:
    return {"amount": amount, "currency": currency}


def meets(kind: str, value: object, told: str, fact: object, relation: str = "equal") -> float:
    return agreement(Constraint(kind, value, relation=relation), Fact(told, fact))  # type: ignore[arg-type]


def test_durations_are_equal_after_conversion() -> None:
    # 9 h 35 min = 575 min = 34,500 s
    told = canonical("duration", {"amount": 575, "unit": "minute"})
    assert told == canonical("duration", {"amount": 34500, "unit": "seconds"})


def test_a_year_is_twelve_months_and_not_a_number_of_days() -> None:
    year = canonical("duration", {"amount": 1, "unit": "year"})
    assert year == canonical("duration", {"amount": 12, "unit": "month"})
    assert year != canonical("duration", {"amount": 365, "unit": "day"})


@pytest.mark.parametrize(
    ("asked", "told", "worth"),
    [
        (("date", "2024-02-27"), ("date", "2024-02-27"), 1.0),
        (("date", "2024-02-27"), ("date", "2024-02-28"), 0.0),
        (("month", "2024-02"), ("date", "2024-02-29"), 1.0),
        (("date", "2024-02-29"), ("month", "2024-02"), 0.3),
        (("date", "2024-03-01"), ("date_range", ["2024-02-28", "2024-03-01"]), 1.0),
        (("date", "2024-03-02"), ("date_range", ["2024-02-28", "2024-03-01"]), 0.0),
        (("datetime", "2021-04-26T16:00"), ("interval", SLOT), 1.0),
        (("datetime", "2021-04-26T18:00"), ("interval", SLOT), 0.0),
        (("datetime", "2021-04-26T16:00"), ("date", "2021-04-26"), 0.6),
        (("time", "00:30"), ("interval", ["2021-04-26T23:00", "2021-04-27T01:00"]), 0.8),
        (("money", dollars(1450)), ("money", dollars(1450.0, "usd")), 1.0),
        (("money", dollars(1450)), ("money", dollars(1450, "EUR")), 0.0),
        (("datetime", "2021-04-26T16:00"), ("date_range", ["2021-04-25", "2021-04-27"]), 0.6),
        (("datetime", "2021-04-28T16:00"), ("date_range", ["2021-04-25", "2021-04-27"]), 0.0),
        (("money", dollars(1450)), ("money", dollars(1449, "USD")), 0.5),
        (("money", dollars(1450)), ("money", dollars(1450, "XXX")), 0.8),
        (("money", dollars(1450)), ("money", dollars(1449, "XXX")), 0.0),
        (("age", 3), ("number", 3), 0.0),
        (("date", "2024-02-27"), ("date", "in spring"), 0.0),
    ],
)  # fmt: skip
def test_a_fact_meets_a_constraint_as_far_as_it_says_so(
    asked: tuple[str, object], told: tuple[str, object], worth: float
) -> None:
    assert meets(*asked, *told) == worth


def test_relations_compare_dates_and_amounts() -> None:
    assert meets("date", "2024-05-05", "date", "2024-05-04", "before") == 1
    assert meets("date", "2024-05-05", "date", "2024-05-05", "before") == 0
    assert meets("money", dollars(50), "money", dollars(49), "before") == 1
    assert meets("money", dollars(50), "money", dollars(49), "after") == 0


def test_a_range_of_amounts_holds_both_its_ends() -> None:
    asked = {"amount": [10, 20], "unit": "kg"}
    for amount, worth in ((10, 1), (20_000, 0), (20, 1), (25, 0)):
        told = {"amount": amount, "unit": "kg"}
        assert meets("quantity", asked, "quantity", told, "within") == worth


def test_a_year_beyond_every_calendar_meets_only_its_equal() -> None:
    assert canonical("year", "9" * 14) == canonical("year", "9" * 14)
    assert canonical("year", "9" * 14) != canonical("year", "2024")
