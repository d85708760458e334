"""Calls to a service over HTTP: with a deadline, repeated when it pays, and without telling keys.

The standard library does it, so that the base installation needs no HTTP client.
"""

from __future__ import annotations

import http.client
import json
import math
import re
import threading
import time
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import quote, urlsplit
from urllib.request import HTTPRedirectHandler, ProxyHandler, build_opener
from urllib.request import Request as _Request

from leadline.data.addresses import (
    check_certificates,
    is_loopback,
    proxy_for,
    shown_address,
    without_keys,
)
from leadline.errors import InputError

LARGEST_ANSWER = 256 * 2**20
"""Bytes of an answer that are read before it is given up."""

_PASSING = {408, 425, 429, 500, 502, 503, 504}
_SHOWN = 300
_READ = 1 << 13


class ServiceError(Exception):
    """A call that failed for good.

    status  of the answer, 0 when there was none
    """

    def __init__(self, reason: str, status: int = 0) -> None:
        super().__init__(reason)
        self.status = status


@dataclass(frozen=True, slots=True)
class Request:
    """What is sent.

    body  None for a request without one
    """

    method: str
    url: str
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes | None = None


@dataclass(frozen=True, slots=True)
class Patience:
    """How long a call may take.

    timeout       seconds for one answer, from the call to its last byte
    retries       calls after the first, when it failed in a way that may pass
    backoff       seconds before the first retry; doubled for every further one
    longest_wait  most seconds before a retry, also when the service asks for more
    """

    timeout: float = 30.0
    retries: int = 4
    backoff: float = 0.5
    longest_wait: float = 60.0

    def __post_init__(self) -> None:
        if not 0 < self.timeout < math.inf:
            raise InputError(f"timeout must be above 0 seconds, got {self.timeout}.")
        if self.retries < 0 or not 0 <= self.backoff < math.inf:
            raise InputError(
                f"retries and backoff must not be negative, got {self.retries} and {self.backoff}."
            )


class Service:
    """A service that answers with JSON. Calls may come from several threads.

    secrets  values that never stand in the reason of an error
    """

    def __init__(self, patience: Patience, secrets: Sequence[str] = ()) -> None:
        self._patience = patience
        forms = {form for each in secrets if each for form in _forms(each)}
        self._secrets = sorted(forms, key=len, reverse=True)
        self._stopped = threading.Event()
        self._direct = build_opener(_StayHere, ProxyHandler({}))
        self._opener = build_opener(_StayHere)

    def call(self, request: Request, *, needs_json: bool = True) -> Any:
        """Return the answer, JSON already read.

        needs_json  whether an answer that is no JSON is a failure, or else read as None

        Raises ServiceError with a reason of one line when every attempt failed.
        """
        for attempt in range(self._patience.retries + 1):
            try:
                return self._once(request, needs_json)
            except _CallError as failure:
                if not failure.passing or attempt == self._patience.retries:
                    raise ServiceError(self.told(failure.reason), failure.status) from None
                self.pause(attempt, failure.wait)
            if self._stopped.is_set():
                raise ServiceError("interrupted")
        raise AssertionError("unreachable")

    def pause(self, attempt: int, wait: float | None = None) -> None:
        """Wait as long as is due after a failed attempt, 0 the first, or as long as asked for."""
        if wait is None:
            wait = self._patience.backoff * 2**attempt
        self._stopped.wait(min(wait, self._patience.longest_wait))

    def stop(self) -> None:
        """Let no call wait for a retry any more."""
        self._stopped.set()

    def told(self, reason: str) -> str:
        """Return a reason, cut to a line's length, without any secret that a service repeated."""
        for secret in self._secrets:
            reason = reason.replace(secret, "***")
        return reason if len(reason) <= _SHOWN else reason[: _SHOWN - 1] + "…"

    def _once(self, request: Request, needs_json: bool) -> Any:
        try:
            content = self._answer(request)
        except HTTPError as error:
            raise _of_status(error) from None
        except (OSError, http.client.HTTPException) as error:
            name, proxy = proxy_for(request.url, takes_all=False)
            way = f" (by the proxy {bare_url(proxy)} of {name})" if proxy else ""
            cause = _cause(error, self._patience.timeout)
            raise _CallError(cause + way, passing=True) from None
        except ValueError:  # the standard library looks at the place before it asks whether to go
            raise _CallError("the service moved to an address that cannot be read") from None
        try:
            return json.loads(content)
        except (ValueError, RecursionError):
            if not needs_json:
                return None
            start = _one_line(content[:_READ])
            raise _CallError(f"the answer is not JSON: {start}", passing=True) from None

    def _answer(self, request: Request) -> bytes:
        deadline = time.monotonic() + self._patience.timeout
        sent = _Request(request.url, request.body, dict(request.headers), method=request.method)
        place = urlsplit(request.url)
        if place.scheme == "https":
            check_certificates()
        opener = self._direct if is_loopback(place.hostname or "") else self._opener
        with opener.open(sent, timeout=self._patience.timeout) as response:
            parts: list[bytes] = []
            size = 0
            while part := response.read1(1 << 16):
                parts.append(part)
                size += len(part)
                if time.monotonic() > deadline:
                    raise TimeoutError
                if size > LARGEST_ANSWER:
                    raise _CallError(f"the answer is larger than {LARGEST_ANSWER >> 20} MiB")
            promised = (response.headers.get("Content-Length") or "").strip()
            if re.fullmatch(r"[0-9]{1,18}", promised) and size < int(promised):
                raise http.client.IncompleteRead(b"", int(promised) - size)
            packing = response.headers.get("Content-Encoding") or ""
        return _unpacked(b"".join(parts), packing)


def _unpacked(content: bytes, packing: str, *, whole: bool = True) -> bytes:
    """Unpack what a service packed unasked. Raises _CallError if it cannot be."""
    names = [each.strip().lower() for each in packing.split(",")]
    for name in reversed([each for each in names if each not in ("", "identity")]):
        if name not in ("gzip", "x-gzip", "deflate"):
            raise _CallError(f"the answer is packed as {_one_line(name)}, which is not read here")
        # `deflate` has a header by the standard, and none by some servers.
        is_bare = name == "deflate" and content[:1] and content[0] & 15 != zlib.DEFLATED
        try:
            unpacking = zlib.decompressobj(-zlib.MAX_WBITS if is_bare else zlib.MAX_WBITS | 32)
            content = unpacking.decompress(content, LARGEST_ANSWER + 1)
        except zlib.error:
            raise _CallError(f"the answer is no {name}, as it says", passing=True) from None
        if len(content) > LARGEST_ANSWER:
            raise _CallError(f"the answer is larger than {LARGEST_ANSWER >> 20} MiB")
        if whole and not unpacking.eof:
            raise _CallError("the packed answer is not complete", passing=True)
    return content


def checked_url(url: str) -> str:
    """Return an address that can be called.

    Raises InputError when it is not http(s), has no host, or holds a user name or password,
    which would stand in every report.
    """
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError as error:
        raise InputError(f"The address of a service cannot be read: {error}.") from None
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise InputError(f"{without_keys(url)!r} is no address of a service: https://HOST/PATH.")
    if parts.username is not None:
        raise InputError(
            f"The address of {parts.hostname} holds a user name or password, which would stand in "
            "every report. Describe the service in a YAML file, with a header that names an "
            "environment variable: Authorization: Basic ${SEARCH_KEY}."
        )
    return url


def bare_url(url: str) -> str:
    """Return what may be shown of an address, see `shown_address`."""
    return shown_address(url)


class _StayHere(HTTPRedirectHandler):
    """Follows no redirect: the headers, keys among them, would go wherever it points."""

    def redirect_request(self, *_: Any) -> None:
        return None


class _CallError(Exception):
    def __init__(
        self, reason: str, *, passing: bool = False, wait: float | None = None, status: int = 0
    ) -> None:
        super().__init__(reason)
        self.reason = reason
        self.passing = passing
        self.wait = wait
        self.status = status


def _of_status(error: HTTPError) -> _CallError:
    with error:
        try:
            packing = error.headers.get("Content-Encoding") or ""
            body = _one_line(_unpacked(error.read1(_READ), packing, whole=False))
        except (OSError, http.client.HTTPException, _CallError):
            body = ""
    reason = f"status {error.code}" + (f": {body}" if body else "")
    if 300 <= error.code < 400:
        place = _bare_place(error.headers.get("Location") or "")
        reason = f"status {error.code}: the service moved to {place}; give that address"
    wait = _retry_after(error.headers.get("Retry-After") or "")
    return _CallError(reason, passing=error.code in _PASSING, wait=wait, status=error.code)


def _bare_place(location: str) -> str:
    try:
        return _one_line(bare_url(location))
    except ValueError:
        return "an address that cannot be read"


def _retry_after(value: str) -> float | None:
    """Return the seconds that a service asks to wait: it gives seconds or a date."""
    if re.fullmatch(r"\d{1,9}(\.\d+)?", value.strip()):
        return float(value)
    try:
        moment = parsedate_to_datetime(value)
        if moment.tzinfo is None:
            moment = moment.replace(tzinfo=UTC)
        return max(0.0, (moment - datetime.now(UTC)).total_seconds())
    except (ValueError, OverflowError, TypeError):
        return None


def _cause(error: Exception, timeout: float) -> str:
    inner = error.reason if isinstance(error, URLError) else error
    if isinstance(inner, TimeoutError):
        return f"no complete answer within {timeout:g} s"
    if isinstance(inner, http.client.IncompleteRead):
        return "the connection closed before the answer was complete"
    text = getattr(inner, "strerror", None) or str(inner) or type(inner).__name__
    return _one_line(text)


def _one_line(content: bytes | str) -> str:
    text = content.decode("utf-8", "replace") if isinstance(content, bytes) else content
    printable = "".join(each if each.isprintable() else " " for each in text)
    return " ".join(printable.split())


def _forms(secret: str) -> list[str]:
    """List the ways in which a service may repeat a secret."""
    return [secret, _one_line(secret), quote(secret), quote(secret, ""), json.dumps(secret)[1:-1]]
