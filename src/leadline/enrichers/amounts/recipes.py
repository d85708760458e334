"""Recipes and other lists of amounts made for more or fewer: doubled, or for six and not four."""

from __future__ import annotations

import re
from fractions import Fraction

from leadline.enrichers.amounts.counted import nouns_of
from leadline.enrichers.amounts.ledger import Ledger
from leadline.enrichers.amounts.passage import Amount, Passage

_MADE_FOR = re.compile(
    r"\b(?:serves|serving|makes?(?: enough for)?|feeds|feeding|recipe(?: is)?(?: for)?|yields?"
    r"|enough for|is for|quantities (?:are )?for|sized for)"
    r"(?: about| roughly| around)? (?P<for>§n\d+§)|(?P<size>§q\d+§)[^.§\n]{0,30} (?:for|serves"
    r"|feeds) (?P<of>§n\d+§)(?! (?:days?|each|per))"
)
_WANTED = re.compile(
    r"\b(?:(?:we|there|they)(?: |['’])(?:are|were|is|re|s|ll be|will be|would be|have)(?: going to"
    r" be)?|cook(?:ing)? for|feed(?:ing)?|need(?:ed)? to feed|need(?:ed)?|want(?:ed)?(?: it|"
    r" enough)?(?: for)?"
    r"|catering for|mak(?:e|ing)(?: it| them| enough)?(?: for)?|made (?:it|them|enough)? ?for|for"
    r"|baking|bak(?:e|ing)(?: for)?|invited|expecting|have)(?: about| all| only)? "
    r"(?P<people>§n\d+§)"
    r"(?= (?:of (?:us|them|you)|people|guests|for|coming|at|tonight|on|this|tomorrow|friends"
    r"|adults|children|kids|hungry|mouths|scones|cakes|muffins|biscuits|portions|servings|pancakes"
    r"|cookies|buns|rolls|loaves|to feed|eaters|diners)|[.,;!?)]|$)"
)
_SCALED = re.compile(
    r"(?<!\w)(?P<way>doubled|doubling|double|halved|halving|halve|half|tripled|tripling|triple"
    r"|trebled|quadrupled?|§x\d+§|§f\d+§)"
    r"(?: (?:of|up))?(?: (?:everything|it all|all of it|the (?:recipe|quantities|lot|amounts|batch"
    r"|ingredients|mixture|mix|whole thing|dose|order)|all the [a-z]+|a batch"
    r"|the (?:whole )?recipe|quantities|that|all|it|batch|recipe|this)(?= ?[.,;!?)]| (?:for|and|as"
    r"|to|because|since|so|but|when|last|this|of|on)|$))"
    r"|\b(?:everything|it|(?:the )?(?:recipe|quantities|amounts|batch)|i|we)(?: (?:all|can be|was"
    r"|were|have|has|just|usually|always|had to be|must be))* "
    r"(?P<after>doubled|halved|tripled|trebled|§x\d+§)(?= ?[.,;!?)]| (?:for|and|as|to)|$)"
    r"|\b(?:made|make|bake|baked|cook|cooked|did|do) (?:an? )?(?P<batch>double|triple|half|§x\d+§"
    r"|§f\d+§)(?: a)?[ -](?:batch|recipe|quantity|portion)"
)
_FOOD = re.compile(
    r"\b(?:recipe|serves|makes|bak(?:e|ed|ing)|cook(?:ed|ing)?|flour|sugar|butter|eggs?|rice|batch"
    r"|dough|oven|soup|stew|sauce|cake|ingredients|quantities)\b"
)
_HALF = Fraction(1, 2)
_TIMES: dict[str, Fraction] = {
    **dict.fromkeys(("double", "doubled", "doubling"), Fraction(2)),
    **dict.fromkeys(("half", "halve", "halved", "halving"), _HALF),
    **dict.fromkeys(("triple", "tripled", "tripling", "trebled"), Fraction(3)),
    **dict.fromkeys(("quadruple", "quadrupled"), Fraction(4)),
}
_NO_PART = re.compile(r" ?(?:°|degrees|minutes?|hours?|stages?|steps?|layers?|cm|inch)")
_EATERS = frozenset(("person", "people", "guest", "adult", "child", "kid", "friend", "diner"))
_DEFINED = re.compile(r"\b(?:a|one|per) [a-z]+ (?:is|=|equals|means) §q")
_COOKED = frozenset(("degree", "C", "F", "cm", "inch", "mm", "W"))


def derive_recipes(ledger: Ledger) -> None:
    """Derive the amounts of a recipe for as many as there are, or by the factor told."""
    passage = ledger.passage
    if not passage.first(_FOOD) or passage.first(_DEFINED):
        return
    made = next(passage.find(_MADE_FOR), None)
    if scaled := next(passage.find(_SCALED), None):
        _by_factor(ledger, scaled)
        return
    for wanted in passage.find(_WANTED) if made else ():
        first = passage.amount(made["for"] or made["of"]) if made else None
        people = passage.amount(wanted["people"])
        if (
            first is not None
            and people.start > first.start
            and first.value not in (0, people.value)
        ):
            _scale(ledger, people.value / first.value, (first, people), people.start)
            return


def _by_factor(ledger: Ledger, match: re.Match[str]) -> None:
    passage = ledger.passage
    way = match["way"] or match["after"] or match["batch"]
    start = passage.place(match.start())
    if way.startswith("§"):
        mark = passage.amount(way)
        factor, at = mark.value, mark.start
    else:
        factor, at = _TIMES[way], start
    if factor in (0, 1) or passage.doubts([(start, start + 4)]):
        return
    word = Amount("x", factor, "", at, passage.place(match.end()))
    if _scale(ledger, factor, (word,), at):
        ledger.spend(word)


def _scale(ledger: Ledger, factor: Fraction, by: tuple[Amount, ...], stop: int) -> bool:
    passage, done = ledger.passage, False
    for amount in passage.amounts:
        is_part = amount.sort == "q" and amount.unit not in _COOKED
        is_part = is_part or (amount.sort == "n" and _is_counted(passage, amount))
        if not is_part or amount.start >= stop or amount in by or stop - amount.start > 600:
            continue
        value = amount.value * factor
        if amount.sort == "q" or value.denominator == 1:
            done = bool(ledger.derive(amount, value, (*by, amount), "scaled", among=20)) or done
            ledger.spend(amount)
    return done


def _is_counted(passage: Passage, amount: Amount) -> bool:
    """Tell whether a number counts what goes into a dish or comes out, and not who eats."""
    nouns = nouns_of(passage, amount)
    return bool(nouns) and not _EATERS & set(nouns) and not _NO_PART.match(passage.text, amount.end)
