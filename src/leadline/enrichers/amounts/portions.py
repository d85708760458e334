"""Parts of a number of things told before: `15 per cent exceeded it`, `one in nine`, the others."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction

from leadline.enrichers.amounts.counted import is_same_noun, nouns_after, nouns_of
from leadline.enrichers.amounts.fates import GONE, LOSING
from leadline.enrichers.amounts.ledger import Ledger
from leadline.enrichers.amounts.passage import Amount
from leadline.enrichers.amounts.shares_of_places import share_of_places

_ABOUT = r"(?:(?:exactly|just|only|precisely|fully|a full|a good|some|another|a further) )?"
_OPENS = (
    r"(?:^|[.;:,!?(\n—–>]|\b(?:and|but|while|whereas|though|that|with|because|found|then))[ (]*"
)
_THEM = r"(?:them|those|these|whom|which|us|it)"
_OF = (
    rf"(?P<of> of (?:{_THEM}\b|(?:all )?(?:the|these|those|our|its|their|my|his|her|all)"
    r"(?P<noun>(?: (?!§)[a-z'’-]+){1,2}?)(?=[ ,.;:)]|$)))"
)
_VERB = (
    r"(?: (?:are|were|is|was|be|have|has|had|did|do|does|came|come|said|say|chose|took|went"
    r"|got|want|voted|prefer|go|own|speak|live|work|use|drive|walk|cycle|pass|fail|left|stayed|met"
    r"|paid|gave|told|thought|knew|kept|made|ran|won|lost|sold|bought|read|held|grew|bore|broke"
    r"|never|also|always|already|still|did not|didn['’]t|(?!need|hundred|red)[a-z]{2,}ed)\b)"
)
_SHARE = re.compile(
    rf"{_OPENS}{_ABOUT}(?P<share>§[pf]\d+§)(?:{_OF}(?:{_VERB})?|{_VERB})"
    rf"|\b(?:of (?P<lead>{_THEM})|(?:the"
    rf"|our) (?P<subject>[a-z]+)),? {_ABOUT}(?P<second>§[pf]\d+§){_VERB}"
)
_ONE_IN = re.compile(
    rf"(?P<a>§n\d+§)(?P<named> (?!of\b|more\b)[a-z-]+)? (?:in"
    rf"|out of)(?: every)? (?P<b>§n\d+§)(?:{_OF})?(?P<counted>(?: [a-z'’-]+)?)"
)
_ALL_BUT = re.compile(
    rf"\b(?:all|every one|everyone|everybody|each)(?: of {_THEM}| of the [a-z]+)?,? (?:but(?: for)?"
    r"|except(?: for)?|excepting|bar|save|apart from|minus) (?P<part>§n\d+§|one\b)(?! of (?:the"
    r"|our|my) §)"
)
_OF_THEM_FIRST = re.compile(
    rf"\b(?:of|among|amongst) {_THEM},?(?: (?:were|are|was|is|there (?:are|were)|only|just|exactly"
    r"|some|about|a total of|fully))* (?P<part>§n\d+§)"
)
_NESTED = re.compile(
    r"(?P<part>§n\d+§) (?:out )?of (?:the|a|our|my|his|her|their|its|this)(?: [a-z-]+){1,2} of"
    r" (?P<whole>§n\d+§)"
)
_OF_TIME = re.compile(
    r"(?P<part>§n\d+§)(?: [a-z]+)? (?:out of |of (?=the|its|our|my|his|her|th))"
    r"(?:the |its |our |my |his |her |their |those |these )?(?P<whole>§t\d+§)"
)
_LEFT_OF = re.compile(
    r"(?P<share>§[fp]\d+§) of (?:the |its |our |my |his |her |their |those "
    r"|these )*(?P<whole>§[nq]\d+§)"
)
_OF_COUNT = re.compile(r" (?:of|among) (?:all |the |our |its |their |my |these |those )*(§n\d+§)")
_HALF_THE = re.compile(
    r"(?P<share>§[fp]\d+§)(?: of)? (?:the|these|those|our|my|his|her|their|its|a"
    r"|all)(?: [a-z'’-]+){0,2}?(?: of)?"
    r" (?P<whole>§n\d+§)"
)
_THAT_IS = re.compile(
    r"(?P<share>§[fp]\d+§) of (?:the|its|all|our|their|my|his|her|these"
    r"|those)(?: [a-z'’-]+){1,4}?,? \(?(?:that is|that['’]s|i\.e\."
    r"|or|namely|meaning|which is|which makes|in other words)[,: ]+(?:just |only "
    r"|some )?(?P<part>§n\d+§)"
)
_LEFT_FROM = re.compile(
    r"(?P<part>§[nqt]\d+§)(?: [a-z]+){0,2}? (?:left|to go|remaining|still to (?:go|do|come)|spare"
    r"|unused|unsold|unread)"
    r",? (?:out of|of|from) (?:the |my |our |his |her |its |their |a |this |that "
    r"|an )*(?:[a-z]+ )?(?P<whole>§[nqt]\d+§)"
)
_INCLUDES = re.compile(
    r"(?P<whole>§[nt]\d+§)(?P<gap>[^.§\n]{0,50}?)\b(?:which |that |this |it |and |but )*"
    r"(?:includ(?:es|ed|ing)|counts|counting|comprises|takes in|contain(?:s|ed|ing))"
    r" (?:the |my |our |a |an |only |just |all |both )*(?P<part>§[nt]\d+§)"
)
_REST = re.compile(
    r"\b(?:the (?:rest|others|remainder|remaining|other [a-z]+)|(?:all|every) the others?"
    r"|every(?:one|body) else|all others|the ones? left|the balance)\b(?! (?:day|week|night|side"
    r"|end))"
)
_FULL = re.compile(
    r"(?P<share>§[pf]\d+§)(?: of (?:them|the [a-z]+|its [a-z]+))?[ -](?:are |is |was |were )?"
    r"(?P<way>full|empty|sold|occupied|taken|booked|let|filled|free|vacant|unsold|unlet"
    r"|unoccupied)\b"
)
_HOLDS = re.compile(
    r"\b(?:hold(?:s|ing)|seat(?:s|ing)?|capacity(?: of| is| was|:)|room for|space for|sleeps"
    r"|accommodates|fits|takes|carries|berths?)(?: up to| about| exactly)? (?P<whole>§[nq]\d+§)"
    r"|(?P<before>§n\d+§)(?:[ -][a-z]+)?[ -](?:seats?|seater|capacity|places|rooms|beds|berths"
    r"|spaces|stalls|pitches|flats|units|bays|desks)\b"
)
_ATTRIBUTED = re.compile(r",? (?:said|says|claims|claimed|insists|insisted|reckons|according to)\b")
_PRICED = re.compile(
    r"\b(?:off|discount|interest|vat|tax|tip|deposit|more than|less than|rise|increase)\b"
)
_REACH = 260


@dataclass
class _Parts:
    """The parts told so far of one whole."""

    whole: Amount
    end: int
    parts: list[tuple[Fraction, Amount]] = field(default_factory=list)


def derive_portions(ledger: Ledger) -> None:
    """Derive parts of a number of things by shares, and what is left for the others."""
    passage = ledger.passage
    found: list[_Parts] = []
    found += [each for match in passage.find(_NESTED) if (each := _nested(ledger, match))]
    for match in passage.find(_OF_TIME):
        part, whole = passage.amount(match["part"]), passage.amount(match["whole"])
        if part.value < whole.value:
            _as_part(ledger, Amount("t", part.value, whole.unit, part.start, part.end), whole)
    for match in passage.find(_HALF_THE):
        mark, whole = passage.amount(match["share"]), passage.amount(match["whole"])
        share = mark.part
        value = whole.value * share
        if 0 < share < 1 and value.denominator == 1 and mark.start not in ledger.spent:
            ledger.derive(whole, value, (whole, mark), "a share of them")
            found.append(_Parts(whole, match.end(), [(value, mark)]))
    for match in passage.find(_THAT_IS):
        mark, part = passage.amount(match["share"]), passage.amount(match["part"])
        share = mark.part
        if 0 < share < 1 and (part.value / share).denominator == 1:
            ledger.derive(part, part.value / share, (part, mark), "the whole of that share")
            ledger.derive(part, part.value / share - part.value, (part, mark), "the others")
            ledger.spend(part, mark)
    for match in passage.find(_LEFT_FROM):
        part, whole = passage.amount(match["part"]), passage.amount(match["whole"])
        if whole.sort == "n" and part.unit:
            whole = replace(part, value=whole.value, start=whole.start, end=whole.end)
        if part.sort == whole.sort and part.unit == whole.unit and part.value < whole.value:
            gone = whole.value - part.value
            ledger.derive(whole, gone, (part, whole), "what is gone")
            percent = Amount("p", gone, "", part.start, part.end)
            ledger.derive(percent, gone / whole.value * 100, (part, whole), "share that is gone")
            ledger.spend(part, whole)
    for match in passage.find(_LEFT_OF):
        _left_of(ledger, match)
    for match in passage.find(_INCLUDES):
        _includes(ledger, match)
    for match in passage.find(_ALL_BUT):
        _all_but(ledger, match)
    for match in passage.find(_OF_THEM_FIRST):
        if parts := _counted_part(ledger, match):
            found.append(parts)
    for match in sorted([*passage.find(_SHARE), *passage.find(_ONE_IN)], key=_start):
        parts = _share(ledger, match) if "share" in match.re.groupindex else _one_in(ledger, match)
        if parts:
            found.append(parts)
    for match in passage.find(_FULL):
        _full(ledger, match)
    _rests(ledger, found)
    _rest_of_hundred(ledger)


_NO_REST = re.compile(
    r"§p\d+§ (?:[a-z]+caine|saline|solution|alcohol)\b|\bthe (?:other|others) (?:by|end|side"
    r"|hand)\b"
    r"|\bthe (?:remainder|rest) of the [a-z]+ (?:was|were|is|are) (?:not|un)"
)


def _rest_of_hundred(ledger: Ledger) -> None:
    """Read `12% said no, 8% did not know, the rest yes`: what is left of a hundred."""
    passage = ledger.passage
    for rest in passage.find_all(_REST):
        start = passage.marked.rfind("\n", 0, rest.start()) + 1
        if _NO_REST.search(passage.marked, start, rest.end() + 40):
            continue
        window = passage.marked[max(start, rest.start() - 170) : rest.start()]
        if re.match(r"(?: [a-z]+)? §|[^.§]{0,30} bone\b", passage.marked[rest.end() :]):
            continue  # the remaining 20 per cent are told
        shares = [passage.amount(mark) for mark in re.findall(r"§p\d+§", window)]
        stops = window[window.find("§") :].count(". ")
        if stops > 1:
            continue
        total = sum((each.value for each in shares), Fraction(0))
        if shares and 0 < total < 100 and not _PRICED.search(window):
            span = (passage.place(rest.start()), passage.place(rest.end()))
            why = "the rest of a hundred per cent"
            ledger.derive(shares[0], 100 - total, shares, why, relation=span, confidence=0.7)


def _start(match: re.Match[str]) -> int:
    return match.start()


def _whole_before(
    ledger: Ledger, offset: int, nouns: tuple[str, ...], least: Fraction
) -> Amount | None:
    """Return the number of things that a part told at an offset is a part of."""
    near = [
        each
        for each in ledger.all("n")
        if each.end <= offset and offset - each.end <= _REACH and each.value > least
    ]
    told = [each for each in near if each in ledger.passage.amounts]
    derived = [each for each in near if each not in ledger.passage.amounts]
    if nouns:
        same = [
            each
            for each in told
            if (own := nouns_of(ledger.passage, each)) and is_same_noun(nouns, own)
        ]
        if same:
            return same[-1]
        return max(derived, key=_at, default=None)
    text = ledger.passage.text
    counted = [
        each
        for each in told
        if nouns_of(ledger.passage, each) or text.startswith((" of us", " of them"), each.end)
    ]
    return max([*counted, *derived], key=_at, default=None)


def _at(amount: Amount) -> tuple[int, int]:
    return (amount.end, amount.start)


def _share(ledger: Ledger, match: re.Match[str]) -> _Parts | None:
    mark = ledger.passage.amount(match["share"] or match["second"])
    share = mark.part
    if not 0 < share < 1 or mark.start in ledger.spent:
        return None
    noun = match["noun"] or match["subject"] or ""
    nouns = nouns_after("§" + noun if noun.startswith(" ") else "§ " + noun, 1) if noun else ()
    whole = _whole_before(ledger, mark.start, nouns, Fraction(1))
    return _enter(ledger, whole, share, [mark], match)


def _one_in(ledger: Ledger, match: re.Match[str]) -> _Parts | None:
    a, b = (ledger.passage.amount(match[name]) for name in ("a", "b"))
    if not 0 < a.value < b.value <= 100:
        return None
    if of_all := _OF_COUNT.match(ledger.passage.marked, match.end("b")):
        return _enter(ledger, ledger.passage.amount(of_all[1]), a.value / b.value, [a, b], match)
    noun = match["noun"] or match["named"] or match["counted"] or ""
    nouns = nouns_after("§" + noun, 1) if noun.strip() else ()
    whole = _whole_before(ledger, a.start, nouns, b.value)
    if whole is None and nouns:
        later = [
            each
            for each in ledger.passage.amounts
            if each.sort == "n" and b.end < each.start < b.end + 200 and each.value > b.value
            and set(nouns) & set(nouns_of(ledger.passage, each))
        ]  # fmt: skip
        whole = later[0] if later else None
    if {a.start, b.start} <= ledger.spent:
        return None
    return _enter(ledger, whole, a.value / b.value, [a, b], match)


def _enter(
    ledger: Ledger, whole: Amount | None, share: Fraction, marks: list[Amount],
    match: re.Match[str],
) -> _Parts | None:  # fmt: skip
    if whole is None or (whole.value * share).denominator != 1:
        return None
    passage = ledger.passage
    span = (passage.place(match.start()), passage.place(match.end()))
    why = f"{passage.text[marks[0].start : marks[-1].end]} of {ledger.shown(whole)}"
    value = whole.value * share
    if not ledger.derive(whole, value, (whole, *marks), why, relation=span, confidence=0.75):
        return None
    ledger.spend(*marks)
    if match["of"] and len(marks) == 1:
        ledger.derive(whole, whole.value - value, (whole, *marks), f"not {why}", confidence=0.55)
    return _Parts(whole, match.end(), [(value, marks[-1])])


def _all_but(ledger: Ledger, match: re.Match[str]) -> None:
    passage = ledger.passage
    start = passage.place(match.start("part"))
    part = (
        Amount("n", Fraction(1), "", start, start + 3, True)
        if match["part"] == "one"
        else passage.amount(match["part"])
    )
    nouns = () if match["part"] == "one" else nouns_of(passage, part)
    whole = _whole_before(ledger, passage.place(match.start()), nouns, part.value)
    if whole is None and part.start not in ledger.spent:
        whole = _whole_before(ledger, passage.place(match.start()), (), part.value)
    if whole is not None and part.start not in ledger.spent:
        ledger.derive(whole, whole.value - part.value, (whole, part), "all but those")
        ledger.spend(part, whole)


def _counted_part(ledger: Ledger, match: re.Match[str]) -> _Parts | None:
    part = ledger.passage.amount(match["part"])
    whole = _whole_before(ledger, ledger.passage.place(match.start()), (), part.value)
    if whole is None:
        numbers = [each for each in ledger.passage.amounts if each.sort == "n"]
        near = [each for each in numbers if 0 < part.start - each.end < 40]
        whole = next((each for each in reversed(near) if each.value > part.value), None)
    if whole is None or part.start in ledger.spent:
        return None
    _as_part(ledger, part, whole)
    return _Parts(whole, match.end(), [(part.value, part)])


def _as_part(ledger: Ledger, part: Amount, whole: Amount) -> None:
    percent = Amount("p", part.value, "", part.start, part.end)
    why = f"{ledger.shown(part)} of {ledger.shown(whole)}"
    ledger.derive(percent, part.value / whole.value * 100, (whole, part), why)
    ledger.derive(part, whole.value - part.value, (whole, part), f"not {why}")
    ledger.spend(part)


def _nested(ledger: Ledger, match: re.Match[str]) -> _Parts | None:
    part, whole = (ledger.passage.amount(match[name]) for name in ("part", "whole"))
    if not 0 < part.value < whole.value or {part.start, whole.start} & ledger.spent:
        return None
    _as_part(ledger, part, whole)
    return None


def _left_of(ledger: Ledger, match: re.Match[str]) -> None:
    """Read `lost a third of its 48 voices`, `half of the 64 jurors were excused`: what is left."""
    passage = ledger.passage
    mark, whole = passage.amount(match["share"]), passage.amount(match["whole"])
    share = mark.part
    value = whole.value * (1 - share)
    if not 0 < share < 1 or (whole.sort == "n" and value.denominator != 1):
        return
    nouns = nouns_after(passage.marked, match.end())
    behind = passage.marked[match.end() :]
    for _ in nouns:
        behind = re.sub(r"^[ -][a-z'’-]+", "", behind, count=1)
    lead = passage.marked[max(0, match.start() - 40) : match.start()]
    is_gone = LOSING.search(lead) or GONE.match(behind)
    if is_gone:
        ledger.derive(whole, value, (whole, mark), "what is left", confidence=0.75)


def _includes(ledger: Ledger, match: re.Match[str]) -> None:
    whole, part = (ledger.passage.amount(match[name]) for name in ("whole", "part"))
    is_fit = whole.sort == part.sort and whole.unit == part.unit
    is_fit = is_fit or (whole.unit == "day" and part.sort == "n")
    if is_fit and 0 < part.value < whole.value and not {whole.start, part.start} & ledger.spent:
        ledger.derive(whole, whole.value - part.value, (whole, part), "without those included")


def _full(ledger: Ledger, match: re.Match[str]) -> None:
    mark, whole = share_of_places(ledger, match, _HOLDS)
    if whole is None or _ATTRIBUTED.match(ledger.passage.marked, match.end()):
        return
    share = mark.part
    free = match["way"] in ("empty", "free", "vacant", "unsold", "unlet", "unoccupied")
    for part, what in ((share, "what is taken"), (1 - share, "what is free")):
        value = whole.value * (1 - part if free else part)
        if value.denominator == 1 and (whole.sort == "n" or part == share):
            ledger.derive(whole, value, (whole, mark), what)
    ledger.spend(mark)


def _rests(ledger: Ledger, found: list[_Parts]) -> None:
    """Enter what is left of a whole for the others, once its parts are told."""
    passage = ledger.passage
    for rest in passage.find_all(_REST) if found else ():
        before = [each for each in found if each.end <= rest.start()]
        if not before or rest.start() - before[-1].end > 200:
            continue
        whole = before[-1].whole
        parts = list(_distinct(each for each in before if each.whole == whole))
        value = whole.value - sum((part for part, _ in parts), Fraction(0))
        if value > 0:
            span = (passage.place(rest.start()), passage.place(rest.end()))
            operands = [whole, *(mark for _, mark in parts)]
            ledger.derive(whole, value, operands, "the others", relation=span)


def _distinct(groups: Iterator[_Parts]) -> Iterator[tuple[Fraction, Amount]]:
    seen: set[int] = set()
    for group in groups:
        for part, mark in group.parts:
            if mark.start not in seen:
                seen.add(mark.start)
                yield part, mark
