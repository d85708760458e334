"""What words of a document say when a language model points at them, by our own readers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from fractions import Fraction
from functools import cached_property

from leadline_facts.llm_facts.quotes import Span
from leadline_facts.llm_facts.values import (
    ONE_UNIT,
    Clock,
    Measure,
    Stretch,
    Weekday,
    as_measure,
    length_of_unit,
    times,
)
from leadline_facts.read.amounts.passage import Amount, Passage, read_passage
from leadline_facts.read.amounts.units import SECONDS
from leadline_facts.read.messages import Message, read_messages
from leadline_facts.read.number_words import find_numerals, lowered
from leadline_facts.read.times.calendars import (
    MONTH_PATTERN,
    WEEKDAY_PATTERN,
    month_end,
    month_number,
    weekday_number,
)
from leadline_facts.read.times.clock_times import find_clocks
from leadline_facts.read.times.holidays import HOLIDAY_PATTERN, holiday_date
from leadline_facts.read.times.lengths import LENGTH_PATTERN, Length, read_length
from leadline_facts.read.times.written_dates import (
    WORDED_PATTERN,
    WrittenDate,
    day_number,
    find_written_dates,
)

_SORTS = {
    "m": "money", "q": "quantity", "t": "duration", "c": "duration", "p": "percent", "y": "percent",
}  # fmt: skip
_WORD_LENGTHS: Mapping[str, Length] = {
    "the day before yesterday": Length(days=2),
    "the day after tomorrow": Length(days=2),
    "yesterday": Length(days=1),
    "tomorrow": Length(days=1),
    "last night": Length(days=1),
    "overnight": Length(days=1),
    "eve": Length(days=1),
    "today": Length(),
    "tonight": Length(),
    "fortnight": Length(days=14),
}
_WORD_NUMBERS: Mapping[str, int] = {
    "each way": 2, "either way": 2, "both": 2, "round trip": 2, "return": 2, "there and back": 2,
    "twins": 2, "trio": 3, "quartet": 4, "once": 1, "twice": 2, "single": 1, "each": 1, "per": 1,
}  # fmt: skip
_WORD = re.compile(r"[a-z]+", re.IGNORECASE)
_LENGTH = re.compile(LENGTH_PATTERN, re.IGNORECASE)
_NTH = re.compile(rf"\b(?:(\d{{1,4}})(?:st|nd|rd|th)|({WORDED_PATTERN}))\b", re.IGNORECASE)
_TODAY = re.compile(r"\b(?:today|tonight|now|this (?:morning|afternoon|evening))\b", re.IGNORECASE)
_MORNING = re.compile(r"^0|[ap]\.?m|midnight")
_WEEKDAY = re.compile(rf"\b{WEEKDAY_PATTERN}(?=s?\b)", re.IGNORECASE)
_HOLIDAY = re.compile(rf"\b{HOLIDAY_PATTERN}\b", re.IGNORECASE)
_MONTH = re.compile(rf"\b({MONTH_PATTERN})\b\.?(?:,? (?:of )?(\d{{4}}))?", re.IGNORECASE)
_YEAR = re.compile(r"(?<![\d.,:])(1[0-9]\d\d|20\d\d)(?!\d|[.,:]\d)")
_COUNTRIES = ("", "GB", "US", "IE", "CA", "AU", "NZ", "DE")


class Words:
    """Reads values out of spans of one document, each in its surroundings.

    Each method returns what the words may say; a caller who expects one value chooses by what
    the model says it reads, which is so believed only where the words allow it.
    """

    def __init__(self, text: str) -> None:
        """Take in the document."""
        self.text = text
        self.lower = lowered(text)

    @cached_property
    def passage(self) -> Passage:
        """The document with its amounts."""
        return read_passage(self.text)

    @cached_property
    def messages(self) -> tuple[Message, ...]:
        """The messages of the document, at least one."""
        return read_messages(self.text)

    def message(self, place: int) -> Message:
        """Return the message that holds a place."""
        held = (each for each in self.messages if each.start <= place < each.end)
        return next(held, self.messages[0])

    def today(self, span: Span) -> date | None:
        """Return the day of the message that holds a span, else the first day of the document."""
        day = self.message(span[0]).day
        if day is not None:
            return day
        return next((full for each in self._dates if (full := each.full())), None)

    def amounts(self, span: Span, _: date | None = None) -> list[Measure]:
        """Return the amounts that a span touches, numbers without unit among them."""
        words = self.text[slice(*span)]
        found = [
            (_measure(each), (each.start, each.end))
            for each in self.passage.amounts
            if _touch((each.start, each.end), span)
        ]
        if not found:
            found = [(_measure(each), span) for each in read_passage(words).amounts]
        numerals = [
            Measure(each.value)
            for each in find_numerals(words)
            if not any(_touch((each.start + span[0], each.end + span[0]), one) for _, one in found)
        ]
        lengths = (read_length(match[0]) for match in _LENGTH.finditer(words))
        durations = [as_measure(each) for each in lengths if each is not None]
        # `an hour and fifty minutes` is one length, of which the amounts hold the minutes
        others = [each for each in durations if each and not _among(each, found)]
        lower = " ".join(words.lower().split())
        worded = [Measure(Fraction(n)) for word, n in _WORD_NUMBERS.items() if word in lower]
        return [each for each, _ in found] + numerals + others or worded[:1]

    def days(self, span: Span, anchor: date | None = None) -> list[date]:
        """Return the days that a span may name; what a date lacks lies near the anchor."""
        today = anchor or self.today(span)
        found: list[date] = []
        for written in self._dates:
            if _touch((written.start, written.end), span):
                full = written.full()
                found += [full] if full else _in_years(written.month, written.day, today)
        words = self.text[slice(*span)]
        if not found and today:
            found += [day for match in _NTH.finditer(words) for day in _nth(match, today)]
            found += [today] if _TODAY.search(words) else []
        message = self.message(span[0])
        if message.day and message.start <= span[0] < message.body:
            found.append(message.day)
        return found

    def months(self, span: Span, anchor: date | None = None) -> list[Stretch]:
        """Return the months that a span may name."""
        today = anchor or self.today(span)
        found = []
        for match in _MONTH.finditer(self.text[slice(*span)]):
            years = [int(match[2])] if match[2] else _years_near(today)
            month = month_number(match[1])
            found += [Stretch(date(year, month, 1), month_end(year, month)) for year in years]
        return found

    def years(self, span: Span, anchor: date | None = None) -> list[Stretch]:
        """Return the years that a span names."""
        words = self.text[slice(*span)]
        years = [int(match[1]) for match in _YEAR.finditer(words)]
        if not years and anchor and re.search(r"['’]\d\d\b", words):
            years = [anchor.year - anchor.year % 100 + int(re.findall(r"['’](\d\d)\b", words)[0])]
        return [Stretch(date(year, 1, 1), date(year, 12, 31)) for year in years]

    def clocks(self, span: Span, _: date | None = None) -> list[Clock]:
        """Return the times that a span may tell, both halves of the day where it leaves it open."""
        message = self.message(span[0])
        found: list[Clock] = []
        if message.minute is not None and message.start <= span[0] < message.body:
            found.append(Clock(message.minute))
        # a time is told by the words before it, too: `at six`
        start, end = max(0, span[0] - 8), min(len(self.text), span[1] + 20)
        clocks = list(find_clocks(self.lower, start, end)) or list(find_clocks(self.lower, *span))
        for clock in clocks:
            if _touch((clock.start, clock.end), span):
                halves = (clock.minute % 720, clock.minute % 720 + 720)
                found += map(Clock, (clock.minute,) if clock.is_certain else halves)
                written = self.lower[clock.start : clock.end]
                if clock.minute < 720 and not clock.is_worded and not _MORNING.search(written):
                    found.append(Clock(clock.minute + 720))  # `at 4:30` in the afternoon
        return found

    def lengths(self, span: Span, _: date | None = None) -> list[Length]:
        """Return the lengths of time that a span may tell."""
        words = " ".join(self.text[slice(*span)].lower().split())
        found = [length for each in _LENGTH.findall(words) if (length := read_length(each))]
        found = found or [length for word, length in _WORD_LENGTHS.items() if word in words][:1]
        if found:
            return found
        counts = [each.value for each in find_numerals(words)]
        units = [unit for word in _WORD.findall(words) if (unit := length_of_unit(word))]
        if units:  # `the next week`, `Tuesday week`
            counts = counts or [Fraction(1)]
        else:  # the unit is left to the reader: `aged 34`, `on her 34th birthday`
            counts += [Fraction(_nth_number(match)) for match in _NTH.finditer(words)]
            units = list(ONE_UNIT.values())
        return [made for n in counts for unit in units if (made := times(unit, n))]

    def weekdays(self, span: Span, _: date | None = None) -> list[Weekday]:
        """Return the weekdays that a span names."""
        words = self.text[slice(*span)]
        return [Weekday(weekday_number(match[0])) for match in _WEEKDAY.finditer(words)]

    def holidays(self, span: Span, anchor: date | None = None) -> list[date]:
        """Return the days on which a holiday that a span names falls near the anchor."""
        words = self.text[slice(*span)]
        years = [int(year) for year in _YEAR.findall(words)] or _years_near(
            anchor or self.today(span)
        )
        days = (
            holiday_date(match[0], year, country)
            for match in _HOLIDAY.finditer(words)
            for year in years
            for country in _COUNTRIES
        )
        return [day for day in days if day]

    @cached_property
    def _dates(self) -> list[WrittenDate]:
        return list(find_written_dates(self.text))


def _among(length: Measure, found: Iterable[tuple[Measure, Span]]) -> bool:
    return any(_minutes(length) == _minutes(each) for each, _ in found)


def _minutes(measure: Measure) -> Fraction | None:
    size = SECONDS.get(measure.unit)
    return measure.value * size / 60 if size else None


def _measure(amount: Amount) -> Measure:
    return Measure(amount.value, _SORTS.get(amount.sort, "number"), amount.unit)


def _touch(one: Span, other: Span) -> bool:
    return one[0] < other[1] and other[0] < one[1]


def _in_years(month: int, day: int, today: date | None) -> list[date]:
    found = []
    for year in _years_near(today):
        try:
            found.append(date(year, month, day))
        except ValueError:
            continue
    return found


def _years_near(today: date | None) -> Iterable[int]:
    """Return the year of a day, the one before and the one after, which dates may mean."""
    return range(today.year - 1, today.year + 2) if today and 1 < today.year < 9999 else ()


def _nth(match: re.Match[str], today: date) -> Iterator[date]:
    """Yield the days of that number in the month of a day and those before and after it."""
    number = _nth_number(match)
    for away in (-1, 0, 1):
        year, month = divmod(today.year * 12 + today.month - 1 + away, 12)
        try:
            yield date(year, month + 1, number)
        except ValueError:
            continue


def _nth_number(match: re.Match[str]) -> int:
    return int(match[1]) if match[1] else day_number(match[2])
