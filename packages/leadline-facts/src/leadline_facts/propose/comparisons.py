"""Comparisons of two things: the amount of one is stated, that of the other follows."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from leadline.types import FactRole
from leadline_facts.propose.comparison_sides import Relation, known_side, name_of
from leadline_facts.propose.operations import DOUBTS, Entry
from leadline_facts.read.amounts.money import UNKNOWN
from leadline_facts.read.amounts.passage import Amount, Passage
from leadline_facts.words import patterns

BASES = "mqtnc"
"""Sorts of amounts that a ratio or a difference can be taken of."""


@dataclass
class Ledger:
    """The amounts of a passage and those derived so far."""

    passage: Passage
    entries: list[Entry] = field(default_factory=list)
    spent: set[int] = field(default_factory=set)

    def derive(
        self,
        like: Amount,
        value: Fraction,
        operands: Sequence[Amount],
        why: str,
        *,
        relation: tuple[int, int],
        about: str = "",
        confidence: float = 0.8,
        role: FactRole = "derived",
    ) -> None:
        """Enter an amount in the unit of `like`, unless its writer does not vouch for it.

        operands  amounts that it follows from
        relation  (start, end) in the text of the words that say how
        """
        spans = tuple(dict.fromkeys([*((each.start, each.end) for each in operands), relation]))
        if value < 0 or self.passage.doubts(spans) & DOUBTS:
            return
        unit = self.passage.currency if like.sort == "m" and like.unit == UNKNOWN else like.unit
        amount = Amount(like.sort, value, unit, *max(spans))
        self.entries.append(Entry(amount, spans, why, about, confidence, role))

    def before(self, offset: int, sorts: str = BASES, *, within: int = 250) -> Amount | None:
        """Return the last amount before an offset of the text, derived ones before their parts."""
        best: Amount | None = None
        for amount in self.all(sorts):
            is_near = amount.end <= offset and offset - amount.end <= within
            if is_near and (best is None or amount.end >= best.end):
                best = amount
        return best

    def after(self, offset: int, sorts: str = BASES, *, within: int = 60) -> Amount | None:
        """Return the first amount after an offset of the text."""
        for amount in sorted(self.all(sorts), key=lambda each: each.start):
            if offset <= amount.start <= offset + within:
                return amount
        return None

    def all(self, sorts: str) -> list[Amount]:
        """Return the amounts of some sorts that nothing has used up, told ones first."""
        told = [each for each in self.passage.amounts if each.start not in self.spent]
        implied = [each.amount for each in self.entries if each.role == "derived"]
        return [each for each in told + implied if each.sort in sorts]


_P = patterns("comparisons")
_PRICE_WORDS = _P["price_words"]
_MEASURED = _P["measured"]
_RATIO = re.compile(_P["ratio"])
_APART = re.compile(r"^ (?:for|in|on|at)\b")
_PRICED = re.compile(_P["priced"])
_TAIL = re.compile(_P["tail"])


def compare(ledger: Ledger) -> None:
    """Derive what a comparison implies of the thing whose amount is not told."""
    for match in _RATIO.finditer(ledger.passage.marked):
        relation = _ratio_of(ledger.passage, match)
        if relation is not None:
            _resolve(ledger, relation)


def _ratio_of(passage: Passage, match: re.Match[str]) -> Relation | None:
    mark, marked = passage.amount(match["mark"]), passage.marked
    worded = match["of"] or match["less"] or match["more"] or match["what"]
    measured = match["plain"] or re.search(rf" as {_MEASURED}$", match[0])
    if not worded and not measured:
        return None
    tail = _TAIL.match(marked, match.end())
    noun = tail["noun"] if tail else ""
    linked = bool(tail and tail["link"]) or match["what"] is not None or bool(match["which"])
    object = tail["object"] if tail and linked else ""
    object = match["which"] + object if match["which"] else _APART.sub("", object)
    subject = marked[max(0, match.start() - 120) : match.start()]
    priced = bool(re.search(_PRICE_WORDS, match[0] + noun)) or match["of"] in ("price", "cost")
    priced = priced or bool(
        re.search(r"\b(?:cost|price|pay|paid|charge|retail|sold for)", subject[-50:])
    )
    is_less = bool(match["less"]) or bool(re.search(r"^ (?:cheaper|affordable)", noun))
    end = tail.end("link") if tail and tail["link"] else match.end() + len(noun)
    part = not (match["less"] or match["more"])
    return Relation(
        mark, match.start(), end, subject, object, priced, linked, is_less, is_part=part
    )


def _resolve(ledger: Ledger, relation: Relation) -> None:
    passage = ledger.passage
    start = passage.place(relation.start)
    base = _base(ledger, relation, start)
    if base is None or base.start == relation.mark.start:
        return
    known = known_side(passage, relation, base)
    forward, backward = _both(relation, base)
    value, inverse = (forward, backward) if known == "object" else (backward, forward)
    is_bare = relation.is_priced and base.sort == "n"
    span = (start, passage.place(relation.end))
    why = f"{_side(known)} is {passage.text[base.start : base.end]}; {passage.text[slice(*span)]}"
    like = Amount("m", base.value, "XXX", base.start, base.end) if is_bare else base
    subject, object = name_of(relation.subject), name_of(relation.object)
    about, other = (subject, object) if known == "object" else (object, subject)
    operands = (base, relation.mark)
    if relation.is_priced:
        why_not = "the other reading of: " + why
        ledger.derive(like, inverse, operands, why_not, relation=span, about=other,
                      confidence=0.25, role="alternative")  # fmt: skip
    ledger.derive(like, value, operands, why, relation=span, about=about, confidence=0.85)
    ledger.spent.add(relation.mark.start)


def _base(ledger: Ledger, relation: Relation, start: int) -> Amount | None:
    sorts = "m" if relation.is_priced else BASES
    found = ledger.before(start, sorts, within=420 if relation.is_priced else 200)
    if found is None and relation.is_priced:
        found = _bare_price(ledger.passage, start)
    if found is None and relation.is_linked:
        found = ledger.after(start, BASES, within=220)
    return found


def _bare_price(passage: Passage, start: int) -> Amount | None:
    """Return the last number before an offset that stands where a price would."""
    for amount in reversed(passage.amounts):
        if amount.sort == "n" and amount.end <= start and start - amount.end < 700:
            before = passage.text[max(0, amount.start - 20) : amount.start].lower()
            if _PRICED.search(before):
                return amount
    return None


def _both(relation: Relation, base: Amount) -> tuple[Fraction, Fraction]:
    """Return the value of the subject if the object has the base, and the other way round."""
    ratio = relation.mark.value / 100 if relation.mark.sort == "p" else relation.mark.value
    if relation.mark.sort in "pf" and not relation.is_part:
        ratio = 1 - ratio if relation.is_less else 1 + ratio
    elif relation.is_less:
        ratio = 1 / ratio
    return (base.value * ratio, base.value / ratio) if ratio > 0 else (base.value, base.value)


def _side(known: str) -> str:
    return "what it is compared with" if known == "object" else "the first of the two"
