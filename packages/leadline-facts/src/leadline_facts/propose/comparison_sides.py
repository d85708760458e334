"""Decide which of two compared things has the stated amount."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

from leadline_facts.read.amounts.passage import Amount, Passage

_GENERIC = frozenset(
    re.findall(
        r"[\w']+",
        "the a an one ones that this it its model version option price cost of from is was in on at"
        " for to my your his her their our newer older new old previous last year month week other"
        " same original first second former latter than as with which what i we you he she they be"
        " been not so more less are were but and or by brand while actually also really quite costs"
        " priced it's found saw know knew realized realised discovered decided",
    )
)
_WORD = re.compile(r"[\w&+-]+")


def names_of(words: str) -> set[str]:
    """Return the words of a phrase in lower case that may tell its thing from others."""
    words = re.sub(r"§\w+§", " ", words)
    return {word for word in _WORD.findall(words) if word not in _GENERIC and len(word) > 1}


def name_of(phrase: str) -> str:
    """Return a phrase without its verb and amounts, as the name of a thing."""
    words = re.sub(r"§\w+§", " ", phrase)
    words = re.sub(r"\b(?:is|was|are|were|costs?|costing|it's|priced at|will be)\b.*$", "", words)
    return " ".join(words.split())[:60]


def share_met(names: set[str], around: set[str]) -> Fraction:
    """Return the share of names that stand around an amount; 0 where there are none."""
    return Fraction(count_met(names, around), len(names)) if names else Fraction(0)


def count_met(names: set[str], around: set[str]) -> int:
    """Return how many names stand around an amount, whole or run together with what follows."""
    return sum(
        any(name == word or (len(word) > 3 and name.startswith(word)) for word in around)
        for name in names
    )


@dataclass(frozen=True, slots=True)
class Relation:
    """A ratio or a difference that a text states between a subject and an object."""

    mark: Amount
    start: int
    end: int
    subject: str
    object: str
    is_priced: bool
    is_linked: bool
    is_less: bool
    is_part: bool = False


def known_side(passage: Passage, relation: Relation, base: Amount) -> str:
    """Return whether the base belongs to the `object` or the `subject` of a comparison."""
    if base.start > passage.place(relation.start):
        return _told_later(passage, relation, base)
    around = _around(passage, base)
    subject, object = names_of(relation.subject), names_of(relation.object)
    object_met, subject_met = share_met(object, around), share_met(subject, around)
    if not relation.is_linked:
        return "subject" if subject_met == 1 and relation.mark.sort == "x" else "object"
    if not object:
        return "object"
    if object_met != subject_met:
        return "object" if object_met > max(subject_met, Fraction(1, 2)) else "subject"
    return "object" if subject else "subject"


def _told_later(passage: Passage, relation: Relation, base: Amount) -> str:
    """Return whose amount it is that follows a comparison: `as much as the old one, at 40`."""
    gap = passage.text[passage.place(relation.end) : base.start].lower()
    tail = gap[len(relation.object) :]
    subject, object = names_of(relation.subject), names_of(relation.object)
    words = names_of(tail)
    object_met = count_met(object - subject, words)
    subject_met = count_met(subject - object, words)
    if object_met != subject_met:
        return "object" if object_met > subject_met else "subject"
    behind = passage.text[base.end : base.end + 40].lower()
    if re.search(r"\b(?:which|that|whose|with|priced|when|where|who)\b", tail) or re.match(
        r" (?:for|is|was) (?:the |that )?(?:older|cheaper|former|previous|latter|other)", behind
    ):
        return "object"
    return "subject" if tail.lstrip().startswith(",") else "object"


def _around(passage: Passage, base: Amount) -> set[str]:
    """Return the words of the clause that tells an amount."""
    start, end = passage.scope.sentence(base.start)
    text = passage.text
    for other in passage.amounts:
        if other.sort in "xpf" and start < other.end <= base.start:
            start = other.end
        if other.sort in "xpf" and base.end <= other.start < end:
            end = other.start
    tail = re.split(r"[,;.]| but | while | and | to ", text[base.end : end])[0]
    if re.match(r" for the | for a ", tail):
        return names_of(tail.lower())
    return names_of((text[start : base.start] + " " + tail).lower())
