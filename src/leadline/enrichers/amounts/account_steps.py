"""A running amount of money: what it comes to after a run of steps, and shares of it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from fractions import Fraction

from leadline.enrichers.amounts.account_words import (
    AFTER,
    AND,
    BOUGHT,
    CONTINUED,
    GRANTED,
    INSTEAD,
    PARALLEL,
    SPENDING,
    TOTAL,
)
from leadline.enrichers.amounts.ledger import Entry, Ledger
from leadline.enrichers.amounts.money_roles import Role
from leadline.enrichers.amounts.money_shares import Share
from leadline.enrichers.amounts.passage import Amount, Passage
from leadline.types import FactRole

_FORMULA = re.compile(
    r"[÷=]|\b(?:percent(?:age)?|per cent|margins?|denominations?|(?:bank)?notes|coins|for every"
    r"|per (?:yard|square|cubic|foot|unit|hour|transaction)|fees? of|converts?|exchange rate)\b"
)
_SPENDS = re.compile(r"\b(?:cost|for|on|bought|is|was|at)\b")
_OUT = frozenset(("out", "off", "paid", "fee", "price", "part"))
_LISTED = ("price", "out", "owed", "in", "fee", "paid", "raised")
BILLS = frozenset(("price", "total", "owed", "rate"))
_OF_REST = re.compile(
    r" of (?:the |what |what['’]?s )(?:rest|remainder|remaining|balance|was left|is left|left"
    r"|remained|remains)\b"
)


@dataclass
class Account:
    """A running amount, the amounts that it comes from, and what it is an account of."""

    kind: str
    value: Fraction
    like: Amount
    operands: list[Amount]
    sentence: int
    step: str = ""
    last: Role = "price"
    items: int = 1
    is_product: bool = False
    whole: Fraction | None = None
    lead: str = ""
    seen: list[str] = field(default_factory=list)


def tell(ledger: Ledger, account: Account | None) -> Entry | None:
    """Enter what the account comes to, after a run of steps."""
    if account is None or not account.step:
        return None
    why = {
        "list": "the sum",
        "before": "what it was before that",
        "add": "with what is added",
        "take": "what is left to pay",
    }.get(account.step, "what is left")
    role: FactRole = "derived"
    if account.step == "list" and _is_no_bill(ledger.passage, account):
        role = "alternative"
    entry = ledger.derive(
        account.like, account.value, account.operands, why, confidence=0.75, role=role
    )
    if entry:
        ledger.spend(*(each for each in account.operands if each.sort == "m"))
    if account.step in ("move", "take") and len(account.operands) == 2:
        portion(ledger, account.operands[1], account.operands[0])
    taken = account.operands[1:]
    if account.step == "take" and account.last == "paid" and len(taken) > 1 and entry:
        total = sum((each.value for each in taken), Fraction(0))
        ledger.derive(account.like, total, taken, "paid together", confidence=0.65)
    account.step = ""
    return entry


def _is_no_bill(passage: Passage, account: Account) -> bool:
    """Tell whether amounts stand in a formula, a list of coins, or each for another measure."""
    start = passage.sentence(min(each.start for each in account.operands))[0]
    end = passage.sentence(max(each.start for each in account.operands))[1]
    return _FORMULA.search(passage.text, start, end) is not None


def portion(ledger: Ledger, part: Amount, whole: Amount) -> None:
    """Enter what share of an amount another is."""
    if 0 < part.value < whole.value:
        percent = Amount("p", part.value, "", part.start, part.end)
        share = part.value / whole.value * 100
        ledger.derive(percent, share, (whole, part), "share of it", confidence=0.6)


def enter(ledger: Ledger, account: Account, amount: Amount, value: Fraction, why: str) -> None:
    """Enter what follows from the account and one more amount; both are spent."""
    operands = [*account.operands, amount]
    ledger.derive(amount, value, operands, why, confidence=0.75)
    ledger.spend(*operands)


def enter_share(ledger: Ledger, account: Account, mark: Amount, share: Share) -> None:
    """Enter the account with a share taken off, put on top, or what half price leaves."""
    part, operands = account.value * share.part, [*account.operands, mark]
    like, derive = account.like, ledger.derive
    if share.way == "was":
        value = account.value / (1 - share.part)
        done = derive(like, value, operands, "the price before that", confidence=0.7)
        derive(like, value - account.value, operands, "what is saved", confidence=0.6)
    elif share.way == "off":
        done = derive(like, account.value - part, operands, "less the share", confidence=0.75)
        if share.is_told:
            derive(like, part, operands, "the share", confidence=0.7)
        account.value -= part
    elif share.way == "add":
        done = derive(like, account.value + part, operands, "with the share")
        derive(like, part, operands, "the share", confidence=0.7)
        account.value += part
    else:
        done = derive(like, part, operands, "the share", confidence=0.7)
        account.value = part
    if done is not None:
        account.operands = operands
        account.seen.append(share.way)
        ledger.spend(mark)


def hand_out(
    ledger: Ledger, account: Account, mark: Amount, share: Share, tail: str, *, has_more: bool
) -> None:
    """Take up a share that leaves a rest, of which more may be handed out."""
    account.whole = account.value if account.whole is None else account.whole
    base = account.value if _OF_REST.match(tail) else account.whole
    part, operands = base * share.part, [*account.operands, mark]
    if part > account.value:
        return
    like, derive = account.like, ledger.derive
    done = derive(like, part, operands, "the share", confidence=0.7)
    account.value -= part
    if not has_more:
        derive(like, account.value, operands, "less the share", confidence=0.75)
    if share.is_gone and mark.sort == "p" and len(account.operands) == 1 and not has_more:
        other = Amount("p", mark.value, "", mark.start, mark.end)
        derive(other, 100 - mark.value, (mark,), "the other share", confidence=0.6)
    if done is not None:
        account.operands = operands
        account.seen.append("rest")
        ledger.spend(mark)


def is_listed(
    passage: Passage, account: Account, role: Role, lead: str, sentence: int, *, is_product: bool
) -> bool:
    """Tell whether an amount is one more item beside the last."""
    if account.kind not in _LISTED or role not in (*_LISTED, "part"):
        return False
    if account.kind in ("raised", "in") and role in ("out", "fee"):
        return False  # what came in and what went out
    first, last = (passage.sentences[each] for each in (account.sentence, sentence))
    sentences = passage.sentences
    around = passage.text[
        sentences[max(0, account.sentence - 1)][0] : sentences[
            min(len(sentences) - 1, sentence + 1)
        ][1]
    ].lower()
    if INSTEAD.search(
        passage.text[
            account.like.start if account.items == 1 else account.operands[-1].end : last[1]
        ].lower()
    ):
        return False
    is_product = is_product or account.is_product
    if sentence != account.sentence:
        lines = passage.text[first[0] : last[0]].count("\n") == sentence - account.sentence
        return (is_product and sentence - account.sentence < 2) or (
            lines and TOTAL.search(passage.text.lower()) is not None
        )
    if not AND.search(lead):
        return False
    if PARALLEL.fullmatch(lead) and account.items > 0:
        in_sentence = [
            each
            for each in passage.amounts
            if each.sort == "m" and first[0] <= each.start < last[1]
        ]
        if len(in_sentence) > 2:
            return True
    return is_product or account.kind == "in" or SPENDING.search(around) is not None


def step_for(
    account: Account, role: Role, lead: str, tail: str, sentence: int
) -> tuple[str, int] | None:
    """Return what an amount does to the account, and whether it adds or takes; None for nothing."""
    kind = account.kind
    if kind == "fund":
        if role == "price" and not account.step and CONTINUED.fullmatch(lead):
            return "list", 1
        if role in _OUT and (role != "price" or _SPENDS.search(lead + tail)):
            return "move", -1
        if role in ("in", "plus"):
            return "move", 1
    if kind in BILLS:
        if role == "off" and AFTER.search(lead) and sentence == account.sentence:
            return "before", 1
        if role in ("fee", "plus"):
            return "add", 1
        is_price = kind != "owed" and BOUGHT.search(lead) and not tail.strip()
        if role == "off" or (role == "paid" and not is_price):
            return "take", -1
        if role == "fund" and GRANTED.match(tail):
            return "take", -1
    if kind == "owed" and role in ("out", "fund", "in"):
        return "take", -1
    return None
