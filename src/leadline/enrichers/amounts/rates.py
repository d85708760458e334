"""What one of a kind holds or takes, and lists of figures: products, sums, means, scaling."""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import pairwise

from leadline.enrichers.amounts.ledger import Ledger
from leadline.enrichers.amounts.passage import Amount

_ONE_HOLDS = re.compile(
    r"(?<!\w)(?:each|every|one|an?|per|§n\d+§|the"
    r"|this)(?: [a-z'’-]+)? (?P<noun>[a-z]+?)s? (?:only |just |now |still )?"
    r"(?:holds?|contains?|weighs?|costs?|seats?|carr(?:y|ies)|takes?|serves?|needs?|uses?"
    r"|feeds?|produces?|makes?|covers?|pays?"
    r"|gives?|earns?|sells? for|has|have|gets?|lasts?|is worth|is|brings? in|sleeps?|burns?"
    r"|yields?|fits?)"
    r" (?:up to |just |about |only |in )?(?P<size>§[mqtn]\d+§)(?P<what>(?: [a-z'’-]+){0,2})"
)
_EACH_HOLDS = re.compile(
    r"(?P<count>§n\d+§)(?: [a-z'’-]+){0,3}?(?:,? (?:of|with|at)|,)? (?P<size>§[mqtn]\d+§)"
    r"(?: [a-z'’-]+){0,2} (?:each|apiece|a piece|per person|a head)\b"
)
_EACH_OF = re.compile(
    r"\b(?:each|every one) (?:of )?(?:the |our |my |his |her |its "
    r"|their )?(?P<count>§n\d+§)(?: [a-z'’-]+){1,4}? (?:a |an )?(?P<size>§[mqtn]\d+§)"
)
_EACH_LATER = re.compile(
    r"(?P<count>§n\d+§)(?: [a-z'’-]+){1,4},? (?:each|every one|apiece)(?: of (?:them|whom"
    r"|which))?(?: [a-z'’-]+){1,3}? (?P<size>§[mqtn]\d+§)(?! of\b)"
)
_PAID_FOR = re.compile(
    r"\b(?:paid|cost(?: me| us)?|spent|total(?:led)? of|total(?:led)?|bill of"
    r"|sold for)(?: a total of)? (?P<price>§m\d+§)"
    r"(?: in total| altogether| all told)? for (?:the |all |our |my "
    r"|a set of )*(?P<count>§n\d+§) (?!of us|people|days|nights|years|months|weeks)[a-z]+"
)
_SIZED = re.compile(
    r"(?P<size>§[qt]\d+§)[ -](?P<noun>rolls?|tins?|bags?|bottles?|jars?|cans?|sacks?|boxes"
    r"|tubs?|tubes?|packs?|sessions?|shifts?|laps?|lengths?|planks?|pipes?)\b"
)
_LIST = re.compile(r"(?:§[nmqt]\d+§(?: [a-z]+)?(?:, and |, | and |; | )){2,}§[nmqt]\d+§")
_MEAN = re.compile(r"\b(?:averag\w+|mean)\b")
_SUM = re.compile(
    r"\b(?:total\w*|sum|altogether|in all|all told|combined|add(?:s|ed)? up|overall|together"
    r"|this w(?:ee)?k|the week|per week)\b"
)
_SERVES = re.compile(
    r"\b(?:serves|serving|makes enough for|feeds|recipe(?: is)? for)(?: about)? (?P<for>§n\d+§)"
)
_WE_ARE = re.compile(
    r"\b(?:we['’](?:re|ll be)|we are|there(?:['’]s| are| will be|['’]ll be)|cooking for"
    r"|feeding|for|need to feed|have)(?: about)?"
    r" (?P<people>§n\d+§)(?! (?:days?|weeks?|minutes?|months?|years?|hours?|g|kg))"
)
_RATIO_OF = re.compile(
    r"(?P<a>§n\d+§) (?:parts? (?:of )?(?:[a-z]+ )?)?(?:to|:) (?P<b>§n\d+§)(?P<parts> parts?)?"
)
_SHARED_BY = re.compile(r"\b(?:among|of|between)(?: the| all)? (?P<whole>§n\d+§)")
_DAILY = re.compile(
    r"(?P<dose>§[nqm]\d+§)(?: [a-z]+){0,2}?,? (?P<times>§x\d+§|once) (?:daily|a day|per day"
    r"|every day|each day)"
    r"(?P<gap>[^.\n§]{0,30}(?:(?P<days>§t\d+§)|for an? (?P<one>week|fortnight|day)))?"
)
_PERIOD = re.compile(
    r"(?P<step>§[mqn]\d+§)(?: [a-z]+){0,2}? (?:an?|per|each|every) (?P<unit>day|week|month"
    r"|year|hour|night|quarter)\b"
)
_FOR_TIME = re.compile(
    r"\b(?:for|over|in|during|after|of|last(?:s|ed)?|took|worked|stayed|all)"
    r"(?: the| a| about| another| full)*"
    r" (?P<span>§t\d+§|(?:an?|one|the|whole|full) (?P<one>day|week|month"
    r"|year|quarter))"
)
_IN_YEAR = {
    ("month", "year"): 12,
    ("quarter", "year"): 4,
    ("day", "week"): 7,
    ("week", "fortnight"): 2,
    ("week", "year"): 52,
    ("day", "fortnight"): 14,
    ("month", "quarter"): 3,
    ("night", "week"): 7,
}
_AIM = re.compile(
    r"\b(?:promis\w+|claim\w*|expect\w*|target|budget\w*|quota|limit|goal|aim\w*|estimat\w+"
    r"|quoted?|forecast|planned|asked for|advertised"
    r"|allow(?:s|ed|ance)|capacity|holds|supposed)\b"
)
_DONE = re.compile(
    r"\b(?:got|gets?|actual\w*|came to|came in at|came|raised|managed|made|reached|took|spent"
    r"|turned out|in the end|sold|delivered|used"
    r"|finished|collected|so far|ended up)\b"
)
_READING = re.compile(
    r"\b(?:odometer|meter|mileage|clock|counter|gauge|scale|reading"
    r"|balance)\b[^§\n.]{0,30}(?P<a>§[qn]\d+§)[^§\n]{0,60}(?P<b>§[qn]\d+§)"
)


_AWAY = re.compile(r"\b(?:distance|radius|height|depth|temperature)\b")
_NO_METER = re.compile(r"\b(?:sliding|balance (?:test|,)|\d\.|age|level|test)|[/\[]")
_MAKE = re.compile(r"\bmakes? §")


def derive_rates(ledger: Ledger) -> None:
    """Derive products of what one holds with how many there are, and the like."""
    for match in ledger.passage.find(_ONE_HOLDS):
        _one_holds(ledger, match)
    for match in ledger.passage.find(_SIZED):
        _one_holds(ledger, match)
    for match in ledger.passage.find(_EACH_HOLDS):
        count, size = (ledger.passage.amount(match[name]) for name in ("count", "size"))
        if count.start not in ledger.spent and count.value > 1:
            ledger.derive(size, count.value * size.value, (count, size), "in all")
            ledger.spend(count, size)
    for pattern in (_EACH_OF, _EACH_LATER):
        for match in ledger.passage.find(pattern):
            count, size = (ledger.passage.amount(match[name]) for name in ("count", "size"))
            if not {count.start, size.start} & ledger.spent and count.value > 1:
                ledger.derive(size, count.value * size.value, (count, size), "in all")
                ledger.spend(count, size)
    for match in ledger.passage.find(_PAID_FOR):
        price, count = (ledger.passage.amount(match[name]) for name in ("price", "count"))
        if price.start not in ledger.spent and count.value > 1:
            ledger.derive(price, price.value / count.value, (price, count), "for each")
    for match in ledger.passage.find(_PERIOD):
        _over_time(ledger, match)
    for match in ledger.passage.find(_DAILY):
        _daily(ledger, match)


def derive_lists(ledger: Ledger) -> None:
    """Derive sums, means, shares by a ratio, scaled recipes, shortfalls, and meter differences."""
    for match in ledger.passage.find(_LIST):
        _list(ledger, match)
    for match in ledger.passage.find(_RATIO_OF):
        _by_ratio(ledger, match)
    _scaled(ledger)
    _shortfall(ledger)
    for match in ledger.passage.find(_READING):
        _reading(ledger, match)


def _one_holds(ledger: Ledger, match: re.Match[str]) -> None:
    passage = ledger.passage
    size, noun = passage.amount(match["size"]), match["noun"].removesuffix("s")
    if len(noun) < 3 or size.start in ledger.spent:
        return
    if (size.sort == "n" and (size.value < 2 or " is §" in match[0])) or _AWAY.search(match[0]):
        return  # four singles have one chance; the distance is 0.05 m
    if size.sort == "n" and not match.groupdict().get("what") and _MAKE.search(match[0]):
        return  # `the two kids make five`
    counted = re.compile(
        rf"(?P<count>§n\d+§)(?: [a-z'’-]+){{0,2}}? (?:{re.escape(noun)}(?:s|es|ves)|dozen)\b"
    )
    for found in counted.finditer(passage.marked):
        count = passage.amount(found["count"])
        if count.start == size.start or count.value <= 1 or abs(count.start - size.start) > 400:
            continue
        if count.start in ledger.spent:
            continue
        value, why = count.value * size.value, f"{ledger.shown(count)} of {ledger.shown(size)}"
        if ledger.derive(size, value, (count, size), why):
            ledger.spend(count, size)
        return


def _over_time(ledger: Ledger, match: re.Match[str]) -> None:
    """Read `40 a month for two years`, `three a week for a month`."""
    passage = ledger.passage
    step = passage.amount(match["step"])
    if step.start in ledger.spent:
        return
    found = _FOR_TIME.search(passage.marked, match.end(), match.end() + 110)
    if found is None:
        return
    if found["one"]:
        count, unit, operands = Fraction(1), found["one"], [step]
    else:
        span = passage.amount(found["span"])
        count, unit, operands = span.value, span.unit, [step, span]
    if unit != match["unit"]:
        count *= _IN_YEAR.get((match["unit"], unit), 0)
    if count > 1 and ledger.derive(
        step, step.value * count, operands, f"for {count} {match['unit']}s"
    ):
        ledger.spend(step)


def _daily(ledger: Ledger, match: re.Match[str]) -> None:
    passage = ledger.passage
    dose = passage.amount(match["dose"])
    if dose.start in ledger.spent:
        return
    times = passage.amount(match["times"]).value if match["times"] != "once" else Fraction(1)
    span = (passage.place(match.start()), passage.place(match.end()))
    if times > 1:
        ledger.derive(dose, dose.value * times, (dose,), "a day", relation=span)
    if match["one"]:
        all_days = {"week": 7, "fortnight": 14, "day": 1}[match["one"]]
        ledger.derive(dose, dose.value * times * all_days, (dose,), "in all", relation=span)
    if match["days"]:
        days = passage.amount(match["days"])
        number = days.value * {"day": 1, "week": 7}.get(days.unit, 0)
        if number:
            ledger.derive(dose, dose.value * times * number, (dose, days), "in all", relation=span)


def _list(ledger: Ledger, match: re.Match[str]) -> None:
    passage, marked = ledger.passage, ledger.passage.marked
    amounts = [passage.amount(each) for each in re.findall(r"§\w\d+§", match[0])]
    sorts = {(each.sort, each.unit) for each in amounts}
    around = marked[max(0, match.start() - 140) : match.end() + 140]
    if len(sorts) > 1 or len(amounts) < 2:
        return
    total = sum((each.value for each in amounts), Fraction(0))
    like = amounts[0]
    if _MEAN.search(around) and len(amounts) > 2:
        unit = re.search(r"\bdegrees?\b", around)
        like = (
            Amount("q", total, "degree", like.start, like.end)
            if unit and like.sort == "n"
            else like
        )
        ledger.derive(like, total / len(amounts), amounts, "the mean")
    is_numbering = {b.value - a.value for a, b in pairwise(amounts)} == {1} and like.sort == "n"
    if is_numbering and len(amounts) > 2:
        return  # faces numbered 1, 2, 3
    if _SUM.search(around) and not re.search(r"\bdegrees?\b", around):
        ledger.derive(like, total, amounts, "the sum")


def _by_ratio(ledger: Ledger, match: re.Match[str]) -> None:
    """Read `two to one among the 27` and `one part to nine parts water`, `2 litres`."""
    passage, marked = ledger.passage, ledger.passage.marked
    a, b = passage.amount(match["a"]), passage.amount(match["b"])
    whole = _SHARED_BY.search(marked, match.end(), match.end() + 60)
    total = a.value + b.value
    if match["parts"] and {a.start, b.start} & ledger.spent:
        return
    if match["parts"]:
        percent = Amount("p", a.value, "", a.start, a.end)
        ledger.derive(percent, a.value / total * 100, (a, b), "share of the whole")
        ledger.derive(percent, b.value / total * 100, (a, b), "share of the whole")
        quantity = ledger.after(b.end, "qm", within=120) or ledger.before(a.start, "qm", within=120)
        if quantity is not None and a.value:
            ledger.derive(
                quantity, quantity.value * b.value / a.value, (a, b, quantity), "in ratio"
            )
            ledger.derive(quantity, quantity.value * total / a.value, (a, b, quantity), "in all")
    elif whole and a.value > 0 and b.value > 0:
        members = passage.amount(whole["whole"])
        for part in (a, b):
            value = members.value * part.value / total
            if value.denominator == 1:
                ledger.derive(members, value, (a, b, members), "by ratio")


def _scaled(ledger: Ledger) -> None:
    """Scale a recipe for so many to as many as there are."""
    passage = ledger.passage
    serves = passage.first(_SERVES)
    people = _WE_ARE.search(passage.marked, serves.end()) if serves else None
    if not serves or not people:
        return
    first, second = passage.amount(serves["for"]), passage.amount(people["people"])
    if first.value <= 0 or first.value == second.value:
        return
    for amount in passage.amounts:
        if amount.sort in "qn" and amount.start not in (first.start, second.start):
            value = amount.value * second.value / first.value
            if amount.start < second.start and (amount.sort == "q" or value.denominator == 1):
                ledger.derive(amount, value, (first, second, amount), "scaled")


def _shortfall(ledger: Ledger) -> None:
    """Derive how far what happened is from what was promised, planned or allowed."""
    passage = ledger.passage
    for first, second in zip(passage.amounts, passage.amounts[1:], strict=False):
        unit = first.unit or second.unit
        if (
            first.sort not in "mqtn"
            or second.sort not in (first.sort, "n")
            or second.start - first.end > 90
        ):
            continue
        if first.sort == "n" or first.unit != unit or first.start in ledger.spent:
            continue
        lead = passage.text[max(0, first.start - 40) : first.start].lower()
        gap = passage.text[first.end : second.start].lower()
        pair = (_AIM.search(lead) and _DONE.search(gap)) or (
            _DONE.search(lead) and _AIM.search(gap)
        )
        if pair and first.value != second.value:
            why = "the difference between what was meant and what came of it"
            ledger.derive(first, abs(first.value - second.value), (first, second), why)


def _reading(ledger: Ledger, match: re.Match[str]) -> None:
    a, b = ledger.passage.amount(match["a"]), ledger.passage.amount(match["b"])
    like = a if a.sort == "q" else b
    is_alike = {a.unit, b.unit} - {""} == {like.unit} - {""}
    if a.value != b.value and is_alike and not _NO_METER.search(match[0]):
        ledger.derive(like, abs(a.value - b.value), (a, b), "between the readings", among=0)
