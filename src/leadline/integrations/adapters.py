"""Systems that users have already, taken as systems here; and a system here taken by MTEB."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from itertools import islice
from typing import Any

from leadline.errors import InputError
from leadline.integrations.mteb_models import as_mteb_search_model, stage_of
from leadline.rerankers.pointwise.pairs import rerank_pairs
from leadline.system import System
from leadline.systems.functions import (
    CANDIDATE_DEPTH,
    Search,
    Searcher,
    function_retriever,
    ranked,
)
from leadline.types import (
    Candidates,
    Corpus,
    Document,
    Index,
    Query,
    Reranker,
    Retriever,
    Run,
    best_first,
    candidates_of,
    check_corpus,
    check_k,
)

__all__ = ["as_mteb_search_model", "as_system"]

_BLOCK = 4096


def as_system(
    thing: Any,
    *,
    name: str = "",
    depth: int | None = None,
    candidate_depth: int = CANDIDATE_DEPTH,
    reranks: bool | None = None,
) -> System:
    """Return a system for what a user has.

    thing            a System, retriever or reranker of Leadline, or its name; an object with the
                     `encode` of sentence-transformers; a `CrossEncoder`; an encoder, cross-encoder
                     or search model of MTEB; a transformer of PyTerrier; or a function from a list
                     of query texts to a list with the ranking of each: ids best first, pairs of id
                     and score, or a mapping from id to score. Where a function has parameters
                     called `k` or `corpus`, it is given them; one without `corpus` searches a
                     corpus of its own. One whose first parameter is called `query` is given one
                     text at a time.
    name             how reports call it; by default its own name, or that of its class
    depth            documents that it finds for each query; by default 100, or what a System says
    candidate_depth  documents that a function or a transformer is asked for to find the scores of
                     given candidates; one that it does not find has none
    reranks          whether a transformer reorders documents; by default it does when it tells
                     PyTerrier that it always needs `docno` or `text`, and else it searches

    What only reranks is given the candidates of the benchmark, or else what BM25 finds.

    Raises InputError when the thing is none of these.
    """
    if isinstance(thing, str):
        return as_system(_named(thing), name=name or thing, depth=depth)
    name = name or _name_of(thing)
    if isinstance(thing, System):
        return replace(thing, name=name, depth=thing.depth if depth is None else depth)
    depth = 100 if depth is None else depth
    if hasattr(thing, "mteb_model_meta"):
        stage: Any = stage_of(thing, name)
        return (
            _reranking(stage, depth, name)
            if _has(stage, "rerank")
            else System(stage, None, depth, name)
        )
    if _has(thing, "rerank"):
        return _reranking(thing, depth, name)
    if _has(thing, "index") and isinstance(getattr(thing, "name", None), str):
        return System(thing, None, depth, name)
    if _has(thing, "encode"):
        return System(_Encoder(thing, name), None, depth, name)
    if _has(thing, "predict"):
        return _reranking(_PairScorer(thing.predict, name), depth, name)
    if _has(thing, "transform"):
        if _reranks(thing) if reranks is None else reranks:
            return _reranking(_TableReranker(thing, name), depth, name)
        return System(Searcher(_table_search(thing), name, candidate_depth), None, depth, name)
    if callable(thing) and not isinstance(thing, type):
        return System(function_retriever(thing, name, candidate_depth), None, depth, name)
    raise InputError(
        f"{name} cannot be a system: it has none of index, rerank, encode, predict, transform, "
        "and is no function from query texts to rankings."
    )


def _named(name: str) -> System:
    from leadline.systems.chains import load_system

    return load_system(name)


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
        return str(getattr(self.model, "similarity_fn_name", "cosine")) not in (
            "dot",
            "dot_product",
        )

    @property
    def settings(self) -> dict[str, Any]:
        similarity = "cosine" if self._by_cosine else "dot"
        return {"adapted": type(self.model).__name__, "similarity": similarity}

    def index(self, corpus: Corpus) -> _VectorIndex:
        import numpy as np

        check_corpus(corpus)
        texts = (document.content for document in corpus.values())
        blocks = iter(lambda: list(islice(texts, _BLOCK)), [])
        vectors = np.concatenate([self.encoded(block, "document") for block in blocks])
        return _VectorIndex(self, list(corpus), vectors)

    def encoded(self, texts: list[str], side: str) -> Any:
        """Return float32 [len(texts), D]."""
        import numpy as np

        encode = getattr(self.model, f"encode_{side}", self.model.encode)
        found = encode(texts)
        if hasattr(found, "detach"):
            found = found.detach().float().cpu()
        vectors = np.asarray(found, dtype=np.float32)
        if vectors.ndim != 2 or len(vectors) != len(texts):
            raise InputError(
                f"encode() of {self.name} gave an array of shape {vectors.shape} for {len(texts)} "
                f"texts; it must be [{len(texts)}, dimensions]."
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
        """What the vectors take."""
        return int(self.vectors.nbytes)

    def search(self, queries: Sequence[Query], k: int) -> Run:
        """Return the k nearest documents; ties in corpus order."""
        import numpy as np

        check_k(k)
        run: dict[str, dict[str, float]] = {}
        for query, scores in self._scored(queries):
            if k < len(scores):
                least = np.partition(scores, len(scores) - k)[len(scores) - k]
                places = np.flatnonzero(scores >= least)
            else:
                places = np.arange(len(scores))
            order = places[np.argsort(-scores[places], kind="stable")[:k]].tolist()
            run[query.id] = {self.ids[place]: float(scores[place]) for place in order}
        return run

    def score(self, queries: Sequence[Query], candidates: Candidates) -> Run:
        """Score the candidates; ties in their order."""
        places = {id: place for place, id in enumerate(self.ids)}
        run: dict[str, dict[str, float]] = {}
        for query, scores in self._scored(queries):
            names = candidates_of(query, candidates, places)
            run[query.id] = best_first(names, [float(scores[places[name]]) for name in names])
        return run

    def _scored(self, queries: Sequence[Query]) -> Iterator[tuple[Query, Any]]:
        if not queries:
            return
        encoded = self.encoder.encoded([query.content for query in queries], "query")
        for query, vector in zip(queries, encoded, strict=True):
            yield query, self.vectors @ vector


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
                    f"predict() of {self.name} gave {len(values)} scores for {len(pairs)} pairs."
                )
            return values

        return rerank_pairs(score, queries, corpus, candidates, label=f"Reranking with {self.name}")


def _table_search(transformer: Any) -> Search:
    """Return the search of a PyTerrier transformer, which takes and gives tables."""

    def find(queries: Sequence[Query], k: int, corpus: Corpus) -> list[Any]:
        rows = [{"qid": query.id, "query": query.content} for query in queries]
        found = _by_query(transformer, rows)
        return [found.get(query.id, {}) for query in queries]

    return find


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
            f"{_name_of(transformer)} gave a table without {', '.join(sorted(missing))}."
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
