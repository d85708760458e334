"""The base of search engines as first stages: index the corpus, then search words or vectors.

The name of an index depends on corpus and settings, so that Leadline writes only to its own. A
document's key in the engine is its position in the corpus. Writing it twice changes nothing, and
the number of documents in the index shows where to continue.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Literal

from leadline.data.digests import fingerprint
from leadline.errors import InputError
from leadline.models.cutting import readable
from leadline.models.encoder import Embedder, embed, identity
from leadline.progress import track
from leadline.retrievers.parts.rankings import reciprocal_ranks
from leadline.types import (
    Candidates,
    Corpus,
    Document,
    Index,
    Query,
    Retriever,
    Run,
    candidates_of,
    check_corpus,
    check_k,
)

Mode = Literal["bm25", "dense", "hybrid"]
Way = Literal["bm25", "dense"]

BATCH = 500
"""Documents written at once."""

_QUERIES = 32
_FUSED = 100
"""Documents of each ranking that are fused, or more when more are asked for."""


@dataclass
class Engine(Retriever):
    """A retriever; errors of the engine's client are ServiceErrors.

    options  what decides the content of an index, beside the encoder
    source   what gives the vectors; None for words alone
    place    where the engine is, as it may be told
    deepest  documents that the engine returns at most for a query
    """

    mode: Mode
    options: Mapping[str, Any]
    source: Embedder | None
    place: str
    deepest = 0
    unscored = 0

    def exists(self, name: str) -> bool:
        """Tell whether there is an index."""
        raise NotImplementedError

    def create(self, name: str, dimension: int) -> None:
        """Make an empty index; `dimension` is that of the vectors, 0 when there are none."""
        raise NotImplementedError

    def count(self, name: str) -> int:
        """Return the number of documents, counting all that were written."""
        raise NotImplementedError

    def add(self, name: str, first: int, documents: Sequence[Document], vectors: Any) -> None:
        """Write documents under the keys first, first + 1, ..., over what may be there."""
        raise NotImplementedError

    def found(self, name: str, way: Way, asked: Sequence[Any], k: int) -> list[dict[int, float]]:
        """Return place -> score of the best k documents for each text or vector."""
        raise NotImplementedError

    def scored(
        self, name: str, way: Way, asked: Sequence[Any], places: Sequence[Sequence[int]]
    ) -> list[dict[int, float]]:
        """Return place -> score of the given documents for each text or vector."""
        raise NotImplementedError

    @property
    def settings(self) -> dict[str, Any]:
        """Engine and everything that decides a score."""
        encoder = {"encoder": self.source.settings} if self.source is not None else {}
        told = {"engine": self.place, "mode": self.mode, **self.options, **encoder}
        return told | ({"unscored": self.unscored} if self.unscored else {})

    def index(self, corpus: Corpus) -> Index:
        """Write what is missing of the corpus, and open it for search."""
        check_corpus(corpus)
        self.unscored = 0
        encoder = None if self.source is None else identity(self.source)
        setting = json.dumps(
            [fingerprint(corpus), self.mode, self.options, encoder], sort_keys=True
        )
        name = f"leadline_{hashlib.sha256(setting.encode()).hexdigest()[:16]}"
        if not self.exists(name):
            vectors = self._vectors([next(iter(corpus.values()))])
            self.create(name, 0 if vectors is None else int(vectors.shape[1]))
        held = self.count(name)
        # Whole batches stand, one that was begun is written again.
        start = held if held == len(corpus) else held // BATCH * BATCH
        documents = islice(corpus.values(), start, None)
        blocks = iter(lambda: list(islice(documents, BATCH)), [])
        for block in track(blocks, f"Indexing into {name}", total=len(corpus) - start, step=len):
            self.add(name, start, block, self._vectors(block))
            start += len(block)
        if (held := self.count(name)) != len(corpus):
            raise InputError(
                f"The index {name} of {self.place} has {held} documents after {len(corpus)} were "
                "written. Perhaps another program writes to it. Remove it and start again."
            )
        return _Index(self, name, list(corpus))

    def _vectors(self, documents: Sequence[Document]) -> Any:
        texts = [each.content for each in documents]
        return None if self.source is None else embed(self.source, texts, "document")


class _Index(Index):
    """Ties stand in corpus order."""

    def __init__(self, engine: Engine, name: str, ids: list[str]) -> None:
        self._engine = engine
        self._ways: list[Way] = ["bm25", "dense"] if engine.mode == "hybrid" else [engine.mode]
        self._name = name
        self._ids = ids
        self._places = {id: place for place, id in enumerate(ids)}

    def search(self, queries: Sequence[Query], k: int) -> Run:
        check_k(k)
        deepest = self._engine.deepest
        if k > deepest:
            raise InputError(
                f"This engine returns at most {deepest} documents for each query, got k={k}."
            )
        depth = min(k if len(self._ways) == 1 else max(k, _FUSED), deepest, len(self._ids))
        run: dict[str, dict[str, float]] = {}
        blocks = [queries[start : start + _QUERIES] for start in range(0, len(queries), _QUERIES)]
        for block in track(blocks, "Searching the engine", total=len(queries), step=len):
            found = (
                self._engine.found(self._name, way, self._asked(way, block), depth)
                for way in self._ways
            )
            for query, *rankings in zip(block, *found, strict=True):
                run[query.id] = self._named([dict(sorted(each.items())) for each in rankings], k)
        return run

    def score(self, queries: Sequence[Query], candidates: Candidates) -> Run:
        """Score the candidates: dense among themselves, BM25 with the statistics of the corpus.

        A candidate that shares no word with the query has BM25 score 0. Where more documents
        match than the engine returns, a candidate beyond them has none, and is counted.
        """
        run: dict[str, dict[str, float]] = {query.id: {} for query in queries}
        asked = [query for query in queries if candidates.get(query.id)]
        blocks = [asked[start : start + _QUERIES] for start in range(0, len(asked), _QUERIES)]
        for block in track(blocks, "Scoring in the engine", total=len(asked), step=len):
            known = [candidates_of(query, candidates, self._places) for query in block]
            places = [[self._places[id] for id in dict.fromkeys(ids)] for ids in known]
            found = (
                self._engine.scored(self._name, way, self._asked(way, block), places)
                for way in self._ways
            )
            for query, held, *each in zip(block, places, *found, strict=True):
                rankings = [{p: scores[p] for p in held if p in scores} for scores in each]
                if len(rankings) == 2:  # one that shares no word has no rank among those that do
                    rankings[0] = {p: score for p, score in rankings[0].items() if score}
                run[query.id] = self._named(rankings, len(held))
                self._engine.unscored += len(held) - len(run[query.id])
        return run

    def _asked(self, way: Way, queries: Sequence[Query]) -> list[Any]:
        """Return what the engine compares with documents: texts or vectors."""
        texts = [readable(query.content) for query in queries]
        if way == "bm25":
            return texts
        assert self._engine.source is not None
        vectors: list[Any] = embed(self._engine.source, texts, "query").tolist()
        return vectors

    def _named(self, rankings: Sequence[Mapping[int, float]], k: int) -> dict[str, float]:
        ordered = [dict(sorted(each.items(), key=lambda pair: -pair[1])) for each in rankings]
        best = ordered[0] if len(ordered) == 1 else reciprocal_ranks(ordered, k)
        return {self._ids[place]: score for place, score in islice(best.items(), k)}
