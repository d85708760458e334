"""The REST interface of OpenSearch and Elasticsearch: indexes, bulk writing, searches."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal
from urllib.parse import quote

from leadline.data.addresses import shown_address
from leadline.errors import InputError
from leadline.models.cutting import readable
from leadline.retrievers.engines.ingest import Mark, mark_of
from leadline.retrievers.services.http import (
    Patience,
    Request,
    Service,
    ServiceError,
)
from leadline.types import Document

DEEPEST = 10_000
"""Documents that an index returns at most, unless its setting max_result_window says otherwise."""

_BULK_BYTES = 8 << 20


class Rest:
    """Calls of the engine's REST interface."""

    def __init__(self, url: str, key: str, patience: Patience) -> None:
        self.url = url
        self._headers = {"Authorization": key} if key else {}
        self._service = Service(patience, [key, key.partition(" ")[2]])
        self._attempts = patience.retries + 1
        self._backoff = patience.backoff

    def attempts(self) -> Iterator[int]:
        """Yield the numbers of the attempts that may be made, waiting between them."""
        for attempt in range(self._attempts):
            if attempt:
                time.sleep(self._backoff * 2 ** (attempt - 1))
            yield attempt

    def call(self, method: str, path: str, body: Any = None, lines: Any = None) -> Any:
        """Return the answer, None for status 404.

        body   sent as JSON
        lines  sent as JSON, one a line
        """
        headers = dict(self._headers)
        data: bytes | None = None
        if lines is not None:
            data = "".join(json.dumps(line) + "\n" for line in lines).encode()
            headers["Content-Type"] = "application/x-ndjson"
        elif body is not None:
            data = json.dumps(body).encode()
            headers["Content-Type"] = "application/json"
        try:
            return self._service.call(Request(method, self.url + path, headers, data))
        except ServiceError as error:
            if error.status == 404:
                return None
            raise InputError(f"{shown_address(self.url)}: {method} {path}: {error}") from None


class Engine:
    """The indexes of one engine."""

    kind = "index"

    def __init__(self, rest: Rest, options: Mapping[str, Any]) -> None:
        self.rest = rest
        self.options = options
        self._is_opensearch: bool | None = None

    @property
    def is_opensearch(self) -> bool:
        """Tell OpenSearch from Elasticsearch, whose vectors are written and found differently."""
        if self._is_opensearch is None:
            about = self.rest.call("GET", "/") or {}
            version = about.get("version") if isinstance(about, Mapping) else None
            if not isinstance(version, Mapping) or "number" not in version:
                raise InputError(
                    f"{shown_address(self.rest.url)} is neither OpenSearch nor Elasticsearch."
                )
            self._is_opensearch = version.get("distribution") == "opensearch"
        return self._is_opensearch

    def mark(self, name: str) -> Mark | None:
        """Return what an index says of itself, None when there is none."""
        _ = self.is_opensearch  # what is neither of the two is told before anything is read from it
        found = self.rest.call("GET", f"/{quote(name, '')}/_mapping")
        if not found:
            return None
        (its, *others) = found.values()
        return Mark() if others else mark_of(its.get("mappings", {}).get("_meta"))

    def create(self, name: str, mark: Mark, dimension: int) -> None:
        """Make an empty index for texts, for vectors, or for both."""
        properties: dict[str, Any] = {"document": {"type": "keyword", "index": False}}
        properties["document"]["doc_values"] = False
        settings: dict[str, Any] = {}
        if self.options["mode"] != "dense":
            weights = {"type": "BM25", "k1": self.options["k1"], "b": self.options["b"]}
            settings["similarity"] = {"default": weights}
            properties["text"] = {"type": "text", "analyzer": self.options["analyzer"]}
        if dimension and self.is_opensearch:
            settings["knn"] = True
            method = {"name": "hnsw", "engine": "lucene", "space_type": "cosinesimil"}
            properties["vector"] = {"type": "knn_vector", "dimension": dimension, "method": method}
        elif dimension:
            properties["vector"] = {
                "type": "dense_vector",
                "dims": dimension,
                "index": True,
                "similarity": "cosine",
            }
        body = {
            "settings": {"index": settings},
            "mappings": {
                "_meta": json.loads(mark.text()),
                "dynamic": False,
                "properties": properties,
            },
        }
        if self.rest.call("PUT", f"/{quote(name, '')}", body) is None:
            raise InputError(f"{shown_address(self.rest.url)} makes no index: status 404.")

    def count(self, name: str) -> int:
        """Return the number of documents, counting all that were written."""
        self.rest.call("POST", f"/{quote(name, '')}/_refresh")
        return int((self.rest.call("GET", f"/{quote(name, '')}/_count") or {}).get("count", 0))

    def add(self, name: str, first: int, documents: Sequence[Document], vectors: Any) -> None:
        """Write documents under the keys first, first + 1, ..., in calls of bounded size."""
        lines: list[dict[str, Any]] = []
        size = 0
        for offset, document in enumerate(documents):
            content: dict[str, Any] = {"document": readable(document.id)}
            if self.options["mode"] != "dense":
                content["text"] = readable(document.content)
            if vectors is not None:
                content["vector"] = vectors[offset].tolist()
            lines += [{"index": {"_id": str(first + offset)}}, content]
            size += len(json.dumps(content))
            if size > _BULK_BYTES:
                self._bulk(name, lines)
                lines, size = [], 0
        if lines:
            self._bulk(name, lines)

    def remove(self, name: str) -> None:
        """Remove an index."""
        self.rest.call("DELETE", f"/{quote(name, '')}")

    def found(
        self, name: str, bodies: Sequence[Any], by: Literal["bm25", "dense"]
    ) -> Iterator[dict[int, float]]:
        """Yield place -> score for every search, best first."""
        if not bodies:
            return
        head = {"index": name}
        if by == "bm25":
            head["search_type"] = "dfs_query_then_fetch"
        lines = [line for body in bodies for line in (head, body)]
        answer = self.rest.call("POST", "/_msearch", lines=lines) or {}
        responses = answer.get("responses", ())
        if len(responses) != len(bodies):
            raise InputError(f"{shown_address(self.rest.url)}: the index {name!r} is gone.")
        for response in responses:
            if "error" in response:
                raise InputError(f"{shown_address(self.rest.url)}: {_reason(response['error'])}")
            pairs = [(int(hit["_id"]), float(hit["_score"])) for hit in response["hits"]["hits"]]
            yield dict(sorted(pairs, key=lambda pair: (-pair[1], pair[0])))

    def matching(self, text: str, only: Any) -> dict[str, Any]:
        """Return the part of a search that asks for documents that share words with a text."""
        match = {"match": {"text": {"query": text}}}
        if only is None:
            return {"query": match}
        return {"query": {"bool": {"should": [match], "filter": [only]}}}

    def nearest(self, vector: Any, k: int, only: Any) -> dict[str, Any]:
        """Return the part of a search that asks for the k nearest vectors."""
        condition = {} if only is None else {"filter": only}
        if self.is_opensearch:
            return {"query": {"knn": {"vector": {"vector": vector, "k": k, **condition}}}}
        wide = min(DEEPEST, max(2 * k, 100))
        knn = {"field": "vector", "query_vector": vector, "k": k, "num_candidates": wide}
        return {"knn": {**knn, **condition}}

    def _bulk(self, name: str, lines: list[dict[str, Any]]) -> None:
        """Write documents; those that the engine is too busy for are sent again."""
        path = f"/{quote(name, '')}/_bulk"
        for _ in self.rest.attempts():
            answer = self.rest.call("POST", path, lines=lines) or {}
            results = [item["index"] for item in answer.get("items", ())]
            if len(results) * 2 != len(lines):
                raise InputError(f"{shown_address(self.rest.url)}: the index {name!r} is gone.")
            busy: list[dict[str, Any]] = []
            for number, result in enumerate(results):
                if result["status"] == 429:
                    busy += lines[2 * number : 2 * number + 2]
                elif result["status"] >= 300:
                    raise InputError(
                        f"{shown_address(self.rest.url)} does not take document "
                        f"{lines[2 * number + 1]['document']!r}: {_reason(result.get('error'))}"
                    )
            if not busy:
                return
            lines = busy
        raise InputError(
            f"{shown_address(self.rest.url)} is too busy to take {len(lines) // 2} documents."
        )


def _reason(error: Any) -> str:
    if isinstance(error, Mapping):
        error = error.get("reason") or error.get("type") or error
    return " ".join(str(error).split())[:300]
