"""How a value is written in a query, where a text writes it out, and queries that ask for it."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping
from datetime import date
from typing import Any

from leadline.kinds.implicit_facts.wording import date_pattern, long_date, price_pattern
from leadline.text.tokens import tokens

_SIGNS = {"USD": "$", "EUR": "€", "GBP": "£"}
_UNKNOWN_CURRENCY = "XXX"
_TEMPLATES: Mapping[str, tuple[str, ...]] = {
    "date": (
        "{words} on {value}",
        "{words}, {value}",
        "{value}: {words}",
        "What about {words} on {value}?",
        "Which document tells of {words} on {value}?",
        "What is said of {words} for {value}?",
    ),
    "duration": (
        "{words} for {value}",
        "{words} lasting {value}",
        "What takes {value}: {words}?",
        "Which document tells of {value}, {words}?",
    ),
    "money": (
        "{words} for {value}",
        "{words}, {value}",
        "{value}: {words}",
        "What comes to {value}, {words}?",
        "Which document tells of {words} at {value}?",
    ),
    "amount": (
        "{words} {value}",
        "{value}: {words}",
        "What comes to {value}, {words}?",
        "Which document tells of {words}, {value} in all?",
    ),
    "place": (
        "{words} in {value}",
        "{value}: {words}",
        "What happened in {value}, {words}?",
        "Which document tells of {words} in {value}?",
    ),
}
_LIKE = {
    "percent": "amount",
    "country": "place",
    "region": "place",
    "city": "place",
}


def written(kind: str, value: Any, rng: random.Random) -> str:
    """Return a value as a query writes it: "6 October 2024", "€61.18", "5 hours 40 minutes".

    Raises KeyError, TypeError or ValueError when the value has not the form of its kind.
    """
    if kind == "date":
        day = date.fromisoformat(value)
        month, number, year = re.split(r"\W+", long_date(day))
        return rng.choice([f"{number} {month} {year}", long_date(day)])
    if kind in _LIKE and _LIKE[kind] == "place":
        return str(value["name"])
    if kind == "percent":
        return rng.choice([f"{_figures(value)}%", f"{_figures(value)} percent"])
    if kind == "money":
        return _price(value)
    if kind == "duration" and value["unit"] == "minute" and float(value["amount"]) > 60:
        hours, minutes = divmod(float(value["amount"]), 60)
        parts = [_counted(hours, "hour"), *([_counted(minutes, "minute")] if minutes else [])]
        return " ".join(parts)
    return _counted(value["amount"], str(value["unit"]))


def pattern_of(kind: str, value: Any) -> re.Pattern[str]:
    """Return what finds a value written out in a text, a date also without its year.

    Amounts other than money are found by their number alone, whatever it counts there.
    """
    if kind == "date":
        return re.compile(date_pattern(date.fromisoformat(value)), re.IGNORECASE)
    if kind in _LIKE and _LIKE[kind] == "place":
        name = r"\W+".join(map(re.escape, tokens(value["name"])))
        return re.compile(rf"\b{name}\b", re.IGNORECASE)
    amount = float(value["amount"] if isinstance(value, Mapping) else value)
    ways = [_amount_pattern(amount)]
    if kind == "duration" and value["unit"] == "minute" and amount > 60:
        hours, minutes = divmod(amount, 60)
        tail = rf"\W+(?:and\W+)?{minutes:g}\b" if minutes else ""
        ways.append(rf"\b{hours:g}\W*h(?:ours?|rs?)?{tail}")
    return re.compile("|".join(ways), re.IGNORECASE)


def query_for(kind: str, value: str, words: str, rng: random.Random) -> str:
    """Return a query for a written value of a kind, with the words that say of what."""
    return rng.choice(_TEMPLATES[_LIKE.get(kind, kind)]).format(value=value, words=words)


def _price(value: Mapping[str, Any]) -> str:
    amount, currency = float(value["amount"]), str(value["currency"]).upper()
    figures = f"{amount:,.0f}" if amount == int(amount) else f"{amount:,.2f}"
    if currency in _SIGNS:
        return f"{_SIGNS[currency]}{figures}"
    return figures if currency == _UNKNOWN_CURRENCY else f"{figures} {currency}"


def _amount_pattern(amount: float) -> str:
    if amount == int(amount) and 0 <= amount < 1_000_000:
        return price_pattern(int(amount)).replace(r"|\s*(?:percent|times)\b", "").replace("%]", "]")
    whole, _, rest = f"{amount:.4f}".rstrip("0").partition(".")
    digits = re.sub(r"(?<=\d)(?=(?:\d{3})+$)", ",?", whole)
    return rf"(?<![\d.,]){digits}[.,]{rest}0?(?!\d)" if rest else rf"(?<![\d.,]){digits}(?!\d)"


def _counted(amount: Any, unit: str) -> str:
    plural = "" if float(amount) == 1 or len(unit) < 4 or unit.endswith("s") else "s"
    return f"{_figures(amount)} {unit}{plural}"


def _figures(number: Any) -> str:
    return f"{float(number):,.4f}".rstrip("0").rstrip(".")
