"""What can go wrong with a call, and what follows: another attempt, a failure, or the end."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from leadline.llms.pace import wait_asked_for

_TRY_AGAIN = {408, 409, 425, 429}
_LONGEST_DETAIL = 200


@dataclass(frozen=True, slots=True)
class Trouble:
    """Why an attempt brought no answer.

    kind      few words, the same for the same trouble, by which failures are counted
    detail    what the server said
    again     whether another attempt may help
    overload  whether the server asks for fewer calls
    pause     seconds that the server asks to wait
    for_all   whether no other call can succeed either
    heard     whether the server answered at all
    """

    kind: str
    detail: str = ""
    again: bool = True
    overload: bool = False
    pause: float = 0.0
    for_all: bool = False
    heard: bool = True

    @property
    def reason(self) -> str:
        """Kind and detail as one line."""
        return f"{self.kind}: {self.detail}" if self.detail else self.kind

    @property
    def may_be_billed(self) -> bool:
        """Whether the server may have answered, so that the attempt may have to be paid."""
        return self.kind in _MAYBE_BILLED and self.detail not in _NEVER_SENT


_MAYBE_BILLED = {"timeout", "connection lost", "unreadable answer"}
_NEVER_SENT = {"ConnectError", "ConnectTimeout"}

TIMEOUT = Trouble("timeout", overload=True)
DEADLINE = Trouble("deadline", again=False)


def trouble_of_status(status: int, headers: Mapping[str, str], body: Any) -> Trouble:
    """Return what an HTTP status other than success means."""
    detail = _said(body)
    if status in (401, 403):
        return Trouble("key refused", detail, again=False, for_all=True)
    if status in (404, 405):
        return Trouble("not found", detail, again=False, for_all=True)
    if status == 429 and "insufficient_quota" in str(body):
        return Trouble("nothing left to spend", detail, again=False, for_all=True)
    if status == 429:
        return Trouble("rate limit", detail, overload=True, pause=wait_asked_for(headers))
    if status >= 500 or status in _TRY_AGAIN:
        pause = wait_asked_for(headers)
        return Trouble(f"server error {status}", detail, overload=status == 503, pause=pause)
    return Trouble(f"bad request {status}", detail, again=False)


def _said(body: Any) -> str:
    """Return the message in an error body, on one line and not too long."""
    inside = body
    while isinstance(inside, Mapping):
        inside = inside.get("error", inside.get("message", inside.get("detail", "")))
    text = " ".join(str(inside or "").split())
    return text if len(text) <= _LONGEST_DETAIL else text[: _LONGEST_DETAIL - 1] + "…"
