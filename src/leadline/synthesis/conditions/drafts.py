"""What a language model writes for a ladder, and what code can find wrong with it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pydantic import BaseModel

from leadline.llm.pipeline.steps import Fault
from leadline.sentences import split_sentences
from leadline.synthesis.conditions.domains import EditStyle
from leadline.text.tokens import content_tokens, normalised, tokens

CONDITIONS = 10
KINDS = ("number", "date", "person", "place", "relation", "negation", "outcome", "other")
"""What a critical fact that was altered may be."""

_FIELD = re.compile(r"(?m)^[ \t]*([^\s:][^:\n]{0,40}:[ \t]+\S[^\n]*?)[ \t]*$")
_SHORTEST, _LONGEST = 2, 22
"""Words of a condition in a query."""
_FEWEST_A_CONDITION, _MOST_A_CONDITION = 4, 20
"""Words of a query in prose for each of its conditions."""
_KEPT = {"altered": 0.25, "dummy": 0.7}
"""Share of content words of a sentence that its rewriting keeps at least."""
_LENGTHS = {"altered": (0.6, 1.5, 4), "dummy": (0.6, 2.0, 8)}
"""Words of a rewriting, in those of its sentence: least, most, and how many words more or less."""


class Chosen(BaseModel):
    """Sentences of a document."""

    conditions: list[str]


class Queries(BaseModel):
    """Conditions in a searcher's words, and cumulative queries in flowing text."""

    short: list[str]
    prose: list[str]


class Negative(BaseModel):
    """A sentence in which a condition is false."""

    sentence: str
    changed: str


class Stated(BaseModel):
    """How many of the conditions each query states."""

    stated: list[int]


class Holds(BaseModel):
    """Whether each condition holds."""

    holds: list[bool]


def plain(text: str) -> str:
    """Return a text with single spaces."""
    return " ".join(text.split())


def units(text: str) -> list[tuple[int, int]]:
    """Return the spans that may be a condition: whole sentences, and whole `Field: value` lines."""
    spans = {(each.start, each.end) for each in split_sentences(text)}
    spans |= {found.span(1) for found in _FIELD.finditer(text)}
    return sorted(spans)


def check_chosen(text: str, draft: Chosen) -> Chosen | Fault:
    """Return ten whole sentences in the words and the order of the document, or what is wrong.

    White space and a full stop at the end are forgiven; whatever else differs is not.
    """
    whole = plain(text)
    places: dict[str, tuple[int, int]] = {}
    for span in reversed(units(text)):
        places[_bare(text[slice(*span)])] = span
    taken: list[tuple[int, int]] = []
    for given in draft.conditions:
        span_or_none = places.get(_bare(given))
        if span_or_none is None:
            if plain(given) and plain(given) in whole:
                return Fault("not a whole sentence", f"This is no whole sentence: {given[:300]!r}")
            return Fault("does not occur", f"This does not stand in the document: {given[:300]!r}")
        start, end = span_or_none
        if any(start < other_end and other < end for other, other_end in taken):
            return Fault("overlap", f"Chosen twice, or inside another: {given[:300]!r}")
        taken.append((start, end))
    if len(taken) < CONDITIONS:
        return Fault("fewer than ten", f"There are {len(taken)} sentences; ten are wanted.")
    found = [plain(text[start:end]) for start, end in sorted(taken[:CONDITIONS])]
    if len({normalised(each) for each in found}) < CONDITIONS:
        return Fault("the same twice", "Two of the sentences say the same words.")
    return Chosen(conditions=found)


def check_queries(conditions: Sequence[str], draft: Queries) -> Queries | Fault:
    """Return ten short forms and ten queries in prose, or what is wrong with them."""
    short, prose = [plain(each) for each in draft.short], [plain(each) for each in draft.prose]
    if len(short) != len(conditions) or len(prose) != len(conditions):
        told = f"{len(short)} short forms and {len(prose)} queries; ten of each are wanted."
        return Fault("another number of queries", told)
    for text, condition in zip(short, conditions, strict=True):
        if not _SHORTEST <= len(text.split()) <= _LONGEST:
            return Fault("length of a short form", f"About ten words are wanted, not {text!r}.")
        if normalised(text) == normalised(condition) and len(tokens(text)) > _LONGEST // 4:
            return Fault("not paraphrased", f"Copied word for word: {text!r}.")
    if len({normalised(each) for each in short}) < len(short):
        return Fault("the same twice", "Two short forms are the same.")
    for k, text in enumerate(prose, 1):
        count = len(text.split())
        if not _FEWEST_A_CONDITION * k <= count <= _MOST_A_CONDITION * k + 10:
            told = f"Query {k} has {count} words for {k} conditions; about ten for each are wanted."
            return Fault("length of a query", told)
        if "\n" in draft.prose[k - 1].strip() or re.search(r"(?:^|\s)\(?2[.)]\s", text):
            return Fault("prose is a list", f"Query {k} is a list; flowing sentences are wanted.")
        if k > 1 and count <= len(prose[k - 2].split()):
            return Fault("queries do not grow", f"Query {k} is no longer than the one before.")
    return Queries(short=short, prose=prose)


def check_negative(
    condition: str, text: str, others: Sequence[str], edit: EditStyle, draft: Negative
) -> Negative | Fault:
    """Return a rewriting that may stand in the place of a sentence, or what is wrong with it.

    text    the document, which must not hold it already
    others  the other conditions, which it must not state word for word
    """
    sentence = plain(draft.sentence)
    mine = normalised(sentence)
    if mine == normalised(condition):
        return Fault("nothing changed", "The sentence says the same words as before.")
    if not mine or f" {mine} " in f" {normalised(text)} ":
        return Fault("already in the text", "The document holds this sentence already.")
    if any(f" {normalised(other)} " in f" {mine} " for other in others):
        return Fault("states another condition", "It repeats another sentence of the document.")
    least, most, spare = _LENGTHS[edit]
    before, after = len(condition.split()), len(sentence.split())
    if not least * before - spare <= after <= most * before + spare:
        told = f"It has {after} words and the original {before}; about as many are wanted."
        return Fault("another length", told)
    key = content_tokens(condition)
    kept = len(set(key) & set(tokens(sentence))) / len(key) if key else 1.0
    if len(key) > 2 and kept < _KEPT[edit]:
        return Fault("too few words kept", "More of the original's words are to be kept.")
    changed = normalised(draft.changed)
    kind = "dummy" if edit == "dummy" else changed if changed in KINDS else "other"
    return Negative(sentence=sentence, changed=kind)


def _bare(text: str) -> str:
    return plain(text).rstrip(" .")
