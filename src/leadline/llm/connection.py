"""Many calls to one server at once: each tried until answered, failed for good, or out of time."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Awaitable, Callable, Coroutine, Generator, Iterator, Sequence, Set
from concurrent.futures import Future, wait
from contextlib import suppress
from dataclasses import dataclass
from queue import SimpleQueue
from random import Random
from typing import Any, Protocol, TypeVar

from leadline.errors import InputError
from leadline.llm.account import Meter
from leadline.llm.breaker import Breaker
from leadline.llm.pace import LONGEST_PAUSE, Pace, wait_before
from leadline.llm.quirks import may_be_a_setting
from leadline.llm.requests import Answer, Keeper, Request
from leadline.llm.sharing import claimed
from leadline.llm.troubles import (
    ALWAYS,
    DEADLINE,
    HANGS,
    HUNG,
    RATE_LIMIT,
    TIMEOUT,
    Trouble,
)
from leadline.llm.usage import Tally
from leadline.progress import say

T = TypeVar("T")

_LOOK_AGAIN = 0.01
"""Seconds until a call that waits for answers to be taken looks again."""
_HUNG = 3
"""Timeouts of one prompt, while others are answered, after which it is left alone."""
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


class Caller(Protocol):
    """How one attempt is made, and what is known of the server."""

    def send(self, request: Request, tried: Set[str]) -> Awaitable[Answer | Trouble]:
        """Make one attempt, with what is tried otherwise than the protocol has it."""
        ...

    def adaptions(
        self, request: Request, refusal: Trouble, known: Set[str]
    ) -> Generator[Set[str], Trouble, None]:
        """Yield what to try next otherwise than the protocol has it; takes the next refusal."""
        ...

    def known(self) -> Set[str]:
        """Return what the server is known to want otherwise."""
        ...

    def learn(self, request: Request, quirks: Set[str]) -> None:
        """Hold for all calls what an answer has borne out."""
        ...

    def end(self, trouble: Trouble) -> Exception:
        """Return what is raised for trouble that no other call can survive."""
        ...

    def give_up(self, why: str, trouble: Trouble) -> Exception:
        """Return what is raised when too many calls in a row have failed."""
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
        self._breaker = Breaker(limits.concurrency, limits.timeout)
        self._heard = False
        self._asking = self._sending = self._doubting = 0
        self._learning = asyncio.Lock()
        self._end: Exception | None = None
        self._is_stopping = False
        self._loop = asyncio.new_event_loop()
        threading.Thread(target=self._loop.run_forever, name="endpoint", daemon=True).start()

    def answers(
        self, requests: Sequence[Request], keeper: Keeper | None = None
    ) -> Iterator[tuple[int, Answer]]:
        """Yield each position with its answer as it arrives; what is still open ends with it.

        No call starts while `concurrency` answers wait to be taken. Whatever ends the calls, those
        under way are finished first, and booked and kept; a second interruption breaks them off.

        keeper  keeps each answer as soon as it is there, before it is yielded, and tells which
                requests other processes have in hand
        """
        if not requests:
            return
        queue: SimpleQueue[tuple[int, Answer] | None] = SimpleQueue()
        everything = self._submit(self._ask_all(requests, queue, keeper))
        everything.add_done_callback(lambda _: queue.put(None))
        try:
            while (arrival := queue.get()) is not None:
                yield arrival
            everything.result()
        finally:
            if not everything.done():
                self.stop()
                try:
                    wait([everything], timeout=self._limits.timeout)
                finally:
                    everything.cancel()

    def submit(self, request: Request) -> Future[Answer]:
        """Ask one thing; the answer is what `answers` would yield, its errors what it would raise.

        Raises nothing itself.
        """
        return self._submit(self._asked_alone(request))

    def stop(self) -> None:
        """Start no further attempt of what is asked now; those under way are finished."""
        self._loop.call_soon_threadsafe(self._stop)

    def close(self) -> None:
        """Close the connections and end the thread."""
        self._submit(_closed(self._caller)).result()
        self._loop.call_soon_threadsafe(self._loop.stop)

    def _stop(self) -> None:
        self._is_stopping = bool(self._asking)

    def _submit(self, work: Coroutine[Any, Any, T]) -> Future[T]:
        return asyncio.run_coroutine_threadsafe(work, self._loop)

    async def _asked_alone(self, request: Request) -> Answer:
        answer = await self._ask(0, request, float("inf"))
        self._tally.add(answer)
        return answer

    async def _ask_all(
        self,
        requests: Sequence[Request],
        arrived: SimpleQueue[tuple[int, Answer] | None],
        keeper: Keeper | None,
    ) -> None:
        limits = self._limits
        until = float("inf")
        if limits.deadline is not None:
            until = asyncio.get_running_loop().time() + limits.deadline
        waiting = iter(enumerate(requests))
        errors: list[Exception] = []

        def is_ending() -> bool:
            return bool(errors) or self._is_stopping

        async def work() -> None:
            for position, request in waiting:
                if keeper is None:
                    answer = await self._ask(position, request, until)
                    self._tally.add(answer)
                else:
                    answer = await self._ask_once(position, request, until, keeper, is_ending)
                arrived.put((position, answer))
                while arrived.qsize() >= limits.concurrency and not is_ending():
                    await asyncio.sleep(_LOOK_AGAIN)
                if is_ending():
                    return

        async def guarded() -> None:
            try:
                await work()
            except Exception as error:
                errors.append(error)

        if not self._asking:
            self._end, self._is_stopping = None, False
        self._asking += 1  # also between two calls, so that `stop` is not forgotten there
        try:
            async with asyncio.TaskGroup() as group:
                for _ in range(min(limits.concurrency, len(requests))):
                    group.create_task(guarded())
        finally:
            self._asking -= 1
        if errors:
            raise errors[0]

    async def _ask_once(
        self,
        position: int,
        request: Request,
        until: float,
        keeper: Keeper,
        is_ending: Callable[[], bool],
    ) -> Answer:
        """Ask and keep the answer, unless another process asks: then its answer is waited for."""
        found = await claimed(lambda: keeper.claim(position), is_ending)
        if found is not None:
            return found
        try:
            answer = await self._ask(position, request, until)
            self._tally.add(answer)
            keeper.keep(position, answer)
        except BaseException:
            keeper.give_back(position)
            raise
        return answer

    async def _ask(self, position: int, request: Request, until: float) -> Answer:
        if not self._asking:
            self._end, self._is_stopping = None, False
        self._asking += 1
        try:
            return await self._tried(position, request, until)
        except Exception as error:
            self._end = self._end or error
            raise
        finally:
            self._asking -= 1

    async def _tried(self, position: int, request: Request, until: float) -> Answer:
        loop = asyncio.get_running_loop()
        until = min(until, loop.time() + self._limits.call_deadline)
        random = Random(f"{self._limits.seed}:{position}")
        trouble = DEADLINE
        attempts = counted = hung = 0
        answered = self._tally.answered
        while loop.time() < until:
            if self._end is not None:
                raise self._end
            began = loop.time()
            outcome = await self._adapted(request, until)
            if isinstance(outcome, Answer):
                self._breaker.well()
                return outcome
            trouble = outcome
            if trouble.end and await self._is_the_end(trouble):
                raise self._caller.end(trouble)
            attempts += 1
            counted += trouble.kind != RATE_LIMIT
            pause = max(trouble.pause, wait_before(attempts, random))
            hung += trouble is TIMEOUT
            if hung and (request.is_suspect or (hung >= _HUNG and self._tally.answered > answered)):
                return Answer("", failure=HANGS if request.is_suspect else HUNG)
            is_last = (
                not trouble.failure.transient
                or counted > self._limits.retries
                or loop.time() + pause >= until
                or trouble.pause > LONGEST_PAUSE
                or self._is_stopping
            )
            if why := self._breaker.failed(trouble.failure, began, for_good=is_last):
                raise self._caller.give_up(why, trouble)
            if is_last:
                break
            await asyncio.sleep(pause)
        if not trouble.heard and not self._heard:
            raise self._caller.end(trouble)
        return Answer("", failure=trouble.failure)

    async def _adapted(self, request: Request, until: float) -> Answer | Trouble:
        """Make an attempt; if a setting may be refused, try without it.

        One call at a time learns, the others wait for what it finds. The first refusal is
        returned if nothing helps.
        """
        quirks = self._caller.known()
        refusal = await self._attempt(request, quirks, until)
        if isinstance(refusal, Trouble) and may_be_a_setting(refusal):
            async with self._learning:
                trying = self._caller.adaptions(request, refusal, quirks)
                with suppress(StopIteration):
                    quirks = next(trying)
                    while True:
                        outcome = await self._attempt(request, quirks, until)
                        if isinstance(outcome, Answer):
                            self._caller.learn(request, quirks)
                            return outcome
                        if not may_be_a_setting(outcome):
                            return outcome
                        quirks = trying.send(outcome)
        if isinstance(refusal, Answer):
            self._caller.learn(request, quirks)
        return refusal

    async def _is_the_end(self, trouble: Trouble) -> bool:
        """Tell whether no call can succeed, once those under way have come to an end."""
        if trouble.end == ALWAYS:
            return True
        self._doubting += 1
        try:
            while self._sending and not self._has_answered():
                await asyncio.sleep(_LOOK_AGAIN)
        finally:
            self._doubting -= 1
        return not self._has_answered()

    def _has_answered(self) -> bool:
        """Tell whether the endpoint is known to work: by an answer, also one that was kept."""
        elsewhere = self._meter is not None and self._meter.line.has_answered
        return self._breaker.answered or self._tally.kept > 0 or elsewhere

    async def _attempt(self, request: Request, tried: Set[str], until: float) -> Answer | Trouble:
        loop = asyncio.get_running_loop()
        try:
            async with asyncio.timeout_at(until):
                started = await self._pace.start()
        except TimeoutError:
            return DEADLINE
        outcome: Answer | Trouble | None = None
        reserved: float | None = None
        try:
            while self._doubting:
                await asyncio.sleep(_LOOK_AGAIN)
            if self._end is not None:
                raise self._end
            if self._meter is not None:
                reserved = await self._meter.admit(request)
            self._tally.calls += 1
            last = min(until, loop.time() + self._limits.timeout)
            outcome = await self._sent(request, tried, last)
        finally:  # also when the caller has gone away, which is no fault of the server
            if isinstance(outcome, Trouble) and outcome.overload:
                self._slow_down(started, outcome)
            if self._meter is not None and reserved is not None:
                self._meter.settle(reserved, request, outcome)
            self._pace.end(well=isinstance(outcome, Answer))
        self._heard = self._heard or isinstance(outcome, Answer) or outcome.heard
        return outcome

    async def _sent(self, request: Request, tried: Set[str], until: float) -> Answer | Trouble:
        self._sending += 1
        try:
            async with asyncio.timeout_at(until):
                return await self._caller.send(request, tried)
        except TimeoutError:
            return TIMEOUT
        finally:
            self._sending -= 1

    def _slow_down(self, started: int, trouble: Trouble) -> None:
        if trouble.pause > LONGEST_PAUSE:
            return  # that call fails; the others find out for themselves
        self._pace.slow_down(started, trouble.pause)
        if trouble.pause >= _WORTH_SAYING:
            say(f"The endpoint asks to wait {trouble.pause:.0f} seconds ({trouble.failure}).")


async def _closed(caller: Caller) -> None:
    await caller.close()
