"""Milvus as first stage: BM25, dense or both, in an embedded file or in a cluster."""

from __future__ import annotations

import atexit
import os
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, TypeVar
from urllib.parse import urlsplit

from leadline.data.addresses import is_loopback, shown_address
from leadline.data.cache import cache_folder
from leadline.errors import InputError, needs
from leadline.models.encoder import Embedder, embed, identity
from leadline.progress import track
from leadline.retrievers.engines.ingest import Mark, ingest, mark_of, remove
from leadline.retrievers.ordering.fusion import reciprocal_ranks
from leadline.retrievers.vectors.named import embedder
from leadline.types import Candidates, Corpus, Document, Index, Query, Retriever, Run

with needs("engines"):
    from pymilvus import (
        AnnSearchRequest,
        DataType,
        Function,
        FunctionType,
        MilvusClient,
        MilvusException,
        RRFRanker,
    )

Mode = Literal["bm25", "dense", "hybrid"]
T = TypeVar("T")

LONGEST_TEXT = 65_535
"""Bytes of a text that Milvus keeps; the rest is cut off."""
DEEPEST = 16_384
"""Documents that Milvus returns at most."""

_MARK = "leadline"
_RRF = 60
_QUERIES = 32
_Places = Sequence[Sequence[int]]
_SCORED = 8  # queries whose candidates are scored at once, with up to DEEPEST documents each


def build(
    model: str = "",
    *,
    mode: Mode = "hybrid",
    encoder: str | Embedder = "minilm",
    collection: str = "",
    k1: float = 1.5,
    b: float = 0.75,
    analyzer: str = "standard",
    index_type: str = "",
    batch_size: int = 500,
    token_env: str = "MILVUS_TOKEN",
    keep: bool = True,
) -> Retriever:
    """Return a retriever that indexes into Milvus and searches there.

    model       address of a cluster (`http://HOST:19530`) or a file of Milvus Lite (`./index.db`);
                empty for a file in the cache folder
    mode        bm25 by the full-text function of Milvus, dense, or reciprocal rank fusion of both
    encoder     gives the vectors: a system of the catalog, a name on the hub or a folder
    collection  its name; by default one made of corpus and setting
    k1, b       of BM25, as in `bm25`
    analyzer    that cuts texts into words: `standard`, `english`, ...
    index_type  of the vectors; FLAT, which is exact, in a file and AUTOINDEX in a cluster
    batch_size  documents written at once
    token_env   environment variable that holds the cluster's token
    keep        leave the collection there when the process ends, for the next one

    Milvus Lite keeps statistics of words by segment of its file, so that BM25 scores of a corpus
    with several segments are close to those of a cluster and not equal. Texts are cut off after
    65,535 bytes for BM25.

    Raises InputError when a value is out of its range, and MissingExtraError without pymilvus.
    """
    if not k1 > 0 or not 0 <= b <= 1:
        raise InputError(f"BM25 in Milvus takes k1 > 0 and b in [0, 1], got k1={k1}, b={b}.")
    if batch_size < 1:
        raise InputError(f"batch_size must be at least 1, got {batch_size}.")
    if model and not keep and "://" not in model:
        raise InputError("A file of your own is kept: leave out keep=false, or the file.")
    scratch = None if model or keep else tempfile.TemporaryDirectory(prefix="leadline-")
    uri = model or str(Path(scratch.name if scratch else cache_folder("milvus")) / "leadline.db")
    remote = "://" in uri
    of_vectors = {"index_type": index_type or ("AUTOINDEX" if remote else "FLAT")}
    settings = {
        "mode": mode,
        **({"k1": k1, "b": b, "analyzer": analyzer} if mode != "dense" else {}),
        **(of_vectors if mode != "bm25" else {}),
    }
    source = embedder(encoder) if mode != "bm25" else None
    token = os.environ.get(token_env, "")
    return _Milvus(uri, token, settings, source, collection, batch_size, keep, scratch)


@dataclass
class _Milvus(Retriever):
    """A retriever. `remove()` removes every collection that it made or went on with."""

    uri: str
    token: str = field(repr=False)
    options: dict[str, Any]
    source: Embedder | None
    collection: str
    batch_size: int
    keep: bool
    scratch: Any
    """Holds the folder of a file that is not kept; it goes when the retriever goes."""
    name: str = "milvus"
    unscored: int = 0
    _made: set[str] = field(default_factory=set)
    _engine: _Engine | None = None

    @property
    def settings(self) -> dict[str, Any]:
        where = shown_address(self.uri) if "://" in self.uri else "embedded file"
        encoder = {"encoder": self.source.settings} if self.source is not None else {}
        told = {"milvus": where, **self.options, **encoder}
        return told | ({"unscored": self.unscored} if self.unscored else {})

    @property
    def engine(self) -> _Engine:
        if self._engine is None:
            self._engine = _Engine(_connected(self.uri, self.token), self.options)
        return self._engine

    def index(self, corpus: Corpus) -> _Index:
        """Write what is missing of the corpus, and open it for search."""
        self.unscored = 0
        setting = dict(self.options)
        if self.source is not None:
            setting["encoder"] = identity(self.source)
        name = ingest(
            self.engine,
            self.collection,
            corpus,
            setting=setting,
            source=self.source,
            batch=self.batch_size,
        )
        if not self._made and not self.keep and self.scratch is None:
            atexit.register(self.remove)
        self._made.add(name)
        _told(lambda: self.engine.client.load_collection(name))
        return _Index(self, name, list(corpus))

    def remove(self) -> None:
        """Remove every collection that this retriever made or went on with."""
        for name in sorted(self._made):
            remove(self.engine, name)
        self._made.clear()


class _Index(Index):
    """Ties stand in corpus order."""

    def __init__(self, milvus: _Milvus, name: str, ids: list[str]) -> None:
        self._milvus = milvus
        self._client = milvus.engine.client
        self._name = name
        self._ids = ids
        self._places: dict[str, int] = {}

    def remove(self) -> None:
        """Remove the collection; the index cannot be searched any more."""
        remove(self._milvus.engine, self._name)

    def search(self, queries: Sequence[Query], k: int) -> Run:
        """Return at most k documents of each query, best first."""
        _check_k(k)
        run: dict[str, dict[str, float]] = {}
        blocks = [queries[start : start + _QUERIES] for start in range(0, len(queries), _QUERIES)]
        for block in track(blocks, "Searching Milvus", total=len(queries), step=_QUERIES):
            found = self._found(block, min(k, len(self._ids)))
            for query, scores in zip(block, found, strict=True):
                run[query.id] = {self._ids[place]: score for place, score in scores.items()}
        return run

    def score(self, queries: Sequence[Query], candidates: Candidates) -> Run:
        """Score the candidates: dense among themselves, BM25 with the statistics of the corpus.

        A candidate that shares no word with the query has BM25 score 0. Where more documents
        match than Milvus returns, a candidate beyond them has none, and is counted.
        """
        run: dict[str, dict[str, float]] = {query.id: {} for query in queries}
        asked = [query for query in queries if candidates.get(query.id)]
        blocks = [asked[start : start + _SCORED] for start in range(0, len(asked), _SCORED)]
        for block in track(blocks, "Scoring in Milvus", total=len(asked), step=_SCORED):
            places = [[self._place(n, query) for n in candidates[query.id]] for query in block]
            found = self._of_candidates(block, places)
            for query, held, scores in zip(block, places, found, strict=True):
                self._milvus.unscored += len(set(held)) - len(scores)
                order = sorted(scores, key=lambda place: -scores[place])
                run[query.id] = {self._ids[place]: scores[place] for place in order}
        return run

    def _found(self, queries: Sequence[Query], k: int) -> list[dict[int, float]]:
        mode = self._milvus.options["mode"]
        if mode == "hybrid":
            return self._fused(queries, k)
        return self._searched(mode, queries, k)

    def _searched(
        self, mode: str, queries: Sequence[Query], k: int, condition: str = ""
    ) -> list[dict[int, float]]:
        field_name, data = self._data(mode, queries)
        hits = _told(
            lambda: self._client.search(
                self._name,
                data=data,
                anns_field=field_name,
                limit=k,
                filter=condition,
                output_fields=["place"],
            )
        )
        return [_scores(each, mode) for each in hits]

    def _fused(self, queries: Sequence[Query], k: int) -> list[dict[int, float]]:
        depth = min(max(k, 100), len(self._ids))
        requests = []
        for mode in ("bm25", "dense"):
            field_name, data = self._data(mode, queries)
            requests.append(AnnSearchRequest(data, field_name, {}, depth))
        hits = _told(
            lambda: self._client.hybrid_search(
                self._name, requests, RRFRanker(_RRF), limit=k, output_fields=["place"]
            )
        )
        return [_scores(each, "hybrid") for each in hits]

    def _of_candidates(self, queries: Sequence[Query], places: _Places) -> list[dict[int, float]]:
        mode = self._milvus.options["mode"]
        if mode == "bm25":
            return self._by_words(queries, places)
        near = [self._by_vector(query, held) for query, held in zip(queries, places, strict=True)]
        if mode == "dense":
            return near
        fused = []
        for held, *both in zip(places, self._by_words(queries, places), near, strict=True):
            matching = {place: score for place, score in both[0].items() if score}
            pairs = [sorted(each.items(), key=lambda x: -x[1]) for each in (matching, both[1])]
            fused.append(reciprocal_ranks([dict(each) for each in pairs], len(held), _RRF))
        return fused

    def _by_words(self, queries: Sequence[Query], places: _Places) -> list[dict[int, float]]:
        # A filter would not do: Milvus Lite counts words among the documents that pass it.
        depth = min(DEEPEST, len(self._ids))
        scores = []
        for held, found in zip(places, self._searched("bm25", queries, depth), strict=True):
            every_match = len(found) < depth or depth == len(self._ids)
            scores.append({p: found.get(p, 0.0) for p in held if every_match or p in found})
        return scores

    def _by_vector(self, query: Query, places: Sequence[int]) -> dict[int, float]:
        found: dict[int, float] = {}
        for start in range(0, len(places), 1000):
            some = list(dict.fromkeys(places[start : start + 1000]))
            (scores,) = self._searched("dense", [query], len(some), f"place in {some}")
            found.update(scores)
        return {place: found[place] for place in places if place in found}

    def _data(self, mode: str, queries: Sequence[Query]) -> tuple[str, list[Any]]:
        texts = [query.content for query in queries]
        if mode == "bm25":
            return "sparse", [_cut(text) for text in texts]
        assert self._milvus.source is not None
        return "dense", embed(self._milvus.source, texts, "query").tolist()

    def _place(self, name: str, query: Query) -> int:
        if not self._places:
            self._places = {id: place for place, id in enumerate(self._ids)}
        if name not in self._places:
            raise InputError(
                f"The candidates of query {query.id!r} name document {name!r}, "
                "which is not in the corpus."
            )
        return self._places[name]


@dataclass(frozen=True)
class _Engine:
    client: Any
    options: dict[str, Any]
    kind: str = "collection"

    def mark(self, name: str) -> Mark | None:
        if not _told(lambda: self.client.has_collection(name)):
            return None
        described = _told(lambda: self.client.describe_collection(name))
        # Milvus Lite keeps properties and no description; a cluster keeps both.
        noted = (described.get("properties") or {}).get(_MARK) or described.get("description")
        return mark_of(noted)

    def create(self, name: str, mark: Mark, dimension: int) -> None:
        schema = self.client.create_schema(auto_id=False, description=mark.text())
        schema.add_field("place", DataType.INT64, is_primary=True)
        indexes = self.client.prepare_index_params()
        if self.options["mode"] != "dense":
            analyzer = {"type": self.options["analyzer"]}
            schema.add_field(
                "text",
                DataType.VARCHAR,
                max_length=LONGEST_TEXT,
                enable_analyzer=True,
                analyzer_params=analyzer,
            )
            schema.add_field("sparse", DataType.SPARSE_FLOAT_VECTOR)
            schema.add_function(
                Function(
                    name="bm25",
                    function_type=FunctionType.BM25,
                    input_field_names=["text"],
                    output_field_names=["sparse"],
                )
            )
            weights = {"bm25_k1": self.options["k1"], "bm25_b": self.options["b"]}
            indexes.add_index(
                "sparse", index_type="SPARSE_INVERTED_INDEX", metric_type="BM25", params=weights
            )
        if dimension:
            schema.add_field("dense", DataType.FLOAT_VECTOR, dim=dimension)
            indexes.add_index("dense", index_type=self.options["index_type"], metric_type="COSINE")
        _told(
            lambda: self.client.create_collection(
                name,
                schema=schema,
                index_params=indexes,
                consistency_level="Strong",
                properties={_MARK: mark.text()},
            )
        )

    def count(self, name: str) -> int:
        _told(lambda: self.client.load_collection(name))
        rows = _told(lambda: self.client.query(name, filter="", output_fields=["count(*)"]))
        return int(rows[0]["count(*)"])

    def add(self, name: str, first: int, documents: Sequence[Document], vectors: Any) -> None:
        rows: list[dict[str, Any]] = []
        for offset, document in enumerate(documents):
            row: dict[str, Any] = {"place": first + offset}
            if self.options["mode"] != "dense":
                row["text"] = _cut(document.content)
            if vectors is not None:
                row["dense"] = vectors[offset].tolist()
            rows.append(row)
        _told(lambda: self.client.upsert(name, rows))

    def remove(self, name: str) -> None:
        _told(lambda: self.client.drop_collection(name))


def _connected(uri: str, token: str) -> Any:
    if "://" not in uri:
        path = Path(uri).expanduser()
        if not path.parent.is_dir():
            raise InputError(f"There is no folder {path.parent} for the file of Milvus Lite.")
        uri = str(path)
    # Milvus Lite takes a sign of life every ten seconds, the default, for an attack.
    proxied = int(not is_loopback(urlsplit(uri).hostname or ""))
    options = {"grpc.keepalive_time_ms": 300_000, "grpc.enable_http_proxy": proxied}
    return _told(lambda: MilvusClient(uri=uri, token=token, grpc_options=options))


def _told(call: Callable[[], T]) -> T:
    """Turn what Milvus raises into one line."""
    try:
        return call()
    except MilvusException as error:
        raise InputError(f"Milvus: {' '.join(str(error.message).split())[:300]}") from error
    except (ConnectionError, ImportError) as error:
        raise InputError(f"Milvus: {' '.join(str(error).split())[:300]}") from error


def _scores(hits: Any, mode: str) -> dict[int, float]:
    """Return place -> score, best first."""
    pairs = [(int(hit["entity"]["place"]), float(hit["distance"])) for hit in hits]
    if mode == "bm25":  # no score is below 0, but Milvus Lite gives it as a distance, negated
        pairs = [(place, abs(score)) for place, score in pairs]
    return dict(sorted(pairs, key=lambda pair: (-pair[1], pair[0])))


def _cut(text: str) -> str:
    return text.encode("utf-8", "replace")[:LONGEST_TEXT].decode("utf-8", "ignore")


def _check_k(k: int) -> None:
    if k < 1:
        raise InputError(f"k must be at least 1, got {k}.")
    if k > DEEPEST:
        raise InputError(f"Milvus returns at most {DEEPEST} documents for a query, got k={k}.")
