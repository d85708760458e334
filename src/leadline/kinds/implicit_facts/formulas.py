"""What follows from the words of a document, worked out by code: days and amounts."""

from __future__ import annotations

import ast
import calendar
import operator
import re
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from itertools import product

from leadline.text.dates import find_dates, month_of, year_of
from leadline.text.quantities import NUMERAL, figure_of
from leadline.text.words import NUMBER_WORDS

_CONSTANTS = frozenset({7.0, 12.0, 24.0, 60.0, 100.0, 1000.0})
"""Numbers that convert units and need not be written."""

# Words without the s at their end.
_WORDS: dict[str, float] = {
    **NUMBER_WORDS,
    "a": 1, "an": 1, "one": 1, "first": 1, "next": 1, "last": 1, "following": 1, "previou": 1,
    "yesterday": 1, "tomorrow": 1, "later": 1, "eve": 1, "day": 1,
    "half": 2, "halve": 2, "halved": 2, "twice": 2, "double": 2, "doubled": 2, "both": 2,
    "pair": 2, "couple": 2, "second": 2, "third": 3, "triple": 3, "tripled": 3, "quarter": 4,
    "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8, "ninth": 9, "tenth": 10, "sixe": 6,
    "dozen": 12, "fortnight": 14, "hundred": 100, "thousand": 1000,
    "million": 1_000_000, "billion": 1_000_000_000,
}  # fmt: skip
_OPERATIONS: dict[type[ast.operator], Callable[[float, float], float]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}  # fmt: skip
_STEP = r" ?([+-]) ?(\d{1,4}) ?(day|week|month|year)s?"
_DAY = re.compile(rf"(\d{{4}}-\d\d-\d\d)((?:{_STEP}){{1,3}})")
_LONGEST = 120
_YEAR = re.compile(r"\b(?:1[5-9]|20)\d\d\b")
_EXACT = 0.005


def day_by(formula: str, words: str) -> date | str:
    """Return the day of a formula such as `2024-03-14 - 2 days`, or say why there is none.

    words  the sentences it rests on, which must hold the day and the count
    """
    match = _DAY.fullmatch(formula.strip())
    if match is None:
        return "the formula is no day and distance"
    try:
        start = found = date.fromisoformat(match[1])
        steps = re.findall(_STEP, match[2])
        for sign, count, unit in steps:
            found = _moved(found, int(sign + count), unit)
    except (ValueError, OverflowError):
        return "the formula gives no day"
    if start not in set(days_in(words)):
        return "the starting day is not in the sentences"
    weekday = calendar.day_name[found.weekday()].casefold()
    counts = {float(count) for _, count, _ in steps}
    if not counts <= numbers_in(words) and weekday not in words.casefold():
        return "the distance is not in the sentences"
    return found


def amount_by(formula: str, words: str) -> float | str:
    """Return the value of an arithmetic formula, or say why there is none.

    words  the sentences it rests on, which must hold its numbers
    """
    try:
        if len(formula) > _LONGEST:
            raise ValueError
        tree = ast.parse(formula.strip().replace(",", ""), mode="eval").body
        value = _value(tree)
    except (ValueError, SyntaxError, ZeroDivisionError, OverflowError, RecursionError):
        return "the formula is no arithmetic"
    constants = (each.value for each in ast.walk(tree) if isinstance(each, ast.Constant))
    used = [float(each) for each in constants if isinstance(each, int | float)]
    written = numbers_in(words)
    if not set(used) <= written | _CONSTANTS:
        return "a number of the formula is not in the sentences"
    if len(used) < 2 or not set(used) & written - {1.0}:
        return "the formula calculates nothing"
    if is_near(value, *written):
        return "the sentences say the value"
    return value


def is_near(value: float, *others: float) -> bool:
    """Tell whether a value is one of others, but for its rounding."""
    return any(abs(value - each) <= _EXACT * max(1.0, abs(value)) for each in others)


def numbers_in(words: str) -> set[float]:
    """Return the numbers that a text holds, in figures and in single words."""
    plain = {each.removesuffix("s") for each in re.findall(r"[a-z]+", words.casefold())}
    spelled = {float(_WORDS[each]) for each in plain & _WORDS.keys()}
    tens = re.findall(r"\b([a-z]+ty)[- ]([a-z]+)\b", words.casefold())
    joined = {
        float(NUMBER_WORDS[a] + _WORDS[b])
        for a, b in tens
        if a in NUMBER_WORDS and 0 < _WORDS.get(b, 0) < 10
    }
    return {figure_of(each) for each in re.findall(NUMERAL, words)} | spelled | joined


def days_in(words: str) -> Iterator[date]:
    """Yield the days that a text names; one without its year in each year that the text names."""
    years = {int(each) for each in _YEAR.findall(words)}
    for value in find_dates(words, 0, len(words)):
        written = value.text
        month, numbers = month_of(written), [int(each) for each in re.findall(r"\d+", written)]
        own = [year] if (year := year_of(written)) else sorted(years)
        if month:
            months = [each[:3].casefold() for each in calendar.month_name]
            places = [(months.index(month), each) for each in numbers[:1]]
        elif "/" in written or re.match(r"\d{4}-", written):
            pair = numbers[1:] if numbers[0] > 31 else numbers[:2]
            places = [(pair[0], pair[1]), (pair[1], pair[0])] if len(pair) == 2 else []
        else:
            continue
        for of, (number, day) in product(own, places):
            try:
                yield date(of, number, day)
            except ValueError:
                continue


def _moved(start: date, count: int, unit: str) -> date:
    if unit in ("day", "week"):
        return start + timedelta(days=count * (7 if unit == "week" else 1))
    months = start.year * 12 + start.month - 1 + count * (12 if unit == "year" else 1)
    year, month = divmod(months, 12)
    last = calendar.monthrange(year, month + 1)[1]
    return date(year, month + 1, min(start.day, last))


def _value(tree: ast.expr) -> float:
    match tree:
        case ast.Constant(value=int() | float() as number) if not isinstance(number, bool):
            return float(number)
        case ast.BinOp(left, operation, right) if type(operation) in _OPERATIONS:
            return _OPERATIONS[type(operation)](_value(left), _value(right))
        case ast.UnaryOp(ast.USub(), operand):
            return -_value(operand)
    raise ValueError
