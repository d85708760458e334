"""A corpus of which each document is encoded when a search, or its own score, needs it."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from leadline.data.cache import cache_folder
from leadline.errors import InputError
from leadline.progress import together
from leadline.retrievers.vectors.ragged import RaggedStore
from leadline.types import Candidates, Corpus, Query

Spans = Callable[[list[str]], Any]
"""Texts -> where their arrays are in a store, int64 [len(texts), 2]."""

_BLOCK = 8192


def of_all(corpus: Corpus, rows: Spans) -> Any:
    """Return where every document is stored, in corpus order, block by block under one bar."""
    documents = iter(corpus.values())
    blocks = iter(lambda: [each.content for each in islice(documents, _BLOCK)], [])
    found, done = [], 0
    with together(len(corpus)) as reach:
        for block in blocks:
            found.append(rows(block))
            done += len(block)
            reach(done)
    return np.concatenate(found)


class EncodedCorpus:
    """Documents as spans of a `RaggedStore`."""

    def __init__(self, corpus: Corpus, spans: Spans) -> None:
        if not corpus:
            raise InputError("The corpus has no documents, so there is nothing to index.")
        self.corpus = corpus
        self._spans = spans
        self._all: Any = None
        self._some: dict[str, Any] = {}

    def all(self) -> Any:
        """Return the spans of all documents in corpus order, int64 [N, 2]."""
        if self._all is None:
            self._all = of_all(self.corpus, self._spans)
        return self._all

    @property
    def rows(self) -> int:
        """How many rows the arrays have of the documents that were encoded so far."""
        some = self._all if self._all is not None else np.array([*self._some.values()])
        return int((some[:, 1] - some[:, 0]).sum()) if len(some) else 0

    def of(self, queries: Sequence[Query], candidates: Candidates) -> dict[str, Any]:
        """Return the spans of each query's candidates, encoding no other document.

        Raises InputError for a candidate that is not in the corpus.
        """
        wanted: dict[str, None] = {}
        for query in queries:
            for name in candidates.get(query.id, ()):
                if name not in self.corpus:
                    raise InputError(
                        f"The candidates of query {query.id!r} name document {name!r}, "
                        "which is not in the corpus."
                    )
                if name not in self._some:
                    wanted[name] = None
        names = list(wanted)
        for start in range(0, len(names), _BLOCK):
            block = names[start : start + _BLOCK]
            spans = self._spans([self.corpus[name].content for name in block])
            self._some.update(zip(block, spans, strict=True))
        return {query.id: self._stacked(candidates.get(query.id, ())) for query in queries}

    def _stacked(self, names: Sequence[str]) -> Any:
        spans = [self._some[name] for name in names]
        return np.array(spans, dtype=np.int64).reshape(len(names), 2)


class Stored:
    """A store that is opened when first used: below the cache, or gone with this object."""

    def __init__(self, kind: str, key: Callable[[], str], cache: bool) -> None:
        self._kind = kind
        self._key = key
        self._cache = cache
        self._opened: RaggedStore | None = None
        self._folder: Any = None

    @property
    def about(self) -> dict[str, Any]:
        """What the store knows, nothing while it is not open."""
        return self._opened.about if self._opened is not None else {}

    @property
    def store(self) -> RaggedStore:
        """The open store."""
        if self._opened is None:
            if self._cache:
                folder = cache_folder(self._kind) / self._key()
            else:
                self._folder = tempfile.TemporaryDirectory(prefix="leadline-")
                folder = Path(self._folder.name)
            self._opened = RaggedStore(folder)
        return self._opened
