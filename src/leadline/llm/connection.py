"""The connection to one server: a thread with an event loop, its rate, and its end."""

from __future__ import annotations

import asyncio
import os
import threading
from collections import Counter, deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, wait
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from queue import SimpleQueue
from random import Random
from typing import Any

from leadline.errors import InputError, ModelError
from leadline.llm.requests import Answer, Failure
from leadline.llm.troubles import ELSEWHERE, NOT_ALLOWED, NOT_FOUND

LOOK_AGAIN = 0.01
"""Seconds until something that is waited for is looked at again."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How hard a server is tried.

    concurrency    calls under way at once, >= 1; fewer while the server asks for less
    timeout        seconds for one attempt
    call_deadline  seconds for one request with all its attempts
    retries        further attempts after trouble that may pass. A rate limit does not count:
                   it is waited for until `call_deadline`
    """

    concurrency: int = 32
    timeout: float = 120.0
    call_deadline: float = 900.0
    retries: int = 5

    def __post_init__(self) -> None:
        times = min(self.timeout, self.call_deadline)
        if self.concurrency < 1 or self.retries < 0 or not times > 0:
            raise InputError(
                "An endpoint needs concurrency >= 1, retries >= 0 and times above 0, got "
                f"concurrency={self.concurrency}, retries={self.retries}, timeout={self.timeout}, "
                f"call_deadline={self.call_deadline}."
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
        """Count a request while it is under way; if it fails, those beside it are cancelled."""
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
        self, ask: Callable[[int], Future[Answer]], count: int
    ) -> Iterator[tuple[int, Answer]]:
        """Yield the numbers below `count`, each with its answer, in the order of arrival.

        Of `concurrency` answers none is under way while all wait to be taken. Whatever ends the
        calls, those under way are finished first; a second interruption breaks them off.
        """
        arrived: SimpleQueue[int] = SimpleQueue()
        calls: dict[int, Future[Answer]] = {}
        numbers = iter(range(count))

        def start(number: int) -> None:
            calls[number] = ask(number)
            calls[number].add_done_callback(lambda _: arrived.put(number))

        try:
            for first in islice(numbers, self._limits.concurrency):
                start(first)
            while calls:
                number = arrived.get()
                yield number, calls.pop(number).result()
                for following in islice(numbers, 1):
                    start(following)
        finally:
            if calls:
                self.stop()
                try:
                    wait(calls.values(), timeout=self._limits.timeout)
                finally:
                    for each in calls.values():
                        each.cancel()

    def stop(self) -> None:
        """Start no further attempt of what is asked now; calls under way are finished."""
        self.loop.call_soon_threadsafe(self._stop)

    def _stop(self) -> None:
        self.is_stopping = bool(self._under_way)

    def close(self) -> None:
        """Close the connections and end the thread."""
        asyncio.run_coroutine_threadsafe(self.client.close(), self.loop).result()
        self.loop.call_soon_threadsafe(self.loop.stop)


FIRST_WAIT = 0.5
LONGEST_WAIT = 30.0
LONGEST_PAUSE = 120.0
"""Seconds that a server may ask to wait; a call that it sends away for longer fails."""


class Pace:
    """A limit on calls under way: halved when the server asks for less, regained call by call.

    All methods belong to one event loop.
    """

    def __init__(self, limit: int) -> None:
        self.limit = float(limit)
        self._highest = limit
        self._under_way = 0
        self._halvings = 0
        self._not_before = 0.0
        self._waiting: deque[asyncio.Future[None]] = deque()

    async def start(self) -> int:
        """Wait until a call may start; return what `slow_down` wants to know of it."""
        loop = asyncio.get_running_loop()
        while True:
            pause = self._not_before - loop.time()
            if pause > 0:
                await asyncio.sleep(pause)
            elif self._under_way < int(self.limit):
                self._under_way += 1
                return self._halvings
            else:
                turn = loop.create_future()
                self._waiting.append(turn)
                await turn

    def end(self, *, well: bool) -> None:
        """Count a request as finished."""
        self._under_way -= 1
        if well:
            self.limit = min(self._highest, self.limit + 1 / self.limit)
        free = int(self.limit) - self._under_way
        while free > 0 and self._waiting:
            turn = self._waiting.popleft()
            if not turn.done():
                turn.set_result(None)
                free -= 1

    def slow_down(self, started: int, pause: float = 0.0) -> None:
        """Halve the limit, once for all calls that were under way together.

        started  what `start` returned for the call that met the server's limit
        pause    seconds during which no call starts
        """
        loop = asyncio.get_running_loop()
        self._not_before = max(self._not_before, loop.time() + pause)
        if started == self._halvings:
            self._halvings += 1
            self.limit = max(1.0, self.limit / 2)


def wait_before(attempt: int, random: Random) -> float:
    """Return the seconds before another attempt: twice as long each time, with jitter.

    attempt  number of attempts so far, >= 1
    """
    return min(LONGEST_WAIT, FIRST_WAIT * 2.0 ** min(attempt - 1, 16)) * random.uniform(0.5, 1.0)


FEWEST_FAILED = 10
"""Requests that must fail for good, one after the other, before a server is given up."""

LONGEST_SILENCE = 2.5
"""Time without any answer, as a multiple of the time for one call, before it is given up."""

_COUNTED = {NOT_ALLOWED, NOT_FOUND, ELSEWHERE}
"""What is no passing trouble, and still says more of the server than of the prompt."""


class OutageError(ModelError):
    """A server fails call after call; what was answered before is kept."""


class Breaker:
    """Counts failures since the last answer. All methods belong to one event loop.

    requests  failures for good that open it
    silence   seconds without an answer, while attempts fail, that open it
    """

    def __init__(self, concurrency: int, timeout: float) -> None:
        self._requests = max(FEWEST_FAILED, concurrency)
        self._silence = LONGEST_SILENCE * timeout
        self._failed = 0
        self._kinds: Counter[str] = Counter()
        self._since: float | None = None
        self.answered = False

    def well(self) -> None:
        """Tell of an answer."""
        self.answered = True
        self._failed, self._since = 0, None
        self._kinds.clear()

    def failed(self, where: str, failure: Failure, started: float, *, for_good: bool) -> None:
        """Tell of a failure. Raises OutageError when the server should be given up.

        started  when the attempt began, by the clock of the loop
        """
        if not failure.transient and failure.kind not in _COUNTED:
            return
        self._kinds[failure.kind] += 1
        self._failed += for_good
        self._since = started if self._since is None else self._since
        kind, _ = self._kinds.most_common(1)[0]
        silent = asyncio.get_running_loop().time() - self._since
        if self._failed >= self._requests:
            why = f"{self._failed} requests in a row failed for good ({kind})"
        elif silent > self._silence and self._kinds.total() > 1:
            why = f"nothing was answered for {silent:.0f} seconds ({kind})"
        else:
            return
        detail = f" It last said: {failure.detail}." if failure.detail else ""
        raise OutageError(
            f"Gave up on {where}: {why}.{detail} Answers so far are kept: "
            "when the server works again, run the same command again, and it goes on from there."
        )
