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
