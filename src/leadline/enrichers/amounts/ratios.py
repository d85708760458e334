"""Ratios: `3:1 sand to cement`, `one adult for every eight children`, `shared 2:3`."""

from __future__ import annotations

import re
from fractions import Fraction

from leadline.enrichers.amounts.counted import nouns_of, singular
from leadline.enrichers.amounts.ledger import Ledger
from leadline.enrichers.amounts.passage import Amount

_NOUN = r"(?:(?:the |of |an? )?(?!§)[a-z'’-]+ ){0,2}?[a-z'’-]+"
_BEFORE_NOUNS = re.compile(
    rf"(?P<a>§n\d+§|\bone) ?(?::|to|-to-) ?(?P<b>§n\d+§|one\b),?(?: (?:ratio|mix|mixture|blend"
    rf"|solution)(?: of)?)?"
    rf"(?: (?:of|for|in favou?r of))? (?P<first>{_NOUN}) (?:to|and|:) (?P<second>[a-z'’-]+)"
)
_RATIO_IS = re.compile(
    r"(?P<first>[a-z'’-]+)(?: to |[-–/:]to[-–/:]| ?[:/–-] ?| and )(?P<second>[a-z'’-]+)(?: ratio|"
    r" proportions?)?"
    r"(?: (?:is|was|are|were|of|mix\w*|in|at|the|a|ratio|proportions?))+ (?P<a>§n\d+§|one) ?(?::"
    r"|to|-to-) ?(?P<b>§n\d+§|one\b)"
    r"|\bratio of (?P<first2>[a-z'’-]+) to (?P<second2>[a-z'’-]+)(?: (?!§)[a-z'’-]+){0,4}? (?:is"
    r"|was|of|at) (?P<a2>§n\d+§"
    r"|one) ?(?::|to) ?(?P<b2>§n\d+§|one\b)"
)
_PARTS = re.compile(
    r"(?P<a>§n\d+§|\bone|\ba) parts? (?:of )?(?P<first>[a-z'’-]+)(?:,? (?:to|and|with|per)|,) "
    r"(?P<b>§n\d+§|one|a)(?: parts?)?"
    r"(?: of)? (?P<second>[a-z'’-]+)"
    r"|(?P<a2>§n\d+§|\bone) (?P<first2>[a-z'’-]+) to (?:every )?(?P<b2>§n\d+§|one) "
    r"(?P<second2>[a-z'’-]+)"
)
_EVERY = re.compile(
    rf"(?P<a>§n\d+§|\bone|\ban?|\bevery) (?P<first>{_NOUN}) (?:for|to|per) (?:every|each) "
    rf"(?P<b>§n\d+§|(?=[a-z]))(?: (?:of )?)?(?P<second>[a-z'’-]+)"
    rf"|\bfor (?:every|each) (?P<b2>§n\d+§|(?=[a-z]))(?: )?(?P<second2>[a-z'’-]+)[^.;§\n]{{0,40}}?"
    rf" (?P<a2>§n\d+§|one) (?P<first2>[a-z'’-]+)"
)
_OUTNUMBER = re.compile(
    r"(?P<first>[a-z'’-]+)(?: now| still)? outnumber(?:ed|s)? (?:the )?(?P<second>[a-z'’-]+)(?:"
    r" by)? (?P<a>§n\d+§|one) (?:to|:) (?P<b>§n\d+§|one\b)"
)
_SHARED = re.compile(
    r"\b(?:split|share[ds]?|sharing|divid\w+|left)\b[^.§\n]{0,70}? (?P<a>§n\d+§|one) ?(?::|to) ?"
    r"(?P<b>§n\d+§|one\b)(?: ?(?::|to) ?(?P<c>§n\d+§|one\b))?"
    r"|\bratio (?:of )?(?P<a2>§n\d+§|one) ?(?::|to) ?(?P<b2>§n\d+§|one\b)"
)
_MIXED = re.compile(
    r"\b(?:at|in|to) (?:that|this|those|these|the same) (?:ratio|proportions?|mix)\b"
    r"|\b(?:make|makes|mix|need|want) §q\d+§ (?:in all|altogether|of (?:it|the mix|mix))\b"
)
_PARTS_TO = re.compile(
    r"(?P<a>§n\d+§|\bone|\ba) parts?(?: of)?(?: (?!to\b)[a-z'’-]+){0,2}?,? (?:to|and|with|:) "
    r"(?:every )?(?P<b>§n\d+§|one\b)(?: parts?)?(?: of)?(?: [a-z'’-]+)?"
)
_MADE_UP = re.compile(
    r"(?P<whole>§[qm]\d+§)(?: (?:of (?:it|the (?:mix|mixture|stuff|solution|finished [a-z]+))))?"
    r" (?:altogether|in all|in total|all told|made up|mixed(?: up)?|ready[- ]mixed|diluted"
    r"|of (?:the )?(?:mix|mixture|solution|finished|diluted))\b"
    r"|\b(?:mix|mixed|batch of|total of|made up|makes?(?: up)? a|fill(?:s|ed)? a)"
    r" (?P<whole2>§q\d+§)(?= ?(?:[.,;!?)]|batch|bucket|can|tank|jug|bottle|barrel|watering"
    r"|sprayer|and|for|so|$))"
)
_SIDES = re.compile(r"(?:§|one) ?(?::|to|-to-) ?(?:§|one)")
_PATTERNS = (
    (_PARTS, (" part", " one ")),
    (_BEFORE_NOUNS, ("§:", "§ :", "§ to ", "one to ", "-to-", " to one")),
    (_RATIO_IS, ("ratio", "proportion", "mix")),
    (_EVERY, ("every", "each")),
    (_OUTNUMBER, ("outnumber",)),
)
_REACH = 260


def derive_ratios(ledger: Ledger) -> None:
    """Derive the other part and the whole of what stands in a ratio, and shares by a ratio."""
    passage = ledger.passage
    if " part" in passage.marked:
        _mixtures(ledger)
    has_sides = _SIDES.search(passage.marked) is not None
    for pattern, words in _PATTERNS:
        if (pattern is _RATIO_IS and not has_sides) or not any(
            word in passage.marked for word in words
        ):
            continue
        for match in passage.find(pattern):
            _ratio(ledger, match)
    if any(word in passage.marked for word in ("§:", " to §", " to one")):
        for match in passage.find(_SHARED):
            _shared(ledger, match)


def _mixtures(ledger: Ledger) -> None:
    """Read `squash is one part to four of water; we need 10 litres made up`."""
    passage = ledger.passage
    parts = list(passage.find(_PARTS_TO))
    wholes = [passage.amount(each["whole"] or each["whole2"]) for each in passage.find(_MADE_UP)]
    if len(parts) != 1 or len(wholes) != 1:
        return
    sides = [_side(ledger, parts[0], name) for name in ("a", "b")]
    total = sum((each.value for each in sides), Fraction(0))
    near = abs(wholes[0].start - sides[0].start) <= _REACH
    if not near or not total or {each.start for each in sides} & ledger.spent:
        return
    for side in sides:
        value = wholes[0].value * side.value / total
        ledger.derive(wholes[0], value, (*sides, wholes[0]), "a part of the whole by ratio")
    ledger.spend(*sides)


def _ratio(ledger: Ledger, match: re.Match[str]) -> None:
    names = [
        f"{name}{'2' if match.groupdict().get('first2') else ''}"
        for name in ("a", "b", "first", "second")
    ]
    a, b = (_side(ledger, match, name) for name in names[:2])
    first, second = (singular(match[name].split()[-1]) for name in names[2:])
    if {a.start, b.start} & ledger.spent or a.value <= 0 or b.value <= 0 or first == second:
        return
    told = [
        (each, noun)
        for each in ledger.passage.amounts
        if each.sort in "nqm" and each.start not in (a.start, b.start)
        and abs(each.start - a.start) <= _REACH
        for noun in (first, second)
        if noun in _counted(ledger, each)
    ]  # fmt: skip
    if not told:
        _of_the_whole(ledger, match, (a, b))
    if len({noun for _, noun in told}) != 1:
        return
    base, noun = told[0]
    own, other = (a, b) if noun == first else (b, a)
    rest = base.value * other.value / own.value
    span = (ledger.passage.place(match.start()), ledger.passage.place(match.end()))
    if base.sort == "n" and rest.denominator != 1:
        return
    why = f"{ledger.passage.text[span[0] : span[1]]}, {ledger.shown(base)}"
    if ledger.derive(base, rest, (a, b, base), why, relation=span):
        ledger.derive(
            base, base.value + rest, (a, b, base), f"in all, {why}", relation=span, confidence=0.6
        )
        ledger.spend(a, b)


def _of_the_whole(ledger: Ledger, match: re.Match[str], parts: tuple[Amount, Amount]) -> None:
    """Read `browns to greens is 3 to 1; the bin holds 320 litres, full at that ratio`."""
    passage = ledger.passage
    if not _MIXED.search(passage.marked, match.end(), match.end() + 160):
        return
    wholes = [each for each in ledger.all("q", told=True)
              if abs(each.start - parts[0].start) <= _REACH]  # fmt: skip
    if len(wholes) == 1:
        for part in parts:
            value = wholes[0].value * part.value / (parts[0].value + parts[1].value)
            ledger.derive(wholes[0], value, (*parts, wholes[0]), "a part of the whole by ratio")
        ledger.spend(*parts)


def _counted(ledger: Ledger, amount: Amount) -> tuple[str, ...]:
    """Return the nouns behind an amount: `12 buckets of sand`, `2 litres of syrup`."""
    nouns = nouns_of(ledger.passage, amount) if amount.sort == "n" else ()
    tail = ledger.passage.text[amount.end : amount.end + 40].lower()
    behind = re.match(
        r"(?: [a-z]+)? of (?:the |this )?([a-z'’-]+)"
        if nouns
        else r"(?: of)?(?: the| this)? ([a-z'’-]+)",
        tail,
    )
    return (*nouns, singular(behind[1])) if behind else nouns


def _side(ledger: Ledger, match: re.Match[str], name: str) -> Amount:
    words = match[name] or ""
    if words.startswith("§"):
        return ledger.passage.amount(words)
    start = ledger.passage.place(match.start(name))
    return Amount("n", Fraction(1), "", start, start + max(len(words), 1), True)


def _shared(ledger: Ledger, match: re.Match[str]) -> None:
    """Derive what each gets of a whole that is shared in a ratio."""
    passage = ledger.passage
    suffix = "2" if match["a2"] else ""
    parts = [_side(ledger, match, name + suffix) for name in ("a", "b")]
    if not suffix and match["c"]:
        parts.append(_side(ledger, match, "c"))
    if {each.start for each in parts} & ledger.spent or not all(each.value > 0 for each in parts):
        return
    total = sum((each.value for each in parts), Fraction(0))
    start = passage.place(match.start())
    whole = ledger.before(parts[0].start, "mqn", within=200) or ledger.after(
        parts[-1].end, "mqn", within=80
    )
    if whole is None or whole.value <= total or whole in parts:
        return
    span = (start, passage.place(match.end()))
    for part in parts:
        value = whole.value * part.value / total
        if whole.sort == "n" and value.denominator != 1:
            return
        why = f"{ledger.shown(part)} of {total} parts of {ledger.shown(whole)}"
        ledger.derive(whole, value, (*parts, whole), why, relation=span)
    ledger.spend(*parts)
