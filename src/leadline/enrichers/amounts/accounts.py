"""Accounts kept from one amount of money to the next: bills, balances, debts, collections.

A text that names a price, a fee, a voucher and a deposit keeps an account. What each amount does
to it follows from the words beside it; the account is told after every run of steps of one kind:
the sum of the items, the sum with the fees, what is left after payments.
"""

from __future__ import annotations

import re

from leadline.enrichers.amounts.account_bases import MARK, base_of, is_off_already, last_told
from leadline.enrichers.amounts.account_steps import (
    BILLS,
    Account,
    enter,
    enter_share,
    hand_out,
    is_listed,
    portion,
    step_for,
    tell,
)
from leadline.enrichers.amounts.account_words import (
    CONTINUED,
    COST,
    COUNT_LAST,
    EARNED,
    OF_WHICH,
    OUT_OF,
    PURE,
    SOLD,
    TOWARDS,
    first_role,
)
from leadline.enrichers.amounts.ledger import Entry, Ledger
from leadline.enrichers.amounts.money_roles import Role, role_of
from leadline.enrichers.amounts.money_shares import Share, read_share
from leadline.enrichers.amounts.passage import Amount
from leadline.enrichers.amounts.price_rates import Rate

_FAR = 3
_STOP = re.compile(r"[.?!](?= |\n|$)|\n")
_AGAIN = frozenset(("take", "add", "move"))
_WHOLES = frozenset(("price", "total", "owed", "rate", "in", "fund"))


class Bookkeeper:
    """Reads the amounts of a passage in order and enters what the account comes to."""

    def __init__(self, ledger: Ledger, rates: list[Rate]) -> None:
        self.ledger = ledger
        self.rates = {rate.amount.start for rate in rates if rate.is_sure}
        self.products = _products(ledger)
        self.account: Account | None = None
        self.raised: Amount | None = None

    def read(self) -> None:
        """Enter the accounts of the passage."""
        passage = self.ledger.passage
        matches = list(MARK.finditer(passage.marked))
        for number, match in enumerate(matches):
            if match[1] not in "mpf":
                continue
            amount = passage.amount(match[0])
            lead, tail = self._around(matches, number)
            sentence = self._sentence(amount)
            if self.account and sentence - self.account.sentence > _FAR:
                self._close()
            if match[1] != "m":
                self._share(amount, lead, tail, sentence, match)
            elif product := self.products.get(amount.start):
                self._apply(
                    role_of(lead, tail), product.amount, lead, tail, sentence, is_product=True
                )
            elif amount.start in self.rates:
                self._rate(amount, lead, sentence)
            elif self.account and amount.start in {each.start for each in self.account.operands}:
                continue
            elif amount.start not in self.ledger.spent:
                self._money(amount, lead, tail, sentence)
        self._close()

    def _around(self, matches: list[re.Match[str]], number: int) -> tuple[str, str]:
        """Return the words of its sentence before a mark since the last amount, and behind it."""
        marked, here = self.ledger.passage.marked, matches[number]
        before = [each for each in matches[:number] if each[1] in "mpf"]
        after = [each for each in matches[number + 1 :] if each[1] in "mpf"]
        start = max(before[-1].end() if before else 0, here.start() - 110)
        lead = marked[start : here.start()]
        stops = list(_STOP.finditer(lead))
        lead = lead[stops[-1].end() :] if stops else lead
        end = min(after[0].start() if after else len(marked), here.end() + 70)
        tail = marked[here.end() : end]
        stop = _STOP.search(tail)
        return lead.lstrip(), tail[: stop.start()] if stop else tail

    def _sentence(self, amount: Amount) -> int:
        return self.ledger.passage.sentences.index(self.ledger.passage.sentence(amount.start))

    def _is_denied(self, amount: Amount) -> bool:
        doubts = self.ledger.passage.doubts([(amount.start, amount.end)])
        return bool(doubts & {"hypothetical", "doubtful", "quoted", "idiom"})

    def _rate(self, amount: Amount, lead: str, sentence: int) -> None:
        """Take up a price of one that nothing is told to be multiplied with."""
        account = self.account
        if account and account.kind in BILLS and EARNED.search(lead) and COST.search(account.lead):
            self._income_after(amount)
        elif account is None or account.kind == "rate":
            self._open("fund" if EARNED.search(lead) else "rate", amount, sentence)

    def _money(self, amount: Amount, lead: str, tail: str, sentence: int) -> None:
        role = role_of(lead, tail)
        if tail.startswith(" instead"):
            self._close()  # one or the other
        if self._is_denied(amount) or role == "unclear":
            return
        self._apply(role, amount, lead, tail, sentence)

    def _apply(
        self,
        role: Role,
        amount: Amount,
        lead: str,
        tail: str,
        sentence: int,
        *,
        is_product: bool = False,
    ) -> None:
        """Let an amount, or so many at a price, do to the account what its role says."""
        account = self.account
        if role == "unclear" or (is_product and role in ("left", "note", "goal")):
            role = "price"
        if is_product:
            lead = COUNT_LAST.sub("", lead)
            role = "in" if EARNED.search(lead) else role
        if account is None or amount.unit != account.like.unit:
            self._open(first_role(role, lead), amount, sentence)
            if self.account is not None:
                self.account.is_product, self.account.lead = is_product, lead
            return
        if (
            sentence == account.sentence
            and PURE.fullmatch(lead)
            and account.kind != "goal"
            and account.step in ("", "list")
        ):
            self._step("list", amount, sentence, role)
            return
        if role == "price" and CONTINUED.fullmatch(lead) and account.step in _AGAIN:
            role = account.last
        is_negated = "negated" in self.ledger.passage.doubts([(amount.start, amount.end)])
        if is_negated and role in ("fee", "off", "paid", "out", "in", "plus"):
            return
        is_cost = role in ("out", "off", "paid", "fee") or (role == "price" and COST.search(lead))
        if account.kind == "in" and is_cost and not EARNED.search(lead):
            tell(self.ledger, self.account)
            account.kind = "fund"
        if step := step_for(account, role, lead, tail, sentence):
            self._step(step[0], amount, sentence, role, sign=step[1])
        elif not self._settle(account, role, amount, lead, sentence, is_product=is_product):
            self._open(first_role(role, lead), amount, sentence)
            if self.account is not None:
                self.account.lead = lead
        if self.account is not None:
            self.account.is_product |= is_product

    def _settle(
        self,
        account: Account,
        role: Role,
        amount: Amount,
        lead: str,
        sentence: int,
        *,
        is_product: bool,
    ) -> bool:
        """Let an amount close the account or begin another by what it is; False where it does not.

        What is left, handed over, earned, needed or sold for says what the account came to.
        """
        kind = account.kind
        if role == "part" and (kind in _WHOLES or OF_WHICH.match(lead)):
            self._part(amount, sentence)
        elif kind == "part" and OUT_OF.search(lead) and amount.value > account.value:
            enter(self.ledger, account, amount, amount.value - account.value, "the rest of it")
            self.account = None
        elif EARNED.search(lead) and kind in BILLS and COST.search(account.lead):
            self._income_after(amount)
        elif role == "left" and kind in ("out", "fee", "paid") and account.items == 1:
            self._what_there_was(amount)
        elif role == "left":
            self._left(amount)
        elif role == "note" or kind == "note":
            self._change(amount)
        elif kind == "goal" and role in ("raised", "in", "fund", "paid", "part"):
            self._toward(amount, sentence)
        elif role == "goal" and kind in ("fund", "in") and not account.step:
            self.raised = account.like
            self._open(role, amount, sentence)
        elif (
            kind in ("paid", "raised")
            and role in ("price", "total", "owed", "fee", "goal", "out")
            and (kind == "paid" or TOWARDS.search(lead))
        ):
            self._paid_first(amount, sentence, is_product=is_product)
        elif SOLD.search(lead) and kind in ("price", "out"):
            self._profit(amount)
        elif is_listed(self.ledger.passage, account, role, lead, sentence, is_product=is_product):
            account.items += 1
            self._step("list", amount, sentence, role)
        else:
            return False
        return True

    def _open(self, role: str, amount: Amount, sentence: int) -> None:
        self._close()
        if role == "raised" or (role == "in" and self.raised is None):
            self.raised = amount
        kind = {"off": "", "left": "fund", "plus": "price"}.get(role, role)
        if not kind:
            return
        self.account = Account(kind, amount.value, amount, [amount], sentence)
        before = self.raised
        if role == "goal" and before is not None and before.start < amount.start:
            near = self._sentence(amount) - self._sentence(before) < 2
            if near and before.unit == amount.unit and before.value < amount.value:
                self._toward(before, sentence)

    def _step(self, step: str, amount: Amount, sentence: int, role: Role, *, sign: int = 1) -> None:
        account = self.account
        if account is None or account.value + sign * amount.value < 0:
            self._close()
            return
        if account.step and account.step != step:
            tell(self.ledger, self.account)
        account.step, account.sentence, account.last = step, sentence, role
        account.value += sign * amount.value
        account.operands.append(amount)

    def _close(self) -> None:
        tell(self.ledger, self.account)
        self.account = None

    def _what_there_was(self, amount: Amount) -> None:
        """Take up what is left after what is told to be gone: `spent £30 and had £12 left`."""
        account = self.account
        if account is not None:
            enter(self.ledger, account, amount, account.value + amount.value, "what there was")
        self.account = None

    def _left(self, amount: Amount) -> None:
        """Take up what is told to be left: the rest is gone."""
        account = self.account
        if account is not None and account.kind == "fund" and amount.value > account.value:
            if account.items == 1 and not account.step:
                value = amount.value - account.value
                enter(self.ledger, account, amount, value, "what came in")
                self.account = None
            return
        if account is None or account.kind == "price" or amount.value >= account.value:
            return
        tell(self.ledger, self.account)
        if account.items == 1 and not account.seen:
            enter(self.ledger, account, amount, account.value - amount.value, "what is gone")
        self.account = None

    def _change(self, amount: Amount) -> None:
        """Take up what is handed over, before or after what is to be paid."""
        account = self.account
        if account is None or (account.value >= amount.value) != (account.kind == "note"):
            return
        tell(self.ledger, self.account)
        enter(self.ledger, account, amount, abs(amount.value - account.value), "the change")
        self.account = None

    def _income_after(self, amount: Amount) -> None:
        """Take up what is earned, after what of it is spent: `rent is 900 and I earn 2,000`."""
        account = self.account
        if account is not None and amount.value > account.value:
            portion(self.ledger, account.like, amount)
            enter(self.ledger, account, amount, amount.value - account.value, "what is left")
        self.account = None

    def _part(self, amount: Amount, sentence: int) -> None:
        """Take up a part of the account that is told as such: there is a rest."""
        account = self.account
        if account is None or amount.value >= account.value:
            return
        tell(self.ledger, self.account)
        if len(account.operands) == 1:
            portion(self.ledger, amount, account.like)
        self._step("take", amount, sentence, "part", sign=-1)

    def _paid_first(self, amount: Amount, sentence: int, *, is_product: bool) -> None:
        """Take up the price of what something has been paid towards, or the payments to follow."""
        account = self.account
        if account is None:
            return
        paid = account.value
        if is_product:
            account.kind = "price"
            self._step("add", amount, sentence, "plus")
            return
        self._open("price", amount, sentence)
        if paid > amount.value:
            enter(self.ledger, account, amount, paid - amount.value, "what is over")
        elif self.account is not None:
            self.account.operands.append(account.like)
            self.account.value -= paid
            self.account.step = "take"

    def _toward(self, amount: Amount, sentence: int) -> None:
        """Take up what has come in towards a goal."""
        account = self.account
        if account is None or amount.value >= account.value or self._is_denied(amount):
            return
        operands = (account.like, amount)
        gap, goal = account.value - amount.value, account.value
        self.ledger.derive(amount, gap, operands, "what is missing from the goal")
        percent = Amount("p", amount.value, "", amount.start, amount.end)
        if len(account.operands) == 1:
            self.ledger.derive(percent, amount.value / goal * 100, operands, "share of the goal")
        self.ledger.spend(*operands)
        account.sentence = sentence

    def _profit(self, amount: Amount) -> None:
        """Take up for how much what was bought is sold."""
        account = self.account
        if account is None or amount.value == account.value:
            return
        tell(self.ledger, self.account)
        gain = abs(amount.value - account.value)
        enter(self.ledger, account, amount, gain, "gained or lost by the sale")
        self.account = None

    def _share(
        self, mark: Amount, lead: str, tail: str, sentence: int, match: re.Match[str]
    ) -> None:
        """Take up a percentage or a fraction of the account."""
        is_negated = "negated" in self.ledger.passage.doubts([(mark.start, mark.end)])
        if mark.start in self.ledger.spent or is_negated or self._is_denied(mark):
            return
        account = self.account
        share = read_share(mark, lead, tail, match.string[match.end() : match.end() + 60])
        if share is None and account is not None and account.whole is not None:
            part = mark.part
            if account.sentence == sentence and part < 1:
                share = Share(part, "rest", is_gone=True)
        if share is None:
            return
        tell(self.ledger, self.account)
        base = base_of(self.ledger, match, account)
        if share.way == "half price":
            base = last_told(self.ledger, match) or base
        if base is None:
            return
        if account is None or (base is not account.like and base.start not in _starts(account)):
            account = self.account = Account("price", base.value, base, [base], sentence)
        if share.way == "off" and is_off_already(account, lead):
            share = Share(share.part, "was")
        has_more = _MORE_SHARES.search(match.string[match.end() :][:120]) is not None
        if share.way == "rest":
            hand_out(self.ledger, account, mark, share, tail, has_more=has_more)
        else:
            enter_share(self.ledger, account, mark, share)
        account.sentence = sentence


def _starts(account: Account) -> set[int]:
    return {each.start for each in account.operands}


_MORE_SHARES = re.compile(r"^[^.\n]{0,110}§[pf]\d+§")


def keep_accounts(ledger: Ledger, rates: list[Rate]) -> None:
    """Derive sums, balances, rests, changes and profits from the money of a passage, in order.

    rates  prices of one, which are no items of an account by themselves
    """
    Bookkeeper(ledger, rates).read()


def _products(ledger: Ledger) -> dict[int, Entry]:
    """Return the products of prices and counts by where the price stands; the last of a chain."""
    found: dict[int, Entry] = {}
    for entry in ledger.entries:
        if entry.amount.sort == "m" and " × " in entry.why:
            found[entry.spans[0][0]] = entry
    return found
