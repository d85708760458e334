"""Speeds and paces from a distance and the time that it took."""

from __future__ import annotations

import re
from fractions import Fraction

from leadline.enrichers.amounts.ledger import Ledger
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
_SPEEDS = {"km": "km/h", "mile": "mph"}
_HOUR = Fraction(3600)


def derive_speeds(ledger: Ledger) -> None:
    """Derive the mean speed where it comes out even, and the time of one kilometre or mile."""
    passage = ledger.passage
    for match in passage.find(_IN):
        far = passage.amount(match["far"] or match["far2"])
        time = passage.amount(match["time"] or match["time2"])
        around = passage.marked[max(0, match.start() - 60) : match.end() + 30]
        if far.unit not in _SPEEDS or time.unit not in SECONDS or far.value <= 0 or time.value <= 0:
            continue
        if not _WENT.search(around) or _EACH.match(passage.marked, match.end()):
            continue
        seconds = time.value * SECONDS[time.unit]
        speed = far.value * _HOUR / seconds
        if (speed * 10).denominator == 1 and 1 <= speed < 1200:
            like = Amount("q", speed, _SPEEDS[far.unit], time.start, time.end)
            ledger.derive(like, speed, (far, time), "distance over time", confidence=0.7)
        pace = seconds / far.value / 60
        if pace.denominator == 1 and 2 < pace < 30 and far.value > 1:
            like = Amount("t", pace, "minute", time.start, time.end)
            ledger.derive(like, pace, (far, time), f"for one {far.unit}", confidence=0.5)
