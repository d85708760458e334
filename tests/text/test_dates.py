"""Dates are looked for where one can begin."""

from leadline.text.dates import find_dates
from tables import each_row


@each_row
def test_dates_are_found_as_written(text: str, expected: list[str]) -> None:
    assert [each.text for each in find_dates(text, 0, len(text))] == expected
