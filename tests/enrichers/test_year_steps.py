"""Years and months of terms, of things that are so many years old, and of series."""

from __future__ import annotations

import pytest

from derived import times


@pytest.mark.parametrize(
    ("text", "value"),
    [
        # 2007 and twice four
        ("She was elected in 2007 and served two four-year terms.", "2015"),
        ("After eight years in the drawer the novel came out in 1997.", "1989"),
        ("Twenty years in the making, the map was published in 1869.", "1849"),
        ("The house was already thirty years old in 1910.", "1880"),
        ("By 1975 the firm was fifty years old.", "1925"),
        # 1990, 1994, 1998, 2002
        ("First held in 1990 and every four years since, it came for the fourth time.", "2002"),
        ("The first census was in 1801, one every ten years; the fourth was the best.", "1831"),
        # January, March, May, July
        (
            "It comes every two months; the first issue was January 2021, the fourth is best.",
            "2021-07",
        ),
        ("The shop had been shut for three months when it reopened in June 2021.", "2021-03"),
        ("3 March 2020\nTwo summers ago the well ran dry.", "2018"),
        ("They met in 2003 and got engaged the next year.", "2004"),
    ],
)
def test_a_year_or_month_is_counted(text: str, value: str) -> None:
    assert value in times(text, "year", "month")


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        # a person is that old for parts of two years
        ("He was thirty years old in 1910.", "1880"),
        # opened, not begun, in the year told
        ("It opened in 1931 after two years without rain.", "1933"),
        ("In 2003 they met every year; the fourth man was late.", "2006"),
    ],
)
def test_what_is_not_fixed_is_not_counted(text: str, wrong: str) -> None:
    assert wrong not in times(text, "year", "month")
