"""Words in every script: letters keep their marks, and text without spaces is cut into pairs.

Chinese, Japanese, Korean, Thai, Lao, Khmer and Burmese put no spaces between words.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable

from leadline.text.letters import MARKS, comparable, composed, is_usual

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
