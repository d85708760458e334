"""Years and months counted from other years, and years named by what happened in them."""

from __future__ import annotations

import pytest

from derived import times


@pytest.mark.parametrize(
    ("text", "year"),
    [
        ("The flood of 1953 came a decade after the first wall was built.", "1943"),
        ("He left in 1976. The year before, he had bought the mill.", "1975"),
        ("She won in 1988 and again the following year.", "1989"),
    ],
)
def test_a_year_is_counted_from_another(text: str, year: str) -> None:
    assert year in times(text, "year")


@pytest.mark.parametrize(
    "text",
    [
        "We watched a film about the Titanic.",
        "Woodstock is a small town near Oxford.",
        "It took two years before anyone noticed.",
        "The year before, as everyone knows, was worse.",
    ],
)
def test_no_year_without_one_to_count_from(text: str) -> None:
    assert times(text, "year") == []
