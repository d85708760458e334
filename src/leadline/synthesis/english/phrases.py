"""Noun phrases of a sentence that could stand alone in a search box."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from leadline.synthesis.english.clauses import noun_phrase
from leadline.synthesis.english.parsing import lemma_of
from leadline.synthesis.english.verbs import SUBJECTS, is_common_word, is_finite, may_be_noun
from leadline.synthesis.english.wholeness import is_known, is_orphan
from leadline.synthesis.english.wording import in_sentence, wording
from leadline.synthesis.words import words_of

LEAST_WORDS, MOST_WORDS = 3, 10

_LEFT_OUT = frozenset({"det", "poss", "predet"})
_POINTING = words_of(
    """
    he she it they we i you his her its their our my your him them us this that these those such
    other others another same latter former own one ones who which what whose each both several
    various certain any some many few all following above below present when where how why alike
    first second third last only next more most less least fewer little either neither every
    previous preceding return but yet particular different further possible current relevant
    good adequate appropriate satisfactory excellent enough as
    """
)
GENERAL = words_of(
    """
    paper article author authors study results result number use way part kind lot series account
    discussion description details problem problems method methods example attempt list overview
    suggestion case view locations story book novel film tale equal times type types group groups
    situation ability form range core thoughts member text texts illustrations
    years thing things deal retelling outline sort sorts variety majority end beginning side middle
    top
    """
)
"""Heads that say what a text is, or nothing."""
_COUNTING = words_of(
    "majority minority number lot part half percent rest remainder types kinds amount amounts list "
    "note notes summary report reports comment comments remarks introduction review point variety "
    "look study recordings"
)


_ODD = re.compile(
    r"- |^[ivx]+\. |&|[^\x00-\u024f\u2013\u2014\u2018\u2019]|^[IVX]+ |['’](?!\w)|\d\.[A-Za-z]"
    r"|[a-z]{2}\.[a-z]|[\u0080-\u009f]|[ÂÃË]\W|[ÂÃ][^\x00-\x7f]|â€"
)
"""Words cut in two, single quotes, figures glued to words, and text in a wrong encoding."""


@dataclass(frozen=True, slots=True)
class Phrase:
    """A noun phrase without its article, and where it stands in the parsed text.

    article     what stood before it: "the ", "a ", or nothing
    is_subject  whether a verb is said of it
    nouns       how many of its words are nouns
    """

    text: str
    start: int
    end: int
    article: str = ""
    is_subject: bool = False
    nouns: int = 0


def find_phrases(sentence: Any) -> Iterator[Phrase]:
    """Yield the noun phrases of 3 to 10 words that name a topic: no pronouns, no bare "results".

    Of a sentence without a verb there are none: the parser may have taken its verb for a noun.
    """
    if not is_finite(sentence.root):
        return
    for token in sentence:
        if token.pos_ not in {"NOUN", "PROPN"} or token.dep_ in {"compound", "amod", "npadvmod"}:
            continue
        phrase = phrase_of(token)
        if phrase is not None:
            yield phrase


def phrase_of(head: Any) -> Phrase | None:
    """Return the phrase that a noun heads, or None where it does not make a topic."""
    kept = noun_phrase(head)
    if kept is None:
        return None
    doc = head.doc
    tokens = [doc[place] for place in sorted(kept)]
    article = ""
    while tokens and (tokens[0].dep_ in _LEFT_OUT or tokens[0].lower_ in {"a", "an", "the"}):
        first = tokens.pop(0)
        if first.dep_ == "poss":
            return None  # "their action in chronic hepatitis"
        article = f"{first.lower_} " if first.lower_ in {"a", "an", "the"} else ""
    if not tokens or tokens[-1].i - tokens[0].i + 1 != len(tokens):
        return None
    words = {token.lower_ for token in tokens}
    if any(token.pos_ in {"VERB", "AUX", "X", "SYM"} for token in tokens):
        return None
    if words & _POINTING or _ends_then(tokens):
        return None
    if any(token.dep_ == "neg" or token.lower_ in {"no", "not", "or"} for token in tokens):
        return None
    text = wording(tokens)
    if _is_ragged(tokens) or _is_misread(head, tokens) or _dangles(head, article):
        return None
    if not LEAST_WORDS <= len(text.split()) <= MOST_WORDS or head.lower_ in GENERAL | _COUNTING:
        return None
    if (
        any(mark in text for mark in '()[]{}"“”:;=/*?!<>|_~#@\\')
        or _ODD.search(text)
        or not text[0].isalnum()
    ):
        return None
    last = tokens[-1]
    if not any(token.is_title for token in tokens[1:]):
        text = in_sentence(text, tokens[0])
    end = last.idx + len(last.text)
    nouns = sum(token.pos_ in {"NOUN", "PROPN"} for token in tokens)
    return Phrase(text, tokens[0].idx, end, article, head.dep_ in SUBJECTS, nouns)


def _ends_then(tokens: list[Any]) -> bool:
    """Tell whether a phrase ends with "at the time", which only its text can tell."""
    last = tokens[-1]
    return last.lower_ in {"time", "period", "day"} and any(
        child.lower_ == "the" for child in last.children
    )


def _is_ragged(tokens: list[Any]) -> bool:
    """Tell whether the parse of a phrase is doubtful, or it begins with a count."""
    words = [token.lower_ for token in tokens]
    if any(token.pos_ == "NUM" for token in tokens):
        return True
    if tokens[0].pos_ in {"ADV", "ADP", "CCONJ"} or words.count("and") > 1 or "," in words:
        return True
    if (
        words[-1][0].isdigit()
        or words[-1] in {"'", "’", "the", "a", "and"}
        or words[-1].endswith(("'", "’"))
    ):
        return True
    if any(len(word) == 1 and word.isalpha() and word != "a" for word in words):
        return True
    return any(one.pos_ == "ADP" and other.pos_ == "ADP" for one, other in pairwise(tokens))


def _is_misread(head: Any, tokens: list[Any]) -> bool:
    """Tell whether the parser may have taken a verb, an adjective or two phrases for a noun.

    "corruption plague a town", "are patent without defect", "jaundice in infancy most causes of
    jaundice", "bronchial carcinoma forty patients".
    """
    doc, last = head.doc, tokens[-1]
    following = doc[last.i + 1] if last.i + 1 < len(doc) else None
    if following is not None and following.pos_ in {"DET", "PRON", "NOUN", "PROPN", "ADJ", "NUM"}:
        return True
    if following is not None and following.dep_ == "amod":
        return True  # "public packet switched networks"
    first = tokens[0]
    misnamed = first.pos_ == "PROPN" or (first.is_title and first.ent_type_)
    if first.is_sent_start and misnamed and is_common_word(first):
        return True  # "Castaway on an uninhabited island, Abel finds ...", "Friends Motu and Patlu"
    if (
        head.dep_ == "attr"
        and head.tag_ == "NN"
        and not any(child.dep_ in {"det", "poss", "nummod"} for child in head.children)
    ):
        return True
    if following is not None and head.dep_ == "nsubj" and may_be_noun(following, head):
        return True
    content = [lemma_of(token) for token in tokens if token.pos_ in {"NOUN", "PROPN", "ADJ"}]
    if len(set(content)) < len(content) or head.dep_ == "conj":
        return True
    if sum(token.is_upper and len(token) > 4 for token in tokens) > 1:
        return True
    if any(is_orphan(token, {each.i for each in tokens}) for token in tokens):
        return True
    return any(_is_odd(token, tokens[0]) for token in tokens)


def _dangles(head: Any, article: str) -> bool:
    """Tell whether a phrase needs what stands around it: "the surgical significance" (of what).

    So does an object with a phrase that may as well belong to its verb: "teach children about".
    """
    says_which = {child.dep_ for child in head.children} & {"prep", "compound", "nmod", "poss"}
    if article == "the " and head.pos_ != "PROPN" and not says_which:
        return True
    return head.dep_ in {"dobj", "attr", "oprd"} and any(
        child.dep_ == "prep" and child.lower_ not in {"of", "between", "for"}
        for child in head.children
    )


def _is_odd(token: Any, first: Any) -> bool:
    if token.tag_ in {"JJR", "RBR"} or token.dep_ in {"appos", "dep"}:
        return True
    if token.dep_ == "amod" and token.i > token.head.i:
        return True
    if token.pos_ == "ADJ" and token.dep_ == "conj" and token.head.pos_ in {"NOUN", "PROPN"}:
        return True
    if token.dep_ == "pobj" and not is_known(token):
        return True
    if token.pos_ == "ADV" and token.head.pos_ in {"ADP", "NOUN", "PROPN"}:
        return True
    before = token.nbor(-1) if token.i > first.i else None
    if token.pos_ == "NUM" and before is not None:
        return before.pos_ in {"NOUN", "PROPN", "DET"} and not token.is_digit
    if token.ent_type_ == "PERSON" and token.dep_ == "compound" and token.head.pos_ == "NOUN":
        return True  # "took Ms. McCall hostage"
    named = token.pos_ == "PROPN" and token.dep_ in {"nmod", "compound"}
    return named and any(child.dep_ == "conj" for child in token.children)
