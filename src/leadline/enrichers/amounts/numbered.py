"""Counts by first and last, places in a book, and posts at both ends of a row."""

from __future__ import annotations

import re
from fractions import Fraction

from leadline.enrichers.amounts.ledger import Ledger
from leadline.enrichers.amounts.measures import is_alike, value_as
from leadline.enrichers.amounts.passage import Amount

_FROM_TO = re.compile(
    r"(?P<lead>\b(?:numbered|serial(?: numbers| nos\.?)?)(?: from)? )?"
    r"(?P<first>§n\d+§) ?(?:to|through|thru|up to|-|–) ?(?P<last>§n\d+§)"
    r"(?P<both>,? ?\(?(?:both )?(?:inclusive|included|both (?:ends|numbers) included)\b)?"
)
_NO_COUNT = re.compile(
    r"\b(?:ages?|aged|odd|even|odds|between|scale|grades?|years?|weeks?|months?) (?:from )?$"
)
_DATED = re.compile(
    r" ?(?:january|february|march|april|may|june|july|august|september|october|november|december"
    r"|a\.?m|p\.?m|years?|o['’]clock)\b"
)
_EACH_AT = re.compile(r"(?P<price>§m\d+§) (?:each|apiece|a piece|per [a-z]+|an? [a-z]+)\b")
_PLACE = re.compile(
    r"(?P<lead>\b(?:on|at|reached|got to|up to|am|is|finished|done|read)(?: [a-z]+)? )?"
    r"\b(?:page|p\.|chapter|lap|verse|module|lesson) ?(?P<now>\d+)(?:,? (?:out )?of|/) ?"
    r"(?:the |its |my )?(?P<whole>§n\d+§)"
)
_PACE = re.compile(
    r"(?P<pace>§n\d+§) (?:pages?|chapters?|laps?|verses?|modules?|lessons?)? ?(?:an?|per|each"
    r"|every) (?:night|day|evening|morning|week|sitting|hour|session|commute)\b"
)
_ROW = re.compile(
    r"(?:\b(?:an?|one)|§n\d+§) (?P<noun>(?!unit|day|time)[a-z]+)(?: (?!§)[a-z]+){0,2}? (?:every"
    r"|each|at intervals of|at) (?P<step>§q\d+§)"
    r"|\b(?P<noun2>[a-z]+s)(?: [a-z]+){0,3}? (?P<step2>§q\d+§) apart"
)
_ENDS = re.compile(
    r"\b(?:(?P<no>(?:but |and )?(?:none|not|no [a-z]+|except) )(?:one )?(?:at )?)?(?:each|both"
    r"|either|the two|the very) ends?\b"
)
_NEAR = 170


def derive_numbered(ledger: Ledger) -> None:
    """Derive how many there are from first to last, how far one has read, and posts of a row."""
    passage, marked = ledger.passage, ledger.passage.marked
    if "inclu" in marked or "number" in marked or "serial" in marked:
        for match in passage.find(_FROM_TO):
            _from_to(ledger, match)
    for match in passage.find(_PLACE):
        _place(ledger, match)
    if " end" in marked:
        for match in passage.find(_ROW):
            _row(ledger, match)


def _from_to(ledger: Ledger, match: re.Match[str]) -> None:
    """Read `tickets numbered 241 to 400, both inclusive, sold at £20 each`."""
    passage, marked = ledger.passage, ledger.passage.marked
    first, last = (passage.amount(match[name]) for name in ("first", "last"))
    lead = marked[max(0, match.start() - 24) : match.start()]
    is_told = match["lead"] or match["both"]
    if not is_told or first.value >= last.value or _DATED.match(marked, match.end("last")):
        return
    if _NO_COUNT.search(lead) or {first.value.denominator, last.value.denominator} != {1}:
        return
    if {first.start, last.start} & ledger.spent:
        return
    count = last.value - first.value + 1
    # the two are ends of a range, which stand for nothing else
    span = (first.start, last.end)
    if not ledger.derive(first, count, (), "from first to last", relation=span):
        return
    ledger.spend(first, last)
    if each := _EACH_AT.search(marked, match.end(), match.end() + 110):
        price = passage.amount(each["price"])
        why = f"{ledger.shown(price)} × {count}"
        if ledger.derive(price, price.value * count, (price,), why, relation=span):
            ledger.spend(price)


def _place(ledger: Ledger, match: re.Match[str]) -> None:
    """Read `page 288 of 480, at 24 pages a night`: the share read, and what is left."""
    passage = ledger.passage
    whole, now = passage.amount(match["whole"]), Fraction(int(match["now"]))
    pace = _PACE.search(passage.marked, match.end(), match.end() + 140)
    if not 0 < now < whole.value or not (pace or match["lead"]):
        return
    span = (passage.place(match.start("now")), passage.place(match.end("now")))
    left, percent = whole.value - now, now / whole.value * 100
    like = Amount("p", percent, "", span[0], whole.end)
    if (percent * 2).denominator == 1:
        ledger.derive(like, percent, (whole,), "share of the whole", relation=span)
    if ledger.derive(whole, left, (whole,), "what is left", relation=span):
        ledger.spend(whole)
    step = passage.amount(pace["pace"]) if pace else None
    if step and (left / step.value).denominator == 1:
        ledger.derive(step, left / step.value, (whole, step), "at that pace", relation=span)


def _row(ledger: Ledger, match: re.Match[str]) -> None:
    """Read `48 ft of fence, a post every 8 ft and one at each end`."""
    passage = ledger.passage
    step = passage.amount(match["step"] or match["step2"])
    start, end = max(0, match.start() - _NEAR), match.end() + 60
    ends = _ENDS.search(passage.marked, match.end(), end)
    rows = [
        each
        for each in passage.amounts
        if each.sort == "q" and is_alike(each, step) and value_as(each, step) > step.value
        and start <= passage.marked.find(f"§q{passage.amounts.index(each)}§") < end
    ]  # fmt: skip
    if ends is None or len(rows) != 1 or step.start in ledger.spent:
        return
    gaps = value_as(rows[0], step) / step.value
    if gaps.denominator != 1:
        return
    count = gaps - 1 if ends["no"] else gaps + 1
    like = Amount("n", count, "", step.start, step.end)
    span = (passage.place(ends.start()), passage.place(ends.end()))
    if not ledger.derive(like, count, (rows[0], step), "in the row", relation=span):
        return
    ledger.spend(rows[0], step)
    if match[0].startswith("§"):
        ledger.spend(passage.amount(match[0].split(" ")[0]))
    prices = [each for each in passage.amounts if each.sort == "m"]
    if len(prices) == 1 and prices[0].start not in ledger.spent:
        why = f"{ledger.shown(prices[0])} × {count}"
        ledger.derive(prices[0], prices[0].value * count, (rows[0], step, prices[0]), why)
        ledger.spend(prices[0])
