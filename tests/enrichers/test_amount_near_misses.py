"""Amounts that stand side by side and yet give no further one."""

from __future__ import annotations

from typing import Any

import pytest

from derived import derived


@pytest.mark.parametrize(
    "text",
    [
        "Ibarra led by 1,204 votes of the 30,986 cast.",
        "She won by 40 of the 300 votes.",
        "The 8 and the 15 both stop here. The 8 is slower.",
        "Route 4 was longer than we liked, route 9 was not.",
        "The plan was for 12 houses at £200,000 each. It was thrown out.",
        "Did the dog eat 4 of my 6 chocolates? No, I did not say that.",
        "The minister denied that a tenth of the 3,000 drivers would go.",
        "If each of the 30 families gave £20 we could mend the roof.",
        "You use ten per cent of your brain, and my nephew's class of forty is proof.",
        "We have 6 taps. The headmistress asked for four more teachers.",
    ],
)
def test_amounts_that_do_not_bear_on_each_other_give_nothing(text: str) -> None:
    assert derived(text) == []


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        # those four are read books, too
        ("I have done 38. Four of them were thin ones, but I am counting.", ("number", 34)),
        ("There were 20 entries. Two of them came late but still count.", ("number", 18)),
        ("A score of 7 or more is a pass.", ("number", 20)),
        # ten stands for any ten
        ("9 out of 10 cats like it.", ("number", 1)),
    ],
)
def test_a_part_that_is_counted_leaves_no_rest(text: str, wrong: tuple[str, Any]) -> None:
    assert wrong not in derived(text)


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("A thali for £8 and a lassi for £2. They forgot to bill the lassi.", 10),
        ("Books £20, postage £5. They waived the postage.", 25),
        ("Sofa £300 plus delivery £40, but the delivery was free in the end.", 340),
        ("Curry £9, naan £3 and rice £4. The naan was on the house.", 16),
        ("Sales made £2,000 this season against £1,500 in the last.", 3500),
        ("The old price of £12 and the new one of £15 were both on the tin.", 27),
        ("The annual ticket is £36 and the monthly one £3.50.", 39.5),
        ("Minimum order £20. Delivery £3.", 23),
        ("The auctioneer asked for £500, then £400, then £200.", 1100),
        ("The shirt was £30, the shoes were £60, and I bought neither.", 90),
        ("She wanted 3 kg at £2 a kg, but the stall had shut.", 6),
        ("We were quoted £300 for the roof and £200 for the gutter.", 500),
        ("Sales of £900 in May versus £700 in June.", 1600),
    ],
)
def test_what_was_not_charged_or_is_a_rival_is_not_added(text: str, wrong: float) -> None:
    assert ("money", {"amount": wrong, "currency": "GBP"}) not in derived(text)


def test_items_that_were_charged_are_added() -> None:
    # 9 + 4 + 3
    found = derived("Curry £9, tea £4 and naan £3. The waiter forgot to bring the naan.")
    assert ("money", {"amount": 16, "currency": "GBP"}) in found


def test_days_off_are_taken_out_of_a_product() -> None:
    # 2 x (30 - 4)
    found = derived("Two packets daily, thirty days, but we were away for four days.")
    assert ("number", 52) in found


@pytest.mark.parametrize(
    ("text", "value"),
    [
        # 20 - 2
        ("There were 20 entries. Two of them were thrown out.", ("number", 18)),
        # 12 + 3
        ("We were 12. Then three more came.", ("number", 15)),
        # 47 % of 1,000
        ("47 per cent said yes, a poll of 1,000 adults found.", ("number", 470)),
        # 18 of 45 is 40 %
        ("18 of the 45 came.", ("percent", 40)),
        # £4 for 2 kg
    ],
)
def test_amounts_that_bear_on_each_other_give_a_further_one(
    text: str, value: tuple[str, Any]
) -> None:
    assert value in derived(text)
