"""Scores and votes: by how much a side won, and how many voted."""

from __future__ import annotations

import re
from fractions import Fraction

from leadline.enrichers.amounts.ledger import Ledger
from leadline.enrichers.amounts.passage import Amount

_COUNTED = (
    r"(?:votes?|goals?|points?|runs?|frames?|sets?|tries|games?|legs|holes|shots|seats|ballots"
    r"|members|councillors|delegates|mps|senators|judges|jurors|households)"
)
_SCORE = re.compile(
    rf"(?P<a>§n\d+§)(?: {_COUNTED})?(?: ?[-–:] ?| (?:to|against) )(?P<b>§n\d+§)(?! ?[-–:] ?§n|\w)"
)
_PLAYED = re.compile(
    r"\b(?:w[io]ns?|winning|winners?|beat|beaten|beating|los[et]s?|losing|defeat(?:s|ed)?|victor\w*"
    r"|scores?|scored|score(?:line|card)|full[- ]time|half[- ]time|ahead|leads?|leading|led"
    r"|trail\w*"
    r"|thrash\w*|edged|hammered|thump\w*|trounc\w*|crush\w*|overc[ao]me|sank|downed|saw off"
    r"|knocked out|went down|drub\w*|wallop\w*|final whistle|aggregate|comeback|at home to|away to"
    r"|result|whitewash\w*)\b"
)
_VOTED = re.compile(
    r"\b(?:votes?|voted|voting|carried|passed|rejected|upheld|overturned|elected|re-elected|ballot"
    r"|motion|resolution|approved|adopted|ratified|division|majority|referendum|acquitted"
    r"|convicted)\b"
)
_NO_SCORE = re.compile(
    r"\b(?:ages?|aged|between|from|pages?|sections?|years?|for|rooms?|numbers?|nos?|weeks?|scale"
    r"|ratio"
    r"|odds|of|mix(?:ed)?|outnumber\w*|open|under|over) (?:about |the )?$"
)
_SETS = re.compile(r"[ ,(]+(?:and )?§n\d+§ ?[-–:] ?§n\d+§")
_BALLOT = re.compile(
    r"\b(?:for|in favou?r|yes|ayes?|yea|pro)(?: \(?|: ?| ?= ?| ?[-–] ?)(?P<a>§n\d+§)\)?[,;. ]+"
    r"(?:and )?(?:against|opposed|noe?s?|nays?|con|contra)(?: \(?|: ?| ?= ?| ?[-–] ?)(?P<b>§n\d+§)"
    r"(?P<more>\)?[,;. ]+(?:and |with )?(?:(?:abst\w+|spoil\w+|blank|absent)(?: \(?|: ?| ?= ?"
    r"| ?[-–] ?)(?P<c>§n\d+§)|(?P<g>§n\d+§)(?: [a-z]+)? (?:abst\w+|spoil\w+|blank)))?"
    rf"|(?P<d>§n\d+§)(?: {_COUNTED}| people)?(?: (?:were|was|voted|spoke|said))?"
    r" (?:for|in favou?r|yes|in support)(?: of [a-z ]{1,40}?)?(?:,? and|,? but|,|;|, with)? "
    r"(?:only |just )?"
    rf"(?P<e>§n\d+§)(?: {_COUNTED}| people)?(?: (?:were|was|voted|said))? (?:against|opposed|no"
    rf"|nays?|noes)\b"
    r"(?P<more2>[,;. ]+(?:and |with |while )?(?P<f>§n\d+§)(?: [a-z]+)? abst\w+)?"
)
_POLLED = re.compile(
    r"\b(?:polled|got|received|won|took|secured|gained|collected|had|scored) (?P<a>§n\d+§)(?:"
    r" votes?| points?)?"
    r"(?: (?:to|against)(?: [a-z]+['’]s?| (?:his|her|their|its) [a-z]+['’]?s?)|(?:,? (?:and|while"
    r"|but)|,|;)"
    r"(?: (?!§)[a-z'’-]+){1,3}) (?P<b>§n\d+§)(?P<votes> votes?| points?)?(?=[.,;)!\n ]|$)"
)
_NAMED = re.compile(r"\b(?:the|an?|this|that) $")
_RESULT = re.compile(
    r"[ -](?:[a-z]+ )?(?:wins?|victor\w+|defeat|loss|draw|thrashing|score\w*|lead|result|vote"
    r"|split|majority"
    r"|aggregate|success|triumph|hammering|rout|decision|verdict|advantage|margin|drubbing"
    r"|beating)\b|[.,;!]"
)
_RECORD = re.compile(
    r"\b(?:record (?:of|is|was|to|at|stands)|(?:season|campaign|year) (?:at|with a|is|was)"
    r"|(?:went|go|are|were|finish(?:ed)?|sit|stand|now) (?:the (?:regular )?season )?(?:at )?"
    r"\d+[-–]\d+(?=[^.]{0,30} (?:this|on the|for the|season|so far)))"
)
_AS_SCORE = re.compile(
    r"\b(?:w[io]n|won|beat|lost|los[et]|by|drew|defeat\w*|victor\w+|[a-z]+ed) (?:by )?$"
)
_MOST = 2000


def derive_scores(ledger: Ledger) -> None:
    """Derive the margin of a score, and margin, total and share of a vote."""
    passage = ledger.passage
    for match in passage.find(_BALLOT):
        first = passage.amount(match["a"] or match["d"])
        second = passage.amount(match["b"] or match["e"])
        third = match["c"] or match["f"] or match["g"]
        _vote(ledger, first, second, passage.amount(third) if third else None)
    for match in passage.find(_POLLED):
        first, second = passage.amount(match["a"]), passage.amount(match["b"])
        if "vote" in match[0] or "point" in match[0] or "polled" in match[0]:
            _margin(ledger, first, second, "the margin")
    for match in passage.find(_SCORE):
        _score(ledger, match)


def _score(ledger: Ledger, match: re.Match[str]) -> None:
    passage = ledger.passage
    first, second = passage.amount(match["a"]), passage.amount(match["b"])
    lead = passage.marked[max(0, match.start() - 30) : match.start()]
    start, end = passage.sentence(first.start)
    around = passage.text[start:end].lower()
    if {first.start, second.start} & ledger.spent or _SETS.match(passage.marked, match.end()):
        return
    if re.search(r"§[-–:, ] ?(?:and )?$", lead):
        return
    if " to " not in match[0] and _RECORD.search(around) and not _AS_SCORE.search(lead):
        total = first.value + second.value
        ledger.derive(first, total, (first, second), "games in all", confidence=0.7)
        ledger.spend(first, second)
    elif _VOTED.search(around) and (
        " to " in match[0] or "vote" in match[0] or not _PLAYED.search(around)
    ):
        if not re.search(r"\b(?:ages?|aged|from|pages?|between|of) $", lead):
            _vote(ledger, first, second, None)
    elif _NAMED.search(lead) and not _RESULT.match(passage.marked, match.end()):
        return
    elif _PLAYED.search(around) and not _NO_SCORE.search(lead):
        _margin(ledger, first, second, "the margin of the score")


def _vote(ledger: Ledger, first: Amount, second: Amount, third: Amount | None) -> None:
    told = [each for each in (first, second, third) if each is not None]
    if {each.start for each in told} & ledger.spent:
        return
    total = sum((each.value for each in told), Fraction(0))
    ledger.derive(first, total, told, "all who voted")
    _margin(ledger, first, second, "the margin of the vote")
    percent = Amount("p", first.value, "", first.start, first.end)
    if total and third is None:
        ledger.derive(
            percent, first.value / total * 100, told, "share of the votes", confidence=0.6
        )


def _margin(ledger: Ledger, first: Amount, second: Amount, why: str) -> None:
    if {first.start, second.start} & ledger.spent:
        return
    margin = abs(first.value - second.value)
    told = {first.value, second.value}
    if margin and margin not in told and margin <= _MOST * 1000 and margin.denominator == 1:
        ledger.derive(first, margin, (first, second), why, confidence=0.75)
    ledger.spend(first, second)
