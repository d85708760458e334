"""Use functions and objects of other libraries as systems."""

from __future__ import annotations

import inspect
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib import import_module
from itertools import islice
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from leadline.errors import InputError
from leadline.progress import track
from leadline.rerankers.parts.pairs import rerank_pairs
from leadline.retrievers.parts.rankings import best_places
from leadline.system import System, outside_corpus
from leadline.systems.chunks import Chunks, in_documents
from leadline.types import (
    Candidates,
    Corpus,
    Document,
    Index,
    Query,
    Reranker,
    Retriever,
    Run,
    among,
    best_first,
    candidates_of,
    check_corpus,
    check_k,
    first,
)

CANDIDATE_DEPTH = 1000

Search = Callable[[Sequence[Query], int, Corpus], list[Any]]
"""Queries, k and corpus -> the ranking of each query, in any of the forms of `ranked`."""

_BLOCK = 4096


def as_system(
    thing: Any,
    *,
    name: str = "",
    depth: int | None = None,
    candidate_depth: int = CANDIDATE_DEPTH,
    reranks: bool | None = None,
    chunks: Chunks | None = None,
) -> System:
    """Return a system for a name, a function, or an object of another library.

    A function takes a list of query texts, or one text if its first parameter is called `query`.
    It returns for each query the ids best first, pairs of id and score, or a mapping from id to
    score. It gets `k` and `corpus` if it has parameters of these names. Without `corpus` it
    searches its own documents. `as_system(lambda query, k: search(query)[:k])` is a system.

    Args:
        thing: A System, retriever or reranker, or its name; an object with the `encode` of
            sentence-transformers; a `CrossEncoder`; a PyTerrier transformer; or a function.
            A reranker reorders the candidates of the benchmark, or else what BM25 finds.
        name: Its name in reports. Default: its own name, or that of its class.
        depth: Documents to find for each query. Default: 100, or the depth of a System.
        candidate_depth: Documents to request from a function or transformer when it must score
            given candidates. Candidates that it does not find get no score.
        reranks: Whether a transformer reranks. Default: yes if it tells PyTerrier that it
            needs `docno` or `text`.
        chunks: For an index of chunks, the mark at whose last occurrence chunk ids are cut
            (`"#"`), or a function from chunk id to document id. The best chunk counts.

    Returns:
        The system.

    Raises:
        InputError: The thing has none of these forms.
    """
    if isinstance(thing, str):
        from leadline.systems.chains import load_system

        return as_system(load_system(thing, chunks=chunks), name=name or thing, depth=depth)
    name = name or _name_of(thing)
    if isinstance(thing, System):
        system = replace(thing, name=name, depth=thing.depth if depth is None else depth)
        return in_documents(system, chunks)
    depth = 100 if depth is None else depth
    if _has(thing, "rerank"):
        return _reranking(thing, depth, name)
    if _has(thing, "index") and isinstance(getattr(thing, "name", None), str):
        return System(in_documents(thing, chunks), None, depth, name)
    if _has(thing, "encode"):
        return System(_Encoder(thing, name), None, depth, name)
    if _has(thing, "predict"):
        return _reranking(_PairScorer(thing.predict, name), depth, name)
    if _has(thing, "transform"):
        if _reranks(thing) if reranks is None else reranks:
            return _reranking(_TableReranker(thing, name), depth, name)

        def find(queries: Sequence[Query], k: int, corpus: Corpus) -> list[Any]:
            found = _by_query(thing, [{"qid": q.id, "query": q.content} for q in queries])
            return [found.get(query.id, {}) for query in queries]

        searcher = Searcher(find, name, candidate_depth)
        return System(in_documents(searcher, chunks), None, depth, name)
    if callable(thing) and not isinstance(thing, type):
        searcher = function_retriever(thing, name, candidate_depth)
        return System(in_documents(searcher, chunks), None, depth, name)
    raise InputError(
        f"{name} cannot be a system: it has none of the methods index, rerank, encode, predict "
        "and transform, and is not a function from query texts to rankings. See "
        "docs/how-to/test-your-own-search.md."
    )


@dataclass(frozen=True)
class Searcher(Retriever):
    """A retriever that only searches: scores of candidates are picked from a deep search.

    own_corpus  whether it searches documents of its own, whatever corpus it is given; what it
                finds outside of that corpus is then passed over and counted
    """

    find: Search
    name: str
    candidate_depth: int = CANDIDATE_DEPTH
    own_corpus: bool = False
    tally: Counter[str] = field(default_factory=Counter)
    query_seconds: dict[str, float] = field(default_factory=dict)

    @property
    def settings(self) -> dict[str, Any]:
        """What a report tells of it."""
        return {"candidate_depth": self.candidate_depth, **self.tally}

    def index(self, corpus: Corpus) -> Index:
        """Return the search as it stands."""
        return _SearcherIndex(self, corpus)


@dataclass(frozen=True)
class _SearcherIndex(Index):
    searcher: Searcher
    corpus: Corpus

    def search(self, queries: Sequence[Query], k: int) -> Run:
        check_k(k)
        rankings = self.searcher.find(queries, k, self.corpus)
        if len(rankings) != len(queries):
            raise InputError(
                f"{self.searcher.name} returned {len(rankings)} rankings for {len(queries)} "
                "queries."
            )
        run: dict[str, dict[str, float]] = {}
        outside: list[str] = []
        for query, ranking in zip(queries, rankings, strict=True):
            scores = ranked(ranking, self.searcher.name)
            if self.searcher.own_corpus:
                outside += [id for id in scores if id not in self.corpus]
                scores = {id: score for id, score in scores.items() if id in self.corpus}
            run[query.id] = first(scores, k)
        if outside and not any(run.values()):
            raise outside_corpus(self.searcher.name, outside[0], queries[0])
        if outside:
            self.searcher.tally["outside_corpus"] += len(outside)
        return run

    def score(self, queries: Sequence[Query], candidates: Candidates) -> Run:
        wanted = max((len(candidates.get(query.id, ())) for query in queries), default=0)
        deep = self.search(queries, max(self.searcher.candidate_depth, wanted))
        return among(deep, queries, candidates)


def function_at(path: Path, module: Any, name: str) -> Searcher:
    """Return the first stage that a function of a user's file is.

    module  the file, imported
    name    of the function; empty for `search`, or the only one that the file has
    """
    own = [
        each
        for each_name, each in vars(module).items()
        if inspect.isfunction(each) and each.__module__ == module.__name__ and each_name[0] != "_"
    ]
    only = own[0] if len(own) == 1 else None
    found = getattr(module, name or "search", None if name else only)
    if not callable(found):
        lacks = f"function {name}" if name else "function build(**options), nor search"
        raise InputError(
            f"{path} has no {lacks}. It needs build(), which returns a system, or a search "
            f"function (query, k) to name: -s {path.name}:NAME. See "
            "docs/how-to/test-your-own-search.md."
        )
    function: Callable[..., Any] = found
    one_by_one = next(iter(_parameters(function)), "") != "queries"
    return function_retriever(function, f"{path.stem}.{function.__name__}", one_by_one=one_by_one)


def function_retriever(
    function: Callable[..., Any],
    name: str,
    candidate_depth: int = CANDIDATE_DEPTH,
    *,
    one_by_one: bool | None = None,
) -> Searcher:
    """Return the first stage that a function is.

    function    from query texts to their rankings, in any of the forms of `ranked`; it is given
                `k` and `corpus` where it has such parameters, and without the second it is taken
                to search a corpus of its own
    one_by_one  whether it takes one text and gives one ranking; None: if that is called `query`
    """
    takes = _parameters(function)
    if one_by_one is None:
        one_by_one = takes[:1] == ["query"]

    seconds: dict[str, float] = {}

    def find(queries: Sequence[Query], k: int, corpus: Corpus) -> list[Any]:
        extras = {name: value for name, value in (("k", k), ("corpus", corpus)) if name in takes}
        if not one_by_one:
            return list(function([query.content for query in queries], **extras))
        rankings = []
        seconds.clear()
        for query in track(queries, f"Asking {name}"):
            started = perf_counter()
            rankings.append(ranked(function(query.content, **extras), name))
            seconds[query.id] = perf_counter() - started
        return rankings

    return Searcher(
        find, name, candidate_depth, own_corpus="corpus" not in takes, query_seconds=seconds
    )


def _parameters(function: Callable[..., Any]) -> list[str]:
    try:
        return list(inspect.signature(function).parameters)
    except (TypeError, ValueError):  # some functions written in C do not tell
        return []


def ranked(ranking: Any, name: str) -> dict[str, float]:
    """Return id -> score, best first; ids alone get 1/rank."""
    if isinstance(ranking, str) or not hasattr(ranking, "__iter__"):
        raise InputError(f"{name} returned {ranking!r:.80} as the ranking of a query, not a list.")
    items = list(ranking.items() if isinstance(ranking, Mapping) else ranking)
    if not all(isinstance(item, tuple | list) and len(item) == 2 for item in items):
        items = [(id, 1 / rank) for rank, id in enumerate(items, start=1)]
    scores: dict[str, float] = {}
    pairs = [(str(id), float(score)) for id, score in items]
    for id, score in sorted(pairs, key=lambda pair: -pair[1]):
        scores.setdefault(id, score)
    return scores


def _reranking(reranker: Reranker, depth: int, name: str) -> System:
    """Return a system that reranks given candidates, or what BM25 finds where there are none."""
    from leadline.retrievers import bm25

    return System(None, reranker, depth, name, bm25.build())


@dataclass(frozen=True)
class _Encoder(Retriever):
    """Exact search over the vectors of an object with `encode`, or `encode_query` and `_document`.

    Vectors are compared by cosine, or by inner product where the model says so itself.
    """

    model: Any
    name: str

    @property
    def _by_cosine(self) -> bool:
        similarity = str(getattr(self.model, "similarity_fn_name", "cosine"))
        return similarity not in ("dot", "dot_product")

    @property
    def settings(self) -> dict[str, Any]:
        similarity = "cosine" if self._by_cosine else "dot"
        return {"adapted": type(self.model).__name__, "similarity": similarity}

    def index(self, corpus: Corpus) -> _VectorIndex:
        check_corpus(corpus)
        texts = (document.content for document in corpus.values())
        blocks = iter(lambda: list(islice(texts, _BLOCK)), [])
        vectors = np.concatenate([self.encoded(block, "document") for block in blocks])
        return _VectorIndex(self, list(corpus), vectors)

    def encoded(self, texts: list[str], side: str) -> Any:
        encode = getattr(self.model, f"encode_{side}", self.model.encode)
        found = encode(texts)
        if hasattr(found, "detach"):
            found = found.detach().float().cpu()
        vectors = np.asarray(found, dtype=np.float32)
        if vectors.ndim != 2 or len(vectors) != len(texts):
            raise InputError(
                f"encode() of {self.name} returned the shape {vectors.shape} for {len(texts)} "
                f"texts, but it must be [{len(texts)}, dimensions]."
            )
        if self._by_cosine:
            lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
            vectors = vectors / np.maximum(lengths, np.finfo(np.float32).tiny)
        return vectors


@dataclass
class _VectorIndex(Index):
    encoder: _Encoder
    ids: list[str]
    vectors: Any

    @property
    def index_bytes(self) -> int:
        return int(self.vectors.nbytes)

    def search(self, queries: Sequence[Query], k: int) -> Run:
        check_k(k)
        run: dict[str, dict[str, float]] = {}
        for query, scores in self._scored(queries):
            places = best_places(scores, k).tolist()
            run[query.id] = {self.ids[place]: float(scores[place]) for place in places}
        return run

    def score(self, queries: Sequence[Query], candidates: Candidates) -> Run:
        places = {id: place for place, id in enumerate(self.ids)}
        run: dict[str, dict[str, float]] = {}
        for query, scores in self._scored(queries):
            names = candidates_of(query, candidates, places)
            run[query.id] = best_first(names, [float(scores[places[name]]) for name in names])
        return run

    def _scored(self, queries: Sequence[Query]) -> Iterator[tuple[Query, Any]]:
        texts = [query.content for query in queries]
        vectors = self.encoder.encoded(texts, "query") if texts else ()
        return ((query, self.vectors @ each) for query, each in zip(queries, vectors, strict=True))


@dataclass(frozen=True)
class _PairScorer(Reranker):
    """A reranker from the `predict` of sentence-transformers' CrossEncoder."""

    predict: Callable[[list[tuple[str, str]]], Any]
    name: str

    def rerank(self, queries: Sequence[Query], corpus: Corpus, candidates: Candidates) -> Run:
        def score(pairs: Sequence[tuple[Query, Document]]) -> list[float]:
            scores = self.predict([(query.content, document.content) for query, document in pairs])
            values = [float(value) for value in scores]
            if len(values) != len(pairs):
                raise InputError(
                    f"predict() of {self.name} returned {len(values)} scores for {len(pairs)} "
                    "pairs."
                )
            return values

        return rerank_pairs(score, queries, corpus, candidates, label=f"Reranking with {self.name}")


@dataclass(frozen=True)
class _TableReranker(Reranker):
    """A reranker from a PyTerrier transformer that takes qid, query, docno, text, score, rank."""

    transformer: Any
    name: str

    def rerank(self, queries: Sequence[Query], corpus: Corpus, candidates: Candidates) -> Run:
        rows = [
            {
                "qid": query.id,
                "query": query.content,
                "docno": name,
                "text": corpus[name].content,
                "score": 1 / rank,
                "rank": rank - 1,
            }
            for query in queries
            for rank, name in enumerate(candidates_of(query, candidates, corpus), start=1)
        ]
        found = _by_query(self.transformer, rows) if rows else {}
        return {query.id: ranked(found.get(query.id, {}), self.name) for query in queries}


def _by_query(transformer: Any, rows: list[dict[str, Any]]) -> dict[str, dict[str, float]]:
    table = transformer.transform(import_module("pandas").DataFrame(rows))
    missing = {"qid", "docno", "score"} - set(table.columns)
    if missing:
        raise InputError(
            f"{_name_of(transformer)} returned a table without {', '.join(sorted(missing))}."
        )
    found: dict[str, dict[str, float]] = {}
    for qid, docno, score in zip(table["qid"], table["docno"], table["score"], strict=True):
        found.setdefault(str(qid), {})[str(docno)] = float(score)
    return found


def _reranks(transformer: Any) -> bool:
    """Tell by what a transformer asks for; PyTerrier knows of most of its own."""
    try:
        wanted = import_module("pyterrier").inspect.transformer_inputs(transformer)
    except Exception:  # not installed, or it cannot say
        return False
    return bool(wanted) and all(set(each) & {"docno", "text"} for each in wanted)


def _has(thing: Any, method: str) -> bool:
    return callable(getattr(thing, method, None)) and not isinstance(thing, type)


def _name_of(thing: Any) -> str:
    for attribute in ("name", "__name__"):
        name = getattr(thing, attribute, None)
        if isinstance(name, str) and name:
            return name
    return type(thing).__name__
