from __future__ import annotations

import pytest

from derived import values


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("If she did 45 hours it would be $20 an hour up to 40, double time after.", 1000),
        ("The first 20 copies are free. The hall holds 75 people and a coat is £3.", 165),
        ("I worked 36 hours; the first 38 are at the basic £12, over that time and a half.", 396),
    ],
)
def test_no_limit_that_was_passed_reckons_nothing(text: str, value: float) -> None:
    assert value not in values(text, "money")


@pytest.mark.parametrize(
    "text",
    [
        "For ages 5 to 11 inclusive.",
        "Page 3 of 12",
        "It is open from 3 to 9 May inclusive.",
        "The bed is 30 m and the shed 2 m at one end.",
    ],
)
def test_other_ends_count_nothing(text: str) -> None:
    assert not set(values(text, "number")) & {7, 9, 15, 16, 25}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("In February the pool was closed for 9 days.", 19),
        ("In August the pool was not closed for 9 days.", 22),
        ("In March the pool is open for 9 days.", 22),
    ],
)
def test_days_that_are_not_off_are_not_taken_off(text: str, value: float) -> None:
    assert value not in values(text)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("There are 31 children in the class, against 35; girls outnumber boys by 6.", 20.5),
        ("There are 30 places on the coach; girls outnumber boys by 5.", 17.5),
    ],
)
def test_groups_that_do_not_come_out_even_are_left_alone(text: str, value: float) -> None:
    assert value not in values(text)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("90 people replied and two thirds of those who replied said yes.", 60),
        ("Of 1,200 children, 1,080 got drops. Half of those left were found at home.", 60),
    ],
)
def test_shares_are_of_those_who_did_it(text: str, value: float) -> None:
    assert value in values(text, "number")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Of 180 sitting, 153 cleared. One in three of those who cleared shone.", 60),
        ("We sent 64 parcels, and one in sixteen dreams was broken.", 5),
    ],
)
def test_shares_are_not_of_others(text: str, value: float) -> None:
    assert value not in values(text, "number")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("We employed 612 persons at year end, a net addition of 37 during the year.", 575),
        ("The club has 80 members, a net loss of six on last year.", 86),
    ],
)
def test_what_was_before_follows_from_the_growth(text: str, value: float) -> None:
    assert value in values(text)


def test_what_has_doubled_since_then_without_a_figure_tells_nothing() -> None:
    assert values("The price has doubled since the war, and we have 40 guests each day.") == []


def test_a_part_beside_another_amount_tells_no_whole() -> None:
    assert 150 not in values("We paid 40% of the bill, which was £60.", "money")
    assert 270 not in values("He paid a third of the fee (£90) at once.", "money")
    assert 100 not in values("I owe half the deposit, and £50 of fuel money.", "money")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Dinner was £95, Dad put in £35 and the rest was split between the three of us.", 20),
    ],
)
def test_rests_and_bills_are_split_among_those_who_pay(text: str, value: float) -> None:
    assert value in values(text, "money")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Rent is 48k rupees. If Meera pays 12k, you and me split what's left 50-50.", 18000),
        ("Lunch cost £60. We were five and entry is free, so split it please.", 15),
        ("He left 25 percent of his £400 estate to the cats.", 500),
    ],
)
def test_other_rests_are_not_split(text: str, value: float) -> None:
    assert value not in values(text, "money")


@pytest.mark.parametrize(
    ("text", "net"),
    [
        ("Total on it is $97.20, and that already has the 8% sales tax baked in.", 90),
        ("The invoice is £240 with 20% VAT included.", 200),
        ("The sofa was €595, 19% VAT is already in there.", 500),
    ],
)
def test_a_tax_that_is_inside_is_taken_out(text: str, net: float) -> None:
    found = values(text, "money")
    assert net in found
    assert max(found) == net
