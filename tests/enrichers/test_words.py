"""Tables of words and patterns."""

from __future__ import annotations

import re
from importlib import resources

import pytest

from leadline.enrichers import words
from leadline.enrichers.words import patterns

TABLES = sorted(
    each.name.removesuffix(".txt")
    for each in (resources.files(words) / "patterns").iterdir()
    if each.name.endswith(".txt")
)


def test_lines_of_an_entry_are_alternatives_and_a_group_may_take_several() -> None:
    habit = patterns("weekday_names")["habit"]
    assert habit.startswith(r"\b(?:every|each|any|") and habit.endswith(r")\s$")
    assert re.search(habit, "most ") and not re.search(habit, "on ")


def test_a_name_in_braces_stands_for_an_earlier_entry_or_for_what_is_given() -> None:
    found = patterns("tenses", irregular="was", adverb="")
    assert found["to_time"] in found["ahead"]
    assert "{to_time}" not in found["ahead"]


@pytest.mark.parametrize("name", TABLES)
def test_no_line_of_a_table_is_longer_than_a_line_of_code(name: str) -> None:
    text = (resources.files(words) / "patterns" / f"{name}.txt").read_text("utf-8")
    assert max(map(len, text.splitlines())) <= 100
