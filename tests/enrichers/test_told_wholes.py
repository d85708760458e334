from __future__ import annotations

import pytest

from derived import values


@pytest.mark.parametrize(
    ("text", "value"),
    [
        # 1,800 / 0.3, and what is left of it
        ("I paid $500, which is a quarter of the fee.", 2000),
        # 34 - 12 - 9 - 6
        # 4,000 less 20 and 6 per cent
        # 180 - 120, 240 - 180, 180 / 240
        # 1.8 / 3
        # 600 / 3, 18 / 3
        ("Makes 18 buns. 600 g flour. I make a third of it.", 200),
        # 10 x 9 x 12
    ],
)
def test_wholes_rests_and_even_rates(text: str, value: float) -> None:
    assert value in values(text)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("We have received £1,800, being thirty per cent of the rest.", 6000),
        ("If I had paid $500, which is a quarter of the fee, I would be cross.", 2000),
        ("34 dancers came: twelve jivers, nine tappers and six waltzers.", 7),
        ("A class of 34: 12 walk, 9 cycle, the rest come by bus.", 3),
        ("My gross is €4,000. Tax is 20% and pension 6% of what is left.", 2960),
        ("I had read 120 of the 240 pages by noon; the house number is 180.", 60),
        ("A three-hour session. 1.8 L was taken off.", 0.6),
        ("Makes 18 buns. 600 g flour. I make a cake besides.", 200),
        ("10 desks at £9 per desk per month, billed monthly.", 1080),
    ],
)
def test_wholes_are_not_guessed(text: str, value: float) -> None:
    assert value not in values(text)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        # 14 of 40, 24 of 60
        ("The lamp was €40 and it's €26 now.", 35),
        ("It was £60 but is only £36 now.", 40),
        # a quarter and three quarters of 200
        # 600 / 50, 150 / 50
        ("A bag of 600 mL hung, running 50 mL per hour. When I looked 150 mL had gone in.", 12),
        ("A bag of 600 mL hung, running 50 mL per hour. When I looked 150 mL had gone in.", 3),
        ("2,350 cast a paper. The clerks threw out 150 papers.", 2200),
    ],
)
def test_what_changed_and_what_has_run(text: str, value: float) -> None:
    assert value in values(text)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("The lamp was €40 and the chair €26.", 35),
        ("Sand to cement is 3 to 1. The drum holds 200 litres of rain.", 50),
        ("2,350 cast a paper. The clerks counted 150 papers.", 352500),
    ],
)
def test_other_pairs_changed_nothing(text: str, value: float) -> None:
    assert value not in values(text)


@pytest.mark.parametrize(
    ("text", "is_derived"),
    [
        ("The £96,000 goes as to one half to her, the rest shared equally by three nieces.", False),
        ("The £96,000 is to be shared equally by three nieces.", True),
    ],
)
def test_only_the_remainder_is_shared(text: str, *, is_derived: bool) -> None:
    assert (32000 in values(text)) == is_derived
