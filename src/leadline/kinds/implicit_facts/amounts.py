"""Prices and ratios of prices in words and figures."""

from __future__ import annotations

import random
import re
from fractions import Fraction

_ONES = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
    "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen",
    "nineteen",
)  # fmt: skip
_TENS = ("", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_NUMBER_WORD = "|".join([*_ONES, *_TENS[2:], "hundred", "thousand"])
_QUARTERS = {1: "a quarter", 2: "a half", 3: "three quarters"}


def in_words(number: int) -> str:
    """Return a number from 0 to 999,999 in words: "one thousand four hundred and fifty"."""
    if number < 20:
        return _ONES[number]
    if number < 100:
        return _TENS[number // 10] + (f"-{_ONES[number % 10]}" if number % 10 else "")
    size, name = (1000, "thousand") if number >= 1000 else (100, "hundred")
    head, rest = divmod(number, size)
    link = " and " if 0 < rest < 100 else " "
    return f"{in_words(head)} {name}" + (link + in_words(rest) if rest else "")


def in_hundreds(number: int) -> str:
    """Return a number in words counted in hundreds: "fourteen hundred and fifty"."""
    head, rest = divmod(number, 100)
    return f"{in_words(head)} hundred" + (f" and {in_words(rest)}" if rest else "")


def price(amount: int, rng: random.Random) -> str:
    """Return a price in dollars, written in one of the usual ways."""
    spoken = in_words(amount)
    if 1100 <= amount < 10_000 and amount % 1000 >= 100 and rng.random() < 0.5:
        spoken = in_hundreds(amount)
    return rng.choice(
        [f"${amount:,}", f"${amount}", f"{amount:,} dollars", f"{amount} dollars",
         f"{spoken} dollars"]
    )  # fmt: skip


def price_pattern(amount: int) -> str:
    """Return a pattern for every way to write the amount, but not as a part of another number."""
    digits = f"{amount // 1000},?{amount % 1000:03d}" if amount >= 1000 else str(amount)
    figures = rf"(?<![\d.,]){digits}(?![\d%]|[.,]\d|\s*(?:percent|times)\b)"
    spoken = {in_words(amount), in_hundreds(amount)} if amount >= 1000 else {in_words(amount)}
    alone = "|".join(re.escape(each) for each in sorted(spoken))
    word = (
        rf"(?<![\w-])(?<!hundred )(?<!thousand )(?<!hundred and )(?<!thousand and )(?:{alone})"
        rf"(?![\w-]|\s+(?:and\s+)?(?:{_NUMBER_WORD}|percent|times)\b)"
    )
    return rf"{figures}|(?i:{word})"


def times(ratio: Fraction, rng: random.Random) -> str:
    """Return "twice", "two and a half times" or "1.36 times"."""
    figures = f"{_decimal(ratio)} times"
    whole, rest = divmod(ratio * 4, 4)
    if rest.denominator != 1:
        return figures
    if ratio == 2:
        return rng.choice(["twice", "twice", "two times", "2 times"])
    if not rest:
        return rng.choice([figures, f"{in_words(int(whole))} times"])
    spoken = f"{in_words(int(whole))} and {_QUARTERS[int(rest)]} times"
    return rng.choice([figures, spoken, spoken])


def percent(part: Fraction, rng: random.Random) -> str:
    """Return a share of 1 with at most two decimals as "36 percent", "36%" or in words."""
    number = int(part * 100)
    return rng.choice([f"{number} percent", f"{number}%", f"{in_words(number)} percent"])


def _decimal(ratio: Fraction) -> str:
    return f"{float(ratio):.2f}".rstrip("0").rstrip(".")
