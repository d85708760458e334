"""Split texts into numbered words like bm25s.tokenize, but in parts.

bm25s needs all texts in memory. Here the corpus may be larger, and several machines may split its
parts. Unless `pairs` is off, text with combining marks or without spaces is split differently:
bm25s loses vowel signs, and treats a whole Chinese clause as one word.
"""

from __future__ import annotations

import dataclasses
import re
import unicodedata
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
from leadline.text.letters import MARKS, comparable, composed, is_usual
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
        """Yield the words of each text: in order, without stop words, stemmed."""
        split, stopped = self.splitter(), self.stopped()
        for text in texts:
            words = [word for word in split(text) if word not in stopped]
            yield self.stemmed(words) if self.stemmer else words

    def splitter(self) -> Callable[[str], list[str]]:
        """Return what cuts a text into words, stop words among them."""
        try:
            pattern = re.compile(self.token_pattern)
        except re.error as error:
            raise InputError(
                f"token_pattern {self.token_pattern!r} is not a valid regular expression: {error}."
            ) from error
        if pattern.groups > 1:
            raise InputError(f"token_pattern {self.token_pattern!r} must have at most one group.")
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

    numbers  of each word, or of each stem if there is a stemmer
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


_CHARACTERS = (
    "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003134f"
    "\u0e01-\u0e3a\u0e40-\u0e4e\u0e81-\u0ece\u0edc-\u0edf"  # Thai, Lao
    "\u1000-\u103f\u1050-\u108f\ua9e0-\ua9ef\uaa60-\uaa7f"  # Burmese
    "\u1780-\u17d3\u17d7\u17dc\u17dd\u1950-\u1974\u1980-\u19c9\u1a20-\u1a7f"  # Khmer, Tai
)
_RUN = re.compile(f"[{_CHARACTERS}]+(?:[{MARKS}]+[{_CHARACTERS}]*)*")
_UNIT = re.compile(f".[{MARKS}]*", re.DOTALL)
_WIDE = re.compile("[\uff01-\uff5e\uff61-\uff9f]+")
_INDIC = "\u0900-\u0dff\u0f40-\u0fbc"
_ALONE = re.compile(rf"(?<!\w)(?=\w)([{_INDIC}])(?!\w)")

_STAND_INS = range(0x17000, 0x17000 + len(MARKS) + 1)  # Tangut letters, which no corpus has
_AS_LETTERS = dict(zip(map(ord, MARKS), _STAND_INS, strict=False))
_AS_MARKS: dict[int, str] = {code: chr(mark) for mark, code in _AS_LETTERS.items()}
_FILLING = chr(_STAND_INS[-1])
_AS_MARKS[_STAND_INS[-1]] = ""
_STRAY = re.compile(rf"(?<!\w)[{chr(_STAND_INS[0])}-{chr(_STAND_INS[-1])}]+")


def in_every_script(
    split: Callable[[str], list[str]], *, lower: bool
) -> Callable[[str], list[str]]:
    """Return a splitter whose words keep their marks and that cuts text without spaces in pairs.

    split  by a pattern, in which marks count as letters; text without marks is split as before
    lower  bring words to small letters, without vowel points that most texts leave out

    Texts are composed (NFC). Runs of characters without spaces become overlapping pairs; one stands
    alone. Wide forms of letters and digits become the usual ones. A letter of an Indic script may
    be a word. Source of the pairs: Lucene's CJKAnalyzer.
    """

    def split_all(text: str) -> list[str]:
        text = comparable(text) if lower else composed(text)
        if is_usual(text):
            return split(text)
        text = _WIDE.sub(lambda match: unicodedata.normalize("NFKC", match.group()), text)
        words: list[str] = []
        start = 0
        for run in _RUN.finditer(text):
            words += with_marks(text[start : run.start()])
            words += pairs_of(run.group())
            start = run.end()
        return words + with_marks(text[start:])

    def with_marks(text: str) -> list[str]:
        if is_usual(text):
            return split(text)
        text = _ALONE.sub(rf"\1{_FILLING}", text.translate(_AS_LETTERS))
        return [word.translate(_AS_MARKS) for word in split(_STRAY.sub(" ", text))]

    return split_all


def pairs_of(run: str) -> list[str]:
    """Return the overlapping pairs of a run of characters, each with its marks.

    >>> pairs_of("糖尿病"), pairs_of("糖"), pairs_of("น้ำขึ้น")
    (['糖尿', '尿病'], ['糖'], ['น้ำ', 'ำขึ้', 'ขึ้น'])
    """
    if run.isalpha():  # marks are no letters
        return [run[place : place + 2] for place in range(len(run) - 1)] or [run]
    units = _UNIT.findall(run)
    return ["".join(units[place : place + 2]) for place in range(len(units) - 1)] or [run]
