"""Edits that break one fact of a sentence, each with changes of its size that break nothing."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass
from typing import Any

from leadline.synthesis.conditions.stock import Stock, is_plain_word
from leadline.synthesis.dates import find_dates
from leadline.synthesis.english.antonyms import find_antonyms
from leadline.synthesis.english.articles import takes_an, with_article
from leadline.synthesis.english.names import find_persons, find_places
from leadline.synthesis.english.negation import find_negations
from leadline.synthesis.english.parsing import lemma_of, text_of
from leadline.synthesis.exchange import exchanged
from leadline.synthesis.quantities import find_quantities
from leadline.synthesis.tokens import normalised, tokens
from leadline.synthesis.values import Value

KINDS = ("number", "date", "name", "antonym", "negation")
CONTROL = "control"


@dataclass(frozen=True, slots=True)
class Edit:
    """A replacement of document.text[start:end], which is `before`, by `after`.

    kind  number, date, name, antonym or negation, or control for one that breaks nothing
    """

    kind: str
    start: int
    end: int
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Break:
    """An edit of a parsed passage, with the words of it that state the fact.

    edit     its places count from the start of the passage
    tokens   the words of the fact
    neutral  what may stand in place of `edit.after` without breaking anything
    """

    edit: Edit
    tokens: tuple[Any, ...]
    neutral: tuple[str, ...] = ()


def apply_edits(text: str, edits: Iterable[Edit]) -> str:
    """Return the text with edits that do not overlap made in it."""
    pieces, place = [], 0
    for edit in sorted(edits, key=lambda each: each.start):
        pieces += [text[place : edit.start], edit.after]
        place = edit.end
    return "".join([*pieces, text[place:]])


def find_breaks(
    sentence: Any, document: str, said: dict[str, int], stock: Stock, rng: random.Random
) -> Iterator[Break]:
    """Yield edits of a parsed sentence, each of which makes what it says false.

    document  tokens of the whole document with spaces between and around: a fact that it says
              more than once cannot be broken by one edit, and is passed over
    said      word -> how often the document says it
    """
    text = text_of(sentence.doc)
    for found in _exchanges(sentence, stock, rng):
        value, held, others = found
        if document.count(f" {normalised(value.anchor)} ") > 1:
            continue
        for after in others:
            if normalised(after) and f" {normalised(after)} " not in document:
                yield Break(_agreeing(value.kind, text, value, after), held)
                break
    for token, opposite in find_antonyms(sentence, said):
        value = Value("antonym", token.idx, token.idx + len(token.text), token.text, (), "")
        yield Break(_agreeing("antonym", text, value, opposite), (token,))
    for each in find_negations(sentence):
        edit = Edit("negation", each.start, each.end, text[each.start : each.end], each.after)
        yield Break(edit, each.tokens, each.neutral)


def find_controls(
    broken: Break, sentence: Any, asked: Set[str], stock: Stock, rng: random.Random, count: int
) -> list[Edit]:
    """Return changes of the size of an edit that leave every condition met, at most `count`.

    asked  words in lower case that the queries ask for, which stay as they are

    For a word put in, a word put in at the same place that changes nothing; for a word
    exchanged, another word of the same sentence exchanged, or of one near it.
    """
    edit = broken.edit
    if broken.neutral:
        fitting = [
            each
            for each in broken.neutral
            if not asked & set(tokens(each)) - set(tokens(edit.after))
        ]
        chosen = rng.sample(fitting, min(count, len(fitting)))
        return [Edit(CONTROL, edit.start, edit.end, edit.before, after) for after in chosen]
    found: list[Edit] = []
    for token in _bystanders(broken, sentence, asked, rng):
        for word in stock.words_like(token, rng):
            if word.lower() not in asked and takes_an(word) == takes_an(token.text):
                end = token.idx + len(token.text)
                found.append(Edit(CONTROL, token.idx, end, token.text, word))
                break
        if len(found) == count:
            break
    return found


def moved(edit: Edit, by: int) -> Edit:
    """Return an edit of a passage as one of the text that holds the passage `by` characters on."""
    return Edit(edit.kind, edit.start + by, edit.end + by, edit.before, edit.after)


def _exchanges(
    sentence: Any, stock: Stock, rng: random.Random
) -> Iterator[tuple[Value, tuple[Any, ...], list[str]]]:
    """Yield numbers, dates and names, with their words and what may take their place."""
    text, start, end = text_of(sentence.doc), sentence.start_char, sentence.end_char
    taken: list[tuple[int, int]] = []
    for value in (*find_dates(text, start, end), *find_quantities(text, start, end)):
        if any(value.start < b and a < value.end for a, b in taken):
            continue
        taken.append((value.start, value.end))
        span = sentence.doc.char_span(value.start, value.end, alignment_mode="expand")
        if span is not None and not _is_in_name(span):
            yield value, tuple(span), exchanged(value, text, stock.values, rng)
    for name in (*find_places(sentence), *find_persons(sentence)):
        first, last = name.tokens[0], name.tokens[-1]
        a, b = first.idx, last.idx + len(last.text)
        written = text[a:b]
        if all(each >= b or a >= other for each, other in taken):
            value = Value("name", a, b, written, (), written)
            yield value, name.tokens, stock.names_like(written, name.kind, rng)


def _is_in_name(span: Any) -> bool:
    names = {"PERSON", "ORG", "GPE", "WORK_OF_ART", "FAC", "PRODUCT", "LAW", "EVENT", "NORP"}
    digits = [token for token in span if token.like_num or token.text[0].isdigit()]
    return any(token.ent_type_ in names and token.text.isalpha() for token in digits)


def _agreeing(kind: str, text: str, value: Value, after: str) -> Edit:
    start, before, put = with_article(text, value.start, value.text, after)
    return Edit(kind, start, value.end, before, put)


def _bystanders(broken: Break, sentence: Any, asked: Set[str], rng: random.Random) -> Sequence[Any]:
    """Return words that the queries do not ask for: of the sentence first, then of those near."""
    doc = sentence.doc
    places = {token.i for token in broken.tokens}
    free = [
        token
        for token in doc
        if is_plain_word(token) and token.i not in places and token.lower_ not in asked
        and lemma_of(token) not in asked
    ]  # fmt: skip
    order = {token.i: rng.random() for token in free}
    far = sentence.end - sentence.start

    def distance(token: Any) -> float:
        inside = sentence.start <= token.i < sentence.end
        gap = 0 if inside else far + min(abs(token.i - sentence.start), abs(token.i - sentence.end))
        return gap + order[token.i]

    return sorted(free, key=distance)
