"""What a number counts: the noun behind it, and whether two numbers count the same things."""

from __future__ import annotations

import re
from collections.abc import Sequence

from leadline.enrichers.amounts.passage import Amount, Passage

_FOLLOWING = re.compile(
    r"(?: of(?: (?:the|a|my|our|his|her|its|their|these|those|this|that|your|all))*)?"
    r"(?: (?:other|more|further|extra"
    r"|additional|new|old|separate|different|identical|equal|full|whole|loose|spare"
    r"|usable|paying|empty|single|double)(?= ))*"
    r"(?P<words>(?:[ -](?!§)[a-z'’-]+){1,4})"
)
_STOP = re.compile(
    r"(?:is|are|was|were|has|have|had|be|been|do|does|did|will|would|can|could|may|might|must|shall"
    r"|should|to|for|from|with|without|in|on|at|by|of|off|out|into|onto|over|under|per|and|or|but"
    r"|so|than|as|if|when|while|who|whom|which|that|this|these|those|it|they|we|i|you|he|she|them"
    r"|us|him|her|there|then|now|not|never|still|already|just|only|each|apiece|altogether|left"
    r"|remain|remaining|gone|back|today|yesterday|again|ago|later|before|after|since|because"
    r"|came|went|got|took|gave|said|made|sold|died|broke|stayed|arrived|joined|took|passed|failed"
    r"|the|a|an|up|down|away|plus|minus|times|both|all|between|among|across|during|until|through)$"
)
_PAST = re.compile(r"(?:[a-z]{3,}ed|cast|bought|wrote|sang|drew|drank|ate|wore)$")
_PERSONS = (
    "adult attendee boy candidate child competitor customer diner driver employee entrant girl "
    "guest kid man member no-show parent participant passenger people person player pupil "
    "respondent resident runner soldier spectator staff student swimmer teacher tourist visitor "
    "volunteer voter walk-in walker woman worker"
)
_PEOPLE = frozenset(_PERSONS.split())
_IRREGULAR = {
    "children": "child",
    "men": "man",
    "women": "woman",
    "persons": "person",
    "people": "person",
    "geese": "goose",
    "feet": "foot",
    "mice": "mouse",
    "teeth": "tooth",
    "loaves": "loaf",
    "leaves": "leaf",
    "knives": "knife",
    "shelves": "shelf",
    "calves": "calf",
    "wolves": "wolf",
    "halves": "half",
    "oxen": "ox",
    "lives": "life",
    "wives": "wife",
    "dice": "die",
    "sheep": "sheep",
    "series": "series",
}


def singular(noun: str) -> str:
    """Return the singular of a noun in lower case, as far as its ending tells."""
    if noun in _IRREGULAR:
        return _IRREGULAR[noun]
    if noun.endswith("ies") and len(noun) > 4:
        return noun[:-3] + "y"
    if noun.endswith(("xes", "ches", "shes", "sses", "oes")):
        return noun[:-2]
    if noun.endswith("s") and not noun.endswith(("ss", "us", "is")):
        return noun[:-1]
    return noun


def nouns_after(marked: str, offset: int) -> tuple[str, ...]:
    """Return the words from an offset of marked text that a number there may count, singular.

    Empty where a verb, a preposition or a stop follows at once: `five were broken`.
    """
    match = _FOLLOWING.match(marked, offset)
    if match is None:
        return ()
    found: list[str] = []
    words = re.findall(r"[a-z][a-z'’]*(?:-[a-z]+)*", match["words"])
    for word, following in zip(words, [*words[1:], "the"], strict=False):
        if _STOP.match(word):
            break
        if _PAST.match(word) and (found or _STOP.match(following)):
            break
        found.append(singular(word))
    return tuple(found)


def nouns_of(passage: Passage, amount: Amount) -> tuple[str, ...]:
    """Return the words that an amount of the text counts, singular; empty where it names none."""
    mark = f"§{amount.sort}{passage.amounts.index(amount)}§" if amount in passage.amounts else ""
    at = passage.marked.find(mark) if mark else -1
    return nouns_after(passage.marked, at + len(mark)) if at >= 0 else ()


def is_same_noun(one: Sequence[str], other: Sequence[str]) -> bool:
    """Tell whether two phrases may count the same things: a noun met, persons, or one left out."""
    if not one or not other or set(one) & set(other):
        return True
    return bool(set(one) & _PEOPLE and set(other) & _PEOPLE)
