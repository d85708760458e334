"""What is open to one server: a thread with an event loop, its pace, and what ends all calls."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import wait
from contextlib import contextmanager
from dataclasses import dataclass
from queue import SimpleQueue
from typing import Any

from leadline.errors import InputError
from leadline.llm.breaker import Breaker
from leadline.llm.pace import Pace
from leadline.llm.requests import Answer

LOOK_AGAIN = 0.01
"""Seconds until something that is waited for is looked at again."""


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


class Connection:
    """The state of all calls to one server. The calls run in a thread of their own.

    So answers can be taken from code that itself runs in an event loop.

    client       of the SDK
    heard        whether the server ever answered anything
    sending      calls that are out now
    doubting     calls that wait to see whether the endpoint works at all
    end          what ended the calls
    is_stopping  whether no further attempt is to start
    """

    def __init__(self, limits: Limits, client: Any) -> None:
        self.process = os.getpid()
        self.client = client
        self.pace = Pace(limits.concurrency)
        self.breaker = Breaker(limits.concurrency, limits.timeout)
        self.learning = asyncio.Lock()
        self.heard = False
        self.sending = self.doubting = 0
        self.end: Exception | None = None
        self.is_stopping = False
        self._limits = limits
        self._under_way = 0
        self.loop = asyncio.new_event_loop()
        threading.Thread(target=self.loop.run_forever, name="endpoint", daemon=True).start()

    @contextmanager
    def work(self) -> Iterator[None]:
        """Count something that is asked; its error ends what is asked at the same time."""
        if not self._under_way:
            self.end, self.is_stopping = None, False
        self._under_way += 1
        try:
            yield
        except Exception as error:
            self.end = self.end or error
            raise
        finally:
            self._under_way -= 1

    async def proves(self, has_answered: Callable[[], bool]) -> bool:
        """Tell whether the endpoint works, once the calls under way have come to an end."""
        self.doubting += 1
        try:
            while self.sending and not has_answered():
                await asyncio.sleep(LOOK_AGAIN)
        finally:
            self.doubting -= 1
        return has_answered()

    def arriving(
        self, ask: Callable[[int, float], Awaitable[Answer]], count: int
    ) -> Iterator[tuple[int, Answer]]:
        """Yield the numbers below `count`, each with its answer, in the order of arrival.

        No call starts while `concurrency` answers wait to be taken. Whatever ends the calls, those
        under way are finished first; a second interruption breaks them off.

        ask  (number, time of the loop at which it ends) -> answer
        """
        if not count:
            return
        queue: SimpleQueue[tuple[int, Answer] | None] = SimpleQueue()
        work = self._ask_all(ask, count, queue)
        everything = asyncio.run_coroutine_threadsafe(work, self.loop)
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

    async def _ask_all(
        self,
        ask: Callable[[int, float], Awaitable[Answer]],
        count: int,
        arrived: SimpleQueue[tuple[int, Answer] | None],
    ) -> None:
        limits = self._limits
        until = self.loop.time() + (limits.deadline or float("inf"))
        numbers = iter(range(count))
        errors: list[Exception] = []

        async def work() -> None:
            try:
                for number in numbers:
                    arrived.put((number, await ask(number, until)))
                    while arrived.qsize() >= limits.concurrency and not self.is_stopping:
                        await asyncio.sleep(LOOK_AGAIN)
                    if errors or self.is_stopping:
                        return
            except Exception as error:
                errors.append(error)

        with self.work():
            async with asyncio.TaskGroup() as group:
                for _ in range(min(limits.concurrency, count)):
                    group.create_task(work())
            if errors:
                raise errors[0]

    def stop(self) -> None:
        """Start no further attempt of what is asked now; calls under way are finished."""
        self.loop.call_soon_threadsafe(self._stop)

    def _stop(self) -> None:
        self.is_stopping = bool(self._under_way)

    def close(self) -> None:
        """Close the connections and end the thread."""
        asyncio.run_coroutine_threadsafe(self.client.close(), self.loop).result()
        self.loop.call_soon_threadsafe(self.loop.stop)
