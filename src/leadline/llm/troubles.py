"""Classify failures of a call: retry it, count a failure, or stop the run."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

from leadline.data.addresses import proxy_for, shown_address
from leadline.errors import ModelError
from leadline.llm.requests import Failure

_TRY_AGAIN = {408, 409, 425, 429}
_NOT_IMPLEMENTED = 501
LONGEST_DETAIL = 300
"""Characters of what a server said that are shown."""
_LONGEST_BODY = 100_000
_DEEPEST = 5
_SAYS_TOO_LONG = re.compile(
    r"context (length|size|window)|the model reads|too long|reduce the length"
    r"|tokens\W.*(too large|at most|less than|exceed|<=)"
)

_SAYS_SETTINGS = re.compile(r"requested parameters|endpoints found that support")
"""A router has the model, but not with these settings (OpenRouter)."""


@dataclass(frozen=True, slots=True)
class Trouble:
    """Why an attempt brought no answer, and what follows for other attempts.

    overload  whether the server asks for fewer calls
    pause     seconds that the server asks to wait
    end       whether no other call can succeed either: `ALWAYS`; or `UNLESS_ANSWERED`, where
              nothing has been answered by then
    heard     whether the server answered at all
    """

    failure: Failure
    overload: bool = False
    pause: float = 0.0
    end: str = ""
    heard: bool = True

    @property
    def kind(self) -> str:
        """Few words, the same for the same trouble."""
        return self.failure.kind

    @property
    def may_be_billed(self) -> bool:
        """Whether the server may have answered, so that the attempt may have to be paid."""
        return self.kind in _MAYBE_BILLED and self.failure.detail not in _NEVER_SENT


ALWAYS, UNLESS_ANSWERED = "always", "unless answered"
KEY_REFUSED, NOT_FOUND = "key refused", "not found"
NOT_ALLOWED, RATE_LIMIT, NOTHING_LEFT = "not allowed", "rate limit", "nothing left to spend"
REFUSED_BY_MODEL, UNREADABLE, LOST = "refused by the model", "unreadable answer", "connection lost"
TOO_LONG = "the prompt is too long for the model"
IN_ANSWER = "an error in the answer"
ELSEWHERE = "sent elsewhere"
DRY_RUN = "dry run"
"""Kinds of failure."""

NO_JSON = "an answer without JSON"
"""How reports call an answer that holds none, though the server was given a schema."""

_MAYBE_BILLED = {"timeout", LOST, UNREADABLE}
_NEVER_SENT = {"ConnectError", "ConnectTimeout"}

TIMEOUT = Trouble(Failure("timeout", transient=True), overload=True)
HANGS = Failure("hangs", detail="no answer in three attempts, while other prompts were answered")
"""The prompt's own fault, as it seems."""
GIVES_NO_LOG_PROBABILITIES = Failure("the server gives no log-probabilities")
DEADLINE = Trouble(Failure("deadline", transient=True))
STOPPED = Trouble(Failure("stopped", transient=True))


def unreadable(detail: str) -> Trouble:
    """Return what follows from an answer that makes no sense."""
    return Trouble(Failure(UNREADABLE, 200, transient=True, detail=detail))


def in_answer(reply: Mapping[str, Any], clean: Callable[[str], str]) -> Trouble:
    """Return what follows from an error that comes with the status of success."""
    error = reply["error"]
    code = str(error.get("code") if isinstance(error, Mapping) else "")
    if code.isdecimal() and 400 <= int(code) < 600:
        return trouble_of_status(int(code), {}, reply, clean)
    return Trouble(Failure(IN_ANSWER, 200, transient=True, detail=_said(reply, clean)))


def says_too_long(detail: str) -> bool:
    """Tell whether a server says that prompt and answer do not fit the model."""
    return _SAYS_TOO_LONG.search(detail.lower()) is not None


def elsewhere(detail: str) -> Trouble:
    """Return what follows when a server sends us to another host."""
    return Trouble(Failure(ELSEWHERE, 307, detail=detail), end=UNLESS_ANSWERED)


def trouble_of_status(
    status: int, headers: Mapping[str, str], body: Any, clean: Callable[[str], str] = str
) -> Trouble:
    """Return what an HTTP status other than success means.

    clean  takes out of what the server said what nobody may see, before it is cut
    """
    detail = _said(body, clean)
    if status == 401:
        return Trouble(Failure(KEY_REFUSED, status, detail=detail), end=ALWAYS)
    if status == 402 or (status == 429 and "insufficient_quota" in str(body)[:_LONGEST_BODY]):
        return Trouble(Failure(NOTHING_LEFT, status, detail=detail), end=ALWAYS)
    if status == 403:
        return Trouble(Failure(NOT_ALLOWED, status, detail=detail), end=UNLESS_ANSWERED)
    if status in (404, 405) and not _SAYS_SETTINGS.search(detail):
        return Trouble(Failure(NOT_FOUND, status, detail=detail), end=UNLESS_ANSWERED)
    if status == 429:
        failure = Failure(RATE_LIMIT, status, transient=True, detail=detail)
        return Trouble(failure, overload=True, pause=wait_asked_for(headers))
    if (status >= 500 and status != _NOT_IMPLEMENTED) or status in _TRY_AGAIN:
        failure = Failure(f"server error {status}", status, transient=True, detail=detail)
        return Trouble(failure, overload=status == 503, pause=wait_asked_for(headers))
    return Trouble(Failure(f"bad request {status}", status, detail=detail))


def the_end(trouble: Trouble, model: str, url: str, key_env: str) -> ModelError:
    """Return the one line that says what is wrong with an endpoint."""
    where, said = f"{model} at {url}", trouble.failure.detail
    detail = f" It said: {said}" if said and trouble.heard else ""
    name, proxy = proxy_for(url)
    way = f", by the proxy {shown_address(proxy)} of {name}" if proxy else ""
    first = "the proxy and the server" if proxy else "the server"
    key = f"refused the key in ${key_env}" if key_env else (
        "wants a key: name the environment variable that holds it (key_env=NAME)"
    )  # fmt: skip
    lines = {
        KEY_REFUSED: f"{where} {key}.{detail}",
        NOT_ALLOWED: f"{where} allows no call: is the model open to this key, and to this address "
        f"of yours?{detail}",
        NOT_FOUND: f"{where} was not found: check the address and the name of the model.{detail}",
        ELSEWHERE: f"{where} does not answer itself: {said}. Give that address, if you trust it.",
        NOTHING_LEFT: f"The account of {where} has nothing left to spend.{detail}",
    }
    nothing = (
        f"Nothing answers for {where}{way} ({trouble.failure}). "
        f"Is {first} running, and is the address right?"
    )
    return ModelError(lines.get(trouble.kind, nothing))


def _said(body: Any, clean: Callable[[str], str]) -> str:
    """Return the message in an error body, on one line and not too long."""
    inside = body
    for _ in range(_DEEPEST):
        if isinstance(inside, list) and inside and isinstance(inside[0], Mapping):
            if not {"error", "message", "detail"} & set(inside[0]):
                break
            inside = inside[0]
        if not isinstance(inside, Mapping):
            break
        inside = inside.get("error", inside.get("message", inside.get("detail", "")))
    text = " ".join(clean(str(inside or "")[:_LONGEST_BODY]).split())
    return text if len(text) <= LONGEST_DETAIL else text[: LONGEST_DETAIL - 1] + "…"


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
