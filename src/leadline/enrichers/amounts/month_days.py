"""Days of a month that is named: `two litres every day of June`, `closed for 11 days in July`."""

from __future__ import annotations

import re
from fractions import Fraction

from leadline.enrichers.amounts.ledger import Ledger
from leadline.enrichers.amounts.measures import ratio_of_units
from leadline.enrichers.amounts.passage import Amount
from leadline.enrichers.amounts.units import UNITS

_LENGTHS = {
    "january": 31, "march": 31, "april": 30, "may": 31, "june": 30, "july": 31, "august": 31,
    "september": 30, "october": 31, "november": 30, "december": 31,
}  # fmt: skip
_MONTH = "|".join(_LENGTHS)
_EVERY_DAY = re.compile(
    rf"\b(?:every|each)(?: single)? day (?:of|in|throughout|during) (?:(?P<month>{_MONTH})\b"
    rf"|(?:the|that|this) (?:whole )?month\b)|\bdaily (?:all through|throughout|all|in)"
    rf" (?P<month2>{_MONTH})\b"
)
_NAMED = re.compile(rf"\b(?P<month>{_MONTH})\b")
_BUT = re.compile(
    r"[^.;§\n]{0,50}?\b(?:minus|less|except(?: for)?|bar|but for|save(?: for)?|apart from"
    r"|excluding|other than|but not|not counting|all but)(?: on)? (?:the |those |these |for )*"
    r"(?P<off>§[nt]\d+§)"
)
_IDLE = (
    r"(?:down|closed|shut|off|idle|away|out of (?:use|action|service|order)|ill|sick|stopped"
    r"|suspended|absent|on (?:leave|holiday|strike)|offline|cancelled|unavailable|not running)"
)
_OFF_IN = re.compile(
    rf"\bin (?P<month>{_MONTH})\b[^.;§\n]{{0,40}}?\b{_IDLE}(?: for| on)?(?: (?:only|just|all of"
    rf"|exactly|a total of|of))* (?P<off>§t\d+§)"
    rf"|\b{_IDLE}(?: for| on)?(?: (?:only|just|exactly|a total of))* (?P<off2>§t\d+§)"
    rf"[^.;§\n]{{0,12}}? (?:in|of|during) (?P<month2>{_MONTH})\b"
)
_DAILY = re.compile(
    r"(?P<rate>§[qnm]\d+§)(?: (?!§)[a-z]+){0,3}? (?:(?:an?|per|each|every) day|daily)\b"
)
_THE_REST = re.compile(r"\b(?:remaining|other) days\b|\bthe rest of the month\b|\bworking days\b")
_BY_UNIT = re.compile(r"(?P<price>§m\d+§) (?:an?|per|the|each|for each|for an?) (?P<unit>[a-z]+)\b")


def derive_month_days(ledger: Ledger) -> None:
    """Derive the days of a month less those off, and what so much a day comes to."""
    passage = ledger.passage
    for match in passage.find_all(_EVERY_DAY):
        _every_day(ledger, match)
    for match in passage.find(_OFF_IN):
        _off_in(ledger, match)


def _every_day(ledger: Ledger, match: re.Match[str]) -> None:
    """Read `November: two litres every day of the month at £2 a litre, minus six days away`."""
    passage, marked = ledger.passage, ledger.passage.marked
    month = match["month"] or match["month2"] or _only_month(marked)
    if not month:
        return
    days, operands = Fraction(_LENGTHS[month]), list[Amount]()
    span = (passage.place(match.start()), passage.place(match.end()))
    but = _BUT.match(marked, match.end()) or _behind_price(marked, match.end())
    if but:
        off = passage.amount(but["off"])
        if (off.sort == "t" and off.unit != "day") or not 0 < off.value < days:
            return
        days, operands = days - off.value, [off]
        like = Amount("n", days, "", off.start, off.end)
        ledger.derive(like, days, (off,), "days of the month less those", relation=span)
        ledger.spend(off)
    rate = _rate(ledger, match.start(), match.end())
    if rate is None:
        return
    total, why = rate.value * days, f"on {days} days"
    if ledger.derive(rate, total, (rate, *operands), why, relation=span):
        ledger.spend(rate)
        _priced(ledger, rate, total, (rate, *operands), span)


def _behind_price(marked: str, end: int) -> re.Match[str] | None:
    price = re.compile(r"[^.;§\n]{0,12}§m\d+§").match(marked, end)
    return _BUT.match(marked, price.end()) if price else None


def _off_in(ledger: Ledger, match: re.Match[str]) -> None:
    """Read `in July it was down for eleven days`, and what it made on the remaining ones."""
    passage, marked = ledger.passage, ledger.passage.marked
    off = passage.amount(match["off"] or match["off2"])
    month = match["month"] or match["month2"]
    ratio = ratio_of_units(off.unit, "day")
    if ratio is None or off.unit not in ("day", "week", "fortnight") or off.start in ledger.spent:
        return
    days = _LENGTHS[month] - off.value * ratio
    span = (passage.place(match.start()), passage.place(match.end()))
    if days <= 0 or "negated" in passage.doubts([span]):
        return
    like = Amount("n", days, "", off.start, off.end)
    if not ledger.derive(like, days, (off,), f"the other days of {month}", relation=span):
        return
    ledger.spend(off)
    rest = _THE_REST.search(marked, match.end(), match.end() + 120)
    rate = _rate(ledger, match.start(), match.end()) if rest else None
    if rate is not None:
        ledger.derive(rate, rate.value * days, (rate, off), f"on {days} days", relation=span)


def _only_month(marked: str) -> str:
    months = {each["month"] for each in _NAMED.finditer(marked)}
    return months.pop() if len(months) == 1 else ""


def _rate(ledger: Ledger, start: int, end: int) -> Amount | None:
    """Return so much a day: told at the words, or derived before them as a share of a rate."""
    passage = ledger.passage
    told = [
        (match.start(), passage.amount(match["rate"]))
        for match in _DAILY.finditer(passage.marked, max(0, start - 280), end)
    ]
    if not told:
        return None
    rate = told[-1][1]
    shares = [
        each.amount
        for each in ledger.entries
        if each.why.startswith("that share of the rate") and (rate.start, rate.end) in each.spans
    ]
    return shares[-1] if shares else rate


def _priced(
    ledger: Ledger,
    like: Amount,
    value: Fraction,
    operands: tuple[Amount, ...],
    span: tuple[int, int],
) -> None:
    for match in ledger.passage.find(_BY_UNIT):
        price = ledger.passage.amount(match["price"])
        if UNITS.get(match["unit"]) == like.unit and price.start not in ledger.spent:
            why = f"{ledger.shown(price)} × {value}"
            ledger.derive(price, price.value * value, (*operands, price), why, relation=span)
            ledger.spend(price)
            return
