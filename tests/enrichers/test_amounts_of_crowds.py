from __future__ import annotations

import pytest

from derived import values


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("We had 400 people. A quarter were children, who go free; the rest paid £6.", 2400),
        ("We had 60 guests: 12 got in free and the rest paid $250 between them.", 12000),
        ("There were 40 runners. Everyone else paid £3.", 120),
    ],
)
def test_the_others_are_not_all(text: str, value: float) -> None:
    assert value not in values(text, "money")


def test_no_run_rate_is_told_once_overs_are_gone() -> None:
    text = "Chasing 187 from their twenty overs, they were 82 for 3 at drinks."
    assert 9.35 not in values(text)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("The loss was put at £2,000. The policy takes off a tenth for wear first.", 1800),
        ("The loss was put at £2,000, less the £250 excess.", 1750),
        ("The drawer opened with a $200 float and I counted $1,143.50 at the end.", 943.5),
        ("The monthly plan is $39 with no contract. I stayed for twelve months.", 468),
        ("We took the menu twice at 28 euros each and shared a bottle at 24.", 80),
        # 80 and a tenth on top
        ("The menu twice at 28 euros each, and a bottle at 24. We left a tenth on top.", 88),
    ],
)
def test_accounts_follow_the_words_beside_each_amount(text: str, value: float) -> None:
    assert value in values(text, "money")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("The drawer opened with a $200 float and I counted $1,143.50 at the end.", 1343.5),
        ("The loss was put at £2,000. The policy takes off a tenth first, then £250.", 1750),
        ("I paid $39 for twelve months; they push you to pay $399 instead.", 438),
    ],
)
def test_accounts_add_up_nothing_else(text: str, value: float) -> None:
    assert value not in values(text, "money")


def test_what_a_man_swore_is_not_derived() -> None:
    text = "A man swore to this reporter that half of the twenty-four boats would be sold."
    assert values(text) == []
