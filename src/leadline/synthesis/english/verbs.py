"""Verbs and their sentences: what a verb is said of, and whether the text states it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set
from typing import Any

from leadline.synthesis.english.parsing import lemma_of, text_of
from leadline.synthesis.words import words_of

SUBJECTS = frozenset({"nsubj", "nsubjpass", "expl"})
WITH_VERB = frozenset({"aux", "auxpass", "neg"})
_REPORTS = words_of("find show report note state demonstrate reveal discover learn")
"""Verbs after which "that ..." is what the text itself says."""
BINDING = words_of("if unless until when whenever where wherever once whether lest provided")
"""A clause that such a word opens cannot be left out without a change of what is said."""
_NEGATING = words_of("not n't n’t never no none neither nor hardly without few nobody nothing")
_EXISTING = words_of("be exist remain")
"""What "there" is the subject of."""
_MODAL = words_of("may might could would should shall ought must")
_ENGLISH = words_of("the of a an and in to is was are for with by on at has his her he she it that")
_ONLY_ENGLISH = words_of("the and to for with by from that which his her he she its are has have")
"""A longer sentence without one of these, or two of those, is in another language, or none."""


def states(verb: Any) -> bool:
    """Tell whether the text itself states what a finite verb says, without any condition."""
    top = verb
    while top.dep_ == "conj" and top.head.pos_ in {"VERB", "AUX"}:
        if any(child.dep_ == "cc" and child.lower_ in {"or", "nor"} for child in top.head.children):
            return False
        top = top.head
    if top.dep_ == "ccomp":
        outer = top.head
        reported = lemma_of(outer) in _REPORTS and outer.dep_ == "ROOT"
        if not reported or has_negation(outer) or not is_finite(outer):
            return False
    elif top.dep_ != "ROOT":
        return False
    sentence = verb.sent
    if any(mark.text in {"?", ":"} for mark in sentence[-2:]) or sentence[0].lower_ in BINDING:
        return False
    return not any(_is_bound(each) for each in {verb.i: verb, top.i: top}.values())


def is_negated(verb: Any) -> bool:
    """Tell whether a "not" or "never" hangs on the verb, or a "no" on what it is said of."""
    return has_negation(verb) or any(word.lower_ in _NEGATING for word in verb.subtree)


def is_finite(token: Any) -> bool:
    """Tell whether a verb has a tense of its own, or an auxiliary that has."""
    if token.pos_ not in {"VERB", "AUX"} or token.dep_ in {"aux", "auxpass", "amod", "compound"}:
        return False
    if token.tag_ in {"VBD", "VBZ", "VBP"}:
        return True
    return any(
        child.dep_ in {"aux", "auxpass"} and child.tag_ in {"VBD", "VBZ", "VBP", "MD"}
        for child in token.children
    )


def agree(verb: Any, subject: Any) -> bool:
    """Tell whether subject and verb fit, which a wrong parse often shows by."""
    passive = [child for child in verb.children if child.dep_ == "auxpass"]
    if (subject.dep_ == "nsubjpass" and not passive) or may_be_noun(verb, subject):
        return False
    if subject.dep_ == "expl":
        return lemma_of(verb) in _EXISTING
    if subject.pos_ == "PRON":
        return True
    auxiliaries = [child for child in verb.children if child.dep_ in WITH_VERB - {"neg"}]
    first = min([*auxiliaries, verb], key=place_of)
    several = any(child.dep_ == "conj" for child in subject.children)
    plural = subject.tag_ in {"NNS", "NNPS"} or several
    if first.lower_ in {"are", "were", "have"} or first.tag_ == "VBP":
        return plural or subject.pos_ not in {"NOUN", "PROPN"}
    if first.lower_ in {"is", "was", "has"} or first.tag_ == "VBZ":
        return not plural
    return True


def may_be_noun(verb: Any, subject: Any) -> bool:
    """Tell whether a verb may be the head of its subject: "normoactive bowel sounds"."""
    from lemminflect import getAllLemmas

    if verb.tag_ not in {"VBZ", "VBP"} or verb.i != subject.i + 1 or subject.tag_ != "NN":
        return False
    if any(child.dep_ in {"det", "poss"} for child in subject.children):
        return False
    return bool(getAllLemmas(verb.lower_, upos="NOUN"))


def may_be_another_part(verb: Any) -> bool:
    """Tell whether the form of a verb is a noun or an adjective too: left, present, faces."""
    from lemminflect import getAllLemmas

    return bool({"NOUN", "ADJ", "ADV"} & getAllLemmas(verb.lower_).keys())


def is_common_word(token: Any) -> bool:
    """Tell whether a dictionary has a word, in lower case, as a noun."""
    from lemminflect import getAllLemmas

    return bool(getAllLemmas(token.lower_, upos="NOUN"))


def is_in_dictionary(token: Any) -> bool:
    """Tell whether a dictionary has a word in lower case, as whatever part of speech."""
    from lemminflect import getAllLemmas

    return bool(getAllLemmas(token.lower_))


def is_active(verb: Any) -> bool:
    """Tell whether "obtained" is a past tense, no participle: "results obtained by ...".

    It has an object, or someone who acts, or a form of its own, as "took".
    """
    from lemminflect import getInflection

    if verb.tag_ != "VBD" or verb.lower_ not in getInflection(lemma_of(verb), tag="VBN"):
        return True
    for child in verb.children:
        if child.dep_ in {"dobj", "prt", "acomp", "oprd"}:
            return True
        if child.dep_ == "xcomp" and child.tag_ == "VB":
            return True
        if child.dep_ == "nsubj" and (child.pos_ == "PRON" or child.ent_type_ == "PERSON"):
            return True
    return False


def subject_of(verb: Any) -> Any:
    """Return the subject of a verb, or the one that it shares with the verb before it."""
    while True:
        subjects = [child for child in verb.children if child.dep_ in SUBJECTS]
        expletive = [child for child in subjects if child.dep_ == "expl"]
        if subjects:
            return (expletive or subjects)[0] if len(subjects) <= 2 else None
        if verb.dep_ != "conj" or verb.head.pos_ not in {"VERB", "AUX"}:
            return None
        verb = verb.head


def _is_bound(verb: Any) -> bool:
    """Tell whether what a verb says hangs on an "if" or is only possible."""
    for child in verb.children:
        if child.dep_ == "aux" and is_modal(child):
            return True
        if child.dep_ == "advcl" and opener_of(child) in BINDING:
            return True
        if child.dep_ == "mark" and child.lower_ in BINDING:
            return True
    return False


def is_modal(token: Any) -> bool:
    """Tell whether a word is an auxiliary that says what may or should be."""
    return token.lower_ in _MODAL and token.pos_ == "AUX"


def has_negation(verb: Any) -> bool:
    """Tell whether a "not" or "never" hangs on the verb itself."""
    return any(child.dep_ == "neg" for child in verb.children)


def opener_of(clause: Any) -> str:
    """Return the word that opens a clause, such as "while"; empty where there is none."""
    words: list[str] = [
        child.lower_ for child in clause.children if child.dep_ in {"mark", "advmod"}
    ]
    return words[0] if words else ""


def place_of(token: Any) -> int:
    """Return the place of a token in its text, to sort by."""
    place: int = token.i
    return place


def sentences_of(doc: Any) -> Iterator[Any]:
    """Yield the sentences of a parsed text that are whole: both their ends can be seen.

    The parser sometimes ends a sentence at "U.S." or at a line break in it; what does not begin
    after an end mark, or does not stop at one, is passed over. A text without any mark is left as
    the parser cuts it.
    """
    text = text_of(doc)
    bare = not any(mark in text for mark in ".!?;")
    for sentence in doc.sents:
        words = [token for token in sentence if not token.is_space]
        if not 5 <= len(words) <= 60:
            continue
        before = text[max(0, words[0].idx - 9) : words[0].idx].rstrip(" \t")
        if _is_shortened(words[0]):
            continue
        opens = bare or not before or before[-1] in ".!?:;)”\"'\n\r"
        last = words[-1]
        closes = bare or last.text in {".", "!", "?", ";", ".."}
        if closes and not bare and _goes_on(text, last):
            continue
        cased = not all(token.is_lower or not token.is_alpha for token in words[1:])
        if cased and words[0].is_lower:
            opens = False
        if len(words) > 7 and not _is_english({token.lower_ for token in words}):
            continue
        if cased and not _is_prose(words[1:]):
            continue
        letters = sum(token.is_alpha for token in words)
        capitals = sum(token.is_upper and len(token) > 3 for token in words)
        if opens and closes and letters >= 0.6 * len(words) and capitals <= 0.2 * len(words):
            yield sentence


def _is_english(words: Set[str]) -> bool:
    return bool(words & _ONLY_ENGLISH) or len(words & _ENGLISH) > 1


def _is_prose(words: Sequence[Any]) -> bool:
    """Tell whether some longer word has no capital, as in anything but a headline."""
    longer = [word for word in words if word.is_alpha and len(word) > 3]
    return len(longer) < 2 or any(word.is_lower for word in longer)


def _goes_on(text: str, last: Any) -> bool:
    """Tell whether a full stop ends an abbreviation before a figure: "a weight of approx. 14 g"."""
    if last.text == "." and last.i and _VOWELLESS.fullmatch(last.doc[last.i - 1].text):
        return True  # "16 hr. to pass"
    before = last.doc[last.i - 1].lower_ if last.i else ""
    after = text[last.idx + 1 :].lstrip()[:1]
    return last.text == "." and (before in _SHORTENED or (after.isdigit() and len(before) < 4))


def _is_shortened(first: Any) -> bool:
    """Tell whether a sentence begins behind an abbreviation: "in patient no. 1 exchanges were"."""
    if first.i < 2 or first.doc[first.i - 1].text != ".":
        return False
    before = first.doc[first.i - 2].lower_
    return before in _SHORTENED or bool(_VOWELLESS.fullmatch(before))


_VOWELLESS = re.compile(r"[bcdfghjklmnpqrstvwxz]{1,4}")
_SHORTENED = words_of(
    "kgm mgm gm approx fig figs vs cf resp ca no nos vol dr mr mrs prof st al eq sp spp dept"
)
