"""How fast an endpoint is called: a limit that gives way, and waits that grow."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from random import Random

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
        """Tell that a call is over."""
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


def wait_asked_for(headers: Mapping[str, str]) -> float:
    """Return the seconds that `Retry-After` asks for, 0 where it stands not or makes no sense."""
    if milliseconds := headers.get("retry-after-ms", ""):
        return _number(milliseconds) / 1000
    value = headers.get("retry-after", "")
    if not value:
        return 0.0
    if seconds := _number(value):
        return seconds
    try:
        moment = parsedate_to_datetime(value)
    except ValueError:
        return 0.0
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return max(0.0, (moment - datetime.now(UTC)).total_seconds())


def _number(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        return 0.0
    return value if 0 < value < float("inf") else 0.0
