from __future__ import annotations

import pytest

from derived import values


@pytest.mark.parametrize(
    ("text", "value"),
    [
        # 52 - 38 = 14 hours at 1.5 × 12 = 18: 252, and 38 × 12 = 456
        ("I worked 52 hours. The first 38 are at the basic £12, over that time and a half.", 708),
        ("She did 45 hours: $20 an hour up to 40, double time after that.", 1000),
        ("Is 46 hrs right? Yes. 18 dollars an hour up to 40, time and a half past that.", 882),
        # nothing for 100, 100 × 5, 60 × 8
        ("First 100 units free. Next 100 at ₹5. Anything over that at ₹8. We used 260 units.", 980),
        # 50 × 2 + 30 × 3
        ("The first 50 GB are free, the next 50 GB at $2, all beyond at $3. We used 130 GB.", 190),
        ("The first 20 copies are free, anything over that is 10p a copy. We made 75 copies.", 5.5),
    ],
)
def test_what_is_over_a_limit_is_charged_at_its_own_rate(text: str, value: float) -> None:
    assert value in values(text, "money")


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
    ("text", "value"),
    [
        ("Lockers numbered 35 to 74 are being repainted.", 40),
        ("Tickets numbered 241 to 400, both inclusive, were sold at £20 each.", 3200),
        ("I'm on page 150 of 600 and read 45 pages a day.", 10),
        ("We need a stake every 2 m along the 30 m bed with one at both ends.", 16),
        ("Lamp posts stand 25 m apart along the 400 m promenade, one at each end.", 17),
        ("There is a hook every 20 cm on a 2 m rail, but none at either end.", 9),
    ],
)
def test_both_ends_are_counted(text: str, value: float) -> None:
    assert value in values(text)


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
        ("The lorry weighed 14.2 tonnes loaded and 6.7 tonnes empty.", 7.5),
        ("Skip lorry: gross 9,400 kg, tare 5,900 kg. Scrap pays 30p a kg.", 1050),
        ("Loaded, 18.46 tonnes. Same wagon back empty, 7.9. Barley is £150 a tonne.", 1584),
        ("The jar weighs 900 g full and 350 g empty.", 550),
    ],
)
def test_a_load_is_what_is_weighed_less_the_empty_vessel(text: str, value: float) -> None:
    assert value in values(text)


def test_the_price_of_a_load_is_not_that_of_the_vehicle() -> None:
    text = "The lorry weighed 14.2 tonnes loaded and 6.7 tonnes empty; gravel is £20 a tonne."
    assert values(text, "money") == [150]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("We fed the cat 150 g every day of June.", 4500),
        ("In August the pool was closed for 9 days.", 22),
        ("The café was shut for two weeks in October.", 17),
        # 30 - 4 = 26 days
        ("Papers, April: £1.50 every day of the month except the four days away.", 39),
        ("In July it was down for eleven days for repairs.", 20),
    ],
)
def test_days_of_a_named_month_are_known(text: str, value: float) -> None:
    assert value in values(text)


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
        ("There are 31 children in the class; girls outnumber boys by 5.", 18),
        ("The town counts 46,000. Women outnumber men by 1,000.", 22500),
        ("Boys outnumber girls by four in our class of 26.", 15),
        ("The choir has 40 singers, with 6 more women than men.", 17),
    ],
)
def test_two_groups_follow_from_sum_and_difference(text: str, value: float) -> None:
    assert value in values(text)


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
        ("We booked 256 appointments and one in eight patients failed to turn up.", 32),
        ("90 people replied and two thirds of those who replied said yes.", 60),
        ("153 cleared all papers. One in three of those who cleared had a distinction.", 51),
        ("1,640 live here, grown by five per cent since. A third of those living here ride.", 574),
        ("We sent 64 parcels, and one in sixteen was broken.", 4),
        ("Of 1,200 children, 1,080 got drops. Half of those left were found at home.", 60),
    ],
)
def test_shares_are_of_those_who_did_it(text: str, value: float) -> None:
    assert value in values(text, "number")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("90 people came and 10 wrote. Two thirds of those who phoned said yes.", 60),
        ("Of 180 sitting, 153 cleared. One in three of those who cleared shone.", 60),
        ("We sent 64 parcels, and one in sixteen dreams was broken.", 5),
    ],
)
def test_shares_are_not_of_others(text: str, value: float) -> None:
    assert value not in values(text, "number")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Population has doubled since the 2001 count and now stands at 46,000.", 23000),
        ("Membership has trebled since the move and is now 360.", 120),
        ("We employed 612 persons at year end, a net addition of 37 during the year.", 575),
        ("The club has 80 members, a net loss of six on last year.", 86),
        ("The Greens took 41 per cent of the vote, with Labour down six at 36.", 42),
    ],
)
def test_what_was_before_follows_from_the_growth(text: str, value: float) -> None:
    assert value in values(text)


def test_what_has_doubled_since_then_without_a_figure_tells_nothing() -> None:
    assert values("The price has doubled since the war, and we have 40 guests each day.") == []


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("I enclose half the deposit, that is to say £175.", 350),
        ("Half the deposit, i.e. £175, is here. The deposit was fixed at five weeks' rent.", 70),
        ("He paid a third of the fee, namely £90, at once.", 270),
        ("She got 20% of the prize, i.e. £50.", 250),
    ],
)
def test_a_named_part_tells_the_whole(text: str, value: float) -> None:
    assert value in values(text, "money")


def test_a_part_beside_another_amount_tells_no_whole() -> None:
    assert 150 not in values("We paid 40% of the bill, which was £60.", "money")
    assert 270 not in values("He paid a third of the fee (£90) at once.", "money")
    assert 100 not in values("I owe half the deposit, and £50 of fuel money.", "money")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Rent is 48k rupees. Meera pays 12k, you and me split what's left 50-50.", 18000),
        ("Dinner was £95, Dad put in £35 and the rest was split between the three of us.", 20),
        (
            "The bill was 72 bucks, we left 25 percent. We were four, but Jo pays nothing. Split?",
            30,
        ),
        ("Lunch cost £60. We were five and Mia eats free, so split it please.", 15),
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
