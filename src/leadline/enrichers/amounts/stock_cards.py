"""Cards of a store: `on the shelf: three gross and two dozen; issued: five dozen`."""

from __future__ import annotations

import re
from fractions import Fraction

from leadline.enrichers.amounts.ledger import Ledger
from leadline.enrichers.amounts.passage import Amount

_LIST = r"(?P<{0}>§[nq]\d+§(?:(?: and |, )§[nq]\d+§)?)"
_HELD = re.compile(
    r"(?:^|[.;,:\n] ?)(?:the )?(?:counted|in stock|opening stock|stock|on hand|in hand"
    r"|on the shelf|in store|balance"
    r"|brought forward)\b[^.;§\n]{0,25}?: ?" + _LIST.format("held")
)
_OUT = re.compile(
    r"\b(?:issued|sold|used|shipped|sent out|withdrawn|drawn|dispatched|despatched|scrapped"
    r"|given out|taken)\b[^.;§\n]{0,25}?: ?" + _LIST.format("out")
)
_IN = re.compile(
    r"\b(?:received|delivered|returned|added|restocked|bought in)\b[^.;§\n]{0,25}?: ?"
    + _LIST.format("come")
)
_GROUPS = re.compile(r"\b(?:dozen|gross|score)\b")
_JOINED = re.compile(r"(?P<more>§n\d+§) and (?P<less>§n\d+§)")


def derive_stock_cards(ledger: Ledger) -> None:
    """Derive `three gross and two dozen` as a number, and what is left by a card."""
    passage = ledger.passage
    for match in passage.find(_JOINED):
        more, less = passage.amount(match["more"]), passage.amount(match["less"])
        words = [ledger.shown(each).lower() for each in (more, less)]
        if all(map(_GROUPS.search, words)) and more.value > less.value:
            span = (more.start, less.end)
            ledger.derive(more, more.value + less.value, (more, less), "both", relation=span)
    held = next(passage.find(_HELD), None)
    if held is None:
        return
    moves = [(-1, each["out"]) for each in _OUT.finditer(passage.marked, held.end())]
    moves += [(1, each["come"]) for each in _IN.finditer(passage.marked, held.end())]
    _card(ledger, _read(ledger, held["held"]), [(s, _read(ledger, m)) for s, m in moves])


def _read(ledger: Ledger, marks: str) -> list[Amount]:
    return [ledger.passage.amount(each) for each in re.findall(r"§\w\d+§", marks)]


def _card(ledger: Ledger, held: list[Amount], moves: list[tuple[int, list[Amount]]]) -> None:
    told = [*held, *(each for _, move in moves for each in move)]
    units = {(each.sort, each.unit) for each in told}
    if not moves or len(units) != 1 or {each.start for each in told} & ledger.spent:
        return
    value = sum((each.value for each in held), Fraction(0))
    for sign, move in moves:
        value += sign * sum((each.value for each in move), Fraction(0))
    span = (held[0].start, told[-1].end)
    if value > 0 and ledger.derive(held[0], value, told, "what is left in store", relation=span):
        ledger.spend(*told)
