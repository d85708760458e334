"""BM25, on the library bm25s: bag-of-words search that needs no model."""

from __future__ import annotations

import hashlib
import json
import math
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

import bm25s
import numpy as np

from leadline.data.cache import cache_folder
from leadline.data.fingerprint import fingerprint, libraries
from leadline.data.room import bytes_of, warn_beyond
from leadline.data.sealing import is_whole, seal
from leadline.data.writing import atomic_folder, set_aside
from leadline.errors import InputError
from leadline.retrievers.ordering.best import best_places
from leadline.retrievers.words.eager import write_index
from leadline.retrievers.words.expansions import Expansions, expanded
from leadline.retrievers.words.tokens import LUCENE, TOKEN_PATTERN, Words
from leadline.types import Candidates, Corpus, Index, Query, Reading, Retriever, Run

Method = Literal["robertson", "lucene", "atire", "bm25l", "bm25plus"]
QueryWeights = Literal["count", "bm25"]
Analyzer = Literal["", "lucene", "cjk", "plain"]
_AVERAGE = "average_length.json"
_TRIES = 3
_MEMORY_A_BYTE, _MEMORY_AT_LEAST = 0.5, 200 << 20
"""Memory that indexing takes for a byte of text, an upper estimate (docs/scale.md: 0.3 of short
documents), and for none: a segment and a range of postings."""
_DISK_A_BYTE = 1.6
"""Bytes of the index for a byte of text, twice: segments are merged into it."""
_DAMAGED = (OSError, ValueError, KeyError, TypeError, EOFError, AttributeError)


def build(
    *,
    method: Method = "lucene",
    k1: float = 1.5,
    b: float = 0.75,
    delta: float = 0.5,
    stopwords: str = "en",
    stemmer: str = "",
    lower: bool = True,
    token_pattern: str = TOKEN_PATTERN,
    analyzer: Analyzer = "",
    query_weights: QueryWeights = "count",
    expansions: str = "",
    cache: bool = True,
) -> Retriever:
    """Return a BM25 retriever; the defaults are those of bm25s.

    method         how term frequency and rarity are weighed; bm25plus is the `bm25+` of bm25s
    k1             saturation of term frequency, >= 0
    b              weight of document length, in [0, 1]
    delta          lower bound of a term's weight, read by bm25l and bm25plus only
    stopwords      language of the stop words that are dropped (`en`, `de`, ...), or `none`;
                   en_but_not drops those of `en` but `no` and `not`
    stemmer        language of a stemmer of PyStemmer (`english`); empty for none
    token_pattern  regular expression whose matches are the words
    analyzer       lucene takes words as its analyzer of English does, whatever the four options
                   above say: no possessive 's, stop words of `en`, Porter's stems. cjk takes
                   runs of characters without spaces (Chinese, Japanese, Korean, Thai, Lao,
                   Khmer, Burmese) in overlapping pairs, and so does the default, as the other
                   words of a text stay as they are; plain splits as bm25s does: such a run is one
                   word, and words lose their vowel signs
    query_weights  count adds a word as often as the query has it; bm25 weighs the query as if it
                   were a document, so a word counts idf * tf / (tf + k1 * (1 - b + b * length /
                   average)) times, which BRIGHT does; method lucene only
    expansions     file with queries that documents answer, which are added to their texts: lines
                   {"id": ..., "queries": [...]}
    cache          keep the index on disk and reuse it while corpus and options are the same

    Raises InputError when a value is out of its range, a language is unknown or the expansions
    cannot be read, and MissingExtraError when PyStemmer is asked for and not installed.
    Source: Lù, BM25S: Orders of magnitude faster lexical search via eager sparse scoring; Su et
    al., BRIGHT, whose code weighs queries with gensim's LuceneBM25Model; Nogueira et al.,
    Document Expansion by Query Prediction.
    """
    if not k1 >= 0 or not 0 <= b <= 1:
        raise InputError(f"BM25 takes k1 >= 0 and b between 0 and 1, got k1={k1}, b={b}.")
    if query_weights == "bm25" and method != "lucene":
        raise InputError(f"query_weights=bm25 goes with method=lucene, not with {method}.")
    weights = _Weights("bm25+" if method == "bm25plus" else method, k1, b, delta)
    words = Words(stopwords, stemmer, lower, token_pattern, pairs=analyzer != "plain")
    words = LUCENE if analyzer == "lucene" else words
    list(words.of([""]))  # any setting that does not fit is told before a corpus is read
    return _BM25(weights, words, query_weights, Expansions.read(expansions), cache)


@dataclass(frozen=True, slots=True)
class _Weights:
    method: str
    k1: float
    b: float
    delta: float


@dataclass(frozen=True, slots=True)
class _BM25(Retriever):
    """A retriever; `weights` and `words` decide the index, the rest does not change a result."""

    weights: _Weights
    words: Words
    query_weights: QueryWeights
    expansions: Expansions
    cache: bool
    name: str = "bm25"

    @property
    def settings(self) -> dict[str, Any]:
        return {
            **self._deciding,
            "query_weights": self.query_weights,
            **self.expansions.settings,
        }

    def index(self, corpus: Corpus) -> _Index:
        if not corpus:
            raise InputError("The corpus has no documents, so there is nothing to index.")
        corpus = expanded(corpus, self.expansions)
        index = self._cached(corpus) if self.cache else _indexed(corpus, self.weights, self.words)
        query = self.weights if self.query_weights == "bm25" else None
        return _Index(list(corpus), index, self.words, query)

    def read(self, queries: Sequence[str], documents: Sequence[str]) -> list[Reading]:
        """Tell documents by the words that count: how often each stands there, in any order."""
        texts = dict.fromkeys(documents)
        bags = (frozenset(Counter(words).items()) for words in self.words.of(texts))
        kept = dict(zip(texts, bags, strict=True))
        return [Reading(kept[text]) for text in documents]

    @property
    def _deciding(self) -> dict[str, Any]:
        """What decides an index."""
        return {**asdict(self.weights), **asdict(self.words), "bm25s": bm25s.__version__}

    def _cached(self, corpus: Corpus) -> Any:
        """Open the index of this corpus from disk; make it when it is missing or damaged."""
        parts = [fingerprint(corpus), self._deciding, libraries()]
        key = json.dumps(parts, sort_keys=True)
        folder = cache_folder("bm25") / hashlib.sha256(key.encode()).hexdigest()[:32]
        for _ in range(_TRIES):
            if folder.exists():
                try:
                    return _loaded(folder, len(corpus))
                except _DAMAGED:
                    set_aside(folder)
            _warn_beyond(corpus, folder.parent)
            with atomic_folder(folder) as unfinished:
                _write(unfinished, corpus, self.weights, self.words)
        return _indexed(corpus, self.weights, self.words)  # others change it all the time


class _Index(Index):
    """Scores are sums in single precision over the query's words, in their order, as in bm25s.

    query  weighs the words of a query, which are only counted without it
    """

    def __init__(
        self, document_ids: list[str], index: Any, words: Words, query: _Weights | None = None
    ) -> None:
        self._document_ids = document_ids
        self._places: dict[str, int] = {}
        self._words = words
        self._index = index
        self._query = query
        # Some methods give every document a constant, which must not make it a result.
        self._constants = index.nonoccurrence_array
        index.nonoccurrence_array = None

    @property
    def index_bytes(self) -> int:
        """What the index takes on disk."""
        return int(self._index.bytes_on_disk)

    def search(self, queries: Sequence[Query], k: int) -> Run:
        """Return the documents that share a word of weight with the query; ties in corpus order."""
        if k < 1:
            raise InputError(f"k must be at least 1, got {k}.")
        run: dict[str, dict[str, float]] = {}
        for query, gains, constant in self._scored(queries):
            places = best_places(gains, k, above=0)
            scores = (gains[places] + constant).tolist()
            names = (self._document_ids[place] for place in places.tolist())
            run[query.id] = dict(zip(names, scores, strict=True))
        return run

    def score(self, queries: Sequence[Query], candidates: Candidates) -> Run:
        """Score the candidates with the statistics of the whole corpus; ties in their order."""
        run: dict[str, dict[str, float]] = {}
        for query, gains, constant in self._scored(queries):
            names = candidates.get(query.id, ())
            scores = gains[self._places_of(names, query)] + constant
            order = np.argsort(-scores, kind="stable").tolist()
            values = scores.tolist()
            run[query.id] = {names[each]: values[each] for each in order}
        return run

    def _scored(self, queries: Sequence[Query]) -> Iterator[tuple[Query, Any, Any]]:
        """Yield each query with what its words give every document, and what they give all."""
        vocabulary = self._index.vocab_dict
        texts = self._words.of(query.content for query in queries)
        for query, words in zip(queries, texts, strict=True):
            ids = [vocabulary[word] for word in words if word in vocabulary]
            constant = np.float32(0)
            if self._constants is not None:
                constant = self._constants[ids].sum(dtype=np.float32)
            gains = self._weighed(ids) if self._query else self._index.get_scores_from_ids(ids)
            yield query, gains, constant

    def _weighed(self, ids: list[int]) -> Any:
        """Return the scores of all documents for a query that is weighed like a document."""
        scores, weights = self._index.scores, self._query
        gains = np.zeros(scores["num_docs"], dtype=np.float32)
        if weights is None or not ids:
            return gains
        starts = scores["indptr"]
        relative = len(ids) / self._index.average_length
        norm = weights.k1 * (1 - weights.b + weights.b * relative)
        for id, count in Counter(ids).items():
            begin, end = int(starts[id]), int(starts[id + 1])
            idf = math.log((scores["num_docs"] + 1) / (end - begin + 0.5))
            weight = np.float32(idf * count / (count + norm))
            gains[scores["indices"][begin:end]] += weight * scores["data"][begin:end]
        return gains

    def _places_of(self, names: Sequence[str], query: Query) -> list[int]:
        if not self._places:
            self._places = {name: place for place, name in enumerate(self._document_ids)}
        try:
            return [self._places[name] for name in names]
        except KeyError as error:
            raise InputError(
                f"The candidates of query {query.id!r} name document {error.args[0]!r}, "
                "which is not in the corpus."
            ) from error


def _indexed(corpus: Corpus, weights: _Weights, words: Words) -> Any:
    """Return a new index that is kept nowhere."""
    with tempfile.TemporaryDirectory() as folder:
        _warn_beyond(corpus, Path(folder))
        _write(Path(folder), corpus, weights, words)
        return _loaded(Path(folder), len(corpus), mapped=False)


def _warn_beyond(corpus: Corpus, folder: Path) -> None:
    size = bytes_of(corpus)
    memory = int(_MEMORY_A_BYTE * size) + _MEMORY_AT_LEAST
    disk = int(_DISK_A_BYTE * size)
    warn_beyond("indexing for BM25", corpus, memory=memory, disk=disk, folder=folder)


def _write(folder: Path, corpus: Corpus, weights: _Weights, words: Words) -> None:
    average = write_index(folder, corpus, words, asdict(weights))
    (folder / _AVERAGE).write_text(json.dumps(average))
    seal(folder)


def _loaded(folder: Path, documents: int, *, mapped: bool = True) -> Any:
    """Open an index on disk; raise ValueError when its parts do not fit together.

    mapped  whether its scores stay on disk, and only what is asked for is read
    """
    if not is_whole(folder):
        raise ValueError("not as it was kept")
    index = bm25s.BM25.load(folder, mmap=mapped, override_params={"backend": "numpy"})
    scores: dict[str, Any] = index.scores
    starts = scores["indptr"]
    sizes = {len(scores["data"]), len(scores["indices"]), int(starts[-1])}
    if len(sizes) > 1 or len(starts) != len(index.vocab_dict) + 1:
        raise ValueError("arrays of different lengths")
    if scores["num_docs"] != documents:
        raise ValueError("another number of documents")
    index.average_length = float(json.loads((folder / _AVERAGE).read_text()))
    index.bytes_on_disk = sum(path.stat().st_size for path in folder.iterdir())
    return index
