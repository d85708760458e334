"""Names in a parsed sentence that another of their kind may stand for: places and persons.

A small parser takes Virginia, a girl, for a state. So a place must be one of a list and stand
where places stand ("in Virginia"), and a person must have two names and be nothing else anywhere
in what was read of the corpus.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from leadline.synthesis.english.places import PLACES
from leadline.synthesis.words import words_of

_BEFORE_NATIONS = words_of("latin north south central east west native african anglo pan")
_LOCATING = words_of("in from near at to across throughout outside into toward towards")
_GENDERED = words_of("he she him her his hers himself herself")
_LONGEST = 3


@dataclass(frozen=True, slots=True)
class Name:
    """A name: tokens of a sentence, and the kind of it, as `city`."""

    tokens: tuple[Any, ...]
    kind: str


def find_places(sentence: Any) -> Iterator[Name]:
    """Yield the listed places that stand after a preposition of place, and nationalities."""
    words = list(sentence)
    place = 0
    while place < len(words):
        length = _length_at(words, place)
        found = tuple(words[place : place + length])
        if found and _is_used_as_place(found, PLACES[_lower(found)]):
            yield Name(found, PLACES[_lower(found)])
        place += max(1, length)


def find_persons(sentence: Any, common: frozenset[str] = frozenset()) -> Iterator[Name]:
    """Yield the full names of persons: two or three words with capitals, none of them common."""
    from lemminflect import getAllLemmas

    if {word.lower_ for word in sentence} & _GENDERED:
        return  # the other name might not go with "she"
    for name in sentence.ents:
        tokens = tuple(name)
        if name.label_ != "PERSON" or not 2 <= len(tokens) <= _LONGEST:
            continue
        if common & {token.lower_ for token in tokens} or _is_described(tokens):
            continue
        if tokens[0].i == sentence.start and getAllLemmas(tokens[0].lower_):
            continue  # "Filmmaker Werner Herzog"
        if all(token.is_title and token.is_alpha and len(token) > 2 for token in tokens):
            yield Name(tokens, f"person of {len(tokens)} names")


def _is_described(tokens: tuple[Any, ...]) -> bool:
    """Tell whether a name stands with what is known of its bearer: "superstar X", "X, an heir"."""
    before = tokens[0].nbor(-1) if tokens[0].i else None
    if before is not None and before.pos_ in {"NOUN", "PROPN", "ADJ"}:
        return True
    if any(word.tag_ == "NNPS" for word in tokens):  # "Officers Taylor and Zavala"
        return True
    return any(
        child.dep_ in {"appos", "relcl", "acl"} for word in tokens for child in word.children
    )


def common_words(docs: Iterable[Any]) -> frozenset[str]:
    """Return the words that parsed texts have in small letters, of which no name consists."""
    return frozenset(token.text for doc in docs for token in doc if token.is_lower)


def persons_of(docs: Iterable[Any], common: frozenset[str]) -> dict[str, list[str]]:
    """Return kind -> full names that parsed texts have for persons and for nothing else.

    They do something somewhere, and none of their words is a common one, as in "Meteorological
    Drought".
    """
    kinds: dict[str, Counter[str]] = defaultdict(Counter)
    acting: set[str] = set()
    for doc in docs:
        for name in doc.ents:
            kinds[name.text][name.label_] += 1
            if name.root.dep_ == "nsubj" and name.root.head.pos_ == "VERB":
                acting.add(name.text)
    held: dict[str, list[str]] = defaultdict(list)
    for name, labels in sorted(kinds.items()):
        words = name.split()
        fits = all(word.istitle() and word.isalpha() and len(word) > 2 for word in words)
        fits = fits and name in acting and not common & {word.lower() for word in words}
        if fits and 2 <= len(words) <= _LONGEST and set(labels) == {"PERSON"}:
            held[f"person of {len(words)} names"].append(name)
    return held


def _length_at(words: list[Any], place: int) -> int:
    for length in range(min(_LONGEST, len(words) - place), 0, -1):
        if _lower(words[place : place + length]) in PLACES:
            return length
    return 0


def _lower(tokens: Iterable[Any]) -> str:
    return " ".join(token.lower_ for token in tokens)


def _is_used_as_place(tokens: tuple[Any, ...], kind: str) -> bool:
    first, last = tokens[0], tokens[-1]
    cased = any(word.text[:1].isupper() for word in first.sent)
    if cased and not first.text[0].isupper():
        return False
    following = last.doc[last.i + 1] if last.i + 1 < len(last.doc) else None
    before = first.doc[first.i - 1] if first.i else None
    if following is not None and (following.text in {"-", "/", "'s", "’s"} or _joins(following)):
        return False
    if before is not None and (before.text in {"-", "/"} or _joins(before)):
        return False
    if kind == "nationality":
        if before is not None and before.lower_ in _BEFORE_NATIONS:
            return False
        return bool(last.dep_ == "amod" and last.head.pos_ == "NOUN" and last.head.i > last.i)
    if kind == "compass":
        return False
    if last.dep_ != "pobj" or last.head.lower_ not in _LOCATING:
        return False
    return not any(child.i < first.i or child.dep_ in {"conj", "cc"} for child in last.children)


def _joins(token: Any) -> bool:
    """Tell whether a neighbour makes a longer name of it: Boston University, New England."""
    return bool(token.text[:1].isupper() and token.pos_ == "PROPN" and token.is_alpha)
