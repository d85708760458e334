"""Wholes and their parts: `18 of the 45`, all but two, two of those have left, what is left."""

from __future__ import annotations

import re
from fractions import Fraction

from leadline.enrichers.amounts.ledger import Ledger
from leadline.enrichers.amounts.passage import Amount
from leadline.enrichers.amounts.shares import share_out
from leadline.types import FactRole

_LEFT_SHARE = re.compile(
    r"(?P<share>§[fp]\d+§)(?P<gap>[^.§]{0,40})(?:[.!;,\n ]+|[^.§]{0,25})(?:with |only |just "
    r"|and )*(?P<left>§[mqn]\d+§)"
    r"(?: [a-z'’-]+){0,2}? (?:left|remaining|to go|still|remain)\b"
)
_INCLUDING = re.compile(
    r"(?P<whole>§n\d+§)(?: [a-z'’-]+){0,3},? (?P<way>including|of whom|of which"
    r"|among them|not counting|excluding|plus)"
    r" (?:only |just |the )?(?P<part>§n\d+§)(?P<noun>(?: [a-z'’-]+){0,2})"
)
_OF_ALL = re.compile(
    r"\bof (?:the |our |my |his |her |its |their |your |those |these "
    r"|all )*(?P<whole>§[nmq]\d+§)(?: [a-z'’-]+){0,3}?,"
    r"(?: only| just| about)? (?P<share>§[pf]\d+§)(?! (?:off|more|less)\b)"
)
_OF_THEM = re.compile(
    r"(?P<part>§n\d+§) of (?:them|those|these|whom|which|us)\b(?P<gap>[^.§\n]{0,60})"
)
_MORE_CAME = re.compile(
    r"(?P<part>§n\d+§) (?:others|more|extra|further|additional|other [a-z]+"
    r"|late[- ]?comers)\b(?! (?:than|of|times|years|days|likely))"
)
_GONE = re.compile(
    r"\b(?:pulled out|dropped out|cancel\w*|withdr[ae]w\w*|died|left|gone|went home|broken"
    r"|broke|spoiled|spoilt|damaged|lost|sold|returned"
    r"|resigned|retired|failed|absent|missing|sick|ill|off|rejected|eaten|ate|cracked|rotten"
    r"|stolen|expired|declined|refused|no longer|not)\b"
)
_SURVEY = re.compile(
    r"\b(?:poll|survey|sample|study|panel|group|audience|class|total|team"
    r"|crowd)(?:ed)? of (?:about |some )?(?P<whole>§n\d+§)"
)
_ALL_BUT = re.compile(
    r"\b(?:all|everyone|every one|everybody)(?: of them)?,? (?:but|except|apart from"
    r"|bar) (?P<part>§n\d+§)(?: [a-z]+)? of (?:the |our |my |his |her |its "
    r"|their )?(?P<whole>§n\d+§)"
)
_INTEREST = re.compile(r"(?P<rate>§p\d+§)(?: simple| annual| yearly)? interest\b")
_NOT_A_PAIR = re.compile(
    r"\b(?:in|every|each|any|(?:led|leads?|leading|won|wins?|winning|lost|beaten|ahead|behind"
    r"|majority|margin)(?: by| of)?(?: just| only| a mere)?|by) $"
)
_OTHER_WHOLE = re.compile(
    r" of (?:(?:your|my|his|her|our|its|a|an|one['’]s) |the (?!sample|panel|group|respondents"
    r"|audience|class|total|team|crowd|people|adults|those|voters|pupils|students|children))"
)
_WANTED = re.compile(
    r"\b(?:ask(?:s|ed|ing)? for|needs?|wants?|wanted|request(?:s|ed|ing)?|requir(?:es?|ed)"
    r"|could do with|would like|['’]d like|looking for|hop(?:es|ed|ing) for|wish(?:es)? for)"
    r"(?: (?!but\b|and then\b)[a-z§0-9'’]+){0,5} $"
)
_STILL_COUNTED = re.compile(
    r"\b(?:(?:still|also|too|all the same) count|count(?:s|ed|ing)?\b(?! out)|includ)"
)
_ANY_TEN = re.compile(r"out of (?:ten|10|a hundred|100)$")
_PAIR = re.compile(
    r"(?P<part>§n\d+§)(?: (?!short|shy|ahead|clear|inside|off|more|less"
    r"|fewer)[a-z'’-]+){0,2}? (?:out )?of (?:the |our |my |his |her |its |their "
    r"|your |those |these "
    r"|a total of |a possible |all |(?:the |my |our |his |her |their )?[a-z]+['’]s? )?"
    r"(?:original |first |planned |initial |total |available |usual )?(?P<whole>§n\d+§)"
    r"(?P<noun> [a-z'’-]+)?"
)
_OF_FIRST = re.compile(
    r"(?:^|[.,;:(!?\n] ?|\bout )of (?:the |our |my |his |her |its |their |your |those "
    r"|these )?(?P<whole>§n\d+§) (?P<noun>[a-z'’-]+)"
    r"(?P<gap>[^.§\n]{0,60}),? (?:only |just |some )?(?P<part>§n\d+§) (?!short\b|more\b"
    r"|less\b|fewer\b|other\b|over\b|under\b)(?P<verb>[a-z'’-]+)"
)
_IN_PAIR = re.compile(
    r"(?P<part>§n\d+§)(?: [a-z'’-]+){0,2}? (?:in|out of(?: every)?"
    r"|/) (?P<whole>§n\d+§)(?P<noun>(?= |[.,;:!?]|$))"
)
_AFTER_COSTS = re.compile(r"\b(?:after|less|minus|net of|once|deducting|subtracting|taking off)\b")
_EXCEPTION = re.compile(
    r"\b(?:everyone|everybody|everything) else|\bthe (?:rest|others|remainder)\b"
    r"|\bthe remaining\b"
)
_REST = re.compile(
    r"\b(?:the (?:rest|remainder|remaining|balance|others?|profit|net)|what(?:'s|’s| is"
    r"| was)? left|left over|still (?:owe|to pay|to go|have)"
    r"|everyone else|everybody else|remain(?:s|ed|ing)?|left|outstanding)\b"
)
_TAKEN = re.compile(
    r"\b(?:spen[dt]|paid|pay|gave|gives?|used|sold|ate|eaten|drank|went|lost|broke|broken"
    r"|cancel\w*|sent|left"
    r"|died|returned|gone|resigned|withdrew|dropped out|took|absent|missing|spoiled|spoilt"
    r"|damaged|cracked|apolog\w*"
    r"|read|done|walked|driven|drove|covered|made|already|refused|rejected|failed|declined"
    r"|repaid)\b"
)


def derive_groups(ledger: Ledger) -> None:
    """Derive the others of a group, and a whole from what is left of it."""
    passage = ledger.passage
    _groups_of(ledger)
    for match in passage.find(_LEFT_SHARE):
        _from_what_is_left(ledger, match)


def _of_all(ledger: Ledger, match: re.Match[str]) -> None:
    """Read `of the 240 students, 35% take French`."""
    whole, mark = (ledger.passage.amount(match[name]) for name in ("whole", "share"))
    value = whole.value * mark.part
    if whole.sort != "n" or value.denominator == 1:
        ledger.derive(whole, value, (whole, mark), "share of the whole")
        ledger.spend(mark)
        share = mark.part
        share_out(ledger, whole, mark, share, match.end())


def derive_pairs(ledger: Ledger) -> None:
    """Derive percentages and rests from `18 of the 45`, `8 in 20`, `of 250, 180 came`."""
    passage = ledger.passage
    for match in passage.find(_OF_ALL):
        _of_all(ledger, match)
    for match in passage.find(_PAIR):
        is_taken = passage.amount(match["part"]).start in ledger.spent
        if is_taken or _NOT_A_PAIR.search(
            passage.marked, max(0, match.start() - 26), match.start()
        ):
            continue
        _of_whole(ledger, match)
    for match in passage.find(_OF_FIRST):
        _of_whole(ledger, match)
    for match in passage.find(_ALL_BUT):
        part, whole = passage.amount(match["part"]), passage.amount(match["whole"])
        if part.value < whole.value:
            ledger.derive(whole, whole.value - part.value, (part, whole), "all but those")
            ledger.spend(part, whole)
    for match in passage.find(_INTEREST):
        _interest(ledger, match)
    for match in passage.find(_SURVEY):
        _surveyed(ledger, passage.amount(match["whole"]))
    for match in passage.find(_IN_PAIR):
        if passage.amount(match["part"]).start not in ledger.spent:
            _of_whole(ledger, match, is_rate=True)


def _surveyed(ledger: Ledger, whole: Amount) -> None:
    """Read `47 per cent, the poll of 1,000 adults found`."""
    for amount in ledger.passage.amounts:
        value = whole.value * amount.value / 100
        near = abs(amount.start - whole.start) < 160
        if {whole.start, amount.start} & ledger.spent:
            continue
        if _OTHER_WHOLE.match(ledger.passage.text.lower(), amount.end):
            continue
        if amount.sort == "p" and amount.value < 100 and near and value.denominator == 1:
            ledger.derive(whole, value, (amount, whole), "share of all asked")


def _from_what_is_left(ledger: Ledger, match: re.Match[str]) -> None:
    """Read `sold 3/5 of the prints, 16 left`: the whole, and what is gone."""
    passage = ledger.passage
    mark, left = passage.amount(match["share"]), passage.amount(match["left"])
    share = mark.part
    before = passage.marked[max(0, match.start() - 40) : match.start()]
    if not 0 < share < 1 or not (_TAKEN.search(before) or _TAKEN.search(match["gap"])):
        return
    whole = left.value / (1 - share)
    if left.sort == "n" and whole.denominator != 1:
        return
    ledger.derive(left, whole, (mark, left), "the whole, from what is left")
    ledger.derive(left, whole * share, (mark, left), "what is gone, from what is left")


def _of_whole(ledger: Ledger, match: re.Match[str], *, is_rate: bool = False) -> None:
    passage, marked = ledger.passage, ledger.passage.marked
    part, whole = passage.amount(match["part"]), passage.amount(match["whole"])
    if not 0 < part.value < whole.value or whole.value < 3 or whole.value.denominator != 1:
        return
    percent = Amount("p", part.value, "", part.start, part.end)
    why = f"{ledger.shown(part)} of {ledger.shown(whole)}"
    ledger.spend(whole)
    if part.value > 1 or is_rate:
        ledger.derive(percent, part.value / whole.value * 100, (part, whole), why)
    of_all = (
        re.match(r" of (?:the |our |all |its |their )?(?:[a-z]+ )?(§n\d+§)", marked[match.end() :])
        if is_rate
        else None
    )
    if of_all:
        base = passage.amount(of_all[1])
        value = base.value * part.value / whole.value
        if value.denominator == 1:
            ledger.derive(base, value, (part, whole, base), f"{why} of {ledger.shown(base)}")
    if is_rate:
        return
    sentence_end = re.compile(r"[.\n]").search(marked, match.end())
    close = sentence_end.start() if sentence_end else len(marked)
    exception = _EXCEPTION.search(marked, match.end(), close)
    between = [
        passage.amount(each)
        for each in re.findall(
            r"§n\d+§", marked[match.end() : exception.start()] if exception else ""
        )
    ]
    rest = whole.value - part.value - sum((each.value for each in between), Fraction(0))
    if _ANY_TEN.search(passage.text[part.end : whole.end].lower()):
        return  # `9 out of 10 cats` are no ten cats
    if rest > 0 and part.value > 1:
        ledger.derive(part, rest, (part, whole, *between), f"the rest: not {why}")


def derive_rest(ledger: Ledger) -> None:
    """Derive what is left of a whole when what was taken of it is told."""
    passage, marked = ledger.passage, ledger.passage.marked
    for rest in re.finditer(_REST, marked):
        window = marked[max(0, rest.start() - 220) : rest.start()]
        marks = [passage.amount(each) for each in re.findall(r"§[mqn]\d+§", window)]
        if len(marks) < 2 or not (_TAKEN.search(window) or _AFTER_COSTS.search(window)):
            continue
        whole = max(marks, key=lambda each: each.value)
        parts = [
            each
            for each in marks
            if each is not whole and each.sort == whole.sort and each.unit == whole.unit
        ]
        if whole.sort == "n" and re.search(r"[.!?] ", window[window.find("§") :]):
            continue
        taken = sum((each.value for each in parts), Fraction(0))
        if (
            parts
            and marks[0] is whole
            and 0 < taken < whole.value
            and whole.start not in ledger.spent
        ):
            span = (passage.place(rest.start()), passage.place(rest.end()))
            why = f"{ledger.shown(whole)} less what was taken of it"
            is_side = re.match(r" §|(?: of)? [A-Z]", passage.text[span[1] :][:4]) or re.match(
                r" ?§| of [a-z]+, which", marked[rest.end() :]
            )
            per = re.match(r" (?:an?|per) |/", passage.text[parts[-1].end :])
            role: FactRole = "alternative" if is_side or per else "derived"
            ledger.derive(
                whole, whole.value - taken, (whole, *parts), why, relation=span, role=role
            )
            ledger.spend(whole)


def _groups_of(ledger: Ledger) -> None:
    """Read `212, including 17 who pay nothing`, `two of those have left`, `three others came`."""
    passage, _marked = ledger.passage, ledger.passage.marked
    for match in passage.find(_INCLUDING):
        whole, part = passage.amount(match["whole"]), passage.amount(match["part"])
        if match["way"] in ("excluding", "not counting", "plus"):
            ledger.derive(whole, whole.value + part.value, (whole, part), "both together")
        elif 0 < part.value < whole.value:
            ledger.derive(whole, whole.value - part.value, (whole, part), "without those named")
    for match in passage.find(_OF_THEM):
        part = passage.amount(match["part"])
        whole_before = ledger.before(part.start, "n", within=120, told=True)
        if part.start in ledger.spent:
            continue
        if "of us" in match[0] and not _GONE.search(match["gap"]):
            continue
        if whole_before and part.value < whole_before.value and not _GONE.search(match["gap"]):
            percent = Amount("p", part.value, "", part.start, part.end)
            share = part.value / whole_before.value * 100
            ledger.derive(percent, share, (whole_before, part), "share of them")
        tail = re.compile(r"[^.§\n]*(?:, (?:but|and|though)[^.§\n]*)?").match(
            passage.marked, match.end("part")
        )
        if tail and _STILL_COUNTED.search(tail[0]):
            continue
        if whole_before and part.value < whole_before.value:
            value = whole_before.value - part.value
            ledger.derive(part, value, (whole_before, part), "the others of them")
            ledger.spend(part)
    for match in passage.find(_MORE_CAME):
        if passage.amount(match["part"]).start in ledger.spent:
            continue
        part = passage.amount(match["part"])
        first = ledger.before(part.start, "n", within=80, told=True)
        if _WANTED.search(passage.marked, max(0, match.start() - 60), match.start()):
            continue
        if first and first.start not in ledger.spent:
            ledger.derive(part, first.value + part.value, (first, part), "with the others", among=2)


def _interest(ledger: Ledger, match: re.Match[str]) -> None:
    passage = ledger.passage
    rate = passage.amount(match["rate"])
    sums = [
        each for each in passage.amounts if each.sort == "m" and abs(each.start - rate.start) < 250
    ]
    years = [
        each for each in passage.amounts if each.sort == "t" and each.unit in ("year", "month")
    ]
    if len(sums) != 1 or "compound" in passage.marked:
        return
    time = years[0].value / (12 if years[0].unit == "month" else 1) if years else Fraction(1)
    gained = sums[0].value * rate.value / 100 * time
    operands = (sums[0], rate, *years[:1])
    ledger.derive(sums[0], gained, operands, "simple interest")
    ledger.derive(sums[0], sums[0].value + gained, operands, "with simple interest")
    ledger.spend(rate)
