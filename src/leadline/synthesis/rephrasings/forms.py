"""Equivalent forms of a query: another sentence type, other order, fewer words.

A form is only made where the parse shows that it keeps what is asked, and every form is checked:
negations, numbers, names and months of the query must stand in it as they were.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping
from typing import Any, Literal

from leadline.synthesis.english.articles import article_of
from leadline.synthesis.english.keeping import is_kept
from leadline.synthesis.english.number import plural_of
from leadline.synthesis.english.parsing import text_of
from leadline.synthesis.english.verbs import SUBJECTS, is_finite
from leadline.synthesis.english.wording import in_sentence
from leadline.synthesis.rephrasings.rewriting import abbreviated, renumbered
from leadline.synthesis.spelling import respelled
from leadline.synthesis.tokens import normalised
from leadline.synthesis.typing_errors import mistyped
from leadline.synthesis.words import DOCUMENT_VERBS, words_of

KINDS = (
    "question", "keywords", "polite", "verbose", "reordered", "plural", "numeral", "abbreviation",
    "spelling", "typo",
)  # fmt: skip
_REWRITING = frozenset({"numeral", "abbreviation"})
"""Forms that write a number or a name in another way, and nothing else."""
Form = Literal["question", "request", "statement", "verb", "phrase", "several"]

_QUESTION = re.compile(
    r"(?:what|which|who|whom|whose|where|when|why|how|is|are|was|were|do|does|did|can|could|has|"
    r"have|will|would|should|may)\b(?!\s*[:,-])",
    re.IGNORECASE,
)
_REQUEST = re.compile(
    r"(?:please\s+)?(?:(?:i\s+(?:am|would|want|need|'m|was)|i'm|i'd|find|give|list|show|tell|search|"
    r"retrieve|describe|explain|discuss|get|provide|identify|compare|we\s+(?:are|need|want)|"
    r"looking|(?:can|could|would)\s+you)\b|information\s+(?:on|about)\b)",
    re.IGNORECASE,
)
_QUESTIONS: dict[Form, tuple[str, ...]] = {
    "phrase": (
        "What is known about {x}?",
        "What has been written about {x}?",
        "Which documents deal with {x}?",
        "What can be found on {x}?",
    ),
    "verb": ("Which document {x}?", "Which text {x}?"),
    "statement": (
        "Is it true that {x}?",
        "Where is it reported that {x}?",
        "Which document says that {x}?",
    ),
}
_POLITE: dict[Form, tuple[str, ...]] = {
    "phrase": (
        "Could you please find documents about {x}?",
        "I would be grateful for anything on {x}.",
        "Please show me what you have on {x}, thank you.",
        "Would you kindly look for texts on {x}?",
    ),
    "statement": (
        "Could you please find the document that says that {x}?",
        "I would be grateful for the text which states that {x}.",
        "Would you kindly look for a document saying that {x}?",
    ),
    "verb": (
        "Could you please find the document that {x}?",
        "I would be grateful for the text which {x}.",
    ),
    "question": (
        "Could you please help me with this question: {x}?",
        "I would be grateful for an answer to this: {x}?",
        "Please, I would like to know: {x}?",
    ),
    "request": ("Hello, {x}, please. Thank you.", "If you would be so kind: {x}. Many thanks."),
    "several": ("Please help me with this. {x} Thank you.", "Hello! {x} Many thanks."),
}
_VERBOSE: dict[Form, tuple[str, ...]] = {
    "phrase": (
        "I am trying to find out more about {x}, and any document on this would help.",
        "For some work that I am doing I need everything you have on {x}.",
        "I have been asked to collect what is known about {x}. Where should I look?",
    ),
    "statement": (
        "Somewhere I have read that {x}, and now I would like to find that document again.",
        "I am looking for the document, whichever it is, that says that {x}.",
    ),
}
_LEFT_OUT = frozenset({"DET", "ADP", "AUX", "PRON", "PART", "CCONJ", "SCONJ", "PUNCT", "SPACE"})
_TELLING = words_of(
    "not no n't n’t never without before after between against versus except until since than "
    "by from to into neither nor none nothing nobody unless if or cannot"
)
"""Small words that keywords cannot do without."""


def form_of(query: Any) -> Form:
    """Return what a parsed query is.

    A "verb" says what a document does, without a subject: "Describes the library service".
    """
    text = text_of(query).strip()
    words = [token for token in query if token.text.strip() and not token.is_punct]
    ends = [token for token in query[:-1] if token.text in {".", "?", "!", ";"}]
    if ends:
        return "several"
    if text.endswith("?") or (_QUESTION.match(text) and len(words) > 3):
        return "question"
    if _REQUEST.match(text) and len(words) > 3:
        return "request"
    if words and words[0].lower_ in DOCUMENT_VERBS and words[0].tag_ == "VBZ":
        return "verb"
    root = next((token for token in query if token.dep_ == "ROOT"), None)
    if root is not None and is_finite(root):
        has_subject = any(child.dep_ in SUBJECTS for child in root.children)
        return "statement" if has_subject else "several"
    return "several" if any(is_finite(token) for token in query) else "phrase"


def rephrased(
    query: Any,
    frequency: Mapping[str, int],
    rng: random.Random,
    article: str = "",
    form: Form | None = None,
) -> dict[str, tuple[str, str]]:
    """Return kind -> (text, what changed) for every form that a parsed query has.

    Forms: see `KINDS`. One that cannot be made
    well, or that lost something that must be kept, is absent.
    frequency  token -> number of documents of the corpus, by which plurals and slips are judged
    form       what the query is, where that is known; read off the parse otherwise
    article    "the " or "a ", where a text had it before the query
    """
    return {
        kind: (text, edit)
        for kind, text, edit in _forms(query, frequency, rng, article, form or form_of(query))
        if edit and (kind in _REWRITING or is_kept(query, text))
    }


def is_same(one: str, other: str) -> bool:
    """Tell whether two queries differ in nothing but case, punctuation and white space."""
    return normalised(one) == normalised(other)


def _forms(
    query: Any, frequency: Mapping[str, int], rng: random.Random, article: str, form: Form
) -> Iterator[tuple[str, str, str]]:
    text = text_of(query).strip()
    inner = text.rstrip(" .?!,;:") if form != "several" else text
    if form != "several" and not (form == "phrase" and _is_headline(query)):
        inner = in_sentence(inner, query[0])
    if form == "phrase" and inner.lower().startswith(("on ", "about ")):
        inner = inner.split(" ", 1)[1]  # titles like "On the flow past cones"
    before = article_of(query, article, frequency) if form == "phrase" else ""
    framed = f"{before or ''}{inner}"
    if before is not None and form in _QUESTIONS and (form != "phrase" or inner[:1].isalnum()):
        frame = rng.choice(_QUESTIONS[form])
        yield "question", frame.format(x=framed), frame.format(x="...")
    words = keywords(query)
    if len(words) >= 2 and form in {"phrase", "question", "statement"}:
        yield "keywords", " ".join(words), "function words left out"
    if before is not None:
        frame = rng.choice(_POLITE[form])
        yield "polite", frame.format(x=framed), frame.format(x="...")
    if before is not None and form in _VERBOSE:
        frame = rng.choice(_VERBOSE[form])
        yield "verbose", frame.format(x=framed), frame.format(x="...")
    yield "numeral", *renumbered(query)
    yield "abbreviation", *abbreviated(query)
    if form in {"phrase", "statement"}:
        yield "reordered", *reordered(query)
    if form == "phrase" and not article.startswith("the"):
        yield "plural", *plural_of(query, frequency)
    yield "spelling", *respelled(text)
    fixed = {token.text for token in query if token.pos_ == "PROPN" or token.ent_type_}
    yield "typo", *mistyped(text, rng, fixed, frequency)


def _is_headline(query: Any) -> bool:
    """Tell whether a word behind the first has a capital and is no name: "Big Fat Liar"."""
    return any(token.is_title and token.ent_type_ in {"", "WORK_OF_ART"} for token in query[1:])


def keywords(query: Any) -> list[str]:
    """Return the words of a parsed query that carry it, in order: no articles and auxiliaries.

    Negations, numbers, names and words of relation ("before", "without") stay.
    """
    kept: list[str] = []
    for token in query:
        joined = token.i and not query[token.i - 1].whitespace_ and kept
        if token.tag_ == "POS":
            if joined and query[token.i - 1].pos_ == "PROPN":
                kept[-1] += token.text
            continue
        if token.lower_ in {"a", "an", "the"} and not token.is_title:
            continue
        if token.pos_ in _LEFT_OUT and token.lower_ not in _TELLING and not _is_name(token):
            continue
        if token.lower_ in {"by", "to", "from", "into"} and not _tells(token):
            continue
        if token.lower_ == "to" and not any(each.lower_ == "from" for each in query):
            continue  # "response to jet noise"
        if joined and (token.text in {"n't", "n’t"}):
            kept.append("not")
        elif joined and token.text in {"-", "/"}:
            continue  # stands behind the word before it
        elif joined and _is_part(query[token.i - 1]) and query[token.i - 1].text in {"-", "/"}:
            kept[-1] += token.text
        else:
            kept.append(token.text)
        after = query[token.i + 1] if token.i + 1 < len(query) else None
        if after is not None and not token.whitespace_ and after.text in {"-", "/"}:
            kept[-1] += after.text
    return kept


def _is_part(token: Any) -> bool:
    return bool(not token.whitespace_)


def _tells(token: Any) -> bool:
    """Tell whether who did what to whom, or from where to where, hangs on a preposition."""
    return token.dep_ in {"agent", "prep"} and token.lower_ in {"by", "from", "into", "to"}


def _is_name(token: Any) -> bool:
    return token.pos_ == "PROPN" or token.ent_type_ in {"PERSON", "GPE", "ORG", "DATE"}


def reordered(query: Any) -> tuple[str, str]:
    """Return a parsed query with the words around "and" exchanged and what moved, or ("", "")."""
    text = text_of(query).strip().rstrip(" .")
    for token in query:
        pair = _bare_pair(token)
        if pair is not None:
            one, other = pair
            end = one.idx + len(one.text)
            swapped = text[: one.idx] + other.text + text[end : other.idx] + one.text
            return swapped + text[other.idx + len(other.text) :], "around 'and'"
    return "", ""


def _bare_pair(token: Any) -> tuple[Any, Any] | None:
    """Return the two nouns around an "and" when each stands for itself, with nothing before it."""
    if token.lower_ != "and" or token.dep_ != "cc" or not 0 < token.i < len(token.doc) - 1:
        return None
    one, other = token.nbor(-1), token.nbor(1)
    plain = all(
        word.pos_ == "NOUN" and word.is_alpha and word.is_lower and len(word) > 3
        for word in (one, other)
    )
    if not plain or other.head.i != one.i or one.tag_ != other.tag_:
        return None
    if any(other.children) or one.dep_ not in {"pobj", "dobj"}:
        return None
    if any(child.dep_ not in {"cc", "conj"} for child in one.children):
        return None
    after = token.doc[other.i + 1] if other.i + 1 < len(token.doc) else None
    if after is not None and (after.pos_ in {"NOUN", "PROPN"} or after.text in {"-", "'s", ","}):
        return None
    return one, other
