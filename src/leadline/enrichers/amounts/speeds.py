"""Speeds and paces from a distance and the time that it took."""

from __future__ import annotations

import re

from leadline.enrichers.amounts.ledger import Ledger
from leadline.enrichers.amounts.measures import ratio_of_units
from leadline.enrichers.amounts.passage import Amount
from leadline.enrichers.amounts.units import SECONDS

_WENT = re.compile(
    r"\b(?:dr[oi]ve[ns]?|driving|ran|runs?|running|walk\w*|cycl\w*|rode|ridden|flew|flies|flown"
    r"|travel\w*|cover\w*|sail\w*|sw[ua]m|hik\w*|paddl\w*|row(?:ed|ing|s)"
    r"|did|does|trip|journey|ride|went|goes|took|takes|took us|march\w*|steam\w*|made|jogg?\w*"
    r"|pedal\w*|tramp\w*|lap|race[ds]?|marathon|flight|distance|finish\w*)\b"
)
_IN = re.compile(
    r"(?P<far>§q\d+§)(?P<gap>(?: (?!§)[a-z'’,-]+){0,6}?),? (?:in|took(?: [a-z]+)?|takes(?:"
    r" [a-z]+)?|lasted|taking)(?: (?:just|only|about|exactly|under))? (?P<time>§[tc]\d+§)"
    r"|\b(?:took|takes|in|spent)(?: (?:me|us|him|her|them|just|only))* (?P<time2>§[tc]\d+§) (?:to "
    r"(?:drive|run|walk|cycle|ride|fly|travel|cover|sail|swim|hike|paddle|row|do|go|march|complete"
    r"|finish)"
    r"|for|(?:driving|running|walking|cycling|covering|flying))(?: (?:the|all|those|about|a|its))*"
    r" (?P<far2>§q\d+§)"
)
_EACH = re.compile(r"^(?: [a-z]+)? (?:a|each|per|every) |^ (?:time|days?)\b")
_IN_TIME = re.compile(
    r"(?P<way>§q\d+§)(?P<gap>[^.;§\n]{0,60}?)\b(?:in|took(?: (?:me|us|him|her|them))?|takes"
    r"|over in|lasted|within"
    r"|after|on the road for) (?:just |only |about |exactly |a time of )?(?P<time>§[tc]\d+§)"
    r"|(?P<time2>§[tc]\d+§)(?P<gap2>[^.;§\n]{0,30}?)\b(?:for|to (?:cover|do|drive|run|walk|ride"
    r"|cycle|row|fly|climb"
    r"|sail|travel|make)) (?:the |a |all |those |its )?(?P<way2>§q\d+§)"
)
_SPEEDS = {"km": "km/h", "mile": "mph", "m": "km/h"}


def derive_speeds(ledger: Ledger) -> None:
    """Derive the mean speed where it comes out even, and the time of one kilometre or mile."""
    passage = ledger.passage
    for match in passage.find(_IN):
        far = passage.amount(match["far"] or match["far2"])
        time = passage.amount(match["time"] or match["time2"])
        around = passage.marked[max(0, match.start() - 60) : match.end() + 30]
        if far.unit not in ("km", "mile") or time.unit not in SECONDS:
            continue
        if far.value <= 0 or time.value <= 0:
            continue
        if not _WENT.search(around) or _EACH.match(passage.marked, match.end()):
            continue
        speed = _mean_speed(far, time)
        if speed is not None and 1 <= speed.value < 1200:
            ledger.derive(speed, speed.value, (far, time), "distance over time", confidence=0.7)
        pace = time.value * SECONDS[time.unit] / far.value / 60
        if pace.denominator == 1 and 2 < pace < 30 and far.value > 1:
            like = Amount("t", pace, "minute", time.start, time.end)
            ledger.derive(like, pace, (far, time), f"for one {far.unit}", confidence=0.5)


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
