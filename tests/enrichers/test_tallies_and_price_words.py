from __future__ import annotations

import pytest

from derived import values


@pytest.mark.parametrize(
    ("text", "value"),
    [
        # 28 + 7
        # 28 x £15, 7 x £15
        # 18 + 7
        # 6 x 8
        # 240 / 0.8
        # 30 - 4, and a half of those 26
        # 21 + 6 + 3, 21 - 6
        # 4 x 25
        ("We ran five heats back to back, 12 minutes each.", 60),
        # 64 / 2, 30 x 32
        # 54 / 9
        # 4,200 / 0.6, and the others
    ],
)
def test_tallies_in_two_parts_give_their_total_or_the_rest(text: str, value: float) -> None:
    assert value in values(text)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("28 members have paid, and 7 of them are yet to sign.", 35),
        ("A 64-page booklet, not printed double-sided.", 32),
        ("The motion was carried by 21 votes at 6 in the evening.", 15),
        ("Four batches were baked, the last in twenty-five minutes.", 100),
        ("The bowler took 4 after nine overs were lost to rain in 2 hours.", 36),
        ("We had 150 guests, 75% of them children.", 200),
    ],
)
def test_what_only_looks_like_a_tally_gives_nothing(text: str, value: float) -> None:
    assert value not in values(text)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Oak desk, cost £480 new, asking a third.", 160),
        ("Pram, bought for €300, will take half.", 150),
        # 18 % of 2,000
        ("Repairs come to ₹2,000 plus GST at 18%.", 360),
        ("Repairs come to ₹2,000 plus GST at 18%.", 2360),
        ("The quote is £500 plus 20% VAT.", 600),
        # 3 x £650
        ("The rent is £650 a month, with a deposit of three months' rent.", 1950),
        # two weeks at £400 a week
        ("His wage is £400 a week. He was owed two weeks' wages.", 800),
        # 900 of 1,200
        ("£900 raised so far towards £1,200.", 75),
        ("£900 raised so far towards £1,200.", 300),
        ("We have £2,400 of the £3,000 we need.", 600),
        ("$60 collected out of a target of $240.", 180),
        # 1.5 x 80
        ("He wanted one and a half times the fare. The fare is $80.", 120),
        # 2 x 110
        ("The driver charges twice the meter. Meter: Rs 110.", 220),
        # 2 x 9,000
        ("Deposit of two months' rent, rent being 9,000 rupees.", 18000),
        # 200 x 1.2
        ("I changed 200 pounds at the bank, they gave 1.20 euros for one.", 240),
        # 6,000 / 4, then (6,000 - 1,500) / 3
        ("She left £6,000: a quarter for the hospice, the rest shared between three sons.", 1500),
        ("She left £6,000: a quarter for the hospice, the rest shared between three sons.", 1500),
        # 9 x 12, (9 - 2) x 12
        ("There were nine of us, £12 each. Two people have not paid.", 108),
        ("There were nine of us, £12 each. Two people have not paid.", 84),
    ],
)
def test_prices_follow_from_the_price_that_they_are_told_by(text: str, value: float) -> None:
    assert value in values(text)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("£900 raised so far towards £1,200.", 2100),
        ("We have £2,400 of the £3,000 we need.", 5400),
        ("The sofa cost £480. Half of the street was asking about it.", 240),
        ("He wanted twice the fare. The meal was $80.", 160),
        ("She left £6,000 and a quarter of an acre.", 1500),
    ],
)
def test_what_only_looks_like_a_price_by_another_gives_nothing(text: str, value: float) -> None:
    assert value not in values(text)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        # 200 x 9 / 6, 4 x 9 / 6
        # 80 + 20, 80 - 8
        ("Last year 80 trees were planted; this year a quarter more.", 100),
        ("In May we sold 80 pots, and this month a tenth fewer.", 72),
        ("The fair took £600 last time, but this time 5% less.", 570),
        # 4 + 0 + 11 + 6
        ("Runs this week, all in km: 5, 8, 5 and 12.", 30),
        # 3/8 of 48; 2/5 of 30
        ("There are 48 of us in this office, three eighths have asked for a desk.", 18),
        ("There were 30 of them on the tour. Two fifths went home early.", 12),
        # 2 x 3 x 5
        ("Two tablets three times a day after meals for five days.", 30),
        # 18 % of 4,500
        ("Rupees four thousand five hundred only, plus GST at 18%.", 810),
        # 5 % on top of 14,000
        ("The rent of ₹14,000 goes up by five per cent from 1 April.", 14700),
        # 2 x 4 x 7
        ("2 drops four times a day, 7 days.", 56),
        # 17 - 9
    ],
)
def test_amounts_grow_with_what_they_are_told_by(text: str, value: float) -> None:
    assert value in values(text)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("The card says 200 g of lentils for six people. We are nine miles from a shop.", 300),
        ("Last year 80 trees were planted; this year a quarter of an acre was cleared.", 100),
        ("Last year 80 trees were planted; this year a quarter more than we hoped.", 100),
        ("Sizes in cm: 40, 60, 80 in depth.", 180),
        ("Temperatures in celsius: 4, 7, 9.", 20),
    ],
)
def test_what_does_not_grow_with_it_gives_nothing(text: str, value: float) -> None:
    assert value not in values(text)
