"""So many of a size: eight boxes of 24, six 20-minute sessions, tablets of 500 mg thrice daily."""

from __future__ import annotations

import re
from fractions import Fraction

from leadline.enrichers.amounts.counted import singular
from leadline.enrichers.amounts.dimensions import is_stop
from leadline.enrichers.amounts.ledger import Ledger
from leadline.enrichers.amounts.measures import ratio_of_units
from leadline.enrichers.amounts.passage import Amount

_HOLD = re.compile(
    r"(?P<count>§n\d+§)(?P<nouns>(?: (?!of\b|with\b|at\b)[a-z'’-]+){1,3}?),? (?:each )?(?:of|with"
    r"|holding|containing"
    r"|carrying|at|measuring|weighing|lasting) (?P<size>§[nqt]\d+§)(?! of (?:the|them|those)\b)"
)

_SIZED = re.compile(
    r"(?P<count>§n\d+§)(?: (?!(?:of|to|or|by|x|and)\b)[a-z'’-]+)? (?P<size>§[qt]\d+§)[ -]"
    r"(?P<noun>[a-z'’-]+ )?(?P<last>[a-z'’-]+s)\b"
)

_LAPS = re.compile(
    r"(?P<count>§[nx]\d+§)(?: (?:lengths|laps|widths|circuits|rounds|loops|times|trips|runs))?"
    r" (?:of|round|around|along|up|down|over|across|through|in) (?:the |a |an |our |its "
    r"|that )(?:[a-z]+ )?"
    r"(?P<size>§q\d+§)"
)

_DOSE = re.compile(
    r"(?:(?P<count>§n\d+§) (?:x |of )?)?(?P<size>§[qn]\d+§)?(?:,? (?!daily|a\b|every\b|each\b"
    r"|per\b)[a-z]+){0,3}?,?"
    r" (?:(?P<often>§x\d+§|§n\d+§ times|once)(?: (?:daily|a day|per day|every day|each day"
    r"|in the day))"
    r"|every (?P<hours>§t\d+§)|(?P<meals>with (?:each|every) meal"
    r"|(?:in the )?morning,? noon and night"
    r"|at (?:each|every) meal)|(?P<both>morning and (?:evening|night)|night and morning|(?:every"
    r"|each) morning"
    r" and (?:every |each )?(?:evening|night)))"
    r"(?:,? (?:after|before|with|on) (?:food|meals?|eating|an empty stomach|water|milk))?"
    r"(?:(?:,?(?: and)? (?:for|over)|,| x| ×) (?:the |a full |a )?(?:next )?(?P<days>§t\d+§|week\b"
    r"|fortnight\b))?"
)

_DOSED = re.compile(
    r"daily|(?:a|per|every|each) day|in the day|(?:each|every) (?:meal|morning|§t)|morning"
)

_FOUR_OF_THEM = re.compile(
    r"(?P<size>§[qt]\d+§)[ -](?:[a-z'’-]+ )?[a-z'’-]+s,? (?:and )?(?P<count>§n\d+§) of (?:them"
    r"|those|these)\b"
)

_MANY = 99
_EACH_WAY = re.compile(r"(?P<leg>§c\d+§),? (?:each|either) way\b")


def derive_doses(ledger: Ledger) -> None:
    """Derive what so many of a size come to: boxes of 24, tablets of 500 mg thrice daily."""
    _dose(ledger)
    _held(ledger)


def _held(ledger: Ledger) -> None:
    """Read `eight boxes of 24`, `six 20-minute sessions`, `five times round the 2.5 km loop`."""
    for match in ledger.passage.find(_EACH_WAY):
        leg = ledger.passage.amount(match["leg"])
        ledger.derive(leg, leg.value * 2, (leg,), "there and back")
    for pattern in (_HOLD, _SIZED, _LAPS, _FOUR_OF_THEM):
        for match in ledger.passage.find(pattern):
            count, size = (ledger.passage.amount(match[name]) for name in ("count", "size"))
            if {count.start, size.start} & ledger.spent or count.value < 2:
                continue
            if pattern is _SIZED and size.unit in ("mm", "inch"):
                continue  # two 5 mm holes
            nouns = match["nouns"].split() if "nouns" in match.re.groupindex else []
            if nouns and (is_stop(nouns[0]) or singular(nouns[-1]) == nouns[-1]):
                continue
            if (
                re.search(r"\bat $", match[0][: match.start("size") - match.start()])
                and size.sort != "q"
            ):
                continue
            tail = ledger.passage.marked[match.end() : match.end() + 40]
            is_with = re.search(r"\bwith §n\d+§$", match[0])
            if is_with and not re.search(r"\b(?:each|apiece|per)\b", match[0] + tail):
                continue
            why = f"{ledger.shown(count)} × {ledger.shown(size)}"
            if ledger.derive(size, count.value * size.value, (count, size), why, confidence=0.75):
                ledger.spend(count, size)


def _dose(ledger: Ledger) -> None:
    """Read `two 500 mg tablets three times daily for ten days`."""
    passage = ledger.passage
    for match in passage.find(_DOSE) if passage.first(_DOSED) else ():
        named = [match[name] for name in ("count", "size") if match[name]]
        if not named:
            continue
        parts = [passage.amount(mark) for mark in named]
        times, operands = _often(ledger, match)
        if times <= 0:
            continue
        days = Fraction(0)
        if match["days"]:
            period = passage.amount(match["days"]) if match["days"][0] == "§" else None
            ratio = ratio_of_units(period.unit, "day") if period else None
            days = period.value * ratio if period and ratio else Fraction(0)
            days = {"week": Fraction(7), "fortnight": Fraction(14)}.get(match["days"], days)
            operands += [period] if period else []
        count = parts[0].value if parts[0].sort == "n" else Fraction(1)
        for part in (parts[0], parts[-1]) if len(parts) > 1 else (parts[0],):
            one = count * part.value if part.sort == "q" and len(parts) > 1 else part.value
            for total in (one * times, one * times * days):
                if total and total != part.value:
                    ledger.derive(part, total, [*parts, *operands], "of all doses", among=_MANY)
        ledger.spend(*parts, *operands)


def _often(ledger: Ledger, match: re.Match[str]) -> tuple[Fraction, list[Amount]]:
    """Return how many doses there are a day, and what says so."""
    passage = ledger.passage
    if match["often"] and match["often"] != "once":
        amount = passage.amount(match["often"].split()[0])
        return amount.value, [amount]
    if match["hours"]:
        amount = passage.amount(match["hours"])
        ratio = ratio_of_units(amount.unit, "hour")
        return (Fraction(24) / (amount.value * ratio) if ratio and amount.value else Fraction(0)), [
            amount
        ]
    return Fraction(1 if match["often"] else 2 if match["both"] else 3), []
