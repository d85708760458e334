"""Which documents hold each word and how often, collected on disk and read back by word.

Memory holds one segment of the corpus at a time, sorted by word; the segments are merged a range
of words at a time. What is kept between the two is four bytes for each document and a few for each
distinct word of a segment.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

_SEGMENT = 4_000_000
"""Words of a segment: about 130 MB while it is sorted."""

_RANGE = 2_000_000
"""Postings that are merged at a time: about 100 MB."""


@dataclass(frozen=True, slots=True)
class _Segment:
    """A file with the documents of every posting, then with the counts; sorted by word.

    words  int32 [W] distinct and ascending
    ends   int64 [W + 1] where the postings of each begin, and the last ones end
    """

    path: Path
    words: Any
    ends: Any

    def between(self, first: int, last: int) -> tuple[Any, Any, Any]:
        """Return word, document and count of the postings of words `first` to before `last`."""
        low, high = np.searchsorted(self.words, [first, last])
        begin, end = int(self.ends[low]), int(self.ends[high])
        size, total = end - begin, int(self.ends[-1])
        words = np.repeat(self.words[low:high], np.diff(self.ends[low : high + 1]))
        documents = np.fromfile(self.path, np.int32, size, offset=4 * begin)
        counts = np.fromfile(self.path, np.int32, size, offset=4 * (total + begin))
        return words, documents, counts


class Postings:
    """Postings of a corpus that is added part by part, in its order."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._segments: list[_Segment] = []
        self._waiting: list[tuple[Any, Any]] = []
        self._size = self._documents = 0
        self._lengths: list[Any] = []

    def add(self, numbers: Any, lengths: Any) -> None:
        """Add documents.

        numbers  int32: their words, one document after the other
        lengths  words of each
        """
        self._waiting.append((numbers, lengths))
        self._size += len(numbers)
        if self._size >= _SEGMENT:
            self._flush()

    def lengths(self) -> Any:
        """Return the number of words of each document, int64."""
        self._flush()
        return np.concatenate([np.empty(0, np.int64), *self._lengths])

    def frequencies(self, words: int) -> Any:
        """Return in how many documents each word stands, int64.

        words  size of the vocabulary
        """
        self._flush()
        found = np.zeros(words, np.int64)
        for segment in self._segments:
            found[segment.words] += np.diff(segment.ends)
        return found

    def by_word(self, frequencies: Any) -> Iterator[tuple[Any, Any, Any]]:
        """Yield word, document and count of all postings, by word and then by document."""
        ends = np.concatenate([[0], np.cumsum(frequencies)])
        first = 0
        while first < len(frequencies):
            last = int(np.searchsorted(ends, ends[first] + _RANGE, side="right")) - 1
            last = max(first + 1, last)
            parts = [segment.between(first, last) for segment in self._segments]
            words, documents, counts = (np.concatenate(each) for each in zip(*parts, strict=True))
            # Segments follow each other in corpus order, which a stable sort keeps.
            order = np.argsort(words, kind="stable")
            yield words[order], documents[order], counts[order]
            first = last

    def _flush(self) -> None:
        """Sort what waits by word and document, count equal ones, and write it down."""
        if not self._waiting:
            return
        lengths = np.concatenate([each for _, each in self._waiting])
        numbers = np.concatenate([each for each, _ in self._waiting])
        self._waiting, self._size = [], 0
        size = max(1, len(lengths))
        keys = numbers.astype(np.int64) * size + np.repeat(np.arange(len(lengths)), lengths)
        del numbers
        keys.sort()
        starts = np.flatnonzero(np.diff(keys, prepend=-1))
        counts = np.diff(starts, append=len(keys)).astype(np.int32)
        words, documents = np.divmod(keys[starts], size)
        del keys, starts
        begins = np.flatnonzero(np.diff(words, prepend=-1))
        path = self._folder / f"segment{len(self._segments)}"
        with path.open("wb") as file:
            (documents + self._documents).astype(np.int32).tofile(file)
            counts.tofile(file)
        ends = np.append(begins, len(words))
        self._segments.append(_Segment(path, words[begins].astype(np.int32), ends))
        self._documents += len(lengths)
        self._lengths.append(lengths.astype(np.int64))
