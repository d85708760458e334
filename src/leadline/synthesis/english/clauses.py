"""Short clauses: what one verb of a sentence says about a fact in it, without what can be left out.

A clause is only made where leaving words out keeps it true: a negated verb keeps all its
modifiers, a subject keeps what restricts it, and nothing is taken from below an "if" or a "said".
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Literal

from leadline.synthesis.english.open_nouns import leaves_open
from leadline.synthesis.english.parsing import lemma_of
from leadline.synthesis.english.verbs import (
    BINDING,
    SUBJECTS,
    WITH_VERB,
    agree,
    has_negation,
    is_active,
    is_finite,
    is_modal,
    opener_of,
    states,
    subject_of,
)
from leadline.synthesis.english.wholeness import (
    POINTS,
    after_comma,
    breaks_bracket,
    ends_well,
    is_cut,
    is_half_range,
    is_known,
    is_misread,
    is_numbered_before,
    is_orphan,
    is_part_of_name,
    is_pointing,
    is_reporting,
    is_stray_figure,
    is_titled,
    is_torn,
    looks_outside,
)
from leadline.synthesis.english.wording import in_sentence, wording
from leadline.synthesis.words import DOCUMENT_VERBS, words_of

Shape = Literal["clause", "document", "phrase"]

LEAST_WORDS, MOST_WORDS = 4, 14
_LEAST_LETTERS = 3

_COMPLEMENTS = frozenset({"acomp", "attr", "dobj", "oprd", "dative", "agent", "prt", "xcomp"})
_NEVER = frozenset({"ccomp", "csubj", "csubjpass", "dep", "preconj", "intj", "parataxis"})
_IN_NOUN = frozenset(
    {"compound", "det", "poss", "amod", "nummod", "quantmod", "nmod", "case", "neg", "predet",
     "advmod", "npadvmod", "prep", "cc", "conj", "pobj", "pcomp"}
)  # fmt: skip
_LOOSE = words_of(
    """
    however thus therefore then also moreover furthermore finally hence accordingly consequently
    additionally instead meanwhile nevertheless otherwise again now later subsequently eventually
    fortunately unfortunately apparently likewise indeed still soon here
    """
)
"""Adverbs that tie a sentence to the one before; a clause does without them."""
_WORKING = words_of(
    """
    study find obtain derive calculate compute determine report incorporate develop undertake pay
    devote direct
    """
)
"""What a paper does with its subject; that it did not do so says little."""
_SPEAKING = words_of("say think believe claim hope")
"""Without what is said they say nothing: "the minister says a man"."""
_ODD = re.compile(
    r"[\[\]{}<>|=_*+\\^~#@\"“”]|\.\.|--|\s-\s|of the (?:two|three)$|\s/\s|\?|\w-\s|[^\x00-\x7f]{3}"
    r"|/\w+/|X{2}|\w'(?<!s')\s|(?:^|\s)[b-hj-z](?:\s|$)"
    r"|[\u0080-\u009f]|[ÂÃË]\W|[ÂÃ][^\x00-\x7f]|â€|[¥�]|https?:|www\."
)


@dataclass(frozen=True)
class Clause:
    """Part of a sentence as it stands in a query.

    text    its wording, without a full stop
    shape   `clause` has a subject and a verb, `document` a verb that says what the document does,
            `phrase` none
    places  places of its words in the parsed text
    """

    text: str
    shape: Shape
    places: frozenset[int]


def clause_about(
    focus: Iterable[Any], *, most: int = MOST_WORDS, whole: bool = False
) -> Clause | None:
    """Return the shortest clause that states what some neighbouring words of a sentence say.

    focus  tokens of one sentence
    most   its words at most
    whole  leave nothing out behind the verb, up to a comma or the next statement: "was not closed
           with silk" does not deny "was closed"

    None where no clause of 4 to `most` words can be cut out without changing what is said.
    """
    focus = list(focus)
    held = {token.i for token in focus}
    top = head_of(focus)
    while not is_finite(top):
        if top.dep_ == "ROOT" or top.head.i == top.i:
            return None
        top = top.head
    return _about_verb(top, held, most, whole) if states(top) else None


def noun_phrase(head: Any) -> set[int] | None:
    """Return the places of a noun with what it cannot do without; None where that is a clause."""
    kept = noun_parts(head, set())
    return None if kept is None or is_torn(head.doc, kept, max(kept)) else kept


def _about_verb(verb: Any, held: set[int], most: int, whole: bool) -> Clause | None:
    subject = subject_of(verb)
    instead: dict[int, str] = {}
    kept: set[int] = set()
    if subject is None:
        return _of_document(verb, held, most, whole)
    if subject.head.i != verb.i and not _follows_and(verb):
        return None
    named = noun_parts(subject, held)
    if named is None or not is_known(subject) or subject.pos_ not in {"NOUN", "PROPN", "PRON"}:
        return None
    if subject.pos_ == "PRON" and subject.dep_ != "expl":
        return None
    if subject.dep_ == "nsubjpass" and (is_reporting(verb) or lemma_of(verb) in _WORKING):
        return None  # "17 projects are listed", "the variations are found"
    if len(subject) < _LEAST_LETTERS and not subject.is_upper:
        return None  # "60% is written", "1.0 mm increases"
    kept |= named
    instead = _pointers(subject)
    if not agree(verb, subject) or (verb.dep_ == "conj" and not is_active(verb)):
        return None
    if lemma_of(verb) in _SPEAKING and is_active(verb):
        return None
    for everything in (True, False):  # all its modifiers where they fit, else what it cannot lack
        said = _predicate(verb, held, everything or has_negation(verb), whole)
        if said is None or min(said) < subject.i or (whole and is_cut(verb, said)):
            return None
        found = finished(verb, kept | said, held, "clause", instead, most)
        if found is not None or whole or has_negation(verb):
            return found
    return None


def _follows_and(verb: Any) -> bool:
    """Tell whether a verb without a subject of its own stands behind an "and".

    Otherwise what stands before it may be its subject, which the parser did not see.
    """
    left = [child.i for child in verb.children if child.dep_ in WITH_VERB or child.pos_ == "ADV"]
    before = verb.doc[min([verb.i, *(place for place in left if place < verb.i)]) - 1]
    return bool(before.dep_ == "cc")


def _of_document(verb: Any, held: set[int], most: int, whole: bool) -> Clause | None:
    """Return a clause whose subject is the document itself: "describes a library"."""
    before = verb.sent[: verb.i - verb.sent.start]
    opens = verb.dep_ == "ROOT" and all(word.is_space for word in before)
    if not opens or verb.lower_ not in DOCUMENT_VERBS:
        return None
    for everything in (True, False):
        said = _predicate(verb, held, everything, whole)
        found = said and finished(verb, said, held, "document", {}, most)
        if found and not (whole and said and is_cut(verb, said)):
            return found
        if whole:
            return None
    return None


def _predicate(verb: Any, held: set[int], everything: bool, whole: bool = False) -> set[int] | None:
    """Return the places of a verb with what it cannot do without, or None.

    everything  keep its other phrases too, as a negation needs
    """
    kept = {verb.i}
    free = True
    negated = everything and has_negation(verb)
    adjectival = any(child.dep_ in {"acomp", "attr"} for child in verb.children)
    for child in verb.children:
        inside = bool(held & {each.i for each in child.subtree})
        part: set[int] | None = set()
        if child.dep_ in WITH_VERB:
            part = {child.i}
        elif child.dep_ in SUBJECTS or child.dep_ in {"punct", "mark", "cc"}:
            part = {child.i} if child.dep_ == "expl" else set()
        elif child.dep_ == "conj":
            if inside:
                return None
        elif child.dep_ == "xcomp":
            part = _predicate(child, held, everything, whole)
        elif child.dep_ == "prep" and _opens_with(child, verb) and not inside:
            return None  # "in some of the patients the weight decreased"
        elif child.dep_ == "prep" or (child.dep_ == "agent"):
            apart = after_comma(child, verb) and not negated
            wanted = inside or child.dep_ == "agent" or (free and child.i > verb.i)
            wanted = wanted or (everything and child.i > verb.i) or negated
            wanted = wanted and (inside or not apart)
            free = free and not wanted
            part = noun_parts(child, held) if wanted else set()
        elif child.dep_ in _COMPLEMENTS:
            part = noun_parts(child, held)
        elif child.dep_ == "advmod":
            part = _adverb(child, verb, inside)
        elif child.dep_ in {"npadvmod", "advcl"}:
            if child.dep_ == "advcl" and (inside or negated or opener_of(child) in BINDING):
                return None
            if child.dep_ == "advcl" and adjectival and child.tag_ == "VB":
                return None  # "difficult to assess"
            if (
                child.dep_ == "advcl"
                and (whole or child.tag_ == "VB")  # "comes to live in a lonely house"
                and child.i > verb.i
                and not after_comma(child, verb)
            ):
                return None
            wanted = inside or (everything and child.dep_ == "npadvmod" and child.i > verb.i)
            part = noun_parts(child, held) if wanted else set()
        elif child.dep_ in _NEVER or inside or negated:
            return None
        if part is None:
            return None
        kept |= part
    return kept


def _opens_with(prep: Any, verb: Any) -> bool:
    """Tell whether a sentence opens with where, of whom or when not something is so."""
    subject = subject_of(verb)
    if subject is None or prep.i > subject.i:
        return False
    return not any(word.ent_type_ in {"DATE", "TIME"} for word in prep.subtree)


def _adverb(child: Any, verb: Any, inside: bool) -> set[int] | None:
    if child.lower_ in _LOOSE and not inside:
        return set()
    if child.lower_ in {"only", "just", "even", "hardly", "so", "too", "as", "else", "rather"}:
        return None
    if child.lower_ in BINDING or child.lower_ in {"how", "why"}:
        return None
    apart = child.i + 1 < len(verb.doc) and verb.doc[child.i + 1].text == ","
    return set() if apart and not inside else {each.i for each in child.subtree}


def noun_parts(head: Any, held: set[int]) -> set[int] | None:
    """Return the places of a noun phrase, or of a preposition with its own, cut to what it needs.

    What says which one is meant must stay: where that is a relative clause, there is no clause.
    """
    kept = {head.i}
    for child in head.children:
        inside = bool(held & {each.i for each in child.subtree})
        if child.dep_ == "punct":
            if child.text in {"-", "–", "/"} or (child.text == "," and _in_list(child, head)):
                kept.add(child.i)
            continue
        apart = child.i > head.i and after_comma(child, head)
        if child.dep_ in {"relcl", "acl", "appos"} or (apart and child.dep_ not in {"cc", "conj"}):
            if child.dep_ == "acl" and inside and not apart:
                part = _predicate(child, held, False)
                if part is None:
                    return None
                kept |= part
            elif child.dep_ == "appos" and not apart:
                return None  # "diabetes insipidus", "girl Mary"
            elif child.dep_ == "acl" and child.tag_ == "VB" and not apart:
                return None  # "a formal way to express them"
            elif inside or not (apart or _is_any(head)):
                return None
            continue
        if child.dep_ not in _IN_NOUN and child.dep_ not in _COMPLEMENTS:
            return None
        part = noun_parts(child, held)
        if part is None:
            return None
        kept |= part
    return kept


def _is_any(noun: Any) -> bool:
    """Tell whether a noun phrase says enough without a relative clause: "a thin plate that ..."."""
    determiners = {child.lower_ for child in noun.children if child.dep_ == "det"}
    plural = noun.tag_ == "NNS" and noun.dep_ not in SUBJECTS
    counted = any(child.dep_ == "nummod" for child in noun.children)
    indefinite = bool(determiners & {"a", "an", "another"}) or counted
    if determiners - {"a", "an", "another"} or not (indefinite or plural):
        return False
    return any(
        child.dep_ in {"amod", "compound", "nummod"} or (child.dep_ == "prep" and child.i > noun.i)
        for child in noun.children
    )


def _in_list(comma: Any, head: Any) -> bool:
    return comma.i > head.i and any(
        child.dep_ == "conj" and child.i > comma.i for child in head.children
    )


def finished(
    top: Any,
    kept: set[int],
    held: set[int],
    shape: Shape,
    instead: dict[int, str],
    most: int,
    least: int = LEAST_WORDS,
) -> Clause | None:
    """Return kept words as a clause of `least` to `most` words, or None where it cannot stand."""
    doc = top.doc
    if not held <= kept:
        return None
    if is_torn(doc, kept, top.i, opens=shape != "phrase"):
        return None
    tokens = [doc[place] for place in sorted(kept)]
    while tokens and (tokens[-1].dep_ in {"cc", "punct"} or tokens[-1].pos_ == "SPACE"):
        tokens.pop()
    text = wording(tokens, instead)
    words = text.split()
    if not least <= len(words) <= most or _ODD.search(text):
        return None
    if tokens[0].lower_ in BINDING or is_pointing(tokens) or is_half_range(tokens):
        return None
    if looks_outside((token for token in tokens if token.i not in instead), text):
        return None
    if any(token.tag_ in {"JJR", "RBR"} for token in tokens) and "than" not in words:
        return None  # "is slightly smaller", than what?
    if any(is_modal(token) or _is_sign(token) for token in tokens):
        return None
    if any(one.pos_ == other.pos_ == "NUM" for one, other in pairwise(tokens)):
        return None  # "is 7,655,628 (2012)"
    if breaks_bracket(tokens):
        return None
    if any(token.lower_ == "or" or is_titled(token) for token in tokens):
        return None
    if tokens[-1].pos_ in {"ADP", "DET", "CCONJ", "SCONJ", "AUX", "PART"}:
        return None
    acts = shape != "phrase" and not any(child.dep_ == "auxpass" for child in top.children)
    if acts and tokens[-1].i == top.i:
        return None  # "the doctor answered", what?
    if leaves_open(tokens) or is_stray_figure(tokens[-1]):
        return None
    if tokens[-1].tag_ == "VB" and any(child.dep_ == "conj" for child in tokens[-1].children):
        return None  # "requires companies to develop" (and maintain plans)
    if (
        not ends_well(tokens[-1])
        or is_misread(tokens)
        or any(is_orphan(token, kept) or is_part_of_name(token, kept) for token in tokens)
        or is_numbered_before(tokens[0])
    ):
        return None
    if tokens[-1].lower_ in {"the", "a", "an", "much", "of", "and", "very", "more", "all"}:
        return None
    if text.count("(") != text.count(")") or not (text[0].isalnum() or text[0] in "($£€"):
        return None
    return Clause(in_sentence(text, tokens[0]), shape, frozenset(kept))


def _is_sign(token: Any) -> bool:
    """Tell whether a token is no word, and no sign of a currency before an amount."""
    return token.pos_ in {"X", "SYM"} and token.text not in {"$", "£", "€"}


def _pointers(noun: Any) -> dict[int, str]:
    """Write "the" for "this" and "these" before the noun that a clause is about."""
    return {
        child.i: "the"
        for child in noun.children
        if child.dep_ == "det" and child.lower_ in POINTS - {"such"}
    }


def head_of(tokens: list[Any]) -> Any:
    """Return the word that the others of some neighbouring words hang on."""
    places = {token.i for token in tokens}
    return next((token for token in tokens if token.head.i not in places), tokens[0])
