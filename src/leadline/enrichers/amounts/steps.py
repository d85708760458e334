"""A start and equal steps from it: `cast on 60, increase four on every round; seven rounds`."""

from __future__ import annotations

import re
from fractions import Fraction

from leadline.enrichers.amounts.counted import singular
from leadline.enrichers.amounts.ledger import Ledger
from leadline.enrichers.amounts.measures import is_alike, value_as
from leadline.enrichers.amounts.passage import Amount
from leadline.enrichers.amounts.units import TIMES

_UP = (
    r"increas\w+|gain(?:s|ed|ing)?|add(?:s|ed|ing)?|pay(?:s|ing)? in|paid in|put(?:s|ting)? (?:in"
    r"|by|aside|away)|sav(?:es?|ed|ing)|grow(?:s|ing)?|grew|ris(?:es?|ing)|rose|climb(?:s|ed|ing)?"
    r"|go(?:es|ing)? up(?: by)?|went up(?: by)?|deposit(?:s|ed|ing)?|tops? up|plus|rais\w+|extra"
)
_DOWN = (
    r"decreas\w+|los(?:es?|ing|t)|drop(?:s|ped|ping)?|fall(?:s|ing)?|fell|sinks?|take[sn]?(?:"
    r" off)?|remov\w+|reduc\w+|subtract\w+|go(?:es|ing)? down(?: by)?|went down(?: by)?|pay(?:s"
    r"|ing)? (?:off|back)|paid (?:off|back)|repa(?:y|ys|id|ying)|burn(?:s|ed|t|ing)?|us(?:es?|ed"
    r"|ing)(?: up)?|eats?|leak(?:s|ed|ing)?|withdr[ae]w\w*|spend(?:s|ing)?|shr[ia]nks?|sell(?:s"
    r"|ing)?|binds? off|cast(?:s|ing)? off|give[sn]? away|drink(?:s|ing)?|melts?|wither\w*|shed"
    r"(?:s|ding)?|feeds?|needs?"
)
_EVERY = (
    r"(?:(?:on |in |after |with |for )?(?:each|every)|per|an?)(?: [a-z]+)%s"
    rf" (?P<%s>{'|'.join(sorted(TIMES))}|[a-z]+)"
)
_ADVERBS = r"(?: (?:by|another|a further|about|exactly|just|only|him|her|them|us|me|it))*"
_BEHIND = r"(?: (?!§|each|every|per|an?\b|on|in|after|with|for)[a-z'’-]+){0,3}"
_STEP = re.compile(
    rf"\b(?:(?P<up>{_UP})|(?P<down>{_DOWN})){_ADVERBS} (?P<step>§[nmqtp]\d+§){_BEHIND},? "
    rf"{_EVERY % ('??', 'noun')}\b"
    rf"|\b{_EVERY % ('?', 'noun2')},? (?:(?:i|we|it|he|she|they|you|the [a-z]+) )?"
    rf"(?:(?P<up2>{_UP})|(?P<down2>{_DOWN})){_ADVERBS} (?P<step2>§[nmqtp]\d+§)"
)
_OF_TIME = {
    ("year", "month"): 12,
    ("year", "week"): 52,
    ("year", "quarter"): 4,
    ("quarter", "month"): 3,
    ("fortnight", "week"): 2,
    ("fortnight", "day"): 14,
    ("week", "day"): 7,
    ("day", "hour"): 24,
    ("hour", "minute"): 60,
}
_ASKED = re.compile(r"\bhow long\b|\blasts?\b|\bruns? (?:out|dry)\b|\buntil it|\bempty\b|\bflat\b")
_START = re.compile(
    r"\b(?:cast on|start\w*|beg[au]n|opened?(?: [a-z' ]{1,20})? with|had|has|have|at|is|was|were"
    r"|with|of|holds?|stands at|stood at|weighed|there (?:are|were)|numbered)(?: (?:about|only"
    r"|just|exactly))* $"
)
_REACH = 220


def derive_steps(ledger: Ledger) -> None:
    """Derive what a start comes to after so many equal steps, and how many steps it lasts."""
    passage = ledger.passage
    for match in passage.find(_STEP):
        suffix = "2" if match["step2"] else ""
        step = passage.amount(match[f"step{suffix}"])
        base = _base(ledger, step)
        if base is None or {step.start, base.start} & ledger.spent:
            continue
        noun = singular(match[f"noun{suffix}"])
        if found := _count(ledger, noun, step, base):
            _advance(ledger, base, step, *found, is_up=bool(match[f"up{suffix}"]))
        elif not match[f"up{suffix}"] and noun in TIMES and passage.first(_ASKED):
            steps = base.value / value_as(step, base)
            like = Amount("t", steps, noun, step.start, step.end)
            if (steps * 2).denominator == 1:
                ledger.derive(like, steps, (base, step), f"so many {noun}s it lasts")


def _base(ledger: Ledger, step: Amount) -> Amount | None:
    passage = ledger.passage
    for amount in reversed(passage.amounts):
        near = amount.end <= step.start and step.start - amount.end < _REACH
        if near and amount.sort == step.sort and is_alike(amount, step) and amount.value > 0:
            lead = passage.text[max(0, amount.start - 44) : amount.start].lower()
            if _START.search(lead):
                return amount
    return None


def _count(ledger: Ledger, noun: str, step: Amount, base: Amount) -> tuple[Fraction, Amount] | None:
    """Return how many steps are told, and where."""
    passage = ledger.passage
    for amount in passage.amounts:
        if amount.start <= step.start or amount.start - step.end > _REACH or amount is base:
            continue
        if amount.sort == "t" and noun in TIMES:
            times = 1 if amount.unit == noun else _OF_TIME.get((amount.unit, noun), 0)
            if times:
                return amount.value * times, amount
        words = re.match(r"(?: [a-z]+){1,3}", passage.text[amount.end : amount.end + 40].lower())
        if amount.sort == "n" and words and noun in map(singular, words[0].split()):
            return amount.value, amount
    return None


def _advance(
    ledger: Ledger, base: Amount, step: Amount, count: Fraction, told: Amount, *, is_up: bool
) -> None:
    change = value_as(step, base) * count
    value = base.value + change if is_up else base.value - change
    if value <= 0 or count <= 1:
        return
    operands = (base, step, told)
    why = f"{ledger.shown(base)} {'and' if is_up else 'less'} {count} times {ledger.shown(step)}"
    if ledger.derive(base, value, operands, why):
        ledger.derive(step, change, (step, told), f"{count} times {ledger.shown(step)}")
        ledger.spend(step, told)
