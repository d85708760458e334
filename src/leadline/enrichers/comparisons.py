"""Two things compared: the amount of one is told, that of the other follows."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

from leadline.enrichers.amounts import Amount, Passage
from leadline.enrichers.ledger import BASES, Ledger
from leadline.enrichers.thing_names import count_met, name_of, names_of, share_met

_PRICE_WORDS = (
    r"expensive|pricey|pricier|dearer|dear|costl(?:y|ier)|cheap(?:er)?|affordable|cheaply"
)
_MORE = (
    r"(?:more|higher|greater|larger|bigger|longer|taller|heavier|wider|deeper|older|farther"
    r"|further|faster"
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
    rf"(?P<mark>§[mqtnc]\d+§)(?: [a-z]+)? (?:(?P<less>{_LESS}|short of|shy of|below|under|behind)"
    rf"|(?P<more>{_MORE}|above|over|ahead of|on top of))\b"
)
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
_PRONOUN = re.compile(
    r"^(?:(?:that|this|it|which|they|these|those|exactly|just|only|precisely|is|was|are|were"
    r"|'s|’s|it's|it’s"
    r"|that's|that’s|some|a|full|a full|i|now|still|in fact|and|or|about|roughly|nearly"
    r"|almost|turned out|to be"
    r"|costs?|will be|would be|has been) ?)*$"
)
_PRONOUN_LAST = re.compile(
    r"\b(?:it|that|this|which|they|these|those|that one|this one)(?:['’]s|['’]re)?"
    r"(?: (?:is|was|are|were|be|being|has|had|been|also|actually|just|cost|costs|still|now"
    r"|really))*$|\bbeing$"
)
_PRICED = re.compile(
    r"(?:\b(?:is|was|at|costs?|costing|for|price|priced|only|just|were|are|paid)|[:=@]"
    r"|['’]s) (?:just |only )?$"
)


@dataclass(frozen=True, slots=True)
class _Relation:
    """A ratio or a difference that a text states between a subject and an object."""

    mark: Amount
    start: int
    end: int
    subject: str
    object: str
    is_priced: bool
    is_linked: bool
    is_less: bool
    is_part: bool = False


def compare(ledger: Ledger) -> None:
    """Derive what a comparison implies of the thing whose amount is not told."""
    for match in ledger.passage.find(_RATIO):
        relation = _ratio_of(ledger.passage, match)
        if relation is not None:
            _resolve(ledger, relation)
    for match in ledger.passage.find(_DIFFERENCE):
        _resolve(ledger, _difference_of(ledger.passage, match))


def _ratio_of(passage: Passage, match: re.Match[str]) -> _Relation | None:
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
    return _Relation(
        mark, match.start(), end, subject, object, priced, linked, is_less, is_part=part
    )


def _stands_apart(marked: str, start: int) -> bool:
    """Whether a ratio follows an amount after a comma, and so speaks of that amount."""
    return (
        re.search(r"§[mqtn]\d+§[^.;\n§]{0,40}, (?:or |about |exactly )?$", marked[:start][-60:])
        is not None
    )


def _difference_of(passage: Passage, match: re.Match[str]) -> _Relation:
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
    if mark.sort in "tc" and re.search(r"(?:faster|slower)$", match[0]):
        is_less = not is_less
    return _Relation(mark, match.start(), match.end(), subject, object, priced, linked, is_less)


def _subject(marked: str, start: int) -> str:
    window = marked[max(0, start - 120) : start]
    opening = _OPENING.match(window)
    return window[opening.end() :] if opening else window


def _resolve(ledger: Ledger, relation: _Relation) -> None:
    passage = ledger.passage
    start = passage.place(relation.start)
    named = _told_in(passage, relation.object, relation)
    base = named or _base(ledger, relation, start)
    if base is None or base.start == relation.mark.start:
        return
    sort_differs = base.sort != relation.mark.sort and relation.mark.sort in BASES
    if relation.mark.sort == "n" and base.sort == "m" and relation.mark.value >= 1000:
        sort_differs = False
    if sort_differs or (relation.mark.sort in "mqt" and base.unit != relation.mark.unit):
        return
    near = base.end <= start and start - base.end < 70
    if relation.mark.sort == "n" and not relation.is_linked and not near:
        return
    known = "object" if named else _known(passage, relation, base)
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
    ledger.derive(like, value, (base, relation.mark), why, relation=span, about=about,
                  confidence=_confidence(passage, relation, known))  # fmt: skip
    if relation.mark.sort in "xpf":
        ledger.spend(relation.mark)


def _confidence(passage: Passage, relation: _Relation, known: str) -> float:
    """Return more for the thing that somebody chose: texts tell of it what they mean to tell."""
    subject, object = names_of(relation.subject), names_of(relation.object)
    other, own = (object, subject) if known == "object" else (subject, object)
    chosen = [names_of(match[0].lower()) for match in _CHOSEN.finditer(passage.text)]
    return 0.9 if any(words & (own - other) for words in chosen) else 0.85


def _told_in(passage: Passage, object: str, relation: _Relation) -> Amount | None:
    for mark in re.findall(r"§[mqtnc]\d+§", object):
        amount = passage.amount(mark)
        if relation.is_priced and amount.sort == "n" and relation.mark.sort in "xpf":
            continue
        if relation.mark.sort in "xpf" or amount.sort == relation.mark.sort:
            return amount
    return None


def _base(ledger: Ledger, relation: _Relation, start: int) -> Amount | None:
    sorts = "m" if relation.is_priced else BASES
    if relation.mark.sort in BASES:
        sorts = relation.mark.sort
    if relation.mark.sort == "n" and relation.mark.value >= 1000:
        sorts = "nm"
    unit = relation.mark.unit if relation.mark.sort in "mqt" else ""
    found = ledger.before(start, sorts, within=420 if relation.is_priced else 200, unit=unit)
    if found is None and relation.is_priced and relation.mark.sort in "xpf":
        found = _bare_price(ledger.passage, start)
    if found is None and relation.is_linked and relation.mark.sort in "xpf":
        found = ledger.after(start, BASES, within=220)
    if found is None and relation.mark.sort in "xpf":
        follows = _AT_PRICE.match(ledger.passage.marked, relation.end)
        found = ledger.passage.amount(follows[1]) if follows else None
    if found is None and relation.is_linked and relation.mark.sort in "mqt":
        found = ledger.after(relation.mark.end, sorts, within=90, unit=unit)
    return found


def _bare_price(passage: Passage, start: int) -> Amount | None:
    """Return the last number before an offset that stands where a price would."""
    for amount in reversed(passage.amounts):
        if amount.sort == "n" and amount.end <= start and start - amount.end < 700:
            before = passage.text[max(0, amount.start - 20) : amount.start].lower()
            if _PRICED.search(before):
                return amount
    return None


def _is_bare(relation: _Relation, base: Amount) -> bool:
    return relation.is_priced and base.sort == "n"


def _both(relation: _Relation, base: Amount) -> tuple[Fraction, Fraction]:
    """Return the value of the subject if the object has the base, and the other way round."""
    step = relation.mark.value
    if relation.mark.sort in BASES:
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


def _known(passage: Passage, relation: _Relation, base: Amount) -> str:
    """Return whether the base belongs to the `object` or the `subject` of a comparison."""
    if base.start > passage.place(relation.start):
        return _told_later(passage, relation, base)
    around = _around(passage, base)
    subject, object = _subject_names(relation.subject), names_of(relation.object)
    object_met, subject_met = share_met(object, around), share_met(subject, around)
    if not relation.is_linked:
        return "subject" if subject_met == 1 and relation.mark.sort == "x" else "object"
    if not object:
        return "subject" if relation.mark.sort in BASES and not subject else "object"
    if object_met != subject_met:
        return "object" if object_met > max(subject_met, Fraction(1, 2)) else "subject"
    return "object" if subject else "subject"


def _subject_names(subject: str) -> set[str]:
    """Return the names of a subject; none where it is a pronoun, or left out."""
    stripped = subject.strip()
    return (
        set() if _PRONOUN.match(stripped) or _PRONOUN_LAST.search(stripped) else names_of(subject)
    )


def _told_later(passage: Passage, relation: _Relation, base: Amount) -> str:
    """Return whose amount it is that follows a comparison: `as much as the old one, at 40`."""
    gap = passage.text[passage.place(relation.end) : base.start].lower()
    tail = gap[len(relation.object) :]
    subject, object = names_of(relation.subject), names_of(relation.object)
    words = names_of(tail)
    object_met = count_met(object - subject, words)
    subject_met = count_met(subject - object, words)
    if object_met != subject_met:
        return "object" if object_met > subject_met else "subject"
    behind = passage.text[base.end : base.end + 40].lower()
    if re.search(r"\b(?:which|that|whose|with|priced)\b", tail) or re.match(
        r" (?:for|is|was) (?:the |that )?(?:older|cheaper|former|previous|latter|other)", behind
    ):
        return "object"
    return "subject" if tail.lstrip().startswith(",") else "object"


def _around(passage: Passage, base: Amount) -> set[str]:
    """Return the words of the clause that tells an amount."""
    start, end = passage.sentence(base.start)
    text = passage.text
    for other in passage.amounts:
        if other.sort in "xpf" and start < other.end <= base.start:
            start = other.end
        if other.sort in "xpf" and base.end <= other.start < end:
            end = other.start
    tail = re.split(r"[,;.]| but | while | and | to ", text[base.end : end])[0]
    if re.match(r" for the | for a ", tail):
        return names_of(tail.lower())
    return names_of((text[start : base.start] + " " + tail).lower())


def _side(known: str) -> str:
    return "what it is compared with" if known == "object" else "the first of the two"
