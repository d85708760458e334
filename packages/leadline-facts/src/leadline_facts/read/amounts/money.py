"""Amounts of money: `$1,450`, `GBP 20`, `two and a half million euros`, `2 zloty 50`, `50p`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from leadline_facts.read.number_words import Numeral, find_numerals
from leadline_facts.words import patterns, rows

UNKNOWN = "XXX"
"""ISO 4217's code for no currency: an amount of money in a text that names none."""


def _table(kind: str) -> dict[str, str]:
    return {written: code for each, written, code in rows("currencies") if each == kind}


_SIGNS = _table("sign")
_ABBREVIATIONS = frozenset(("CAD", "INR", "ALL", "TRY", "COP", "PEN", "MAD", "ARS", "CHF", "PHP"))
"""Codes that stand for other things, too: an artery, a ratio of blood, a failing heart."""
CODES = frozenset(_table("code"))
CURRENCIES = _table("word")
"""Word of a currency, singular -> ISO 4217."""

_NATIONAL = _table("national")
_MINOR = _table("minor")
_P = patterns(
    "money",
    codes="|".join(sorted(CODES)),
    currencies="|".join(sorted(CURRENCIES, key=len, reverse=True)),
)
_BEFORE = re.compile(_P["before"])
_WORDS_BEFORE = _table("before")
_MILLION = re.compile(r" ?(m|b|bn|mn|tn|cr)(?!\w)", re.IGNORECASE)
_MILLIONS = {"m": 10**6, "mn": 10**6, "b": 10**9, "bn": 10**9, "tn": 10**12, "cr": 10**7}
_AFTER = re.compile(_P["after"], re.IGNORECASE)
_WEIGHT = re.compile(_P["weight"])
_NOT_MONEY = re.compile(_P["not_money"], re.IGNORECASE)
_EUROPEAN = re.compile(r"\d{1,3}(?:\.\d{3})+(?:,\d\d)?(?![\d.,]\d)|\d+,\d\d(?![\d,])")
_WORDS = "ollars ucks pounds Pounds quid uros rancs yen loty roner ronor upees esos"
_NAMES = (*_WORDS.split(), " rand", *"$£€₹", *sorted(CODES))
_ONLY = re.compile(_P["only"], re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Money:
    """An amount of money in a text.

    amount      exact, in units of `currency`
    currency    ISO 4217
    start, end  characters of the text, sign and words of the currency among them
    """

    amount: Fraction
    currency: str
    start: int
    end: int


def find_money(text: str, numerals: Sequence[Numeral] | None = None) -> list[Money]:
    """Return the amounts that a text gives a currency for, in order.

    numerals  those of the text, where they are known
    """
    numerals = find_numerals(text) if numerals is None else numerals
    found: list[Money] = []
    for numeral in numerals:
        if found and numeral.start < found[-1].end:
            continue
        money = _before(text, numeral) or _after(text, numeral)
        if money is not None:
            found.append(money)
    return sorted(found, key=_start)


def _start(money: Money) -> int:
    return money.start


def currency_of(text: str, found: Sequence[Money]) -> str:
    """Return the one currency that a text uses, UNKNOWN where it names none or several.

    found  the amounts of the text
    """
    currencies = {money.currency for money in found} - {UNKNOWN}
    if not currencies and any(each in text for each in _NAMES):
        for word, sign, code in _ONLY.findall(text):
            name = word.lower() if word.lower() in CURRENCIES else word.lower().removesuffix("s")
            if code in _ABBREVIATIONS:
                continue
            currencies.add(code.upper() or _SIGNS.get(sign, "") or CURRENCIES.get(name, UNKNOWN))
    return currencies.pop() if len(currencies) == 1 else UNKNOWN


def money_value(amount: Fraction, currency: str) -> dict[str, Any]:
    """Return the canonical value of a fact: two decimals at most, whole amounts as integers."""
    return {"amount": plain(amount, 2), "currency": currency}


def plain(value: Fraction, decimals: int = 6) -> int | float:
    """Return a number for JSON: an integer where it is whole, halves rounded away from zero."""
    scale = 10**decimals
    scaled = abs(value) * scale
    rounded = (2 * scaled.numerator + scaled.denominator) // (2 * scaled.denominator)
    number = Fraction(rounded if value >= 0 else -rounded, scale)
    return int(number) if number.denominator == 1 else float(number)


def _before(text: str, numeral: Numeral) -> Money | None:
    sign = _BEFORE.search(text, max(0, numeral.start - 8), numeral.start)
    if sign is None:
        return None
    amount, end = _european(text, numeral)
    if size := _MILLION.match(text, end):
        amount, end = amount * _MILLIONS[size[1].lower()], size.end()
    currency = _SIGNS.get(sign[1] or "", "") or sign[2]
    if sign[2] == "INR" and numeral.value < 10:
        return None  # the international normalised ratio
    currency = currency or _WORDS_BEFORE[sign[3].rstrip(".")]
    code = re.compile(r" ?([A-Z]{3})\b").match(text, end)
    if code and code[1] in CODES and (sign[1] or "") == "$":
        currency, end = code[1], code.end()
    return Money(amount, currency, sign.start(), end)


def _after(text: str, numeral: Numeral) -> Money | None:
    amount, end = _european(text, numeral)
    match = _AFTER.match(text, end)
    if match is None or (numeral.is_fraction and not match["word"]):
        return None
    if match["minor"]:
        if match["minor"] == "C" or (match["minor"] == "c" and match["gap"]):
            return None
        return Money(
            amount / 100,
            _MINOR[match["minor"].lower().removesuffix("s")] or "USD",
            numeral.start,
            match.end(),
        )
    if match["word"]:
        name = match["word"].lower()
        currency = _NATIONAL.get(f"{(match['nation'] or '').lower()} {name}") or CURRENCIES.get(
            name, UNKNOWN
        )
        if name == "pound" and (
            _WEIGHT.match(text, match.end())
            or _NOT_MONEY.search(text, max(0, numeral.start - 40), numeral.start)
        ):
            return None
        amount *= _MILLIONS.get((match["millions"] or "").lower(), 1)
        return Money(amount, currency, numeral.start, match.end())
    sign = match["sign"]
    currency = (match["code"] or "").upper() or _SIGNS.get(sign or "", "") or "SEK"
    return Money(amount, currency, numeral.start, match.end())


def _european(text: str, numeral: Numeral) -> tuple[Fraction, int]:
    """Read `1.950` and `2,50` as the amounts that they are beside a currency."""
    match = _EUROPEAN.match(text, numeral.start)
    if match is None or match.end() < numeral.end:
        return numeral.value, numeral.end
    digits = (
        match[0].replace(".", "").replace(",", ".")
        if "." in match[0]
        else match[0].replace(",", ".")
    )
    return Fraction(digits), match.end()


_LEAD = re.compile(_P["lead"])
_BESIDE = re.compile(_P["beside"], re.MULTILINE)
_NO_NOUN = re.compile(_P["no_noun"])


_SAID = re.compile(r"\b(?:was|is|it['’]s|came to|cost|for|at|be) $")


def bare_money(lower: str, spans: Sequence[tuple[int, int, str]]) -> set[int]:
    """Return where the numbers begin that stand where money would.

    lower  a text in lower case
    spans  (start, end, sort) of its amounts in order; sort `m` is money, `n` a bare number
    """
    found: set[int] = set()
    last = -100
    has_money = any(sort == "m" for _, _, sort in spans)
    for start, end, sort in spans:
        is_small = not lower[start].isdigit() and " " not in lower[start:end]
        if sort == "n" and not is_small and _NO_NOUN.match(lower, end):
            lead = lower[max(0, start - 40) : start]
            beside = lower[last:start] if start - last < 40 else ""
            is_listed = beside and "." not in beside and _BESIDE.search(beside)
            is_only = not has_money and _SAID.search(lead) is not None
            if "dozen" in lower[start:end]:
                continue
            if _LEAD.search(lead) or is_listed or is_only:
                found.add(start)
        if sort == "m" or start in found:
            last = end
    return found
