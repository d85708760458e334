"""Parts of a whole: discounts, taxes and tips, fractions, `18 of the 45`, and what is left."""

from __future__ import annotations

import re
from fractions import Fraction

from leadline.enrichers.amounts.ledger import Ledger
from leadline.enrichers.amounts.money_shares import is_inside
from leadline.enrichers.amounts.passage import Amount

_LINK = r"(?:than|as|compared (?:to|with))\b"
_OFF_AFTER = re.compile(
    r" ?(?:off|discount|reduction|rebate|cheaper|less|lower|fewer|reduced|markdown|price cut"
    r"|cut|knocked off"
    r"|smaller|shorter|lighter)\b(?! (?:of|likely|chance|than|as)\b)"
)
_OFF_BEFORE = re.compile(
    r"(?:\b(?:knock(?:ed|s)?|took|takes?|taking|cut|cuts|slash(?:ed|es)|reduced"
    r"|discount(?:ed)?(?: is)?|less|minus"
    r"|marked down|shaved|lost|loses?|comes? down|came down)"
    r"(?: by| of)?(?: a| an)?(?: further| additional| extra| flat)?(?: about)?|off by|−|-) $"
)
_UP_AFTER = re.compile(
    r"[) ]*(?:more|higher|extra|dearer|pricier|surcharge|mark-?up|on top|vat|sales tax|tax"
    r"|tip|gratuity"
    r"|service(?: charge)?|gst|larger|bigger|longer|heavier|late fee|booking fee|fee)\b"
    r"(?! (?:of|likely|chance|than|as|off|back|relief)\b)"
)
_UP_BEFORE = re.compile(
    r"(?:\b(?:plus|add|adds|adding|added|put up|goes up|went up|raised|put)(?: by)?"
    r"(?: a| an| the)?(?: further| extra| vat(?: of| at)?| tip of| tax of"
    r"| service charge of)?|\+) $"
)
_WILL_CHANGE = re.compile(
    r"\b(?:(?P<up>rise|rises|rising|increases?|go(?:es)? up|went up|rose|grew|grow|grown|risen"
    r"|increased|gone up|climbed|put up|raised|up)"
    r"|(?P<down>falls?|fell|drops?|dropped|go(?:es)? down|went down|gone down|fallen"
    r"|decreased?s?|declined|is down|shrank|shrunk"
    r"|cut|reduced|lost))"
    r"(?: (?:the|it|them|this|that|his|her|my|our|their|its|prices?|rents?|fees?"
    r"|fares?))*(?: by| another| a further)* $"
)
_WHOLE = re.compile(
    r"(?P<part>§[mqnt]\d+§)(?: [a-z'’-]+){0,3}(?:,? or|, which is|, that['’]s|, that is|,"
    r"|\s\(| is| are| make up| represent"
    r"| amounts? to)(?: just| only)? (?P<share>§[pf]\d+§)(?P<of> of (?:its"
    r"|the|their|all|our|his|her|my|total)\b)?(?! (?:off|more|less))"
)
_ON_BILL = re.compile(r"(?P<tip>§m\d+§) on (?:a|an|the|our|my) (?P<bill>§m\d+§)")
_INSIDE = re.compile(
    r"\b(?:incl\.?|includ(?:es?|ing|ed)|inclusive of) (?:the |a |of )?(?:vat|tax|gst|tip"
    r"|service)?(?: at| of)? ?$"
)
_DEPOSIT = re.compile(
    r" ?(?:deposit|down ?payment|commission|up ?front|in advance|down(?= |,|\.|$)|royalt\w+"
    r"|finder['’]s fee)"
)
_DEPOSIT_BEFORE = re.compile(r"(?:deposit|down ?payment|commission)(?: of| is| was|:)? $")
_OF = re.compile(
    r" (?:\w+ )?of (?:the |our |my |his |her |its |their |your |this |those |these |all "
    r"|all the |a |an )?"
    r"(?:(?P<it>it|that|this|them|which|whom|total|bill|sum|price|cost|money|amount|order"
    r"|rest|budget"
    r"|prize|fee|takings|proceeds|loan|rent|salary|whole|lot)\b"
    r"|(?:[a-z'’-]+ ){0,2}(?P<base>§[mqnt]\d+§))"
)
_OF_NOUN = re.compile(
    r" of (?:the |our |my |his |her |its |their |your |these |those |all "
    r"|all the )?(?:[a-z'’-]+ )?(?P<noun>[a-z]{3,})"
)
_TAX_IS = re.compile(
    r"\b(?:vat|sales tax|tax|tip|service(?: charge)?|gst|surcharge)(?: rate)?,?"
    r" (?:is|was|of|at|were)"
    r"(?: charged at| about)? (?P<rate>§p\d+§)"
)
_OFF_THE = re.compile(
    r"(?P<off>§m\d+§)(?: discount)? (?:off|from) (?:the |a |its |their |our |his |her |my )?"
    r"(?:[a-z]+ ){0,2}?(?P<base>§m\d+§)"
)
_OFF_MONEY = re.compile(
    r"(?P<off>§m\d+§) (?:off|discount|rebate|voucher|coupon|credit|refund(?:ed)?)\b(?! (?:the"
    r"|each|every|a|per|your)\b)"
)
_FULL = re.compile(
    r"(?P<part>§[fp]\d+§)[ -](?P<way>full|empty|used|spent|gone|complete|done|charged"
    r"|capacity)\b"
)
_REST = re.compile(
    r"\b(?:the (?:rest|remainder|remaining|balance|others?|profit|net)|what(?:'s|’s| is"
    r"| was)? left|left over|still (?:owe|to pay|to go|have)"
    r"|everyone else|everybody else|remain(?:s|ed|ing)?|left|outstanding)\b"
)


_AHEAD = re.compile(
    r" (?:of |on |the |a |an |its |their |our |this |usual |list |retail |price )*"
    r"(?:[a-z]+ )?(§m\d+§)"
)
_OF_REST = re.compile(
    r"(§[fp]\d+§)(?: of)? (?:the |what )(?:rest|remainder|remaining|was left|is left)"
)
_SHARED_OUT = re.compile(
    r"(§[fp]\d+§) (?!of|more|less|off)"
    r"(?:in|on|to|into|for|is|was|were|are|goes|went|said|chose|took|[a-z]+ed)\b"
)


def derive_parts(ledger: Ledger) -> None:
    """Derive discounted and taxed amounts, parts of a whole, and what is left of it."""
    passage = ledger.passage
    for match in re.finditer(r"§[pf]\d+§", passage.marked):
        _part(ledger, match)
    for match in passage.find(_WHOLE):
        _from_share(ledger, match)
    for match in passage.find(_ON_BILL):
        _on_bill(ledger, match)
    for match in passage.find(_OFF_THE):
        off, base = passage.amount(match["off"]), passage.amount(match["base"])
        if off.unit == base.unit and off.value < base.value:
            ledger.derive(base, base.value - off.value, (base, off), "with the money off")
    for match in passage.find(_TAX_IS):
        rate, taxed = (
            passage.amount(match["rate"]),
            ledger.before(passage.place(match.start()), "m"),
        )
        if taxed and rate.start not in ledger.spent and "includ" not in passage.marked:
            share = rate.value / 100
            ledger.derive(taxed, taxed.value * (1 + share), (taxed, rate), "with what is added")
            ledger.derive(taxed, taxed.value * share, (taxed, rate), "what is added")
            ledger.spend(rate)
    for match in passage.find(_OFF_MONEY):
        off = passage.amount(match["off"])
        total = ledger.before(off.start, "m", unit=off.unit)
        if total and total.value > off.value:
            ledger.derive(total, total.value - off.value, (total, off), "with the money off")


def _part(ledger: Ledger, match: re.Match[str]) -> None:
    passage, marked = ledger.passage, ledger.passage.marked
    mark = passage.amount(match[0])
    if mark.start in ledger.spent:
        return
    share = mark.part
    before, start, end = (
        marked[max(0, match.start() - 45) : match.start()],
        match.start(),
        match.end(),
    )
    if full := _FULL.match(marked, start):
        base = ledger.before(mark.start, "q", within=200, told=True) or ledger.after(mark.end, "q")
        part = 1 - share if full["way"] == "empty" else share
        _enter(ledger, base, part, mark, (start, full.end()))
    elif of := _OF.match(marked, end):
        base = passage.amount(of["base"]) if of["base"] else ledger.before(mark.start, within=200)
        if base is not None and share < 1:
            entry = _enter(ledger, base, share, mark, (start, of.end()))
            if entry:
                share_out(ledger, base, mark, share, of.end())
    elif (noun := _OF_NOUN.match(marked, end)) and (whole := _counted_whole(ledger, noun, mark)):
        _enter(ledger, whole, share, mark, (start, noun.end()))
        if re.search(r"\b(?:lost|sold|spent|used|gave away|cut|ate) $", before) and share < 1:
            ledger.derive(whole, whole.value * (1 - share), (whole, mark), "what is left")
    elif (off := _OFF_AFTER.match(marked, end)) or _OFF_BEFORE.search(before):
        _discount(ledger, mark, share, (start, off.end() if off else end), is_bare=not off)
    elif mark.sort == "p" and (_INSIDE.search(before) or is_inside(before, marked[end : end + 40])):
        _increase(ledger, mark, share, before, (start, end))
    elif (up := _UP_AFTER.match(marked, end)) or (up := _UP_BEFORE.search(before)):
        _increase(
            ledger, mark, share, before, (start, max(end, up.end() if up.pos == end else end))
        )
    elif (change := _WILL_CHANGE.search(before)) and not re.match(
        r" (?:to|from) §", marked[end : end + 8]
    ):
        base = ledger.before(mark.start, "mqtn", within=160) or _beginning(ledger, mark)
        ratio = 1 + share if change["up"] else 1 - share
        if _enter(ledger, base, ratio, mark, (start, end)):
            _enter(ledger, base, share, mark, (start, end))
    elif _DEPOSIT.match(marked, end) or _DEPOSIT_BEFORE.search(before):
        base = ledger.before(mark.start, "m") or ledger.after(mark.end, "m", within=80)
        _enter(ledger, base, share, mark, (start, end))


def _counted_whole(ledger: Ledger, match: re.Match[str], mark: Amount) -> Amount | None:
    """Return how many of a noun there are: `40% of the pupils` where `200 pupils` are told of."""
    noun = match["noun"].removesuffix("s")
    found = re.finditer(
        rf"(§n\d+§)(?: [a-z'’-]+){{0,2}}? {re.escape(noun)}(?:s|es)?\b", ledger.passage.marked
    )
    amounts = [ledger.passage.amount(each[1]) for each in found]
    near = [
        each for each in amounts if each.start != mark.start and abs(each.start - mark.start) < 300
    ]
    return near[0] if near and 0 < mark.value < 100 else None


def _beginning(ledger: Ledger, mark: Amount) -> Amount | None:
    """Return the amount that a later sentence says all began with."""
    base = ledger.after(mark.end, "mqn", within=160)
    lead = ledger.passage.text[max(0, base.start - 30) : base.start].lower() if base else ""
    return (
        base
        if re.search(r"\b(?:began|started|opened|stood|originally|initial\w*)\b", lead)
        else None
    )


def _discount(
    ledger: Ledger, mark: Amount, share: Fraction, span: tuple[int, int], *, is_bare: bool
) -> None:
    marked = ledger.passage.marked
    if share >= 1 or (mark.sort == "f" and is_bare):
        return
    if re.match(rf" {_LINK}", marked[span[1] : span[1] + 12]):
        return
    word = marked[span[0] : span[1]]
    sorts = "m" if re.search(r"off|discount|cheaper|rebate|price", word) or is_bare else "mqtn"
    ahead = _AHEAD.match(marked, span[1], span[1] + 60)
    base = ledger.passage.amount(ahead[1]) if ahead else ledger.before(mark.start, sorts)
    if base is None and sorts == "m":
        base = ledger.after(mark.end, "m", within=90)
    _enter(ledger, base, 1 - share, mark, span)


def _increase(
    ledger: Ledger, mark: Amount, share: Fraction, before: str, span: tuple[int, int]
) -> None:
    marked = ledger.passage.marked
    if re.match(rf"(?: [a-z]+)? {_LINK}", marked[span[1] : span[1] + 20]):
        return
    if mark.sort == "f" and not re.search(
        r"more|higher|extra|longer|bigger|on top", marked[span[0] : span[1]]
    ):
        return
    priced = re.search(
        r"\bincl|vat|tax|tip|gratuity|service|gst|fee|plus", before + marked[span[0] : span[1]]
    )
    base = ledger.before(mark.start, "m" if priced else "mqtn")
    if base is None and priced:
        base = ledger.after(mark.end, "m", within=90)
    inside = _INSIDE.search(before) or is_inside(before, marked[span[1] : span[1] + 40])
    if inside and base is not None:
        net = base.value / (1 + share)
        ledger.derive(base, net, (base, mark), "the amount before it is added")
        ledger.derive(base, base.value - net, (base, mark), "what is added")
        return
    _enter(ledger, base, 1 + share, mark, span)
    if priced and not re.search(r"fee|plus", priced[0]):
        _enter(ledger, base, share, mark, span)


def _enter(
    ledger: Ledger, base: Amount | None, share: Fraction, mark: Amount, span: tuple[int, int]
) -> bool:
    if base is None:
        return False
    value = base.value * share
    if base.sort == "n" and value.denominator != 1:
        return False
    passage = ledger.passage
    words = passage.text[passage.place(span[0]) : passage.place(span[1])]
    relation = (passage.place(span[0]), passage.place(span[1]))
    why = f"{words} of {ledger.shown(base)}"
    return ledger.derive(base, value, (base, mark), why, relation=relation) is not None


def share_out(ledger: Ledger, base: Amount, mark: Amount, share: Fraction, end: int) -> None:
    """Read `a quarter of it on stamps, two fifths in the tin, and the rest on a kite`."""
    passage, marked = ledger.passage, ledger.passage.marked
    used, marks = share, [mark]
    stop = re.compile(r"[.\n]").search(marked, end)
    close = stop.start() if stop else len(marked)
    for match in _SHARED_OUT.finditer(marked, end, close):
        other = passage.amount(match[1])
        part = other.part
        used += part
        marks.append(other)
        _enter(ledger, base, part, other, match.span())
    if again := _OF_REST.search(marked, end, close):
        further = passage.amount(again[1])
        part = further.part * (1 - used)
        span = (passage.place(again.start()), passage.place(again.end()))
        operands = (base, *marks, further)
        if base.sort != "n" or (base.value * part).denominator == 1:
            ledger.derive(base, base.value * part, operands, "a share of the rest", relation=span)
        return
    rest = _REST.search(marked, end, close)
    if rest and 0 < used < 1:
        span = (passage.place(rest.start()), passage.place(rest.end()))
        ledger.derive(base, base.value * (1 - used), (base, *marks), "what is left", relation=span)


def _from_share(ledger: Ledger, match: re.Match[str]) -> None:
    """Read `1,500 jobs, or 6 per cent of its workforce`: the whole."""
    passage = ledger.passage
    part, mark = passage.amount(match["part"]), passage.amount(match["share"])
    share = mark.part
    link = match[0][len(match["part"]) :]
    if not 0 < share < 1 or not (
        match["of"] or re.search(r"that['’]s|which is|make up|represent", link)
    ):
        return
    if part.start in ledger.spent:
        return
    whole = part.value / share
    if part.sort == "n" and whole.denominator != 1:
        return
    span = (passage.place(match.start()), passage.place(match.end()))
    ledger.derive(part, whole, (part, mark), "the whole", relation=span)
    ledger.derive(part, whole - part.value, (part, mark), "the rest of the whole", relation=span)


def _on_bill(ledger: Ledger, match: re.Match[str]) -> None:
    tip, bill = (ledger.passage.amount(match[name]) for name in ("tip", "bill"))
    if tip.value < bill.value and tip.unit == bill.unit:
        percent = Amount("p", tip.value, "", tip.start, tip.end)
        ledger.derive(
            percent, tip.value / bill.value * 100, (tip, bill), "tip as share of the bill"
        )
        ledger.derive(bill, tip.value + bill.value, (tip, bill), "bill and tip")
