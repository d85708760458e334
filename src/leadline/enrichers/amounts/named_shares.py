"""What people pay or get who are named and not counted: `Jo, Sal and I each paid £24`."""

from __future__ import annotations

import re
from fractions import Fraction

from leadline.enrichers.amounts.ledger import Ledger

_ONE = (
    r"(?:(?:[Mm]y|[Oo]ur|[Hh]is|[Hh]er|[Tt]he) (?:[a-z]+(?:-in-law)?)|[A-Z][a-z]+(?: [A-Z][a-z]+)?"
    r"|[Mm]e|I|myself|himself|herself|you|him|her|he|she|[Mm]um|[Dd]ad)"
)
_NAMES = rf"(?P<names>{_ONE}(?:, {_ONE})*,? (?:and|&) {_ONE})"
_EACH = re.compile(
    rf"{_NAMES},? (?:(?:have|has|had|will|would) )?(?:each|all|both)\b"
    rf"(?P<gap>[^.;§\n\d£$€₹]{{0,30}})"
)
_EACH_AFTER = re.compile(
    rf"{_NAMES}(?P<gap> (?:paid|pay|put in|chipped in|gave|got|received|owe|owes|contributed"
    rf"|earned|raised|brought|ate|walked|ran|scored|picked|won|threw in|are paying|will get"
    rf"|inherited|donated|have) )"
)
_SPLIT = re.compile(
    rf"\b(?:split|shared?|divided?|sharing|splitting|dividing)\b[^.;\n]{{0,40}}? (?:between|among"
    rf"|amongst) {_NAMES}"
)
_GROUP = re.compile(
    r"(?P<count>§n\d+§)(?: of (?:us|them|you|the [a-z]+)| (?:friends|people|sisters|brothers"
    r"|siblings|children|cousins|neighbours|neighbors|flatmates|housemates|colleagues|families"
    r"|partners|couples|heirs|kids|lads|girls|boys|mates|households|grandchildren|students"
    r"|roommates))"
    r",?(?: who| (?:all|then|have|will|can|are|were|agreed to|decided to|had to|is going to|going"
    r" to|usually|always|each|just|simply|to|would like to))*"
    r" (?P<verb>split|splits|splitting|share[ds]?|sharing|divide[ds]?|dividing|went (?:shares"
    r"|dutch|halves)|go(?:ing)? dutch|chip(?:ped)? in equally)\b(?P<gap>[^.;§\n]{0,30})"
)
_US_EACH = re.compile(
    r"\b(?:gave|give|gives|owes?|paid|pays|charged|cost|costs|handed|sent|tipped|promised|lent"
    r"|left|bought|got|offered) (?:us|them)(?: (?:each|all|both))? (?P<size>§[mqn]\d+§)(?:"
    r" [a-z]+){0,2}?(?P<each> each| apiece| a head)?(?! each other)"
)
_FOR_US = re.compile(
    r"(?P<total>§m\d+§)(?: (?:in total|altogether|all in|all told|in all|total|a night|a week))? "
    r"(?:for|between|among) "
    r"(?:the |all )+(?P<count>§n\d+§) of (?:us|them|you)\b(?! each)"
)
_HOW_MANY = re.compile(
    r"\b(?:there (?:are|were|is|was)(?: only)?|there['’]s|all|the|we (?:are|were)|both of us|for)"
    r"(?: the)? (?P<count>§n\d+§)(?: of (?:us|them)| (?:cousins|children|grandchildren|kids|staff"
    r"|siblings|sisters|brothers|people|workers|waiters|helpers|volunteers|girls|boys|players"
    r"|pupils))\b"
)
_SIZE = re.compile(r"(?P<size>§[mqtn]\d+§)(?! ?(?:off|of the|%))")


def derive_named_shares(ledger: Ledger) -> None:
    """Derive totals and equal parts among people who are named one by one, or as so many of us."""
    passage, text = ledger.passage, ledger.passage.text
    if " each" in text or " both " in text or " apiece" in text:
        for pattern in (_EACH, _EACH_AFTER):
            for match in pattern.finditer(text):
                _total(ledger, match)
    if any(
        word in passage.marked for word in ("split", "shar", "divid", "dutch", "halves", "chip")
    ):
        for match in _SPLIT.finditer(text):
            _part(ledger, match)
        for match in passage.find(_GROUP):
            _split_by(ledger, match)
    if " us" in text or " them" in text or " you" in text:
        for match in passage.find(_FOR_US):
            _for_us(ledger, match)
        for match in passage.find(_US_EACH):
            _us(ledger, match)


def _for_us(ledger: Ledger, match: re.Match[str]) -> None:
    total, count = (ledger.passage.amount(match[name]) for name in ("total", "count"))
    if count.value > 1 and total.start not in ledger.spent:
        why = f"{ledger.shown(total)} in {count.value} equal parts"
        ledger.derive(total, total.value / count.value, (total, count), why)


def _number(match: re.Match[str]) -> int:
    return len(re.split(r", (?:and |& )?| and | & ", match["names"]))


def _total(ledger: Ledger, match: re.Match[str]) -> None:
    passage = ledger.passage
    size = ledger.after(match.end(), "mqtn", within=14)
    if size is None or size.start in ledger.spent or size.sort == "f":
        return
    behind = passage.text[size.end : size.end + 24].lower()
    if match.re is _EACH_AFTER and not re.match(r"(?: [a-z]+)? (?:each|apiece|a piece)\b", behind):
        return
    if re.match(r" (?:%|of the|times)", behind):
        return
    number = _number(match)
    why = f"{number} times {ledger.shown(size)}"
    relation = match.span("names")
    if ledger.derive(size, size.value * number, (size,), why, relation=relation):
        ledger.spend(size)


def _part(ledger: Ledger, match: re.Match[str]) -> None:
    passage = ledger.passage
    number = _number(match)
    inside = [
        each
        for each in passage.amounts
        if each.sort == "m" and match.start() <= each.start < match.end()
    ]
    whole = inside[0] if inside else ledger.before(match.start(), "m", within=200)
    if whole is None or number < 3 or re.search(r"\d ?(?::|to) ?\d|unequal", match[0]):
        return
    why = f"{ledger.shown(whole)} in {number} equal parts"
    ledger.derive(whole, whole.value / number, (whole,), why, relation=match.span())


def _split_by(ledger: Ledger, match: re.Match[str]) -> None:
    passage = ledger.passage
    count = passage.amount(match["count"])
    if (
        count.value < 2
        or count.start in ledger.spent
        or re.match(r" (?:up|off|into|on)\b", match["gap"])
    ):
        return
    after = _SIZE.match(passage.marked, match.end())
    whole = passage.amount(after["size"]) if after else ledger.before(count.start, "m", within=160)
    if whole is None or whole.sort not in "mq":
        return
    why = f"{ledger.shown(whole)} in {count.value} equal parts"
    ledger.derive(whole, whole.value / count.value, (whole, count), why)


def _us(ledger: Ledger, match: re.Match[str]) -> None:
    passage = ledger.passage
    if not match["each"] and not re.search(r" (?:each|all|both) §", match[0]):
        return
    size = passage.amount(match["size"])
    found = next((each for each in passage.find(_HOW_MANY)), None)
    if found is None or size.start in ledger.spent:
        return
    count = passage.amount(found["count"])
    if (
        count.value > Fraction(1)
        and count.start != size.start
        and abs(count.start - size.start) < 160
    ):
        why = f"{ledger.shown(count)} times {ledger.shown(size)}"
        if ledger.derive(size, size.value * count.value, (size, count), why):
            ledger.spend(size)
