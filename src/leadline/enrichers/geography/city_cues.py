"""What the words around a name must say for it to be a place where something is."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable

from leadline.enrichers.geography.atlas import Spot
from leadline.enrichers.geography.gazetteer import Mention
from leadline.enrichers.words import patterns

LARGE = 20_000_000
"""Weight of a place that is meant even where a person could be: London's, not Florence's."""

_P = patterns("city_cues")
_BEFORE = re.compile(_P["before"])
# What ends a text that _BEFORE matches: told at once, where matching takes its time.
_LAST_WORD = re.compile(_P["last_word"], re.IGNORECASE)
_SITE = re.compile(_P["site"])
_AT_SITE = re.compile(_P["at_site"])
_TO_PERSON = re.compile(_P["to_person"])
_DATELINE = re.compile(r"(?:^|\n)\W{0,3}$")
_DATELINE_END = re.compile(r"(?: \([A-Z][A-Za-z]+\))? ?[—–]|(?: \([A-Z][A-Za-z]+\)) ?-| -- ?")
_ADDRESS = re.compile(_P["address"])
_ADDRESS_END = re.compile(r"[.,;)\n]|$| \d")
_AFTER = re.compile(r"(?: |[’']s (?=[A-Z]))(?!I\b|[A-Z]{2}\b|And\b|In\b|On\b)[A-ZÀ-Þ][\w’'-]*")
_OWNER = re.compile(r"[’']s?\b")
_NAME_BEFORE = re.compile(r"[a-z,] [A-ZÀ-Þ][a-zà-ÿ]+ $")
_COMPARED = re.compile(_P["compared"], re.IGNORECASE)
_FLOWN = re.compile(_P["flown"])
_AT = re.compile(r"\b(?:at|from|to|into|via|in|near|reached|leaving|left|through) $")
_AIR_TRAVEL = re.compile(_P["air_travel"], re.IGNORECASE)


def is_there(text: str, mention: Mention, spots: Iterable[Spot]) -> bool:
    """Tell whether the words around a name say that something is at a place."""
    start, end = mention.start, mention.end
    if any(spot.kind == "airport" for spot in spots):
        return True
    before = text[max(0, start - 60) : start]
    if before[-4:].lower() == "the ":
        if not any(spot.name.startswith("The ") for spot in spots):
            return bool(_SITE.match(text, end) and _AT_SITE.search(before))
        before = before[:-4]
    if _DATELINE.search(before):
        return text[start:end].isupper() and bool(_DATELINE_END.match(text, end))
    known = max(spot.weight for spot in spots) >= LARGE
    if _LAST_WORD.search(before[-14:]) and _BEFORE.search(before):
        there = known or not _TO_PERSON.search(before)
    else:
        there = bool(_ADDRESS.search(before) and _ADDRESS_END.match(text, end))
    if _AT_SITE.search(before) and _SITE.match(text, end):
        return not _COMPARED.search(text, max(0, start - 160), start)
    return there and not _is_other(text, mention, known)


def _is_other(text: str, mention: Mention, known: bool) -> bool:
    """Tell whether a name is likely part of another one, a person's, a word, or only likened to.

    known  that the place is so well known that it is meant where its name could also be a word
    """
    start, end = mention.start, mention.end
    if _AFTER.match(text, end) or text.startswith(":", end):
        return True
    name = text[start:end]
    if mention.words == 1 and not known:
        word = rf"\b{re.escape(name.lower())}\b"
        if _OWNER.match(text, end) or re.search(word, text) or _is_title(text, start, end):
            return True
    if name.isupper() and len(name) > 3 and _is_title(text, start, end):
        return True
    before = text[max(0, start - 160) : start]
    return bool(_NAME_BEFORE.search(before[-40:]) or _COMPARED.search(before))


def _is_title(text: str, start: int, end: int) -> bool:
    """Tell whether the longer words beside a name have capitals too: its own then says little."""
    first = text.rfind("\n", 0, start) + 1
    last = text.find("\n", end)
    line = text[max(first, start - 80) : start] + " " + text[end : last if last >= 0 else None][:80]
    words = re.findall(r"[^\W\d_]{4,}", line)
    return len(words) > 2 and sum(word[0].isupper() for word in words) > 0.7 * len(words)


def is_flown(text: str, start: int, airports: Container[str]) -> bool:
    """Tell whether the words before a code of three letters are of somebody who flies there.

    airports  codes there are; one that another leads to is flown to: `ORD to CDG`
    """
    before = text[max(0, start - 45) : start]
    if flown := _FLOWN.search(before):
        return flown["from"] is None or flown["from"] in airports
    return bool(_AT.search(before) and _AIR_TRAVEL.search(text))
