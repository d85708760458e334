"""Prices of one: `£3 each`, `a ticket is £8`, `€2.50 per person per night`, `12 chairs at £45`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

from leadline.enrichers.amounts.dimensions import EACH, Basis, basis_name, is_stop, read_bases
from leadline.enrichers.amounts.passage import Amount, Passage
from leadline.enrichers.amounts.units import TIMES

_VERBS = (
    r"(?:is|are|was|were|will be|'s|’s|costs?|cost (?:me|us|him|her|them)|costing|comes? (?:to"
    r"|in at|out at)"
    r"|came to|at|@|for|goes for|go for|went for|sells? (?:for|at)|sold (?:for|at)"
    r"|retails? (?:for|at)"
    r"|pays?|paid|paying|puts? in|chips? in|chipped in|gave|gives?|gets?|got|receives?|received"
    r"|earns?|earned"
    r"|contribut\w+|charged?|charges|owes?|owed|brings? in|raises|saves|loses|yields|nets|makes"
    r"|adds|fetch(?:ed|es)|raised|sets? (?:me|you"
    r"|us) back"
    r"|has to pay|had to pay|must pay|will pay|would pay|to (?:post|ship|send|print|make|enter"
    r"|rent|hire|wash|clean)"
    r"|of|:|=|priced at|worth|has|works out at|rents? for|carr(?:y|ies)|attracts?)"
)
_LEAD_EACH = re.compile(
    rf"\b(?:each|every|per)(?: one)?(?: of)?(?: (?:the|our|my|his|her|their|us|them|these|those"
    rf"|you))?"
    rf"(?: (?P<count>§n\d+§))?(?P<nouns>(?: (?!{_VERBS}\b)[a-z][a-z'’-]*){{0,3}}?)"
    rf"(?: (?:of|in|on) (?:the|our|their|his|her|my|this"
    rf"|that) (?:(?P<members>§n\d+§)[- ])?(?:[a-z-]+ ?){{1,2}})?"
    rf"(?:,? {_VERBS}|:| ?=)(?: (?:just|only|about|me|us|him|her|them|you|a|an|the|out|back"
    rf"|back home|up"
    rf"|exactly|another|a flat|a further|over)){{0,2}} $"
)
_LEAD_ONE = re.compile(
    rf"(?:^|[.,;:(\n]|\b(?:and|but|that|where|when|because|as|so|with|if)\b) ?(?:(?:an?|one"
    rf"|a single|the price of an?) )"
    rf"(?P<nouns>(?:(?!{_VERBS}\b)[a-z][a-z'’-]* ){{1,3}})(?:{_VERBS}|now {_VERBS})(?: (?:just"
    rf"|only|now))? $"
)
_LEAD_NOUNS = re.compile(
    r"(?:^|[.,;:(\n!?–—]|\b(?:and|but|where|while|with|plus|because)\b) ?(?:(?:the|our|their|his"
    r"|her|my|some|all) )?"
    r"(?P<nouns>(?:[a-z][a-z'’-]* ){0,2}[a-z][a-z'’-]*s|children|people|adults)"
    r" ?(?:(?:are|pay|pays|paid|go for|sell (?:for|at)|went for|at|cost|were going for|were"
    r"|come at|start at|:|@|=|–|-)"
    r"(?: just| only| now| going for| priced at| on offer at)?)? ?$"
)
_LEAD_RATE = re.compile(
    r"\b(?P<adverb>hourly|daily|nightly|weekly|monthly|quarterly|yearly|annual|day|night|week"
    r"|month|hour)"
    r"['’]?s? (?:[a-z]+ )?(?:ticket|pass|return|rate|fee|rent|wage|charge|subscription|pay|cost"
    r"|price|salary|premium|fare|bill|payment"
    r"|rental|hire|retainer|allowance|instalment|installment|tariff|plan|membership|option"
    r"|contract)s?"
    r"(?:,? (?:of|is|was|at|are|comes to|came to|were)|:)? ?(?:just |only |about )?$"
)
_PRICE_PER = re.compile(
    r"\b(?:price|cost|rate|fee|charge|fare)s? (?:per|of (?:an?|one|each)|an?|for (?:each|every"
    r"|one|an?))"
    r" (?P<nouns>(?:[a-z][a-z'’-]* ){0,1}[a-z][a-z'’-]*)(?: (?:is|was|at|of)|:)? ?(?:just |only )?$"
)
_THEY_EACH = re.compile(
    rf"\beach (?:[a-z]+ )?{_VERBS}(?: (?:just|only|about|me|us|him|her|them|a|an|the|in"
    rf"|out)){{0,2}} $"
    rf"|\b(?:all|both) (?:{_VERBS})(?: (?:just|only|about|in|us|me)){{0,2}} $"
)
_LABEL = re.compile(
    r"\b(?P<adverb>hourly|daily|nightly|weekly|monthly|quarterly|yearly"
    r"|annual(?:ly)?)(?: [a-z]+)?: ?$"
)
_MILEAGE = re.compile(r"\bmileage (?:rate|allowance|claim|payment)s?(?: [a-z]+){0,3} $")
_SALARY = re.compile(r"\b(?:salary|stipend|pension)(?: (?:is|of|was|:))?:? $")
_BY_THE_DOZEN = re.compile(r" (?:per |for |the )?(?P<size>§n\d+§)(?! (?:or|and|to) §)")
_THEY_PUT = re.compile(
    r"\beach (?:[a-z]+ )?(?:put|pay|paid|chip\w*|contribut\w*|gave|give|owe|get|got|spent|brought"
    r"|bet|threw|stak\w*"
    r"|receive[sd]?|lost|won|saved|earned|donated)(?: (?:in|just|only|about|a|the|out)){0,2} $"
)
_UNIT_OF_LABEL = {"daily": "day", "annual": "year", "annually": "year"}
_SETS = frozenset(("dozen", "hundred", "thousand", "score", "gross"))
_THEM_AT = re.compile(r"\b(?:them|those|these) (?:all )?at (?:just |only )?$")
_AT = re.compile(
    r"(?P<count>§[nqtx]\d+§)(?P<nouns>(?: [a-z'’-]+){0,4}?)(?:,? (?:at|averaging|earning|@|x|×"
    r"|costing|priced at"
    r"|worth|for)"
    r"|,? ?[@x×])(?: just| only| a rate of| the price of)? ?$"
)
_LONE = re.compile(r" ?[x×*] ?(?P<count>§[nqt]\d+§)|(?P<before>§n\d+§) ?[x×*] ?$")
_COUNT_OF = re.compile(
    r"(?P<count>§n\d+§)(?: [a-z-]+){0,2} (?:payments|instal+ments|shares|notes|coins|prizes|bets"
    r"|portions|grants|fines"
    r"|donations|repayments|cheques|checks|bursaries|scholarships|deposits|lots|bills|sums"
    r"|bonuses|tranches|gifts|awards"
    r"|vouchers|stakes) (?:of|at|worth)(?: just| only)? $"
)
_VALUE_OF = re.compile(
    r"(?P<count>§n\d+§)(?: (?:crisp|whole|spare|free|new|old|single|separate|equal|monthly"
    r"|weekly))? $"
)
_VALUED = re.compile(
    r"[ -](?:(?:gift|book|lunch|bank|theatre|store|first-class|coin|postage|premium|treasury"
    r"|raffle|day|entry"
    r"|phone|top-up|library|parking) )?(?:notes?|bills?|coins?|vouchers?|tickets?|stamps?|shares?"
    r"|instal+ments?"
    r"|payments?|bets?|fines?|tokens?|cards?|coupons?|chips?|bonds?|deposits?|donations?|cheques?"
    r"|checks?"
    r"|pieces?|tips?|top-ups?|bottles?|scratchcards?|orders?)\b"
)
_BETWEEN = re.compile(r"(?: (?!every|each|per)[a-z'’-]+){1,4}(?=,? (?:every|each|per) [a-z])")
_RANGED = re.compile(
    r"\b(?:between|from) [^.§]{0,20}(?:§\w\d+§ (?:and|to) )?$|§\w\d+§ ?(?:-|–|to|or) ?$|\bor $"
)
_OR = re.compile(r" or (?:§[mn]|so\b)| ?(?:-|–|to) ?§[mn]\d")


@dataclass(frozen=True, slots=True)
class Rate:
    """A price of one: `bases` is what it is per, `count` how many where that is said with it.

    is_sure  said to be of one; the price behind a bare noun may as well be that of all
    at  a count before the price, taken where none is of the basis: `12 roses at £3 a stem`
    """

    amount: Amount
    bases: tuple[Basis, ...]
    start: int
    end: int
    count: Amount | None = None
    at: Amount | None = None
    is_sure: bool = True


def read_rates(passage: Passage) -> list[Rate]:
    """Return the prices of a passage that are per something, in order."""
    found: list[Rate] = []
    for match in passage.find(re.compile(r"§m\d+§")):
        if all(match.start() != rate.start for rate in found) and (rate := _rate(passage, match)):
            found.append(rate)
    return found


def _rate(passage: Passage, match: re.Match[str]) -> Rate | None:
    amount, marked = passage.amount(match[0]), passage.marked
    lead = marked[max(0, match.start() - 110) : match.start()]
    cut = max(lead.rfind(". "), lead.rfind("\n"), lead.rfind("? "), lead.rfind("! "))
    lead = lead[cut + 1 :]
    if _RANGED.search(lead) or _OR.match(marked, match.end()):
        return None
    bases = tuple(read_bases(passage, match.end()))
    if not bases and (by := _BY_THE_DOZEN.match(marked, match.end())):
        size = passage.amount(by["size"])
        if passage.text[size.start : size.end].lower().split()[-1] in _SETS:
            bases = (Basis("dozen", size.value, by.end(), size),)
    if not bases and (gap := _BETWEEN.match(marked, match.end())):
        link = marked[gap.end() : gap.end() + 5]
        bases = tuple(read_bases(passage, gap.end())[:1])
        bases = tuple(each for each in bases if each.name in TIMES or link == " per ")
    end = bases[-1].end if bases else match.end()
    if lone := _LONE.match(marked, match.end()) or _LONE.search(lead):
        return Rate(amount, bases, *match.span(), passage.amount(lone["count"] or lone["before"]))
    said = _AT.search(lead)
    if said and (
        not bases or bases[0].name == EACH or "averaging" in said[0] or "earning" in said[0]
    ):
        is_each = bool(bases) or not re.search(r"\b(?:worth|for|costing)\b", said[0])
        count = passage.amount(said["count"])
        if is_each and (count.sort == "n" or re.search(r"@|\bat\b|[x×]", said[0])):
            return Rate(amount, bases[1:], match.start(), end, count)
    if bases:
        at = passage.amount(said["count"]) if said and bases[0].name not in TIMES else None
        return Rate(amount, bases, match.start(), end, at=at)
    if many := _COUNT_OF.search(lead):
        return Rate(amount, (), *match.span(), passage.amount(many["count"]))
    valued = _VALUE_OF.search(lead)
    if valued and _VALUED.match(marked, match.end()):
        return Rate(amount, (), *match.span(), passage.amount(valued["count"]))
    return _led(passage, amount, match, lead)


def _led(passage: Passage, amount: Amount, match: re.Match[str], lead: str) -> Rate | None:
    """Read a price of one by what stands before it: `each child pays £4`, `tickets are £8`."""
    start, end = match.span()
    if said := _LEAD_EACH.search(lead):
        if told := said["count"] or said["members"]:
            return Rate(amount, (), start, end, passage.amount(told))
        nouns = said["nouns"].strip()
        return Rate(
            amount, (Basis(basis_name(nouns) if nouns else EACH, Fraction(1), end),), start, end
        )
    if said := _LEAD_RATE.search(lead):
        adverbs = {"daily": "day", "annual": "year"}
        name = adverbs.get(said["adverb"], said["adverb"].removesuffix("ly"))
        return Rate(amount, (Basis(name, Fraction(1), end),), start, end)
    for pattern in (_PRICE_PER, _LEAD_ONE, _LEAD_NOUNS):
        said = pattern.search(lead)
        name = basis_name(said["nouns"]) if said else ""
        if name and name not in TIMES and not is_stop(name):
            is_sure = pattern is _PRICE_PER
            return Rate(amount, (Basis(name, Fraction(1), end),), start, end, is_sure=is_sure)
    if said := _LABEL.search(lead):
        name = _UNIT_OF_LABEL.get(said["adverb"], said["adverb"].removesuffix("ly"))
        return Rate(amount, (Basis(name, Fraction(1), end),), start, end)
    if _MILEAGE.search(lead):
        return Rate(amount, (Basis("mile", Fraction(1), end),), start, end)
    if _SALARY.search(lead):
        return Rate(amount, (Basis("year", Fraction(1), end),), start, end, is_sure=False)
    if _THEY_PUT.search(lead) or _THEY_EACH.search(lead) or _THEM_AT.search(lead):
        return Rate(amount, (Basis(EACH, Fraction(1), end),), start, end)
    return None
