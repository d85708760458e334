"""Prices that only the others pay: `a quarter were children, who get in free; the rest paid £6`."""

from __future__ import annotations

import re
from fractions import Fraction

from leadline.enrichers.amounts.counted import nouns_of
from leadline.enrichers.amounts.ledger import Ledger
from leadline.enrichers.amounts.passage import Amount

_OTHERS = re.compile(
    r"\b(?P<who>(?:everybody|everyone|anybody|anyone) else|(?:all )?the (?:rest|others|remainder)"
    r"|the other (?P<told>§n\d+§))(?: of (?:them|us))?,? (?:each |all )?(?:paid|pays?|gave|puts? in"
    r"|(?:were|are|was|is) charged|had to pay|has to pay|chipped in|coughed up)"
    r" (?:the |full |price |fare |only |just |a |me |us )*(?P<price>§m\d+§)(?! (?:between"
    r"|altogether"
    r"|in all|in total|together))"
)
_PART = re.compile(
    r"(?P<share>§[fpn]\d+§)(?: of (?:them|those|these|us|whom|which"
    r"|the [a-z]+))?(?: [a-z'’]+){0,4}?"
    r",? (?:who |which |that )?(?:(?:were|are|was|had|have|get|gets|got|came|went|go|goes|come)"
    r" )?(?:in )?[^.;§\n]{0,24}?\b(?:free|nothing|for nothing|gratis|complimentary|exempt"
    r"|no charge|comps?)\b"
)
_BACK = 260


def derive_others_pay(ledger: Ledger) -> None:
    """Derive what is paid where some of a crowd do not pay."""
    for match in ledger.passage.find(_OTHERS):
        _paid(ledger, match)


def _paid(ledger: Ledger, match: re.Match[str]) -> None:
    passage, marked = ledger.passage, ledger.passage.marked
    price, start = passage.amount(match["price"]), max(0, match.start() - _BACK)
    if price.start in ledger.spent or match["told"]:
        return
    for part in _PART.finditer(marked, start, match.start()):
        mark = passage.amount(part["share"])
        crowd = [
            each
            for each in passage.amounts
            if each.sort == "n" and each.value > 3 and each.value > mark.value
            and 0 <= mark.start - each.end < _BACK and nouns_of(passage, each)
        ]  # fmt: skip
        if crowd:
            gone = mark.value if mark.sort == "n" else crowd[-1].value * mark.part
            _enter(ledger, price, crowd[-1], mark, gone)
            return


def _enter(ledger: Ledger, price: Amount, whole: Amount, mark: Amount, gone: Fraction) -> None:
    rest = whole.value - gone
    if rest <= 0 or gone.denominator != 1 or mark.start in ledger.spent:
        return
    why = f"{ledger.shown(price)} × {rest}, the others"
    if ledger.derive(price, price.value * rest, (whole, mark, price), why):
        ledger.spend(price)
