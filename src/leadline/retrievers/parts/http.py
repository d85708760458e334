"""Call a service over HTTP, with a deadline, useful retries and secret keys."""

from __future__ import annotations

import json
import math
import re
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote, urljoin, urlsplit

import httpx

from leadline.data.addresses import (
    check_certificates,
    is_loopback,
    proxy_for,
    shown_address,
    without_keys,
)
from leadline.errors import InputError, ServiceError

LARGEST_ANSWER = 256 * 2**20
"""Bytes of an answer that are read before it is given up."""

_PASSING = {408, 425, 429, 500, 502, 503, 504}
_SHOWN = 300
_READ = 1 << 13


@dataclass(frozen=True, slots=True)
class Request:
    """What is sent; `body` is None for a request without one."""

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
        ways = (
            str,
            one_line,
            quote,
            lambda text: quote(text, ""),
            lambda text: json.dumps(text)[1:-1],
        )
        forms = {way(each) for each in secrets if each for way in ways}  # a service may repeat it
        self._secrets = sorted(forms, key=len, reverse=True)
        self._stopped = threading.Event()
        self._clients: dict[bool, httpx.Client] = {}
        self._lock = threading.Lock()

    def call(self, request: Request, *, needs_json: bool = True) -> Any:
        """Return the answer, JSON already read.

        needs_json  whether an answer that is not JSON is a failure, or else read as None
        """
        for attempt in range(self._patience.retries + 1):
            try:
                return self._once(request, needs_json)
            except ServiceError as failure:
                if not failure.passing or attempt == self._patience.retries:
                    raise ServiceError(self.told(str(failure)), failure.status) from None
                wait = failure.wait
                wait = self._patience.backoff * 2**attempt if wait is None else wait
                self._stopped.wait(min(wait, self._patience.longest_wait))
            if self._stopped.is_set():
                raise ServiceError("interrupted")
        raise AssertionError("unreachable")

    def stop(self) -> None:
        """Let no call wait for a retry any more, and close the connections."""
        self._stopped.set()
        for client in self._clients.values():
            client.close()

    def told(self, reason: str) -> str:
        """Return a reason, cut to a line's length, without any secret that a service repeated."""
        for secret in self._secrets:
            reason = reason.replace(secret, "***")
        return reason if len(reason) <= _SHOWN else reason[: _SHOWN - 1] + "…"

    def _client(self, url: str) -> httpx.Client:
        parts = urlsplit(url)
        if parts.scheme == "https":
            check_certificates()
        direct = is_loopback(parts.hostname or "")  # never by a proxy
        with self._lock:
            if direct not in self._clients:
                self._clients[direct] = httpx.Client(
                    trust_env=not direct, timeout=self._patience.timeout, limits=_LIMITS
                )
            return self._clients[direct]

    def _once(self, request: Request, needs_json: bool) -> Any:
        try:
            content = self._answer(request)
        except httpx.TimeoutException:
            raise self._late() from None
        except (httpx.HTTPError, httpx.InvalidURL, OSError) as error:
            name, proxy = proxy_for(request.url)
            way = f" (by the proxy {shown_address(proxy)} of {name})" if proxy else ""
            raise ServiceError(_cause(error) + way, passing=True) from None
        try:
            return json.loads(content)
        except (ValueError, RecursionError):
            if not needs_json:
                return None
            start = one_line(content[:_READ])
            raise ServiceError(f"the answer is not JSON: {start}", passing=True) from None

    def _answer(self, request: Request) -> bytes:
        deadline = time.monotonic() + self._patience.timeout
        headers = dict(request.headers)
        with self._client(request.url).stream(
            request.method, request.url, headers=headers, content=request.body
        ) as response:
            good, content = response.status_code < 300, b""
            most = LARGEST_ANSWER if good else _READ
            try:
                for part in response.iter_bytes(1 << 16):
                    content += part
                    if time.monotonic() > deadline:
                        raise self._late()
                    if len(content) > most:
                        break
            except httpx.HTTPError:
                if good:
                    raise
            if not good:
                raise _of_status(response, content[:_READ])
            if len(content) > most:
                raise ServiceError(f"the answer is larger than {LARGEST_ANSWER >> 20} MiB")
            return content

    def _late(self) -> ServiceError:
        reason = f"no complete answer within {self._patience.timeout:g} s"
        return ServiceError(reason, passing=True)


_LIMITS = httpx.Limits(max_connections=None, max_keepalive_connections=32)


def checked_url(url: str) -> str:
    """Return an address that can be called."""
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError as error:
        raise InputError(f"Cannot parse the address of a service: {error}.") from None
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise InputError(
            f"{without_keys(url)!r} is not the address of a service. Use https://HOST/PATH."
        )
    if parts.username is not None:
        raise InputError(
            f"The address of {parts.hostname} has a user name or password. Describe the service "
            "in a YAML file instead, with a header that names an environment variable: "
            "Authorization: Basic ${SEARCH_KEY}. See docs/how-to/connect-an-engine.md."
        )
    return url


def _of_status(response: httpx.Response, content: bytes) -> ServiceError:
    code, body = response.status_code, one_line(content)
    reason = f"status {code}" + (f": {body}" if body else "")
    if code < 400:  # not followed: the headers, keys among them, would go wherever it points
        try:
            place = urljoin(str(response.url), response.headers.get("Location", ""))
            moved = one_line(shown_address(place))
        except ValueError:
            moved = "an address that cannot be read"
        reason = f"status {code}: the service moved to {moved}; give that address"
    after = response.headers.get("Retry-After", "").strip()
    wait = float(after) if re.fullmatch(r"\d{1,9}(\.\d+)?", after) else None
    return ServiceError(reason, code, passing=code in _PASSING, wait=wait)


def _cause(error: Exception) -> str:
    if isinstance(error, httpx.RemoteProtocolError):
        if "location" in str(error):
            return "the service moved to an address that cannot be read"
        return "the connection closed before the answer was complete"
    if isinstance(error, httpx.DecodingError):
        return "the packed answer cannot be read"
    text = re.sub(r"^\[Errno -?\d+\] ", "", str(error)) or type(error).__name__
    return one_line(text)


def one_line(content: bytes | str) -> str:
    """Return a text without line breaks and what cannot be printed."""
    text = content.decode("utf-8", "replace") if isinstance(content, bytes) else content
    printable = "".join(each if each.isprintable() else " " for each in text)
    return " ".join(printable.split())
