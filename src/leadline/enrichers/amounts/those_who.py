"""Shares of the people just told of: `90 replied; two thirds of those who did said yes`."""

from __future__ import annotations

import re
from fractions import Fraction

from leadline.enrichers.amounts.counted import nouns_of
from leadline.enrichers.amounts.ledger import Ledger
from leadline.enrichers.amounts.passage import Amount

_SHARE = r"(?:(?P<share>§[fp]\d+§)|(?P<a>§n\d+§) (?:in|out of|in every) (?P<b>§n\d+§))"
_OF_THOSE = re.compile(
    rf"{_SHARE}(?: of)? (?:those|these|the (?:people|ones|residents|inhabitants|members|pupils"
    rf"|students|patients|visitors|staff|candidates|employees|children))"
    rf"(?: (?:who|that|which))?(?: (?:had|have|were|are|was))? (?P<verb>[a-z]+)\b"
)
_AND_ONE_IN = re.compile(
    r"(?P<base>§n\d+§) (?P<noun>(?!of\b|in\b|out\b)[a-z]+(?: [a-z]+)?)(?:,? (?:and|but|of which"
    r"|of whom)|[,;])(?: (?:about|just|only|exactly|almost))* (?P<a>§n\d+§) (?:in|out of(?: every)?"
    r"|in every) (?P<b>§n\d+§)(?: [a-z]+)? (?:failed|missed|did|was|were|had|has|have|came|got"
    r"|went|turned|never|broke|proved|didn['’]t|cancelled|arrived|won|lost|died|survived|needed)\b"
)
_FORMS = {"came": "come", "sat": "sit", "left": "leave", "went": "go", "paid": "pay"}
_REACH = 260
_PRESENT = frozenset(("living", "present", "attending", "there", "working", "here", "remaining"))


def derive_those_who(ledger: Ledger) -> None:
    """Derive shares of those who did what a count before says that they did."""
    passage = ledger.passage
    for match in passage.find(_AND_ONE_IN):
        base = passage.amount(match["base"])
        share, marks = _share(ledger, match)
        if not {base.start, *(each.start for each in marks)} & ledger.spent:
            _enter(ledger, base, share, marks)
    for match in passage.find(_OF_THOSE):
        if match["verb"] not in _PRESENT:
            _of_those(ledger, match)


def derive_those_present(ledger: Ledger) -> None:
    """Derive shares of those who live or are somewhere, of whom a count before may be derived."""
    for match in ledger.passage.find(_OF_THOSE):
        if match["verb"] in _PRESENT:
            _of_those(ledger, match)


def _of_those(ledger: Ledger, match: re.Match[str]) -> None:
    share, marks = _share(ledger, match)
    if match["verb"] == "left" and " who " not in match[0]:
        return  # `half of those left` are of a rest
    if not any(each.start in ledger.spent for each in marks) and 0 < share < 1:
        base = _who_did(ledger, match, marks[0])
        if base is not None:
            _enter(ledger, base, share, marks)
        ledger.spend(*marks)


def _share(ledger: Ledger, match: re.Match[str]) -> tuple[Fraction, list[Amount]]:
    if match.groupdict().get("share"):
        mark = ledger.passage.amount(match["share"])
        return mark.part, [mark]
    one, of = (ledger.passage.amount(match[name]) for name in ("a", "b"))
    return (one.value / of.value if of.value else Fraction(0)), [one, of]


def _who_did(ledger: Ledger, match: re.Match[str], mark: Amount) -> Amount | None:
    """Return the last count before that did what those did, or of whom this is the state."""
    passage = ledger.passage
    verb = match["verb"]
    stem = _FORMS.get(verb, verb).removesuffix("ing").removesuffix("ed")[:5]
    before = [
        each
        for each in ledger.all("n")
        if each.end <= mark.start and mark.start - each.end <= _REACH and each.value > 3
    ]
    if verb in _PRESENT:
        return max(before, key=lambda each: (each.end, each.start), default=None)
    for each in sorted(before, key=lambda each: each.end, reverse=True):
        tail = passage.text[each.end : each.end + 40].lower()
        words = re.split(r"[.;\n\d]", tail)[0]
        if verb in words or (len(stem) > 2 and f" {stem}" in words):
            return each
    return None


def _enter(ledger: Ledger, base: Amount, share: Fraction, marks: list[Amount]) -> None:
    value = base.value * share
    if not 0 < share < 1 or value.denominator != 1:
        return
    nouns = " ".join(nouns_of(ledger.passage, base))
    why = f"so many of the {ledger.shown(base)} {nouns}".rstrip()
    if ledger.derive(base, value, (base, *marks), why, confidence=0.7):
        rate = Amount("p", share * 100, "", marks[0].start, marks[-1].end)
        if len(marks) == 2 and (share * 1000).denominator == 1:
            ledger.derive(rate, share * 100, marks, "that rate in per cent", confidence=0.6)
        ledger.spend(*marks)
