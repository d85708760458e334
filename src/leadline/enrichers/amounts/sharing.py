"""Things and measures in equal parts: cherries between four, a rope in eight lengths."""

from __future__ import annotations

import re
from fractions import Fraction

from leadline.enrichers.amounts.counted import nouns_of
from leadline.enrichers.amounts.ledger import Ledger
from leadline.enrichers.amounts.passage import Amount

_VERB = (
    r"(?:split|splitting|divid(?:ed?|ing)|shar(?:ed?|es|ing)|cut|cutting|spread|deal(?:t"
    r"|ing)?(?: out)?|distribut(?:ed?|ing)"
    r"|poured|pour|sawn|sliced|slice|broke(?:n)? up|pack(?:ed)?|allot(?:ted)?|ration(?:ed)?"
    r"|allocat(?:ed?|ing)|sort(?:ed)?"
    r"|arranged?|placed?|set out|planted|handed out|weigh(?:ed)? out|decant(?:ed)?|bottled?|bagged)"
)
_INTO = re.compile(
    rf"\b{_VERB}\b(?P<gap>[^.;\n]{{0,70}}?)\b(?:into|between|among|amongst|across|over|by"
    rf"|in) (?:the |our |my |his |her |their"
    r" |its |all |these |exactly )*(?P<count>§[nt]\d+§)(?P<equal> (?:equal|even"
    r"|identical))?(?P<noun> [a-z]+)?"
)
_GROUP = re.compile(
    r"(?P<count>§n\d+§) (?:of (?:us|them|you)|people|friends|children|sisters|brothers|boys|girls"
    r"|families|neighbours"
    r"|heirs|players|kids|households|hikers|walkers|campers)(?: [a-z'’]+){0,2}? (?:shared?|split"
    r"|divided?|to share)"
    r"(?: [a-z'’-]+){0,2}? (?P<whole>§[qtn]\d+§)"
)
_LASTS = re.compile(
    r"(?P<whole>§[q]\d+§)(?! ?(?:an?|per|each|every|/)\b)(?P<gap>[^.;\n§]{0,45}?)\b(?:lasts?"
    r"|lasted|feeds?|fed|keeps?|kept"
    r"|supplies|supplied|does|did|will do|is enough for"
    r"|has to last)\b[^.;\n§]{0,25}?(?P<count>§[t]\d+§)"
)
_TOTAL = re.compile(
    r"(?P<whole>§[nq]\d+§)(?P<noun>(?: [a-z'’-]+){0,3}?) (?:in all |altogether |in total )?(?:over"
    r"|in|from|across|during|on|for)"
    r" (?:the |all |his |her |its |their |our |just |only "
    r"|last )*(?P<count>§[nt]\d+§)(?P<unit> [a-z]+)?"
)


def derive_sharing(ledger: Ledger) -> None:
    """Derive equal parts of things and measures; money is shared elsewhere."""
    passage = ledger.passage
    for match in passage.find(_INTO):
        count = passage.amount(match["count"])
        inside = re.findall(r"§[nqt]\d+§", match["gap"])
        whole = passage.amount(inside[-1]) if inside else _before(ledger, match)
        _divide(ledger, whole, count, is_equal=bool(match["equal"]))
    for pattern in (_GROUP, _LASTS):
        for match in passage.find(pattern):
            _divide(
                ledger,
                passage.amount(match["whole"]),
                passage.amount(match["count"]),
                is_equal=True,
            )
    if re.search(r"\b(?:averag\w+|mean)\b", passage.marked):
        for match in passage.find(_TOTAL):
            whole, count = passage.amount(match["whole"]), passage.amount(match["count"])
            _divide(ledger, whole, count, is_equal=True)


def _before(ledger: Ledger, match: re.Match[str]) -> Amount | None:
    """Return what is divided, where it is told before the verb."""
    start = ledger.passage.place(match.start())
    near = [
        each
        for each in ledger.all("nq")
        if each.end <= start and start - each.end < 110
        and (
            each.sort == "q"
            or nouns_of(ledger.passage, each)
            or each not in ledger.passage.amounts
        )
    ]  # fmt: skip
    return max(near, key=lambda each: each.end, default=None)


def _divide(ledger: Ledger, whole: Amount | None, count: Amount, *, is_equal: bool) -> None:
    if whole is None or whole == count or count.value < 2 or count.value.denominator != 1:
        return
    if {whole.start, count.start} & ledger.spent or whole.value == count.value:
        return
    part = whole.value / count.value
    if whole.sort == "n" and (part.denominator != 1 or part < 1):
        return
    if (part * 100).denominator != 1 and not is_equal:
        return
    if (part * 1000).denominator != 1:
        return
    why = f"{ledger.shown(whole)} in {ledger.shown(count)} equal parts"
    if ledger.derive(whole, Fraction(part), (whole, count), why, confidence=0.7):
        ledger.spend(count)
