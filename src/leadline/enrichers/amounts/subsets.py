"""A number without a noun beside one with a noun: `54 seats, 17 empty`.

What no other rule has read, and no word reads otherwise, is a part of the things counted before.
"""

from __future__ import annotations

import re
from fractions import Fraction

from leadline.enrichers.amounts.counted import nouns_after
from leadline.enrichers.amounts.ledger import Ledger
from leadline.enrichers.amounts.measures import finer, is_alike, value_as
from leadline.enrichers.amounts.passage import Amount
from leadline.types import FactRole

_OPENS = re.compile(
    r"(?:^|[.;:,!?(\n—–]|\b(?:and|but|with|only|just|of which|of whom|of them|including|though"
    r"|while"
    r"|about|some|exactly|found|had|have|has|got|saw|counted|sold|used|planted|were|are|all but|i"
    r"|we"
    r"|he|she|they|you|it|of these|of those|then|so far|already|another)) ?(?:the |a |an |my "
    r"|our )?$"
)
_NOT_PART = re.compile(
    r" ?(?:(?:[a-z]+ )?(?:an?|per|each|every|apiece|daily|weekly)\b|[/@×%:]|(?:more|fewer|less"
    r"|extra|times"
    r"|years?|o['’]clock|behind|ahead|above|below|over|under|short|clear|adrift|up|down|others?"
    r"|and|or|to|for"
    r"|by|in (?:a|the|every|each)|of (?:the|a|an|my|our|his|her|their)|points?|degrees?|later|ago"
    r"|earlier|older"
    r"|younger|feet|foot)\b|-|–|§)"
)
_SHARE_NOT = re.compile(
    r" ?(?:more|less|off|up|down|higher|lower|bigger|smaller|increase\w*|decrease\w*|rise|fall|cut"
    r"|discount|interest"
    r"|vat|tax|tip|commission|deposit|chance|likely|of (?:a|an|my|his|her|your)|points?|a (?:year"
    r"|month)|per|each"
    r"|again|as|past|to|cheaper|dearer|extra|service|time|price|humidity|proof|abv|cotton|wool"
    r"|cocoa|solution)\b|-"
)
_SHARE_LEAD = re.compile(
    r"\b(?:by|from|to|up|down|at|than|and|rose|fell|grew|increased?|decreased?|reduced|cut|rise of"
    r"|fall of|quarter past"
    r"|interest of|another|every|next|last|the|his|her|a) $"
)
_LEAVING = re.compile(
    r"\b(?:lost|lose|loses|sold|spent|used|ate|eaten|gave away|closed|shed|cancelled|returned"
    r"|threw (?:out|away)|destroyed"
    r"|killed|ruined|damaged|missing|without|skipped|dropped|failed|drank|burnt|burned|wiped out"
    r"|put down|felled"
    r"|axed|scrapped)"
    r"(?: (?:about|some|over|off))? $"
)
_LEVELS = frozenset(("C", "F", "degree", "km/h", "mph", "mpg", "knot", "bar", "psi", "dB", "V"))
_OF_IT = re.compile(
    r" (?:of (?:it|that|this|which|them|these|the [a-z]+|its [a-z]+)\b|(?:is|was|being|are|were"
    r"|went|has|had|lost|gone|used|spoilt"
    r"|wasted|evaporated|leaked|eaten|sold|left|remains?)\b)"
)
_ANSWERS = frozenset(("answer", "reply", "response", "return", "acceptance", "refusal", "apology"))
_BARE_DONE = re.compile(
    r"(?P<whole>§[qt]\d+§)(?! ?(?:an?|per|each|every)\b)[^.§\n]{0,40}(?:[,;:.]| and| but) (?:and "
    r"|we['’]ve |i['’]ve |i have |we have |we are |with |only |just |still |about )*"
    r"(?P<part>§[nqt]\d+§) (?P<way>done|left|to go|gone|used|behind (?:me|us)|so far|remaining"
    r"|still to go)\b"
)
_ON_WAY = re.compile(
    r" (?:up|down|done|in|behind (?:me|us)|so far|gone|covered|walked|driven|read|written)\b"
)
_AHEAD = frozenset(("left", "to go", "remaining", "still to go"))
_REST = re.compile(
    r"\b(?:the (?:rest|others|remainder|remaining|balance)|everyone else|everybody else"
    r"|all others)\b"
)
_OTHER_THING = re.compile(r"\b(?:or|either|between|versus|vs|than|instead|if)\b")
_OTHER_WHOLE = re.compile(
    r" ?(?:-|inch|lidocaine|xylocaine|marcaine|saline|sat\b|on (?:room|ra\b)"
    r"|[a-z]{4,}(?:cytes|phils)"
    r"|of (?:all|every|our|your|an?) |of the (?:nation|country|world|population|time)\b)"
)
_AGAINST = re.compile(r"\b(?:limit|allowance|maximum|minimum|target|record|only|allowed|needs?)\b")
_NEAR, _FAR = 150, 230


_COLLECTIVE = re.compile(
    r"\b(?P<noun>flock|herd|crew|team|class|staff|party|group|crowd|audience|congregation|stock"
    r"|set|pack"
    r"|fleet|squad|queue|list|collection|batch|litter|brood|total|choir|troop|shoal|order|intake"
    r"|electorate|membership|population|entry|field|pool|library|workforce|cohort|run) (?:of|is"
    r"|was|:) $"
)
_SUBJECT = re.compile(
    r" (?:were|have|had|entered|started|sat|applied|replied|took part|set out|set off|began|ran"
    r"|sailed|boarded|enrolled"
    r"|registered|voted|attended|went in|were (?:sown|planted|laid|sent|issued|tested))\b"
)
_OF_WHOLE = re.compile(
    r"(?:^|[.!?\n:,] ?)(?:out )?of (?:the |our |my |his |her |its |their |these |those |all )*$"
)


def derive_subsets(ledger: Ledger) -> None:
    """Derive the rest of things of which a part is told, shares of them, and differences."""
    marked = ledger.passage.marked
    whole: tuple[Amount, tuple[str, ...]] | None = None
    parts: list[tuple[Amount, Amount, int]] = []
    for match in re.finditer(r"§(?P<sort>[nfpq])\d+§", marked):
        amount = ledger.passage.amount(match[0])
        if match["sort"] == "q":
            whole = None if _is_rate(marked, match) or amount.unit in _LEVELS else (amount, ())
            continue
        if amount.start in ledger.spent:
            if match["sort"] == "n" and (nouns := nouns_after(marked, match.end())):
                whole = (amount, nouns)
            continue
        if match["sort"] == "n":
            nouns = nouns_after(marked, match.end()) or _collective(marked, match)
            if whole and _is_part(ledger, match, amount, whole[0], nouns):
                parts.append((amount, whole[0], match.end()))
            elif not nouns and _SUBJECT.match(marked, match.end()):
                whole = (amount, ("thing",))
            elif nouns and not _is_rate(marked, match) and not _is_name(ledger, amount):
                whole = (amount, nouns)
        elif whole:
            _enter_share(ledger, match, amount, whole[0])
    _enter_parts(ledger, parts)
    _differences(ledger)
    for match in _BARE_DONE.finditer(marked):
        _done(ledger, match)


def _done(ledger: Ledger, match: re.Match[str]) -> None:
    """Read `42 km, 30 done`: the other part of the measure."""
    whole, part = (ledger.passage.amount(match[name]) for name in ("whole", "part"))
    if part.sort not in ("n", whole.sort) or {whole.start, part.start} & ledger.spent:
        return
    if _ON_WAY.match(ledger.passage.marked, match.end("whole")) and match["way"] in _AHEAD:
        ledger.derive(whole, whole.value + part.value, (whole, part), "both parts")
    elif 0 < part.value < whole.value:
        ledger.derive(whole, whole.value - part.value, (whole, part), "the other part")


def _collective(marked: str, match: re.Match[str]) -> tuple[str, ...]:
    """Return the noun before a number of its members: `a flock of 90`."""
    found = _COLLECTIVE.search(marked, max(0, match.start() - 24), match.start())
    return (found["noun"],) if found and not re.match(r" ?%", marked[match.end() :]) else ()


def _is_name(ledger: Ledger, amount: Amount) -> bool:
    """Tell whether a number is part of a name: `The 39 Steps`, `Three` in mid-sentence."""
    text = ledger.passage.text
    opens = (
        not text[: amount.start].rstrip(" \"'“‘(") or text[: amount.start].rstrip()[-1:] in ".!?:\n"
    )
    return text[amount.end : amount.end + 2].strip().isupper() or (
        text[amount.start].isupper() and not opens and not text[: amount.start].endswith("\n")
    )


def _is_rate(marked: str, match: re.Match[str]) -> bool:
    tail = re.compile(r"(?: [a-z'’-]+){0,2}? (?:an?|per|each|every|apiece)\b").match(
        marked, match.end()
    )
    return bool(tail) or bool(
        re.search(r"\b(?:each|every|per) (?:[a-z]+ ){0,2}$", marked[: match.start()][-30:])
    )


def _is_part(
    ledger: Ledger, match: re.Match[str], amount: Amount, whole: Amount, nouns: tuple[str, ...]
) -> bool:
    marked = ledger.passage.marked
    if (
        whole.sort != "n"
        or not 0 < amount.value < whole.value
        or whole.value < 4
        or whole.value.denominator != 1
        or 1900 < amount.value < 2100
        or amount.start - whole.end > _NEAR
    ):
        return False
    if (amount.value * whole.value).denominator != 1:
        return False
    lead = marked[max(0, match.start() - 30) : match.start()]
    at = marked.find(f"§n{ledger.passage.amounts.index(whole)}§")
    heads = _OF_WHOLE.search(marked, max(0, at - 24), at)
    is_subject = not nouns and _SUBJECT.match(marked, match.end())
    if not (_OPENS.search(lead) or heads or is_subject) or _NOT_PART.match(marked, match.end()):
        return False
    gap = ledger.passage.text[whole.end : amount.start]
    if _OTHER_THING.search(gap) or gap.count(". ") > 1 or "\n\n" in gap or _is_rate(marked, match):
        return False
    if _is_used(ledger, amount) or _is_name(ledger, amount):
        return False
    return (
        not nouns
        or nouns[-1] in _ANSWERS
        or (len(nouns) == 1 and not _is_plural(ledger, match, nouns[0]))
    )


def _is_plural(ledger: Ledger, match: re.Match[str], noun: str) -> bool:
    """Tell whether the word behind a number is a noun of its own: `17 bikes`, not `17 empty`."""
    word = re.compile(r"[ -]([a-z'’-]+)").match(ledger.passage.marked, match.end())
    return word is None or word[1] != noun or ledger.passage.amount(match[0]).value == 1


def _enter_parts(ledger: Ledger, parts: list[tuple[Amount, Amount, int]]) -> None:
    """Enter what is not of each part, or what is left for the rest after all of them."""
    for whole in dict.fromkeys(whole for _, whole, _ in parts):
        own = [(part, end) for part, each, end in parts if each == whole]
        rest = _REST.search(ledger.passage.marked, own[-1][1], own[-1][1] + 130)
        if len(own) > 1 and rest:
            value = whole.value - sum((part.value for part, _ in own), Fraction(0))
            if value > 0:
                operands = [whole, *(part for part, _ in own)]
                ledger.derive(whole, value, operands, "the rest of them", confidence=0.75)
            ledger.spend(*(part for part, _ in own))
            continue
        for part, _ in own:
            _enter_part(ledger, part, whole)


def _enter_part(ledger: Ledger, part: Amount, whole: Amount) -> None:
    why = f"{ledger.shown(part)} of {ledger.shown(whole)}"
    passage = ledger.passage
    # `668 words. Views: 539.`
    opens = passage.sentence(part.start)[0] >= part.start - 1
    if opens and passage.text[part.end : part.end + 1] in (".", ")", "\n"):
        return
    ledger.derive(whole, whole.value - part.value, (whole, part), f"not {why}", confidence=0.6)
    percent = Amount("p", part.value, "", part.start, part.end)
    share = part.value / whole.value * 100
    if (share * 2).denominator == 1:
        ledger.derive(percent, share, (whole, part), why, confidence=0.6)
    ledger.spend(part)


def _enter_share(ledger: Ledger, match: re.Match[str], mark: Amount, whole: Amount) -> None:
    marked = ledger.passage.marked
    share = mark.part
    if not 0 < share < 1 or mark.start - whole.end > _FAR or _SHARE_NOT.match(marked, match.end()):
        return
    lead = marked[max(0, match.start() - 30) : match.start()]
    if _SHARE_LEAD.search(lead) and not _LEAVING.search(lead):
        return
    if re.search(
        r"\b(?:that['’]s|that is|which is|i\.e\.|equals|making|makes) (?:only |just )?$", lead
    ):
        if (whole.value / share).denominator == 1:
            total = whole.value / share
            ledger.derive(whole, total, (whole, mark), "the whole of that share", confidence=0.65)
            ledger.derive(whole, total - whole.value, (whole, mark), "the rest", confidence=0.6)
        return
    value = whole.value * share
    if whole.sort == "n" and (value.denominator != 1 or whole.value < 4):
        return
    if whole.sort == "q" and not _OF_IT.match(marked, match.end()):
        return
    why = f"{ledger.shown(mark)} of {ledger.shown(whole)}"
    if _OTHER_WHOLE.match(marked, match.end()):
        return
    ledger.derive(whole, value, (whole, mark), why, confidence=0.6, among=0)
    if _LEAVING.search(lead):
        ledger.derive(whole, whole.value - value, (whole, mark), f"not {why}", confidence=0.6)
    ledger.spend(mark)


def _differences(ledger: Ledger) -> None:
    """Derive how far two like measures are apart where a text tells just these two."""
    measures = [each for each in ledger.passage.amounts if each.sort in "qtc"]
    if len(measures) != 2 or any(each.start in ledger.spent for each in measures):
        return
    one, other = measures
    if not is_alike(one, other) or other.start - one.end > _NEAR or one.value == other.value:
        return
    gap = ledger.passage.text[one.end : other.start].lower()
    if _OTHER_THING.search(gap) or re.fullmatch(r" ?(?:to|-|–|x|×|by|and|or|for|of) ?", gap):
        return
    if any(_is_used(ledger, each) for each in measures):
        return
    like = finer(one, other)
    value = abs(value_as(one, like) - value_as(other, like))
    role: FactRole = "derived" if _AGAINST.search(gap) else "alternative"
    ledger.derive(like, Fraction(value), (one, other), "between the two", confidence=0.5, role=role)


def _is_used(ledger: Ledger, amount: Amount) -> bool:
    """Tell whether something was derived from an amount, or it is a rate."""
    span = (amount.start, amount.end)
    tail = ledger.passage.text[amount.end : amount.end + 12].lower()
    is_rate = re.match(r" ?(?:an?|per|each|every|apiece|ago|later|earlier)\b| ?/", tail)
    return bool(is_rate) or any(span in entry.spans for entry in ledger.entries)
