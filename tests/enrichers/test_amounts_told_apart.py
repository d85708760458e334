from __future__ import annotations

import pytest

from derived import values


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("31 lectures were on my list this term and I skipped 5.", 26),
        ("I had 12 training runs planned for June, skipping two.", 10),
        ("The lorry carried 18 t of sand and lost 3 t on the way.", 15),
    ],
)
def test_what_is_skipped_or_cut_up_is_reckoned(text: str, value: float) -> None:
    assert value in values(text)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("31 lectures were on my list this term; if I skipped 5 I would be bored.", 26),
        ("There is 3.6 m of oak. It comes in 45 cm and 60 cm pieces.", 8),
        ("We have 18 t-shirts and lost 3 t-shirts.", 15.5),
    ],
)
def test_other_words_between_amounts_reckon_nothing(text: str, value: float) -> None:
    assert value not in values(text)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("The bus is £7 a head. We are five.", 35),
        ("Entry is €4 a head and we are nine in all.", 36),
        ("The ferry is 600 Kenyan shillings a head. We are four, me included.", 2400),
        ("30 days of June and £2 in the tin for every one of those days.", 60),
    ],
)
def test_how_many_we_are_meets_a_price_a_head(text: str, value: float) -> None:
    assert value in values(text)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("The bus is £7 a head. We are five minutes late.", 35),
        ("Entry is €4 a head and we are 9 km away.", 36),
    ],
)
def test_how_late_we_are_meets_no_price_a_head(text: str, value: float) -> None:
    assert value not in values(text)
