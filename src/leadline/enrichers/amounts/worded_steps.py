"""Additions and subtractions in so many words: `knock 8 off the 30`, `another 12 to make 100`."""

from __future__ import annotations

import re
from dataclasses import replace

from leadline.enrichers.amounts.extents import ORDINALS
from leadline.enrichers.amounts.ledger import Ledger
from leadline.enrichers.amounts.measures import finer, is_alike, value_as
from leadline.enrichers.amounts.passage import Amount

_DET = r"(?:the |a |an |my |our |his |her |its |their |that |this |those |these |original |full )*"
_STEPS = tuple(
    re.compile(pattern)
    for pattern in (
        rf"\b(?:knock\w*|t[ao]k(?:e|es|ing|en)|took|cut|chop\w*|shav\w+|lopp?\w*|trim\w*|strik\w+"
        rf"|struck|deduct\w*)"
        rf"(?: [a-z]+)? (?P<part>§[nqt]\d+§)(?: [a-z]+){{0,2}}? (?:off|from"
        rf"|out of) {_DET}(?:[a-z]+ )?(?P<whole>§[nqt]\d+§)",
        rf"\bfrom {_DET}(?P<whole>§[qt]\d+§)(?: [a-z-]+){{0,2}},? (?:i|we|he|she|they"
        rf"|you) (?:[a-z]+ )?(?:cut|sawed|sawn|took"
        rf"|used|poured|trimmed|removed|lost|snipped|drew|drank) (?:off )?(?P<part>§[nqt]\d+§)",
        rf"(?P<part>§[nqt]\d+§)(?: more| [a-z]+)? (?:to make|makes?|to reach|needed to make"
        rf"|would make|will make|to complete"
        rf"|to fill|for|off|and (?:it|that|we)(?:['’]s| is|['’]ll have"
        rf"| have)) (?:up )?{_DET}(?P<whole>§[nqt]\d+§)(?! (?:each|an?|per))",
        rf"(?P<whole>§[nqt]\d+§)(?: [a-z'’-]+){{0,3}}?,? (?:minus|less|bar|but for|save|excluding"
        rf"|not counting|not including"
        rf"|without(?: counting)?|apart from|except(?: for)?"
        rf"|other than) {_DET}(?P<part>§[nqt]\d+§)",
    )
)
_MAKE = 2
_EVERY = re.compile(
    rf"\bevery (?P<rank>other|{'|'.join(ORDINALS)})(?: [a-z]+)?,? (?:of|in|out of|among"
    rf"|along) {_DET}(?:all )?(?P<whole>§n\d+§)"
)
_UP_ON = re.compile(
    r"\b(?P<way>up|down|higher|lower|more|less|fewer)(?: by)? (?P<step>§[pf]\d+§) (?:on|from|than"
    r"|against)"
    r" (?:the |last |previous )*(?:[a-z]+['’]s? )?(?:[a-z]+ )?(?P<base>§[nq]\d+§)"
    r"|(?P<step2>§[pf]\d+§) (?P<way2>up|down|higher|lower|more|less|fewer) (?:on|from|than|against)"
    r" (?:the |last |previous )*(?:[a-z]+['’]s? )?(?:[a-z]+ )?(?P<base2>§[nq]\d+§)"
)
_ADDED = re.compile(
    r"\b(?:another|further|extra|additional|more) $|\b(?:need\w*|wants?|short|only|just) $"
)


def derive_worded_steps(ledger: Ledger) -> None:
    """Derive what is left, is missing or is picked where the words say so outright."""
    passage = ledger.passage
    for number, pattern in enumerate(_STEPS):
        for match in passage.find(pattern):
            part, whole = (passage.amount(match[name]) for name in ("part", "whole"))
            lead = passage.marked[max(0, match.start() - 14) : match.start()]
            bare = re.search(r"§ (?:for|off) ", match[0])
            if number == _MAKE and not _ADDED.search(lead) and (bare or " more" not in match[0]):
                continue
            _less(ledger, whole, part)
    for match in passage.find(_EVERY):
        whole = passage.amount(match["whole"])
        every = 2 if match["rank"] == "other" else ORDINALS[match["rank"]]
        if every > 1 and (whole.value / every).denominator == 1:
            ledger.derive(whole, whole.value / every, (whole,), f"every {match['rank']} of them")
    for match in passage.find(_UP_ON):
        step = passage.amount(match["step"] or match["step2"])
        base = passage.amount(match["base"] or match["base2"])
        share = step.part
        is_less = (match["way"] or match["way2"]) in ("down", "lower", "less", "fewer")
        value = base.value * (1 - share if is_less else 1 + share)
        if value > 0 and (base.sort != "n" or value.denominator == 1):
            ledger.derive(base, value, (base, step), "after the change")
            ledger.spend(step)


def _less(ledger: Ledger, whole: Amount, part: Amount) -> None:
    if part.sort == "n" and whole.unit and whole.sort in "qt":
        part = replace(whole, value=part.value, start=part.start, end=part.end)
    if not is_alike(whole, part) or {whole.start, part.start} & ledger.spent:
        return
    like = finer(whole, part)
    value = value_as(whole, like) - value_as(part, like)
    gap = ledger.passage.text[whole.end : part.start].lower()
    if value > 0 and "plus" not in gap:  # 80 kg plus or minus 2
        ledger.derive(like, value, (whole, part), "the one less the other", confidence=0.75)
        ledger.spend(whole, part)
