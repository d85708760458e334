"""Letters and combining marks: the characters of words in every script."""

from __future__ import annotations

import re
import unicodedata

_WITH_MARKS = (
    (0x300, 0x2000), (0x20D0, 0x2100), (0x2CEF, 0x2E00), (0x302A, 0x309B), (0xA66F, 0xAC00),
    (0xFB1E, 0xFB1F), (0xFE20, 0xFE30), (0x101FD, 0x12000), (0x13440, 0x13456), (0x16AF0, 0x17000),
    (0x1BC9D, 0x1BC9F), (0x1CF00, 0x1D245), (0x1DA00, 0x1DAB0), (0x1E000, 0x1E94B),
)  # fmt: skip
"""Where Unicode has marks; variation selectors, which change no word, are left out."""

MARKS = "".join(
    chr(code)
    for first, end in _WITH_MARKS
    for code in range(first, end)
    if unicodedata.category(chr(code)).startswith("M")
)
"""Vowel signs, accents and other marks on a letter, which no `\\w` of Python matches."""

WORD = rf"[^\W_]+(?:[{MARKS}]+[^\W_]*)*"
"""A run of letters and digits with their marks; the same as `[^\\W_]+` in text without marks."""

_OPTIONAL = re.compile(
    "[\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u0652\u0656-\u065f\u0670"
    "\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed]"
    "|(?<=[\u0900-\u0dff\u1000-\u109f\u1780-\u17ff])[\u200c\u200d]"
)
"""Vowel points of Hebrew and Arabic, which most texts leave out, and joiners inside Indic words,
which only change how letters are drawn."""

_UNUSUAL = re.compile(
    "[^\x00-\u02ff\u0370-\u0482\u048a-\u058f\u1e00-\u1fff\u200e-\u20cf\u2100-\u2bff\ufe0f\U0001f000-\U0001faff]"
)


def is_usual(text: str) -> bool:
    """Return whether a text has Latin, Greek and Cyrillic letters and signs alone, no marks."""
    return text.isascii() or not _UNUSUAL.search(text)


def composed(text: str) -> str:
    """Return a text in composed form (NFC), so that letters typed in different ways are equal."""
    return text if text.isascii() else unicodedata.normalize("NFC", text)


def comparable(text: str) -> str:
    r"""Return a text in small letters, in one Unicode form (NFC), without optional vowel points.

    >>> comparable("Cafe\u0301 \u0130stanbul"), comparable("\u05e9\u05c1")
    ('café istanbul', 'ש')
    """
    text = composed(text.lower())
    # The dot that lower() leaves of a capital i with a dot belongs to no letter.
    return text if is_usual(text) else _OPTIONAL.sub("", text.replace("i\u0307", "i"))
