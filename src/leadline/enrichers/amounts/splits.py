"""Totals in equal parts: split so many ways, paid in instalments."""

from __future__ import annotations

import re

from leadline.enrichers.amounts.dimensions import PERSON, read_counts
from leadline.enrichers.amounts.ledger import Ledger
from leadline.enrichers.amounts.passage import Amount

_SPLIT = re.compile(
    r"\b(?:split|splitting|divid(?:ed?|ing)|shar(?:ed?|ing)"
    r"|spread)\b(?! into)[^.\n§]{0,60}?(?P<count>§[nt]\d+§)"
    r"(?: (?P<ways>ways|of us|equal|people|friends|siblings|of them|children|heirs|partners"
    r"|families|households"
    r"|months|[a-z]+))?"
)
_WAYS = re.compile(
    r"(?P<count>§n\d+§) (?P<ways>ways)\b|\b(?:between|among|by) (?:the "
    r"|all )?(?P<count2>§n\d+§)(?: of (?:us|them)| people)?"
)
_BETWEEN_TWO = re.compile(
    r"\b(?:split|divided|shared)(?: it| them)? (?:equally|evenly|fifty-fifty"
    r"|equally and evenly)?,? ?(?:between|among) (?:the )?[^.§\n,]{2,40} and [^.§\n,]{2,40}"
)
_MADE = re.compile(
    r"\b(?:made|paid|had|received|settled|met|cleared)(?: only| just"
    r"| already)? (?P<count>§n\d+§)(?=[ .,;](?!of|per))"
)
_PARTS = re.compile(
    r"\bin (?P<count>§n\d+§) (?:equal )?(?:monthly |weekly |annual |quarterly "
    r"|yearly )?(?:instal?lments|payments|parts|shares|tranches)"
)


_BETWEEN = re.compile(
    r"(?P<total>§m\d+§)(?: [a-z'’-]+){0,3}? (?:between|among|amongst) (?:the "
    r"|all )*(?P<count>§n\d+§)"
)
_GROUP_SPLITS = re.compile(
    r"(?P<count>§n\d+§) (?:of us|people|friends|of them|housemates|flatmates|families|colleagues)"
    r"(?: [a-z'’-]+){0,3}? (?:split|shared?|halved"
    r"|divided?)(?: [a-z'’-]+){0,3}? (?P<total>§m\d+§)"
)
_REPAID = re.compile(
    r"(?P<total>§m\d+§)[^.§\n]{0,60}\b(?:over|in|across) (?P<count>§t\d+§)(?=[^.\n]{0,30}"
    r"(?:equal|instal|interest-free))"
)


_EQUALLY = re.compile(
    r"\b(?:equal(?:ly)?|evenly|even|alike|share and share alike|in equal (?:shares|parts"
    r"|portions))\b"
)
_REMAINDER = re.compile(r"\b(?:remainder|rest|balance|what (?:is|was) left)\b")
_HANDED = re.compile(
    r"\b(?:shar\w+|split\w*|divid\w+|went|go(?:es)?|left|distribut\w+|pooled"
    r"|paid)\b"
)


def _equal_shares(ledger: Ledger) -> None:
    """Read `an inheritance of £84,000 went to four grandchildren in equal shares`."""
    passage = ledger.passage
    for match in passage.find(_EQUALLY):
        start, end = passage.sentence(passage.place(match.start()))
        people = [
            each.amount
            for each in read_counts(passage)
            if each.of(PERSON) and start - 120 <= each.amount.start < end
        ]
        total = next(
            (each for each in reversed(ledger.all("m", told=True)) if start <= each.start < end),
            None,
        )
        total = total or ledger.before(start, "m", within=160)
        if total is None or len(people) != 1 or people[0].value < 2 or _is_split(ledger, total):
            continue
        rest = _REMAINDER.search(passage.text[total.end : people[0].start].lower())
        if rest and "less the share" in [each.why for each in ledger.entries]:
            continue  # what is left is shared, not the total
        if _HANDED.search(passage.text[start:end].lower()):
            why = f"{ledger.shown(total)} in {people[0].value} equal parts"
            ledger.derive(total, total.value / people[0].value, (total, people[0]), why)


def derive_splits(ledger: Ledger) -> None:
    """Derive what each gets where a total is split."""
    passage = ledger.passage
    if " equal" in passage.marked or " even" in passage.marked or "alike" in passage.marked:
        _equal_shares(ledger)
    for match in passage.find(_WAYS):
        count = passage.amount(match["count"] or match["count2"])
        total = ledger.before(count.start, "m", within=200)
        lead = passage.marked[max(0, match.start() - 200) : match.start()]
        if (
            total
            and count.value >= 2
            and (match["ways"] or re.search(r"\b(?:split|divid|share)", lead))
        ):
            why = f"{ledger.shown(total)} in {count.value} equal parts"
            ledger.derive(total, total.value / count.value, (total, count), why)
    for pattern in (_BETWEEN, _GROUP_SPLITS, _REPAID):
        for match in passage.find(pattern):
            total, count = passage.amount(match["total"]), passage.amount(match["count"])
            if count.value >= 2 and count.value.denominator == 1 and not _is_split(ledger, total):
                why = f"{ledger.shown(total)} in {count.value} equal parts"
                ledger.derive(total, total.value / count.value, (total, count), why)
    _instalments(ledger)
    for pattern in (_SPLIT, _PARTS):
        for match in passage.find(pattern):
            count = passage.amount(match["count"])
            start = passage.place(match.start())
            total = ledger.before(start, "m", within=200) or _inside(ledger, match)
            total = total or _shared_number(ledger, match, start)
            total = total or ledger.after(count.end, "m", within=80)
            if (
                total is None
                or count.value < 2
                or count.value.denominator != 1
                or count.sort != "n"
            ):
                continue
            span = (start, passage.place(match.end()))
            why = f"{ledger.shown(total)} in {count.value} equal parts"
            ledger.derive(total, total.value / count.value, (total, count), why, relation=span)


def _instalments(ledger: Ledger) -> None:
    """Derive what is paid and what is left when some of the equal parts are paid."""
    passage, marked = ledger.passage, ledger.passage.marked
    for match in passage.find(_BETWEEN_TWO):
        total = ledger.before(passage.place(match.start()), "m", within=260)
        if total:
            span = (passage.place(match.start()), passage.place(match.end()))
            ledger.derive(total, total.value / 2, (total,), "in two equal parts", relation=span)
    for match in passage.find(_PARTS):
        count = passage.amount(match["count"])
        total = ledger.before(count.start, "m", within=200, told=True)
        made = _MADE.search(marked, match.end())
        if total is None or made is None or count.value < 2:
            continue
        done = passage.amount(made["count"])
        if 0 < done.value < count.value:
            part, operands = total.value / count.value, (total, count, done)
            ledger.derive(total, part * done.value, operands, f"{done.value} of the parts")
            ledger.derive(total, part * (count.value - done.value), operands, "the parts left")
            ledger.derive(done, count.value - done.value, (count, done), "how many parts are left")


def _is_split(ledger: Ledger, total: Amount) -> bool:
    return any(
        "equal parts" in entry.why
        for entry in ledger.entries
        if total.start in [start for start, _ in entry.spans]
    )


def _shared_number(ledger: Ledger, match: re.Match[str], start: int) -> Amount | None:
    """Return the number of things that are shared, not split into groups."""
    if "shar" not in match[0] and "divid" not in match[0]:
        return None
    count = ledger.passage.amount(match["count"])
    whole = ledger.before(start, "nq", within=60, told=True)
    if whole is None or not 0 < count.value < whole.value:
        return None
    return whole if (whole.value / count.value).denominator == 1 or whole.sort == "q" else None


def _inside(ledger: Ledger, match: re.Match[str]) -> Amount | None:
    marks = re.findall(r"§m\d+§", match[0])
    return ledger.passage.amount(marks[0]) if marks else None
