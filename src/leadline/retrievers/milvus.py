"""Milvus as a first stage: BM25, dense or both, in a file or a cluster."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlsplit

from leadline.data.addresses import is_loopback, shown_address
from leadline.data.cache import cache_folder
from leadline.errors import InputError, ServiceError, needs
from leadline.models.encoder import Embedder
from leadline.retrievers.parts.engine import Engine, Mode, Way
from leadline.retrievers.parts.store import embedder
from leadline.types import Document, Retriever

with needs("engines"):
    from pymilvus import DataType, Function, FunctionType, MilvusClient, MilvusException

T = TypeVar("T")

LONGEST_TEXT = 65_535
"""Bytes of a text that Milvus keeps; the rest is cut off."""

_PLACES = 1000


def build(
    model: str = "",
    *,
    mode: Mode = "hybrid",
    encoder: str | Embedder = "minilm",
    k1: float = 1.5,
    b: float = 0.75,
    analyzer: str = "standard",
    index_type: str = "",
    token_env: str = "MILVUS_TOKEN",
) -> Retriever:
    """Return a retriever that indexes into Milvus and searches there.

    model       address of a cluster (`http://HOST:19530`) or a file of Milvus Lite (`./index.db`);
                empty for a file in the cache folder
    mode        bm25 by the full-text function of Milvus, dense, or reciprocal rank fusion of both
    encoder     gives the vectors: a system of the catalog, a name on the hub or a folder
    k1, b       of BM25, as in `bm25`
    analyzer    that cuts texts into words: `standard`, `english`, ...
    index_type  of the vectors; FLAT, which is exact, in a file and AUTOINDEX in a cluster
    token_env   environment variable that holds the cluster's token

    Milvus Lite keeps statistics of words by segment of its file, so that BM25 scores of a corpus
    with several segments are close to those of a cluster and not equal. Texts are cut off after
    65,535 bytes for BM25.

    Raises InputError when a value is out of its range, and MissingExtraError without pymilvus.
    """
    if not k1 > 0 or not 0 <= b <= 1:
        raise InputError(f"BM25 in Milvus takes k1 > 0 and b in [0, 1], got k1={k1}, b={b}.")
    remote = "://" in model
    uri = model or str(cache_folder("milvus") / "leadline.db")
    options = {} if mode == "dense" else {"k1": k1, "b": b, "analyzer": analyzer}
    if mode != "bm25":
        options["index_type"] = index_type or ("AUTOINDEX" if remote else "FLAT")
    place = shown_address(uri) if remote else "embedded file"
    source = embedder(encoder) if mode != "bm25" else None
    return _Milvus(mode, options, source, place, uri, os.environ.get(token_env, ""))


@dataclass
class _Milvus(Engine):
    uri: str
    token: str = field(repr=False)
    name = "milvus"
    deepest = 16_384

    @cached_property
    def client(self) -> Any:
        uri = self.uri
        if "://" not in uri:
            path = Path(uri).expanduser()
            if not path.parent.is_dir():
                raise InputError(f"There is no folder {path.parent} for the file of Milvus Lite.")
            uri = str(path)
        # Milvus Lite takes a sign of life every ten seconds, the default, for an attack.
        proxied = int(not is_loopback(urlsplit(uri).hostname or ""))
        options = {"grpc.keepalive_time_ms": 300_000, "grpc.enable_http_proxy": proxied}
        return _told(lambda: MilvusClient(uri=uri, token=self.token, grpc_options=options))

    def exists(self, name: str) -> bool:
        return bool(_told(lambda: self.client.has_collection(name)))

    def create(self, name: str, dimension: int) -> None:
        schema = self.client.create_schema(auto_id=False)
        schema.add_field("place", DataType.INT64, is_primary=True)
        indexes = self.client.prepare_index_params()
        if "k1" in self.options:
            analyzer = {
                "enable_analyzer": True,
                "analyzer_params": {"type": self.options["analyzer"]},
            }
            schema.add_field("text", DataType.VARCHAR, max_length=LONGEST_TEXT, **analyzer)
            schema.add_field("sparse", DataType.SPARSE_FLOAT_VECTOR)
            schema.add_function(Function("bm25", FunctionType.BM25, ["text"], ["sparse"]))
            weights = {"bm25_k1": self.options["k1"], "bm25_b": self.options["b"]}
            indexes.add_index(
                "sparse", index_type="SPARSE_INVERTED_INDEX", metric_type="BM25", params=weights
            )
        if dimension:
            schema.add_field("dense", DataType.FLOAT_VECTOR, dim=dimension)
            indexes.add_index("dense", index_type=self.options["index_type"], metric_type="COSINE")
        options = {"schema": schema, "index_params": indexes, "consistency_level": "Strong"}
        _told(lambda: self.client.create_collection(name, **options))

    def count(self, name: str) -> int:
        _told(lambda: self.client.load_collection(name))
        rows = _told(lambda: self.client.query(name, filter="", output_fields=["count(*)"]))
        return int(rows[0]["count(*)"])

    def add(self, name: str, first: int, documents: Sequence[Document], vectors: Any) -> None:
        rows: list[dict[str, Any]] = []
        for offset, document in enumerate(documents):
            row: dict[str, Any] = {"place": first + offset}
            if "k1" in self.options:
                row["text"] = _cut(document.content)
            if vectors is not None:
                row["dense"] = vectors[offset].tolist()
            rows.append(row)
        _told(lambda: self.client.upsert(name, rows))

    def found(
        self, name: str, way: Way, asked: Sequence[Any], k: int, only: str = ""
    ) -> list[dict[int, float]]:
        texts = way == "bm25"
        hits = _told(
            lambda: self.client.search(
                name,
                data=[_cut(each) for each in asked] if texts else list(asked),
                anns_field="sparse" if texts else "dense",
                limit=k,
                filter=only,
                output_fields=["place"],
            )
        )
        # No score of BM25 is below 0, but Milvus Lite gives it as a distance, negated.
        sign: Callable[[float], float] = abs if texts else float
        return [
            {int(hit["entity"]["place"]): sign(float(hit["distance"])) for hit in each}
            for each in hits
        ]

    def scored(
        self, name: str, way: Way, asked: Sequence[Any], places: Sequence[Sequence[int]]
    ) -> list[dict[int, float]]:
        if way == "dense":
            return [self._near(name, one, held) for one, held in zip(asked, places, strict=True)]
        # A filter would not do: Milvus Lite counts words among the documents that pass it.
        depth = self.deepest
        scores = []
        for held, found in zip(places, self.found(name, way, asked, depth), strict=True):
            every_match = len(found) < depth
            scores.append({p: found.get(p, 0.0) for p in held if every_match or p in found})
        return scores

    def _near(self, name: str, vector: Any, places: Sequence[int]) -> dict[int, float]:
        found: dict[int, float] = {}
        for start in range(0, len(places), _PLACES):
            some = list(places[start : start + _PLACES])
            (scores,) = self.found(name, "dense", [vector], len(some), f"place in {some}")
            found.update(scores)
        return found


def _told(call: Callable[[], T]) -> T:
    try:
        return call()
    except (MilvusException, ConnectionError, ImportError) as error:
        told = " ".join(str(getattr(error, "message", error)).split())[:300]
        raise ServiceError(f"Milvus: {told}") from error


def _cut(text: str) -> str:
    return text.encode("utf-8", "replace")[:LONGEST_TEXT].decode("utf-8", "ignore")
