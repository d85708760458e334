"""What code can say of a query that a language model wrote."""

from __future__ import annotations

import re

from leadline.text.tokens import content_tokens, normalised
from leadline.text.words import NUMBER_WORDS

MOST_COPIED = 5
"""Words of a query that may stand in a row in its document."""
_WORD = re.compile(r"[^\W_](?:[\w./@+#'’-]*[\w+#])?")
_POINTS = re.compile(
    r"\b(?:this|these|the (?:given|above|following)) "
    r"(?:documents?|passages?|texts?|articles?|pages?|sections?|excerpts?|studies|study|paper|"
    r"record|report|patient|case)\b|\b(?:the (?:document|passage|text|excerpt)s?)\b|"
    r"\baccording to (?:the|this)\b",
    re.IGNORECASE,
)
_ASKS = re.compile(
    r"(?:what|which|who|whom|whose|where|when|why|how|is|are|was|were|do|does|did|can|could|has|"
    r"have|will|would|should|may)\b",
    re.IGNORECASE,
)
_FIGURES = {word: str(number) for word, number in NUMBER_WORDS.items()}


def is_question(query: str) -> bool:
    """Tell whether a query is worded as a question."""
    return query.rstrip().endswith("?") or bool(_ASKS.match(query))


def names_of(query: str) -> list[str]:
    """Return the names, numbers and identifiers of a query, as they are written.

    A capital letter at the beginning of a sentence shows nothing.
    """
    found = []
    for match in _WORD.finditer(query):
        word = match[0].removesuffix("'s").removesuffix("’s")
        before = query[: match.start()].rstrip(" \"'“(")
        is_first = not before or before[-1] in ".?!:"
        is_name = word[0].isupper() and not is_first and word != "I" and not word.startswith("I'")
        has_mark = re.search(r"\d|.[A-Z]|[a-z][._/@+#][a-z]", word)
        if is_name or has_mark:
            found.append(word)
    return found


def lost_names(query: str, other: str) -> list[str]:
    """Return the names and numbers of a query that another text does not have."""
    folded = other.casefold()
    words = set(re.findall(r"\w+", folded))
    words |= {_FIGURES[word] for word in words if word in _FIGURES}
    return [
        name
        for name in names_of(query)
        if not (name in words if name.isdigit() else name.casefold() in folded)
    ]


def fault_of(query: str, form: str, title: str, text: str) -> str:
    """Return what is wrong with a query for a document, as its writer is told; empty for nothing.

    form  keywords or question
    """
    count = len(query.split())
    low, high = (2, 8) if form == "keywords" else (4, 22)
    if not low <= count <= high:
        return f"it has {count} words; {form} have {low} to {high}"
    if form == "question" and not is_question(query):
        return "it is not worded as a question"
    if form == "keywords" and query.rstrip().endswith("?"):
        return "it is worded as a question, and keywords are wanted"
    if _POINTS.search(query):
        return "it points at the document, which a searcher has not seen"
    if title and set(content_tokens(query)) <= set(content_tokens(title)):
        return "it has no word that is not in the title"
    if _copies(query, text):
        return f"more than {MOST_COPIED} words in a row are copied from the document"
    if lost_names(query, f"{title} {text}"):
        return "it has a name or a number that the document does not have"
    return ""


def _copies(query: str, text: str) -> bool:
    words, held = normalised(query).split(), f" {normalised(text)} "
    size = MOST_COPIED + 1
    runs = (words[start : start + size] for start in range(len(words) - size + 1))
    return any(f" {' '.join(run)} " in held for run in runs)
