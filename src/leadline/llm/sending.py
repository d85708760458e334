"""The way to an endpoint: its address and key, bounded replies, and nothing to another host."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

from leadline.data.addresses import check_certificates, proxy_for
from leadline.errors import InputError, needs
from leadline.llm.requests import Failure
from leadline.llm.troubles import (
    LOST,
    TIMEOUT,
    Trouble,
    elsewhere,
    trouble_of_status,
    unreadable,
)
from leadline.llm.wire import UnreadableError

with needs("llm"):
    import openai

MOST_BYTES = 32_000_000
"""Of one reply. Log-probabilities of a long answer take a few million."""

_HTTP = next(
    each.__module__.partition(".")[0]
    for each in openai.DefaultAsyncHttpxClient.__mro__
    if each.__name__ == "AsyncClient"
)
RESPONSE: Any = sys.modules[_HTTP].Response
"""A reply as it came, in the package of HTTP that this version of the SDK is built on."""

_OWN_HOST = "api.openai.com"


class ElsewhereError(Exception):
    """The server sends us to another host, where neither prompts nor keys may go."""


class TooLongError(Exception):
    """A reply that does not end."""


ERRORS = (
    openai.APIStatusError, openai.APIConnectionError, ElsewhereError, TooLongError, ValueError,
    RecursionError,
)  # fmt: skip
"""What a call may end in."""


class Client(openai.DefaultAsyncHttpxClient):
    """Reads replies up to a length, and follows redirects within one host only."""

    def __init__(self, base_url: str) -> None:
        """Open the client. Raises InputError if its proxy or its certificates cannot be used."""
        self._home = _host_of(base_url)
        check_certificates()
        name, proxy = proxy_for(base_url)
        options: dict[str, Any] = {"proxy": proxy}
        if not proxy:  # with a transport of its own the client asks the environment for no proxy
            limits = openai.DEFAULT_CONNECTION_LIMITS
            options = {"transport": sys.modules[_HTTP].AsyncHTTPTransport(limits=limits)}
        try:
            super().__init__(event_hooks={"request": [self._check]}, **options)
        except ImportError as error:
            raise InputError(
                f"{name} names a SOCKS proxy: pip install '{_HTTP}[socks]', or unset it."
            ) from error
        except ValueError as error:
            raise InputError(
                f"{name} holds no address of a proxy: http://HOST:PORT, for example."
            ) from error

    async def _check(self, request: Any) -> None:
        host = _host_of(str(request.url))
        if host != self._home:
            raise ElsewhereError(f"it sends us to {host[1]}:{host[2]}")

    async def send(self, request: Any, **options: Any) -> Any:
        """Send a request; the reply is whole, or there is an error."""
        reply = await super().send(request, **{**options, "stream": True})
        try:
            content = bytearray()
            async for part in reply.aiter_bytes(65_536):
                content += part
                if len(content) > MOST_BYTES:
                    raise TooLongError(f"more than {MOST_BYTES:,} bytes")
        finally:
            await reply.aclose()
        left_out = {"content-encoding", "content-length", "transfer-encoding"}
        headers = [each for each in reply.headers.multi_items() if each[0].lower() not in left_out]
        return type(reply)(
            reply.status_code, headers=headers, content=bytes(content), request=reply.request
        )


def trouble_of(error: Exception, clean: Callable[[str], str]) -> Trouble:
    """Return what an error of a call means.

    clean  takes out of what the server said what nobody may see
    """
    if isinstance(error, openai.APIStatusError):
        return trouble_of_status(error.status_code, error.response.headers, error.body, clean)
    cause = error.__cause__ if isinstance(error, openai.APIConnectionError) else error
    if isinstance(cause, ElsewhereError):  # some versions of the SDK hide it
        return elsewhere(str(cause))
    if isinstance(cause, TooLongError | UnreadableError):
        return unreadable(str(cause))
    if isinstance(error, ValueError | RecursionError):
        return unreadable("not JSON")
    name = type(cause or error).__name__
    if isinstance(error, openai.APITimeoutError) and name != "ConnectTimeout":
        return TIMEOUT
    return Trouble(Failure(LOST, transient=True, detail=name), heard=False)


def headers_for(url: str, key: str) -> Any:
    """Keep what the SDK reads from the environment to the one host that it is meant for."""
    if urlsplit(url).hostname == _OWN_HOST:
        return None
    lines = os.environ.get("OPENAI_CUSTOM_HEADERS", "").split("\n")
    names = [line.partition(":")[0].strip() for line in lines if ":" in line]
    headers: dict[str, Any] = {
        name: openai.Omit() for name in ("OpenAI-Organization", "OpenAI-Project", *names)
    }
    for name in names:
        if name.lower() == "authorization":
            headers[name] = f"Bearer {key or 'none'}"
    return headers


def checked_url(url: str) -> str:
    """Return an address of an endpoint. Raises InputError if it is none, or holds a secret."""
    try:
        parts = urlsplit(url)
        fits = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
        secret = parts.username is not None or bool(parts.query)
    except ValueError:
        fits = secret = False
    if secret:
        raise InputError(
            "The address of an endpoint must hold no user, password or query: "
            "name the environment variable of the key instead (key_env=NAME)."
        )
    if not fits:
        raise InputError(f"{url!r} is no address of an endpoint: http://HOST:PORT/v1, for example.")
    return url.rstrip("/")


def key_in(name: str) -> str:
    """Return the key in an environment variable. What might itself be a key is not shown."""
    if not name:
        return ""
    shown = f" {name}" if re.fullmatch(r"[A-Z][A-Z0-9_]{0,63}", name) else ""
    if key := os.environ.get(name, "").strip():
        if key.isascii() and key.isprintable():
            return key
        raise InputError(f"The environment variable{shown} holds no key: keys are plain ASCII.")
    raise InputError(
        f"The environment variable{shown} that should hold the key is not set. "
        "key_env takes the name of a variable, not the key."
    )


def _host_of(url: str) -> tuple[str, str, int]:
    parts = urlsplit(url)
    return (
        parts.scheme,
        parts.hostname or "",
        parts.port or (443 if parts.scheme == "https" else 80),
    )
