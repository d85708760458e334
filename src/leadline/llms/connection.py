"""Many calls to one server at once: each tried until answered, failed for good, or out of time."""

from __future__ import annotations

import asyncio
import os
import threading
from collections import Counter
from collections.abc import Awaitable, Coroutine, Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from queue import SimpleQueue
from random import Random
from typing import Any, Protocol

from leadline.errors import InputError
from leadline.llms.account import Meter
from leadline.llms.pace import Pace, wait_before
from leadline.llms.requests import Answer, Request
from leadline.llms.troubles import DEADLINE, TIMEOUT, Trouble
from leadline.progress import say

_ADAPTATIONS = 3
_LOOK_AGAIN = 0.01
"""Seconds until a call that waits for answers to be taken looks again."""
_WORTH_SAYING = 30.0
"""Seconds of a pause from which on the user is told of it."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How hard a server is tried.

    concurrency    calls under way at once, >= 1; fewer while the server asks for less
    timeout        seconds for one attempt
    call_deadline  seconds for one request with all its attempts
    deadline       seconds for everything asked at once; None for no limit
    retries        further attempts after trouble that may pass. A rate limit does not count:
                   it is waited for until `call_deadline`
    seed           of the jitter of waits
    """

    concurrency: int = 32
    timeout: float = 120.0
    call_deadline: float = 900.0
    deadline: float | None = None
    retries: int = 5
    seed: int = 0

    def __post_init__(self) -> None:
        times = (self.timeout, self.call_deadline, 1.0 if self.deadline is None else self.deadline)
        if self.concurrency < 1 or self.retries < 0 or not min(times) > 0:
            raise InputError(
                "An endpoint takes concurrency >= 1, retries >= 0 and times above 0, got "
                f"concurrency={self.concurrency}, retries={self.retries}, "
                f"timeout={self.timeout}, call_deadline={self.call_deadline}, "
                f"deadline={self.deadline}."
            )


@dataclass(slots=True)
class Tally:
    """What a server was asked so far.

    calls     attempts that were sent
    answered  requests that have an answer
    failures  requests that failed for good, by kind of trouble
    """

    calls: int = 0
    answered: int = 0
    failures: Counter[str] = field(default_factory=Counter)
    prompt_tokens: int = 0
    completion_tokens: int = 0

    def add(self, answer: Answer) -> None:
        """Count an answer, or a request that failed for good."""
        if answer.failure:
            self.failures[answer.failure.partition(":")[0]] += 1
        else:
            self.answered += 1
        self.prompt_tokens += answer.prompt_tokens
        self.completion_tokens += answer.completion_tokens


class Caller(Protocol):
    """How one attempt is made, and what is known of the server."""

    def send(self, request: Request) -> Awaitable[Answer | Trouble]:
        """Make one attempt."""
        ...

    def adapt(self, request: Request, trouble: Trouble) -> bool:
        """Learn what the server wants otherwise; whether another attempt is worth it."""
        ...

    def end(self, trouble: Trouble) -> Exception:
        """Return what is raised for trouble that no other call can survive."""
        ...

    def close(self) -> Awaitable[None]:
        """Close what is open."""
        ...


class Connection:
    """A thread with an event loop, in which the calls run.

    A thread of its own lets answers be taken from code that itself runs in an event loop.
    """

    def __init__(
        self, caller: Caller, limits: Limits, tally: Tally, meter: Meter | None = None
    ) -> None:
        self.process = os.getpid()
        self._meter = meter
        self._caller = caller
        self._limits = limits
        self._tally = tally
        self._pace = Pace(limits.concurrency)
        self._heard = False
        self._loop = asyncio.new_event_loop()
        threading.Thread(target=self._loop.run_forever, name="endpoint", daemon=True).start()

    def answers(self, requests: Sequence[Request]) -> Iterator[tuple[int, Answer]]:
        """Yield each position with its answer as it arrives; what is still open ends with it.

        No call starts while `concurrency` answers wait to be taken: a process that is killed loses
        twice that number of paid answers at most, however slow the taker is.
        """
        if not requests:
            return
        queue: SimpleQueue[tuple[int, Answer] | None] = SimpleQueue()
        everything = self._submit(self._ask_all(requests, queue))
        everything.add_done_callback(lambda _: queue.put(None))
        try:
            while (arrival := queue.get()) is not None:
                yield arrival
            everything.result()
        finally:
            everything.cancel()

    def close(self) -> None:
        """Close the connections and end the thread."""
        self._submit(_closed(self._caller)).result()
        self._loop.call_soon_threadsafe(self._loop.stop)

    def _submit(self, work: Coroutine[Any, Any, None]) -> Future[None]:
        return asyncio.run_coroutine_threadsafe(work, self._loop)

    async def _ask_all(
        self, requests: Sequence[Request], arrived: SimpleQueue[tuple[int, Answer] | None]
    ) -> None:
        limits = self._limits
        until = float("inf")
        if limits.deadline is not None:
            until = asyncio.get_running_loop().time() + limits.deadline
        waiting = iter(enumerate(requests))

        async def work() -> None:
            for position, request in waiting:
                answer = await self._ask(position, request, until)
                self._tally.add(answer)
                arrived.put((position, answer))
                while arrived.qsize() >= limits.concurrency:
                    await asyncio.sleep(_LOOK_AGAIN)

        try:
            async with asyncio.TaskGroup() as group:
                for _ in range(min(limits.concurrency, len(requests))):
                    group.create_task(work())
        except BaseExceptionGroup as errors:
            raise errors.exceptions[0] from None

    async def _ask(self, position: int, request: Request, until: float) -> Answer:
        loop = asyncio.get_running_loop()
        until = min(until, loop.time() + self._limits.call_deadline)
        random = Random(f"{self._limits.seed}:{position}")
        trouble = DEADLINE
        attempts = counted = adapted = 0
        while loop.time() < until:
            outcome = await self._attempt(request, until)
            if isinstance(outcome, Answer):
                return outcome
            if adapted < _ADAPTATIONS and self._caller.adapt(request, outcome):
                adapted += 1
                continue
            trouble = outcome
            if trouble.for_all:
                raise self._caller.end(trouble)
            attempts += 1
            counted += trouble.kind != "rate limit"
            wait = max(trouble.pause, wait_before(attempts, random))
            if not trouble.again or counted > self._limits.retries or loop.time() + wait >= until:
                break
            await asyncio.sleep(wait)
        if not trouble.heard and not self._heard:
            raise self._caller.end(trouble)
        return Answer("", failure=trouble.reason)

    async def _attempt(self, request: Request, until: float) -> Answer | Trouble:
        loop = asyncio.get_running_loop()
        try:
            async with asyncio.timeout_at(until):
                started = await self._pace.start()
        except TimeoutError:
            return DEADLINE
        outcome: Answer | Trouble | None = None
        reserved: float | None = None
        try:
            if self._meter is not None:
                reserved = await self._meter.admit(request)
            self._tally.calls += 1
            async with asyncio.timeout_at(min(until, loop.time() + self._limits.timeout)):
                outcome = await self._caller.send(request)
        except TimeoutError:
            outcome = TIMEOUT
        finally:  # also when the caller has gone away, which is no fault of the server
            if isinstance(outcome, Trouble) and outcome.overload:
                self._slow_down(started, outcome)
            if self._meter is not None and reserved is not None:
                self._meter.settle(reserved, outcome)
            self._pace.end(well=isinstance(outcome, Answer))
        self._heard = self._heard or isinstance(outcome, Answer) or outcome.heard
        return outcome

    def _slow_down(self, started: int, trouble: Trouble) -> None:
        self._pace.slow_down(started, trouble.pause)
        if trouble.pause >= _WORTH_SAYING:
            say(f"The endpoint asks to wait {trouble.pause:.0f} seconds ({trouble.reason}).")


async def _closed(caller: Caller) -> None:
    await caller.close()
