"""How many of a count are charged for: `26 lunches, but I skipped 4`, `the first hour free`."""

from __future__ import annotations

import re
from fractions import Fraction

from leadline.enrichers.amounts.dimensions import BARE, Count, basis_name
from leadline.enrichers.amounts.passage import Amount, Passage

_DEAL = re.compile(r"\bbuy (?P<buy>§n\d+§),?(?: and)? get (?P<free>§n\d+§) free\b")
_FREE = re.compile(
    r"\bfirst (?:(?P<told>§[tn]\d+§)(?: [a-z]+)?|(?P<unit>[a-z]+)) (?:is |are |was |were |comes? "
    r"|being |came |,? ?which (?:is|are|were) )?"
    r"(?:free|on the house|not charged|included|complimentary|gratis)\b"
)
_EXCLUDED = (
    re.compile(
        r"\b(?:but|except(?: for)?|minus|less|apart from|bar|not counting|excluding|all but"
        r"|other than)"
        r" (?:the |for |only |just |of them )?(?P<x>§n\d+§)"
    ),
    re.compile(
        r"(?P<x>§n\d+§|\bone)(?: of (?:us|them|those|these|which|whom"
        r"|the [a-z]+))?(?: [a-z'’]+){0,3}? (?:free"
        r"|cancel+ed|missed|skipped|absent|away|sick|unused|unsold|returned|sent back|broken"
        r"|broke|damaged"
        r"|faulty|spoil(?:ed|t)|complimentary|on the house|pulled out|dropped out|never|didn['’]t"
        r"|did not"
        r"|don['’]t|do not|won['’]t|will not|wasn['’]t|weren['’]t|isn['’]t|not|exempt|waived|void"
        r"|refused|lost|rejected|nothing"
        r"|no charge|no-shows?|failed|expired)\b"
    ),
    re.compile(
        r"\b(?:skipp?(?:ed|ing)?|miss(?:ed|ing)?|cancell?ed|cancell?ing|returned|sent back|lost"
        r"|gave away|threw out"
        r"|dropped|without|rejected|took back|handed back)(?: (?:only|just|out on|the|my|our"
        r"|about)){0,2} (?P<x>§n\d+§)"
    ),
)


def charged(passage: Passage, count: Count) -> tuple[Fraction, list[Amount]]:
    """Return how many of a count are charged, and whence: `26 lunches, but I skipped 4`."""
    amount = count.amount
    for free in passage.find(_FREE):
        told = passage.amount(free["told"]) if free["told"] else None
        of_it = told.unit in count.names if told and told.unit else True
        if told != amount and of_it and (told or basis_name(free["unit"]) in count.names):
            free_of = told.value if told else Fraction(1)
            return max(amount.value - free_of, Fraction(0)), [amount, *([told] if told else [])]
    for deal in passage.find(_DEAL):
        paid, gift = (passage.amount(deal[name]).value for name in ("buy", "free"))
        if gift > 0 and amount.value >= paid + gift and amount.sort == "n":
            return amount.value - amount.value // (paid + gift) * gift, [amount]
    if amount.sort != "n" or not count.names or count.names == {BARE}:
        return amount.value, [amount]
    sentence = passage.sentence(amount.start)
    following = passage.sentence(min(sentence[1] + 2, len(passage.text)))
    mark = f"§n{passage.amounts.index(amount)}§" if amount in passage.amounts else ""
    at = passage.marked.find(mark) if mark else -1
    for pattern in _EXCLUDED if at >= 0 else ():
        match = pattern.search(passage.marked, at + len(mark), at + 150)
        if match is None or passage.place(match.start()) > following[1]:
            continue
        if match["x"] == "one":
            spot = passage.place(match.start("x"))
            off = Amount("n", Fraction(1), "", spot, spot + 3, True)
        else:
            off = passage.amount(match["x"])
        behind = _next_noun(passage, match)
        if off.value < amount.value and (
            not behind or behind in count.names or off.end - off.start == 3
        ):
            return amount.value - off.value, [amount, off]
    return amount.value, [amount]


def _next_noun(passage: Passage, match: re.Match[str]) -> str:
    follows = re.compile(r" ([a-z]+s)\b").match(passage.marked, match.end("x"))
    return basis_name(follows[1]) if follows and follows[1] not in ("was", "is", "has") else ""
