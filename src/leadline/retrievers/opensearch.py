"""OpenSearch or Elasticsearch as first stage, over REST: BM25, dense or both."""

from __future__ import annotations

import atexit
import os
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from leadline.data.addresses import shown_address
from leadline.errors import InputError
from leadline.models.cutting import readable
from leadline.models.encoder import Embedder, embed, identity
from leadline.progress import track
from leadline.retrievers.engines.ingest import ingest, remove
from leadline.retrievers.engines.opensearch_rest import DEEPEST, Engine, Rest
from leadline.retrievers.ordering.fusion import reciprocal_ranks
from leadline.retrievers.services.http import Patience, checked_url
from leadline.retrievers.vectors.named import embedder
from leadline.types import Candidates, Corpus, Index, Query, Retriever, Run

Mode = Literal["bm25", "dense", "hybrid"]
_Way = Literal["bm25", "dense"]

_QUERIES = 32
_CANDIDATES = 1000
_FUSED = 100
"""Documents of each ranking that are fused, or more when more are asked for."""


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
    mode        bm25, dense (cosine, approximate nearest neighbours), or hybrid: reciprocal rank
                fusion of both, from one index
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

    BM25 counts words over all shards. A dense score is (1 + cosine) / 2, as the engines give
    it; a hybrid one is the sum of 1 / (60 + rank).

    Raises InputError when a value is out of its range or the address does not fit.
    """
    if not k1 >= 0 or not 0 <= b <= 1:
        raise InputError(f"BM25 takes k1 >= 0 and b between 0 and 1, got k1={k1}, b={b}.")
    if batch_size < 1:
        raise InputError(f"batch_size must be at least 1, got {batch_size}.")
    if index and not re.fullmatch(r"[a-z0-9][a-z0-9._-]*", index):
        raise InputError(f"An index is named with a-z, 0-9, '.', '_' and '-', got {index!r}.")
    options: dict[str, Any] = {"mode": mode}
    if mode != "dense":
        options |= {"k1": k1, "b": b, "analyzer": analyzer}
    key = os.environ.get(auth_env, "").strip()
    rest = Rest(checked_url(model).rstrip("/"), key, Patience(timeout, retries, backoff))
    source = embedder(encoder) if mode != "bm25" else None
    return _OpenSearch(Engine(rest, options), source, index, batch_size, keep)


@dataclass
class _OpenSearch(Retriever):
    """A retriever. `remove()` removes every index that it made or went on with."""

    engine: Engine
    source: Embedder | None
    index_name: str
    batch_size: int
    keep: bool
    name: str = "opensearch"
    _made: set[str] = field(default_factory=set)

    @property
    def settings(self) -> dict[str, Any]:
        encoder = {"encoder": self.source.settings} if self.source is not None else {}
        return {"engine": shown_address(self.engine.rest.url), **self.engine.options, **encoder}

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


class _Index(Index):
    """Ties stand in corpus order."""

    def __init__(self, opensearch: _OpenSearch, name: str, ids: list[str]) -> None:
        self._engine = opensearch.engine
        self._source = opensearch.source
        self._name = name
        self._ids = ids
        mode = self._engine.options["mode"]
        self._ways: tuple[_Way, ...] = ("bm25", "dense") if mode == "hybrid" else (mode,)
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
            for query, scores in zip(block, self._found(block, k), strict=True):
                run[query.id] = {self._ids[place]: score for place, score in scores.items()}
        return run

    def score(self, queries: Sequence[Query], candidates: Candidates) -> Run:
        """Score the candidates; one that shares no word with the query has BM25 score 0."""
        run: dict[str, dict[str, float]] = {}
        for query in track(queries, "Scoring in the engine"):
            names = candidates.get(query.id, ())
            places = list(dict.fromkeys(self._place(name, query) for name in names))
            scores = self._of_candidates(query, places)
            best = sorted(places, key=lambda place: -scores.get(place, 0.0))
            run[query.id] = {self._ids[place]: scores[place] for place in best if place in scores}
        return run

    def _found(self, queries: Sequence[Query], k: int) -> list[dict[int, float]]:
        if len(self._ways) == 1:
            return self._searched(self._ways[0], queries, k)
        depth = min(max(k, _FUSED), DEEPEST)
        of_way = [self._searched(way, queries, depth) for way in self._ways]
        return [reciprocal_ranks(rankings, k) for rankings in zip(*of_way, strict=True)]

    def _searched(self, way: _Way, queries: Sequence[Query], k: int) -> list[dict[int, float]]:
        bodies = [self._body(way, asked, k) for asked in self._asked(way, queries)]
        return list(self._engine.found(self._name, bodies, way))

    def _of_candidates(self, query: Query, places: Sequence[int]) -> dict[int, float]:
        of_way = [self._scored(way, query, places) for way in self._ways]
        if len(of_way) == 1:
            return of_way[0]
        # A document that shares no word with the query has no rank among those that do.
        ranked = [{place: score for place, score in each.items() if score} for each in of_way]
        return reciprocal_ranks(ranked, len(places))

    def _scored(self, way: _Way, query: Query, places: Sequence[int]) -> dict[int, float]:
        (asked,) = self._asked(way, [query])
        bodies = [
            self._body(way, asked, len(some), some)
            for start in range(0, len(places), _CANDIDATES)
            if (some := places[start : start + _CANDIDATES])
        ]
        scores: dict[int, float] = {}
        for found in self._engine.found(self._name, bodies, way):
            scores.update(found)
        return dict(sorted(scores.items(), key=lambda pair: (-pair[1], pair[0])))

    def _asked(self, way: _Way, queries: Sequence[Query]) -> list[Any]:
        """Return what the engine compares with documents: texts or vectors."""
        texts = [readable(query.content) for query in queries]
        if way == "bm25":
            return texts
        assert self._source is not None
        vectors: list[Any] = embed(self._source, texts, "query").tolist()
        return vectors

    def _body(
        self, way: _Way, asked: Any, k: int, places: Sequence[int] | None = None
    ) -> dict[str, Any]:
        """Return the search for the best k documents, or for all those at the given places."""
        only = None if places is None else {"ids": {"values": [str(place) for place in places]}}
        head = {"size": k, "_source": False, "track_total_hits": False}
        if way == "bm25":
            return {**head, **self._engine.matching(asked, only)}
        return {**head, **self._engine.nearest(asked, k, only)}

    def _place(self, name: str, query: Query) -> int:
        if not self._places:
            self._places = {id: place for place, id in enumerate(self._ids)}
        if name not in self._places:
            raise InputError(
                f"The candidates of query {query.id!r} name document {name!r}, "
                "which is not in the corpus."
            )
        return self._places[name]
