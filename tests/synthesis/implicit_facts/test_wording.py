"""Prices, ratios, days and hours in words; frames."""

from __future__ import annotations

import random
import re
from datetime import date
from fractions import Fraction

import pytest

from leadline.synthesis.implicit_facts import amounts, moments
from leadline.synthesis.implicit_facts.frames import (
    Deck,
    fill,
    frames_of,
    joined,
    sections,
    with_article,
)

MONDAY = date(2024, 3, 4)


def ways(write, *arguments) -> set[str]:
    return {write(*arguments, random.Random(seed)) for seed in range(200)}


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (0, "zero"), (15, "fifteen"), (42, "forty-two"), (100, "one hundred"),
        (101, "one hundred and one"), (1450, "one thousand four hundred and fifty"),
        (2020, "two thousand and twenty"), (3000, "three thousand"),
    ],
)  # fmt: skip
def test_numbers_in_words(number: int, words: str) -> None:
    assert amounts.in_words(number) == words


def test_a_price_is_written_in_figures_and_in_words() -> None:
    assert ways(amounts.price, 1450) == {
        "$1,450", "$1450", "1,450 dollars", "1450 dollars", "fourteen hundred and fifty dollars",
        "one thousand four hundred and fifty dollars",
    }  # fmt: skip
    assert "twenty hundred and fifty dollars" not in ways(amounts.price, 2050)


@pytest.mark.parametrize("amount", [50, 90, 200, 850, 1000, 1450, 2000, 2020, 3050])
def test_every_way_to_write_a_price_is_found_as_a_leak(amount: int) -> None:
    for written in ways(amounts.price, amount):
        assert re.search(amounts.price_pattern(amount), f"It costs {written}, I think.")
        assert re.search(amounts.price_pattern(amount), f"{written.capitalize()} it was.")


@pytest.mark.parametrize(
    ("amount", "text"),
    [
        (50, "one hundred and fifty dollars"), (50, "fifty percent more"), (50, "50% more"),
        (200, "two hundred and ten dollars"), (450, "$1,450"), (145, "1450 dollars"),
        (1000, "one thousand and ten"), (200, "twelve hundred"), (50, "$50.50"),
        (300, "twenty-three hundred and ten"), (70, "1.70 times"),
    ],
)  # fmt: skip
def test_a_part_of_another_number_is_no_leak(amount: int, text: str) -> None:
    assert not re.search(amounts.price_pattern(amount), text)


def test_ratios_in_words() -> None:
    assert ways(amounts.times, Fraction(5, 2)) == {"2.5 times", "two and a half times"}
    assert ways(amounts.times, Fraction(2)) == {"twice", "two times", "2 times"}
    assert ways(amounts.times, Fraction(34, 25)) == {"1.36 times"}
    assert "one and three quarters times" in ways(amounts.times, Fraction(7, 4))
    assert ways(amounts.percent, Fraction(1, 5)) == {"20 percent", "20%", "twenty percent"}


def test_days_in_words_name_the_right_distance() -> None:
    # 4 March 2024 is a Monday; five days before is Wednesday of last week.
    assert ways(moments.relative_day, -5, MONDAY) == {
        "five days ago", "5 days ago", "five days back", "5 days back", "on Wednesday of last week",
    }  # fmt: skip
    assert ways(moments.relative_day, 1, MONDAY) == {"tomorrow"}
    assert "the day after tomorrow" in ways(moments.relative_day, 2, MONDAY)
    assert "on Monday of next week" in ways(moments.relative_day, 7, MONDAY)
    assert "a fortnight ago" in ways(moments.relative_day, -14, MONDAY)
    assert "a week ago yesterday" in ways(moments.relative_day, -8, MONDAY)


def test_a_weekday_is_not_named_in_the_week_of_the_message() -> None:
    # From Saturday 9 March, three days back is Wednesday of the same week.
    assert not any("week" in each for each in ways(moments.relative_day, -3, date(2024, 3, 9)))


def test_several_days_are_a_run_or_a_list() -> None:
    runs = ways(moments.repeated_days, [-9, -8, -7], MONDAY)
    assert all(re.search("in a row|running|consecutive|successive", each) for each in runs)
    assert all("three" in each for each in runs)
    lists = ways(moments.repeated_days, [-9, -6, -2], MONDAY)
    assert "nine, six and two days ago" in lists
    assert any(re.search(r"then three days after that and once more four", each) for each in lists)


def test_hours_never_name_an_hour_inside() -> None:
    for start in range(7, 18):
        for end in range(start + 2, min(start + 4, 19) + 1):
            for written in ways(moments.hours, start, end):
                for inside in range(start + 1, end):
                    word = moments._hour_word(inside)
                    assert not re.search(
                        rf"\b(?:at|to|from|until|and) {word} (?!hours)", f"{written} "
                    ), written


def test_noon_has_no_half_of_the_day() -> None:
    assert not any("12 " in each for each in ways(moments.hours, 12, 14))


@pytest.mark.parametrize(
    "text", ["2021-04-26", "2021-4-26", "April 26", "26 April 2021", "the 26th of April",
             "Apr. 26", "4/26", "26.4.21"],
)  # fmt: skip
def test_every_way_to_write_a_date_is_found_as_a_leak(text: str) -> None:
    assert re.search(moments.date_pattern(date(2021, 4, 26)), f"It was {text} or so.")


def test_another_date_is_no_leak() -> None:
    pattern = moments.date_pattern(date(2021, 4, 2))
    assert not re.search(pattern, "April 26, 2021-04-26, 26 April, 14/26")


def test_a_frame_is_filled_and_begins_with_a_capital() -> None:
    slots = {"price": "ten dollars", "hours": "to 3 p.m."}
    assert fill("{price}, <please>!", slots, random.Random(0)) == "Ten dollars, please!"
    assert fill("From noon {hours}.", slots, random.Random(0)) == "From noon to 3 p.m."


def test_two_sentences_become_one() -> None:
    assert joined("The A costs 10.", "The B is dear.", "and") == (
        "The A costs 10, and the B is dear."
    )


@pytest.mark.parametrize(
    ("noun", "with_a"),
    [("oboe", "an oboe"), ("ukulele", "a ukulele"), ("upright bass", "an upright bass"),
     ("e-reader", "an e-reader"), ("tent", "a tent")],
)  # fmt: skip
def test_articles(noun: str, with_a: str) -> None:
    assert with_article(noun) == with_a


def test_a_deck_repeats_nothing_before_all_was_drawn() -> None:
    deck = Deck("abcde", random.Random(0))
    assert sorted(deck.hand(5)) == sorted(deck.hand(5)) == list("abcde")


def test_there_are_several_hundred_frames_and_no_two_alike() -> None:
    names = ["small_talk", "money_statements", "chat_purchases", "chat_schedules", "chat_visits",
             "forum_replies"]  # fmt: skip
    frames = list(frames_of(*(f"{name}.txt" for name in names)))
    assert len(frames) > 500
    assert len(set(frames)) == len(frames)


def test_every_sentence_of_a_reply_is_one_sentence() -> None:
    for section, lines in sections("forum_replies.txt").items():
        for line in lines:
            if not section.startswith("ask"):
                assert line[-1] in ".!?", line
                assert not re.search(r"[.!?]\s", line), line


def test_choices_and_slots_are_closed() -> None:
    names = ["small_talk", "money_statements", "chat_purchases", "chat_schedules", "chat_visits",
             "forum_replies", "questions"]  # fmt: skip
    for _, frame in frames_of(*(f"{name}.txt" for name in names)):
        assert not re.search(r"[<>{}]", re.sub(r"<[^<>{}]*>|\{\w+\}", "", frame)), frame
