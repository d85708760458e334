"""Prices, days and hours in words; frames."""

import random
import re
from datetime import date

import pytest

from leadline.kinds.implicit_facts import wording
from leadline.kinds.implicit_facts.pools import _word_lists, fill
from tables import each_row

MONDAY = date(2024, 3, 4)


def ways(write, *arguments) -> set[str]:
    return {write(*arguments, random.Random(seed)) for seed in range(200)}


@pytest.mark.parametrize("amount", [50, 90, 200, 850, 1000, 1450, 2000, 2020, 3050])
def test_every_way_to_write_a_price_is_found_as_a_leak(amount: int) -> None:
    spoken = wording.in_words(amount)
    for written in (f"${amount:,}", f"${amount}", f"{amount:,} dollars", f"{spoken} dollars"):
        assert re.search(wording.price_pattern(amount), f"It costs {written}, I think.")
        assert re.search(wording.price_pattern(amount), f"{written.capitalize()} it was.")


@each_row
def test_a_part_of_another_number_is_no_leak(amount: int, text: str) -> None:
    assert not re.search(wording.price_pattern(amount), text)


_COUNTS = {wording.in_words(n): n for n in range(28)} | {str(n): n for n in range(28)}
_FIXED = {
    "today": 0, "yesterday": -1, "tomorrow": 1, "the day before yesterday": -2,
    "the day after tomorrow": 2, "a week ago": -7, "exactly a week ago": -7,
    "a week from today": 7, "in exactly a week": 7, "a fortnight ago": -14,
    "a fortnight from today": 14, "a week ago yesterday": -8, "a week from tomorrow": 8,
}  # fmt: skip
_COUNTED = {
    r"(\S+) days (?:ago|back)": -1, r"in (\S+) days(?:' time)?": 1, r"(\S+) days from now": 1,
    r"(\S+) weeks ago": -7, r"in exactly (\S+) weeks": 7,
}  # fmt: skip


def resolved(written: str, anchor: date) -> int:
    """Return the days from the anchor that an expression stands for, reckoned anew."""
    if written in _FIXED:
        return _FIXED[written]
    for pattern, sign in _COUNTED.items():
        if match := re.fullmatch(pattern, written):
            return sign * _COUNTS[match[1]]
    match = re.fullmatch(r"on (\w+) of (last|next) week", written)
    assert match, written
    names = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
    return names.index(match[1]) - anchor.weekday() + (-7 if match[2] == "last" else 7)


@pytest.mark.parametrize("days", range(-27, 28))
def test_every_wording_of_a_day_stands_for_it(days: int) -> None:
    for weekday in range(7):
        anchor = MONDAY.replace(day=4 + weekday)
        for written in ways(wording.relative_day, days, anchor):
            assert resolved(written, anchor) == days, written


def test_hours_never_name_an_hour_inside() -> None:
    for start in range(7, 18):
        for end in range(start + 2, min(start + 4, 19) + 1):
            for written in ways(wording.hours, start, end):
                for inside in range(start + 1, end):
                    word = wording._hour_word(inside)
                    assert not re.search(
                        rf"\b(?:at|to|from|until|and) {word} (?!hours)", f"{written} "
                    ), written


def test_a_frame_is_filled_and_begins_with_a_capital() -> None:
    slots = {"price": "ten dollars", "hours": "to 3 p.m."}
    assert fill("{price}, <please>!", slots, random.Random(0)) == "Ten dollars, please!"
    assert fill("From noon {hours}.", slots, random.Random(0)) == "From noon to 3 p.m."


def test_every_sentence_of_a_reply_is_one_sentence() -> None:
    for section, lines in _word_lists()["forum_replies"].items():
        for line in lines.splitlines():
            if not section.startswith("ask"):
                assert line[-1] in ".!?", line
                assert not re.search(r"[.!?]\s", line), line
