"""The same figure told for several periods: sums, and the change from one to the next."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from fractions import Fraction

from leadline.enrichers.amounts.ledger import Ledger
from leadline.enrichers.amounts.passage import Amount, Passage

_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?"
    r"(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?"
)
_DAY = r"(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?s?"
_PERIOD = (
    rf"(?:(?:early |mid |late )?{_MONTH}(?: (?:19|20)\d\d)?|{_DAY}(?: (?:morning|afternoon|evening"
    rf"|night))?|(?:19|20)\d\d"
    r"|q[1-4]|(?:this|last|next) (?:year|month|week|season|quarter|term|time|spring|summer|autumn"
    r"|winter|night)"
    r"|(?:the )?(?:first|second|third|fourth|fifth|last|final|opening|following|next|other) (?:day"
    r"|night|week|month|year|quarter|half|race|round|leg|match|game|innings|hour|lap|stage|term"
    r"|session|show|lesson|one)"
    r"|(?:the )?(?:first|second|third|fourth|last|next|following)(?=[.,;)\n]|$)"
    r"|the (?:day|week|month|year|one) (?:before|after)(?: that)?|the (?:previous|following"
    r"|next) (?:day|night|week|month|year)"
    r"|(?:the )?(?:morning|afternoon|evening)|spring|summer|autumn|winter|today|yesterday|tomorrow"
    r"|now|(?:on )?(?:day|week|round|leg|stage|lap|night|race) (?:§n\d+§|one|two|three|four|\d))"
)
_ITEM = (
    rf"§[nmqtc]\d+§(?: (?!§|and|but)[a-z'’-]+){{0,3}}?,? (?:(?:in|on|for|at|over|during|by|from|of"
    rf"|back in) )?(?:the )?{_PERIOD}"
)
_FIRST = (
    rf"(?:(?:in|on|at|over|during|for) )?{_PERIOD}(?:['’]s?)?(?:[,:]| ?[-–=])?(?: (?:(?:i|we|it"
    rf"|they|he|she|there|sales|attendance|rain) )?(?:was|were|had|saw|sold|got|made|did|ran"
    rf"|walked|raised|brought(?: in)?|is|cycled|swam|scored|drew|took|gave|came|read|wrote|caught"
    rf"|picked|only))*(?: (?:only|just|another|to|with))* ?§[nmqtc]\d+§(?: (?!§|and|but|on|in"
    rf"|at)[a-z'’-]+){{0,2}}?"
)
_JOIN = (
    r"(?:[,;.]| -| –)?(?: (?:and|then|but|with|only|just|to|followed by|another|against|compared "
    r"(?:with|to)|up from|down from|versus|vs|from|as against|a further|it was|i|we|sold|did|was"
    r"|were|had|while|plus))* ?"
)
_AFTER = re.compile(rf"{_ITEM}(?:{_JOIN}{_ITEM})+")
_BEFORE = re.compile(
    rf"(?<![\w]){_FIRST}(?:{_JOIN}{_FIRST})+(?=[.,;)!\n]|$| (?:and|but|so|which|making|that))"
)
_SUMMED = re.compile(
    r"\b(?:sold|sales?|visit\w*|attend\w*|came|caught|scored|made|raised|rain\w*|ran|runs?|walk\w*"
    r"|cycl\w*|swam|wrote|read|born|arriv\w*|calls?|picked|baked|collect\w*|donat\w*"
    r"|goals?|spent|paid|took|takings|worked|hours|shifts?|tickets?|snow\w*|fell|drove|drew|income"
    r"|earn\w*|births|eggs|orders?|did|planted|laid|passengers|visitors|customers|pages|lengths"
    r"|miles|km)\b"
)
_STANDING = re.compile(
    r"\b(?:temperatur\w*|weigh\w*|height|tall|prices?|priced|costs?|population|members?|membership"
    r"|stood|stands|staff|rates?|per|aged|age|odometer|meter|reading|speed|pulse"
    r"|balance|each|max\w*|min\w*|average|score[ds]? out|bpm|pressure|level|index|or|between"
    r"|employ\w*)\b"
)
_LEVELS = frozenset(
    [
        "degree",
        "C",
        "F",
        "km/h",
        "mph",
        "mpg",
        "knot",
        "W",
        "kW",
        "MW",
        "m2",
        "km2",
        "hectare",
        "acre",
    ]
)


@dataclass(frozen=True, slots=True)
class _Series:
    amounts: tuple[Amount, ...]
    around: str


def derive_period_series(ledger: Ledger) -> None:
    """Derive the sum of a figure told for several periods, and the change between two."""
    passage = ledger.passage
    if len(passage.amounts) < 2:
        return
    for pattern in (_AFTER, _BEFORE):
        for match in passage.find(pattern):
            series = _read(passage, match)
            if series and not {each.start for each in series.amounts} & ledger.spent:
                _enter(ledger, series)


def _read(passage: Passage, match: re.Match[str]) -> _Series | None:
    marks = [passage.amount(mark) for mark in re.findall(r"§[nmqtc]\d+§", match[0])]
    marks = [each for each in marks if not _is_ordinal(passage, each)]
    if len(marks) < 2:
        return None
    first = marks[0]
    if first.sort in "qm" and all(each.sort in ("n", first.sort) for each in marks):
        marks = [
            replace(each, sort=first.sort, unit=first.unit) if each.sort == "n" else each
            for each in marks
        ]  # fmt: skip
    if len({(each.sort, each.unit) for each in marks}) > 1:
        return None
    start, end = passage.sentence(marks[0].start)
    around = passage.text[max(0, start - 60) : max(end, passage.place(match.end()))].lower()
    return _Series(tuple(marks), around)


def _is_ordinal(passage: Passage, amount: Amount) -> bool:
    lead = passage.text[max(0, amount.start - 8) : amount.start].lower()
    return re.search(r"\b(?:day|week|round|leg|stage|lap|night|race) $", lead) is not None


def _enter(ledger: Ledger, series: _Series) -> None:
    amounts, like = series.amounts, series.amounts[0]
    is_level = like.unit in _LEVELS or _STANDING.search(series.around) is not None
    if not is_level and (like.sort in "mt" or _SUMMED.search(series.around)):
        total = sum((each.value for each in amounts), Fraction(0))
        ledger.derive(like, total, amounts, "the sum over the periods", confidence=0.7)
    if len(amounts) == 2 and like.sort != "c":
        first, second = amounts
        gap = abs(first.value - second.value)
        if gap and gap < 5 * min(first.value, second.value):
            ledger.derive(like, gap, amounts, "the change between the periods", confidence=0.65)
            percent = Amount("p", gap, "", first.start, first.end)
            ledger.derive(
                percent, gap / first.value * 100, amounts, "the change in percent", confidence=0.6
            )
