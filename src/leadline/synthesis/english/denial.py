"""Whether a statement can be denied and the rest of its text stays as somebody would write it.

"He did not call his sister" cannot stand before "She answered at once". So the statement must be
its sentence's only one, and nothing further on may speak of what it told. Precision goes before
yield: most statements of a story are refused.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from leadline.sentences import split_sentences
from leadline.synthesis.english.verbs import SUBJECTS, WITH_VERB, place_of, states, subject_of
from leadline.synthesis.tokens import content_tokens, tokens
from leadline.synthesis.words import DOCUMENT_VERBS, words_of

_CLAUSES = frozenset({"advcl", "relcl", "acl", "ccomp", "csubj", "csubjpass", "parataxis", "pcomp"})
_MARKS = frozenset(';:–—()[]"“”…?!')
_POINTING = words_of(
    """
    this these that those such it they he she its their his her him them both each one another
    other others then after afterwards next later subsequently finally eventually soon meanwhile
    so thus therefore hence consequently accordingly because however but yet nevertheless instead
    otherwise there here now and or also again still similarly likewise only even further
    furthermore moreover until except especially unless
    """
)
"""Words at the front of a sentence that leans on the one before it."""
_ENDING = re.compile(r"(?<=\w{3})(?:ing|ed|es|s|e|ly)$")
_STEM = 6
_MOST_WORDS = 25


@dataclass(frozen=True)
class Told:
    """The sentences of a document: where each begins, its words, whether it leans on the last.

    holding  word -> the sentences that hold it
    last     stem -> the last sentence that holds it
    """

    starts: Sequence[int]
    words: Sequence[frozenset[str]]
    holding: Mapping[str, Sequence[int]]
    last: Mapping[str, int]
    leans: Sequence[bool]

    @classmethod
    def of(cls, text: str) -> Told:
        """Return the sentences of a text."""
        sentences = split_sentences(text)
        words = [frozenset(tokens(each.text)) for each in sentences]
        holding: dict[str, list[int]] = {}
        for place, held in enumerate(words):
            for word in held:
                holding.setdefault(word, []).append(place)
        return cls(
            [each.start for each in sentences],
            words,
            holding,
            {stem: place for place, each in enumerate(sentences) for stem in stems_of(each.text)},
            [bool(_POINTING & set(tokens(each.text)[:2])) for each in sentences],
        )

    def holding_most(self, words: Sequence[str], share: float) -> int:
        """Return how many sentences hold this share of the words, which differ, or more."""
        held = Counter(place for word in words for place in self.holding.get(word, ()))
        return sum(count >= math.ceil(share * len(words)) for count in held.values())

    def goes_on_about(self, place: int, stems: frozenset[str]) -> bool:
        """Tell whether sentences behind a place of the text speak of something, or lean on it."""
        own = bisect_right(self.starts, place)
        return any(self.leans[own : own + 1]) or any(self.last.get(s, -1) >= own for s in stems)

    def follows(self, place: int, words: frozenset[str]) -> bool:
        """Tell whether one of the two sentences behind a place of the text has one of the words."""
        own = bisect_right(self.starts, place)
        return any(held & words for held in self.words[own : own + 2])


def stems_of(text: str) -> frozenset[str]:
    """Return the beginnings of the content words of a text, so that calls and called are one."""
    words = (word for word in content_tokens(text) if not word[0].isdigit())
    return frozenset(_ENDING.sub("", word)[:_STEM] for word in words)


_TELLING = stems_of(" ".join(DOCUMENT_VERBS))
"""What texts say of themselves again and again: "is discussed"."""


def is_simple(verb: Any) -> bool:
    """Tell whether a verb makes the only statement of its sentence, and makes it plainly.

    No second verb beside, below or behind it, no list of statements, nothing in brackets, no
    adverb that the denial might fall on alone.
    """
    own = sorted(verb.subtree, key=place_of)
    words = [token for token in own if not token.is_space and not token.is_punct]
    if not (verb.dep_ == "ROOT" or _closes(verb)) or len(words) > _MOST_WORDS:
        return False
    if any(token.text in _MARKS for token in own):
        return False
    for token in own:
        apart = token.dep_ in _CLAUSES or token.dep_ in {"dep", "appos", "intj", "preconj"}
        if token.i == verb.i:
            continue
        if apart:
            return False
        if token.dep_ == "conj" and token.head.pos_ in {"VERB", "AUX"}:
            return False
    return not any(child.dep_ in {"advmod", "npadvmod", "mark", "cc"} for child in verb.children)


def _closes(verb: Any) -> bool:
    """Tell whether a verb with a subject of its own is the last of a sentence: "..., and he left".

    So is one of which a sentence says that it was found.
    """
    own = any(child.dep_ in SUBJECTS for child in verb.children)
    if verb.dep_ == "ccomp":
        return own and states(verb)
    if verb.dep_ != "conj" or not own or verb.head.dep_ != "ROOT":
        return False
    joined = [child.lower_ for child in verb.head.children if child.dep_ == "cc"]
    return joined == ["and"] and verb.i > verb.head.i


def is_asserted_alone(verb: Any, told: Told, offset: int) -> bool:
    """Tell whether a text can do without what a verb of it states.

    offset  where the parsed passage begins in the text

    Nothing behind it has the verb, what is said of the subject, or a subject that only this
    statement brings in ("a small incision was made").
    """
    if not is_simple(verb):
        return False
    subject = subject_of(verb)
    if subject is None:
        brought: set[str] = set()
        before: set[int] = set()
    else:
        before = {token.i for token in subject.subtree}
        brought = set() if _is_given(subject) else {subject.text}
    rest = [
        token
        for token in verb.subtree
        if token.i not in before and token.i != verb.i and token.dep_ not in WITH_VERB
    ]
    told_of = stems_of(" ".join([*brought, *(token.text for token in rest)]))
    does = stems_of(verb.text) - _TELLING
    return not told.goes_on_about(verb.idx + offset, told_of | does)


def _is_given(subject: Any) -> bool:
    """Tell whether a subject is there before the sentence: "the patient", "his house", "Brad"."""
    if subject.pos_ == "PROPN" or subject.pos_ == "PRON":
        return True
    return any(
        child.dep_ == "poss" or (child.dep_ == "det" and child.lower_ not in {"a", "an"})
        for child in subject.children
    )
