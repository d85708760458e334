from __future__ import annotations

import pytest

from derived import derived


def numbers(text: str) -> set[float]:
    return {value for kind, value in derived(text) if kind == "number"}


def amounts(text: str, unit: str) -> set[float]:
    return {
        value["amount"]
        for _, value in derived(text)
        if isinstance(value, dict) and unit in (value.get("unit"), value.get("currency"))
    }


@pytest.mark.parametrize(
    ("text", "value"),
    [
        # 31 - 19, 31 + 19
        # 14 + 5 + 3
        ("Eleven voted in favour, four against.", 7),
    ],
)
def test_a_score_or_a_vote_gives_its_margin_and_all_votes(text: str, value: float) -> None:
    assert value in numbers(text)


@pytest.mark.parametrize(
    "text",
    [
        "Open to children aged 5-11.",
        "See pages 12-18 for the results of the match.",
        "Nadal won 6-4 6-3.",
        "The 7-11 shop on our street won an award.",
        "City went down 4-0.",
        "The stock of 12-15 boats will be sold.",
        "If we win 3-0 I will eat my hat.",
        "Voting is open from 8 to 10.",
    ],
)
def test_what_only_looks_like_a_score_has_no_margin(text: str) -> None:
    assert not {value for value in numbers(text) if value < 7 or value > 10}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        # 310 - 145 + 90
        # 46 - 6 + 11
        ("There were 46 people on the bus. At the station 6 got off and 11 got on.", 51),
        # 18500 x 0.46
        ("There are 18,500 voters on the roll and turnout was 46 per cent.", 8510),
        # 120 x 0.85
        # 480 / 2
        # 156 / 52
        # 160 / 52 is 3 and some
        # 300 / 25
        # 6 x 2
        ("Six pairs of gloves in the box.", 12),
        # 3 x 6
        ("We took three six-packs to the beach.", 18),
        # 8 x 45
        ("There are 8 shelves in the library with 45 books on each.", 360),
        # 9 x 8
        ("Guests sit eight to a table, and nine tables are booked.", 72),
        # 40 / 8
        ("We must have one adult for every eight children. There are 40 children.", 5),
        # 220 - 175
        # 2 x 49 - 91
        # 15 / 3
        # 75 / 10, and one more table
        # 144 / 2
        ("Half a gross of candles left in the vestry.", 72),
        # 45 - 18 + 7
        ("Ravi had 45 marbles and lost 18. Then he won 7.", 34),
        # 60 + 7 x 4
        # 90 - 6 x 5
        # 11 x 4 + 3 x 6
        # 14 + 6 + 10
        # 69 + 3
        # 71 - 66
        # (30 - 6) / 2
        # 12 / 3
    ],
)
def test_counts_follow_from_how_things_are_grouped(text: str, value: float) -> None:
    assert value in numbers(text)


@pytest.mark.parametrize(
    "text",
    [
        "Two pairs of trousers.",
        "One pair of gloves.",
        "He has 3 shelves, and we went 50 to a degree too far.",
        "Each bus takes 52 and leaves at noon.",
        "If each bus takes 52 we need room for 156 children.",
        "Turnout was 46 per cent.",
        "Iqbal hit the fours and left all sixes alone.",
        "Increase four stitches on every round.",
        "He came home at 66 and was under par.",
        "Nobody could say whether half of the 80 chairs had been sold.",
    ],
)
def test_nothing_is_grouped_without_both_numbers(text: str) -> None:
    assert numbers(text) == set()


@pytest.mark.parametrize(
    ("text", "unit", "value"),
    [
        # 6 x 9
        ("Six pairs of gloves, £9 a pair.", "GBP", 54),
        # 5 x 4
        ("I bought five dozen eggs at $4 a dozen.", "USD", 20),
        # 4 x 2.5
        ("Four 2.5 kg bags of compost left over.", "kg", 10),
        # 40 x 25
        ("The pool is 25 m long. Swim 40 lengths for the badge.", "m", 1000),
        # 10 x 400
        ("She ran ten laps of a 400 m track.", "m", 4000),
        # 11 x 1.8
        ("Fence panels, 1.8 m wide, eleven of them.", "m", 19.8),
        # 3 x 24
        # 132 / 4
        ("Dinner was £132 and the four of us split it evenly.", "GBP", 33),
        # 90 / 3
        # 5 x 20
        # 240 + 85, and that - 300
        ("Guitar £240, amp £85. Would do both for £300.", "GBP", 325),
        # 480 / 6
        # 20 - 1.5
        ("I have 1.5 GB left out of my 20.", "GB", 18.5),
        # (18 + 21 + 24 + 17) / 4
        ("At noon it was 18, 21, 24 and 17 degrees; give the average.", "degree", 20),
        # 200 + 10 x 25
        # 2 x 10 + 5
        ("Found two tenners and a fiver in my old coat.", "GBP", 25),
        # 7 cm x 50000
        # 45 / 6 x 100
        ("The car uses 6 litres per 100 km and has a 45 litre tank.", "km", 750),
        # 8 x 35
        # 750 x 0.14
        # 108 / 12
        ("Wine: case of 12, £108.", "GBP", 9),
        # 90000 x 2 / 3, 90000 / 3
        # 35 / 5
        # 500 x 2 / 5, 500 x 3 / 5
        # 210 / 3.5
        ("We drove 210 miles in three and a half hours.", "mph", 60),
        # 50 / 10
        # 200 x 6 / 4
        # 350 x 2
        # 12 + 20 + 4
        # 91 - 84
        # 2 litres x 4
        ("Mix one part syrup to four parts water. I used 2 litres of syrup.", "L", 8),
    ],
)
def test_measures_and_money_follow_from_how_things_are_told(
    text: str, unit: str, value: float
) -> None:
    assert value in amounts(text, unit)


@pytest.mark.parametrize(
    "text",
    [
        "If Jo, Sal and I each paid £24 we could go.",
        "Guitar £240 or amp £85, not both for £300.",
        "We drove 210 miles to be home in time.",
        "The recipe is not for 4 but for children.",
        "The pool is 25 m long and closed.",
        "I paid Jo £24 and Sal paid £30 each way.",
        "It was 12 degrees on Monday and 20 degrees at worst, on Tuesday or so.",
    ],
)
def test_measures_and_money_are_left_alone_without_the_construction(text: str) -> None:
    assert not amounts(text, "GBP") & {72, 325, 25, 54, 90}
    assert not amounts(text, "m") | amounts(text, "g") | amounts(text, "mph")
    assert 32 not in amounts(text, "degree")


def test_a_part_is_of_what_somebody_has_or_first_had() -> None:
    # 24 - 15
    assert 9 in numbers("Fifteen of the team's 24 goals came from Diaz.")
    # 60 - 48
    assert 12 in numbers("48 of the original 60 carriages survive.")
