"""What a text is by its make: code, a manual, an answer in a forum, a blog, a news article.

Each sign is one line of a table: a weight, and a pattern that counts once a text.
"""

from __future__ import annotations

import math
import re
from functools import lru_cache
from typing import NamedTuple

from leadline.kinds.instructions.attributes.text import Shape, shape_of, words_of

GENRES = ("code snippet", "official manual", "forum answer", "blog", "forum post", "news article")
"""Formats, then sources."""


class Sign(NamedTuple):
    """How strongly a pattern speaks for a genre, in log-odds; negative speaks against it."""

    weight: float
    pattern: re.Pattern[str]


def _signs(*rows: tuple[float, str]) -> tuple[Sign, ...]:
    return tuple(Sign(weight, re.compile(pattern, re.MULTILINE)) for weight, pattern in rows)


_FIRST_PERSON = r"\b(?:I|I['’](?:m|ve|d|ll)|[Mm]y|[Mm]e|[Mm]yself|[Ww]e['’]ve|[Mm]ine)\b"
_TURN = re.compile(
    r"^\s*(?:[*_>#-]{0,3}\s*)(?:@|u/)?[A-Za-z][\w.\-]{1,24}(?: ?[A-Za-z]\w{1,14})?"
    r"(?: (?:wrote|says|said|replied|posted))?\s?:(?:\*\*|__)?(?=\s|$)",
    re.MULTILINE,
)
_HEADING_WORDS = """
syntax synopsis description options arguments parameters returns return usage example examples
default defaults context note notes see warning tip step source author date title summary
ingredients method question answer edit update url tags posted by filed under name
"""
_HEADINGS = frozenset(_HEADING_WORDS.split())

_SIGNS: dict[str, tuple[Sign, ...]] = {
    "official manual": _signs(
        (
            1.6,
            r"(?i)^\W*(?:syntax|synopsis|description|options|arguments|parameters|returns?|"
            r"return values?|usage|see also|exceptions|raises|default|context|remarks|"
            r"exit status|compatibility|attributes|methods?|errors|panics|notes?)\W*(?::|$)",
        ),
        (1.2, r"(?:^|\s|\*)--?[a-z][\w-]+\b|`--?\w[\w-]*`"),
        (
            1.2,
            r"(?m)(?:^|\. |\*\*\s)(?:Returns|Creates|Sets|Saves|Specifies|Defines|Enables|"
            r"Disables|Resets|Removes|Adds|Stops|Sends|Reads|Writes|Opens|Provides|Determines|"
            r"Searches|Computes|Converts|Iterates|Merges|Updates|Displays|Lists|Constructs)\b",
        ),
        (
            1.0,
            r"(?i)\b(?:the default (?:value )?is|default:|defaults to|is (?:optional|required|"
            r"deprecated|equivalent to|returned|raised|ignored)|must be (?:one of|a|an|used)|"
            r"is used to|if (?:omitted|specified|set|true|given)|the following (?:options|values|"
            r"arguments|parameters|forms?))\b",
        ),
        (
            1.0,
            r"(?i)\b(?:man page|manual|reference|documentation|api|version \d|\(\d\)|"
            r"user guide|specification|chapter|section \d)",
        ),
        (0.9, r"^\W*[\w.]+\([^)\n]*\)"),
        (0.8, r"\[, ?\*?\w+|<\w+>|\[\*?\w+\*?\]|\w+=\w+,|\.\.\.\]"),
        (0.5, r"\*\*[\w. \-]+\*\*"),
        (-2.2, _FIRST_PERSON),
        (-0.8, r"!|\b(?:lol|btw|imho|IMO|thanks|Thanks|cheers|Cheers|hth|HTH)\b"),
    ),
    "forum answer": _signs(
        (1.3, _FIRST_PERSON),
        (1.0, r"(?i)\b(?:you(?:'re|'ll|'ve)?|your) "),
        (
            0.9,
            r"\b(?:[Hh]ope (?:this|that) helps|HTH|[Ee]dit:|EDIT|OP\b|upvote|accepted answer|"
            r"as (?:others|someone|@\w+) (?:said|mentioned|pointed)|[Tt]ry this|"
            r"[Tt]he (?:catch|trick|gotcha|problem)|bit me|works for me|asked|question)",
        ),
        (
            0.7,
            r"(?i)\b(?:just|simply|basically|actually|btw|imho|btw|tbh|gotcha|bonus|caveat|"
            r"don't|doesn't|isn't|can't|won't|it's|that's|there's)\b",
        ),
        (0.5, r"```|`[^`]+`"),
        (0.4, r"\?"),
    ),
    "blog": _signs(
        (2.4, r"(?i)\bblog\w*|\bweblog\b"),
        (1.3, _FIRST_PERSON),
        (
            1.2,
            r"(?im)^(?:.{0,60}\b)?(?:by|posted (?:by|on|in)|text(?: (?:&|and) photos)?|"
            r"written by|words|published)\b:? [A-Z\d].{0,80}$",
        ),
        (
            1.1,
            r"(?i)\b(?:subscribe|my readers|dear readers?|comments? below|in the comments|"
            r"reading time|min read|newsletter|last post|next post|previous post|this post|"
            r"guest post|about me|follow me|on my|stay tuned|more (?:on|next)|let me know)\b",
        ),
        (
            0.7,
            r"(?:»|//|·|\|| – ).{0,60}(?:\d{4}|min\b|[Tt]ips|[Ll]ife|[Dd]iary|[Jj]ournal|[Nn]otes)",
        ),
        (0.5, r"!"),
        (
            0.5,
            r"(?i)\b(?:my (?:grandmother|husband|wife|partner|kids|daughter|son|mum|mom|dad|flat|"
            r"kitchen|garden|boss|friend|dog|cat)|weekend|week (?:one|two|three)|honest(?:ly)?|"
            r"confess\w*|love[ds]?|finally|last (?:week|month|year|summer|winter|spring|autumn))\b",
        ),
    ),
    "forum post": _signs(
        (
            1.2,
            r"(?i)\b(?:thread|reply|replies|replied|posted|posts?:|joined|member since|re:|quote:|"
            r"op\b|mods?\b|moderator|upvotes?|likes?:|subreddit|r/\w+|u/\w+|edit:|bump|^#\d+)\b",
        ),
        (
            0.8,
            r"(?i)\b(?:thanks|cheers|lol|btw|imho|imo|tbh|haha|ymmv|dunno|yeah|yep|nope|"
            r"hi all|hey|same here|agree|this\.|\+1|fwiw|afaik|welcome)\b",
        ),
        (0.6, _FIRST_PERSON),
        (0.4, r"\?"),
        (0.4, r"@\w+"),
    ),
    "news article": _signs(
        (
            2.6,
            r"(?m)^\W*(?:[A-Z][A-Z.'’ \-]{2,}(?:,? [A-Z][\w. ]+?)?|[A-Z][\w'’.\- ]{2,30}, \d{1,2} "
            r"\w+|[A-Z][\w'’.\- ]{2,30}, \w+ \d{1,2})(?:, [\w. ]{3,30})? ?(?:\((?:Reuters|AP|AFP|"
            r"PA|dpa|[A-Z][\w ]{1,20})\) ?)?(?:—|–|--| - )",
        ),
        (
            1.6,
            r"(?i)\b(?:said|told|announced|reported|warned|according to|added|spokes\w+|"
            r"a statement|the (?:ministry|agency|regulator|government|council|company|police|"
            r"court|study) )",
        ),
        (
            1.0,
            r"[\"“”][^\"“”\n]{15,}[\"“”],? (?:said|says|he|she|\w+ \w+ said)|said [A-Z]|"
            r"[\"”] (?:said|says|added)",
        ),
        (
            0.9,
            r"(?i)\b(?:on|last|since) (?:monday|tuesday|wednesday|thursday|friday|saturday|sunday)"
            r"\b|\b(?:reuters|associated press|newsroom|correspondent|staff reporter|breaking|"
            r"officials|lawmakers|police)\b",
        ),
        (0.6, r"(?:€|\$|£)\d|\d+(?:\.\d+)? ?(?:per cent|percent|%|million|billion)"),
        (-0.9, _FIRST_PERSON + r"(?=[^\"“”]*(?:$|[\"“][^\"“”]*[\"”]))"),
        (-1.2, r"(?i)\b(?:blog|subscribe|thread|lol|btw)\b"),
    ),
}

_READ = 20_000
"""Characters that show what a text is: the signs of a whole book would be those of all genres."""

_SHOWN = 40
_RUN = re.compile(rf"(\W{{{_SHOWN}}})\W+|(\w)\2{{{_SHOWN},}}")
"""What holds no word, or one character again and again: the patterns above would take for ever on
it, and forty characters of it say as much."""

_BIAS = {
    "official manual": -2.4,
    "forum answer": -2.2,
    "blog": -2.9,
    "forum post": -2.3,
    "news article": -2.9,
}


@lru_cache(maxsize=65536)
def genres_of(text: str) -> dict[str, float]:
    """Return how much a text has the make of each genre, each in [0, 1], from its beginning."""
    text = _RUN.sub(r"\1" + r"\2" * _SHOWN, text[:_READ])
    shape = shape_of(text)
    turns = _turns(text)
    odds = {
        genre: _BIAS[genre] + sum(sign.weight for sign in signs if sign.pattern.search(text))
        for genre, signs in _SIGNS.items()
    }
    odds["forum post"] += 2.2 * min(turns, 3) - 0.8
    odds["forum answer"] += 1.4 * (shape.code > 0) + 0.9 * min(turns, 2) - 0.9
    if turns >= 2:
        odds["blog"] -= 2.5
        odds["news article"] -= 2.5
        odds["official manual"] -= 1.0
    odds["blog"] += 1.2 * (_rate(text, _FIRST_PERSON) > 0.03) - 1.0 * (shape.code > 0)
    odds["code snippet"] = _code_odds(shape)
    if odds["code snippet"] > 0:
        for genre in ("official manual", "forum answer", "blog"):
            odds[genre] -= 3.0
    return {genre: 1 / (1 + math.exp(min(700.0, -odds[genre]))) for genre in GENRES}


def _turns(text: str) -> int:
    """Count the speakers of a text that is a talk of several: names before a colon."""
    found = [match.group().strip(" *_>#-\t:").lower() for match in _TURN.finditer(text)]
    names = [name for name in found if name.split()[0] not in _HEADINGS]
    return len(set(names)) if len(names) >= 2 else 0


def _code_odds(shape: Shape) -> float:
    """Speak for code alone where hardly a sentence stands beside it."""
    if shape.code == 0:
        return -5.0
    return 9 * (shape.share_of_code - 0.72) - 0.06 * max(0, shape.words - 12)


def _rate(text: str, pattern: str) -> float:
    return len(re.findall(pattern, text)) / max(1, len(words_of(text)))
