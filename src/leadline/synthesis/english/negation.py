"""Turn a statement into its negation, and a negation into a statement, by the parse."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from leadline.synthesis.english.parsing import lemma_of
from leadline.synthesis.english.verbs import (
    SUBJECTS,
    is_active,
    is_finite,
    is_negated,
    may_be_another_part,
    states,
)
from leadline.synthesis.words import words_of

AGREEING = ("also", "indeed", "actually")
"""Adverbs that leave a statement what it is: what stands for "not" in a control."""

_QUANTIFIERS = words_of(
    """
    all every each some most many few several both any either none no various certain numerous
    much more everyone everybody everything someone something nobody nothing half often sometimes
    usually always generally frequently mostly mainly partly largely only just also even probably
    possibly perhaps then almost nearly hardly rarely seldom too so enough still already yet little
    """
)
"""With one of these in it, "X is not Y" need not contradict "X is Y"."""
_POLAR = words_of(
    "any anymore ever yet either neither nor until but unless longer anything anyone much again if "
    "whether so all at"
)
_UNCOUNTED = words_of(
    """
    evidence distress pain blood bleeding fever tenderness swelling discharge drainage information
    research work agreement progress difficulty trouble nausea vomiting diarrhea weakness numbness
    damage money support interest training experience improvement help hope love food water
    """
)


@dataclass(frozen=True, slots=True)
class Negation:
    """An edit of text[start:end] that turns what a verb says into its contrary.

    tokens   the words that the edit touches or stands beside
    verb     the verb of the statement
    neutral  replacements of the same size after which the sentence still says what it said
    """

    start: int
    end: int
    after: str
    tokens: tuple[Any, ...]
    verb: Any
    neutral: tuple[str, ...] = ()


def find_negations(sentence: Any) -> Iterator[Negation]:
    """Yield the edits that negate a statement of a sentence or undo its negation.

    Conditions, questions, hedges, and statements about some or all are left alone, and so is a
    sentence with another negation in it.
    """
    for verb in sentence:
        if not is_finite(verb) or not states(verb):
            continue
        found = _affirmed(verb) if is_negated(verb) else _negated(verb)
        if found is not None:
            yield found


def _negated(verb: Any) -> Negation | None:
    if any(word.like_num or word.text[0].isdigit() for word in verb.subtree):
        return None  # "the area is not 135 square metres", which nobody says
    words = {word.lower_ for word in verb.subtree}
    if words & _QUANTIFIERS or any(child.dep_ in {"ccomp", "expl"} for child in verb.children):
        return _none(verb)
    if any(_opens_reason(child) for child in verb.children):
        return None
    if any(_is_list_or_denial(child) for child in verb.children):
        return None
    if any(_denies(word) for word in verb.subtree):
        return None  # "did not show insignificant disease"
    if (
        any(child.dep_ == "xcomp" and child.tag_ == "VB" for child in verb.children)
        and lemma_of(verb) == "be"
    ):
        return None  # "the method is to fill a mould"
    first = _first_auxiliary(verb)
    return _with_do(verb) if first is None else _inserted(first, (verb,))


_TAKE_NOT = words_of("is are was were has have had will did does do")


def _is_list_or_denial(said: Any) -> bool:
    """Tell whether a "not" before it would be unclear: "not soft and nontender", "not unusual"."""
    if said.dep_ not in {"acomp", "attr"}:
        return False
    return said.lower_.startswith(("un", "non", "absent", "negative")) or any(
        child.dep_ in {"conj", "cc"} for child in said.children
    )


def _denies(word: Any) -> bool:
    """Tell whether a word that describes a noun is another with "not" in front: insignificant."""
    from lemminflect import getAllLemmas

    if word.dep_ != "amod" or not word.lower_.startswith(("un", "in", "non")):
        return False
    rest = word.lower_.removeprefix("non").removeprefix("un").removeprefix("in")
    return "ADJ" in getAllLemmas(rest)


def _with_do(verb: Any) -> Negation | None:
    """Negate a verb without auxiliary: "moved" becomes "did not move"."""
    from lemminflect import getAllLemmas, getInflection

    forms = {"VBD": "did", "VBZ": "does", "VBP": "do"}
    lemma = lemma_of(verb)
    if verb.tag_ not in forms or verb.pos_ != "VERB" or lemma in {"be", "do", "include", "contain"}:
        return None
    if lemma == "have" and any(child.dep_ == "xcomp" for child in verb.children):
        return None  # "has to go"
    if may_be_another_part(verb) and not any(_is_full(child) for child in verb.children):
        return None  # "status post left hip fracture", "deep tendon reflexes present"
    if verb.lower_ not in getInflection(lemma, tag=verb.tag_) or not verb.is_lower:
        return None
    if lemma not in getAllLemmas(verb.lower_, upos="VERB").get("VERB", ()):
        return None
    if not is_active(verb):
        return None
    form = forms[verb.tag_]
    neutral = tuple(f"{form} {word} {lemma}" for word in _agreeing(verb) if word != "also")
    end = verb.idx + len(verb.text)
    return Negation(verb.idx, end, f"{form} not {lemma}", (verb,), verb, neutral)


def _agreeing(verb: Any) -> list[str]:
    """Return the neutral adverbs that a sentence does not have yet."""
    return [word for word in AGREEING if all(token.lower_ != word for token in verb.sent)]


def _is_full(child: Any) -> bool:
    """Tell whether a word is an object that shows to be one: with an article, or a name."""
    if child.dep_ != "dobj":
        return False
    return bool(child.pos_ == "PROPN") or any(
        each.dep_ in {"det", "poss", "nummod"} for each in child.children
    )


def _none(verb: Any) -> Negation | None:
    """Negate "there is a mass": "there is not a mass"."""
    if not any(child.dep_ == "expl" and child.lower_ == "there" for child in verb.children):
        return None
    for noun in verb.children:
        if noun.dep_ not in {"attr", "dobj", "nsubj"}:
            continue
        articles = [child for child in noun.children if child.dep_ == "det"]
        others = {word.lower_ for word in noun.subtree}
        if len(articles) == 1 and articles[0].lower_ in {"a", "an"}:
            if others & (_QUANTIFIERS | {"number", "lot", "need", "variety", "total"}):
                return None
            first = _first_auxiliary(verb)
            return None if first is None else _inserted(first, (articles[0], noun, verb))
    return None


def _inserted(first: Any, tokens: tuple[Any, ...]) -> Negation | None:
    """Put "not" behind an auxiliary; the last of the tokens is the verb of the statement."""
    if first.lower_ not in _TAKE_NOT or _next(first).startswith(("not", "n't", "n’t")):
        return None
    verb = tokens[-1]
    end = first.idx + len(first.text)
    neutral = tuple(f" {word}" for word in _agreeing(verb))
    return Negation(end, end, " not", (first, *tokens), verb, neutral)


def _affirmed(verb: Any) -> Negation | None:
    words = [word for word in verb.sent if word.dep_ == "neg" or word.lower_ in _NEGATIVE]
    if len(words) != 1 or {word.lower_ for word in verb.subtree} & _POLAR:
        return None
    word = words[0]
    if word.head.i == verb.i and word.dep_ == "neg":
        return _without_not(verb, word)
    if word.lower_ == "no" and word.dep_ == "det":
        return _without_no(verb, word)
    return None


_NEGATIVE = words_of("no none neither nor without cannot nothing nobody never unable fail fails")


def _without_not(verb: Any, word: Any) -> Negation | None:
    before = word.nbor(-1) if word.i else None
    if before is None or before.lower_ in {"do", "does", "did"}:
        return None  # "does love", which nobody writes
    if word.lower_ == "not" and before.dep_ in {"aux", "auxpass"} | {"ROOT", "conj", "ccomp"}:
        if before.lower_ in {"can", "could"} or not before.whitespace_:
            return None
        return _removed(word, (word, verb))
    if word.lower_ in {"n't", "n’t"}:
        stem = {"ca": "can", "wo": "will", "sha": "shall"}.get(before.lower_, before.lower_)
        end = word.idx + len(word.text)
        return Negation(before.idx, end, stem, (before, word, verb), verb)
    return None


def _without_no(verb: Any, no: Any) -> Negation | None:
    noun = no.head
    if any(child.dep_ in {"cc", "conj"} for child in noun.children):
        return None
    if noun.tag_ == "NNS":
        return _removed(no, (no, noun, verb))
    return _removed(no, (no, noun, verb)) if noun.lower_ in _UNCOUNTED else None


def _removed(word: Any, tokens: tuple[Any, ...]) -> Negation | None:
    """Take a word out, and put nothing in its place.

    A word there would make the text longer to a system that drops "not", which is another thing.
    """
    verb = tokens[-1]
    following = word.nbor(1) if word.i + 1 < len(word.doc) else None
    if following is None or not word.whitespace_:
        return None
    if word.is_title:
        return Negation(word.idx, following.idx + 1, following.text[0].upper(), tokens, verb)
    return Negation(word.idx, following.idx, "", tokens, verb)


def _first_auxiliary(verb: Any) -> Any:
    auxiliaries = [child for child in verb.children if child.dep_ in {"aux", "auxpass"}]
    if auxiliaries:
        return min(auxiliaries, key=lambda child: child.i)
    return verb if verb.lower_ in {"is", "are", "was", "were"} else None


def _opens_reason(child: Any) -> bool:
    if child.dep_ in SUBJECTS:
        return False
    return any(word.lower_ in {"because", "so", "due", "since", "as"} for word in child.subtree)


def _next(token: Any) -> str:
    following: str = token.nbor(1).lower_ if token.i + 1 < len(token.doc) else ""
    return following
