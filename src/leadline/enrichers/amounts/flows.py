"""What goes out and what comes in, told side by side: `145 went out and 90 came in`."""

from __future__ import annotations

import re

from leadline.enrichers.amounts.ledger import Ledger
from leadline.enrichers.amounts.measures import is_alike, value_as
from leadline.enrichers.amounts.passage import Amount

_OUT = (
    r"(?:went (?:out|home|down|missing)?|left|sold|(?:was|were|are|been|got|have been|has been)? ?"
    r"(?:sold|issued|shipped|dispatched|despatched|used|lost|removed|scrapped|withdrawn|taken(?:"
    r" out| away)?"
    r"|sent out|lent(?: out)?|cut|culled|drawn(?: off)?|discharged|cancelled)|died|moved (?:out"
    r"|away)|g[eo]t(?:s|ting)? off|alighted|retired|resigned|checked out|departed|flew (?:off"
    r"|away)|out\b|outgoing|deaths|departures|leavers|withdrawals)"
)
_IN = (
    r"(?:came (?:in|back|on)|(?:was|were|are|been|got|have been|has been)? ?(?:returned|delivered"
    r"|received|added|bought|hired|recruited|born|restocked|admitted|brought (?:in|back)|taken on"
    r"|planted|laid)"
    r"|arrived|joined|moved in|g[eo]t(?:s|ting)? on|boarded|checked in|signed up|turned up|hatched"
    r"|in\b|incoming|births|arrivals|joiners|new(?: ones)?|deliveries)"
)
_FILL = (
    r"(?: (?:of (?:them|those|these|it)|more|others?|further|new|then|later|have|had|also|since|"
    r"(?!§|and|but|out|in|new)[a-z]+))*?"
)
_JOIN = (
    r"(?: [a-z]+){0,5}?(?:,? (?:and|but|while|then|whereas)|,|;|\.)(?: (?:another|a further|only"
    r"|just|then|in|the|same|week|day|month|that|on|at|stop|next|also))*"
)
_BOTH = re.compile(
    rf"(?P<out>§[nq]\d+§){_FILL} {_OUT}{_JOIN} (?P<in>§[nq]\d+§){_FILL} {_IN}"
    rf"|(?P<in2>§[nq]\d+§){_FILL} {_IN}{_JOIN} (?P<out2>§[nq]\d+§){_FILL} {_OUT}"
)
_BASE = re.compile(
    r"\b(?:stock|had|has|have|were|was|start\w*|beg[au]n|opened|opening|held|holding|there|with|at"
    r"|of|balance|carrying|members?|aboard|on board|numbered|population)\b[^.;§]{0,30}$"
)


def derive_flows(ledger: Ledger) -> None:
    """Derive what there is after so much went out and so much came in."""
    passage = ledger.passage
    for match in passage.find(_BOTH):
        gone = passage.amount(match["out"] or match["out2"])
        come = passage.amount(match["in"] or match["in2"])
        first = min(gone.start, come.start)
        base = _base(ledger, gone, first)
        if base is None or {gone.start, come.start, base.start} & ledger.spent:
            continue
        if passage.doubts([(gone.start, gone.end), (come.start, come.end)]):
            continue
        value = base.value - value_as(gone, base) + value_as(come, base)
        if value > 0 and value_as(gone, base) <= base.value:
            ledger.derive(base, value, (base, gone, come), "less what went, with what came")
            ledger.spend(base, gone, come)


def _base(ledger: Ledger, gone: Amount, first: int) -> Amount | None:
    passage = ledger.passage
    for amount in reversed(passage.amounts):
        if amount.end > first or amount.sort != gone.sort or not is_alike(amount, gone):
            continue
        if first - amount.end > 220:
            return None
        lead = passage.text[max(0, amount.start - 50) : amount.start].lower()
        tail = passage.text[amount.end : amount.end + 30].lower()
        if _BASE.search(lead) or re.match(r" [a-z]+ (?:in stock|on board|aboard|on the|at)", tail):
            return amount
    return None
