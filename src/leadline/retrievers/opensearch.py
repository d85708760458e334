"""OpenSearch as a first stage: BM25, dense or both."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from leadline.data.addresses import shown_address
from leadline.errors import InputError, ServiceError, needs
from leadline.models.cutting import readable
from leadline.models.encoder import Embedder
from leadline.retrievers.parts.engine import Engine, Mode, Way
from leadline.retrievers.parts.http import Patience, Service, checked_url
from leadline.retrievers.parts.store import embedder
from leadline.types import Document, Retriever

with needs("engines"):
    from opensearchpy import OpenSearch, helpers
    from opensearchpy.exceptions import OpenSearchException

T = TypeVar("T")

logging.getLogger("opensearch").setLevel(logging.CRITICAL)  # what fails is told as an error


def build(
    model: str,
    *,
    mode: Mode = "bm25",
    encoder: str | Embedder = "minilm",
    k1: float = 1.2,
    b: float = 0.75,
    analyzer: str = "standard",
    auth_env: str = "OPENSEARCH_AUTH",
    timeout: float = 60.0,
    retries: int = 5,
    backoff: float = 0.5,
) -> Retriever:
    """Return a retriever that indexes into OpenSearch and searches there.

    model       address of the engine, `https://HOST:9200`; with mode=bm25 it may be Elasticsearch
    mode        bm25, dense (cosine, approximate nearest neighbours), or hybrid: reciprocal rank
                fusion of both, from one index
    encoder     gives the vectors: a system of the catalog, a name on the hub or a folder
    k1, b       of BM25; the defaults are the engine's
    analyzer    that cuts texts into words: `standard`, `english`, ...
    auth_env    environment variable with the value of the header Authorization (`Basic ...`);
                the header is left out where the variable is not set
    timeout     seconds for one answer
    retries     calls after the first when it failed in a way that may pass
    backoff     seconds before the first retry of documents that the engine was too busy for

    BM25 counts words over all shards. A dense score is (1 + cosine) / 2, as the engine gives it; a
    hybrid one is the sum of 1 / (60 + rank).

    Raises InputError when a value is out of its range or the address does not fit, and
    MissingExtraError without opensearch-py.
    """
    if not k1 >= 0 or not 0 <= b <= 1:
        raise InputError(f"BM25 takes k1 >= 0 and b between 0 and 1, got k1={k1}, b={b}.")
    options = {} if mode == "dense" else {"k1": k1, "b": b, "analyzer": analyzer}
    patience = Patience(timeout, retries, backoff)
    key = os.environ.get(auth_env, "").strip()
    client = OpenSearch(
        [checked_url(model)],
        headers={"Authorization": key} if key else {},
        timeout=timeout,
        max_retries=retries,
        retry_on_timeout=True,
        retry_on_status=(429, 502, 503, 504),
    )
    source = embedder(encoder) if mode != "bm25" else None
    told = Service(patience, [key, key.partition(" ")[2]]).told
    return _OpenSearch(mode, options, source, shown_address(model), client, patience, told)


@dataclass
class _OpenSearch(Engine):
    client: Any
    patience: Patience
    told: Callable[[str], str]
    name = "opensearch"
    deepest = 10_000

    def exists(self, name: str) -> bool:
        return bool(self._ask(lambda: self.client.indices.exists(index=name)))

    def create(self, name: str, dimension: int) -> None:
        properties: dict[str, Any] = {}
        settings: dict[str, Any] = {}
        if self.options:
            weights = {"type": "BM25", "k1": self.options["k1"], "b": self.options["b"]}
            settings["similarity"] = {"default": weights}
            properties["text"] = {"type": "text", "analyzer": self.options["analyzer"]}
        if dimension:
            settings["knn"] = True
            method = {"name": "hnsw", "engine": "lucene", "space_type": "cosinesimil"}
            properties["vector"] = {"type": "knn_vector", "dimension": dimension, "method": method}
        mappings = {"dynamic": False, "properties": properties}
        body = {"settings": {"index": settings}, "mappings": mappings}
        self._ask(lambda: self.client.indices.create(index=name, body=body))

    def count(self, name: str) -> int:
        self._ask(lambda: self.client.indices.refresh(index=name))
        return int(self._ask(lambda: self.client.count(index=name))["count"])

    def add(self, name: str, first: int, documents: Sequence[Document], vectors: Any) -> None:
        actions = []
        for offset, document in enumerate(documents):
            source: dict[str, Any] = {}
            if self.options:
                source["text"] = readable(document.content)
            if vectors is not None:
                source["vector"] = vectors[offset].tolist()
            actions.append({"_index": name, "_id": str(first + offset), "_source": source})
        _, errors = self._ask(
            lambda: helpers.bulk(
                self.client,
                actions,
                max_chunk_bytes=8 << 20,
                max_retries=self.patience.retries,
                initial_backoff=self.patience.backoff,
                raise_on_error=False,
            )
        )
        for error in errors:
            refused = error["index"]
            id = documents[int(refused["_id"]) - first].id
            why = " ".join(str(refused.get("error", {}).get("reason", refused)).split())[:300]
            raise ServiceError(f"{self.place} rejected document {id!r}: {why}")

    def found(self, name: str, way: Way, asked: Sequence[Any], k: int) -> list[dict[int, float]]:
        return self._searched(name, way, [(each, k, None) for each in asked])

    def scored(
        self, name: str, way: Way, asked: Sequence[Any], places: Sequence[Sequence[int]]
    ) -> list[dict[int, float]]:
        searches = [(each, len(held), held) for each, held in zip(asked, places, strict=True)]
        return self._searched(name, way, searches)

    def _searched(self, name: str, way: Way, searches: Sequence[Any]) -> list[dict[int, float]]:
        lines: list[dict[str, Any]] = []
        for asked, k, places in searches:
            head = {"index": name}
            if way == "bm25":  # words are counted over all shards
                head["search_type"] = "dfs_query_then_fetch"
            query = _query(way, asked, k, places)
            body = {"size": k, "_source": False, "track_total_hits": False, "query": query}
            lines += [head, body]
        responses = self._ask(lambda: self.client.msearch(body=lines))["responses"]
        found = []
        for response in responses:
            if "error" in response:
                why = response["error"]
                why = (why.get("reason") or why.get("type")) if isinstance(why, Mapping) else why
                raise ServiceError(f"{self.place}: {' '.join(str(why).split())[:300]}")
            hits = response["hits"]["hits"]
            found.append({int(hit["_id"]): float(hit["_score"]) for hit in hits})
        return found

    def _ask(self, call: Callable[[], T]) -> T:
        try:
            return call()
        except OpenSearchException as error:
            code = getattr(error, "status_code", "")
            status = f"status {code}: " if isinstance(code, int) else ""
            told = " ".join(str(error).split())
            raise ServiceError(f"{self.place}: {status}{self.told(told)}") from None


def _query(way: Way, asked: Any, k: int, places: Sequence[int] | None) -> dict[str, Any]:
    """Return a query for the best k documents, or for all those at the given places."""
    only = None if places is None else {"ids": {"values": [str(place) for place in places]}}
    if way == "dense":
        condition = {} if only is None else {"filter": only}
        return {"knn": {"vector": {"vector": asked, "k": k, **condition}}}
    match = {"match": {"text": {"query": asked}}}
    return match if only is None else {"bool": {"should": [match], "filter": [only]}}
