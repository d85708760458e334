"""Tokens of a parsed sentence as text again."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any


def wording(tokens: Iterable[Any], instead: dict[int, str] | None = None) -> str:
    """Return tokens of a sentence as text: as they stand, one space where words were left out.

    instead  place of a token -> what to write for it
    """
    ordered = sorted(tokens, key=lambda token: token.i)
    pieces: list[str] = []
    for place, token in enumerate(ordered):
        pieces.append((instead or {}).get(token.i, token.text))
        follows = place + 1 < len(ordered) and ordered[place + 1].i == token.i + 1
        pieces.append(token.whitespace_ if follows else " ")
    text = re.sub(r"\s+", " ", "".join(pieces)).strip(" ,;:-–.")
    return re.sub(r"\s+(?=[,;.)%])|(?<=\()\s+", "", text)


def in_sentence(text: str, first: Any) -> str:
    """Take the capital from the first word where it is only there because it is the first."""
    word = text.split(" ", 1)[0]
    keeps = first.pos_ == "PROPN" or first.ent_type_ in {"PERSON", "GPE", "NORP", "ORG", "LOC"}
    if keeps or first.lower_ == "i" or not (word[1:].islower() or word in {"A", "I"}):
        return text
    return text[0].lower() + text[1:]
