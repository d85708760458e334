"""What there was before a growth that is told with its outcome: `has doubled since, now 46,000`."""

from __future__ import annotations

import re
from dataclasses import replace

from leadline.enrichers.amounts.ledger import Ledger

_SINCE = re.compile(
    r"(?P<times>§x\d+§)(?: in (?:size|number|price|value|length|weight))?"
    r" (?:since|from|over|in|within) (?!§)[^.;§\n]{1,45}?(?:,|;| and| to)(?: (?:it|they|there|the"
    r" [a-z]+))?(?: (?:(?:(?:has|have) )?(?:now|today|currently)(?: (?:has|have))?))?(?: (?:stands?"
    r"|stood) at| is| are| numbers?| comes to| has reached| reached| costs?| we now have)"
    r" (?:now |just |about )?(?P<now>§[nqm]\d+§)(?! (?:times|per cent|an?|each|per|years?"
    r"|months?)\b)"
)
_AT = re.compile(
    r"\b(?P<way>up|down)(?: by)? (?P<step>§[nqpy]\d+§)(?: points?)?,? (?:at|on|to|with) "
    r"(?P<now>§[nqp]\d+§)(?! (?:each|per|an?)\b)"
)
_VOTE = re.compile(r"\b(?:per ?cent|vote|poll|share|points)\b|%")
_AMOUNTS = re.compile(r"§p\d+§")


def derive_earlier_values(ledger: Ledger) -> None:
    """Derive what there was before it doubled, or before it went up by so many."""
    passage = ledger.passage
    for match in passage.find(_SINCE):
        times, now = (passage.amount(match[name]) for name in ("times", "now"))
        if times.value in (0, 1) or {times.start, now.start} & ledger.spent:
            continue
        value = now.value / times.value
        if now.sort != "n" or value.denominator == 1:
            why = f"before it {ledger.shown(times)}"
            if ledger.derive(now, value, (times, now), why):
                ledger.spend(times)
    for match in passage.find(_AT):
        step, now = (passage.amount(match[name]) for name in ("step", "now"))
        if {step.start, now.start} & ledger.spent or {step.sort, now.sort} - {"n"} == {"p", "q"}:
            continue
        lead = passage.marked[max(0, match.start() - 150) : match.start()]
        is_share = _AMOUNTS.search(lead) and passage.first(_VOTE)
        like = replace(now, sort="p") if is_share and now.sort == "n" else now
        if like.sort != now.sort or step.sort in (now.sort, "n") or like.sort + step.sort == "py":
            value = now.value - step.value if match["way"] == "up" else now.value + step.value
            why = f"before it went {match['way']}"
            if value > 0 and ledger.derive(like, value, (step, now), why, confidence=0.7):
                ledger.spend(step, now)
