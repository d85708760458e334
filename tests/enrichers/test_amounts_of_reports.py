from __future__ import annotations

import pytest

from derived import values

_YEAR = (
    "The year opened with £1,200 at the bank. Subscriptions brought in £870 and the raffle £210;"
    " the hall took £440 in hire and the engraver £60."
)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Tickets earned €400, drinks €150 and the tombola €75.", 625),
    ],
)
def test_one_verb_serves_several_amounts(text: str, value: float) -> None:
    assert value in values(text, "money")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("The auction raised £500 last year and this year £620.", 1120),
        ("The stall raised £500 and we spent £620.", 1120),
        ("If tickets earned €400 and drinks €150, we could go on.", 550),
    ],
)
def test_amounts_under_verbs_of_their_own_are_not_added(text: str, value: float) -> None:
    assert value not in values(text, "money")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("The Mudcats won 19-8 to finish the season.", 27),
        ("In the village 820 people live. 20 of the papers were blank on the back.", 800),
        ("Turnout was a disgrace. 900 stayed away and 20 papers were spoiled.", 880),
    ],
)
def test_scores_and_other_papers_are_not_counted(text: str, value: float) -> None:
    assert value not in values(text)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("The kiln makes 2,500 tons per day. It ran at 80 percent of that rate in May.", 2000),
        ("The chain is 16 grams at ₹6,250 a gram, making charges 8 percent on the value.", 8000),
    ],
)
def test_shares_and_gaps_are_of_what_was_told_before(text: str, value: float) -> None:
    assert value in values(text)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("20 bags at £4 each. There is a 10% discount on the total price.", 88),
        ("There are 289 children, against 40 per cent of whom a fine stands.", 249),
        ("We have 19 votes against 12 votes, and 30 chairs.", 18),
    ],
)
def test_other_shares_and_gaps_are_not(text: str, value: float) -> None:
    assert value not in values(text)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Average yield is 26 litres per cow per day. We milk 112 cows.", 2912),
        ("Feed it three times a day for a full week.", 21),
    ],
)
def test_so_much_for_each_meets_how_many_there_are(text: str, value: float) -> None:
    assert value in values(text)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Four ounces of flour to each egg. For the tin I need three bowls.", 12),
        ("Squash is one part to four of water. The tank is 10 litres.", 40),
        ("Three parts base to one part thinner. We bought two gallons of thinner.", 0.5),
    ],
)
def test_so_much_for_each_meets_nothing_else(text: str, value: float) -> None:
    assert value not in values(text)
