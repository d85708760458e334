"""Noun phrases that hold a fact: whom a text brings in, whatever it says about them.

"A Danish homesteader" is brought in in "After a Danish homesteader avenges ...", where no short
clause can be cut out. Such a phrase is only taken where nothing above it denies it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set
from typing import Any

from leadline.synthesis.english.clauses import MOST_WORDS, Clause, finished, head_of, noun_parts
from leadline.synthesis.english.parsing import lemma_of
from leadline.synthesis.english.verbs import place_of
from leadline.synthesis.english.wholeness import is_known
from leadline.synthesis.words import words_of

_LEAST_WORDS = 3
_SHORT = 3
"""Letters of a noun; what is shorter is an abbreviation."""
_CLIMBS = frozenset(
    {"amod", "nummod", "compound", "nmod", "quantmod", "pobj", "prep", "npadvmod", "advmod"}
)
_NOUNS = frozenset({"NOUN", "PROPN"})
_DENYING = words_of(
    """
    not no n't n’t never without neither nor hardly deny fail lack avoid prevent refuse if whether
    unless instead except than
    """
)
"""What such a word stands with need not be there."""
_POINTING = words_of("further previous next same top other another additional relevant current")


_PERSONS = words_of(
    """
    man woman boy girl child kid teen teenager baby infant adult youth youngster lady gentleman
    mother father parent son daughter brother sister sibling twin orphan husband wife widow widower
    couple family uncle aunt cousin nephew niece grandmother grandfather grandson granddaughter
    friend lover boyfriend girlfriend roommate classmate neighbor neighbour stranger partner
    colleague rival enemy victim survivor hero heroine villain outsider loner misfit fan
    student pupil teacher professor tutor coach lawyer attorney judge doctor nurse surgeon patient
    journalist reporter writer author poet novelist actor actress singer dancer musician artist
    comic comedian filmmaker director producer scientist engineer inventor explorer farmer fisherman
    hunter soldier sailor officer captain general agent spy detective cop sheriff guard criminal
    thief robber killer murderer assassin gangster mobster boss dealer smuggler pirate prisoner
    convict fugitive king queen prince princess knight warrior samurai witch wizard monk priest nun
    chef cook waiter driver pilot astronaut athlete boxer wrestler footballer player worker employee
    businessman businesswoman entrepreneur millionaire billionaire politician president activist
    immigrant refugee migrant slave servant maid butler nanny babysitter therapist psychologist
    gang group team crew band trio duo villager homesteader settler cowboy
    """
)
"""Whom a story brings in. Of a thing it must say something: "three openings in the floor"."""


def mention_of(focus: Iterable[Any], *, most: int = MOST_WORDS) -> Clause | None:
    """Return the longest noun phrase about persons that holds some words and says more than them.

    focus  neighbouring tokens of one sentence
    most   its words at most

    None where it would point at something outside, or where the text denies or asks it.
    """
    focus = list(focus)
    held = {token.i for token in focus}
    if _is_denied(head_of(focus)) or focus[0].sent[-1].text == "?":
        return None
    for head in reversed(list(_heads(head_of(focus), held))):
        kept = noun_parts(head, held)
        if kept is None or lemma_of(head) not in _PERSONS or _is_named(head):
            continue
        found = finished(head, kept, held, "phrase", {}, most, _LEAST_WORDS)
        if found is not None and _stands_alone([head.doc[place] for place in kept], held):
            return found
    return None


def _stands_alone(tokens: Sequence[Any], held: Set[int]) -> bool:
    """Tell whether a phrase brings in a thing: "a rural house", not "the end of 1981"."""
    if any(token.dep_ == "cc" or token.lower_ in _POINTING for token in tokens):
        return False
    if not all(is_known(token) for token in tokens if token.pos_ in _NOUNS):
        return False
    first = min(tokens, key=place_of)
    head = head_of(list(tokens))
    if first.ent_type_ == "DATE" and first.i not in held and not first.is_lower:
        return False  # "the July through September issues of 1931"
    if len(head) < _SHORT or any(token.pos_ == "ADV" and token.i > head.i for token in tokens):
        return False
    if first.dep_ == "nummod" and "%" in first.sent.doc[first.i + 1].text:
        return False
    more = sum(token.pos_ in {*_NOUNS, "ADJ"} and token.i not in held for token in tokens)
    if first.lower_ in {"a", "an"} or first.dep_ == "nummod":
        return more > 0
    several = head.tag_ == "NNS" and first.dep_ != "det"
    return more > 1 and several


def _is_named(noun: Any) -> bool:
    """Tell whether a name says who is meant: "Indian superstar Shah Rukh Khan"."""
    return any(
        each.pos_ == "PROPN" and each.dep_ in {"appos", "compound"} for each in noun.children
    )


def _heads(token: Any, held: set[int]) -> Iterator[Any]:
    """Yield the nouns that a word hangs on, the nearest first."""
    while token.dep_ in _CLIMBS and token.head.i != token.i:
        token = token.head
        if token.pos_ in _NOUNS and token.i not in held:
            yield token


def _is_denied(token: Any) -> bool:
    for each in (token, *token.ancestors):
        if lemma_of(each) in _DENYING or each.lower_ in _DENYING:
            return True
        if any(child.lower_ in _DENYING for child in each.children):
            return True
    return False
