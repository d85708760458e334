"""Conditions of a document: what to ask for, and the edit that makes it false."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass

from leadline.synthesis.clauses import cleaned, shortest_clause, split_units
from leadline.synthesis.perturb import Edit, find_edits
from leadline.synthesis.pools import LONGEST_SENTENCE, Pools
from leadline.synthesis.sentences import Sentence, salience, split_sentences
from leadline.synthesis.tokens import content_tokens, normalised, tokens
from leadline.synthesis.uniqueness import is_met
from leadline.types import Document

MOST_SENTENCES = 200
_SPARE = 4
_LAST_RESORT = {"number": 0.0, "date": 0.0, "name": 0.0, "antonym": 0.5, "negation": 0.6}


@dataclass(frozen=True, slots=True)
class Condition:
    """What a query asks for, stated by document.text[start:end].

    text    the wording in a query
    edit    breaks it; lies inside the span
    weight  salience of the sentence
    """

    start: int
    end: int
    text: str
    edit: Edit
    weight: float


def find_conditions(
    document: Document, pools: Pools, dropped: Counter[str], *, most: int, rng: random.Random
) -> list[Condition]:
    """Return conditions of a document that do not overlap, the most salient first.

    most     how many are wanted; four more are returned where there are, should some fall away
    dropped  reasons are counted here
    """
    units = [
        unit
        for sentence in split_sentences(document.text)[:MOST_SENTENCES]
        if len(sentence.text) <= LONGEST_SENTENCE
        for unit in split_units(sentence)
    ]
    weights = {unit.start: salience(unit.text, pools.rarity) for unit in units}
    held = [(unit, set(tokens(unit.text))) for unit in units]
    whole = f" {normalised(document.content)} "
    title = set(tokens(document.title))
    used: Counter[str] = Counter()
    chosen: list[Condition] = []
    for unit in sorted(units, key=lambda each: (-weights[each.start], each.start)):
        others = [title, *(each for other, each in held if other is not unit)]
        found = []
        for edit in find_edits(document.text, unit.start, unit.end, pools, whole, rng):
            reason, text = _judged(document.text, unit, edit, whole, others)
            if reason:
                dropped[reason] += 1
                continue
            found.append(Condition(unit.start, unit.end, text, edit, weights[unit.start]))
        if found:
            best = min(found, key=lambda each: used[each.edit.kind] + _LAST_RESORT[each.edit.kind])
            used[best.edit.kind] += 1
            chosen.append(best)
        if len(chosen) == most + _SPARE:
            break
    return chosen


def _judged(
    text: str, unit: Sentence, edit: Edit, whole: str, others: list[set[str]]
) -> tuple[str, str]:
    """Return why an edit gives no condition, or "" and the condition's wording."""
    start, end = shortest_clause(text, unit, edit.start, edit.end)
    if edit.start < start or edit.end > end:
        return "fact outside its clause", ""
    wording = cleaned(text[start:end])
    content = content_tokens(wording)
    if len(content) < 3 or len(wording.split()) < 4:
        return "too short", ""
    if len(wording.split()) > 30:
        return "too long", ""
    if normalised(edit.before) and f" {normalised(edit.before)} " not in f" {normalised(wording)} ":
        return "fact outside its clause", ""
    edited = text[unit.start : edit.start] + edit.after + text[edit.end : unit.end]
    if normalised(edited) == normalised(unit.text):
        return "edit did not change the text", ""
    if edit.kind == "antonym" and _is_said_again(text, edit, whole, others[0]):
        return "fact said more than once in the document", ""
    if any(is_met(content, other, 0.8) for other in others):
        return "fact said more than once in the document", ""
    return "", wording


def _is_said_again(text: str, edit: Edit, whole: str, title: set[str]) -> bool:
    """Tell whether the word that an opposite replaced stands in the title, or again as here."""
    words = tokens(edit.before)
    if any(word in title for word in words if len(word) > 2):
        return True
    following = tokens(text[edit.end : edit.end + 60])[:1]
    return whole.count(f" {' '.join([*words, *following])} ") > 1
