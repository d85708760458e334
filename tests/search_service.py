"""A small search service over bm25s, served on the loopback interface, with a service's habits."""

import re
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import unquote

import bm25s

from loopback import Call, Loopback, Reply, serving

KEY = "k3y-0f-the-search-service"


@dataclass
class SearchService:
    """Answers as one that a team runs; documents may come and go.

    key        asked for in the header `Authorization`; empty for none
    page       most hits in an answer
    ranks      answers hold ids only, best first
    delay      seconds before every answer
    stalls     every so-manieth answer takes ten times as long; 0 for none
    dies_after answers, after which the line is closed without one; 0 for never
    all_words  only documents that hold every word of a query are found
    """

    documents: dict[str, str]
    key: str = ""
    page: int = 1000
    ranks: bool = False
    delay: float = 0.0
    stalls: int = 0
    dies_after: int = 0
    all_words: bool = False
    answered: int = 0
    most: int = 0
    added: list[str] = field(default_factory=list)
    _index: Any = None
    _ids: list[str] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def __call__(self, call: Call) -> Reply:
        with self._lock:
            self.answered += 1
            number = self.answered
        if self.delay:
            time.sleep(self.delay * (10 if self.stalls and number % self.stalls == 0 else 1))
        if self.dies_after and number > self.dies_after:
            return Reply({"hits": []}, cut=1)
        if self.key and call.headers.get("authorization") != f"Bearer {self.key}":
            given = call.headers.get("authorization")
            return Reply({"error": f"wrong key {given}"}, 401)
        if call.path == "/search":
            return self._found(call.json)
        if call.method == "DELETE":
            return self._remove(unquote(call.path.rpartition("/")[2]))
        return self._add(call.json["documents"])

    def _found(self, asked: Mapping[str, Any]) -> Reply:
        size, start = min(asked["size"], self.page), asked.get("from", 0)
        with self._lock:
            ranking = self._ranking(asked["q"])
        hits = ranking[start : start + size]
        if self.ranks:
            return Reply({"hits": [id for id, _ in hits]})
        return Reply({"hits": [{"id": id, "score": score} for id, score in hits]})

    def _ranking(self, query: str) -> list[tuple[str, float]]:
        if self._index is None:
            self._ids = list(self.documents)
            self._index = bm25s.BM25()
            tokens = bm25s.tokenize(list(self.documents.values()), show_progress=False)
            self._index.index(tokens, show_progress=False)
        tokens = bm25s.tokenize([query], show_progress=False)
        places, scores = self._index.retrieve(tokens, k=len(self._ids), show_progress=False)
        pairs = zip(places[0].tolist(), scores[0].tolist(), strict=True)
        found = [(self._ids[place], score) for place, score in pairs if score > 0]
        if not self.all_words:
            return found
        wanted = _words(query)
        return [(id, score) for id, score in found if wanted <= _words(self.documents[id])]

    def _add(self, documents: list[dict[str, str]]) -> Reply:
        with self._lock:
            for each in documents:
                self.documents[each["id"]] = each["text"]
                self.added.append(each["id"])
            self.most = max(self.most, len(self.documents))
            self._index = None
        return Reply({"taken": len(documents)}, 201)

    def _remove(self, id: str) -> Reply:
        with self._lock:
            known = self.documents.pop(id, None)
            self._index = None
        return Reply(b"", 204 if known is not None else 404)


def _words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text.lower()))


@contextmanager
def search_service(texts: Mapping[str, str], **habits: Any) -> Iterator[tuple[SearchService, str]]:
    """Serve a search over texts until the block ends; yields the service and its address."""
    service = SearchService(dict(texts), **habits)
    answer: Callable[[Call], Reply] = service
    loopback: Loopback
    with serving(answer) as loopback:
        yield service, loopback.url
