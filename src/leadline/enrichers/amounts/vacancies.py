"""Places or members and how many of them are taken or there: what is free, who is not."""

from __future__ import annotations

import re

from leadline.enrichers.amounts.counted import nouns_of
from leadline.enrichers.amounts.ledger import Ledger
from leadline.enrichers.amounts.measures import is_alike, value_as
from leadline.enrichers.amounts.passage import Amount

_WHOLE = re.compile(
    r"\b(?:capacity|(?:full |total )?membership|(?:full )?complement|enrol?ment|roll|class size"
    r"|headcount|establishment|workforce|crew|maximum|limit|places?|room|space|seating|berths)"
    r"(?: (?:of|is|was|are|for|stands at|stood at|available|on board|in all))*:? ?(?P<after>§n\d+§)"
    r"|(?P<before>§n\d+§)[ -](?:[a-z]+ )?(?:seats?|seater|places|spaces|rooms|beds|berths|pitches"
    r"|stalls|desks|bays|tables|members|tickets|slots|lockers|plots|flats|pupils on roll)\b"
    r"(?: (?:in|at|on) (?:the|our|each|all) ?[a-z]*)?"
    r"|\b(?:seats|holds|sleeps|accommodates|fits|takes)(?: up to)? (?P<held>§n\d+§)(?! (?:each"
    r"|hours))"
)
_TAKEN = re.compile(
    r"(?P<part>§n\d+§)(?P<noun>(?: (?!§|of\b)[a-z'’-]+){0,2}?)(?: (?:are|were|was|is|have|has|had"
    r"|been"
    r"|already|now|so far|currently))*"
    r" (?:(?P<taken>sold|taken|booked|filled|occupied|reserved|gone|in use|let|spoken for|signed up"
    r"|registered|enrolled|confirmed|present|attended|turned up|came|showed up|coming|on board"
    r"|accepted|said yes|replied)"
    r"|(?P<free>free|empty|vacant|unsold|available|unoccupied|unfilled|spare|absent|away|off"
    r" sick))\b"
    r"(?! (?:by|to (?!date)|at|for §m))"
)
_LEFT_OF = re.compile(
    r"(?P<left>§[nqmt]\d+§)(?: [a-z]+)? (?:left|remaining|to go|unused|unspent)(?: out)? of"
    r" (?:my|the|our|an?|his|her|its|their|your)(?: (?:original|full|total|monthly|daily))?"
    r" (?P<whole>§[nqmt]\d+§)"
)
_REACH = 160


def derive_vacancies(ledger: Ledger) -> None:
    """Derive what is free of so many places, who is not there of so many, and what is used up."""
    passage = ledger.passage
    for match in passage.find(_LEFT_OF):
        _used(ledger, passage.amount(match["left"]), passage.amount(match["whole"]))
    for match in passage.find(_TAKEN):
        _vacant(ledger, match)


def _vacant(ledger: Ledger, match: re.Match[str]) -> None:
    passage = ledger.passage
    part = passage.amount(match["part"])
    if part.start in ledger.spent or passage.doubts([(part.start, part.end)]):
        return
    wholes = [
        (abs(whole.start - part.start), whole.start, whole)
        for each in passage.find(_WHOLE)
        if (whole := passage.amount(each["after"] or each["before"] or each["held"]))
        and whole.start != part.start
        and whole.value > part.value
        and abs(whole.start - part.start) <= _REACH
    ]
    wholes += _rooms(ledger, part)
    if not wholes:
        return
    whole = min(wholes)[2]
    nouns, own = nouns_of(passage, part), nouns_of(passage, whole)
    if whole.value >= part.value * 60 or (whole.start in ledger.spent and whole in passage.amounts):
        return
    why = f"{ledger.shown(whole)} less {ledger.shown(part)}"
    if nouns and own and nouns == own and " of " in passage.text[whole.end : part.start][:12]:
        return
    if ledger.derive(whole, whole.value - part.value, (whole, part), why, confidence=0.7):
        ledger.spend(part, whole)


def _rooms(ledger: Ledger, part: Amount) -> list[tuple[int, int, Amount]]:
    """Return the numbers of places that were derived: two coaches of 49 seats."""
    found = []
    for entry in ledger.entries:
        words = ledger.passage.text[entry.amount.start : entry.amount.end + 12].lower()
        is_room = entry.amount.sort == "n" and re.search(r"\b(?:seat|place|bed|berth|space)", words)
        if is_room and entry.amount.value > part.value and part.start - entry.amount.end < _REACH:
            found.append((abs(entry.amount.start - part.start), entry.amount.start, entry.amount))
    return found


def _used(ledger: Ledger, left: Amount, whole: Amount) -> None:
    if whole.sort == "n" and left.sort != "n":
        whole = Amount(left.sort, whole.value, left.unit, whole.start, whole.end)
    if not is_alike(left, whole) or {left.start, whole.start} & ledger.spent:
        return
    rest = value_as(left, whole)
    if not 0 < rest < whole.value:
        return
    operands = (whole, left)
    if ledger.derive(whole, whole.value - rest, operands, "what is used up"):
        percent = Amount("p", rest, "", left.start, left.end)
        used = (whole.value - rest) / whole.value * 100
        ledger.derive(percent, used, operands, "share that is used up", confidence=0.6)
        ledger.spend(left, whole)
