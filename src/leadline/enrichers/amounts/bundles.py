"""Things that cost less together: `guitar £240, amp £85, both for £300`."""

from __future__ import annotations

import re
from fractions import Fraction

from leadline.enrichers.amounts.ledger import Ledger

_TOGETHER = re.compile(
    r"\b(?:(?:buy|take|have|get|book|do|for|or|as|if you (?:take|buy|want)|i['’]d take|will take"
    r"|take) )?(?:the )?"
    r"(?P<what>both(?: together| of them| items)?|pair|two(?: together)?|all (?:three|four|five"
    r"|six)|lot|set|bundle|everything|together|combined ticket|joint ticket|combo|whole lot|all of"
    r" (?:it|them)|job lot)"
    r"(?: (?:is|are|at|for|go(?:es)?|going|would be|will be|come(?:s)?|price|only|just|to|cost"
    r"(?:s)?|priced|sold|yours|together|can be had|now))*"
    r"(?:,|:| -| –| =|@)? ?(?P<price>§m\d+§)(?! ?(?:each|apiece|a|per|off|less|more|cheaper"
    r"|extra)\b)"
    r"|(?:\bor|,|;|\bbut|[-–(])(?: (?:only|just|take|buy|get|it['’]s))? (?P<later>§m\d+§)(?: for)?"
    r" (?:the )?(?P<which>both|pair|two|all (?:three|four|five)|lot|set|together)\b"
)
_APART = re.compile(r"\b(?:per|deposit|was|were|rrp|delivery|postage|off)\b")


def derive_bundles(ledger: Ledger) -> None:
    """Derive what things cost one by one, and what taking them together saves."""
    passage = ledger.passage
    for match in passage.find(_TOGETHER):
        price, start = (
            passage.amount(match["price"] or match["later"]),
            passage.place(match.start()),
        )
        singles = [
            each
            for each in passage.amounts
            if each.sort == "m" and each.unit == price.unit and each.end <= start
            and start - each.end < 160 and each.start not in ledger.spent
        ]  # fmt: skip
        if not 2 <= len(singles) <= 6 or price.start in ledger.spent:
            continue
        between = passage.text[singles[0].start - min(20, singles[0].start) : price.start].lower()
        if (
            "negated" in passage.doubts([(start, price.end)])
            or _APART.search(between)
            or " each" in between
        ):
            continue
        told = {"two": 2, "both": 2, "pair": 2, "three": 3, "four": 4, "five": 5, "six": 6}
        wanted = next(
            (
                size
                for word, size in told.items()
                if word in (match["what"] or match["which"]).split()
            ),
            0,
        )
        singles = singles[-wanted:] if wanted else singles
        total = sum((each.value for each in singles), Fraction(0))
        if max(each.value for each in singles) < price.value < total:
            operands = [*singles, price]
            ledger.derive(price, total, singles, "the sum", confidence=0.7)
            ledger.derive(
                price, total - price.value, operands, "saved by taking all", confidence=0.7
            )
            ledger.spend(*singles, price)
