"""The other number of a noun in a query, where nothing else must change with it."""

from __future__ import annotations

import re
from collections.abc import Mapping

from leadline.synthesis.words import DETERMINERS, FINITE, PREPOSITIONS, STOP_WORDS, words_of

_IRREGULAR = {
    "child": "children", "man": "men", "woman": "women", "person": "people", "foot": "feet",
    "tooth": "teeth", "mouse": "mice", "phenomenon": "phenomena", "criterion": "criteria",
    "matrix": "matrices", "index": "indices", "analysis": "analyses", "thesis": "theses",
    "hypothesis": "hypotheses", "vertex": "vertices", "spectrum": "spectra", "wife": "wives",
    "life": "lives", "knife": "knives", "leaf": "leaves", "half": "halves", "shelf": "shelves",
}  # fmt: skip
_SINGULAR = {plural: singular for singular, plural in _IRREGULAR.items()}
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_NO_NOUN = re.compile(r"(?:ed|ly|ous|ful|ive|ical|able|ible|less|est)$")
_LEAVE = words_of(
    """
    general special public national high large small new less low first second third best better
    other such same different various several series species means news physics mathematics
    statistics economics dynamics aerodynamics mechanics basis status process access always
    across plus versus perhaps thanks united states us uk this his its is was has does yes class
    address gas lens bus loss mass stress press glass analyses need use work show result report
    study test
    """
)


def other_number(text: str, frequency: Mapping[str, int]) -> tuple[str, str]:
    """Return the text with one noun in its other number, and "wing -> wings"; else ("", "").

    frequency  token -> documents: a word is taken for a noun that has both numbers when the corpus
               uses both

    Only a noun that ends its phrase is changed, that no verb follows or goes before (it would have
    to agree), and no article or figure stands before (it would have to go).
    """
    words = list(_WORD.finditer(text))
    for place in reversed(range(len(words))):
        word = words[place].group()
        other = _other(word.lower())
        if not other or not _ends_phrase(text, words, place):
            continue
        if frequency.get(other, 0) < 2 or frequency.get(word.lower(), 0) < 2:
            continue
        if _must_agree(text, words, place):
            continue
        other = other.capitalize() if word[0].isupper() else other
        match = words[place]
        return text[: match.start()] + other + text[match.end() :], f"{word} -> {other}"
    return "", ""


def _other(word: str) -> str:
    if word in _LEAVE or word in STOP_WORDS or len(word) < 4 or "-" in word or "'" in word:
        return ""
    if word in _IRREGULAR or word in _SINGULAR:
        return _IRREGULAR.get(word) or _SINGULAR[word]
    if _NO_NOUN.search(word) or word.endswith("ing"):
        return ""
    if word.endswith("s"):
        return _singular(word)
    if word.endswith("y") and word[-2] not in "aeiou":
        return word[:-1] + "ies"
    if word.endswith(("x", "ch", "sh", "z")):
        return word + "es"
    return word + "s"


def _singular(word: str) -> str:
    if word.endswith(("ss", "us", "is")):
        return ""
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("xes", "ches", "shes", "sses", "zes")):
        return word[:-2]
    return word[:-1]


def _ends_phrase(text: str, words: list[re.Match[str]], place: int) -> bool:
    if place + 1 == len(words):
        return True
    between = text[words[place].end() : words[place + 1].start()]
    following = words[place + 1].group().lower()
    return between.strip() in {",", ";", ":", ".", "?", "-"} or following in PREPOSITIONS


def _must_agree(text: str, words: list[re.Match[str]], place: int) -> bool:
    """Tell whether an article, a figure or a verb is bound to the noun's number."""
    phrase_start = place
    while phrase_start > 0:
        before = words[phrase_start - 1].group().lower()
        between = text[words[phrase_start - 1].end() : words[phrase_start].start()]
        if re.search(r"[\d,;:.()]", between):
            return bool(re.search(r"\d", between))
        if before in PREPOSITIONS:
            break
        phrase_start -= 1
    inside = [word.group().lower() for word in words[phrase_start:place]]
    if any(word in DETERMINERS - {"the", "his", "her", "its", "their", "our", "my", "your"}
           or word in {"each", "every", "many", "few", "several", "both", "one", "two", "three",
                       "four", "five", "six", "all", "much", "some", "any", "another", "various",
                       "and", "or"} for word in inside):  # fmt: skip
        return True
    if re.search(r"\d", text[max(0, words[phrase_start].start() - 4) : words[place].start()]):
        return True
    if any(word in FINITE for word in inside):
        return True
    # Before any preposition the noun may be the subject: then a verb would have to agree with it.
    has_verb = any(word.group().lower() in FINITE for word in words)
    return has_verb and phrase_start == 0
