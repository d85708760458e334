"""Conditions of a document: what to ask for, the edit that makes it false, and its control."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from leadline.synthesis.conditions.about import heading_of
from leadline.synthesis.conditions.edits import Break, Edit, find_breaks, find_controls, moved
from leadline.synthesis.conditions.figures import is_bare
from leadline.synthesis.conditions.passages import Parsed
from leadline.synthesis.conditions.stock import Stock
from leadline.synthesis.english.clauses import Clause, Shape, clause_about
from leadline.synthesis.english.denial import Told
from leadline.synthesis.english.full_names import full_name, lone_person
from leadline.synthesis.english.mentions import mention_of
from leadline.synthesis.english.parsing import lemma_of
from leadline.synthesis.english.phrases import GENERAL
from leadline.synthesis.english.verbs import SUBJECTS, sentences_of
from leadline.synthesis.tokens import content_tokens, normalised, tokens
from leadline.synthesis.uniqueness import is_met
from leadline.synthesis.words import words_of

MOST_TOGETHER = 82
"""Words of all conditions of a document together: with their frame, ten fit into 100 words."""
_SPARE = 3
_CONTROLS = 2
_FEWEST_CONTENT = {"phrase": 3, "clause": 5, "document": 6}
"""Words of a condition that mean something: "presents 21 policies" may be of anything.
One fewer will do where one of them is a name."""
_SPECIFIC = words_of("patient")
_ENOUGH_BESIDE = 5
_FACTS = frozenset({"number", "date", "name"})
_SHORT = 60
"""Words of a text so short that a phrase will do where no clause can be cut out of it."""
_BROUGHT_IN = {"number": 3, "name": 3, "antonym": 4}
"""Kinds of fact for which a phrase will do: "four friends from a technical school", and how many
words it must have beside the fact."""
_TITLE_SHARE = 0.6
"""A clause of which the title holds so much says nothing more: "Speech Decoder is a decoder"."""
_FAILING = words_of("without deny fail lack avoid prevent refuse few little rarely seldom hardly")
"""Under such a word an opposite need not contradict."""
_LAST_RESORT = {"number": 0.0, "date": 0.0, "name": 0.0, "antonym": 0.6, "negation": 0.6}


@dataclass(frozen=True, slots=True)
class Condition:
    """What a query asks for, stated by document.text[start:end].

    text      the wording in a query
    shape     clause, document or phrase; see `english.clauses.Clause`
    edit      breaks it; lies inside the span
    controls  one or two changes of the same size after which every condition still holds
    """

    start: int
    end: int
    text: str
    shape: Shape
    edit: Edit
    controls: tuple[Edit, ...] = ()


@dataclass(frozen=True, slots=True)
class _Found:
    clause: Clause
    broken: Break
    sentence: Any
    offset: int


def find_conditions(
    parsed: Parsed, stock: Stock, dropped: Counter[str], *, most: int, rng: random.Random
) -> list[Condition]:
    """Return conditions of a document in a random order, one a sentence and kinds mixed.

    most     how many are wanted
    dropped  reasons are counted here

    The order is not that of the text, so that the k-th condition may stand anywhere in it.
    """
    document = parsed.document
    whole = f" {normalised(document.content)} "
    said = Counter(whole.split())
    told = Told.of(document.text)
    title = set(tokens(document.title))
    sentences = [
        (offset, sentence) for offset, doc in parsed.passages for sentence in sentences_of(doc)
    ]
    mixed = rng.sample(sentences, len(sentences))
    chosen: list[_Found] = []
    short = len(document.text.split()) <= _SHORT
    for phrases in (False, True)[: 1 + short]:  # where a plot has no clause, what it brings in
        finds = _Finds(document.content, whole, said, stock, rng, told, title, phrases)
        chosen = chosen or _chosen(mixed, finds, dropped, most + _SPARE)
    kept = title | set(tokens(heading_of(document)))
    return list(_controlled(chosen, whole, kept, stock, dropped, rng))[:most]


@dataclass(frozen=True, slots=True)
class _Finds:
    """What is known of a document whose facts are asked for; see `edits.find_breaks`."""

    content: str
    whole: str
    said: dict[str, int]
    stock: Stock
    rng: random.Random
    told: Told
    title: set[str]
    phrases: bool

    def __call__(self, sentence: Any, offset: int, dropped: Counter[str]) -> Iterator[_Found]:
        breaks = find_breaks(
            sentence, self.whole, self.said, self.stock, self.rng, self.told, offset
        )
        for broken in breaks:
            clause, reason = _clause(broken, self.title, self.told, self.phrases)
            if clause is None:
                dropped[reason] += 1
            else:
                clause = _named(clause, sentence.doc, self.content)
                yield _Found(clause, broken, sentence, offset)


def _named(clause: Clause, doc: Any, content: str) -> Clause:
    """Return the clause with the full name of the person that it begins with, if there is one."""
    person = lone_person([doc[place] for place in sorted(clause.places)])
    if person is None or not clause.text.startswith(person.text):
        return clause
    name = full_name(person.text, content)
    if not name:
        return clause
    return replace(clause, text=f"{name}{clause.text[len(person.text) :]}")


def _chosen(
    sentences: Sequence[tuple[int, Any]], finds: _Finds, dropped: Counter[str], most: int
) -> list[_Found]:
    """Return the best condition of each sentence, together short enough for a query."""
    used: Counter[str] = Counter()
    chosen: list[_Found] = []
    room = MOST_TOGETHER
    for offset, sentence in sentences:
        found = [
            each
            for each in finds(sentence, offset, dropped)
            if len(each.clause.text.split()) <= room
        ]
        if found:
            best = min(found, key=lambda each: _weight(each, used))
            used[best.broken.edit.kind] += 1
            room -= len(best.clause.text.split())
            chosen.append(best)
        if len(chosen) == most:
            break
    return chosen


def _weight(found: _Found, used: Counter[str]) -> float:
    """Return how little a condition is wanted: kinds are mixed, and what says most comes first."""
    kind = found.broken.edit.kind
    says = min(_beside(found.clause, found.broken), _ENOUGH_BESIDE)
    return used[kind] + _LAST_RESORT[kind] - says


def _beside(clause: Clause, broken: Break) -> int:
    """Count the words of a clause that mean something and stay as they are."""
    changed = set(tokens(broken.edit.before)) if not broken.neutral else set()
    return len(set(content_tokens(clause.text)) - changed)


def _clause(broken: Break, title: set[str], told: Told, phrases: bool) -> tuple[Clause | None, str]:
    """Return the clause that states what an edit breaks, or why there is none."""
    kind = broken.edit.kind
    inserted = bool(broken.neutral)
    if kind == "number" and is_bare(broken.tokens):
        return None, "a figure of nothing"
    clause = clause_about(broken.tokens, whole=inserted)
    if clause is None and phrases and kind in _BROUGHT_IN:
        clause = mention_of(broken.tokens)
    if clause is None or (inserted and clause.shape == "document"):
        return None, "no short clause states it"
    words = [broken.tokens[0].doc[place] for place in clause.places]
    if kind != "negation" and any(
        word.dep_ == "neg" or word.lower_ == "no" or lemma_of(word) in _FAILING for word in words
    ):
        return None, "stated under a negation"
    content = content_tokens(clause.text)
    least = _FEWEST_CONTENT[clause.shape] - any(
        word.pos_ == "PROPN" or word.lower_ in _SPECIFIC for word in words
    )
    brought = _BROUGHT_IN[kind] if clause.shape == "phrase" else 0
    if len(content) < least or _beside(clause, broken) < brought:
        return None, "too few words that mean something"
    if words[0].tag_ == "NN" and words[0].dep_ in SUBJECTS and words[0].lower_ in GENERAL:
        return None, "its subject has no article"
    if kind in _FACTS and not _shows(clause.text, broken.edit.before):
        return None, "the fact is not whole in the clause"
    if is_met(content, title, _TITLE_SHARE) or told.holding_most(content, 0.8) > 1:
        return None, "said more than once in the document"
    return clause, ""


def _shows(text: str, before: str) -> bool:
    wanted = normalised(before).removeprefix("a ").removeprefix("an ")
    return f" {wanted} " in f" {normalised(text)} "


def _controlled(
    chosen: Sequence[_Found],
    whole: str,
    kept: set[str],
    stock: Stock,
    dropped: Counter[str],
    rng: random.Random,
) -> Iterator[Condition]:
    """Yield the conditions that have controls: changes of what no condition asks for.

    kept  words that stay as they are, too: a query may name its topic by them
    """
    asked = set(kept)
    for each in chosen:
        asked |= set(tokens(each.clause.text))
        doc = each.sentence.doc
        asked |= {lemma_of(doc[place]) for place in each.clause.places}
    for each in chosen:
        controls = find_controls(each.broken, each.sentence, whole, asked, stock, rng, _CONTROLS)
        if not controls:
            dropped["nothing near it could be changed as a control"] += 1
            continue
        places = sorted(each.clause.places)
        doc = each.sentence.doc
        end = doc[places[-1]].idx + len(doc[places[-1]].text)
        yield Condition(
            start=doc[places[0]].idx + each.offset,
            end=end + each.offset,
            text=each.clause.text,
            shape=each.clause.shape,
            edit=moved(each.broken.edit, each.offset),
            controls=tuple(moved(control, each.offset) for control in controls),
        )
