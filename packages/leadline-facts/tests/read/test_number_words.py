from fractions import Fraction

import pytest

from leadline_facts.read.number_words import find_numerals, read_number


def values(text: str) -> list[tuple[Fraction, str]]:
    return [(numeral.value, text[numeral.start : numeral.end]) for numeral in find_numerals(text)]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("seven hundred and eighty", 780),
        ("thirteen hundred and twenty", 1320),
        ("two thousand two hundred and eighty", 2280),
        ("one hundred thousand", 100_000),
        ("a hundred and twenty", 120),
        ("twenty-five", 25),
        ("two and a half", Fraction(5, 2)),
        ("two and three quarters", Fraction(11, 4)),
        ("three-eighths", Fraction(3, 8)),
        ("a third", Fraction(1, 3)),
        ("half a million", 500_000),
        ("two and a half million", 2_500_000),
        ("two dozen", 24),
        ("half a dozen", 6),
        ("baker's dozen", 13),
        ("A gross", 144),
        ("1,450", 1450),
        ("1.2 million", 1_200_000),
        ("4.2k", 4200),
        ("2½", Fraction(5, 2)),
        ("2 1/2", Fraction(5, 2)),
        ("3/4", Fraction(3, 4)),
    ],
)
def test_a_number_is_read_from_digits_and_words(text: str, value: Fraction) -> None:
    assert read_number(text) == value


def test_an_ordinal_is_no_number() -> None:
    assert values("a second chance for the third-rate fifth wheel") == []


def test_offsets_hold_where_lower_case_is_longer() -> None:
    assert values("İ İ İ seven") == [(7, "seven")]
