"""BM25: word search without a model, built on the library bm25s."""

from __future__ import annotations

import hashlib
import json
import math
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any, Literal

import bm25s
import numpy as np
from bm25s import scoring

from leadline.data.cache import cache_folder
from leadline.data.digests import fingerprint, is_whole, libraries, seal
from leadline.data.memory import bytes_of, warn_beyond
from leadline.data.spreading import over_parts
from leadline.data.writing import atomic_folder, set_aside
from leadline.errors import InputError
from leadline.retrievers.parts.rankings import best_places, ranking
from leadline.retrievers.parts.words import LUCENE, TOKEN_PATTERN, Vocabulary, Words, cut
from leadline.types import (
    Candidates,
    Corpus,
    Index,
    Query,
    Reading,
    Retriever,
    Run,
    candidates_of,
    check_corpus,
    check_k,
)

Method = Literal["robertson", "lucene", "atire", "bm25l", "bm25plus"]
QueryWeights = Literal["count", "bm25"]
Analyzer = Literal["", "lucene", "cjk", "plain"]
_AVERAGE = "average_length.json"
_TRIES = 3
_MEMORY_A_BYTE, _DISK_A_BYTE = 5, 0.8
"""Memory and disk that indexing takes for a byte of text, upper estimates."""
_AT_ONCE = 1 << 22
"""Scores that are computed at once."""
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
    cache          keep the index on disk and reuse it while corpus and options are the same

    Raises InputError when a value is out of its range or a language is unknown, and
    MissingExtraError when PyStemmer is asked for and not installed.
    Source: Lù, BM25S: Orders of magnitude faster lexical search via eager sparse scoring; Su et
    al., BRIGHT, whose code weighs queries with gensim's LuceneBM25Model.
    """
    if not k1 >= 0 or not 0 <= b <= 1:
        raise InputError(f"BM25 takes k1 >= 0 and b between 0 and 1, got k1={k1}, b={b}.")
    if query_weights == "bm25" and method != "lucene":
        raise InputError(f"query_weights=bm25 needs method=lucene, got {method}.")
    weights = _Weights("bm25+" if method == "bm25plus" else method, k1, b, delta)
    words = Words(stopwords, stemmer, lower, token_pattern, pairs=analyzer != "plain")
    words = LUCENE if analyzer == "lucene" else words
    list(words.of([""]))  # any setting that does not fit is told before a corpus is read
    return _BM25(weights, words, query_weights, cache)


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
    cache: bool
    name: str = "bm25"

    @property
    def settings(self) -> dict[str, Any]:
        return {**self._deciding, "query_weights": self.query_weights}

    def index(self, corpus: Corpus) -> _Index:
        check_corpus(corpus)
        index = self._cached(corpus) if self.cache else _indexed(corpus, self.weights, self.words)
        query = self.weights if self.query_weights == "bm25" else None
        return _Index(list(corpus), index, self.words, query)

    def read(self, queries: Sequence[str], documents: Sequence[str]) -> list[Reading]:
        texts = dict.fromkeys(documents)
        bags = (frozenset(Counter(words).items()) for words in self.words.of(texts))
        kept = dict(zip(texts, bags, strict=True))
        return [Reading(kept[text]) for text in documents]

    @property
    def _deciding(self) -> dict[str, Any]:
        return {**asdict(self.weights), **asdict(self.words), "bm25s": bm25s.__version__}

    def _cached(self, corpus: Corpus) -> Any:
        """Open the index of this corpus from disk; make it when it is missing or damaged."""
        parts = [fingerprint(corpus), self._deciding, libraries()]
        key = json.dumps(parts, sort_keys=True)
        folder = cache_folder("bm25") / hashlib.sha256(key.encode()).hexdigest()[:32]
        for _ in range(_TRIES):
            if folder.exists():
                try:
                    return _loaded(folder)
                except _DAMAGED:
                    set_aside(folder)
            with atomic_folder(folder) as unfinished:
                index = _indexed(corpus, self.weights, self.words, folder.parent)
                index.save(unfinished, show_progress=False)
                (unfinished / _AVERAGE).write_text(json.dumps(index.average_length))
                seal(unfinished)
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
        return int(self._index.bytes_on_disk)

    def search(self, queries: Sequence[Query], k: int) -> Run:
        check_k(k)
        run: dict[str, dict[str, float]] = {}
        for query, gains, constant in self._scored(queries):
            places = best_places(gains, k, above=0)
            scores = (gains[places] + constant).tolist()
            names = (self._document_ids[place] for place in places.tolist())
            run[query.id] = dict(zip(names, scores, strict=True))
        return run

    def score(self, queries: Sequence[Query], candidates: Candidates) -> Run:
        run: dict[str, dict[str, float]] = {}
        for query, gains, constant in self._scored(queries):
            if not self._places:
                self._places = {name: place for place, name in enumerate(self._document_ids)}
            names = candidates_of(query, candidates, self._places)
            scores = gains[[self._places[name] for name in names]] + constant
            run[query.id] = ranking(names, scores)
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


def _indexed(
    corpus: Corpus, weights: _Weights, words: Words, written_to: Path | None = None
) -> Any:
    """Return a new index: every score of every word, as bm25s computes it.

    bm25s itself counts the words of each document in a dictionary, which takes several times as
    long.
    written_to  folder where it will be kept; None where it stays in memory
    """
    size = bytes_of(corpus)
    memory, disk = int(_MEMORY_A_BYTE * size), int(_DISK_A_BYTE * size) if written_to else 0
    place = written_to or Path(tempfile.gettempdir())
    warn_beyond("indexing for BM25", corpus, memory=memory, disk=disk, folder=place)
    vocabulary, total = Vocabulary(words), len(corpus)
    lengths, found, counted, done = [], [], [], 0
    for part in over_parts(partial(cut, words), corpus, "Indexing for BM25"):
        places = np.arange(done, done + len(part.lengths)).repeat(part.lengths)
        keys = vocabulary.of(part).astype(np.int64) * total + places
        keys, counts = np.unique(keys, return_counts=True)
        lengths.append(part.lengths)
        found.append(keys)
        counted.append(counts.astype(np.int32))
        done += len(part.lengths)
    length, keys = np.concatenate(lengths), np.concatenate(found)
    order = np.argsort(keys, kind="stable")
    ids, places = np.divmod(keys[order], total)
    del keys, found
    times = np.concatenate(counted)[order]
    index = bm25s.BM25(**asdict(weights), backend="numpy")
    index.vocab_dict = vocabulary.numbers or {"": 0}
    frequencies = np.bincount(ids, minlength=len(index.vocab_dict))
    with np.errstate(invalid="ignore", divide="ignore"):  # a corpus without a word has mean 0
        _weigh(index, frequencies, length, ids, places, times)
    starts = np.concatenate([[0], np.cumsum(frequencies)])
    index.scores |= {"indices": places.astype(np.int32), "indptr": starts, "num_docs": total}
    index.average_length = int(length.sum()) / total
    index.bytes_on_disk = 8 * len(ids) + starts.nbytes
    return index


def _weigh(index: Any, frequencies: Any, lengths: Any, ids: Any, places: Any, counts: Any) -> None:
    """Give an index the score of each word in each of its documents, and what all documents have.

    frequencies  documents that have a word
    lengths      words of each document
    ids, places, counts
                 each word with a document that has it, and how often that has it
    """
    average = lengths.mean()
    by_word = dict(enumerate(frequencies.tolist()))
    idf_of, tfc_of = (
        scoring._select_idf_scorer(index.idf_method),
        scoring._select_tfc_scorer(index.method),
    )
    idf = scoring._build_idf_array(by_word, len(lengths), idf_of, dtype=index.dtype)
    options = {"l_avg": average, "k1": index.k1, "b": index.b, "delta": index.delta}
    index.nonoccurrence_array = None
    if index.method in index.methods_requiring_nonoccurrence:
        index.nonoccurrence_array = scoring._build_nonoccurrence_array(
            by_word, len(lengths), idf_of, tfc_of, l_d=average, dtype=index.dtype, **options
        )
    data = np.empty(len(ids), np.float32)
    for start in range(0, len(ids), _AT_ONCE):
        some = slice(start, start + _AT_ONCE)
        frequency = counts[some].astype(np.float32)
        scores = idf[ids[some]] * tfc_of(tf_array=frequency, l_d=lengths[places[some]], **options)
        if index.nonoccurrence_array is not None:
            scores -= index.nonoccurrence_array[ids[some]]
        data[some] = scores
    index.scores = {"data": data}


def _loaded(folder: Path) -> Any:
    """Open an index on disk, of which only what is asked for is read."""
    if not is_whole(folder):
        raise ValueError("not as it was kept")
    index = bm25s.BM25.load(folder, mmap=True, override_params={"backend": "numpy"})
    index.average_length = float(json.loads((folder / _AVERAGE).read_text()))
    index.bytes_on_disk = sum(path.stat().st_size for path in folder.iterdir())
    return index
