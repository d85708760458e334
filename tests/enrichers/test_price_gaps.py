from __future__ import annotations

import pytest

from derived import values


@pytest.mark.parametrize(
    ("text", "amount"),
    [
        ("My electricity bill was $180 in July and $126 in August.", 180 - 126),
        ("My phone plan is $35/month; the cheaper one is $28/month.", 35 - 28),
        ("Monthly: €30. Yearly plan: €299.", 30 * 12 - 299),
        ("A return is £24, but two singles are £9.50 each.", 24 - 2 * 9.5),
        ("Set lunch: two courses £28, three courses £34.", 34 - 28),
        ("His bid of $1,200 beat mine by $50.", 1200 - 50),
        ("Only £6 of the £20 voucher has been used.", 20 - 6),
        ("The tax on the $340 fare was $51.", 340 + 51),
        ("The garage wanted $900; the second one quoted $640.", 900 - 640),
    ],
)
def test_prices_side_by_side_differ_by_so_much(text: str, amount: float) -> None:
    assert amount in values(text, "money")


@pytest.mark.parametrize(
    ("text", "amount"),
    [
        ("A crate of 24 bottles costs €14.40.", 0.6),
        ("It's buy two, get one free; each bottle is $9 and I took three.", 18),
        ("Season ticket £1,040 a year. That works out per week?", 20),
    ],
)
def test_a_tariff_or_an_offer_is_applied(text: str, amount: float) -> None:
    assert amount in values(text, "money")


@pytest.mark.parametrize(
    ("text", "amount"),
    [
        # 1,200,000 x 0.03 x 4
        (
            "The sum lent was ¥1,200,000 at simple interest of 3 per cent a year for four years.",
            144_000,
        ),
        ("€1,000 at 2% for a year.", 1020),
        ("We borrowed $600 at 10% interest, for six months.", 30),
        ("An inheritance of £84,000 went to four grandchildren in equal shares.", 21_000),
        ("The syndicate, a team of eleven, shared £4,400 equally.", 400),
    ],
)
def test_interest_and_equal_shares_are_worked_out(text: str, amount: float) -> None:
    assert amount in values(text, "money")


def test_compound_interest_is_left_out() -> None:
    assert values("The $500 earns 4% a year, compounded monthly, for three years.", "money") == []


@pytest.mark.parametrize(
    ("text", "amount"),
    [
        ("I borrowed 15,000 naira from you\nI sent 6k and then 6k again", 15_000 - 12_000),
        ("Kurta 1,200 rupees, dupatta 450, and tailoring 350. Cash only.", 2000),
        ("Down payment of 15 lakh on a flat of 75 lakh rupees.", 6_000_000),
        ("We earn 2,500 euros and the rent is 1,050.", 1450),
    ],
)
def test_a_number_is_money_where_the_text_has_one_currency(text: str, amount: float) -> None:
    assert amount in values(text, "money")


@pytest.mark.parametrize(
    "text",
    [
        "Take bus 42, it costs £2.",
        "She paid for 3 of us and it was £30 or so.",
        "Room 12 has a view and costs £80.",
    ],
)
def test_a_number_that_counts_is_no_money(text: str) -> None:
    assert values(text, "money") == []


def test_what_is_spent_is_told_as_a_share_too() -> None:
    # 150,000 of 600,000
    text = "Turnover was £600,000, of which exports brought in £150,000."
    assert values(text, "percent") == [25]


@pytest.mark.parametrize(
    ("text", "amount"),
    [
        ("The committee has £1,300. It needs £2,000 by June.", 2000 - 1300),
        ("Ola owes me 340 kronor for the tickets; he has paid 200.", 340 - 200),
        ("Shoes: £65 → £52.", 65 - 52),
        ("Each ticket raises 60p for charity and 2,500 were sold.", 0.6 * 2500),
        ("I used £12 of credit and have £18 remaining.", 12 + 18),
    ],
)
def test_money_told_in_passing_is_followed(text: str, amount: float) -> None:
    assert amount in values(text, "money")


def test_packs_of_two_sizes_are_not_compared() -> None:
    assert 36 - 11 not in values("5 kg of seed is €11, but the 20 kg sack is €36.", "money")
