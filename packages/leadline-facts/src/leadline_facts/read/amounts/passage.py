"""The amounts of a text, typed, and the text with each of them replaced by a mark.

Rules that relate amounts are patterns over this marked text: `§m0§ less §p1§` is an amount of
money, the word `less`, and a percentage.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

from leadline_facts.read.amounts.money import (
    UNKNOWN,
    Money,
    bare_money,
    currency_of,
    find_money,
    money_value,
    plain,
)
from leadline_facts.read.amounts.units import SECONDS, TIMES, UNIT_PATTERN, unit_of
from leadline_facts.read.messages import Message, read_messages, speaker_at
from leadline_facts.read.number_words import Numeral, find_numerals, lowered
from leadline_facts.read.scope import Scope, Why
from leadline_facts.words import patterns

MARK = "§"


@dataclass(frozen=True, slots=True)
class Amount:
    """A typed amount in a text.

    sort        `m` money, `q` quantity, `t` duration, `p` percent, `y` percentage points, `x` a
                multiple, `f` a part of one, `c` minutes and seconds of a clock, `n` any other
    value       exact
    unit        currency or canonical unit; empty for the other sorts
    start, end  characters of the text
    is_word     spelled in words
    """

    sort: str
    value: Fraction
    unit: str
    start: int
    end: int
    is_word: bool = False


@dataclass
class Passage:
    """A text with its amounts."""

    text: str
    amounts: list[Amount] = field(default_factory=list)
    marked: str = ""
    money: list[Money] = field(default_factory=list)
    messages: tuple[Message, ...] = ()
    _starts: list[int] = field(default_factory=list)
    _offsets: list[tuple[int, int]] = field(default_factory=list)

    @cached_property
    def scope(self) -> Scope:
        """The sentences of the text, and which parts of them its writer vouches for."""
        return Scope(self.text)

    @cached_property
    def currency(self) -> str:
        """The one currency that the text uses; UNKNOWN where it names none or several."""
        return currency_of(self.text, self.money)

    def amount(self, mark: str) -> Amount:
        """Return what stands behind a mark of the marked text."""
        return self.amounts[int(mark[2:-1])]

    def place(self, offset: int) -> int:
        """Return the offset in the text of an offset in the marked text."""
        number = bisect_right(self._starts, offset) - 1
        start, source = self._offsets[number] if number >= 0 else (0, 0)
        return source + offset - start

    def speaker(self, offset: int) -> str:
        """Return who says what stands at an offset of the text."""
        return speaker_at(self.messages, offset)

    def doubts(self, spans: Iterable[tuple[int, int]]) -> frozenset[Why]:
        """Return why the writer does not vouch for some of these spans; empty when they do."""
        return self.scope.doubts(*spans)


def read_passage(text: str) -> Passage:
    """Return a text with its amounts, in order, and with marks for them in lower case."""
    numerals = find_numerals(text)
    if not numerals and not _MULTIPLE.search(lowered(text)):
        return Passage(text)
    passage = Passage(text, messages=read_messages(text) if _HEADED.search(text) else ())
    numerals = [each for each in numerals if not _in_head(passage.messages, each.start)]
    found = find_money(text, numerals)
    passage.money = found
    passage.amounts = [Amount("m", m.amount, m.currency, m.start, m.end) for m in found]
    taken = {money.start: money.end for money in found}
    passage.amounts += _others(lowered(text), numerals, taken)
    passage.amounts = joined(text, sorted(passage.amounts, key=_start))
    if any(each.sort == "n" for each in passage.amounts) and passage.currency != UNKNOWN:
        spans = [(each.start, each.end, each.sort) for each in passage.amounts]
        bare = bare_money(lowered(text), spans)
        passage.amounts = [
            replace(each, sort="m", unit=passage.currency) if each.start in bare else each
            for each in passage.amounts
        ]
    _mark(passage)
    return passage


_HEADED = re.compile(r"^.{0,40}\d.{0,60}:\s?\S", re.MULTILINE)
_PERCENT = re.compile(r" ?(?:%|per ?cent\b|percents?\b|pct\b)(?P<points>[ -]points?\b)?")
_P = patterns("passage", unit_pattern=UNIT_PATTERN)
_TIMES = re.compile(_P["times"])
_UNIT = re.compile(_P["unit"])
_MULTIPLE = re.compile(_P["multiple"])
_MULTIPLES = {"tw": 2, "th": 3, "do": 2, "tre": 3, "tri": 3, "q": 4}
_DATE = re.compile(_P["date"])
_YEAR = re.compile(r"(?:19|20)\d\d(?![\d,.]\d)(?!-?\w)")
_PRICED = re.compile(_P["priced"])
_DATING = re.compile(r" (?:ago|later|earlier|from now|hence|old|before (?:that|then))\b|[ -]old\b")
_LABEL = re.compile(_P["label"])


def _others(
    lower: str,
    numerals: Sequence[Numeral],
    taken: dict[int, int],
) -> list[Amount]:
    found: list[Amount] = []
    end = -1
    numerals = [each for each in numerals if each.is_word or not _in_date(lower, each)]
    for numeral in numerals:
        start = numeral.start
        if start < end or any(a <= start < b for a, b in taken.items()):
            continue
        amount = _typed(lower, numeral)
        if amount is not None:
            found.append(amount)
            end = amount.end
    for match in _MULTIPLE.finditer(lower):
        if any(each.start <= match.start() < each.end for each in found):
            continue
        word = match[0]
        times = next((v for stem, v in _MULTIPLES.items() if word.startswith(stem)), 0)
        if times:
            found.append(Amount("x", Fraction(times), "", *match.span(), True))
        elif word == "halved":
            found.append(Amount("x", Fraction(1, 2), "", *match.span(), True))
    return found


def _typed(lower: str, numeral: Numeral) -> Amount | None:
    start, end, value = numeral.start, numeral.end, numeral.value
    if match := _PERCENT.match(lower, end):
        return Amount("y" if match["points"] else "p", value, "", start, match.end())
    if match := _TIMES.match(lower, end):
        return Amount("x", value, "", start, match.end(), numeral.is_word)
    if numeral.is_fraction:
        return Amount("f", value, "", start, end, True)
    if match := _UNIT.match(lower, end):
        unit = unit_of(match["unit"])
        if unit in TIMES and _DATING.match(lower, match.end()):
            return None
        return Amount(
            "t" if unit in TIMES else "q", value, unit, start, match.end(), numeral.is_word
        )
    if lower[end : end + 1].isalpha():
        return None
    is_year = _YEAR.fullmatch(lower, start, end)
    if is_year and not _PRICED.search(lower, max(0, start - 12), start):
        return None
    if value == 1 and numeral.is_word:
        return None  # `one` is mostly no count
    if _LABEL.search(lower, max(0, start - 12), start):
        return None
    return Amount("n", value, "", start, end, numeral.is_word)


def _in_date(lower: str, numeral: Numeral) -> bool:
    window = _DATE.finditer(lower, max(0, numeral.start - 14), numeral.end + 16)
    return any(match.start() <= numeral.start < match.end() for match in window)


def _in_head(messages: Sequence[Message], offset: int) -> bool:
    return any(message.start <= offset < message.body for message in messages)


def _start(amount: Amount) -> int:
    return amount.start


def _mark(passage: Passage) -> None:
    """Write the marked text, and what is needed to find offsets of the text again."""
    lower, parts, done, length = lowered(passage.text), [], 0, 0
    for number, amount in enumerate(passage.amounts):
        mark = f"{MARK}{amount.sort}{number}{MARK}"
        passage._starts.append(length)
        passage._offsets.append((length, done))
        parts += [lower[done : amount.start].replace(MARK, " "), mark]
        length += amount.start - done
        passage._starts.append(length)
        # every offset inside the mark is where the amount begins
        passage._offsets.append((length, amount.start))
        length += len(mark)
        done = amount.end
    passage._starts.append(length)
    passage._offsets.append((length, done))
    passage.marked = "".join([*parts, lower[done:].replace(MARK, " ")])


def as_fact(amount: Amount) -> tuple[str, Any] | None:
    """Return kind and canonical value of an amount, None where it has no exact value."""
    if amount.sort == "m":
        return "money", money_value(amount.value, amount.unit)
    if amount.sort in "tc":
        return "duration", {"amount": plain(amount.value), "unit": amount.unit}
    if amount.sort == "q":
        return "quantity", {"amount": plain(amount.value, 4), "unit": amount.unit}
    if amount.sort == "p":
        rounded = plain(amount.value, 2)
        return ("percent", rounded) if Fraction(str(rounded)) == amount.value else None
    return "number", plain(amount.value, 4)


_SMALLER = {
    ("foot", "inch"): 12, ("pound", "oz"): 16, ("lb", "oz"): 16, ("stone", "pound"): 14,
    ("stone", "lb"): 14, ("yard", "foot"): 3,
}  # fmt: skip
"""Units told together -> how many of the second make one of the first."""


def joined(text: str, amounts: Sequence[Amount]) -> list[Amount]:
    """Return the amounts with those joined that tell one measure in two units."""
    found: list[Amount] = []
    for amount in amounts:
        last = found[-1] if found else None
        per = _per(last, amount) if last else None
        if last and per and amount.start - last.end < 7:
            gap = text[last.end : amount.start].strip(" ,")
            if gap in ("", "and"):
                value = last.value * per + amount.value
                found[-1] = replace(amount, value=value, start=last.start)
                continue
        found.append(amount)
    return found


def _per(first: Amount, second: Amount) -> Fraction | None:
    """Return how many of the second unit make one of the first, None where they are not joined."""
    if first.sort != second.sort:
        return None
    if first.sort == "t" and first.unit in SECONDS and second.unit in SECONDS:
        per = Fraction(SECONDS[first.unit], SECONDS[second.unit])
        return per if per > 1 else None
    per = Fraction(_SMALLER.get((first.unit, second.unit), 0))
    return per if first.sort == "q" and second.value < per else None
