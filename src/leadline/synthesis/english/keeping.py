"""What no rephrasing may lose: negations, numbers, names, months and their capitals."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

from leadline.synthesis.words import MONTHS, words_of

_NEGATIONS = words_of("not no never none nobody nothing neither nor without hardly except unless")
_NAMES = frozenset({"PERSON", "GPE", "ORG", "LOC", "NORP", "FAC"})
_WORD = re.compile(r"[^\W_]+(?:[.,:/'’-][^\W_]+)*")


def is_kept(query: Any, text: str) -> bool:
    """Tell whether a text has what a parsed query must not lose, as often as the query."""
    words = Counter(_WORD.findall(text))
    for word, count in _must_stay(query).items():
        if words[word] < count and _count(word, text) < count:
            return False
    return _negations(query.text) == _negations(text)


def _count(word: str, text: str) -> int:
    return len(re.findall(rf"(?<!\w){re.escape(word)}(?!\w)", text))


def _must_stay(query: Any) -> Counter[str]:
    kept: Counter[str] = Counter()
    for token in query:
        first = token.i == 0
        is_name = token.pos_ == "PROPN" or token.ent_type_ in _NAMES or token.lower_ in MONTHS
        is_number = any(character.isdigit() for character in token.text)
        has_capital = token.is_alpha and token.text[0].isupper()
        if is_number or (has_capital and (is_name or not first)):
            kept[token.text] += 1
    return kept


def _negations(text: str) -> int:
    """Count the negations of a text; "n't" and "cannot" count as "not" does."""
    parted = re.sub(r"n['’]t\b", " not", text.lower()).replace("cannot", "not")
    return sum(word in _NEGATIONS for word in re.findall(r"[^\W_]+", parted))
