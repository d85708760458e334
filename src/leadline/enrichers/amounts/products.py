"""Rates and counts: so many at a price each, by the hour, in equal parts, by a factor."""

from __future__ import annotations

import re
from fractions import Fraction

from leadline.enrichers.amounts.ledger import Entry, Ledger
from leadline.enrichers.amounts.money import UNKNOWN
from leadline.enrichers.amounts.passage import Amount
from leadline.enrichers.amounts.units import UNITS, unit_of

_EACH = (
    r"(?:each|apiece|a piece|per (?:person|head|pupil|guest|adult|child|ticket|item|unit|copy)"
    r"|a head|a pop|a ticket)"
)
_OVERTIME = re.compile(r"\btime[ -]and[ -](?:a[ -]half|§f\d+§)|\b(?:§x\d+§|double)[ -]time\b")
_RATE = re.compile(
    rf"(?P<rate>§[mqtn]\d+§)(?: (?P<each>{_EACH})\b"
    r"|(?: (?:an?|per|every|the|for each|for every|for (?:a|one)) | ?/ ?)"
    r"(?P<per>(?:square |cubic |working |school |full )?[a-z]+)\b|(?= each\b))"
)
_RANGE = re.compile(r"\b(?:between|from) [^.]{0,20}§\w\d+§ (?:and|to) $")
_COUNT_AT = re.compile(
    r"(?P<count>§[nqt]\d+§)(?P<noun>(?: [a-z'’-]+){0,4}?),? ?(?:at|@|for|x|×|costing"
    r"|priced at|worth|of)"
    r" (?:just |only |a rate of )?(?P<rate>§[mqt]\d+§)(?P<each> ?(?:each|apiece|a piece|an?"
    r"|per|/|every)\b)?"
)
_PACKS = re.compile(
    r"(?P<count>§n\d+§) (?:[a-z'’-]+ )?(?P<pack>boxes|packs|cases|crates|rows|bags|rolls"
    r"|bottles|cartons|trays|sets|teams|groups"
    r"|tables|coaches|buses|packets|tins|jars|cans|sacks|barrels|pallets|bundles|batches"
    r"|shelves|classes|sheets|dozen"
    r"|instalments|installments|payments|sessions|shifts|laps|lengths|trips|stacks|bunches"
    r"|columns|strips|sleeves)"
    r"(?:,)? (?:of|with|holding|containing|hold|each holding|each with) (?P<size>§[nqmt]\d+§)"
)
_HEADS = re.compile(
    r"(?P<count>§n\d+§) (?:of (?:us|them|you)|people|guests|adults|persons|diners|members"
    r"|children|kids|pupils|students|friends)\b"
)
_DAYS = re.compile(
    r"\b(?:over|for|on|both|across) (?:the |all )?(?P<count>§[n]\d+§)(?P<noun> (?:mornings"
    r"|evenings|afternoons|sessions|visits|occasions)\b)|\b(?:over|for) (?P<time>§t\d+§)"
)
_FEE = re.compile(
    r"(?:\bplus(?: an?| the)?|\band(?: the)?|,|\+|\.|;)(?P<what>(?: [a-z'’-]+){0,4}?)(?: of"
    r"| is| was| costs?| at|:)?"
    r"(?: a| an)?(?: flat| one-off| fixed| extra| further)? (?P<fee>§m\d+§)(?! ?(?:fee "
    r"|charge )?(?:an?|per|/|each|apiece|off|every|less)\b)"
)
_FEE_WORD = re.compile(
    r"delivery|cleaning|postage|shipping|fee|flat|charge|plus|handling|booking|call-?out"
    r"|deposit|insurance|tip|one-off|packing|p&p|\+"
)
_FREE = re.compile(
    r"\bfirst (?:(?P<number>§n\d+§) )?(?P<unit>[a-z]+)s? (?:is |are |was |were |came "
    r"|comes )?(?:free|on the house|not charged|included)"
)
_WAY = re.compile(
    r"(?P<leg>§[qmt]\d+§) (?:each way|one way|there and (?:the same )?back|in each direction)"
)
_OFTEN = re.compile(
    r"(?P<count>§[ntx]\d+§)(?: times)? (?:days? )?(?:an?|per|each|every) (?P<span>week|month"
    r"|year|day|fortnight|hour)\b"
)
_DEAL = re.compile(r"(?P<count>§n\d+§)(?: [a-z]+)? for (?:just |only )?(?P<price>§m\d+§)")


def derive_products(ledger: Ledger) -> None:
    """Derive totals from rates and counts, and rates from totals."""
    for match in ledger.passage.find(_PACKS):
        _multiply(ledger, match["count"], match["size"], match)
    for match in ledger.passage.find(_COUNT_AT):
        _count_at(ledger, match)
    for match in ledger.passage.find(_RATE):
        _rated(ledger, match)
    for match in ledger.passage.find(_WAY):
        _both_ways(ledger, match)
    for match in ledger.passage.find(_DEAL):
        _deal(ledger, match)
    _fees(ledger)


def _count_at(ledger: Ledger, match: re.Match[str]) -> None:
    each = match["each"] or re.search(r"@|\bat\b|×|\bx\b|priced", match[0])
    if not each or (re.search(r"\bfor\b", match[0]) and not match["each"]):
        return
    count, rate = (ledger.passage.amount(match[name]) for name in ("count", "rate"))
    per = (match["each"] or "").strip()
    if per in ("a", "an", "per", "/", "every"):
        return
    if (count.sort == "n" and rate.sort == "m" and count.value > 1) or (
        count.sort == "t" and rate.sort == "m" and "@" in match[0]
    ):
        _multiply(ledger, match["count"], match["rate"], match)


def _multiply(
    ledger: Ledger, count_mark: str, size_mark: str, match: re.Match[str]
) -> Entry | None:
    passage = ledger.passage
    count, size = passage.amount(count_mark), passage.amount(size_mark)
    span = (passage.place(match.start()), passage.place(match.end()))
    why = f"{ledger.shown(count)} × {ledger.shown(size)}"
    entry = ledger.derive(size, count.value * size.value, (count, size), why, relation=span)
    if entry:
        ledger.spend(count, size)
    return entry


def _rated(ledger: Ledger, match: re.Match[str]) -> None:
    """Multiply a rate by the count of its unit: `65 dollars an hour`, `14 hours`."""
    passage = ledger.passage
    rate = passage.amount(match["rate"])
    is_overtime = passage.first(_OVERTIME) is not None
    if (
        rate.start in ledger.spent
        or (rate.sort == "m" and not is_overtime)
        or _RANGE.search(passage.marked, max(0, match.start() - 50), match.start())
    ):
        return
    if rate.sort == "n":
        if passage.currency == UNKNOWN or not UNITS.get(match["per"] or ""):
            return
        rate = Amount("m", rate.value, passage.currency, rate.start, rate.end)
    if overtime := passage.first(_OVERTIME):
        factor = Fraction(3, 2) if "half" in overtime[0] or "§f" in overtime[0] else Fraction(2)
        span = (passage.place(overtime.start()), passage.place(overtime.end()))
        ledger.derive(rate, rate.value * factor, (rate,), "overtime rate", relation=span)
        rate = Amount(rate.sort, rate.value * factor, rate.unit, rate.start, rate.end)
    count = _counted(ledger, rate, match)
    if count is None or count.start == rate.start:
        return
    value, why = count.value, f"{ledger.shown(count)} × {ledger.shown(rate)}"
    operands = [count, rate]
    free = passage.first(_FREE)
    if free and match["per"] and free["unit"].rstrip("s") == match["per"].rstrip("s"):
        value -= passage.amount(free["number"]).value if free["number"] else 1
        why += ", the first free"
    if value <= 1:
        return
    days = passage.first(_DAYS) if match["per"] in ("head", "person") or match["each"] else None
    if days and passage.amount(days["count"] or days["time"]) not in (count, rate):
        operands.append(passage.amount(days["count"] or days["time"]))
        value *= operands[-1].value
    span = (passage.place(match.start()), passage.place(match.end()))
    entry = ledger.derive(rate, value * rate.value, operands, why, relation=span)
    if entry:
        ledger.spend(rate, count)
        _worked_on(ledger, match, entry)


def _worked_on(ledger: Ledger, match: re.Match[str], entry: Entry) -> None:
    """Read on in `20 dollars an hour, eight hours a day, five days a week`."""
    passage = ledger.passage
    tail = passage.marked[match.start() : match.end() + 120]
    total = entry.amount.value
    for often in re.finditer(
        r"(§[tn]\d+§)(?: days| nights| times)? (?:an?|per|each|every) (day|week|month|year)\b", tail
    ):
        unit, count = often[2], passage.amount(often[1])
        if unit == "day" and count.unit == "hour":
            continue
        if (
            unit == "week"
            and count.unit in ("day", "night", "")
            and count.start > entry.amount.start
        ):
            total *= count.value
            parts = (entry.amount, count)
            ledger.derive(entry.amount, total, parts, f"{entry.why}, {ledger.shown(count)} a week")


def _counted(ledger: Ledger, rate: Amount, match: re.Match[str]) -> Amount | None:
    passage, marked = ledger.passage, ledger.passage.marked
    per = match["per"]
    best: Amount | None = None
    if per is None:
        found = list(re.finditer(r"(§n\d+§)(?: [a-z'’-]+){1,3}", marked))
        near = [passage.amount(m[1]) for m in found]
        near = [each for each in near if each.end <= rate.start and rate.start - each.end < 90]
        if heads := _HEADS.search(marked) if re.search(r"head|person|guest", match[0]) else None:
            return passage.amount(heads["count"])
        return near[-1] if near and near[-1].value > 1 else None
    unit = UNITS.get(per, "")
    if not unit and re.match(r"(?:square|cubic) ", per):
        unit = unit_of(per)
    if not unit and per in ("head", "person"):
        heads = _HEADS.search(marked)
        return passage.amount(heads["count"]) if heads else None
    for amount in ledger.all("qtn"):
        if abs(amount.start - rate.start) > 260 or amount.start == rate.start:
            continue
        tail = marked_noun(ledger, amount)
        same = amount.sort in "qt" and bool(unit) and amount.unit == unit
        same = same or (amount.sort == "n" and _singular(per) in tail)
        if same and (best is None or abs(amount.start - rate.start) < abs(best.start - rate.start)):
            best = amount
    return best


def marked_noun(ledger: Ledger, amount: Amount) -> tuple[str, ...]:
    """Return the words that a count may count, singular: at most three after it."""
    words = re.match(r"(?: [A-Za-z'’-]+){1,3}", ledger.passage.text[amount.end : amount.end + 50])
    return tuple(_singular(word) for word in words[0].lower().split()) if words else ()


def _singular(word: str) -> str:
    if word.endswith(("xes", "ches", "shes", "sses")):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word


def _both_ways(ledger: Ledger, match: re.Match[str]) -> None:
    passage = ledger.passage
    leg = passage.amount(match["leg"])
    span = (passage.place(match.start()), passage.place(match.end()))
    both = ledger.derive(leg, leg.value * 2, (leg,), "there and back", relation=span)
    often = _OFTEN.search(passage.marked, match.end(), match.end() + 60)
    if both and often and often["span"] == "week":
        count = passage.amount(often["count"])
        value = leg.value * 2 * count.value
        ledger.derive(leg, value, (leg, count), f"there and back, {count.value} times a week")


def _deal(ledger: Ledger, match: re.Match[str]) -> None:
    """Read `35.00 each or 3 for 90.00`."""
    passage = ledger.passage
    count, price = passage.amount(match["count"]), passage.amount(match["price"])
    if count.value < 2 or count.value > 50 or count.value.denominator != 1:
        return
    span = (passage.place(match.start()), passage.place(match.end()))
    why = f"{passage.text[span[0] : span[1]]}, for each"
    ledger.derive(price, price.value / count.value, (count, price), why, relation=span)
    single = re.search(
        r"(§[mn]\d+§) (?:each|apiece|a piece)", passage.marked[: match.start()][-80:]
    )
    if single:
        one = passage.amount(single[1])
        saved = one.value * count.value - price.value
        if saved > 0:
            ledger.derive(price, saved, (one, count, price), "saved against buying singly")


def _fees(ledger: Ledger) -> None:
    """Add a flat fee to a total derived before it."""
    passage = ledger.passage
    for match in passage.find(_FEE):
        fee = passage.amount(match["fee"])
        if not _FEE_WORD.search(match[0]):
            continue
        totals = [each.amount for each in ledger.entries if each.amount.sort == "m"]
        totals = [each for each in totals if each.end <= fee.start and fee.start - each.end < 150]
        if totals and fee.start not in ledger.spent and totals[-1].unit == fee.unit:
            span = (passage.place(match.start()), passage.place(match.end()))
            why = f"total with {passage.text[span[0] : span[1]].strip(' ,.;')}"
            if ledger.derive(fee, totals[-1].value + fee.value, (totals[-1], fee), why):
                ledger.spend(fee)
