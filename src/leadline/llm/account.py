"""Count the calls and cost of the language models of one command, and enforce its limit.

Inside `with account.kept():` every endpoint records its calls there, and stages that name no model
use the account's endpoint.
"""

from __future__ import annotations

import asyncio
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Literal

from leadline.errors import InputError, ModelError
from leadline.llm.prices import Price, Prices, estimated_prompt_tokens, most_prompt_tokens
from leadline.llm.requests import Answer, Failure, Request
from leadline.llm.troubles import DRY_RUN, NO_JSON, Trouble

_PATIENCE = 0.02
"""Seconds between two looks at whether calls under way have left room for another."""

HERE = "this process"
"""The address of models that run here, which cost nothing."""

Effort = Literal["low", "high"]
"""How much a model is asked at once: one small question, or as much as a strong one can do."""


class BudgetReachedError(ModelError):
    """The next call could pass --max-cost; what was answered before is kept."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where a named model is.

    url      address of the endpoint; empty for a model in this process
    model    its name there; in this process a file, a folder, or a name on the hub
    key_env  environment variable that holds the endpoint's key
    """

    url: str
    model: str
    key_env: str = ""


@dataclass(slots=True)
class Line:
    """What one model was asked, or would be in a dry run.

    calls     attempts that were sent
    hits      answers found in the cache
    cost      US dollars, with what lost calls and calls without counts of tokens may have cost
    excess    longest answer so far as a multiple of its greatest length, at least 1
    failed    attempts that brought no answer, by kind of failure
    answered  attempts that did
    said      what the server said of the first failure of a kind
    learned   what its server takes, for all stages that ask it
    """

    account: Account
    model: str
    url: str
    price: Price | None
    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    hits: int = 0
    cost: float = 0.0
    excess: float = 1.0
    failed: Counter[str] = field(default_factory=Counter)
    answered: int = 0
    said: dict[str, str] = field(default_factory=dict)
    learned: dict[str, Any] = field(default_factory=dict)
    _under_way: int = 0

    def __str__(self) -> str:
        """Return one line for the user."""
        asked = (
            f"{self.calls:,} calls, {self.prompt_tokens:,} tokens of prompts and "
            f"{self.completion_tokens:,} of answers, {self.priced}"
        )
        kept = f"; {self.hits:,} answers were in the cache" if self.hits else ""
        said = self.said.get(NO_JSON, "")
        useless = f"; it gave {NO_JSON}: {said}" if said else ""
        return f"{self.model}: {asked}{kept}{useless}"

    @property
    def has_answered(self) -> bool:
        """Whether there is any answer of this model, also one that was kept."""
        return bool(self.answered or self.hits)

    @property
    def silence(self) -> str:
        """Why nothing was answered; empty if something was, or nothing was asked."""
        if self.has_answered or not self.failed:
            return ""
        kinds = ", ".join(f"{count:,} {kind}" for kind, count in self.failed.most_common())
        said = [self.said[kind] for kind, _ in self.failed.most_common() if kind in self.said]
        return (
            f"{self.model} at {self.url} answered none of {self.calls:,} calls ({kinds}), so that "
            f"nothing here rests on it.{f' It said: {said[0]}.' if said else ''} When it is well, "
            "run the same command again."
        )

    @property
    def priced(self) -> str:
        """The cost in words."""
        if self.url == HERE:
            return "in this process"
        if self.price is None:
            return "price unknown"
        read = f" (price of {self.price.read})" if self.price.read else ""
        return f"{self.cost:.4f} USD{read}"

    @property
    def note(self) -> str:
        """Tokens and cost so far, for a progress bar."""
        tokens = self.prompt_tokens + self.completion_tokens
        cost = f", {self.cost:.4f} USD" if self.price is not None else ""
        return f"{tokens:,} tokens{cost}"

    async def admit(self, request: Request) -> float:
        """Wait until the limit allows a call, and return what was set aside for it.

        If there is a limit, the first call goes alone: it shows whether the server keeps to the
        length that it is told.

        Raises BudgetReachedError when it never will.
        """
        while self.account.max_cost is not None and not self.answered and self._under_way:
            await asyncio.sleep(_PATIENCE)
        self._under_way += 1
        try:
            while not self.account.reserved(most := self._most(request)):
                await asyncio.sleep(_PATIENCE)
        except BaseException:
            self._under_way -= 1
            raise
        return most

    def _most(self, request: Request) -> float:
        answer = round(request.max_tokens * self.excess)
        return self.price.of(most_prompt_tokens(request), answer) if self.price else 0.0

    def settle(self, reserved: float, request: Request, outcome: Answer | Trouble | None) -> None:
        """Book a call; `outcome` is None when it was broken off.

        One that may have to be paid, but of which no tokens are known, costs what was set aside.
        """
        self._under_way -= 1
        if isinstance(outcome, Answer):
            if outcome.failure is not None:
                self.heard(outcome.failure.kind, outcome.failure.detail)
            longest = outcome.completion_tokens / max(1, request.max_tokens)
            self.excess = max(self.excess, longest)
            self.took(outcome, least=reserved if outcome.is_estimated else 0.0)
        else:
            if outcome is not None:
                self.failed[outcome.kind] += 1
                if outcome.heard:
                    self.heard(outcome.kind, outcome.failure.detail)
            billed = outcome is None or outcome.may_be_billed
            self._book(0, 0, reserved if billed else 0.0)
        self.account.release(reserved)

    def heard(self, kind: str, said: str) -> None:
        """Hold what the server said of the first failure of a kind."""
        if said:
            self.said.setdefault(kind, said)

    def plan(self, request: Request) -> Answer:
        """Book what a call would need, and return the answer that stands in for its own."""
        answer_tokens = request.expected_tokens or request.max_tokens
        prompt_tokens = estimated_prompt_tokens(request)
        self._book(prompt_tokens, answer_tokens)
        return Answer(
            "",
            failure=Failure(DRY_RUN),
            prompt_tokens=prompt_tokens,
            completion_tokens=answer_tokens,
            is_estimated=True,
        )

    def took(self, answer: Answer, least: float = 0.0) -> None:
        """Book an answer, which cost at least so many dollars."""
        self.answered += 1
        self._book(answer.prompt_tokens, answer.completion_tokens, least)

    def _book(self, prompt_tokens: int, completion_tokens: int, least: float = 0.0) -> None:
        cost = self.price.of(prompt_tokens, completion_tokens) if self.price else 0.0
        with self.account.lock:
            self.calls += 1
            self.prompt_tokens += prompt_tokens
            self.completion_tokens += completion_tokens
            self.cost += max(least, cost)


@dataclass(slots=True)
class Account:
    """The lines of all models, and what may still be spent.

    max_cost  US dollars that calls may cost together; None for no limit
    dry_run   count what would be asked, and ask nothing
    default   model of stages that name none
    effort    how much that model is asked at once; None for what it is fit for
    concurrency, timeout
              calls under way at once, and seconds for one, of every endpoint; 0 for its own
    """

    prices: Prices = field(default_factory=Prices)
    max_cost: float | None = None
    dry_run: bool = False
    default: Endpoint | None = None
    concurrency: int = 0
    timeout: float = 0.0
    effort: Effort | None = None
    lines: list[Line] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)
    _reserved: float = 0.0
    _under_way: int = 0

    def __post_init__(self) -> None:
        if self.max_cost is not None and not self.max_cost > 0:
            raise InputError(f"--max-cost must be above 0 US dollars, got {self.max_cost}.")

    @contextmanager
    def kept(self) -> Iterator[Account]:
        """Take this account for every model that is opened inside the block."""
        global _current
        before, _current = _current, self
        try:
            yield self
        finally:
            _current = before

    @property
    def cost(self) -> float:
        """US dollars so far, of the models with a price."""
        return sum(line.cost for line in self.lines)

    def line(self, model: str, url: str) -> Line:
        """Return what books the calls of one model.

        Raises InputError when there is a limit and the model's price is unknown.
        """
        price = Price(0.0, 0.0) if url == HERE else self.prices.of(model, url)
        if price is None and self.max_cost is not None and not self.dry_run:
            raise InputError(
                f"--max-cost needs the price of {model} at {url}, which is unknown. Write it to a "
                "file for --llm-prices: [{model: " + model + ", prompt: USD, answer: USD}], for "
                "a million tokens (0 for a server of your own)."
            )
        for line in self.lines:
            if (line.model, line.url) == (model, url):
                return line
        self.lines.append(Line(self, model, url, price))
        return self.lines[-1]

    def reserved(self, amount: float) -> bool:
        """Set an amount aside if the limit allows, and tell whether it does.

        Raises BudgetReachedError when it does not and no call is under way that could free some.
        """
        with self.lock:
            if self.max_cost is None or self.cost + self._reserved + amount <= self.max_cost:
                self._reserved += amount
                self._under_way += 1
                return True
            if self._under_way:
                return False
            calls = sum(line.calls for line in self.lines)
            raise BudgetReachedError(
                f"--max-cost {self.max_cost:g} USD: stopped after {calls:,} calls for "
                f"{self.cost:.4f} USD, because the next call could exceed it. All answers are "
                "cached. Run the command again with a higher --max-cost to continue without "
                "paying twice."
            )

    def release(self, amount: float) -> None:
        """Give back what was set aside for a call that is over."""
        with self.lock:
            self._under_way -= 1
            self._reserved = self._reserved - amount if self._under_way else 0.0


_current: Account | None = None


def current() -> Account | None:
    """Return the account that is kept now."""
    return _current


def line_of(model: str, url: str) -> Line:
    """Return the line of a model in the account that is kept, or in one of its own."""
    return (_current or Account()).line(model, url)
