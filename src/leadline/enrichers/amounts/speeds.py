"""Speeds from a distance and the time that it took."""

from __future__ import annotations

import re

from leadline.enrichers.amounts.ledger import Ledger
from leadline.enrichers.amounts.measures import ratio_of_units
from leadline.enrichers.amounts.passage import Amount

_IN_TIME = re.compile(
    r"(?P<way>§q\d+§)(?P<gap>[^.;§\n]{0,60}?)\b(?:in|took(?: (?:me|us|him|her|them))?|takes"
    r"|over in|lasted|within"
    r"|after|on the road for) (?:just |only |about |exactly |a time of )?(?P<time>§[tc]\d+§)"
    r"|(?P<time2>§[tc]\d+§)(?P<gap2>[^.;§\n]{0,30}?)\b(?:for|to (?:cover|do|drive|run|walk|ride"
    r"|cycle|row|fly|climb"
    r"|sail|travel|make)) (?:the |a |all |those |its )?(?P<way2>§q\d+§)"
)
_SPEEDS = {"km": "km/h", "mile": "mph", "m": "km/h"}


def derive_mean_speeds(ledger: Ledger) -> None:
    """Derive the mean speed of `164 km, over in four hours`, whatever the verb."""
    for match in ledger.passage.find(_IN_TIME):
        way = ledger.passage.amount(match["way"] or match["way2"])
        time = ledger.passage.amount(match["time"] or match["time2"])
        speed = _mean_speed(way, time)
        if speed is not None and not {way.start, time.start} & ledger.spent:
            ledger.derive(speed, speed.value, (way, time), "distance by time", confidence=0.7)


def _mean_speed(way: Amount, time: Amount) -> Amount | None:
    """Return a speed, None where it does not come out to a tenth."""
    hours = time.value * (ratio_of_units(time.unit, "hour") or 0)
    if way.unit not in _SPEEDS or hours <= 0:
        return None
    value = way.value / hours / (1000 if way.unit == "m" else 1)
    is_even = (value * 10).denominator == 1
    return Amount("q", value, _SPEEDS[way.unit], way.start, way.end) if is_even else None
