"""From a description to the requests that are sent: fields and environment variables filled in."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal
from urllib.parse import quote, quote_plus, urljoin

from leadline.errors import InputError
from leadline.retrievers.services.description import SHOWN, VARIABLE, Description, Writing
from leadline.retrievers.services.http import Request
from leadline.retrievers.services.templates import (
    in_json,
    lines_of,
    text_of,
    texts_of,
    value_of,
    walked,
)

Purpose = Literal["search", "ingest", "remove"]

_SHORTEST_SECRET = 8
_NO_SECRETS = ("accept", "content-type", "user-agent")
_HEADER = re.compile(r"[ -~\t]*")
_IN_URL = "".join(map(chr, range(33, 127)))
_PRINTABLE = " " + _IN_URL.replace("%", "")


@dataclass(frozen=True)
class Caller:
    """A description whose environment variables are filled in: it makes requests.

    secrets  what no message may repeat: those variables, and literals of headers and body
    """

    description: Description
    secrets: tuple[str, ...]
    _filled: Mapping[str, _Sent] = field(repr=False)

    def request(
        self,
        values: Mapping[str, Any],
        each: Sequence[Mapping[str, Any]] = (),
        purpose: Purpose = "search",
    ) -> Request:
        """Return the request for the values of the fields.

        values   of a search: query, k, offset, vector; of a document: id, uuid, title, text, ...
        each     the values of every query or document, where a call takes several
        """
        filled = self._filled[purpose]
        headers = {
            name: text_of(value, values, lambda text: quote(text, _PRINTABLE, errors="replace"))
            for name, value in filled.headers.items()
        }
        body: bytes | None = None
        if isinstance(filled.body, str):
            form = "urlencoded" in _content_type(headers)
            text = text_of(filled.body, values, quote_plus if form else in_json)
            body = text.encode("utf-8", "replace")
        elif isinstance(filled.body, list) and "ndjson" in _content_type(filled.headers):
            body = lines_of(filled.body, values, each).encode()
        elif filled.body is not None:
            body = json.dumps(value_of(filled.body, values, each)).encode()
        url = text_of(filled.url, values, lambda text: quote(text, "", errors="replace"))
        url = quote(url, _IN_URL)
        return Request(filled.method, url, {"User-Agent": "leadline", **headers}, body)

    def address(self, purpose: Purpose = "search") -> str:
        """Return the address that is called, with its fields and perhaps keys in it."""
        return self._filled[purpose].url


@dataclass(frozen=True)
class _Sent:
    """A call whose environment variables are filled in."""

    url: str
    method: str
    headers: Mapping[str, str]
    body: Any


def caller(description: Description, where: str) -> Caller:
    """Return what makes requests. Raises InputError when an environment variable is not set."""
    calls: dict[str, Description | Writing] = {"search": description}
    if description.ingest is not None and description.remove is not None:
        for name, writing in (("ingest", description.ingest), ("remove", description.remove)):
            calls[name] = _beside(description, writing)
    secrets: dict[str, str] = {}
    for text in texts_of([[each.url, each.headers, each.body] for each in calls.values()]):
        for name in VARIABLE.findall(text):
            if not os.environ.get(name, "").strip():
                raise InputError(
                    f"{where}: names the environment variable {name}, which is not set: "
                    f"export {name}=..."
                )
            secrets[name] = os.environ[name].strip()
    filled = {name: _filled(each, secrets, where) for name, each in calls.items()}
    told = [
        literal
        for each in calls.values()
        for literal in (*_literals(_telling(each.headers)), *_literals(each.body))
    ]
    return Caller(description, (*secrets.values(), *told), filled)


def _beside(search: Description, writing: Writing) -> Writing:
    """Return the call at its full address, with the headers of a search where it has no own."""
    from dataclasses import replace

    own = {name.lower() for name in (*writing.headers, "content-type")}
    inherited = {name: text for name, text in search.headers.items() if name.lower() not in own}
    headers = {**inherited, **writing.headers}
    return replace(writing, url=urljoin(search.url, writing.url), headers=headers)


def _filled(call: Description | Writing, secrets: Mapping[str, str], where: str) -> _Sent:
    def insert(value: Any) -> Any:
        return walked(value, lambda text: VARIABLE.sub(lambda found: secrets[found[1]], text))

    headers = {name: insert(value) for name, value in call.headers.items()}
    if call.body is not None and "content-type" not in {each.lower() for each in headers}:
        headers["Content-Type"] = "application/json"
    for name, value in headers.items():
        if not re.fullmatch(r"[!#$%&'*+.^`|~\w-]+", name, re.ASCII) or not _HEADER.fullmatch(value):
            raise InputError(f"{where}: header {name!r} holds a character that no header may hold.")
    return _Sent(insert(call.url), call.method, headers, insert(call.body))


def _telling(headers: Mapping[str, str]) -> list[str]:
    return [value for name, value in headers.items() if name.lower() not in _NO_SECRETS]


def _literals(value: Any) -> list[str]:
    """List what stands beside placeholders, as far as it is long enough to be a secret."""
    parts = [part.strip() for text in texts_of(value) for part in SHOWN.split(text)]
    words = [word for part in parts for word in (part, *part.split())]
    return [word for word in words if len(word) >= _SHORTEST_SECRET]


def _content_type(headers: Mapping[str, str]) -> str:
    return next((v for name, v in headers.items() if name.lower() == "content-type"), "")
