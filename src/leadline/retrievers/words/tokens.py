"""Texts as words and words as numbers, as bm25s.tokenize does it, but part by part.

bm25s takes a list of every text; a corpus may be larger than memory, and its parts may be cut on
several machines. Text with marks or without
spaces is split otherwise unless `pairs` is off: bm25s loses vowel signs, and to it a whole Chinese
clause is one word.
"""

from __future__ import annotations

import dataclasses
import re
from array import array
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from itertools import count
from typing import Any

import bm25s
import numpy as np

from leadline.errors import InputError, needs
from leadline.retrievers.words.pairs_of_characters import in_every_script
from leadline.text.letters import MARKS
from leadline.types import Document

TOKEN_PATTERN = r"(?u)\b\w\w+\b"
"""Words of two characters or more, the default of bm25s."""

_OTHER_LETTER = re.compile(rf"[^\x00-\x7f](?<=[\w{MARKS}])")
"""What may belong to a word and is not ASCII; texts without are cut in half the time."""

_WORDS_ALONE = bytes(
    ord(chr(each).lower()) if re.match(r"\w", chr(each), re.ASCII) else ord(" ")
    for each in range(256)
)
"""Small letters for capitals, and spaces for what belongs to no word."""

WITH_NEGATION = "en_but_not"
"""The English stop words but those that negate."""

_NEGATION = frozenset({"no", "not"})


@dataclass(frozen=True, slots=True)
class Words:
    """How a text becomes words; see `bm25.build` for the fields."""

    stopwords: str
    stemmer: str
    lower: bool
    token_pattern: str
    pairs: bool = True

    def of(self, texts: Iterable[str]) -> Iterator[list[str]]:
        """Yield the words of each text: in order, without stop words, stemmed.

        Raises InputError when a setting does not fit, MissingExtraError without PyStemmer.
        """
        split, stopped = self.splitter(), self.stopped()
        for text in texts:
            words = [word for word in split(text) if word not in stopped]
            yield self.stemmed(words) if self.stemmer else words

    def splitter(self) -> Callable[[str], list[str]]:
        """Return what cuts a text into words, stop words among them."""
        try:
            pattern = re.compile(self.token_pattern)
        except re.error as error:
            raise InputError(f"token_pattern {self.token_pattern!r} is broken: {error}.") from error
        if pattern.groups > 1:
            raise InputError(f"token_pattern {self.token_pattern!r} must have one group or none.")
        findall: Callable[[str], list[str]] = pattern.findall
        if self.pairs:
            return in_every_script(findall, lower=self.lower)
        return (lambda text: findall(text.lower())) if self.lower else findall

    def stopped(self) -> frozenset[str]:
        """Return the stop words."""
        if self.stopwords == WITH_NEGATION:
            return dataclasses.replace(self, stopwords="en").stopped() - _NEGATION
        language = None if self.stopwords in ("", "none") else self.stopwords
        try:
            return frozenset(bm25s.tokenization.Tokenizer(stopwords=language).stopwords)
        except ValueError as error:
            raise InputError(
                f"bm25s has no stop words for {self.stopwords!r}. Give a language such as en, de, "
                "fr, es, pt, it, nl, ru, sv, no, da, zh, tr, ko, or none."
            ) from error

    def stemmed(self, words: Sequence[str]) -> list[str]:
        """Return the stem of each word."""
        with needs("stem"):
            stemmers: Any = import_module("Stemmer")
        try:
            return list(stemmers.Stemmer(self.stemmer).stemWords(list(words)))
        except KeyError as error:
            known = ", ".join(stemmers.algorithms())
            raise InputError(f"PyStemmer has no {self.stemmer!r}. It has: {known}.") from error


_JOINED = r"(?<=[^\W\d_])(?!['’]s\b)[.:·'’](?=[^\W\d_])\w+|(?<=\d)[.,;'’](?=\d)\w+"
"""What goes on with a word after a mark inside it: letters around it, or digits."""

LUCENE = Words("en", "porter", True, rf"(?u)(\w+(?:{_JOINED})*)(?:['’]s\b)?")
"""Words as Lucene's analyzer of English takes them: StandardTokenizer, no possessive 's, lower
case, 33 stop words, Porter's stems. Text without spaces between words is not cut as it does, and
the stems are Snowball's, which differ for words of one or two letters and in -bli and -logi.
Source: Anserini's DefaultEnglishAnalyzer, which BRIGHT's BM25 calls."""


@dataclass(frozen=True, slots=True)
class Cut:
    """Documents cut into words, as it travels: four bytes a word instead of an object.

    words    in order of appearance, not stemmed and without stop words; one may stand twice
    numbers  int32: places in `words`, of all documents one after the other
    lengths  int64: words of each document
    """

    words: tuple[str, ...]
    numbers: Any
    lengths: Any


def cut(words: Words, documents: Iterable[Document]) -> Cut:
    """Cut some documents into words."""
    following = count().__next__  # one count for both, so that numbers are in order of appearance
    numbers: dict[str, int] = defaultdict(following, dict.fromkeys(words.stopped(), -1))
    in_ascii: dict[bytes, int] = defaultdict(following, _dropped_in_ascii(words))
    split, number, number_in_ascii = words.splitter(), numbers.__getitem__, in_ascii.__getitem__
    is_usual = words.lower and words.token_pattern == TOKEN_PATTERN
    found, ends = array("i"), [0]
    for document in documents:
        text = document.content
        if is_usual and (text.isascii() or not _OTHER_LETTER.search(text)):
            plain = text.encode("ascii", "replace").translate(_WORDS_ALONE)
            found.extend(map(number_in_ascii, plain.split()))
        else:
            found.extend(map(number, split(text)))
        ends.append(len(found))
    ids = np.array(found, dtype=np.int32)
    kept = ids >= 0
    before = np.concatenate([[0], np.cumsum(kept)])
    names = {place: word for word, place in numbers.items()}
    names |= {place: word.decode() for word, place in in_ascii.items()}
    distinct = tuple(names[place] for place in range(following()))
    return Cut(distinct, ids[kept], np.diff(before[ends]))


def _dropped_in_ascii(words: Words) -> dict[bytes, int]:
    """Return stop words and single characters, which are no words, as numbers that are dropped."""
    single = [bytes([each]) for each in set(_WORDS_ALONE)]
    return dict.fromkeys([*single, *(each.encode() for each in words.stopped())], -1)


class Vocabulary:
    """Numbers the words of a corpus as they first come; words of one stem have one number.

    numbers  word, or stem where there is a stemmer -> number
    """

    def __init__(self, words: Words) -> None:
        self.numbers: dict[str, int] = {}
        self._words = words
        self._unstemmed: dict[str, int] = {}

    def of(self, part: Cut) -> Any:
        """Return the numbers of the words of a part, int32; parts are given in corpus order."""
        known = self._unstemmed if self._words.stemmer else self.numbers
        new = [word for word in part.words if word not in known]
        stems = self._words.stemmed(new) if self._words.stemmer and new else new
        for word, stem in zip(new, stems, strict=True):
            known[word] = self.numbers.setdefault(stem, len(self.numbers))
        table = np.array([known[word] for word in part.words], dtype=np.int32)
        return table[part.numbers] if len(table) else part.numbers
