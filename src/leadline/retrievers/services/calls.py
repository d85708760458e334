"""What a search service is asked, one query or several in a call, and how answers are read."""

from __future__ import annotations

import math
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from leadline.retrievers.services.description import picked
from leadline.retrievers.services.http import Patience, Service, ServiceError
from leadline.retrievers.services.requests import Caller

GIVE_UP_AFTER = 20
"""Queries that fail one after the other before the rest is not even sent."""


@dataclass(frozen=True, slots=True)
class Hit:
    """A document that was found; `score` is None where the service gave none."""

    id: str
    score: float | None
    text: str


class Asking:
    """Asks a service for the `k` best of queries, in several threads, while it makes sense."""

    def __init__(self, caller: Caller, patience: Patience, k: int) -> None:
        self.service = Service(patience, caller.secrets)
        self._caller = caller
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
            if self._caller.description.batched:
                (hits,) = self._together([text], [vector])
            else:
                hits = self._hits(text, vector)
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
            {"query": text, "k": self._k, "vector": _listed(vector)}
            for text, vector in zip(texts, vectors, strict=True)
        ]
        content = self.service.call(self._caller.request({"k": self._k}, values))
        results = _list_at(content, self._caller.description.answer.results, "answers")
        if len(results) != len(texts):
            raise ServiceError(f"{len(texts)} queries were sent and {len(results)} answered")
        return [self._read(result) for result in results]

    def _hits(self, text: str, vector: Any) -> list[Hit]:
        description = self._caller.description
        if "offset" not in description.fields:
            return self._page(text, vector, self._k, 0)
        hits: dict[tuple[str, str], Hit] = {}
        offset = 0
        while len(hits) < self._k:
            size = min(description.page_size, self._k - len(hits))
            page = self._page(text, vector, size, offset)
            known = len(hits)
            for hit in page:
                hits.setdefault((hit.id, hit.text), hit)
            offset += len(page)
            # A service that does not know the offset gives the same page for ever.
            if len(page) < size or len(hits) == known:
                break
        return list(hits.values())

    def _page(self, text: str, vector: Any, k: int, offset: int) -> list[Hit]:
        values = {"query": text, "k": k, "offset": offset, "vector": _listed(vector)}
        return self._read(self.service.call(self._caller.request(values)))

    def _read(self, content: Any) -> list[Hit]:
        found = _list_at(content, self._caller.description.answer.hits, "hits")
        return [self._hit(each, number) for number, each in enumerate(found, start=1)]

    def _hit(self, hit: Any, number: int) -> Hit:
        answer = self._caller.description.answer
        if isinstance(hit, str | int) and not isinstance(hit, bool):
            return Hit(str(hit), None, str(hit))
        id = self._of(hit, answer.id, number) if answer.id else ""
        text = self._of(hit, answer.text, number) if not answer.id else ""
        return Hit(_name(id, answer.id), self._score(hit, number), str(text))

    def _of(self, hit: Any, path: str, number: int) -> Any:
        try:
            return picked(hit, path)
        except LookupError:
            raise ServiceError(f"hit {number} has no {path!r}{_keys(hit)}") from None

    def _score(self, hit: Any, number: int) -> float | None:
        answer = self._caller.description.answer
        if answer.score == "":
            return None
        if answer.score is None and not (isinstance(hit, Mapping) and "score" in hit):
            return None
        value = self._of(hit, answer.score or "score", number)
        if value is None and answer.score is None:
            return None
        try:
            number_of = float(value)
        except (TypeError, ValueError, OverflowError):
            number_of = math.nan
        if not math.isfinite(number_of) or isinstance(value, bool):
            raise ServiceError(f"the score of hit {number} is no number: {str(value)[:40]!r}")
        return -number_of if answer.lower_is_better else number_of


def _name(value: Any, path: str) -> str:
    if isinstance(value, str | int) and not isinstance(value, bool):
        return str(value)
    raise ServiceError(f"{path!r} of a hit is no id: {str(value)[:40]!r}")


def _keys(value: Any) -> str:
    if isinstance(value, Mapping):
        return f"; its keys: {', '.join(str(key)[:40] for key in list(value)[:10])}"
    return f"; it is a {type(value).__name__}"


def _list_at(content: Any, path: str, what: str) -> list[Any]:
    try:
        found = picked(content, path)
    except LookupError:
        raise ServiceError(f"the answer has no {path!r}{_keys(content)}") from None
    if not isinstance(found, list):
        raise ServiceError(f"{path!r} of the answer is no list of {what}")
    return found


def _listed(vector: Any) -> list[float] | None:
    return None if vector is None else vector.tolist()
