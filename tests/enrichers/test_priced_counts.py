from __future__ import annotations

import pytest

from derived import values


@pytest.mark.parametrize(
    ("text", "amount"),
    [
        ("We need 12 chairs at £45 each.", 12 * 45),
        ("Tickets are $18 apiece and there are five of us going.", 5 * 18),
        ("Eggs: 3 trays @ ₹210 a tray", 3 * 210),
        ("The lawyer charges $300 an hour; it took her six and a half hours.", 300 * 6.5),
        ("We owe four months' rent at £825 per calendar month.", 4 * 825),
        ("I buy two coffees a day at $4.50.", 2 * 4.5),
        ("I buy two coffees a day at $4.50 each, five days a week.", 2 * 4.5 * 5),
        ("The fridge eats 2 kWh a day. I pay 30p per kWh. Call the month 30 days.", 2 * 0.3 * 30),
        ("The tax is €2.50 per person per night. Two of us, three nights.", 2.5 * 2 * 3),
        ("Each of the 14 members paid $20.", 14 * 20),
        ("Each member of the seven-strong team got a $500 bonus.", 7 * 500),
        ("Diesel is €1.20 a litre and I put in 35 litres.", 1.2 * 35),
        ("It was a dozen roses at $3 a stem.", 12 * 3),
        ("The fare is $2.75 each way and I go in five days a week.", 2.75 * 2 * 5),
        ("The builder charges ₹1,200 per square foot and the flat is 850 sq ft.", 1200 * 850),
        ("Leased at $620 a week with 52 weeks guaranteed.", 620 * 52),
        ("She got three £5 vouchers.", 3 * 5),
        ("Day passes are £8. There are six of us.", 8 * 6),
        ("My hourly rate is £15 and I did 6 hours.", 15 * 6),
        ("He earns £12 an hour, 37.5 hours a week.", 12 * 37.5),
        ("Subscription: £9 a month. That's for a year.", 9 * 12),
        ("Parking is £3 per hour and we stayed 90 minutes.", 3 * 1.5),
        ("The nuts cost €3 per 100 g and I took 250 g.", 3 * 2.5),
        ("Entry £4 per head. Nine of us, but two of us get in free.", 4 * (9 - 2)),
        ("The choir booked 20 seats but cancelled 3. They are €15 a seat.", (20 - 3) * 15),
        ("The hire is 85 pounds an hour with the first hour free. We took four hours.", 85 * 3),
        ("The B&B wants £70 a room, and we need three rooms for four nights.", 70 * 3 * 4),
        ("Wages: 5 staff, £11 an hour, 8 hours each.", 5 * 11 * 8),
        ("Childcare is £55 a day, three days a week.", 55 * 3),
        ("The meal was 48 euros each, drinks included, for a table of five.", 48 * 5),
        ("36 payments of £89.", 36 * 89),
    ],
)
def test_a_price_of_one_is_multiplied_by_how_many_there_are(text: str, amount: float) -> None:
    assert amount in values(text, "money")


@pytest.mark.parametrize(
    "text",
    [
        "It cost £40 a week ago.",
        "The scarf was £30, a bit much for the 2 of us.",
        "Gran gave us £50.",
        "If tickets were £5 each the six of us would go.",
    ],
)
def test_a_price_that_is_not_of_one_is_not_multiplied(text: str) -> None:
    assert values(text, "money") == []


def test_a_product_for_some_of_its_units_only_is_left_out() -> None:
    text = "It is €2 per person per night. Four of us, three nights."
    assert 2 * 4 not in values(text, "money")
