"""Edits that break one fact of a sentence, each with changes of its size that break nothing."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain
from typing import Any

from leadline.synthesis.conditions.figures import sort_of, stand_alone
from leadline.synthesis.conditions.stock import Stock, is_plain_word
from leadline.synthesis.dates import find_dates
from leadline.synthesis.english.alike import words_of_its_sort
from leadline.synthesis.english.antonyms import KIN, SEXES, find_antonyms
from leadline.synthesis.english.articles import takes_an, with_article
from leadline.synthesis.english.denial import Told, is_asserted_alone
from leadline.synthesis.english.names import find_places
from leadline.synthesis.english.negation import find_negations
from leadline.synthesis.english.parsing import text_of
from leadline.synthesis.english.places import PLACES
from leadline.synthesis.exchange import exchanged
from leadline.synthesis.quantities import find_quantities
from leadline.synthesis.tokens import normalised, tokens
from leadline.synthesis.values import Value
from leadline.synthesis.words import words_of

_AMERICA = words_of("us usa america")
KINDS = ("number", "date", "name", "antonym", "negation")
CONTROL = "control"
_KNOWN_FIGURES = 3
_ROOT, _STEM = 2, 5
"""Letters that the names of a country and of its people begin with: Spain, Spanish; and letters
that tell a word of the same stem by themselves: Czechoslovakia, Czechoslovak."""
_SAID_AGAIN = re.compile(r"\s*(?:\w+\s+)?\(\W*\d")
"""Behind a value: the same in another unit, "20.28 kelvin (-252.87 C)"."""
_YEAR = re.compile(r"\b(?:1[0-9]|20)\d\d\b")
_LISTED = re.compile(r"[^.]{0,40}?[,:]")
"""Behind a count: what was counted, "his two brothers, a gambler and a sailor"."""

_NAMED_BEHIND = re.compile(r"[^.,]{0,40}, [A-Z]")
"""Behind a count: the names of what was counted, "4 children, Elizabeth, Carol Anne"."""


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
    sentence: Any,
    document: str,
    said: dict[str, int],
    stock: Stock,
    rng: random.Random,
    told: Told,
    offset: int = 0,
) -> Iterator[Break]:
    """Yield edits of a parsed sentence, each of which makes what it says false.

    document  tokens of the whole document with spaces between and around: a fact that it says
              more than once cannot be broken by one edit, and is passed over
    said      word -> how often the document says it
    told      the sentences of the document, so that what leans on a fact does not lose it
    offset    where the parsed passage begins in it
    """
    text = text_of(sentence.doc)
    exchanges = list(_exchanges(sentence, document, stock, rng))
    figures = [value for value, _, _ in exchanges if value.kind != "name"]
    free = stand_alone(figures, sentence, told, offset)
    for value, held, others in exchanges:
        if value.kind == "name":
            if not _is_free_place(value.text, said):
                continue
        elif value not in free or _SAID_AGAIN.match(text, value.end):
            continue
        counted = value.kind != "name" and sort_of(value) == "count"
        if counted and _NAMED_BEHIND.match(text, value.end):
            continue
        if _is_repeated(value, document):
            continue
        for after in others:
            if normalised(after) and f" {normalised(after)} " not in document:
                yield Break(_agreeing(value.kind, text, value, after), held)
                break
    for token, opposite in find_antonyms(sentence, said):
        value = Value("antonym", token.idx, token.idx + len(token.text), token.text, (), "")
        yield Break(_agreeing("antonym", text, value, opposite), (token,))
    for each in find_negations(sentence):
        if not is_asserted_alone(each.verb, told, offset):
            continue
        edit = Edit("negation", each.start, each.end, text[each.start : each.end], each.after)
        yield Break(edit, each.tokens, each.neutral)


def find_controls(
    broken: Break,
    sentence: Any,
    document: str,
    asked: Set[str],
    stock: Stock,
    rng: random.Random,
    count: int,
) -> list[Edit]:
    """Return changes of the size of an edit that leave every condition met, at most `count`.

    document  as for `find_breaks`
    asked     words in lower case that the queries ask for, which stay as they are

    For a word put in, a word put in at the same place that changes nothing; for a word left out,
    an article left out before a plural; for a word exchanged, another value or word of the same
    sentence, or of one near it, exchanged for one of its sort.
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
    doc = sentence.doc
    if len(edit.after.split()) < len(edit.before.split()):
        free = _free(_articles(doc), edit, asked)
    else:
        words = chain(_words_beside(doc, document, rng), _opposites_beside(doc, document))
        values = _values_beside(doc, document, stock, rng)
        free = _free(values, edit, asked) or _free(words, edit, asked)
    order = {each: rng.random() for each in free}
    free.sort(key=lambda each: _distance(each, sentence) + order[each])
    return _apart(free)[:count]


def _free(controls: Iterable[Edit], edit: Edit, asked: Set[str]) -> list[Edit]:
    """Return the changes that touch neither an edit nor what the queries ask for."""
    return [
        each
        for each in controls
        if (each.start >= edit.end or each.end <= edit.start)
        and not asked & ((_forms(each.before) | _forms(each.after)) - {"the"})
    ]


def _forms(text: str) -> set[str]:
    """Return the words of a text with their lemmas: rats, and rat."""
    from lemminflect import getAllLemmas

    words = tokens(text)
    lemmas = {each for word in words for found in getAllLemmas(word).values() for each in found}
    return {*words, *lemmas}


def moved(edit: Edit, by: int) -> Edit:
    """Return an edit of a passage as one of the text that holds the passage `by` characters on."""
    return Edit(edit.kind, edit.start + by, edit.end + by, edit.before, edit.after)


def _exchanges(
    sentence: Any, document: str, stock: Stock, rng: random.Random
) -> Iterator[tuple[Value, tuple[Any, ...], list[str]]]:
    """Yield numbers, dates and names, with their words and what may take their place."""
    text, start, end = text_of(sentence.doc), sentence.start_char, sentence.end_char
    taken: list[tuple[int, int]] = []
    for value in (*find_dates(text, start, end), *find_quantities(text, start, end)):
        if any(value.start < b and a < value.end for a, b in taken):
            continue
        taken.append((value.start, value.end))
        span = sentence.doc.char_span(value.start, value.end, alignment_mode="expand")
        owns = text[value.end : value.end + 2].lower() in {"'s", "’s"}
        joined = text[max(0, value.start - 1) : value.start] in {"-", "–", "/"}  # "23-28th May"
        joined |= text[value.end : value.end + 1] == "-"  # "13 day-treatment children"
        named = span is not None and (_is_in_name(span) or _is_model(value, span, stock))
        if span is not None and not (owns or joined or named):
            others = exchanged(value, text, stock.values, rng)
            if value.kind == "date":
                others = [each for each in others if _keeps_order(value.text, each, document)]
            yield value, tuple(span), others
    for name in find_places(sentence):
        first, last = name.tokens[0], name.tokens[-1]
        a, b = first.idx, last.idx + len(last.text)
        written = text[a:b]
        if all(each >= b or a >= other for each, other in taken):
            value = Value("name", a, b, written, (), written)
            yield value, name.tokens, stock.names_like(written, name.kind, rng)


def _is_free_place(written: str, said: Collection[str]) -> bool:
    """Tell whether no other place of a text tells which one is meant.

    Who reads "Madrid" knows that the country is Spain, so that a text with places of several kinds
    keeps them all.
    """
    place = normalised(written)
    if place == "american" and not _AMERICA.isdisjoint(said):
        return False
    return not any(word != place and _tells(word, place) for word in said)


def _tells(word: str, place: str) -> bool:
    """Tell whether a word of a text shows which place is meant in it."""
    if word in PLACES and (word[:_ROOT] == place[:_ROOT] or PLACES[word] != PLACES[place]):
        return True
    return len(place) > _STEM and word[:_STEM] == place[:_STEM]


def _is_repeated(value: Value, document: str) -> bool:
    """Tell whether a document, as words with spaces between and around, says a value twice."""
    anchor = f" {normalised(value.anchor)} "
    first = document.find(anchor)
    return first >= 0 and document.find(anchor, first + len(anchor) - 1) >= 0


def _keeps_order(before: str, after: str, document: str) -> bool:
    """Tell whether a year stays before and after the other years of a document."""
    old, new = _YEAR.search(before), _YEAR.search(after)
    if old is None or new is None:
        return True
    a, b = int(old[0]), int(new[0])
    others = _years(document) - {a}
    return all(b != year and (a < year) == (b < year) for year in others)


@lru_cache(maxsize=2)  # one document is asked about date by date
def _years(document: str) -> frozenset[int]:
    return frozenset(map(int, _YEAR.findall(document)))


def _is_in_name(span: Any) -> bool:
    names = {"PERSON", "ORG", "GPE", "WORK_OF_ART", "FAC", "PRODUCT", "LAW", "EVENT", "NORP"}
    before = span[0].nbor(-1) if span[0].i else None
    if before is not None and before.pos_ in {"NOUN", "PROPN"} and span[0].head.i == before.i:
        return bool(span.text.isdigit())  # "title 31", "OPA 90"
    if (
        before is not None
        and before.lower_ == "of"
        and (before.head.pos_ == "PROPN" or before.head.is_title)
    ):
        return True  # "the Stamp Act of 1765"
    digits = [token for token in span if token.like_num or token.text[0].isdigit()]
    return any(token.ent_type_ in names and token.text.isalpha() for token in digits)


def _is_model(value: Value, span: Any, stock: Stock) -> bool:
    """Tell whether a figure behind a noun is part of a name: "the endotine 4.5 device".

    Figures that name something of their own stand behind that noun elsewhere too: temperature 103.
    """
    if not value.keys or not value.keys[0].startswith("after|") or not span[0].i:
        return False
    known = len(stock.values.alike(value.keys[0])) >= _KNOWN_FIGURES
    return span[0].nbor(-1).pos_ in {"NOUN", "PROPN"} and not known


def _agreeing(kind: str, text: str, value: Value, after: str) -> Edit:
    start, before, put = with_article(text, value.start, value.text, after)
    return Edit(kind, start, value.end, before, put)


def _values_beside(doc: Any, document: str, stock: Stock, rng: random.Random) -> Iterator[Edit]:
    """Yield an exchange of every number, date and place that the document has once."""
    text, said = text_of(doc), set(document.split())
    for sentence in doc.sents:
        exchanges = list(_exchanges(sentence, document, stock, rng))
        sorts = ["" if value.kind == "name" else sort_of(value) for value, _, _ in exchanges]
        for (value, _, others), sort in zip(exchanges, sorts, strict=True):
            if _is_repeated(value, document) or (sort and sorts.count(sort) > 1):
                continue  # "from 2005 to 2011"
            if not sort and not _is_free_place(value.text, said):
                continue
            if sort == "count" and _LISTED.match(text, value.end):
                continue
            plain = normalised(value.text)
            after = next((each for each in others if normalised(each) != plain), None)
            if after is not None:
                yield replace(_agreeing(value.kind, text, value, after), kind=CONTROL)


def _opposites_beside(doc: Any, document: str) -> Iterator[Edit]:
    """Yield an exchange of every word that the document has once for its opposite."""
    said = Counter(document.split())
    for sentence in doc.sents:
        for token, opposite in find_antonyms(sentence, said):
            if token.lower_ in KIN or token.lower_ in SEXES:
                continue  # names and titles tell who is a boy, too
            if takes_an(opposite) == takes_an(token.text):
                end = token.idx + len(token.text)
                yield Edit(CONTROL, token.idx, end, token.text, opposite)


def _articles(doc: Any) -> Iterator[Edit]:
    """Yield a "the" taken out before every plural: stop words leave, and the text says the same."""
    for token in doc:
        if token.lower_ != "the" or token.dep_ != "det" or token.head.tag_ != "NNS":
            continue
        following = token.nbor(1)
        if not token.whitespace_ or not following.is_alpha or following.like_num:
            continue
        if following.lower_.endswith("st"):
            continue  # "the largest"
        before = f"{token.text} {following.text[0]}"
        after = following.text[0].upper() if token.is_title else following.text[0]
        yield Edit(CONTROL, token.idx, token.idx + len(before), before, after)


def _words_beside(doc: Any, document: str, rng: random.Random) -> Iterator[Edit]:
    """Yield an exchange of every plain word that has others of its sort."""
    for token in doc:
        if not is_plain_word(token):
            continue
        fitting = [
            word
            for word in words_of_its_sort(token)
            if f" {word} " not in document and takes_an(word) == takes_an(token.text)
        ]
        if fitting:
            end = token.idx + len(token.text)
            yield Edit(CONTROL, token.idx, end, token.text, rng.choice(fitting))


def _distance(edit: Edit, sentence: Any) -> int:
    """Return 0 in the sentence itself, else how many characters an edit is away, and a bit."""
    if sentence.start_char <= edit.start < sentence.end_char:
        return 0
    gaps = abs(edit.start - sentence.start_char), abs(edit.start - sentence.end_char)
    return 1 + int(min(gaps))


def _apart(edits: Sequence[Edit]) -> list[Edit]:
    """Return edits of which none touches one before it."""
    kept: list[Edit] = []
    for each in edits:
        if all(each.start >= other.end or each.end <= other.start for other in kept):
            kept.append(each)
    return kept
