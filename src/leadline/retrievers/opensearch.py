"""OpenSearch or Elasticsearch as first stage, over REST: BM25, or dense by nearest neighbours."""

from __future__ import annotations

import atexit
import json
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal
from urllib.parse import quote

from leadline.errors import InputError
from leadline.progress import track
from leadline.retrievers.embedder import Embedder, embed, embedder, identity
from leadline.retrievers.http_service import (
    Patience,
    Request,
    Service,
    ServiceError,
    bare_url,
    checked_url,
)
from leadline.retrievers.ingest import Mark, ingest, mark_of, remove
from leadline.types import Candidates, Corpus, Document, Query, Retriever, Run

Mode = Literal["bm25", "dense"]

DEEPEST = 10_000
"""Documents that an index returns at most, unless its setting max_result_window says otherwise."""

_QUERIES = 32
_BULK_BYTES = 8 << 20
_CANDIDATES = 1000


def build(
    model: str,
    *,
    mode: Mode = "bm25",
    encoder: str | Embedder = "minilm",
    index: str = "",
    k1: float = 1.2,
    b: float = 0.75,
    analyzer: str = "standard",
    batch_size: int = 500,
    auth_env: str = "OPENSEARCH_AUTH",
    timeout: float = 60.0,
    retries: int = 5,
    backoff: float = 0.5,
    keep: bool = True,
) -> Retriever:
    """Return a retriever that indexes into OpenSearch or Elasticsearch and searches there.

    model       address of the engine, `https://HOST:9200`; which of the two it is, it tells itself
    mode        bm25, or dense: cosine, approximate nearest neighbours
    encoder     gives the vectors: a system of the catalog, a name on the hub or a folder
    index       its name; by default one made of corpus and setting
    k1, b       of BM25; the defaults are the engine's
    analyzer    that cuts texts into words: `standard`, `english`, ...
    batch_size  documents written at once
    auth_env    environment variable with the value of the header Authorization (`ApiKey ...`,
                `Basic ...`); the header is left out where the variable is not set
    timeout     seconds for one answer
    retries     calls after the first when it failed in a way that may pass
    backoff     seconds before the first retry, doubled for every further one
    keep        leave the index there when the process ends, for the next one

    BM25 counts words over all shards. A dense score is (1 + cosine) / 2, as the engines give it.

    Raises InputError when a value is out of its range or the address does not fit.
    """
    if not k1 >= 0 or not 0 <= b <= 1:
        raise InputError(f"BM25 takes k1 >= 0 and b between 0 and 1, got k1={k1}, b={b}.")
    if batch_size < 1:
        raise InputError(f"batch_size must be at least 1, got {batch_size}.")
    if index and not re.fullmatch(r"[a-z0-9][a-z0-9._-]*", index):
        raise InputError(f"An index is named with a-z, 0-9, '.', '_' and '-', got {index!r}.")
    options: dict[str, Any] = {"mode": mode}
    if mode == "bm25":
        options |= {"k1": k1, "b": b, "analyzer": analyzer}
    key = os.environ.get(auth_env, "").strip()
    rest = _Rest(checked_url(model).rstrip("/"), key, Patience(timeout, retries, backoff))
    source = embedder(encoder) if mode == "dense" else None
    return _OpenSearch(_Engine(rest, options), source, index, batch_size, keep)


@dataclass
class _OpenSearch:
    """A retriever. `remove()` removes every index that it made or went on with."""

    engine: _Engine
    source: Embedder | None
    index_name: str
    batch_size: int
    keep: bool
    name: str = "opensearch"
    _made: set[str] = field(default_factory=set)

    @property
    def settings(self) -> dict[str, Any]:
        encoder = {"encoder": self.source.settings} if self.source is not None else {}
        return {"engine": bare_url(self.engine.rest.url), **self.engine.options, **encoder}

    def index(self, corpus: Corpus) -> _Index:
        """Write what is missing of the corpus, and open it for search."""
        setting = dict(self.engine.options)
        if self.source is not None:
            setting["encoder"] = identity(self.source)
        name = ingest(
            self.engine,
            self.index_name,
            corpus,
            setting=setting,
            source=self.source,
            batch=self.batch_size,
        )
        if not self._made and not self.keep:
            atexit.register(self.remove)
        self._made.add(name)
        return _Index(self, name, list(corpus))

    def remove(self) -> None:
        """Remove every index that this retriever made or went on with."""
        for name in sorted(self._made):
            remove(self.engine, name)
        self._made.clear()


class _Index:
    """Ties stand in corpus order."""

    def __init__(self, opensearch: _OpenSearch, name: str, ids: list[str]) -> None:
        self._engine = opensearch.engine
        self._source = opensearch.source
        self._name = name
        self._ids = ids
        self._places: dict[str, int] = {}

    def remove(self) -> None:
        """Remove the index of the engine; this one cannot be searched any more."""
        remove(self._engine, self._name)

    def search(self, queries: Sequence[Query], k: int) -> Run:
        """Return at most k documents of each query, best first."""
        if not 1 <= k <= DEEPEST:
            raise InputError(f"k must be between 1 and {DEEPEST} with this engine, got {k}.")
        run: dict[str, dict[str, float]] = {}
        blocks = [queries[start : start + _QUERIES] for start in range(0, len(queries), _QUERIES)]
        for block in track(blocks, "Searching the engine", total=len(queries), step=_QUERIES):
            bodies = [self._body(each, k) for each in self._asked(block)]
            for query, scores in zip(block, self._engine.found(self._name, bodies), strict=True):
                run[query.id] = {self._ids[place]: score for place, score in scores.items()}
        return run

    def score(self, queries: Sequence[Query], candidates: Candidates) -> Run:
        """Score the candidates; one that shares no word with the query has BM25 score 0."""
        run: dict[str, dict[str, float]] = {}
        for query in track(queries, "Scoring in the engine"):
            names = candidates.get(query.id, ())
            places = list(dict.fromkeys(self._place(name, query) for name in names))
            (asked,) = self._asked([query])
            bodies = [
                self._body(asked, len(some), some)
                for start in range(0, len(places), _CANDIDATES)
                if (some := places[start : start + _CANDIDATES])
            ]
            scores: dict[int, float] = {}
            for found in self._engine.found(self._name, bodies):
                scores.update(found)
            best = sorted(places, key=lambda place: -scores.get(place, 0.0))
            run[query.id] = {self._ids[place]: scores[place] for place in best if place in scores}
        return run

    def _asked(self, queries: Sequence[Query]) -> list[Any]:
        """Return what the engine compares with documents: texts or vectors."""
        texts = [query.content.encode("utf-8", "replace").decode() for query in queries]
        if self._source is None:
            return texts
        vectors: list[Any] = embed(self._source, texts, "query").tolist()
        return vectors

    def _body(self, asked: Any, k: int, places: Sequence[int] | None = None) -> dict[str, Any]:
        """Return the search for the best k documents, or for all those at the given places."""
        only = None if places is None else {"ids": {"values": [str(place) for place in places]}}
        head = {"size": k, "_source": False, "track_total_hits": False}
        if self._source is not None:
            return {**head, **self._engine.nearest(asked, k, only)}
        match = {"match": {"text": {"query": asked}}}
        if only is None:
            return {**head, "query": match}
        return {**head, "query": {"bool": {"should": [match], "filter": [only]}}}

    def _place(self, name: str, query: Query) -> int:
        if not self._places:
            self._places = {id: place for place, id in enumerate(self._ids)}
        if name not in self._places:
            raise InputError(
                f"The candidates of query {query.id!r} name document {name!r}, "
                "which is not in the corpus."
            )
        return self._places[name]


class _Rest:
    """Calls of the engine's REST interface."""

    def __init__(self, url: str, key: str, patience: Patience) -> None:
        self.url = url
        self._headers = {"Authorization": key} if key else {}
        self._service = Service(patience, [key, key.partition(" ")[2]])
        self._attempts = patience.retries + 1

    def attempts(self) -> Iterator[int]:
        """Yield the numbers of the attempts that may be made, waiting between them."""
        for attempt in range(self._attempts):
            if attempt:
                self._service.pause(attempt - 1)
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
            raise InputError(f"{bare_url(self.url)}: {method} {path}: {error}") from None


class _Engine:
    """The indexes of one engine."""

    kind = "index"

    def __init__(self, rest: _Rest, options: Mapping[str, Any]) -> None:
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
                    f"{bare_url(self.rest.url)} is neither OpenSearch nor Elasticsearch."
                )
            self._is_opensearch = version.get("distribution") == "opensearch"
        return self._is_opensearch

    def mark(self, name: str) -> Mark | None:
        _ = self.is_opensearch  # what is neither of the two is told before anything is read from it
        found = self.rest.call("GET", f"/{quote(name, '')}/_mapping")
        if not found:
            return None
        (its, *others) = found.values()
        return Mark() if others else mark_of(its.get("mappings", {}).get("_meta"))

    def create(self, name: str, mark: Mark, dimension: int) -> None:
        properties: dict[str, Any] = {"document": {"type": "keyword", "index": False}}
        properties["document"]["doc_values"] = False
        settings: dict[str, Any] = {}
        if self.options["mode"] == "bm25":
            weights = {"type": "BM25", "k1": self.options["k1"], "b": self.options["b"]}
            settings["similarity"] = {"default": weights}
            properties["text"] = {"type": "text", "analyzer": self.options["analyzer"]}
        elif self.is_opensearch:
            settings["knn"] = True
            method = {"name": "hnsw", "engine": "lucene", "space_type": "cosinesimil"}
            properties["vector"] = {"type": "knn_vector", "dimension": dimension, "method": method}
        else:
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
            raise InputError(f"{bare_url(self.rest.url)} makes no index: status 404.")

    def count(self, name: str) -> int:
        self.rest.call("POST", f"/{quote(name, '')}/_refresh")
        return int((self.rest.call("GET", f"/{quote(name, '')}/_count") or {}).get("count", 0))

    def add(self, name: str, first: int, documents: Sequence[Document], vectors: Any) -> None:
        lines: list[dict[str, Any]] = []
        size = 0
        for offset, document in enumerate(documents):
            content: dict[str, Any] = {"document": _readable(document.id)}
            if vectors is None:
                content["text"] = _readable(document.content)
            else:
                content["vector"] = vectors[offset].tolist()
            lines += [{"index": {"_id": str(first + offset)}}, content]
            size += len(json.dumps(content))
            if size > _BULK_BYTES:
                self._bulk(name, lines)
                lines, size = [], 0
        if lines:
            self._bulk(name, lines)

    def remove(self, name: str) -> None:
        self.rest.call("DELETE", f"/{quote(name, '')}")

    def found(self, name: str, bodies: Sequence[Any]) -> Iterator[dict[int, float]]:
        """Yield place -> score for every search, best first."""
        if not bodies:
            return
        head = {"index": name, "search_type": "dfs_query_then_fetch"}
        if self.options["mode"] == "dense":
            head = {"index": name}
        lines = [line for body in bodies for line in (head, body)]
        answer = self.rest.call("POST", "/_msearch", lines=lines) or {}
        responses = answer.get("responses", ())
        if len(responses) != len(bodies):
            raise InputError(f"{bare_url(self.rest.url)}: the index {name!r} is gone.")
        for response in responses:
            if "error" in response:
                raise InputError(f"{bare_url(self.rest.url)}: {_reason(response['error'])}")
            pairs = [(int(hit["_id"]), float(hit["_score"])) for hit in response["hits"]["hits"]]
            yield dict(sorted(pairs, key=lambda pair: (-pair[1], pair[0])))

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
                raise InputError(f"{bare_url(self.rest.url)}: the index {name!r} is gone.")
            busy: list[dict[str, Any]] = []
            for number, result in enumerate(results):
                if result["status"] == 429:
                    busy += lines[2 * number : 2 * number + 2]
                elif result["status"] >= 300:
                    raise InputError(
                        f"{bare_url(self.rest.url)} does not take document "
                        f"{lines[2 * number + 1]['document']!r}: {_reason(result.get('error'))}"
                    )
            if not busy:
                return
            lines = busy
        raise InputError(
            f"{bare_url(self.rest.url)} is too busy to take {len(lines) // 2} documents."
        )


def _reason(error: Any) -> str:
    if isinstance(error, Mapping):
        error = error.get("reason") or error.get("type") or error
    return " ".join(str(error).split())[:300]


def _readable(text: str) -> str:
    return text.encode("utf-8", "replace").decode("utf-8")
