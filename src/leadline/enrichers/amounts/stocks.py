"""What there was, what went and what came, in the order told, and what that leaves."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal, TypeAlias

from leadline.enrichers.amounts.counted import is_same_noun, nouns_after
from leadline.enrichers.amounts.fates import (
    COME,
    GAINING,
    GONE,
    LOSING,
    STILL,
    STILL_BEFORE,
    event_words,
)
from leadline.enrichers.amounts.ledger import Ledger
from leadline.enrichers.amounts.measures import is_alike, value_as
from leadline.enrichers.amounts.passage import Amount, Passage
from leadline.types import FactRole

Move: TypeAlias = Literal["gone", "come", "left", "none"]

_MARK = re.compile(
    r"§(?P<sort>[nqtcfp])\d+§|\b(?P<another>another(?: one)?|one)\b(?! (?:§|of (?!them|those"
    r"|these)))"
)
_CUT = re.compile(
    r"[.;:!?()\n—–]|,|\b(?:and|but|while|whereas|then|though|although|before|after)\b"
)
_CLOSE = re.compile(r"[.;:!?()\n—–]|§|, (?!who|which|sadly|queenless|alas)|\b(?:and|but|while)\b")
_RATE = re.compile(r" ?(?:[a-z]+ )?(?:an?|per|each|every|apiece|daily|weekly|times)\b| ?[/@×%]")
_EACH = re.compile(r"\b(?:each|every|per|at|if|about every) (?:of )?(?:the )?$")
_ACTED = re.compile(r" (?:cast|handed in|sent in|filled in|submitted) (?:a|an|their|the)\b")
_STEP = re.compile(r"\b(?:another|a further|an extra|an additional|a second|a third) $")
_MORE = re.compile(r" (?:more|others?|further|extra|additional|newcomers|late[- ]?comers)\b")
_THEN_NOT = re.compile(r"\b(?:would|could|if|might|should)\b")
_REPEATED = re.compile(r"\b(?:every|each|per)\b")
_PASSING = re.compile(
    r"\b(?:used|spent|booked|taken|gone|served|passed|elapsed|watched|left|remain\w*|to go)\b"
)
_OF_IT = re.compile(
    r" (?:of (?:it|them|that|those|these|the|which|what|this|its|his|her|my|our)\b"
    r"|(?:were|was|are|is|have|has|had|went|died|left|broke|\w+ed)\b)"
)
_REACH = 320


@dataclass
class _Stock:
    """What there is of one kind of thing."""

    first: Amount
    value: Fraction
    nouns: tuple[str, ...]
    last: int
    operands: list[Amount] = field(default_factory=list)
    moves: int = 0
    left: Amount | None = None


def derive_stocks(ledger: Ledger) -> None:
    """Derive what is left of a number of things, or of a measure, and what is gone of it."""
    passage = ledger.passage
    if len(passage.amounts) < 2 and "another" not in passage.marked:
        return
    if not any(_is_event(passage, match) for match in passage.find_all(_MARK)):
        return
    for stock in _stocks(ledger):
        gone = stock.left is not None and not stock.moves
        if not stock.moves and not gone:
            continue
        if gone and stock.left is not None:
            value = stock.value - value_as(stock.left, stock.first)
            operands = [stock.first, stock.left]
            why = "what is gone"
        else:
            value, operands, why = stock.value, stock.operands, "what is there in the end"
        if value > 0 and value != stock.first.value and _is_whole(stock.first, value):
            like = stock.first
            # a 15-blade and a 6-French tube are no numbers of things
            is_named = all(passage.text[each.end : each.end + 1] != "-" for each in operands)
            is_share = operands[-1].sort in "fp" and not _OF_IT.match(
                passage.text, operands[-1].end
            )
            role: FactRole = "derived" if is_named and not is_share else "alternative"
            if ledger.derive(like, value, operands, why, confidence=0.75, role=role):
                ledger.spend(*(each for each in operands if each.sort not in "fp"))


def _stocks(ledger: Ledger) -> Iterator[_Stock]:
    """Yield the stocks of a text as they stand in the end."""
    passage = ledger.passage
    open_stocks: list[_Stock] = []
    for match in passage.find_all(_MARK):
        amount = _amount(passage, match)
        if amount.start in ledger.spent and amount.sort not in "fp":
            continue
        nouns = () if match["another"] or amount.sort != "n" else nouns_after(
            passage.marked, match.end()
        )  # fmt: skip
        move = _move(passage, match, nouns)
        stock = next((each for each in reversed(open_stocks) if _fits(each, amount, nouns)), None)
        if stock is None and move != "none":
            stock = _derived_stock(ledger, amount, nouns)
            open_stocks += [stock] if stock else []  # fmt: skip
        if move == "none" or stock is None or stock.left is not None:
            if amount.sort not in "fp" and move == "none" and _may_begin(passage, match, nouns):
                open_stocks.append(
                    _Stock(amount, amount.value, nouns, amount.end, operands=[amount])
                )
            continue
        _apply(stock, amount, move)
    yield from open_stocks


def _derived_stock(ledger: Ledger, amount: Amount, nouns: tuple[str, ...]) -> _Stock | None:
    """Return a stock that begins with what was derived just before: `8 rounds of 10, lost nine`."""
    for entry in reversed(ledger.entries):
        base = entry.amount
        is_total = "×" in entry.why or "together" in entry.why
        if is_total and base.sort in "nq" and base.end <= amount.start:
            stock = _Stock(base, base.value, (), base.end, operands=[base])
            return stock if _fits(stock, amount, nouns) and amount.value < base.value else None
    return None


def _amount(passage: Passage, match: re.Match[str]) -> Amount:
    if match["another"]:
        start = passage.place(match.start())
        return Amount("n", Fraction(1), "", start, start + len(match[0]), True)
    return passage.amount(match[0])


def _fits(stock: _Stock, amount: Amount, nouns: tuple[str, ...]) -> bool:
    if amount.start - stock.last > _REACH:
        return False
    if amount.sort in "fp":
        return amount.value < (1 if amount.sort == "f" else 100)
    if amount.sort == "n" and stock.first.sort != "n":
        return False
    if not is_alike(amount, stock.first):
        return False
    return value_as(amount, stock.first) < stock.value * 10 and is_same_noun(nouns, stock.nouns)


def _may_begin(passage: Passage, match: re.Match[str], nouns: tuple[str, ...]) -> bool:
    """Tell whether a number may be what there was: it counts something, and is no rate."""
    if match["another"] or _EACH.search(passage.marked, max(0, match.start() - 12), match.start()):
        return False
    lead = passage.marked[max(0, match.start() - 14) : match.start()]
    if _STEP.search(lead) or _MORE.match(passage.marked, match.end()):
        return False
    acted = _ACTED.match(passage.marked, match.end())
    return bool(nouns or acted) or match["sort"] in "qtc" or lead.rstrip().endswith(
        ("cast on", "had", "with", "was", "were", "of", ":", "numbered", "totalled", "stood at")
    )  # fmt: skip


def _move(passage: Passage, match: re.Match[str], nouns: tuple[str, ...]) -> Move:
    """Return whether the things that a number counts went, came, or are left."""
    marked = passage.marked
    if _RATE.match(marked, match.end()) or _EACH.search(
        marked, max(0, match.start() - 14), match.start()
    ):
        return "none"
    if not _is_event(passage, match):
        return "none"
    before = marked[max(0, match.start() - 70) : match.start()]
    cuts = list(_CUT.finditer(before))
    lead = before[cuts[-1].end() :] if cuts else before
    after = marked[match.end() : match.end() + 90]
    behind = _behind(after, nouns)
    if match["sort"] in ("t", "c") and not _PASSING.search(lead + "§" + behind[:30]):
        return "none"
    if _REPEATED.search(before[before.rfind(".") + 1 :]):
        return "none"
    if _THEN_NOT.search(lead) or _THEN_NOT.search(behind[:25]):
        return "none"
    spans = [(passage.place(match.start()), passage.place(match.end()))]
    if "negated" in passage.doubts(spans):
        return "none"
    if STILL.match(behind) or STILL_BEFORE.search(lead):
        return "left"
    if match["sort"] == "q" and re.search(r"\b(?:fell|fallen)\b", behind) and _STEP.search(lead):
        return "come"
    if GONE.match(behind) or LOSING.search(lead):
        return "gone"
    if COME.match(behind) or GAINING.search(lead):
        return "come" if _is_further(lead, behind, after, nouns) else "none"
    if coordinated := _coordinated(before, cuts):
        return coordinated
    return "none"


def _is_event(passage: Passage, match: re.Match[str]) -> bool:
    return passage.holds(event_words(), match.start() - 70, match.end() + 90)


def _behind(after: str, nouns: tuple[str, ...]) -> str:
    """Return what follows a number and its noun, up to the end of the clause."""
    tail = after
    for _ in range(len(nouns)):
        tail = re.sub(r"^[ -](?:(?:the|of|more|other|further|extra) )*[a-z'’-]+", "", tail, count=1)
    tail = re.sub(r"^ (?:more|others?|further|extra|additional|late[- ]?comers)\b", "", tail)
    tail = re.sub(r"^, [a-z]+(?: [a-z]+)?,", "", tail)
    close = _CLOSE.search(tail, 1)
    return tail[: close.start()] if close else tail


def _is_further(lead: str, behind: str, after: str, nouns: tuple[str, ...]) -> bool:
    """Tell whether what came adds to what was there: `ten were bought` alone may be the first."""
    return bool(
        _STEP.search(lead) or _MORE.match(after) or "more" in nouns
        or re.search(r"\b(?:joined|joins?|g[eo]ts? on|boarded|born|hatched|added|adds"
                     r"|moved in|took (?:on|in)|recruited|hired|gained|topped|admitted|climbed"
                     r"|hopped"
                     r"|won|poured in|delivered|restocked|bought (?!§))\b", lead + behind)
    )  # fmt: skip


def _coordinated(before: str, cuts: list[re.Match[str]]) -> Move | None:
    """Read on in `sold six and five`: the verb of the part before holds for the next one."""
    if cuts and cuts[-1][0] == "and" and re.search(r"§\w\d+§ (?:[a-z]+ )?and (?:then )?$", before):
        lead = before[: cuts[-1].start()]
        lead = lead[: lead.rfind("§", 0, lead.rfind("§"))]
        if LOSING.search(lead):
            return "gone"
        if GAINING.search(lead):
            return None
    return None


def _apply(stock: _Stock, amount: Amount, move: Move) -> None:
    if move == "left":
        stock.left = amount if amount.sort not in "fp" else None
        return
    step = stock.value * amount.part if amount.sort in "fp" else value_as(amount, stock.first)
    if move == "gone" and step >= stock.value:
        return
    stock.value += step if move == "come" else -step
    stock.operands.append(amount)
    stock.last = amount.end
    stock.moves += 1


def _is_whole(first: Amount, value: Fraction) -> bool:
    return first.sort != "n" or value.denominator == 1
