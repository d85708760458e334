"""What a language model writes for a ladder, and what code can find wrong with it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from math import ceil, floor
from typing import Annotated

from pydantic import BaseModel, Field

from leadline.kinds.conditions.domains import EditStyle
from leadline.llm.pipeline.steps import Fault, all_of, quoted
from leadline.text.sentences import split_sentences
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
    """Whether the condition holds."""

    holds: bool


class Rows(BaseModel):
    """For each condition the numbers of all statements that state it."""

    rows: Annotated[
        list[list[Annotated[int, Field(ge=1, le=2 * CONDITIONS)]]],
        Field(min_length=CONDITIONS, max_length=CONDITIONS),
    ]


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
    faults = []
    for given in draft.conditions:
        span_or_none = places.get(_bare(given))
        if span_or_none is None:
            if plain(given) and plain(given) in whole:
                faults.append(
                    Fault("not a whole sentence", f"This is no whole sentence: {quoted(given)}")
                )
            else:
                told = f"This does not stand in the document: {quoted(given)}"
                faults.append(Fault("does not occur", told))
            continue
        start, end = span_or_none
        if any(start < other_end and other < end for other, other_end in taken):
            told = f"This is chosen twice, or stands inside another: {quoted(given)}"
            faults.append(Fault("overlap", told))
        else:
            taken.append((start, end))
    found = [plain(text[start:end]) for start, end in sorted(taken[:CONDITIONS])]
    if len(taken) < CONDITIONS:
        told = f"Of the sentences {len(taken)} can be used; {CONDITIONS} are wanted."
        faults.append(Fault("fewer than ten", told))
    elif len({normalised(each) for each in found}) < CONDITIONS:
        faults.append(Fault("the same twice", "Two of the sentences say the same words."))
    else:  # ten good ones are enough
        faults = []
    return all_of(faults) or Chosen(conditions=found)


def check_queries(conditions: Sequence[str], draft: Queries) -> Queries | Fault:
    """Return ten short forms and ten queries in prose, or all that is wrong with them."""
    short, prose = [plain(each) for each in draft.short], [plain(each) for each in draft.prose]
    if len(short) != len(conditions) or len(prose) != len(conditions):
        told = f"{len(short)} short forms and {len(prose)} queries; ten of each are wanted."
        return Fault("another number of queries", told)
    faults = [*_short_faults(conditions, short), *_prose_faults(draft.prose)]
    return all_of(faults) or Queries(short=short, prose=prose)


def _short_faults(conditions: Sequence[str], short: Sequence[str]) -> Iterator[Fault]:
    for number, (text, condition) in enumerate(zip(short, conditions, strict=True), 1):
        count = len(text.split())
        if not _SHORTEST <= count <= _LONGEST:
            told = f"Short form {number} has {count} words, not {_SHORTEST} to {_LONGEST}."
            yield Fault("length of a short form", told)
        if normalised(text) == normalised(condition) and len(tokens(text)) > _LONGEST // 4:
            told = f"Short form {number} is copied word for word: say it in other words."
            yield Fault("not paraphrased", told)
    if len({normalised(each) for each in short}) < len(short):
        yield Fault("the same twice", "Two short forms are the same.")


def _prose_faults(prose: Sequence[str]) -> Iterator[Fault]:
    before = 0
    for k, text in enumerate(prose, 1):
        count = len(text.split())
        least, most = _FEWEST_A_CONDITION * k, _MOST_A_CONDITION * k + 10
        if not least <= count <= most:
            told = f"Query {k} has {count} words, not {least} to {most}."
            yield Fault("length of a query", told)
        if "\n" in text.strip() or re.search(r"(?:^|\s)\(?2[.)]\s", text):
            yield Fault("prose is a list", f"Query {k} is a list; flowing sentences are wanted.")
        if count <= before:
            yield Fault("queries do not grow", f"Query {k} is no longer than the one before.")
        before = count


def words_of(condition: str, edit: EditStyle) -> tuple[int, int]:
    """Return the fewest and the most words of a rewriting of a sentence."""
    share, excess, spare = _LENGTHS[edit]
    count = len(condition.split())
    return max(1, ceil(share * count - spare)), floor(excess * count + spare)


def check_negative(
    condition: str, text: str, others: Sequence[str], edit: EditStyle, draft: Negative
) -> Negative | Fault:
    """Return a rewriting that may stand in the place of a sentence, or all that is wrong with it.

    text    the document, which must not hold it already
    others  the other conditions, which it must not state word for word
    """
    sentence = plain(draft.sentence)
    faults = _negative_faults(condition, text, others, edit, sentence)
    changed = normalised(draft.changed)
    kind = "dummy" if edit == "dummy" else changed if changed in KINDS else "other"
    return all_of(faults) or Negative(sentence=sentence, changed=kind)


def _negative_faults(
    condition: str, text: str, others: Sequence[str], edit: EditStyle, sentence: str
) -> Iterator[Fault]:
    mine = normalised(sentence)
    if mine == normalised(condition):
        yield Fault("nothing changed", "The sentence says the same words as before.")
    elif not mine or f" {mine} " in f" {normalised(text)} ":
        yield Fault("already in the text", "The document holds this sentence already.")
    if any(f" {normalised(other)} " in f" {mine} " for other in others):
        yield Fault("states another condition", "It repeats another sentence of the document.")
    least, most = words_of(condition, edit)
    after = len(sentence.split())
    if not least <= after <= most:
        told = f"It has {after} words; {least} to {most} are wanted."
        yield Fault("another length", told)
    key = content_tokens(condition)
    kept = len(set(key) & set(tokens(sentence))) / len(key) if key else 1.0
    if len(key) > 2 and kept < _KEPT[edit]:
        told = (
            f"It keeps {kept:.0%} of the original's words; {_KEPT[edit]:.0%} are wanted at least."
        )
        yield Fault("too few words kept", told)


def _bare(text: str) -> str:
    return plain(text).rstrip(" .")
