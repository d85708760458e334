"""The steps by which a language model says a value follows, done again on the document's words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time
from typing import Any, TypeAlias

from leadline_facts.llm_facts import operations
from leadline_facts.llm_facts.answers import Operand, Step, UnfitError
from leadline_facts.llm_facts.quotes import Quotes, Span
from leadline_facts.llm_facts.values import Clock, Measure, Value, says
from leadline_facts.llm_facts.words import Words
from leadline_facts.read.times.calendars import weekday_after, weekday_before

NOT_QUOTED = "its words are not in the document"
MISREAD = "an operand is not what its words say"
NO_OPERATION = "it has no known operation"
NOT_FITTING = operations.NOT_IN_TIME

_LARGEST = 10**18

Reader: TypeAlias = Callable[[Words, Span, date | None], Sequence[Value]]


@dataclass(frozen=True, slots=True)
class _Operation:
    """What an operation takes and does.

    run       reckons the result
    readers   how the words of each operand are read; the last holds for all that follow
    most      operands at most
    least     operands at least
    anchored  whether two operands are an anchor and the words that are read beside it
    """

    run: Callable[..., Value]
    readers: tuple[Reader, ...]
    least: int = 1
    most: int = 24
    anchored: bool = False


def _times(words: Words, span: Span, anchor: date | None) -> Sequence[Value]:
    """Read days and times, and both together as moments."""
    days, clocks = words.days(span, anchor), words.clocks(span)
    moments = [
        datetime.combine(day, time(*divmod(clock.minute, 60))) for day in days for clock in clocks
    ]
    return [*moments, *days, *clocks]


def _stretches(words: Words, span: Span, anchor: date | None) -> Sequence[Value]:
    return [*words.days(span, anchor), *words.months(span, anchor), *words.years(span, anchor)]


def _of_time(run: Callable[..., Value], *readers: Reader) -> _Operation:
    return _Operation(run, readers, len(readers), len(readers))


def _on_weekday(step: Callable[[date, int], date], side: Callable[[Value], date]) -> _Operation:
    return _of_time(operations.weekday(step, side), _DAYS, Words.weekdays)


def _of_amounts(run: Callable[..., Value], least: int, most: int = 24) -> _Operation:
    return _Operation(run, (Words.amounts,), least, most)


def _as_written(reader: Reader) -> _Operation:
    return _Operation(operations.told, (reader,), 1, 2, anchored=True)


_DAYS: Reader = _stretches
OPERATIONS: dict[str, _Operation] = {
    "amount": _of_amounts(operations.told, 1, 1),
    "sum": _of_amounts(operations.of_alike("sum"), 2),
    "difference": _of_amounts(operations.of_alike("difference"), 2),
    "average": _of_amounts(operations.average, 2),
    "product": _of_amounts(operations.product, 2),
    "quotient": _of_amounts(operations.quotient, 2, 2),
    "share_of": _of_amounts(operations.of_share("share_of"), 2, 2),
    "plus": _of_amounts(operations.of_share("plus"), 2, 2),
    "less": _of_amounts(operations.of_share("less"), 2, 2),
    "percent_of": _of_amounts(operations.of_alike("percent_of"), 2, 2),
    "percent_change": _of_amounts(operations.of_alike("percent_change"), 2, 2),
    "rest_percent": _of_amounts(operations.rest_percent, 1, 1),
    "remainder": _of_amounts(operations.of_alike("remainder"), 2, 2),
    "round_up": _of_amounts(operations.rounded(up=True), 1, 1),
    "round_down": _of_amounts(operations.rounded(up=False), 1, 1),
    "date": _as_written(Words.days),
    "month": _as_written(Words.months),
    "year": _as_written(Words.years),
    "holiday": _as_written(Words.holidays),
    "time": _of_time(operations.told, Words.clocks),
    "after": _of_time(operations.after, _times, Words.lengths),
    "before": _of_time(operations.before, _times, Words.lengths),
    "weekday_after": _on_weekday(weekday_after, operations.last_day),
    "weekday_before": _on_weekday(weekday_before, operations.first_day),
    "weekday_in_week": _on_weekday(operations.in_week, operations.first_day),
    **{
        f"{unit}_of": _of_time(operations.around(unit), _DAYS)
        for unit in ("week", "weekend", "month", "quarter", "year")
    },
    "first_day": _of_time(operations.first_day, _DAYS),
    "last_day": _of_time(operations.last_day, _DAYS),
    "range": _of_time(operations.spread, _times, _times),
    "lasting": _of_time(operations.lasting, _times, Words.lengths),
    "at": _of_time(operations.at, Words.days, Words.clocks),
    "between": _of_time(operations.between, _times, _times),
    "age": _of_time(operations.age, _DAYS, _DAYS),
}
"""Operation -> what it takes and does. Nothing else is done that a model asks for."""


@dataclass(frozen=True, slots=True)
class Derived:
    """A value that was reckoned, the words it was reckoned from, and how, in words."""

    value: Value
    spans: tuple[Span, ...]
    how: str


class Derivation:
    """Does steps again on the words of one document."""

    def __init__(self, words: Words, quotes: Quotes) -> None:
        """Take in the document."""
        self._words = words
        self._quotes = quotes

    def of(self, steps: Sequence[Step], near: Span) -> Derived:
        """Return the result of the last step.

        near  where in the document words are looked for first

        Raises UnfitError when words do not stand there or do not say what the model reads in
        them, and when an operation is unknown or does not fit.
        """
        results: list[Value] = []
        spans: list[Span] = []
        for step in steps:
            operation = OPERATIONS.get(step.operation)
            if operation is None:
                raise UnfitError(NO_OPERATION)
            if not operation.least <= len(step.operands) <= operation.most:
                raise UnfitError(NOT_FITTING)
            results.append(self._done(operation, step.operands, results, near, spans))
        how = "; ".join(f"{each.operation}: {_named(each.operands)}" for each in steps)
        return Derived(results[-1], tuple(dict.fromkeys(spans)), how)

    def _done(
        self,
        operation: _Operation,
        operands: Sequence[Operand],
        results: Sequence[Value],
        near: Span,
        spans: list[Span],
    ) -> Value:
        values: list[Value] = []
        anchor: date | None = None
        for number, operand in enumerate(operands):
            if operand.step:
                if not 0 < operand.step <= len(results):
                    raise UnfitError(NOT_FITTING)
                values.append(results[operand.step - 1])
            else:
                is_anchor = operation.anchored and number + 1 < len(operands)
                readers = (Words.days,) if is_anchor else operation.readers
                span = self._found(operand.quote, near)
                spans.append(span)
                reader = readers[min(number, len(readers) - 1)]
                values.append(_chosen(self._read(reader, span, anchor), operand.value))
            if operation.anchored and number + 1 < len(operands):
                anchor = _day(values.pop())
        return _reckoned(operation, values)

    def _read(self, reader: Reader, span: Span, anchor: date | None) -> Sequence[Value]:
        try:
            return reader(self._words, span, anchor)
        except (ValueError, OverflowError) as error:  # a day or year that no calendar has
            raise UnfitError(MISREAD) from error

    def _found(self, quote: str, near: Span) -> Span:
        span = self._quotes.find(quote, near)
        if span is None:
            raise UnfitError(NOT_QUOTED)
        return span


def _chosen(read: Sequence[Value], hint: str) -> Value:
    """Return the one value that words say, of several the one that the model reads in them."""
    found: list[Value] = list(dict.fromkeys(read))
    if hint.strip():
        found = [each for each in found if says(each, hint)]
    is_moment = "T" in hint and any(isinstance(each, datetime) for each in found)
    kinds = (datetime,) if is_moment else (date, Clock)
    # a stamp says a day, a time and both; a day is meant where nothing else is said
    for kind in kinds:
        told: list[Value] = [each for each in found if type(each) is kind]
        if told:
            found = told
            break
    if len(found) != 1:
        raise UnfitError(MISREAD)
    return found[0]


def _reckoned(operation: _Operation, values: Sequence[Value]) -> Value:
    is_amount = Words.amounts in operation.readers
    if is_amount and not all(isinstance(each, Measure) for each in values):
        raise UnfitError(NOT_FITTING)
    try:
        result = operation.run(*values)
    except (ZeroDivisionError, OverflowError, ValueError, TypeError) as error:
        raise error if isinstance(error, UnfitError) else UnfitError(NOT_FITTING) from error
    if isinstance(result, Measure) and _is_huge(result):
        raise UnfitError(NOT_FITTING)
    return result


def _is_huge(measure: Measure) -> bool:
    value = measure.value
    return abs(value) > _LARGEST or value.denominator > _LARGEST


def _day(value: Any) -> date:
    if isinstance(value, datetime):
        return value.date()
    if isinstance(value, date):
        return value
    return operations.first_day(value)


def _named(operands: Sequence[Operand]) -> str:
    return ", ".join(
        f"step {each.step}" if each.step else " ".join(each.quote.split()) for each in operands
    )
