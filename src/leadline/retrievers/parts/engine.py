"""A search engine as first stage: it is given the corpus, and finds documents by words or vectors.

An index carries a mark that says who made it, of which corpus and with which setting. A document's
key in the engine is its place in the corpus. Writing it twice changes nothing, and the number of
documents that are there tells where to go on.
"""

from __future__ import annotations

import atexit
import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, ClassVar, Literal

from leadline.data.fingerprint import fingerprint
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

_MAKER = "leadline"
_QUERIES = 32
_FUSED = 100
"""Documents of each ranking that are fused, or more when more are asked for."""


class Store:
    """What an engine can do; errors of its client are InputErrors.

    kind     what its indexes are called there, which is also the option that names one
    deepest  documents that it returns at most for a query
    """

    kind: ClassVar[str]
    deepest: ClassVar[int]

    def mark(self, name: str) -> Any:
        """Return what an index says of itself, as a mapping or JSON; None if there is no index."""
        raise NotImplementedError

    def create(self, name: str, mark: Mapping[str, Any], dimension: int) -> None:
        """Make an empty index; `dimension` is that of the vectors, 0 when there are none."""
        raise NotImplementedError

    def count(self, name: str) -> int:
        """Return the number of documents, counting all that were written."""
        raise NotImplementedError

    def add(self, name: str, first: int, documents: Sequence[Document], vectors: Any) -> None:
        """Write documents under the keys first, first + 1, ..., over what may be there."""
        raise NotImplementedError

    def remove(self, name: str) -> None:
        """Remove an index."""
        raise NotImplementedError

    def found(self, name: str, way: Way, asked: Sequence[Any], k: int) -> list[dict[int, float]]:
        """Return place -> score of the best k documents for each text or vector."""
        raise NotImplementedError

    def scored(
        self, name: str, way: Way, asked: Sequence[Any], places: Sequence[Sequence[int]]
    ) -> list[dict[int, float]]:
        """Return place -> score of the given documents for each text or vector."""
        raise NotImplementedError


@dataclass
class EngineRetriever(Retriever):
    """A retriever. `remove()` removes every index that it made or went on with.

    options  what decides the content of an index, beside the encoder
    named    the index to use; empty for one made of corpus and setting
    place    where the engine is, as it may be told
    """

    name: str
    store: Store
    mode: Mode
    options: Mapping[str, Any]
    source: Embedder | None
    named: str
    keep: bool
    place: str
    unscored: int = 0
    _made: set[str] = field(default_factory=set)

    @property
    def settings(self) -> dict[str, Any]:
        """Engine and everything that decides a score."""
        encoder = {"encoder": self.source.settings} if self.source is not None else {}
        told = {"engine": self.place, "mode": self.mode, **self.options, **encoder}
        return told | ({"unscored": self.unscored} if self.unscored else {})

    @property
    def ways(self) -> tuple[Way, ...]:
        """By what documents are found, and then fused by rank."""
        return ("bm25", "dense") if self.mode == "hybrid" else (self.mode,)

    def index(self, corpus: Corpus) -> EngineIndex:
        """Write what is missing of the corpus, and open it for search.

        Raises InputError when the index was not made by Leadline, or of something else.
        """
        check_corpus(corpus)
        self.unscored = 0
        encoder = {} if self.source is None else {"encoder": identity(self.source)}
        mark = {
            "made_by": _MAKER,
            "corpus": fingerprint(corpus),
            "setting": _digest({"mode": self.mode, **self.options, **encoder}),
        }
        name = self.named or f"leadline_{_digest(mark)}"
        there = self.store.mark(name)
        if there is None:
            first = next(iter(corpus.values()))
            vectors = self._vectors([first])
            self.store.create(name, mark, 0 if vectors is None else int(vectors.shape[1]))
            start = 0
        else:
            self._check(_mark_of(there), mark, name)
            held = self.store.count(name)
            # Whole batches stand, one that was begun is written again.
            start = held if held == len(corpus) else held // BATCH * BATCH
        if not self._made and not self.keep:
            atexit.register(self.remove)
        self._made.add(name)
        self._write(name, corpus, start)
        return EngineIndex(self, name, list(corpus))

    def remove(self) -> None:
        """Remove every index that this retriever made or went on with."""
        for name in sorted(self._made):
            there = self.store.mark(name)
            if there is not None and _mark_of(there):
                self.store.remove(name)
        self._made.clear()

    def _write(self, name: str, corpus: Corpus, start: int) -> None:
        documents = islice(corpus.values(), start, None)
        blocks = iter(lambda: list(islice(documents, BATCH)), [])
        label = f"Indexing into {name}"
        for block in track(blocks, label, total=len(corpus) - start, step=len):
            self.store.add(name, start, block, self._vectors(block))
            start += len(block)
        held = self.store.count(name)
        if held != len(corpus):
            raise InputError(
                f"The {self.store.kind} {name!r} holds {held} documents after {len(corpus)} were "
                "written. Does something else write to it? Remove it and start again."
            )

    def _vectors(self, documents: Sequence[Document]) -> Any:
        if self.source is None:
            return None
        return embed(self.source, [each.content for each in documents], "document")

    def _check(self, there: Mapping[str, Any], wanted: Mapping[str, Any], name: str) -> None:
        kind = self.store.kind
        if not there:
            raise InputError(
                f"The {kind} {name!r} was not made by Leadline, which does not write to it. "
                f"Choose another name: {kind}=NAME."
            )
        if {**there, **wanted} != there:
            same = there.get("corpus") == wanted["corpus"]
            what = "with another setting" if same else "of another corpus"
            raise InputError(
                f"The {kind} {name!r} was made {what}. Choose another name ({kind}=NAME), or "
                "remove it first."
            )


class EngineIndex(Index):
    """Ties stand in corpus order."""

    def __init__(self, retriever: EngineRetriever, name: str, ids: list[str]) -> None:
        self._retriever = retriever
        self._store = retriever.store
        self._name = name
        self._ids = ids
        self._places = {id: place for place, id in enumerate(ids)}

    def search(self, queries: Sequence[Query], k: int) -> Run:
        """Return at most k documents of each query, best first."""
        check_k(k)
        deepest = self._store.deepest
        if k > deepest:
            raise InputError(f"This engine returns at most {deepest} documents a query, got k={k}.")
        ways = self._retriever.ways
        depth = min(k if len(ways) == 1 else max(k, _FUSED), deepest, len(self._ids))
        run: dict[str, dict[str, float]] = {}
        blocks = [queries[start : start + _QUERIES] for start in range(0, len(queries), _QUERIES)]
        for block in track(blocks, "Searching the engine", total=len(queries), step=len):
            found = [self._store.found(self._name, w, self._asked(w, block), depth) for w in ways]
            for query, *rankings in zip(block, *map(_in_order, found), strict=True):
                run[query.id] = self._named(rankings, k)
        return run

    def score(self, queries: Sequence[Query], candidates: Candidates) -> Run:
        """Score the candidates: dense among themselves, BM25 with the statistics of the corpus.

        A candidate that shares no word with the query has BM25 score 0. Where more documents
        match than the engine returns, a candidate beyond them has none, and is counted.
        """
        run: dict[str, dict[str, float]] = {query.id: {} for query in queries}
        asked = [query for query in queries if candidates.get(query.id)]
        blocks = [asked[start : start + _QUERIES] for start in range(0, len(asked), _QUERIES)]
        ways = self._retriever.ways
        for block in track(blocks, "Scoring in the engine", total=len(asked), step=len):
            places = [
                [
                    *dict.fromkeys(
                        self._places[id] for id in candidates_of(q, candidates, self._places)
                    )
                ]
                for q in block
            ]
            found = [self._store.scored(self._name, w, self._asked(w, block), places) for w in ways]
            for query, held, *each in zip(block, places, *found, strict=True):
                rankings = [{p: scores[p] for p in held if p in scores} for scores in each]
                if len(ways) == 2:  # one that shares no word has no rank among those that do
                    rankings[0] = {p: score for p, score in rankings[0].items() if score}
                ordered = [_sorted(ranking) for ranking in rankings]
                run[query.id] = self._named(ordered, len(held))
                self._retriever.unscored += len(held) - len(run[query.id])
        return run

    def _asked(self, way: Way, queries: Sequence[Query]) -> list[Any]:
        """Return what the engine compares with documents: texts or vectors."""
        texts = [readable(query.content) for query in queries]
        if way == "bm25":
            return texts
        assert self._retriever.source is not None
        vectors: list[Any] = embed(self._retriever.source, texts, "query").tolist()
        return vectors

    def _named(self, rankings: Sequence[Mapping[int, float]], k: int) -> dict[str, float]:
        best = rankings[0] if len(rankings) == 1 else reciprocal_ranks(rankings, k)
        return {self._ids[place]: score for place, score in islice(best.items(), k)}


def _in_order(found: Sequence[Mapping[int, float]]) -> list[dict[int, float]]:
    """Return rankings best first, ties by place."""
    return [_sorted(dict(sorted(each.items()))) for each in found]


def _sorted(scores: Mapping[int, float]) -> dict[int, float]:
    return dict(sorted(scores.items(), key=lambda pair: -pair[1]))


def _mark_of(value: Any) -> dict[str, Any]:
    """Return the mark that an engine gives back; an empty one for an index of somebody else."""
    try:
        found = json.loads(value) if isinstance(value, str) else value
    except ValueError:
        return {}
    ours = isinstance(found, Mapping) and found.get("made_by") == _MAKER
    return dict(found) if ours else {}


def _digest(value: Any) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()[:16]
