"""Reads expressions of time generously: what each means is for the network to say."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from fractions import Fraction

from leadline.enrichers.learned.time_figures import read_figures, read_worded
from leadline.enrichers.learned.time_lexicon import (
    DAY_WORDS,
    EDGES,
    MONTHS,
    NAMING,
    NTH,
    PARTS,
    PERIODS,
    TURNS,
    UNITS,
    WEEKDAYS,
    WORDS_TOO,
)
from leadline.enrichers.learned.time_numbers import (
    CARDINALS,
    ORDINALS,
    number_before,
    number_from,
    ordinal_from,
)
from leadline.enrichers.learned.time_tokens import Mention, Tokens
from leadline.enrichers.times.holidays import HOLIDAY_NAMES, HOLIDAY_PATTERN
from leadline.enrichers.times.written_dates import WrittenDate, find_written_dates

_CHANCE = {max(re.findall(r"\w+", name), key=len) for name in HOLIDAY_NAMES}
_HOLIDAY = re.compile(rf"\b{HOLIDAY_PATTERN}\b")


class Reader:
    """Reads the expressions of one text.

    found  so far
    taken  numbers of tokens that are parts of written dates and of holidays
    dates  as they are written, by the number of their first token
    """

    def __init__(self, text: str, tokens: Tokens) -> None:
        self.text, self.tokens = text, tokens
        self.found: list[Mention] = []
        self.taken: dict[int, WrittenDate | None] = {}

    def add(self, kind: str, first: int, last: int, data: object) -> None:
        """Note an expression that covers the tokens from `first` up to before `last`."""
        tokens = self.tokens
        span = tokens.offsets[first], tokens.ends[last - 1]
        self.found.append(Mention(kind, *span, first, last, data))
        if kind in ("clock", "past_hour"):
            self.taken.update(dict.fromkeys(range(first, last)))

    def capital(self, number: int) -> bool:
        """Tell whether a token is written with a capital letter."""
        return self.text[self.tokens.offsets[number]].isupper()


def read_mentions(text: str, tokens: Tokens) -> list[Mention]:
    """Return the expressions of time of a text, in their order; they may overlap."""
    reader = Reader(text, tokens)
    known = set(tokens.words)
    if not known.isdisjoint(MONTHS) or re.search(r"\d[-/.]\d\d?[-/.]\d", tokens.lower):
        for written in find_written_dates(text):
            _read_date(reader, written)
    if not known.isdisjoint(_CHANCE):
        for match in _HOLIDAY.finditer(tokens.lower):
            first, last = tokens.at(match.start()), tokens.until(match.end())
            if first not in reader.taken and first < last:
                reader.taken.update(dict.fromkeys(range(first, last)))
                reader.add("holiday", first, last, match[0])
    for number, word in enumerate(tokens.words):
        for handler in _HANDLERS.get(word, (read_figures,) if word[0].isdigit() else ()):
            if number not in reader.taken:
                handler(reader, number)
    return sorted(reader.found, key=_order)


def _order(mention: Mention) -> tuple[int, int]:
    return mention.first, mention.last


def _read_date(reader: Reader, written: WrittenDate) -> None:
    tokens = reader.tokens
    first, last = tokens.at(written.start), tokens.until(written.end)
    reader.taken.update(dict.fromkeys(range(first, last), written))
    day = written.full()
    if day:
        reader.add("date", first, last, day)
    elif written.year is None:
        reader.add("day_month", first, last, (written.month, written.day, written.weekday))
    # `10-14 March`, `from 3 to 7 May`
    before = tokens.word(first - 2)
    if first > 1 and tokens.word(first - 1) in ("-", "–", "to", "and", "&", "until", "till", "or"):
        at = first - 2
        if before in ("st", "nd", "rd", "th"):
            at -= 1
        if tokens.word(at).isdigit() and 1 <= int(tokens.words[at]) <= 31:
            reader.add("day_month", at, first - 1, (written.month, int(tokens.words[at]), None))


def _weekday(reader: Reader, number: int) -> None:
    tokens = reader.tokens
    word = tokens.words[number]
    is_named = tokens.word(number - 1) in NAMING or tokens.word(number + 1) == "."
    if word in WORDS_TOO and not is_named and not reader.capital(number):
        return
    day = WEEKDAYS[word]
    nth = NTH.get(tokens.word(number - 1))
    if nth and tokens.word(number + 1) in ("of", "in"):
        _nth(reader, number - 1, number + 2, nth, day)
    reader.add("weekday", number, number + 1, day)


def _nth(reader: Reader, first: int, at: int, nth: int, day: int | str) -> None:
    """Read `second Monday of October`, `last Friday of the month`; at: the token after `of`."""
    tokens = reader.tokens
    turn, shift = 0, 0
    while tokens.word(at + shift) in TURNS and shift < 3:
        turn = turn or TURNS[tokens.word(at + shift)]
        shift += 1
    word = tokens.word(at + shift)
    last = at + shift + 1
    if word in MONTHS:
        year = tokens.word(last)
        known = int(year) if re.fullmatch(r"1[5-9]\d\d|20\d\d", year) else None
        reader.add("nth", first, last, (nth, day, MONTHS[word], known, 0))
    elif word in ("month", "year"):
        reader.add("nth", first, last, (nth, day, word, None, turn))


def _month(reader: Reader, number: int) -> None:
    tokens = reader.tokens
    word = tokens.words[number]
    at = number + 1
    while tokens.word(at) in (",", ".", "of") and at < number + 3:
        at += 1
    year = tokens.word(at)
    if re.fullmatch(r"1[5-9]\d\d|20\d\d", year):
        reader.taken.update(dict.fromkeys(range(number, at + 1)))
        reader.add("month_year", number, at + 1, (int(year), MONTHS[word]))
        return
    if word in WORDS_TOO and not (
        (reader.capital(number) and tokens.word(number - 1) not in (".", "\n", "", ":", "!", "?"))
        or tokens.word(number - 1) in NAMING
    ):
        return
    reader.add("month", number, number + 1, MONTHS[word])


def _day_word(reader: Reader, number: int) -> None:
    tokens = reader.tokens
    word = tokens.words[number]
    shift = DAY_WORDS[word]
    first = number
    if tokens.word(number - 2) == "day" and tokens.word(number - 1) in ("after", "before"):
        shift = 2 if tokens.word(number - 1) == "after" else -2
        first = number - 2
    reader.add("day_word", first, number + 1, shift)


def _unit(reader: Reader, number: int) -> None:
    """Read `three weeks`, `next week`, `the week after`, `Tuesday week`."""
    tokens = reader.tokens
    unit = UNITS[tokens.words[number]]
    counted = number_before(tokens, number)
    if counted:
        value, first = counted
        _length(reader, first, number, value, unit)
        if value != 1:
            return
    elif unit == "fortnight":
        reader.add("length", number, number + 1, (Fraction(2), "week"))
        return
    before = tokens.word(number - 1)
    if before in WEEKDAYS or before in DAY_WORDS or (
        before == "day" and tokens.word(number - 2) in ("this", "that")
    ):  # fmt: skip
        if unit == "week":
            reader.add("length", number, number + 1, (Fraction(1), "week"))
        return
    if unit in ("minute", "hour", "decade", "century") and before in TURNS:
        _length(reader, number, number, Fraction(1), unit)
        return
    if unit == "day" and before in ORDINALS and tokens.word(number + 1) in ("of", "in"):
        _nth(reader, number - 1, number + 2, NTH.get(before, ORDINALS[before]), "day")
    if before in ("working", "business") and tokens.word(number - 2) in NTH:
        _nth(reader, number - 2, number + 2, NTH[tokens.word(number - 2)], "working")
    if unit == "day" and tokens.word(number + 1).isdigit():
        reader.add("day_number", number, number + 2, int(tokens.words[number + 1]))
    elif unit == "day" and tokens.word(number + 1) in CARDINALS:
        reader.add("day_number", number, number + 2, CARDINALS[tokens.word(number + 1)])
    elif unit == "day" and ordinal_from(tokens, number - 1):
        reader.add("day_number", number - 1, number + 1, ordinal_from(tokens, number - 1)[0])  # type: ignore[index]
    _part(reader, number)


def _length(reader: Reader, first: int, number: int, value: Fraction, unit: str) -> None:
    tokens = reader.tokens
    last = number + 1
    if unit == "fortnight":
        value, unit = value * 2, "week"
    elif unit == "quarter":
        if tokens.word(number + 1) == "of" and tokens.word(number + 3) == "hour":
            reader.add("length", first, number + 4, (value * 15, "minute"))
        return
    elif unit in ("decade", "century"):
        value, unit = value * (10 if unit == "decade" else 100), "year"
    # `an hour and a half`, `an hour and twenty minutes`, `two years and three months`
    if tokens.word(last) == "and":
        if tokens.word(last + 1) == "a" and tokens.word(last + 2) in ("half", "quarter"):
            value += Fraction(1, 2 if tokens.word(last + 2) == "half" else 4)
            last += 3
        else:
            more = number_from(tokens, last + 1)
            if more and unit == "hour" and 3 < more[0] < 60:
                named = tokens.word(more[1]) in ("minutes", "mins", "minute")
                value, last = value + Fraction(more[0], 60), more[1] + named
    if unit == "hour":
        value, unit = value * 60, "minute"
    reader.add("length", first, last, (value, unit))


def _part(reader: Reader, number: int) -> None:
    """Read `last night`, `next week`, `the day after`, `the following year`."""
    tokens = reader.tokens
    word = tokens.words[number]
    before, after = tokens.word(number - 1), tokens.word(number + 1)
    turn = TURNS.get(before)
    if after in ("after", "before", "following", "previous") and word in PARTS:
        sign = 1 if after in ("after", "following") else -1
        if tokens.word(number + 2) == ("next" if sign > 0 else "last") and word in PERIODS:
            reader.add("period", number, number + 3, (word, 2 * sign))
        else:
            reader.add("step", number, number + 2, (word, sign))
    if turn is None and word != "weekend":
        return
    if word in PERIODS:
        reader.add("period", number - (turn is not None), number + 1, (word, turn or 0))
        if turn and before not in ("last", "past"):
            reader.add("step", number - 1, number + 1, (word, turn))
    elif word in PARTS and before != "the" and turn is not None:
        if before in ("last", "this") and word != "day":
            reader.add("day_word", number - 1, number + 1, turn)
        if turn:
            reader.add("step", number - 1, number + 1, (word, turn))


def _edge(reader: Reader, number: int) -> None:
    """Read `end of the month`, `last day of term`, `month end`, `beginning of next week`."""
    tokens = reader.tokens
    word = tokens.words[number]
    at = number + 1
    if word in ("last", "first", "final"):
        if tokens.word(at) not in ("day", "days"):
            return
        at += 1
    previous = tokens.word(number - 1 - (tokens.word(number - 1) in ("-", "s", "'", "’")))
    if word in ("end", "ends", "close") and previous in PERIODS:
        first = number - 1 - (tokens.words[number - 1] != previous)
        reader.add("edge", first, number + 1, (previous, 0, -1))
        return
    if tokens.word(at) != "of":
        return
    at, turn = at + 1, 0
    while tokens.word(at) in TURNS:
        turn = turn or TURNS[tokens.words[at]]
        at += 1
    unit = tokens.word(at)
    if unit in PERIODS:
        reader.add("edge", number, at + 1, (unit, turn, EDGES[word]))
    elif unit in MONTHS:
        reader.add("edge", number, at + 1, (MONTHS[unit], turn, EDGES[word]))
    elif re.fullmatch(r"1[5-9]\d\d|20\d\d", unit):
        reader.add("edge", number, at + 1, (int(unit), 0, EDGES[word]))


def _weekdays(reader: Reader, number: int) -> None:
    """Read `the last weekday of the month`."""
    nth = NTH.get(reader.tokens.word(number - 1))
    if nth and reader.tokens.word(number + 1) in ("of", "in"):
        _nth(reader, number - 1, number + 2, nth, "working")


def _eve(reader: Reader, number: int) -> None:
    reader.add("step", number, number + 1, ("day", -1))


def _feast(reader: Reader, number: int) -> None:
    """Read `the centenary`, `our silver wedding`."""
    tokens = reader.tokens
    word = tokens.words[number]
    if word.endswith("centenary") or tokens.word(number + 1) in (
        "wedding",
        "jubilee",
        "anniversary",
    ):
        reader.add("age", number, number + 1, _FEASTS[word])


_FEASTS = {
    "centenary": 100,
    "bicentenary": 200,
    "silver": 25,
    "ruby": 40,
    "golden": 50,
    "diamond": 60,
}
_RULES: list[tuple[Callable[[Reader, int], None], Iterable[str]]] = [
    (
        read_worded,
        (*CARDINALS, *ORDINALS, "half", "quarter", "noon", "midday", "midnight", "hundred"),
    ),
    (_unit, UNITS),
    (_part, ("weekend", "morning", "afternoon", "evening")),
    (_edge, EDGES),
    (_day_word, DAY_WORDS),
    (_month, MONTHS),
    (_weekday, WEEKDAYS),
    (_weekdays, ("weekday",)),
    (_eve, ("eve",)),
    (_feast, _FEASTS),
]
_HANDLERS: dict[str, tuple[Callable[[Reader, int], None], ...]] = {}
for _rule, _names in _RULES:
    for _name in _names:
        _HANDLERS[_name] = (*_HANDLERS.get(_name, ()), _rule)
