"""Nouns that leave open "of what?" where nothing follows them: a solution, the values, no cause.

Which ones do was counted, by `learning/open_nouns.py`: nouns that mostly take "of", "to", "in"
or the like in texts of nine kinds. A clause with such a noun and nothing to complete it can only
be understood where it stands.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from importlib.resources import files
from typing import Any

from leadline.synthesis.english.parsing import lemma_of
from leadline.synthesis.english.verbs import SUBJECTS

_AS_SUBJECT, _ELSEWHERE = 0.15, 0.4
"""Share of its occurrences that take a preposition from which a noun counts as open."""
_COMPLETES = frozenset({"poss", "compound", "relcl", "acl", "prep"})
_PARTS = frozenset({"compound", "amod", "npadvmod"})


def leaves_open(tokens: Iterable[Any]) -> bool:
    """Tell whether one of the kept words is a noun that asks "of what?" and is not told it."""
    words = list(tokens)
    kept = {word.i for word in words}
    return any(_is_open(word, kept) for word in words if word.pos_ == "NOUN")


def _is_open(noun: Any, kept: set[int]) -> bool:
    if noun.dep_ in _PARTS or (noun.i + 1 in kept and noun.nbor(1).dep_ == "prep"):
        return False
    if any(child.dep_ in _COMPLETES and child.i in kept for child in noun.children):
        return False
    least = _AS_SUBJECT if noun.dep_ in SUBJECTS else _ELSEWHERE
    return _shares().get(lemma_of(noun), 0.0) >= least


@lru_cache(maxsize=1)
def _shares() -> dict[str, float]:
    table = files("leadline.synthesis.english").joinpath("open_nouns.tsv").read_text("utf-8")
    rows = (line.split("\t") for line in table.splitlines())
    return {noun: float(share) for noun, share in rows}
