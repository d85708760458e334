"""Tallies of people and things: paid and yet to pay, on the roll and absent, for and against."""

from __future__ import annotations

import re
from fractions import Fraction

from leadline.enrichers.amounts.ledger import Ledger
from leadline.enrichers.amounts.passage import Amount

_NOUNS = r"(?: (?!of\b|are\b|were\b|have\b|had\b|has\b|is\b|was\b)[a-z'’-]+){0,2}?"
_DID = (
    r"(?:paid|voted|replied|signed|returned|answered|settled|arrived|come|came|finished|joined"
    r"|registered|responded|confirmed|submitted|handed|enrolled|reported|collected|renewed"
    r"|completed|contributed|passed|gone|sold|used|eaten|taken|booked|let|done|been [a-z]+ed)\b"
)
_DONE_AND_YET = re.compile(
    rf"(?P<done>§n\d+§)(?: of (?:the|our|my|us|them)(?! §))?{_NOUNS}"
    rf"(?: (?:have|has|had|already|now|so far|were|are|is|was)){{0,3}}"
    rf" {_DID}(?! by §)(?P<gap>(?:[^.;§\n]|§m\d+§){{0,60}}?)[,;.]?(?: and| but| while| with"
    rf"| that| only| the other| another| the remaining){{0,3}}"
    rf" (?P<yet>§n\d+§)(?! of (?:them|those|these|whom))"
    rf"{_NOUNS}(?: (?:are|were|is|was|have|has|had|remain))??"
    r" ?\b(?:(?:yet|still|left) to|still have to"
    r"|(?:have|has|had|did|do) not(?= ?(?:[.,;!)\n]|$))"
    r"|(?:haven|hasn|didn)['’]t(?= ?(?:[.,;!)\n]|$))"
    r"|left(?= ?(?:[.,;!)\n]|$)| over| unsold)"
    r"|(?:not|haven['’]t|hasn['’]t|hadn['’]t)(?: yet)?"
    r"(?: done so| paid| replied| signed| answered| voted| come| yet)|outstanding|pending|unpaid"
    r"|overdue|in arrears|still (?:owe|owing|out|due|outstanding|missing|pending)|to go\b"
    r"|remaining|to (?:come|follow|pay|reply))"
)
_PAID = re.compile(r"\b(?:paid|settled|contributed|renewed)\b")
_EACH = (
    r"(?:each|apiece"
    r"|(?:an?|per) (?!(?:month|year|week|day|hour|term|quarter|night|minute|mile|kilo)\b)[a-z]+)"
)
_ROLL = re.compile(
    r"(?P<whole>§n\d+§)(?: (?!of\b|for\b|and\b)[a-z'’-]+){0,3}? (?:(?:are |were )?(?:on"
    r"|in) (?:the |our |my )?"
    r"(?:roll|rolls|register|books|list|class|squad|team|choir|group|course|party|staff|payroll)"
    r"|enrolled|invited|booked|expected|entered|registered|signed up|listed)(?: [a-z]+)?[,;:.]?"
    r"(?: but| and| with| of whom| only| today| though){0,2}"
    r" (?P<gone>§n\d+§)(?: (?!of\b)[a-z'’-]+){0,2}?"
    r" (?:absent|away|off\b|missing|sick|ill|on leave|not present|down with|did not (?:come|turn"
    r"|show|start|attend)|didn['’]t (?:come|turn|show|start|attend)|failed to (?:come|turn|show"
    r"|start|attend)|stayed (?:away|at home)|cancelled|withdrew|dropped out|excused|no-shows"
    r"|(?P<here>(?:were |are |was |is )?(?:present|there|in attendance)|came|turned up|attended)\b)"
)
_OF_PRESENT = re.compile(
    r"(?P<share>§[fp]\d+§) of (?:those|the (?:rest|others|pupils|children|students|people|members"
    r"|candidates|[a-z]+)|them)(?: who)?(?: (?:were|are))? (?:present|there|attend(?:ing|ed)"
    r"|in attendance|came|turned up|sat|who came|who sat|in class|remaining|left)\b"
)
_BALLOT = re.compile(
    r"\b(?:carried|passed|won|lost|defeated|rejected|approved|adopted|thrown out|voted down"
    r"|elected|agreed|accepted|fell|vote[sd]?|re-elected)\b[^.;§\n]{0,30}?[ (]"
    r"(?P<more>§n\d+§)(?: votes?| in favour| for)?(?: to | votes to |[-–]|, | and | against )"
    r"(?P<less>§n\d+§)(?: against| votes)?,?"
    r"(?: (?:and|with|there being|there were|while|plus)){0,2} "
    r"(?P<none>§n\d+§)(?: (?:[a-z]+ ){0,2}?)(?:abst\w+|not voting|did not vote|undecided"
    r"|blank|spoil\w+|did not take part)"
)
_MARGIN = re.compile(
    r"\b(?:carried|passed|defeated|rejected|approved|adopted|thrown out|voted down|re-elected"
    r"|elected)(?: [a-z]+){0,3}? (?P<more>§n\d+§)(?: votes)? (?:to|against) (?P<less>§n\d+§)"
)
_TURNS = (
    r"(?:§n\d+§|one) (?:after|behind) (?:the other|another)|one by one|in turn|in succession"
    r"|in sequence|back[ -]to[ -]back|consecutively|successively|on the trot|running"
)
_IN_TURN = re.compile(
    rf"(?P<count>§n\d+§)(?P<noun> [a-z'’-]+)[^.;§\n]{{0,40}}?(?<!\w)(?:{_TURNS})[,;]?"
    rf"[^.;§\n]{{0,25}}?(?P<size>§t\d+§) (?:each|apiece|per|every)\b"
    rf"|(?P<count2>§n\d+§)(?P<noun2> [a-z'’-]+)[^.;§\n]{{0,30}}?[, ](?P<size2>§t\d+§) "
    rf"(?:each|apiece),?[^.;§\n]{{0,20}}?(?<!\w)(?:{_TURNS})"
)
_BOTH_SIDES = re.compile(
    r"(?<!\w)(?:both sides|§x\d+§[ -]sided|two[ -]sided|duplex|front and back|back and front"
    r"|either side|two pages (?:to|on) (?:a|the|each) sheet)\b"
)
_ONE_SIDE = re.compile(r"\b(?:if|not|or) (?:[a-z]+ ){0,3}$")
_PAGES = re.compile(
    r"(?P<pages>§n\d+§)[ -](?:printed |a4 )?(?:pages?|sides)\b(?! (?:in|into|later))"
)
_COPIES = re.compile(
    r"(?P<copies>§n\d+§)(?: [a-z]+)? (?:copies|booklets|programmes|programs|handouts|brochures"
    r"|newsletters|magazines|sets|leaflets|pamphlets|manuals|books|papers|question papers)\b"
)
_OVERS = re.compile(
    r"(?P<runs>§n\d+§)(?: (?:runs?|more|needed|required|to (?:win|get)|wanted|for §n\d+§"
    r"|all out|came|conceded|scored|taken)){0,3}"
    r" (?:off|from|in|after) (?:just |only )?(?:the |their |his |its |your |our )?"
    r"(?:last |final |first |next |remaining |opening |allotted )?(?P<overs>§n\d+§) overs?\b"
)
_CHASE = re.compile(
    r"\b(?:chas\w+|target of|target was|set|needed|needing|wanted|required|requiring) (?:just )?"
    r"(?P<target>§n\d+§)(?! for §)[^§.;\n]{0,40}(?:§n\d+§[^§.;\n]{0,25})?[.,;]?[^§.;\n]{0,40}?"
    r"\b(?:were|was|are|is|stood at|reached|on|at|got to|slumped to|had made) (?P<made>§n\d+§)"
    r" (?:for §n\d+§|without loss|all out)"
    r"|\bneed(?:ed|ing|s)? (?P<target2>§n\d+§) (?:runs )?(?:off|from) (?:the )?(?:last|final)"
    r"[^.]{0,40}\.? (?P<made2>§n\d+§) (?:came|were (?:taken|scored|plundered)|runs came)"
    r" (?:off|from)\b"
)
_SCORED = re.compile(r"§n\d+§ for §n\d+§|§n\d+§ (?:came|were (?:taken|scored)) (?:off|from)")
_OF_CAPACITY = re.compile(
    r"(?P<part>§n\d+§)(?: (?!of\b)[a-z'’-]+){0,8}?(?: ?[,(–—:;-]+ ?| )(?:and )?(?:which is "
    r"|that is |this is |or |just |only |about |exactly |it is |filling |making |a mere )*"
    r"(?P<share>§[pf]\d+§) (?:of )?(?:what (?!is\b|was\b|he\b|she\b|they\b|we\b|i\b)[a-z' -]{1,40}?"
    r"(?:can|could|will|would|is able to|was built to)(?: [a-z]+)? (?:hold|seat|take|carry|fit"
    r"|sleep|accommodate|house|store)\b"
    r"|what (?:[a-z]+ ){1,4}?(?:holds|seats|takes|sleeps|carries)\b"
    r"|(?:its |the |our |their |[a-z]+['’]s )?(?:full |total |rated |seating )*(?:capacity"
    r"|electorate|membership|intake)\b|a full house)"
)
_FULL_WITH = re.compile(
    r"(?P<share>§[pf]\d+§)[ -](?:full|occupied|booked|sold|taken|filled),? (?:with|and|by|at|:)"
    r"(?: (?:just|only|some|it (?:has|had|holds|held)|there (?:are|were)))? (?P<part>§n\d+§)"
    r"(?= (?:people|guests|in|of us|seats?|places|passengers|cars|beds|rooms|fans|spectators"
    r"|residents|tickets|members|children)\b)"
)


def derive_tallies(ledger: Ledger) -> None:
    """Derive totals, margins and what is left of tallies that are told in two parts."""
    find = ledger.passage.find
    for match in find(_DONE_AND_YET):
        _done_and_yet(ledger, match)
    for match in find(_ROLL):
        _roll(ledger, match)
    for match in find(_BALLOT):
        _ballot(ledger, match)
    for match in find(_MARGIN):
        more, less = _read(ledger, match, "more", "less")
        if more.value > less.value and more.start not in ledger.spent:
            ledger.derive(more, more.value - less.value, (more, less), "majority")
            ledger.spend(more, less) if _BALLOT.search(match.string, match.start()) else None
    for match in find(_IN_TURN):
        names = ("count", "size") if match["count"] else ("count2", "size2")
        count, size = _read(ledger, match, *names)
        noun = match["noun"] or match["noun2"]
        if count.value > 1 and noun.endswith("s") and not {count.start, size.start} & ledger.spent:
            _enter(ledger, size, count.value * size.value, (count, size), "one after the other")
            ledger.spend(count)
    for pattern in (_OF_CAPACITY, _FULL_WITH):
        for match in find(pattern):
            _of_capacity(ledger, match)
    for match in find(_CHASE):
        suffix = "2" if match["target2"] else ""
        target, made = _read(ledger, match, f"target{suffix}", f"made{suffix}")
        if made.value < target.value:
            value, span = target.value - made.value, (target.start, made.end)
            ledger.derive(target, value, (target, made), "still needed", relation=span)
            ledger.spend(target, made)
    for match in find(_OVERS):
        if _SCORED.search(match.string, match.end()):
            continue  # some of the overs are gone already
        runs, overs = _read(ledger, match, "runs", "overs")
        if overs.value > 1 and runs.value:
            _enter(ledger, runs, runs.value / overs.value, (runs, overs), "runs an over")
            ledger.spend(runs, overs)
    _sheets(ledger)


def _read(ledger: Ledger, match: re.Match[str], *names: str) -> list[Amount]:
    return [ledger.passage.amount(match[name]) for name in names]


def _enter(
    ledger: Ledger, like: Amount, value: Fraction, operands: tuple[Amount, ...], why: str
) -> None:
    ledger.derive(like, value, operands, why, confidence=0.75)


def _done_and_yet(ledger: Ledger, match: re.Match[str]) -> None:
    """Read `32 flats had paid the levy of ₹2,500 and four were yet to pay`."""
    done, yet = _read(ledger, match, "done", "yet")
    if {done.start, yet.start} & ledger.spent:
        return
    total = Amount("n", done.value + yet.value, "", done.start, done.end)
    _enter(ledger, done, total.value, (done, yet), "those who did and those yet to")
    marks = re.findall(r"§m\d+§", match["gap"])
    if not marks:
        rate = re.search(rf"(§m\d+§),? {_EACH}\b", ledger.passage.marked)
        marks = [rate[1]] if rate else []
    elif re.search(r"\b(?:total|in all|altogether|between them|coming to|in)\b", match["gap"]):
        marks = []
    if len(marks) == 1 and _PAID.search(match[0]):
        price = ledger.passage.amount(marks[0])
        for count, why in ((done, "paid so far"), (yet, "yet to be paid")):
            _enter(ledger, price, price.value * count.value, (count, price), why)
        ledger.spend(price)
    ledger.spend(done, yet)


def _roll(ledger: Ledger, match: re.Match[str]) -> None:
    """Read `forty-five on the roll, six absent. Two thirds of those present passed`."""
    whole, gone = _read(ledger, match, "whole", "gone")
    rest = whole.value - gone.value
    if rest <= 0 or {whole.start, gone.start} & ledger.spent:
        return
    here = gone.value if match["here"] else rest
    _enter(ledger, whole, rest, (whole, gone), "absent" if match["here"] else "present")
    for share in _OF_PRESENT.finditer(ledger.passage.marked, match.end(), match.end() + 150):
        mark = ledger.passage.amount(share["share"])
        part = here * mark.part
        if part.denominator == 1 and part < here:
            _enter(ledger, whole, part, (whole, gone, mark), "share of those present")
            _enter(ledger, whole, here - part, (whole, gone, mark), "the others of those present")
            ledger.spend(mark)
    ledger.spend(whole, gone)


def _ballot(ledger: Ledger, match: re.Match[str]) -> None:
    """Read `carried by 17 to 9, with four members abstaining`."""
    more, less, none = _read(ledger, match, "more", "less", "none")
    if more.start in ledger.spent:
        return
    _enter(ledger, more, more.value + less.value + none.value, (more, less, none), "all present")
    _enter(ledger, more, abs(more.value - less.value), (more, less), "majority")
    ledger.spend(more, less, none)


def _of_capacity(ledger: Ledger, match: re.Match[str]) -> None:
    """Read `a crowd of 18,300, 61 per cent of what the ground can hold`."""
    part, mark = _read(ledger, match, "part", "share")
    share = mark.part
    if not 0 < share < 1 or {part.start, mark.start} & ledger.spent:
        return
    whole = part.value / share
    if whole.denominator == 1:
        _enter(ledger, part, whole, (part, mark), "the whole")
        _enter(ledger, part, whole - part.value, (part, mark), "what was left of the whole")
        ledger.spend(part, mark)


def _sheets(ledger: Ledger) -> None:
    """Read `250 copies, 96 pages each, printed on both sides of the sheet`."""
    passage = ledger.passage
    sides = passage.first(_BOTH_SIDES)
    if sides is None or _ONE_SIDE.search(passage.marked[: sides.start()]):
        return
    pages = next(passage.find(_PAGES), None)
    if pages is None:
        return
    [page] = _read(ledger, pages, "pages")
    sheets = Fraction(-(-page.value // 2))
    relation = (passage.place(sides.start()), passage.place(sides.end()))
    ledger.derive(page, sheets, (page,), "sheets of two pages", relation=relation)
    ledger.spend(page)
    for match in passage.find(_COPIES):
        [copies] = _read(ledger, match, "copies")
        if copies.value > 1 and copies.start != page.start:
            value = copies.value * sheets
            ledger.derive(copies, value, (copies, page), "sheets of all copies", relation=relation)
            ledger.spend(copies)
            break
