"""Changes over time: from one amount to another, by an amount, by a percentage, by points."""

from __future__ import annotations

import re

from leadline.enrichers.amounts.ledger import BASES, Ledger
from leadline.enrichers.amounts.passage import Amount

_UP = (
    r"(?:rose|risen|rise[sn]?|rising|grew|grown|grow[s]?|growing|climb(?:ed|s|ing)?"
    r"|increas(?:ed?|es|ing)|gain(?:ed|s)?"
    r"|jump(?:ed|s)?|raised|up|soared|surged?|went up|gone up|put up|swelled|widened"
    r"|lengthened|hiked|advanced)"
)
_DOWN = (
    r"(?:fell|fallen|falls?|falling|dropp?(?:ed|s|ing)?|slipp?(?:ed|s)?|declin(?:ed?|es)"
    r"|decreas(?:ed?|es)|shrank|shrunk"
    r"|down|cut|lower(?:ed)?|reduc(?:ed?|tion)|slid|sank|plunged|tumbled|dipp?ed|came down"
    r"|gone down|went down|lost|shed"
    r"|shortened|slashed|eased|narrowed|trimmed|marked down)"
)
_ANY = (
    rf"(?P<verb>(?P<up>{_UP})|(?P<down>{_DOWN})"
    r"|went|gone|changed?|moved|going|shift(?:ed)?|lost|put on)"
)
_FROM_TO = re.compile(
    rf"\b{_ANY}\b(?P<gap>[^.;\n§]{{0,50}}?)\bfrom"
    rf" (?P<old>§[mqntpc]\d+§)(?P<noun>[^.;\n§]{{0,40}}?)"
    r" (?:to|down to|up to|and is now|to just|to only) (?:just |only |a "
    r"|about )?(?P<new>§[mqntpc]\d+§)"
)
_TO_FROM = re.compile(
    r"(?P<new>§[mqntpc]\d+§)(?P<noun>[^.;\n§]{0,40}?),? (?P<verb>(?P<up>up)|(?P<down>down"
    r"|compared|instead)) (?:from|with|of) "
    r"(?P<old>§[mqntpc]\d+§)"
)
_THEN_NOW = re.compile(
    r"\b(?:was|were|used to be|cost|paid|charged|had been|used to cost|weighed|stood at"
    r"|started at|read)"
    r" (?:only |just |at )?(?P<old>§[mqnt]\d+§)(?P<noun>[^.;\n§]{0,60}?)[ ,;.]{1,2}"
    r"(?:(?:and |but )?(?:it |they )?(?:is|are|now|today|this year|nowadays|these days"
    r"|currently)[ ,]"
    r"(?:is |are |it's |it is |costs? |stands? at |at |now )*)(?:only "
    r"|just )?(?P<new>§[mqnt]\d+§)(?! (?:more|less|extra|dearer|cheaper|higher|lower|off|up"
    r"|down)\b)"
)
_BY_TO = re.compile(
    rf"\b{_ANY}(?P<gap>(?: (?!to\b|of\b|between\b|from\b)[a-z'’-]+){{0,4}}?)(?: by)?(?: a"
    rf"| another"
    rf"| some)? (?P<step>§[mqntpyf]\d+§)(?: [a-z]+){{0,2}}?"
    r" to (?:reach |stand at |just |only |a record )?(?P<new>§[mqntp]\d+§)"
)
_STATE_STEP = re.compile(
    r"(?P<new>§[mqntp]\d+§)(?P<noun>[^.;\n§]{0,40}?),? (?:which is |that is |that's )?"
    r"(?P<verb>(?P<up>up|an?(?: net)? (?:rise|increase|gain|addition|growth|jump) of)"
    r"|(?P<down>down|an?(?: net)? (?:fall|drop|decline|loss|decrease|reduction|dip) of))"
    r"(?: by)?(?: a| some)? (?P<step>§[mqntpyf]\d+§)(?! (?:to"
    r"|on the scale))(?P<since>[^.;\n§]{0,40})"
)
_GOES = re.compile(r" (?:goes|go|going|will be|to be|being|moves|gets put|be put|is put)$")
_SINCE = re.compile(r"\b(?:on|from|since|during|over|against|compared|than|year|month|week|in)\b")
_BY_FROM = re.compile(
    rf"\b{_ANY}(?: [a-z'’-]+){{0,4}}?(?: by)? (?P<step>§[mqntpyf]\d+§)(?: [a-z]+){{0,2}}? from "
    r"(?:last year['’]s |a |the )?(?P<old>§[mqntp]\d+§)(?! to\b)"
)
_SHED = re.compile(
    r"\b(?:(?P<down>lost|shed|dropped|sold|gave away|spent|used)|(?P<up>gained|put on|added"
    r"|bought|won|earned))(?: another| a| about)?"
    r" (?P<step>§[mqnt]\d+§)[^.§\n]{0,60}\b(?:now|is at|down to|up to|left with|so i(?:['’]m"
    r"| am) at|leaving|which leaves)\b[^.§\n]{0,30}?"
    r"(?P<new>§[mqnt]\d+§)"
)
_BEFORE_AFTER = re.compile(
    r"(?P<old>§[mqnt]\d+§)(?P<noun>[^.§\n]{0,20}) (?:before|to begin with|at the start"
    r"|in the morning|last (?:year|month|week|time)|originally|then)\b"
    r"[^.§\n]{0,40}(?P<new>§[mqnt]\d+§)(?=[^.§\n]{0,20} (?:after|afterwards|now|at the end"
    r"|today|by (?:the )?(?:end|evening|night)|this (?:year|month|week|time))\b)"
)
_DRIED = re.compile(
    r"\b(?:before|at the start|at first|initial(?:ly)?|opening|yesterday|last (?:year|month"
    r"|week|time)|previous(?:ly)?"
    r"|in (?:19|20)\d\d)[^§.\n]{0,20} (?P<old>§[mqn]\d+§)(?P<noun>[^§.\n]{0,24})\b"
    r"(?:after|at the end|finally|closing|today|this (?:year|month|week|time)|now|in (?:19"
    r"|20)\d\d)[^§.\n]{0,20} "
    r"(?P<new>§[mqn]\d+§)"
)
_THEN_TODAY = re.compile(
    r"\b(?:was|were|used to be|cost|paid|charged|had been)(?: only| just)? (?P<old>§[mqn]\d+§)"
    r"(?P<noun>[^.;\n§]{0,40})[.;,] ?(?:and |but )?(?:it['’]s|it is|they['’]re|they are"
    r"|that['’]s)"
    r" (?:only |just |down to |up to )?(?P<new>§[mqn]\d+§)(?=[^.;\n§]{0,12} (?:today|now"
    r"|these days|nowadays)\b)"
)
_BUDGET = re.compile(
    r"(?P<told>§[mqn]\d+§)(?P<gap>[^.§\n]{0,50}?),? (?:which (?:is|was) |that['’]s |still "
    r"|just )?(?P<step>§[mqn]\d+§) "
    r"(?:(?P<under>short of|shy of|under|below|off|away from)|(?P<over>over|above|more than"
    r"|past|beyond))"
    r" (?:the |our |their |its |my |his |her )?(?P<what>target|goal|budget|asking|estimate"
    r"|limit|quota|record|aim|price|required|needed|total)\b"
)
_TWO_FIGURES = re.compile(
    r"\b(?:budget(?:ed)?|target|goal|estimate[d]?|quoted?|asking price|limit)(?: of| was| is"
    r"|:)? (?P<old>§m\d+§)(?P<noun>[^.§\n]{0,60})"
    r"\b(?:cost|came to|spent|paid|raised|bill was|final (?:cost|bill) was|actual\w*|sold for"
    r"|went for)(?: us| me| in the end| only| just)* (?P<new>§m\d+§)"
)
_CHANGED_BY = re.compile(
    rf"(?P<old>§[mqt]\d+§)(?P<noun>[^.;\n§]{{0,40}}?) (?:was|were|is|are|has been|have been"
    rf"|will be|got|will)"
    rf"(?: then| later| since)? (?P<verb>(?P<up>{_UP})"
    rf"|(?P<down>{_DOWN})) by (?P<step>§[mqt]\d+§)(?! to\b)"
)
_MULTIPLIED = re.compile(
    r"(?P<step>§x\d+§) (?:[a-z'’-]+ ){0,3}?(?P<way>to|from) (?:(?:the |a )?(?:last"
    r"|previous) [a-z]+['’]s )?"
    r"(?P<told>§[mqntp]\d+§)"
)


_ACROSS = re.compile(
    r"\b(?:knocked|brought|marked|cut|haggled|beat|talked|took|put|reduced|raised|bumped|slashed"
    r"|got|drove)(?: (?!§)[a-z]+){0,2}"
    r" (?P<old>§m\d+§)(?P<noun>[^.;\n§]{0,40}?) (?:down|up)? ?to (?:just |only )?(?P<new>§m\d+§)"
)


_ARROW = re.compile(
    r"(?P<old>§[mqp]\d+§|§n\d+§(?! ?(?:→|->|=>) ?§n))(?P<noun>) ?(?:→|->|=>) ?(?P<new>§[mqnp]\d+§)"
    r"(?! ?(?:→|->|=>))"
)


def derive_changes(ledger: Ledger) -> None:
    """Derive differences and rates of change, and what was before or is after a change."""
    for pattern in (
        _FROM_TO,
        _ACROSS,
        _ARROW,
        _TO_FROM,
        _THEN_NOW,
        _BEFORE_AFTER,
        _TWO_FIGURES,
        _DRIED,
        _THEN_TODAY,
    ):
        for match in ledger.passage.find(pattern):
            _between(ledger, match)
    for pattern, group in (
        (_BY_TO, "new"),
        (_STATE_STEP, "new"),
        (_BY_FROM, "old"),
        (_CHANGED_BY, "old"),
    ):
        for match in ledger.passage.find(pattern):
            _stepped(ledger, match, group)
    for match in ledger.passage.find(_SHED):
        step, new = (ledger.passage.amount(match[name]) for name in ("step", "new"))
        if step.sort == new.sort and step.unit == new.unit:
            value = new.value + step.value if match["down"] else new.value - step.value
            ledger.derive(new, value, (step, new), "before the change")
    for match in ledger.passage.find(_BUDGET):
        step, told = (ledger.passage.amount(match[name]) for name in ("step", "told"))
        if step.sort in (told.sort, "n") and step.unit in (told.unit, ""):
            value = told.value + step.value if match["under"] else told.value - step.value
            ledger.derive(told, value, (told, step), f"the {match['what']}")
            ledger.spend(step)
    for match in ledger.passage.find(_MULTIPLIED):
        _multiplied(ledger, match)


def _between(ledger: Ledger, match: re.Match[str]) -> None:
    passage = ledger.passage
    old, new = passage.amount(match["old"]), passage.amount(match["new"])
    like = old if new.sort == "n" else new
    if {old.sort, new.sort} - {"n"} and len({old.sort, new.sort} - {"n"}) > 1:
        return
    if old.unit and new.unit and old.unit != new.unit:
        return
    if old.value == new.value or old.value <= 0:
        return
    span = (passage.place(match.start()), passage.place(match.end()))
    why = f"from {passage.text[old.start : old.end]} to {passage.text[new.start : new.end]}"
    percent = Amount("p", old.value, "", old.start, old.end)
    difference = abs(new.value - old.value)
    if old.sort == "p" and new.sort == "p":
        ledger.derive(old, difference, (old, new), f"{why}, in points", relation=span)
    if old.sort != "p":
        ledger.derive(percent, difference / old.value * 100, (old, new), why, relation=span)
        ledger.derive(like, difference, (old, new), why, relation=span)
    ledger.spend(old)


def _stepped(ledger: Ledger, match: re.Match[str], group: str) -> None:
    passage = ledger.passage
    step, told = passage.amount(match["step"]), passage.amount(match[group])
    verb = match["verb"]
    sign = 1 if match["up"] else -1 if match["down"] else 0
    if group == "new" and "noun" in match.re.groupindex and _GOES.search(match["noun"]):
        group = "old"
    if not sign or (group == "new" and "since" in match.re.groupindex and not _worded(match)):
        return
    sign = sign if group == "old" else -sign
    if step.sort in "pf":
        if told.sort == "p" and step.sort == "p":
            return
        share = step.part
        value = (
            told.value * (1 + sign * share) if group == "old" else told.value / (1 - sign * share)
        )
    elif step.sort == told.sort or (step.sort == "y" and told.sort == "p") or step.sort == "n":
        value = told.value + sign * step.value
    else:
        return
    if told.sort == "n" and value.denominator != 1:
        return
    span = (passage.place(match.start("verb")), passage.place(match.end()))
    why = f"{verb} {passage.text[step.start : step.end]}, {passage.text[told.start : told.end]}"
    ledger.derive(told, value, (told, step), why, relation=span)
    ledger.spend(step)


def _worded(match: re.Match[str]) -> bool:
    return bool(_SINCE.search(match["since"])) or match["verb"].startswith("a")


def _multiplied(ledger: Ledger, match: re.Match[str]) -> None:
    passage = ledger.passage
    step, told = passage.amount(match["step"]), passage.amount(match["told"])
    if told.sort not in BASES + "p" or step.value == 0:
        return
    value = told.value / step.value if match["way"] == "to" else told.value * step.value
    if told.sort == "n" and value.denominator != 1:
        return
    span = (passage.place(match.start()), passage.place(match.end()))
    why = passage.text[span[0] : span[1]]
    ledger.derive(told, value, (told, step), why, relation=span)
