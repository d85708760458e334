"""Minimal edits that break one fact of a sentence, without any language model.

Numbers, dates and listed places work in any language that writes them as English does; the other
edits know English words and find nothing elsewhere.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable
from dataclasses import dataclass

from leadline.synthesis.antonyms import find_antonyms
from leadline.synthesis.exchange import exchanged
from leadline.synthesis.negation import find_negations
from leadline.synthesis.pools import Pools, find_values
from leadline.synthesis.tokens import normalised

KINDS = ("number", "date", "name", "antonym", "negation")

_ARTICLE = re.compile(r"(?<![\w.])(an?)(\s)$", re.IGNORECASE)
_VOWEL = re.compile(
    r"(?:8|11(?!\d)|18(?!\d)|1[18],\d{3}(?!,)|[aeio]|u(?!n[aeiou]|k\b|sa\b|ssr\b|s[aeiou]|ti|r[aio])"
    r"|ho(?:ur|nest)|[fhlmnrsx](?:-|\b(?!\s?['’])))",
    re.IGNORECASE,
)
_NOT_VOWEL = re.compile(r"(?:one|once|eu|ewe)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Edit:
    """A replacement of document.text[start:end], which is `before`, by `after`.

    kind  number, date, name, antonym or negation
    """

    kind: str
    start: int
    end: int
    before: str
    after: str


def find_edits(
    text: str, start: int, end: int, pools: Pools, document: str, rng: random.Random
) -> list[Edit]:
    """Return edits of text[start:end], each of which makes what it says false.

    pools     values of the corpus, from which the exchanged ones come
    document  tokens of the whole document with spaces between and around: a number, date or name
              that it says more than once cannot be broken by one edit, and is passed over
    """
    edits = []
    for value in find_values(text, start, end, pools):
        if document.count(f" {normalised(value.anchor)} ") > 1:
            continue
        for after in exchanged(value, text, pools, rng):
            if f" {normalised(after)} " not in document:
                edits.append(Edit(value.kind, value.start, value.end, value.text, after))
                break
    for kind, found in (
        ("antonym", find_antonyms(text, start, end)),
        ("negation", find_negations(text, start, end)),
    ):
        edits.extend(Edit(kind, a, b, text[a:b], after) for a, b, after in found)
    agreed = [_with_article(text, start, edit) for edit in edits]
    return [edit for edit in agreed if normalised(edit.before) != normalised(edit.after)]


def apply_edits(text: str, edits: Iterable[Edit]) -> str:
    """Return the text with edits that do not overlap made in it."""
    pieces, place = [], 0
    for edit in sorted(edits, key=lambda each: each.start):
        pieces += [text[place : edit.start], edit.after]
        place = edit.end
    return "".join([*pieces, text[place:]])


def _with_article(text: str, start: int, edit: Edit) -> Edit:
    """Widen an edit over an indefinite article before it that must change with it."""
    found = _ARTICLE.search(text, max(start, edit.start - 4), edit.start)
    if found is None or not edit.after or not edit.before:
        return edit
    wanted = "an" if _takes_an(edit.after) else "a"
    if wanted == found[1].lower() or _takes_an(edit.before) == _takes_an(edit.after):
        return edit
    article = wanted.capitalize() if found[1][0].isupper() else wanted
    before = text[found.start() : edit.end]
    return Edit(edit.kind, found.start(), edit.end, before, f"{article}{found[2]}{edit.after}")


def _takes_an(word: str) -> bool:
    return bool(_VOWEL.match(word)) and not _NOT_VOWEL.match(word)
