"""From what a language model claims to facts: only what the document and arithmetic bear out."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, datetime
from fractions import Fraction
from typing import Any

from leadline.text.countries import CODES, NAMES, country
from leadline.text.fact_values import MEASURES, canonical, folded, measured
from leadline.types import Fact
from leadline_facts.llm_facts.answers import Claim, Operand, Step, UnfitError, read_claim
from leadline_facts.llm_facts.derivation import NOT_QUOTED, Derivation, Derived
from leadline_facts.llm_facts.quotes import Quotes, Span
from leadline_facts.llm_facts.values import (
    Clock,
    Interval,
    Measure,
    Stretch,
    Value,
    as_measure,
    number_in,
)
from leadline_facts.llm_facts.words import Words
from leadline_facts.read.amounts.money import UNKNOWN, plain
from leadline_facts.read.amounts.units import UNITS
from leadline_facts.read.times.lengths import Length

NO_EVIDENCE = "it has no evidence"
WRONG_KIND = "its steps do not come to a value of its kind"
WRONG_VALUE = "its value is not what its steps come to"
NO_COUNTRY = "its country has no ISO 3166-1 code"
NO_NAME = "its place has no name"

_PLACES = ("country", "city", "region")
_AS_READ = {"date": "date", "month": "month", "year": "year", "time": "time"}
_TERRITORIES = frozenset(
    re.findall(
        "..",
        "AIASAXBLBQBVCCCKCWCXEHGGGSHMIMIOJEMFMPMSNFNUPMPNSHSJSXTCTFTKUMVGVIWFYT",
    )
)
"""Codes of ISO 3166-1 that our table of countries does not have."""

_TOLD = frozenset(("amount", *_AS_READ))
_NAME = re.compile(r"[^\W\d_][\w'’.,() -]{0,60}")
_CONFIDENCE = {"stated": 0.9, "derived": 0.85, "alternative": 0.4}
_KNOWN = 0.75  # what a model knows of a place is not reckoned by us
_A_STEP = 0.95
_EXACT = 1e-6


class Checking:
    """Turns claims about one document into facts, and counts why others are not."""

    def __init__(self, text: str, provider: str) -> None:
        """Take in the document."""
        self._words = Words(text)
        self._quotes = Quotes(text)
        self._derivation = Derivation(self._words, self._quotes)
        self._folded = folded(text)
        self._provider = provider

    def facts(self, records: Iterable[Any], window: Span, dropped: Counter[str]) -> Iterator[Fact]:
        """Yield the claims that hold, as facts.

        records  as the model wrote them
        window   what the model was shown of the document
        dropped  takes a count for every reason why a claim does not hold
        """
        for record in records:
            try:
                yield self._fact(read_claim(record), window)
            except UnfitError as error:
                dropped[str(error)] += 1

    def _fact(self, claim: Claim, window: Span) -> Fact:
        evidence = self._evidence(claim, window)
        near = (min(s for s, _ in evidence), max(e for _, e in evidence)) if evidence else window
        if claim.kind in _PLACES:
            value = _place(claim)
            spans, how, sure = evidence, "known to the model", _KNOWN
        else:
            derived = self._derivation.of(_steps(claim), near)
            value = self._value(claim, derived.value)
            spans, how = _all(evidence, derived), derived.how
            sure = _A_STEP ** max(0, len(claim.steps) - 1)
        if not spans:
            raise UnfitError(NO_EVIDENCE)
        role = claim.role
        if role == "stated" and not _is_told(claim):
            role = "derived"
        return Fact(
            claim.kind, value, self._about(claim, spans[0]), role,
            round(sure * _CONFIDENCE[role], 4), spans, how, self._provider,
        )  # fmt: skip

    def _evidence(self, claim: Claim, window: Span) -> tuple[Span, ...]:
        found: list[Span] = []
        for quote in claim.evidence:
            near = found[0] if found else window
            span = self._quotes.find(quote, near)
            if span is None:
                raise UnfitError(NOT_QUOTED)
            found.append(span)
        return tuple(dict.fromkeys(found))

    def _value(self, claim: Claim, reckoned: Value) -> Any:
        """Return the value of a fact. Raises UnfitError where it is not what was claimed."""
        if claim.kind in MEASURES:
            return self._amount(claim, reckoned)
        value = _in_time(claim.kind, reckoned)
        try:
            claimed = canonical(claim.kind, _as_claimed(claim))
        except OverflowError as error:  # a year that no calendar has
            raise UnfitError(WRONG_VALUE) from error
        if canonical(claim.kind, value) != claimed:
            raise UnfitError(WRONG_VALUE)
        return value

    def _amount(self, claim: Claim, reckoned: Value) -> Any:
        if isinstance(reckoned, Length):
            reckoned = as_measure(reckoned) or reckoned
        if not isinstance(reckoned, Measure):
            raise UnfitError(WRONG_KIND)
        claimed = number_in(claim.value)
        if claimed is None:
            raise UnfitError(WRONG_VALUE)
        own, asked = self._units(claim, reckoned)
        amount = reckoned.value
        if claim.kind == "percent" and reckoned.sort != "percent":
            amount *= 100  # a ratio
        value, result = _valued(claim.kind, claimed, asked), _valued(claim.kind, amount, own)
        (group, told), (other, exact) = measured(claim.kind, value), measured(claim.kind, result)
        if group != other or not _rounds_to(told, exact, claim.value):
            raise UnfitError(WRONG_VALUE)
        # a length of time is not known by its rounded hours, as a price is by its cents
        return result if claim.kind == "duration" and abs(told - exact) > _EXACT else value

    def _units(self, claim: Claim, reckoned: Measure) -> tuple[str, str]:
        """Return the unit that was reckoned and the one that is claimed, empty for bare numbers.

        Raises UnfitError where the amount that was reckoned cannot be of the kind.
        """
        kind, sort = claim.kind, reckoned.sort
        if kind == "money":
            return (self._currency(claim, reckoned),) * 2
        if kind in ("quantity", "duration"):
            claimed = UNITS.get(claim.unit.lower(), claim.unit)
            if sort in ("quantity", "duration"):
                return reckoned.unit, claimed
            if sort in ("number", "open") and self._has_unit(claimed):
                return claimed, claimed
        fits = {
            "number": sort in ("number", "open"),
            "percent": sort in ("percent", "number"),
            "age": sort == "number" or reckoned.unit == "year",
        }
        if not fits.get(kind):
            raise UnfitError(WRONG_KIND)
        return "", ""

    def _currency(self, claim: Claim, reckoned: Measure) -> str:
        """Return the currency of an amount; bare numbers have that of the document."""
        if reckoned.sort not in ("money", "number"):
            raise UnfitError(WRONG_KIND)
        own = reckoned.unit if reckoned.sort == "money" else self._words.passage.currency
        if own == UNKNOWN or claim.unit.upper() != own:
            raise UnfitError(WRONG_VALUE)
        return own

    def _has_unit(self, unit: str) -> bool:
        """Tell whether the document has a unit, by one of its names or its stem."""
        words = {word.removesuffix("s") for word in re.findall(r"\w+", self._folded)}
        stem = folded(unit).removesuffix("s")
        size = _size(stem)
        return bool(stem) and (stem in words or any(_size(word) == size for word in words))

    def _about(self, claim: Claim, place: Span) -> str:
        """Return the subject where the document has its words, else who speaks."""
        words = [word for word in folded(claim.about).split() if len(word) > 2]
        if words and all(word.strip(".,'’") in self._folded for word in words):
            return claim.about
        return self._words.message(place[0]).speaker


def _is_told(claim: Claim) -> bool:
    """Tell whether a value may stand in the text as such."""
    if claim.kind in _PLACES:
        return any(folded(claim.value) in folded(quote) for quote in claim.evidence)
    return len(claim.steps) < 2 and all(
        step.operation in _TOLD and len(step.operands) == 1 for step in claim.steps
    )


def _steps(claim: Claim) -> Sequence[Step]:
    """Return the steps of a claim; a value that is only stated may have none."""
    if claim.steps:
        return claim.steps
    operation = _AS_READ.get(claim.kind) or ("amount" if claim.kind in MEASURES else "")
    if not operation or not claim.evidence:
        raise UnfitError(NO_EVIDENCE)
    return [Step(operation, (Operand(claim.evidence[-1], claim.value),))]


def _all(evidence: Sequence[Span], derived: Derived) -> tuple[Span, ...]:
    """Return the evidence, and what else the value was reckoned from."""
    more = [
        span
        for span in derived.spans
        if not any(start <= span[0] and span[1] <= end for start, end in evidence)
    ]
    return (*evidence, *more)


def _place(claim: Claim) -> dict[str, str]:
    if claim.kind == "country":
        told, code = claim.value.upper(), claim.unit.upper()
        named = CODES.get(folded(claim.value), code if code in _TERRITORIES else told or code)
        if code not in (named, "") or not (named in NAMES or named in _TERRITORIES):
            raise UnfitError(NO_COUNTRY)
        return country(named) if named in NAMES else {"code": named, "name": claim.value}
    if not _NAME.fullmatch(claim.value):
        raise UnfitError(NO_NAME)
    return {"name": claim.value}


def _in_time(kind: str, value: Value) -> Any:
    """Return the value of a date or time in the form of its kind."""
    day = value.date() if isinstance(value, datetime) else value
    if kind == "time" and isinstance(value, datetime):
        value = Clock(value.hour * 60 + value.minute)
    if kind == "date" and isinstance(day, date):
        return day.isoformat()
    if kind == "date_range" and isinstance(value, Stretch):
        return [value.first.isoformat(), value.last.isoformat()]
    if kind == "time" and isinstance(value, Clock):
        return f"{value.minute // 60:02}:{value.minute % 60:02}"
    if kind == "datetime" and isinstance(value, datetime):
        return _minutes(value)
    if kind == "interval" and isinstance(value, Interval):
        return [_minutes(value.start), _minutes(value.end)]
    if kind in ("month", "year"):
        length = 7 if kind == "month" else 4
        if isinstance(day, date):
            return day.isoformat()[:length]
        if (
            isinstance(value, Stretch)
            and value.first.isoformat()[:length] == (value.last.isoformat()[:length])
        ):
            return value.first.isoformat()[:length]
        if kind == "year" and isinstance(value, Measure) and _is_year(value):
            return str(value.value)
    raise UnfitError(WRONG_KIND)


def _is_year(measure: Measure) -> bool:
    value = measure.value
    return measure.sort == "number" and value.denominator == 1 and 1000 <= value <= 2999


def _as_claimed(claim: Claim) -> Any:
    if claim.kind in ("date_range", "interval"):
        return [part.strip() for part in re.split(r"/| to |--", claim.value)]
    return claim.value


def _size(unit: str) -> tuple[tuple[str, str], float]:
    """Return the same for all names of one unit."""
    return measured("quantity", {"amount": 1, "unit": UNITS.get(unit, unit)})


def _valued(kind: str, number: Fraction, unit: str) -> Any:
    """Return a number as the value of its kind."""
    if kind == "money":
        return {"amount": plain(number, 2), "currency": unit}
    return {"amount": plain(number), "unit": unit} if unit else plain(number)


def _rounds_to(told: float, exact: float, written: str) -> bool:
    """Tell whether an amount rounds to the one that was told, within half a percent.

    told, exact  in one unit, which need not be that of `written`, the number that was told
    """
    number = number_in(written)
    if not number:
        return abs(exact) <= _EXACT
    decimals = len(written.strip().removesuffix("%").strip().partition(".")[2])
    half: float = abs(told / float(number)) * 0.5 * 10.0**-decimals
    return abs(told - exact) <= max(_EXACT * abs(exact), min(half, 0.005 * abs(exact)))


def _minutes(moment: datetime) -> str:
    return moment.isoformat(timespec="minutes")
