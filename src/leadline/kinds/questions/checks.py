"""What code can say of a query that a language model wrote."""

from __future__ import annotations

import re

from leadline.text.tokens import content_tokens, normalised
from leadline.text.words import NUMBER_WORDS

MOST_COPIED, MOST_OF_TITLE = 5, 3
"""Words of a query that may stand in a row in its document, and in its title."""
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


def faults_of(query: str, form: str, title: str, text: str) -> list[str]:
    """Return what is wrong with a query for a document, in words for its writer."""
    count = len(query.split())
    low, high = (2, 10) if form == "keywords" else (4, 22)
    asks = query.rstrip().endswith("?") if form == "keywords" else is_question(query)
    checks = {
        f"it has more or fewer words than the {low} to {high} of {form}": not low <= count <= high,
        "it is a question; keywords are wanted": form == "keywords" and asks,
        "it is not worded as a question": form == "question" and not asks,
        "it points at the document, which a searcher has not seen": _POINTS.search(query),
        "it has no word that is not in the title": set(content_tokens(query))
        <= set(content_tokens(title)),
        f"more than {MOST_OF_TITLE} words in a row are those of the title": _copies(
            query, title, MOST_OF_TITLE
        ),
        f"more than {MOST_COPIED} words in a row are copied from the document": _copies(
            query, text, MOST_COPIED
        ),
        "it has a name or a number that the document does not have": [
            name
            for name in lost_names(query, f"{title} {text}")
            if not (name.isalpha() and name.isupper())  # abbreviations of searchers: ECMO
        ],
    }
    return [fault for fault, is_there in checks.items() if is_there]


def _copies(query: str, text: str, most: int) -> bool:
    words, held = normalised(query).split(), f" {normalised(text)} "
    runs = (words[start : start + most + 1] for start in range(len(words) - most))
    return any(f" {' '.join(run)} " in held for run in runs)
