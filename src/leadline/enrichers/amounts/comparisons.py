"""Two things compared: the amount of one is told, that of the other follows."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache

from leadline.enrichers.amounts.comparison_sides import Relation, known_side
from leadline.enrichers.amounts.counted import is_same_noun, nouns_of
from leadline.enrichers.amounts.ledger import BASES, Ledger
from leadline.enrichers.amounts.measures import is_alike, value_as
from leadline.enrichers.amounts.passage import Amount, Passage
from leadline.enrichers.amounts.thing_names import name_of, names_of

_PRICE_WORDS = (
    r"expensive|pricey|pricier|dearer|dear|costl(?:y|ier)|cheap(?:er)?|affordable|cheaply"
)
_MORE = (
    r"(?:more|higher|greater|larger|bigger|longer|taller|heavier|wider|deeper|older|farther"
    r"|further|faster|quicker|swifter|brighter|later|busier|fuller|better|worse"
    r"|louder|hotter|warmer|thicker|stronger|dearer|pricier|costlier|extra|richer|steeper|up)"
)
_LESS = (
    r"(?:less|fewer|lower|smaller|shorter|lighter|narrower|younger|nearer|closer|slower"
    r"|cheaper|colder"
    r"|cooler|thinner|weaker|poorer|down)"
)
_MEASURED = (
    r"(?:much|many|expensive|costly|pricey|big|large|long|tall|heavy|wide|deep|high|far|old"
    r"|fast|populous"
    r"|numerous|dear|thick|warm|hot|valuable|lengthy|small|short|light|cheap)"
)
_OF_WHAT = (
    r"(?:price|cost|size|number|amount|length|weight|height|distance|area|population|rent|fee"
    r"|fare|rate"
    r"|volume|total|figure|sum|salary|wage|pay|budget|capacity|quantity|depth|width|speed|age"
    r"|time"
    r"|sales|value|attendance|turnout|money)s?"
)
_OBJECT = r"(?P<object>[^.,;:!?()\n—–]{0,70})"
_RATIO = re.compile(
    rf"(?P<mark>§[xpf]\d+§)(?: as)? (?:(?:the|that|this|its|their|his|her|our|your"
    rf"|my) (?P<which>(?:[a-z]+ ){{0,2}}?)(?P<of>{_OF_WHAT})\b"
    rf"|as {_MEASURED}\b|(?P<less>{_LESS})\b|(?P<more>{_MORE})\b|(?P<what>what)\b"
    rf"|(?P<plain>(?:{_MEASURED})\b)?)"
)
_AT_PRICE = re.compile(
    r",? (?:coming in|ringing in|ringing up|retailing|selling|going|costing|priced)(?: in"
    r"| up)?(?: at| for)?"
    r"(?: just| only| about| around)? (§m\d+§)"
)
_CHOSEN = re.compile(
    r"(?<!not )(?<!n['’]t )\b(?:bought|buy|purchas(?:ed?|ing)|chose|chosen|opted for"
    r"|went (?:with|for)|go(?:ing)? with"
    r"|decided on|ended up (?:with|getting|buying)|picked|settled on|selected)\b[^.;\n]{0,60}",
    re.IGNORECASE,
)
_APART = re.compile(r"^ (?:for|in|on|at)\b")
_UNMEASURED = re.compile(
    r" (?:likely|often|frequent|common|prone|effective|efficient|powerful|reliable|probable|good"
    r"|interesting|fun|difficult|popular|important|useful|sensitive|accurate)\b"
)
_TAIL = re.compile(
    rf"(?P<noun>(?: (?!than\b|as\b|in\b|but\b|and\b|so\b|for\b|on\b|at\b|of\b"
    rf"|,)[a-z'’-]+){{0,2}})"
    rf"(?P<link> (?:than|as|of|that of|what|compared (?:to|with)))?\b{_OBJECT}"
)
_DIFFERENCE = re.compile(
    rf"(?P<mark>§[mqtnc]\d+§)(?: (?!(?:is|was|are|were|be|being|been|has|had|gets?|got|runs?|goes"
    rf"|seems?|looks?|feels?|and|or|to)\b)[a-z]+)?"
    rf" (?:(?P<less>{_LESS}|(?:short|shy) of(?! (?:that|this|it)\b)|below|under|behind"
    r"|adrift of|down on|off the pace of|inside)"
    rf"|(?P<more>{_MORE}|above(?! zero\b| §)|over(?! §)|ahead of|on top of|clear of|up on"
    rf"|in front of"
    r"|outside|past))\b"
)
_DEGREES = frozenset(("more", "fewer", "less", "higher", "lower", "behind", "ahead", "above"))
_PARTICLE = re.compile(
    r"§ (?!points?|places?|runs?|goals?|shots?|strokes?|degrees?|votes?|seats?)[a-z]+ (?:up|down"
    r"|over|past)$"
)
_TIMED = re.compile(
    r"(?:faster|slower|quicker|swifter|ahead of|in front of|behind|adrift of|clear of|up on"
    r"|down on|off the pace of)$"
)
_ADJUNCT = re.compile(r"\b(?:with|for|after|in|from|by|of|per) (?:just |only |the )*$")
_OPENING = re.compile(
    r".*(?:[.;:!?()\n—–,]|\b(?:while|but|and|whereas|although|though|because|so|since|that"
    r"|discovering"
    r"|found|learned|as)\b(?= ))",
    re.DOTALL,
)
_CUT = re.compile(
    r" (?:but|and|so|which|who|while|whereas|although|though|making|because|with|if|for|at"
    r"|when|since"
    r"|before|ever)\b"
)
_PRICED = re.compile(
    r"(?:\b(?:is|was|at|costs?|costing|for|price|priced|only|just|were|are|paid)|[:=@]"
    r"|['’]s) (?:just |only )?$"
)


def compare(ledger: Ledger) -> None:
    """Derive what a comparison implies of the thing whose amount is not told."""
    for match in ledger.passage.find(_RATIO):
        relation = _ratio_of(ledger.passage, match)
        if relation is not None:
            _resolve(ledger, relation)
    for match in ledger.passage.find(_DIFFERENCE):
        if not _PARTICLE.search(match[0]):
            _resolve(ledger, _difference_of(ledger.passage, match))


def _ratio_of(passage: Passage, match: re.Match[str]) -> Relation | None:
    mark, marked = passage.amount(match["mark"]), passage.marked
    worded = match["of"] or match["less"] or match["more"] or match["what"]
    measured = match["plain"] or re.search(rf" as {_MEASURED}$", match[0])
    if not worded and not measured:
        return None
    if _UNMEASURED.match(marked, match.end()):
        return None
    tail = _TAIL.match(marked, match.end())
    noun = tail["noun"] if tail else ""
    linked = bool(tail and tail["link"]) or match["what"] is not None or bool(match["which"])
    if match["of"] and " the " in match[0] and tail and not linked and not match["which"]:
        # `triple the figure for the opening`: only where the told amount is just before
        linked = _stands_apart(marked, match.start()) and tail["object"][:4] in (
            " for",
            " in ",
            " on ",
            " at ",
        )
    if match["of"] and re.search(r" (?:that|this) \w+$", match[0]):
        linked = linked and bool(tail and tail["link"] and tail["link"].strip() in ("than", "as"))
    object = tail["object"] if tail and linked else ""
    object = match["which"] + object if match["which"] else re.sub(_APART, "", object)
    cut = _CUT.search(object)
    object = object[: cut.start()] if cut else object
    subject = _subject(marked, match.start())
    priced = bool(re.search(_PRICE_WORDS, match[0] + noun)) or match["of"] in ("price", "cost")
    priced = priced or bool(
        re.search(r"\b(?:cost|price|pay|paid|charge|retail|sold for)", subject[-50:])
    )
    is_less = bool(match["less"]) or bool(re.search(r"^ (?:cheaper|affordable)", noun))
    if noun.strip() and re.match(r" (?:expensive|costly|pricey)", noun) and match["less"] == "less":
        is_less = True
    end = tail.end("link") if tail and tail["link"] else match.end() + len(noun)
    part = not (match["less"] or match["more"])
    if noun.startswith(" again") and mark.sort != "x":
        share = mark.part
        mark = replace(mark, sort="x", value=1 + share)
    return Relation(
        mark, match.start(), end, subject, object, priced, linked, is_less, is_part=part
    )


def _stands_apart(marked: str, start: int) -> bool:
    """Whether a ratio follows an amount after a comma, and so speaks of that amount."""
    return (
        re.search(r"§[mqtn]\d+§[^.;\n§]{0,40}, (?:or |about |exactly )?$", marked[:start][-60:])
        is not None
    )


def _difference_of(passage: Passage, match: re.Match[str]) -> Relation:
    mark, marked = passage.amount(match["mark"]), passage.marked
    tail = _TAIL.match(marked, match.end())
    direct = re.search(r"(?:of|behind|below|above|under|over)$", match[0]) is not None
    linked = direct or bool(tail and tail["link"])
    object = (tail["noun"] * direct + tail["object"]) if tail and linked else ""
    cut = _CUT.search(object)
    object = object[: cut.start()] if cut else object
    subject = _subject(marked, match.start())
    priced = mark.sort == "m"
    is_less = bool(match["less"])
    if mark.sort in "tc" and _TIMED.search(match[0]):
        is_less = not is_less
    return Relation(mark, match.start(), match.end(), subject, object, priced, linked, is_less)


def _subject(marked: str, start: int) -> str:
    window = marked[max(0, start - 120) : start]
    opening = _OPENING.match(window)
    return window[opening.end() :] if opening else window


def _resolve(ledger: Ledger, relation: Relation) -> None:
    passage = ledger.passage
    start = passage.place(relation.start)
    if relation.mark.sort == "n" and relation.mark.start in ledger.spent:
        return
    named = _told_in(passage, relation.object, relation)
    base = named or _base(ledger, relation, start)
    if base is None or base.start == relation.mark.start:
        return
    differs = relation.mark.sort in BASES and not is_alike(base, relation.mark)
    if relation.mark.sort == "n" and base.sort == "m" and relation.mark.value >= 1000:
        differs = False
    if differs:
        return
    near = base.end <= start and start - base.end < 70
    if relation.mark.sort == "n" and not relation.is_linked:
        nouns = set(nouns_of(passage, relation.mark)) - _DEGREES
        others = nouns_of(passage, base)
        if not near or (nouns and others and not is_same_noun(tuple(nouns), others)):
            return
    known = "object" if named else known_side(passage, relation, base)
    forward, backward = _both(relation, base)
    value, inverse = (forward, backward) if known == "object" else (backward, forward)
    about = name_of(relation.subject if known == "object" else relation.object)
    words = passage.text[start : passage.place(relation.end)]
    like = (
        Amount("m", base.value, "XXX", base.start, base.end) if _is_bare(relation, base) else base
    )
    if base.sort == "n" and value.denominator != 1 and not _is_bare(relation, base):
        return
    why = f"{_side(known)} is {passage.text[base.start : base.end]}; {words}"
    span = (start, passage.place(relation.end))
    if relation.is_priced and relation.mark.sort in "xpf":
        other = name_of(relation.object if known == "object" else relation.subject)
        ledger.derive(
            like,
            inverse,
            (base, relation.mark),
            "the other reading of: " + why,
            relation=span,
            about=other,
            confidence=0.25,
            role="alternative",
        )
    is_named = (
        relation.mark.sort != "n" or base.sort != "n" or _names_alike(passage, relation, base)
    )
    ledger.derive(like, value, (base, relation.mark), why, relation=span, about=about,
                  role="derived" if is_named else "alternative",
                  confidence=_confidence(passage, relation, known))  # fmt: skip
    if relation.mark.sort in "xpf":
        ledger.spend(relation.mark)


def _names_alike(passage: Passage, relation: Relation, base: Amount) -> bool:
    """Tell whether a count is compared with one of the same things: not `one plate under`."""
    nouns = set(nouns_of(passage, relation.mark)) - _DEGREES
    return relation.is_linked or not nouns or bool(nouns & set(nouns_of(passage, base)))


def _confidence(passage: Passage, relation: Relation, known: str) -> float:
    """Return more for the thing that somebody chose: texts tell of it what they mean to tell."""
    subject, object = names_of(relation.subject), names_of(relation.object)
    other, own = (object, subject) if known == "object" else (subject, object)
    chosen = _chosen(passage.text)
    return 0.9 if any(words & (own - other) for words in chosen) else 0.85


@lru_cache(maxsize=2)  # one text is asked about relation by relation
def _chosen(text: str) -> tuple[frozenset[str], ...]:
    return tuple(frozenset(names_of(match[0].lower())) for match in _CHOSEN.finditer(text))


def _told_in(passage: Passage, object: str, relation: Relation) -> Amount | None:
    for mark in re.findall(r"§[mqtnc]\d+§", object):
        amount = passage.amount(mark)
        if relation.is_priced and amount.sort == "n" and relation.mark.sort in "xpf":
            continue
        if relation.mark.sort in "xpf" or amount.sort == relation.mark.sort:
            return amount
    return None


def _base(ledger: Ledger, relation: Relation, start: int) -> Amount | None:
    sorts = "m" if relation.is_priced else BASES
    if relation.mark.sort in BASES:
        sorts = "tc" if relation.mark.sort in "tc" else relation.mark.sort
    if relation.mark.sort == "n" and relation.mark.value >= 1000:
        sorts = "nm"
    unit = relation.mark.unit if relation.mark.sort == "m" else ""
    if relation.mark.sort == "n" and (counted := _count_before(ledger, relation, start)):
        return counted
    found = ledger.before(start, sorts, within=420 if relation.is_priced else 200, unit=unit)
    if found is None and relation.is_priced and relation.mark.sort in "xpf":
        found = _bare_price(ledger.passage, start)
    if found is None and relation.is_linked and relation.mark.sort in "xpf":
        found = ledger.after(start, BASES, within=220)
    if found is None and relation.mark.sort in "xpf":
        follows = _AT_PRICE.match(ledger.passage.marked, relation.end)
        found = ledger.passage.amount(follows[1]) if follows else None
    if found is None and relation.is_linked and relation.mark.sort in "mqtn":
        found = ledger.after(relation.mark.end, sorts, within=90, unit=unit)
    return found


def _count_before(ledger: Ledger, relation: Relation, start: int) -> Amount | None:
    """Return the last number before an offset that counts the same things, and is no adjunct."""
    passage = ledger.passage
    nouns = nouns_of(passage, relation.mark)
    nouns = () if set(nouns) & _DEGREES else nouns
    near = [
        each
        for each in ledger.all("n")
        if each.end <= start
        and start - each.end <= 200
        and each is not relation.mark
        and is_same_noun(nouns, nouns_of(passage, each))
    ]
    main = [
        each
        for each in near
        if not _ADJUNCT.search(passage.text[max(0, each.start - 20) : each.start].lower())
    ]
    return max(main or near, key=lambda each: each.end, default=None)


def _bare_price(passage: Passage, start: int) -> Amount | None:
    """Return the last number before an offset that stands where a price would."""
    for amount in reversed(passage.amounts):
        if amount.sort == "n" and amount.end <= start and start - amount.end < 700:
            before = passage.text[max(0, amount.start - 20) : amount.start].lower()
            if _PRICED.search(before):
                return amount
    return None


def _is_bare(relation: Relation, base: Amount) -> bool:
    return relation.is_priced and base.sort == "n"


def _both(relation: Relation, base: Amount) -> tuple[Fraction, Fraction]:
    """Return the value of the subject if the object has the base, and the other way round."""
    step = relation.mark.value
    if relation.mark.sort in BASES:
        step = value_as(relation.mark, base) if is_alike(base, relation.mark) else step
        step = -step if relation.is_less else step
        return base.value + step, base.value - step
    if relation.mark.sort == "p":
        step /= 100
    ratio = step
    if relation.mark.sort in "pf" and not relation.is_part:
        ratio = 1 - step if relation.is_less else 1 + step
    elif relation.is_less:
        ratio = 1 / step
    return (base.value * ratio, base.value / ratio) if ratio > 0 else (base.value, base.value)


def _side(known: str) -> str:
    return "what it is compared with" if known == "object" else "the first of the two"
