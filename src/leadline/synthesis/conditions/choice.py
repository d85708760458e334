"""Conditions of a document: what to ask for, the edit that makes it false, and its control."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from leadline.synthesis.conditions.edits import Break, Edit, find_breaks, find_controls, moved
from leadline.synthesis.conditions.passages import Parsed
from leadline.synthesis.conditions.stock import Stock
from leadline.synthesis.english.clauses import Clause, Shape, clause_about
from leadline.synthesis.english.denial import Told
from leadline.synthesis.english.mentions import mention_of
from leadline.synthesis.english.parsing import lemma_of
from leadline.synthesis.english.places import PLACES
from leadline.synthesis.english.verbs import sentences_of
from leadline.synthesis.tokens import content_tokens, normalised, tokens
from leadline.synthesis.uniqueness import is_met
from leadline.synthesis.words import words_of

MOST_TOGETHER = 82
"""Words of all conditions of a document together: with their frame, ten fit into 100 words."""
_SPARE = 3
_CONTROLS = 2
_FEWEST_CONTENT, _FEWEST_MENTIONED = 3, 2
_SORTED = {"antonym": 2}
"""Words that a mention has beside the one that changes: "a young woman" is in any text."""
_FACTS = frozenset({"number", "date", "name"})
_FAILING = words_of("without deny fail lack avoid prevent refuse few little rarely seldom hardly")
"""Under such a word an opposite need not contradict."""
_LAST_RESORT = {"number": 0.0, "date": 0.0, "name": 0.0, "antonym": 0.3, "negation": 0.6}


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
    used: Counter[str] = Counter()
    chosen: list[_Found] = []
    room = MOST_TOGETHER
    for offset, sentence in rng.sample(sentences, len(sentences)):
        found = []
        for broken in find_breaks(sentence, whole, said, stock, rng, told, offset):
            clause, reason = _clause(broken, title, told)
            if clause is None:
                dropped[reason] += 1
            elif len(clause.text.split()) <= room:
                found.append(_Found(clause, broken, sentence, offset))
        if found:
            best = min(found, key=lambda each: _weight(each.broken.edit.kind, used))
            used[best.broken.edit.kind] += 1
            room -= len(best.clause.text.split())
            chosen.append(best)
        if len(chosen) == most + _SPARE:
            break
    return list(_controlled(chosen, whole, title, stock, dropped, rng))[:most]


def _weight(kind: str, used: Counter[str]) -> float:
    return used[kind] + _LAST_RESORT[kind]


def _clause(broken: Break, title: set[str], told: Told) -> tuple[Clause | None, str]:
    """Return the clause that states what an edit breaks, or why there is none."""
    kind = broken.edit.kind
    inserted = bool(broken.neutral)
    clause = clause_about(broken.tokens, whole=inserted)
    if (
        clause is None
        and not inserted
        and (kind != "name" or normalised(broken.edit.before) in PLACES)
    ):
        clause = mention_of(broken.tokens, more=_SORTED.get(kind, 1))
    if clause is None or (inserted and clause.shape == "document"):
        return None, "no short clause states it"
    words = [broken.tokens[0].doc[place] for place in clause.places]
    if kind != "negation" and any(
        word.dep_ == "neg" or word.lower_ == "no" or lemma_of(word) in _FAILING for word in words
    ):
        return None, "stated under a negation"
    content = content_tokens(clause.text)
    if len(content) < (_FEWEST_MENTIONED if clause.shape == "phrase" else _FEWEST_CONTENT):
        return None, "too few words that mean something"
    if kind in _FACTS and not _shows(clause.text, broken.edit.before):
        return None, "the fact is not whole in the clause"
    if is_met(content, title, 0.8) or sum(is_met(content, each, 0.8) for each in told.words) > 1:
        return None, "said more than once in the document"
    return clause, ""


def _shows(text: str, before: str) -> bool:
    wanted = normalised(before).removeprefix("a ").removeprefix("an ")
    return f" {wanted} " in f" {normalised(text)} "


def _controlled(
    chosen: Sequence[_Found],
    whole: str,
    title: set[str],
    stock: Stock,
    dropped: Counter[str],
    rng: random.Random,
) -> Iterator[Condition]:
    """Yield the conditions that have controls: changes of what no condition asks for."""
    asked = set(title)
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
