"""The other number of a noun in a query, with the article that goes with it."""

from __future__ import annotations

import re
from collections.abc import Mapping

from leadline.synthesis.words import DETERMINERS, FINITE, PREPOSITIONS, STOP_WORDS, words_of

_IRREGULAR = {
    "child": "children", "man": "men", "woman": "women", "person": "people", "foot": "feet",
    "tooth": "teeth", "phenomenon": "phenomena", "criterion": "criteria", "matrix": "matrices",
    "analysis": "analyses", "thesis": "theses", "hypothesis": "hypotheses", "vertex": "vertices",
    "spectrum": "spectra", "wife": "wives", "knife": "knives", "leaf": "leaves",
    "shelf": "shelves",
}  # fmt: skip
_SINGULAR = {plural: singular for singular, plural in _IRREGULAR.items()}
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_NO_NOUN = re.compile(r"(?:ed|ly|ous|ful|ive|ical|able|ible|less|est|ing)$")
_LEAVE = words_of(
    """
    general special public national high large small new less low first second third best better
    other such same different various several series species means news physics mathematics
    statistics economics dynamics aerodynamics mechanics basis status process access always across
    plus versus perhaps thanks united states class address gas lens bus loss mass stress press
    glass need use work show result report study test information evidence help research future
    past present today arts works goods proceedings relations sciences services terms
    """
)
_COUNTED = words_of(
    """
    each every many few several both one two three four five six seven eight nine ten all much
    some any another various and or no between among number types kinds sets these those more most
    """
)
_THE = words_of("the his her its their our my your")
_MASS_HEADS = words_of("of between among full as than")


def other_number(text: str, frequency: Mapping[str, int]) -> tuple[str, str]:
    """Return the text with one noun in its other number, and what changed; else ("", "").

    frequency  token -> documents: a word is taken for a noun that has both numbers when the corpus
               uses both

    "a thin wing" becomes "thin wings", "thin wings" becomes "a thin wing", "the wings" "the wing".
    Only a noun that ends its phrase is changed; not where a figure or a verb would have to agree.
    """
    words = list(_WORD.finditer(text))
    for place in reversed(range(len(words))):
        match = words[place]
        other = _other(match.group().lower())
        known = min(frequency.get(other, 0), frequency.get(match.group().lower(), 0))
        if not other or known < 2 or not _ends_phrase(text, words, place):
            continue
        first = _phrase_start(text, words, place)
        if first is None:
            continue
        changed = _rewritten(text, words, first, place, other)
        if changed:
            return changed
    return "", ""


def _rewritten(
    text: str, words: list[re.Match[str]], first: int, place: int, other: str
) -> tuple[str, str] | None:
    """Return the text with words[first:place + 1], a noun phrase, in the other number."""
    start, end = words[first].start(), words[place].end()
    phrase = text[start:end]
    held = [word.group().lower() for word in words[first : place + 1]]
    before = words[first - 1].group().lower() if first else ""
    if (
        _COUNTED & set(held)
        or FINITE & set(held)
        or re.search(r"\d", text[max(0, start - 4) : end])
    ):
        return None
    if not first and any(word.group().lower() in FINITE for word in words):
        return None  # it may be the subject of a verb, which would have to agree
    stem = text[start : words[place].start()]
    is_plural = held[-1] in _SINGULAR or (held[-1] not in _IRREGULAR and held[-1].endswith("s"))
    if held[0] in _THE:
        new = stem + other
    elif held[0] in {"a", "an"} and not is_plural and len(held) > 1:
        new = text[words[first + 1].start() : words[place].start()] + other
    elif (
        held[0] in DETERMINERS
        or not is_plural
        or before in _MASS_HEADS
        or re.search("'|^\\w+ing ", stem)
    ):
        return None
    else:
        new = f"{'an' if stem[:1].lower() in tuple('aeio') else 'a'} {stem}{other}"
        if not stem:
            new = f"{'an' if other[0] in 'aeio' else 'a'} {other}"
    if phrase[0].isupper() and first == 0:
        new = new[0].upper() + new[1:]
    return text[:start] + new + text[end:], f"{phrase} -> {new}"


def _phrase_start(text: str, words: list[re.Match[str]], place: int) -> int | None:
    """Return where the noun phrase that ends at a place begins; None where that is unsure."""
    first = place
    while first > 0 and place - first < 4:
        between = text[words[first - 1].end() : words[first].start()]
        before = words[first - 1].group().lower()
        if between.strip():
            return None if re.search(r"[\d,/&]|\S$", between) else first
        if before in PREPOSITIONS:
            return first
        if before in DETERMINERS:
            return first - 1
        if before in STOP_WORDS | FINITE:
            return None
        first -= 1
    return first if first == 0 else None


def _other(word: str) -> str:
    if word in _LEAVE or word in STOP_WORDS or len(word) < 4 or "-" in word or "'" in word:
        return ""
    if word in _IRREGULAR or word in _SINGULAR:
        return _IRREGULAR.get(word) or _SINGULAR[word]
    if _NO_NOUN.search(word) and len(word) > 4:
        return ""
    if word.endswith("s"):
        return _singular(word)
    if word.endswith("y") and word[-2] not in "aeiou":
        return word[:-1] + "ies"
    if word.endswith(("x", "ch", "sh", "z")):
        return word + "es"
    return word + "s"


def _singular(word: str) -> str:
    if word.endswith(("ss", "us", "is", "ics")):
        return ""
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("xes", "ches", "shes", "sses", "zes")):
        return word[:-2]
    return word[:-1]


def _ends_phrase(text: str, words: list[re.Match[str]], place: int) -> bool:
    if place + 1 == len(words):
        return not re.match(r"\s*[\d(]", text[words[place].end() :])
    between = text[words[place].end() : words[place + 1].start()]
    following = words[place + 1].group().lower()
    return between.strip() in {";", ":", ".", "?"} or (
        not between.strip() and following in PREPOSITIONS
    )
