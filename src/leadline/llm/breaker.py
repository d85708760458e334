"""When to give up on a server: so many failures in a row that further calls are wasted."""

from __future__ import annotations

import asyncio
from collections import Counter

from leadline.errors import LeadlineError
from leadline.llm.requests import Failure
from leadline.llm.troubles import ELSEWHERE, NOT_ALLOWED, NOT_FOUND

FEWEST_FAILED = 10
"""Requests that must fail for good, one after the other, before a server is given up."""

LONGEST_SILENCE = 2.5
"""Time without any answer, as a multiple of the time for one call, before it is given up."""

_COUNTED = {NOT_ALLOWED, NOT_FOUND, ELSEWHERE}
"""What is no passing trouble, and still says more of the server than of the prompt."""


class OutageError(LeadlineError):
    """A server fails call after call; what was answered before is kept."""


def given_up(where: str, why: str, failure: Failure) -> OutageError:
    """Return the one line for a server that fails call after call."""
    detail = f" It last said: {failure.detail}." if failure.detail else ""
    return OutageError(
        f"{where} is given up: {why}.{detail} Answers so far are kept: "
        "when the server is well, run the same command again, and it goes on from there."
    )


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

    def failed(self, failure: Failure, started: float, *, for_good: bool) -> str:
        """Tell of a failure; return why the server should be given up, empty to go on.

        started  when the attempt began, by the clock of the loop
        """
        if not failure.transient and failure.kind not in _COUNTED:
            return ""
        self._kinds[failure.kind] += 1
        self._failed += for_good
        self._since = started if self._since is None else self._since
        kind, _ = self._kinds.most_common(1)[0]
        if self._failed >= self._requests:
            return f"{self._failed} requests in a row failed for good ({kind})"
        silent = asyncio.get_running_loop().time() - self._since
        if silent > self._silence and self._kinds.total() > 1:
            return f"nothing was answered for {silent:.0f} seconds ({kind})"
        return ""
