"""For whom a text is written: for anybody, or for people of the trade."""

from __future__ import annotations

import math
import re
from functools import lru_cache

from leadline.kinds.instructions.attributes.text import sentences_of, without_code, words_of

_LATINATE = re.compile(
    r"(?i)\w{3,}(?:tion|tions|sion|ity|ities|ance|ence|ment|ism|osis|itis|emia|aemia|ology|metric|"
    r"ative|itive|ular|ical|istic|ous|genic|lytic|phase|ase|ation|ised|ized|ising|izing|ency|ancy|"
    r"oid|ide|ate|ibility|ability|ially|ably)"
)
_PERSONAL_WORDS = """
you your yours you're you'll you've yourself we our us let's i my me it's don't doesn't can't
won't isn't that's there's they're
"""
_PERSONAL = frozenset(_PERSONAL_WORDS.split())
_HOMELY = re.compile(
    r"(?i)\b(?:imagine|think of|picture|pretend|just like|a bit like|like (?:a|an|the)|kind of|"
    r"sort of|in other words|simply put|for example|say,|a bit|a lot|lots of|stuff|things?|tiny|"
    r"big|little|old|good|bad|nice|trick|fun|why\?|how\?)\b|!"
)
_APPARATUS = re.compile(
    r"\b(?:et al|cf|viz|i\.e|e\.g|p ?[<=]|s\.|art\.|no\.)|\[\d+\]|\(\d{4}\)|[=<>±≤≥α-ωµ°%]|"
    r"\b[A-Z]{2,}[a-z]?-?\d*\b|\b\d+(?:\.\d+)? ?(?:nm|km|mg|mm|ml|kg|hz|khz|mv|mmol|kda|bp|bps)\b"
)


@lru_cache(maxsize=65536)
def expertise(text: str) -> float:
    """Return how much a text presumes, in (0, 1): near 0 for everybody, near 1 for specialists.

    From the length of its words and sentences, the share of learned endings, how it addresses the
    reader, and the apparatus of abbreviations, symbols and references. English and languages that
    share its learned words; Chinese text gets 0.5.
    """
    prose, _ = without_code(text)
    words = [word for word in words_of(prose) if word[0].isalpha() and word.isascii()]
    if len(words) < 5:
        return 0.5
    lower = [word.lower().replace("’", "'") for word in words]
    count = len(words)
    length = sum(map(len, words)) / count
    long = sum(len(word) >= 10 for word in words) / count
    learned = sum(_LATINATE.fullmatch(word) is not None for word in words) / count
    personal = sum(word in _PERSONAL for word in lower) / count
    homely = len(_HOMELY.findall(prose)) / count
    apparatus = len(_APPARATUS.findall(prose)) / count
    sentence = count / max(1, len(sentences_of(prose)))
    signal = (
        2.2 * (length - 5.0)
        + 9 * (long - 0.11)
        + 8 * (learned - 0.12)
        + 10 * (apparatus - 0.02)
        - 14 * (personal - 0.02)
        - 22 * (homely - 0.01)
        + 0.05 * (sentence - 18)
    )
    return 1 / (1 + math.exp(-max(-8.0, min(8.0, signal))))


def reading_level(text: str) -> str:
    """Return `layman` or `expert`; "" for text that the signs of English do not tell apart."""
    value = expertise(text)
    return "expert" if value > 0.6 else "layman" if value < 0.4 else ""
