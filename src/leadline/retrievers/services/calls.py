"""What a service is sent, one query or document or several in a call, and how answers are read."""

from __future__ import annotations

import json
import math
import os
import re
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, quote_plus

from leadline.errors import InputError, ServiceError
from leadline.retrievers.services.description import (
    ASKED,
    SHOWN,
    VARIABLE,
    Call,
    Description,
    filled,
    filled_lines,
    filled_text,
    picked,
    texts_of,
    walk,
)
from leadline.retrievers.services.http import Patience, Request, Service

GIVE_UP_AFTER = 20
"""Queries that fail one after the other before the rest is not even sent."""

_SHORTEST_SECRET = 8
_NO_SECRETS = ("accept", "content-type", "user-agent")
_HEADER_NAME = re.compile(r"[!#$%&'*+.^`|~\w-]+", re.ASCII)
_HEADER = re.compile(r"[ -~\t]*")
_IN_URL = "".join(map(chr, range(33, 127)))
_PRINTABLE = " " + _IN_URL.replace("%", "")


def with_variables(call: Call, where: str) -> Call:
    """Return a call with its environment variables filled in, and a type for its content.

    Raises InputError when a variable is not set, or a header cannot be sent.
    """

    def insert(text: str) -> str:
        for name in VARIABLE.findall(text):
            if not os.environ.get(name, "").strip():
                raise InputError(
                    f"{where}: names the environment variable {name}, which is not set: "
                    f"export {name}=..."
                )
        return VARIABLE.sub(lambda found: os.environ[found[1]].strip(), text)

    headers = {name: insert(value) for name, value in call.headers.items()}
    if call.body is not None and "content-type" not in {each.lower() for each in headers}:
        headers["Content-Type"] = "application/json"
    for name, value in headers.items():
        if not _HEADER_NAME.fullmatch(name) or not _HEADER.fullmatch(value):
            raise InputError(f"{where}: header {name!r} holds a character that no header may hold.")
    url, body = insert(call.url), walk(call.body, text=insert)
    return Call(url=url, method=call.method, headers=headers, body=body)


def secrets_of(calls: Sequence[Call]) -> tuple[str, ...]:
    """Return what no message may repeat: environment variables, literals of headers and bodies."""
    found = []
    for call in calls:
        telling = [v for name, v in call.headers.items() if name.lower() not in _NO_SECRETS]
        texts = texts_of([telling, call.body])
        for text in [call.url, *texts]:
            found += [os.environ.get(name, "").strip() for name in VARIABLE.findall(text)]
        parts = [part.strip() for text in texts for part in SHOWN.split(text)]
        words = [word for part in parts for word in (part, *part.split())]
        found += [word for word in words if len(word) >= _SHORTEST_SECRET]
    return tuple(found)


def request_of(
    call: Call, values: Mapping[str, Any], each: Sequence[Mapping[str, Any]] = ()
) -> Request:
    """Return the request for the values of the fields.

    call    with its environment variables filled in
    values  of a search: query, k, offset, vector; of a document: id, uuid, title, text, ...
    each    the values of every query or document, where a call takes several
    """
    headers = {
        name: filled_text(value, values, lambda text: quote(text, _PRINTABLE, errors="replace"))
        for name, value in call.headers.items()
    }
    kind = next((v for name, v in headers.items() if name.lower() == "content-type"), "")
    body: bytes | None = None
    if isinstance(call.body, str):
        change = quote_plus if "urlencoded" in kind else lambda text: json.dumps(text)[1:-1]
        body = filled_text(call.body, values, change).encode("utf-8", "replace")
    elif isinstance(call.body, list) and "ndjson" in kind:
        body = filled_lines(call.body, values, each).encode()
    elif call.body is not None:
        body = json.dumps(filled(call.body, values, each)).encode()
    url = filled_text(call.url, values, lambda text: quote(text, "", errors="replace"))
    url = quote(url, _IN_URL)
    return Request(call.method, url, {"User-Agent": "leadline", **headers}, body)


@dataclass(frozen=True, slots=True)
class Hit:
    """A document that was found; `score` is None where the service gave none."""

    id: str
    score: float | None
    text: str


class Asking:
    """Asks a service for the `k` best of queries, in several threads, while it makes sense.

    call  the search, with its environment variables filled in
    """

    def __init__(
        self,
        description: Description,
        call: Call,
        patience: Patience,
        k: int,
        secrets: Sequence[str] = (),
    ) -> None:
        self.service = Service(patience, secrets)
        self._description = description
        self._call = call
        self._k = k
        self._failed_in_a_row = 0
        self._lock = threading.Lock()

    def outcomes(
        self, texts: Sequence[str], vectors: Sequence[Any]
    ) -> list[list[Hit] | ServiceError]:
        """Return the hits of each query, or why there are none.

        Queries of a call that failed are asked for again, each alone.
        """
        if len(texts) > 1 and self._failed_in_a_row < GIVE_UP_AFTER:
            try:
                return [*self._together(texts, vectors)]
            except ServiceError:
                pass
        return [self._outcome(text, vector) for text, vector in zip(texts, vectors, strict=True)]

    def _outcome(self, text: str, vector: Any) -> list[Hit] | ServiceError:
        if self._failed_in_a_row >= GIVE_UP_AFTER:
            return ServiceError(f"not sent: {GIVE_UP_AFTER} queries failed one after the other")
        try:
            if self._description.each:
                (hits,) = self._together([text], [vector])
            else:
                hits = self._pages(text, vector)
        except ServiceError as error:
            with self._lock:
                self._failed_in_a_row += 1
            return ServiceError(self.service.told(str(error)), error.status)
        with self._lock:
            self._failed_in_a_row = 0
        return hits

    def _together(self, texts: Sequence[str], vectors: Sequence[Any]) -> list[list[Hit]]:
        """Return the hits of queries that are asked for in one call."""
        values = [
            {"query": text, "k": self._k, "vector": vector}
            for text, vector in zip(texts, vectors, strict=True)
        ]
        content = self.service.call(request_of(self._call, {"k": self._k}, values))
        results = _list_at(content, self._description.answer.results, "answers")
        if len(results) != len(texts):
            raise ServiceError(f"{len(texts)} queries were sent and {len(results)} answered")
        return [self.read(result) for result in results]

    def _pages(self, text: str, vector: Any) -> list[Hit]:
        """Return the hits of one query, page by page where the description has an offset."""
        paged = "offset" in self._description.fields(ASKED)
        hits: dict[tuple[str, str], Hit] = {}
        offset = 0
        while True:
            size = min(self._description.page_size, self._k - len(hits)) if paged else self._k
            values = {"query": text, "k": size, "offset": offset, "vector": vector}
            page = self.read(self.service.call(request_of(self._call, values)))
            if not paged:
                return page
            known = len(hits)
            for hit in page:
                hits.setdefault((hit.id, hit.text), hit)
            offset += len(page)
            # A service that does not know the offset gives the same page for ever.
            if len(page) < size or len(hits) == known or len(hits) >= self._k:
                return list(hits.values())

    def read(self, content: Any) -> list[Hit]:
        """Return the hits of an answer. Raises ServiceError where it does not read as described."""
        found = _list_at(content, self._description.answer.hits, "hits")
        return [self._hit(each, number) for number, each in enumerate(found, start=1)]

    def _hit(self, hit: Any, number: int) -> Hit:
        answer = self._description.answer
        if isinstance(hit, str | int) and not isinstance(hit, bool):
            return Hit(str(hit), None, str(hit))
        id = _at(hit, answer.id, number) if answer.id else ""
        if not isinstance(id, str | int) or isinstance(id, bool):
            raise ServiceError(f"{answer.id!r} of a hit is no id: {str(id)[:40]!r}")
        text = "" if answer.id else _at(hit, answer.text, number)
        return Hit(str(id), self._score(hit, number), str(text))

    def _score(self, hit: Any, number: int) -> float | None:
        path, is_optional = self._description.answer.score, False
        if path is None:
            path, is_optional = "score", True
        if not path or (is_optional and not (isinstance(hit, Mapping) and path in hit)):
            return None
        value = _at(hit, path, number)
        if value is None and is_optional:
            return None
        try:
            score = float(value)
        except (TypeError, ValueError, OverflowError):
            score = math.nan
        if not math.isfinite(score) or isinstance(value, bool):
            raise ServiceError(f"the score of hit {number} is no number: {str(value)[:40]!r}")
        return -score if self._description.answer.lower_is_better else score


def _at(hit: Any, path: str, number: int) -> Any:
    try:
        return picked(hit, path)
    except LookupError:
        raise ServiceError(f"hit {number} has no {path!r}{_keys(hit)}") from None


def _keys(value: Any) -> str:
    if isinstance(value, Mapping):
        return f"; its keys: {', '.join(str(key)[:40] for key in list(value)[:10])}"
    return f"; it is a {type(value).__name__}"


def _list_at(content: Any, path: str, what: str) -> list[Any]:
    path, may_be_missing, _ = path.partition("?")
    try:
        if may_be_missing:
            above, _, path = path.rpartition(".")
            content = {path: [], **picked(content, above)}
        found = picked(content, path)
    except (LookupError, TypeError):
        raise ServiceError(f"the answer has no {path!r}{_keys(content)}") from None
    if not isinstance(found, list):
        raise ServiceError(f"{path!r} of the answer is no list of {what}")
    return found
