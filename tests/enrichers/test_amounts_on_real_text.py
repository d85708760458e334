"""What looks like an amount, or like a relation of two, on the pages that people write."""

from __future__ import annotations

import pytest

from derived import derived


@pytest.mark.parametrize(
    "text",
    [
        # one end of a range is not what is told of the thing
        "Bamboo needs 4 to 6 gallons 3 times a week.",
        "Lessons cost $30-$45 and materials cost $5-$9.",
        "Take 200-400 mg twice a day.",
        "Stay two or three nights at 80 euros a night.",
        "The journey takes 8 to 10 weeks or months.",
        # numbers of a list are no amounts
        "1. Lay out five planks. 2. Sand them. 3. Paint them.",
        "8. Onions 40 each week. 9. Leeks 12 each day. 10. Beans.",
        # nor are those of tables, rules and teeth
        "Table 14-22 and Rule 3-1.4 apply to votes.",
        "Repaired planks #3, 4, 5, 7 and 9, all in one day.",
        # a pressure of the blood is no share, and none of what follows
        "Blood pressure 142/80, pulse 70. Of the rest, nothing.",
    ],
)
def test_labels_and_ends_of_ranges_are_not_reckoned_with(text: str) -> None:
    assert derived(text) == []


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        # a change from one figure to another is no range
        ("The wall went from 3 to 5 feet.", ("quantity", {"amount": 2, "unit": "foot"})),
        ("Sales rose from 40 to 60 bikes.", ("percent", 50)),
        # a list of which one item has no neighbour is no list
        ("Of the 12 boats 3 sank.", ("number", 9)),
    ],
)
def test_what_is_no_range_and_no_label_is_reckoned_with(
    text: str, fact: tuple[str, object]
) -> None:
    assert fact in derived(text)


@pytest.mark.parametrize(
    "text",
    [
        # others of the kind stand there, too: which one is meant is open
        "Rinse aid 4 mL daily, soda 10 mL daily, bleach 50 mL once, oil 25 mL in the pan.",
        "In the box were 12 hinges, 30 bolts, 9 clips, 40 nails, and 3 were bent.",
        # two lengths that nothing relates
        "The pier is 90 m off the road. The bench stands 4 m from the kiosk.",
        # averages are not added up
        "The mean height is 176 cm for men and 163 cm for women.",
        "The median pay is $41,000 for bakers and $39,000 for cooks.",
        # these pounds are weights, and 41C is no price
        "The newborn weighed 7 pounds 4 ounces, pulse 140, length 51.",
        "The pump gives 3.5 kW at 41C, says the leaflet.",
        # CAD is no Canadian money here, nor is INR Indian
        "History of CAD. Pressure is 118 and 40% of the vessel is narrow.",
        "On warfarin, INR 2.4, then INR 3.1 in total.",
    ],
)
def test_figures_that_only_stand_near_each_other_give_nothing(text: str) -> None:
    assert derived(text) == []


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("We had 40 hinges. Of the hinges 10 were bent.", ("number", 30)),
        (
            "The tin is 3 pounds, and six tins came to me.",
            ("money", {"amount": 18, "currency": "GBP"}),
        ),
    ],
)
def test_what_is_told_of_one_kind_is_reckoned_with(text: str, fact: tuple[str, object]) -> None:
    assert fact in derived(text)


@pytest.mark.parametrize(
    "text",
    [
        # sides of a thing whose area nobody asks for, and a screw
        "The scar is a 3 x 4 cm mark.",
        "A 3.5 x 14 mm screw went in first.",
        "We drilled two 5 mm holes.",
        # a 15-blade, a 6-French tube and a leave of absence
        "He took a 15-blade, then lost a 5-French tube.",
        # one of each is told, and no two
        "Marriage here is between one man and one woman.",
        "They sell 5 day and 10 day passes.",
        # so much for each kilogram of the patient
        "The dog got 30 mg, that is 2 mg per kg.",
        # the drug is weighed, the liquid is not
        "We injected 10 mL of 0.5% lidocaine.",
        # base pairs are told as pairs
        "The loop has four base pairs.",
        # a formula, and coins
        "The margin is net income ÷ sales = $40 ÷ $800.",
        "The banknotes are €5 and €10 and €20.",
        # the best and the worst paid are not one against the other
        "The lowest tenth earn $20,000, the top tenth $90,000.",
        # a share of another whole
        "The nets killed 600 seals. A third of all gulls are ill.",
        # a page of a book and a table of it
        "See Figure 12-18 and Table 4-6.",
        # the count of views stands by itself
        "Essay of 700 words. Views. 300.",
    ],
)
def test_sides_parts_and_lists_are_not_reckoned_with(text: str) -> None:
    assert derived(text) == []


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("A lawn of 3 m by 4 m.", ("quantity", {"amount": 12, "unit": "m2"})),
        ("Six planks of 40 cm each.", ("quantity", {"amount": 240, "unit": "cm"})),
        ("There were 15 tins. We lost 5 tins.", ("number", 10)),
        (
            "The tea was $5 and the cake $3, all on my bill.",
            ("money", {"amount": 8, "currency": "USD"}),
        ),
    ],
)
def test_what_is_asked_for_is_reckoned_out(text: str, fact: tuple[str, object]) -> None:
    assert fact in derived(text)


@pytest.mark.parametrize(
    "text",
    [
        # thread of size 4-0 is no score, and 10-to-20 is no vote
        "The skin was closed by a vote of care with 4-0 silk sutures.",
        # a weight by the words around, though money is told elsewhere
        "He pays the bill. The child is 4 feet 2 inches and 60 pounds.",
        # an error and a test count nothing
        "It was a gross error. She has a score on the test.",
        # numbers on the faces of a die are not added up
        "The faces are numbered 1, 2, 3 and 4, and the sum is odd.",
        # a spread is taken off nothing
        "The calf weighs 80 kg plus or minus 5 kg.",
        # the rest is told
        "About 30% are farmers. The remaining 20% fish.",
        # one lies on the left
        "Mass of the kidneys: right 150 grams, left 140 grams.",
        # a step of a schedule
        "From 10 to 11: the crane lifts.",
        "The nerves from third to ninth were blocked.",
        "Four friends have one chance. A friend has one chance.",
    ],
)
def test_notes_of_specialists_are_not_reckoned_with(text: str) -> None:
    assert derived(text) == []


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("She moved from third to ninth place of 12.", ("number", 6)),
        ("A gross of nails is in the box.", ("number", 144)),
        ("80% came by bus, the rest on foot.", ("percent", 20)),
        (
            "The pole of 5 feet 4 inches was 2 inches shorter than mine.",
            ("quantity", {"amount": 66, "unit": "inch"}),
        ),
    ],
)
def test_what_looks_like_such_notes_is_reckoned_with(text: str, fact: tuple[str, object]) -> None:
    assert fact in derived(text)


@pytest.mark.parametrize(
    "text",
    [
        "Move 3 -> 8, then 4 -> 6, and the game is won.",
        "Written by a baker with 210 answers and 5,400 answer views.",
        "Anti-70 bodies were found; 20% had none.",
        "Films in 720p use less than those in 1080p.",
        "Welders earn $40,000 a year. Employment will grow by 10%.",
        "There are 3 bowls. The number in the bowl is 4.",
    ],
)
def test_codes_moves_and_forecasts_are_not_reckoned_with(text: str) -> None:
    assert derived(text) == []


def test_a_hyphen_may_stand_in_a_mixed_number() -> None:
    # 2 1/2 x 4
    assert ("quantity", {"amount": 10, "unit": "kg"}) in derived("Four bags of 2-1/2 kg each.")
