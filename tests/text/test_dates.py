"""Dates are looked for where one can begin."""

from __future__ import annotations

import pytest

from leadline.text.dates import find_dates


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("On July 5, 1915 it rained.", ["July 5, 1915"]),
        ("5th of May 2001 and Sept. 3", ["5th of May 2001", "Sept. 3"]),
        ("by 12/31/1999, (1998) or the 1960s", ["12/31/1999", "1998", "1960s"]),
        (
            "2020-01-31 at 9:30 p.m. on Friday in June",
            ["2020-01-31", "9:30 p.m.", "Friday", "June"],
        ),
        ("1914-18 was a decay of 1914 cells", ["1914-18"]),  # 1,914 cells are counted
        ("He may march on; mondayish L1999", []),
    ],
)
def test_dates_are_found_as_written(text: str, expected: list[str]) -> None:
    assert [each.text for each in find_dates(text, 0, len(text))] == expected
