"""Notes, coins and scores named by their worth: `two tenners and a fiver`, `eleven fours`."""

from __future__ import annotations

import re
from fractions import Fraction

from leadline.enrichers.amounts.ledger import Ledger
from leadline.enrichers.amounts.money import UNKNOWN
from leadline.enrichers.amounts.passage import Amount

_WORTH: dict[str, tuple[Fraction, str]] = {
    "fiver": (Fraction(5), ""),
    "tenner": (Fraction(10), ""),
    "twenty": (Fraction(20), ""),
    "fifty": (Fraction(50), ""),
    "quarter": (Fraction(1, 4), "USD"),
    "dime": (Fraction(1, 10), "USD"),
    "nickel": (Fraction(1, 20), "USD"),
}
_NAME = r"fivers?|tenners?|twenties|fifties|quarters|dimes?|nickels?"
_ITEM = re.compile(
    rf"(?:(?P<count>§n\d+§)|(?P<one>\ban?|\bone)) (?:crisp |old |new |crumpled |spare )?"
    rf"(?P<name>{_NAME})\b(?! (?:of|to|past|past|mile|final|hour))"
)
_RUNS = re.compile(
    r"(?P<a>§n\d+§|\ba|\bone) (?P<first>fours?|sixe?s?|boundaries)(?:,? and |, )(?P<b>§n\d+§|a"
    r"|one) (?P<second>sixe?s?|fours?)\b"
)
_LONE_RUNS = re.compile(
    r"\b(?:hit|struck|smashed|smote|clubbed|with|including|scored) (?P<a>§n\d+§) (?P<first>fours"
    r"|sixes)\b"
)
_CRICKET = re.compile(
    r"\b(?:innings|wickets?|overs?|runs?|bat(?:s|ted|ting|sman|ter)?|bowl\w*|unbeaten|not out|hit"
    r"|struck|smashed|clubbed|boundar\w+|century|fifty)\b"
)


def derive_denominations(ledger: Ledger) -> None:
    """Derive what notes and coins come to that are named, and the runs in boundaries."""
    passage = ledger.passage
    items = []
    for match in passage.find_all(_ITEM):
        name = match["name"]
        name = {"twenties": "twenty", "fifties": "fifty"}.get(name, name.removesuffix("s"))
        if name in ("quarter", "dime", "nickel") and not re.search(
            r"\b(?:dimes?|nickels?|penn(?:y|ies))\b", passage.marked
        ):
            continue
        worth, currency = _WORTH[name]
        items.append((_count(ledger, match), worth, currency or passage.currency))
    if items:
        _coins(ledger, items)
    for match in passage.find(_RUNS):
        _boundaries(ledger, match)
    for match in passage.find(_LONE_RUNS):
        if passage.first(_CRICKET) and passage.amount(match["a"]).start not in ledger.spent:
            count = passage.amount(match["a"])
            runs = count.value * (4 if match["first"][0] == "f" else 6)
            ledger.derive(count, runs, (count,), f"runs in {match['first']}", confidence=0.6)


def _count(ledger: Ledger, match: re.Match[str]) -> Amount:
    if match["count"]:
        return ledger.passage.amount(match["count"])
    start = ledger.passage.place(match.start())
    return Amount("n", Fraction(1), "", start, ledger.passage.place(match.end()), True)


def _coins(ledger: Ledger, items: list[tuple[Amount, Fraction, str]]) -> None:
    total = sum((count.value * worth for count, worth, _ in items), Fraction(0))
    first, last = items[0][0], items[-1][0]
    if last.start - first.start > 120 or (len(items) == 1 and first.value < 2):
        return
    currency = items[0][2] if items[0][2] != UNKNOWN else "GBP"
    like = Amount("m", total, currency, first.start, last.end)
    ledger.derive(
        like, total, [count for count, _, _ in items], "what they come to", confidence=0.7
    )


def _boundaries(ledger: Ledger, match: re.Match[str]) -> None:
    if match["first"][0] == match["second"][0]:
        return
    total, operands = Fraction(0), []
    for group, name in (("a", "first"), ("b", "second")):
        words = match[group]
        if words.startswith("§"):
            count = ledger.passage.amount(words)
        else:
            start = ledger.passage.place(match.start(group))
            count = Amount("n", Fraction(1), "", start, start + len(words), True)
        total += count.value * (6 if match[name][0] == "s" else 4)
        operands.append(count)
    if total > 10 and ledger.derive(
        operands[0], total, operands, "runs in boundaries", confidence=0.7
    ):
        ledger.spend(*operands)
