"""Verbs that tell what becomes of things: they go, they come, or they are still there."""

from __future__ import annotations

import re
from functools import cache

from leadline.enrichers.literals import required

_LOSING = (
    r"lo(?:st|ses?|sing)|sold|sells?|ate|eats?|eaten|us(?:ed|es|ing)(?: up)?|gave(?: away| out"
    r"| up)?"
    r"|giv(?:es?|ing) away|broke|breaks|return(?:ed|s)|threw(?: away| out)?|thrown out|binn(?:ed|s)"
    r"|scrapp(?:ed|s)|drank|drunk|sent(?: back| off| out| home)?|hand(?:ed|s) (?:out|over)"
    r"|len[dt]s?"
    r"|donated|remov(?:ed|es)|took(?: out| away| off)|taken(?: out| away| off)?|cut|kill(?:ed|s)"
    r"|cull(?:ed|s)|spent|posted|dispatched|despatched|shipped|issued|let go(?: of)?|dismissed"
    r"|sacked|cancell?ed|deleted|rejected|discarded|withdr[ae]wn?|ditched|dropped|shed"
    r"|finished(?: off)?"
    r"|claimed|got through|burn(?:ed|t)|smashed|felled|auctioned|disposed of|consumed|swallowed"
    r"|poured (?:off|out|away)|drained|spilt|spilled|wasted|deducted|minus|axed|closed|retired"
    r"|stole|crossed off|pawned|traded|swapped|released|wiped out|misplaced|excluded|struck off"
    r"|skipp(?:ed|ing)|passed on|cooked|served|baked with|melted(?: down)?|evicted|dug up"
    r"|pulled (?:up|out)"
    r"|ticked off"
    r"|missing|took|taken|is short|are short|short of|down"
)
_GONE = (
    r"arrived (?:broken|damaged|dead|faulty|cracked|bruised|mouldy|rotten|smashed|spoil(?:t|ed))"
    r"|collected|went bad|were bad|died|dies|die|perished|left|leave|leaves|broke(?:n)?"
    r"|went(?: home| missing| off| away| bad"
    r"| astray)?"
    r"|gone(?: home| missing| off)?"
    r"|go(?:es)? (?:home|bad)|cancel(?:led|ed)?|dropped out|drop(?:s)? out|withdrew|withdrawn"
    r"|resigned"
    r"|retired|quit|fail(?:ed|s)?|sold|eaten|stolen|lost|damaged|returned|sent back|rejected"
    r"|missing"
    r"|absent|sick|ill|away|off sick|on leave|g[eo]ts? off|alighted|disembarked|moved (?:away|out"
    r"|on)"
    r"|departed|fell(?: off| out| over)?|wilted|escaped|expired|declined|pulled out|removed|cut"
    r"|closed"
    r"|scrapped|felled|united with|merged with|transferred|discharged|let go|made redundant|sank"
    r"|sunk"
    r"|abandoned|disqualified|eliminated|knocked out|burn(?:ed|t)|spoil(?:ed|t)|walked (?:out|off)"
    r"|never (?:came|arrived|showed|turned up|returned|made it|germinated)"
    r"|(?:did not|didn['’]t|could not|couldn['’]t|can['’]t|cannot|do not|don['’]t|failed to"
    r"|won['’]t)"
    r" (?:come|show|turn up|make it|arrive|attend|survive|appear|start|finish|germinate|sprout"
    r"|work)"
    r"|cracked|rotted|rotten|mouldy|bruised|unusable|defective|faulty|dead|dropped|thrown (?:out"
    r"|away)"
    r"|used(?: up)?|spent|given away|handed out|taken(?: away| out| off)?|drunk|consumed"
    r"|leaked(?: away| out)?"
    r"|evaporated|melted(?: away)?|emptied|sacked|dismissed|laid off|deleted|discarded|culled"
    r"|killed|shot"
    r"|drowned|blew (?:down|away|over)|collapsed|crashed|backed out|bailed|called in sick|shipped"
    r"|dispatched"
    r"|despatched|rehomed|adopted|slaughtered|deducted|out of (?:order|action|service)|ruined"
    r"|smashed"
    r"|wrecked|written off|repaid|evicted|checked out|disappeared|vanished|ran (?:away|off)"
    r"|flew (?:off|away)"
    r"|lent out|on loan|out on loan|excluded|crossed out|struck off"
)
_GAINING = (
    r"gain(?:ed|s)|bought|buys|add(?:ed|s)|adopted|hired|took (?:on|in)|recruited|received|acquired"
    r"|planted|picked up|won|laid|found|brought(?: in)?|welcomed|was joined by|were joined by"
    r"|joined by|took delivery of|ordered|employed|admitted|enrolled|signed(?: up)?|was given"
    r"|were given"
    r"|got (?:another|back)|borrowed|inherited|credited|topped up(?: with| by)?|poured in|plus"
    r"|restocked"
    r"|delivered|caught|baked"
)
_COME = (
    r"joined|joins?|arriv(?:ed|es)(?! (?:broken|damaged|dead|late|faulty|cracked|bruised|mouldy"
    r"|rotten"
    r"|smashed|spoilt|spoiled|frozen|empty))|g[eo]ts? on|boarded|came(?: in| back| along)?"
    r"|turned up|show(?:ed|s) up"
    r"|(?:were |was )?(?:added|hired|born|bought|admitted|recruited|delivered|received|donated)"
    r"|moved in|hatched|signed up|enrolled|registered|appeared|followed|checked in|climbed (?:on"
    r"|aboard)"
    r"|flew in|walked in|hopped on|embarked|were found|was found|piled in|squeezed in"
    r"|germinated later"
)
_HELPERS = (
    r"(?: (?:of (?:them|those|these|which|whom|it|the [a-z]+)|have|has|had|were|was|are|is|been"
    r"|being"
    r"|since|then|later|already|also|both|all|sadly|promptly|soon|eventually|now|long|to be"
    r"|had to be"
    r"|got|quickly|immediately|actually|just|simply|will|never|in the end|out|who|which|that))*"
)
LOSING: re.Pattern[str] = re.compile(
    rf"\b(?:{_LOSING})(?: (?:me|us|him|her|them|off|away|some|about|just|only|all|exactly|roughly"
    r"|of|by|over|up|another|a|an|the|further|or|more|out|back|to [a-z]+|[a-z]+ly|then|my|our|his"
    r"|their|its|at least|first|no fewer than|no less than))* ?$"
)
"""What stands before a number of things that somebody lost, in lower case: `sold another `."""

GONE: re.Pattern[str] = re.compile(rf",?{_HELPERS} (?:{_GONE})\b")
"""What stands behind a number of things that are gone: ` of them have since died`."""

GAINING: re.Pattern[str] = re.compile(
    rf"\b(?:{_GAINING})(?: (?:us|him|her|them|by|another|a|an|the|further|some|about|just|up|on"
    r"|in|back|then|exactly))* ?$"
)
"""What stands before a number of things that somebody got: `bought another `."""

COME: re.Pattern[str] = re.compile(rf",?{_HELPERS} (?:{_COME})\b")
"""What stands behind a number of things that came: ` more have joined`."""

STILL: re.Pattern[str] = re.compile(
    r"(?: (?:of (?:them|those|these|it|which|whom)|are|is|were|was|still|now|only|then|to"
    r"|yet|be|been|that))*"
    r" (?:left(?! (?:behind|out|on (?:the|a)|early|since|for|because|to|when|before|during|again"
    r"|us|me|him|her|home"
    r"|town|school|after|within|in (?:19|20|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)))"
    r"|remain(?:s|ed|ing)?|to go|still (?:to go|there|standing|alive|free|unsold|available|in"
    r" (?:stock|hand|play))|in hand|survive(?:d|s)?|surviving|unsold|unused|uneaten|spare)\b"
)
"""What stands behind a number of things that are still there: ` are left`."""

STILL_BEFORE: re.Pattern[str] = re.compile(
    r"\b(?:left with|leav(?:es|ing)(?: us| me| him| her| them| you)?|(?:still|now) (?:have|has|had"
    r"|got)"
    r"|remain(?:s|ing|ed)?|down to|balance(?: is| of|:)?|remaining:|left:)"
    r" (?:with |only |just |a |an |the |my |our |about )*$"
)
"""What stands before a number of things that are still there: `leaving `."""


@cache
def event_words() -> frozenset[str]:
    """Return words of which one stands wherever something goes, comes or is still there."""
    found = {"left", "remain", "remains", "remained", "remaining", "go", "still", "leaves"}
    found |= {"leaving", "leave", "balance", "hand", "spare", "survive", "survived", "survives"}
    found |= {"surviving", "unsold", "unused", "uneaten", "down", "now"}
    for branch in _branches(f"{_LOSING}|{_GONE}|{_GAINING}|{_COME}"):
        for words, _ in required(re.compile(f" (?:{branch}) ")):
            found |= words
    return frozenset(found)


def _branches(pattern: str) -> list[str]:
    """Return the alternatives of a pattern, those inside groups left together."""
    found, depth = [""], 0
    for character in pattern:
        depth += (character == "(") - (character == ")")
        if character == "|" and depth == 0:
            found.append("")
        else:
            found[-1] += character
    return found
