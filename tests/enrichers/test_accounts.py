from __future__ import annotations

import pytest

from derived import values


@pytest.mark.parametrize(
    ("text", "amount"),
    [
        # what is bought together
        ("Lunch was £12, the taxi £8 and the museum £15. I paid for everything.", 12 + 8 + 15),
        ("The band cost £400, the hall £150 and the food £275. Total please?", 400 + 150 + 275),
        ("Two large pizzas, $17 each, and a $6 salad.", 2 * 17 + 6),
        ("We bought 2 kg of prawns at €18 a kilo and a bottle for €9.", 2 * 18 + 9),
        ("Tickets: adults €14, children €8. We were two adults and three kids.", 2 * 14 + 3 * 8),
        # fees, deposits, vouchers
        ("The lamp cost £40 plus £5 delivery.", 40 + 5),
        ("It's $5 plus $2 a mile, and we went 7 miles.", 5 + 2 * 7),
        ("Oak table, £320. I knocked £20 off because of the scratch.", 320 - 20),
        ("The car was advertised at £7,500 but I beat him down by £600.", 7500 - 600),
        ("Tickets are £30 each for the four of us, less a £20 voucher.", 30 * 4 - 20),
        ("Four months' rent at £825 a month, less £300 on account, is unpaid.", 4 * 825 - 300),
        ("I put down £200 on the sofa, which costs £950.", 950 - 200),
        ("He paid a deposit of €150 towards the €600 fee.", 600 - 150),
        ("£100 deposit, then 36 payments of £89.", 100 + 36 * 89),
        # change, debts, balances, goals, sales
        ("My bill was £17.40 and I gave the cashier a £20 note.", 2.6),
        ("I borrowed 15,000 naira. I sent 6,000 naira and then 6,000 naira again.", 3000),
        ("He owes me £80 and paid back £25 on Friday.", 80 - 25),
        (
            "The fund stood at ₹9 lakh. Repairs took ₹2 lakh, and interest of ₹5,000 was credited.",
            705_000,
        ),
        ("I had £200 in my purse, spent £45 on shoes and £30 on food.", 200 - 45 - 30),
        ("She started with $50 and has $12 left.", 50 - 12),
        ("I earn £2,150 a month after tax and my rent is £860.", 2150 - 860),
        ("The stall took £420. After £90 for the pitch and £130 for stock we were happy.", 200),
        ("We need £5,000 for the roof. So far we have raised £3,200.", 5000 - 3200),
        ("They have collected $1,200 towards a $2,000 goal.", 2000 - 1200),
        ("The raffle made £312, of which £75 went on prizes.", 312 - 75),
        ("We bought the boat for £4,000 and sold it for £5,500.", 5500 - 4000),
        ("Sold 15 jars of jam at £3.50. The jars and sugar cost me £18.", 15 * 3.5 - 18),
        # percentages and fractions
        ("Hammer £1,400. Buyer's premium of 25% (VAT included), nothing further.", 1400 * 1.25),
        ("Kids' shoes were £40, now 15% off.", 34),
        ("The price of the bike, $450, has been cut by a third.", 300),
        ("The sofa is £900. A 10% deposit secures it.", 90),
        ("The appeal stands at two fifths. The roof will need £75,000.", 45_000),
        ("The grant was £12,000. 60% has been spent.", 4800),
        ("Rent is £2,000 a month. She pays 40% of it.", 800),
        ("The toaster was $40. I had a $10 coupon and paid 5% sales tax on the rest.", 31.5),
        ("I spent half my £60 on a game and a third of it on sweets.", 20),
    ],
)
def test_an_account_is_kept(text: str, amount: float) -> None:
    assert amount in values(text, "money")


@pytest.mark.parametrize(
    "text",
    [
        "It cost £40, not £50.",
        "The jacket costs £80 or £95 with the hood.",
        "Either the £30 one or the £45 one, not both.",
        "He didn't pay the £50 fine.",
        "They wanted £500 for it but I said no.",
        "Somewhere between £200 and £300, I forget.",
        "If I had £1,000 I'd give you half.",
        "It is twenty per cent wool.",
    ],
)
def test_what_is_no_account_gives_nothing(text: str) -> None:
    assert values(text, "money") == []


def test_what_lacks_to_a_goal_is_told_in_per_cent_too() -> None:
    # 100 - 65
    assert values("Goal €20,000, and you have pledged 65% of it!", "percent") == [35]


@pytest.mark.parametrize(
    "text",
    [
        "I'd pay £500 for a weekend off, twice that with the in-laws gone.",
        "Had we sold at $30 a share we would have made a fortune on our 200.",
        "Prices from £9.99 to £49.99.",
        "Not one of the five $20 tickets was sold.",
        "They never did charge us the £15 for each of the four bags.",
        "She turned down £1,000 for it. And £1,200. And then £1,500.",
        "Should the rent ever go up by 10% from £800 we'd move.",
        "Nobody got the €100 bonus for the 3 shifts.",
        "Allegedly he was paid £5 a word for 800 words.",
        "Up to 70% off! Was £100s, now pounds!",
    ],
)
def test_what_did_not_happen_is_not_booked(text: str) -> None:
    assert values(text, "money") == []
