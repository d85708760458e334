"""Tells of most texts, without cutting them into tokens, that they match no case of many."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from leadline.text.tokens import LONGEST

_PIECE = re.compile(r"[a-z]+|[0-9]+")


def _alone(kept: bytes) -> bytes:
    """Return a table for `bytes.translate`: small letters for capitals, spaces for the rest."""
    small = (bytes([each]).lower() for each in range(256))
    return b"".join(each if each in kept else b" " for each in small)


_LETTERS = _alone(b"abcdefghijklmnopqrstuvwxyz")
_DIGITS = _alone(b"0123456789")


@dataclass(frozen=True, slots=True)
class CaseFilter:
    """Pieces of ASCII of the tokens of cases, one of which a text must hold, and enough in all.

    by_piece  piece -> places of the cases of which a match holds it, where it may be looked up
    pieces    of each case, with how many of its tokens have it
    least     how many of these tokens each case needs
    is_blind  some token that is looked up has no such piece, or is cut: nothing can be told
    """

    by_piece: Mapping[bytes, Sequence[int]]
    pieces: Sequence[Mapping[bytes, int]]
    least: Sequence[int]
    is_blind: bool = False

    @classmethod
    def of(
        cls,
        cases: Sequence[Sequence[str]],
        by_token: Mapping[str, Sequence[int]],
        needed: Sequence[int],
    ) -> CaseFilter:
        """Return the filter of cases.

        cases     tokens of each
        by_token  token -> places of cases; a text that matches a case holds one of its tokens here
        needed    how many of its tokens a text that matches holds
        """
        by_piece: dict[bytes, list[int]] = {}
        for token, places in by_token.items():
            by_piece.setdefault(_piece(token), []).extend(places)
        pieces = [Counter(map(_piece, tokens)) for tokens in cases]
        least = [count - each.pop(b"", 0) for count, each in zip(needed, pieces, strict=True)]
        return cls(by_piece, pieces, least, b"" in by_piece)

    def may_match(self, text: bytes) -> bool:
        """Return False only where a text matches no case.

        text  case-folded, or ASCII as it is; other characters than ASCII are replaced by any that
              is no letter and no digit
        """
        if self.is_blind:
            return True
        words = text.translate(_LETTERS).split()
        numbers = text.translate(_DIGITS).split()
        keys = self.by_piece.keys()
        if keys.isdisjoint(words) and keys.isdisjoint(numbers):
            return False
        held = {*words, *numbers}
        return any(self._may_be(place, held) for each in keys & held
                   for place in self.by_piece[each])  # fmt: skip

    def _may_be(self, place: int, held: set[bytes]) -> bool:
        found = sum(count for piece, count in self.pieces[place].items() if piece in held)
        return found >= self.least[place]


def _piece(token: str) -> bytes:
    """Return a run of letters or digits that stands in every text which holds the token.

    Empty where it has none in ASCII, or is cut and might end within a run.
    """
    runs = _PIECE.findall(token) if len(token) < LONGEST else ()
    return max(runs, key=len, default="").encode()
