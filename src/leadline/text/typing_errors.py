"""One slip of the fingers, of the kinds that people make at a keyboard."""

from __future__ import annotations

import random
import re
from collections.abc import Container, Set

from leadline.text.words import STOP_WORDS, words_of

_NEIGHBOURS = {
    "a": "sqz", "b": "vn", "c": "xv", "d": "sf", "e": "wr", "f": "dg", "g": "fh", "h": "gj",
    "i": "uo", "j": "hk", "k": "jl", "l": "k", "m": "n", "n": "bm", "o": "ip", "p": "o",
    "q": "wa", "r": "et", "s": "ad", "t": "ry", "u": "yi", "v": "cb", "w": "qe", "x": "zc",
    "y": "tu", "z": "x",
}  # fmt: skip
_TELLING = words_of("never nothing nobody neither without hardly")
_LONG_WORD = re.compile(r"[^\W\d_]{5,30}")


def mistyped(
    text: str,
    rng: random.Random,
    fixed: Set[str] = frozenset(),
    known: Container[str] = (),
) -> tuple[str, str]:
    """Return the text with one typing error, and "word -> wrod"; the latter empty if none fits.

    A content word of at least 5 letters has two letters swapped, one dropped, one doubled, or
    one replaced by a neighbour on the keyboard; never its first letter.

    fixed  words that stay as they are: names
    known  words in lower case that a slip must not make: "county" for "country"
    """
    words = [
        match
        for match in _LONG_WORD.finditer(text)
        if match.group().lower() not in STOP_WORDS | _TELLING
        and match.group().isascii()
        and match.group() not in fixed
    ]
    if not words:
        return text, ""
    chosen = rng.choice(words)
    word = chosen.group()
    wrong = next((s for s in (_slip(word, rng) for _ in range(5)) if s.lower() not in known), "")
    if not wrong:
        return text, ""
    return f"{text[: chosen.start()]}{wrong}{text[chosen.end() :]}", f"{word} -> {wrong}"


def _slip(word: str, rng: random.Random) -> str:
    swaps = [i for i in range(1, len(word) - 1) if word[i].lower() != word[i + 1].lower()]
    kind = rng.choice(("swap", "drop", "double", "neighbour"))
    if kind == "swap" and swaps:
        i = rng.choice(swaps)
        return word[:i] + word[i + 1] + word[i] + word[i + 2 :]
    i = rng.randrange(1, len(word))
    if kind == "drop":
        return word[:i] + word[i + 1 :]
    if kind == "neighbour" and word[i].lower() in _NEIGHBOURS:
        near = rng.choice(_NEIGHBOURS[word[i].lower()])
        return word[:i] + (near.upper() if word[i].isupper() else near) + word[i + 1 :]
    return word[:i] + word[i] + word[i:]
