"""Rules for equivalent forms of a query, applied only if its words show that the need is the same.

The frames and word lists are in `forms.yaml`.
"""

from __future__ import annotations

import random
import re
from collections.abc import Container, Iterator, Mapping, Set
from functools import cache
from typing import Any, Literal

from leadline.text.tokens import normalised
from leadline.text.words import AUXILIARIES, NUMBER_WORDS, STOP_WORDS, table, words_of

Form = Literal["phrase", "task", "question", "request", "other"]

LISTS: dict[str, Any] = table("leadline.kinds.rephrasings", "forms")
_TELLING, _NO_PLURAL = words_of(LISTS["telling"]), words_of(LISTS["no plural"])
_IMPERATIVES = {each.strip() for each in LISTS["imperatives"].split(",")}
_WORDS = {str(number): word for word, number in NUMBER_WORDS.items() if number <= 12}
_COUNT = re.compile(r"(?<![\w.,/-])(\w+)(?= (?:[a-z]{3,}s|children|people|men|women)\b)", re.ASCII)
_QUESTION = re.compile(
    r"(?:what|which|who|whom|whose|where|when|why|how|is|are|was|were|do|does|did|can|could|has|"
    r"have|will|would|should|may)\b(?!\s*[:,-])(?!\s+to\b)",
    re.IGNORECASE,
)
_REQUEST = re.compile(
    r"(?:please\s+)?(?:(?:i\s+(?:am|would|want|need|'m|was)|i'm|i'd|find|give|list|show|tell|search|"
    r"retrieve|describe|explain|discuss|get|provide|identify|compare|we\s+(?:are|need|want)|"
    r"looking|(?:can|could|would)\s+you)\b|information\s+(?:on|about)\b)",
    re.IGNORECASE,
)
_TASK = re.compile(r"how\s+to\s+", re.IGNORECASE)
_SENTENCES = re.compile(r"[.?!;]\s+\S")
_LONGEST_PHRASE = 5
"""Words of a user's query that is taken for a topic, where nothing shows that it is one."""


def form_of(text: str) -> Form:
    """Return what a query is, as far as its own words show."""
    words = text.split()
    if _SENTENCES.search(text):
        return "other"
    if _TASK.match(text) and not text.endswith("?"):
        return "task"
    if text.endswith("?") or (_QUESTION.match(text) and len(words) > 3):
        return "question"
    if _REQUEST.match(text) and len(words) > 3:
        return "request"
    states = any(word.lower() in AUXILIARIES for word in words[1:])
    return "other" if states or len(words) > _LONGEST_PHRASE else "phrase"


def form_of_heading(text: str) -> Form:
    """Return what a title or heading is: a task, a question, or else a topic."""
    first, *others = text.lower().split()
    if others and first in _IMPERATIVES:  # "Get a travel card"
        return "task"
    form = form_of(text)
    return form if form in ("task", "question") else "phrase"


def rephrased(
    text: str, frequency: Mapping[str, int], rng: random.Random, form: Form | None = None
) -> dict[str, tuple[str, str]]:
    """Return kind -> (text, what changed) for every form of a query that can be made well.

    Plurals and slips are judged by how many documents of the corpus hold a token.
    """
    text = " ".join(text.split())
    found = _forms(text, frequency, rng, form or form_of(text))
    return {kind: (other, edit) for kind, other, edit in found if edit}


def is_same(one: str, other: str) -> bool:
    """Tell whether two queries differ in nothing but case, punctuation and white space."""
    return normalised(one) == normalised(other)


def _forms(
    text: str, frequency: Mapping[str, int], rng: random.Random, form: Form
) -> Iterator[tuple[str, str, str]]:
    inner = text.rstrip(" .?!,;:") if form != "other" else text
    if form == "task":
        inner = _TASK.sub("", inner, count=1)
        inner = inner[0].lower() + inner[1:]
    for kind, frames in LISTS[form].items():
        frame = rng.choice(frames)
        yield kind, frame.format(x=inner), frame.format(x="...")
    words = keywords(text)
    if form != "other" and len(words.split()) >= 2:
        yield "keywords", words, "small words left out"
    yield "numeral", *renumbered(text)
    yield "abbreviation", *abbreviated(text)
    if form == "phrase":
        yield "plural", *_plural(text, frequency)
    yield "spelling", *respelled(text)
    names = {word for word in re.findall(r"[\w’'-]+", text)[1:] if not word.islower()}
    yield "typo", *mistyped(text, rng, names, frequency)


def keywords(text: str) -> str:
    """Return a query without articles, auxiliaries and other small words that ask for nothing."""
    kept = [
        word
        for place, word in enumerate(text.rstrip(" .?!").split())
        if word.lower().strip(",;:") not in STOP_WORDS - _TELLING
        or (place and word[0].isupper())  # "in May 1990"
    ]
    while kept and kept[0].lower() in _TELLING - {"not", "no", "never", "without"}:
        kept.pop(0)  # "to" of "how to"
    return " ".join(word.strip(",;:") for word in kept)


def renumbered(text: str) -> tuple[str, str]:
    """Return a query with a count in figures for words or the reverse, and what changed.

    Counts of two to twelve before a plural; ("", "") where there is none.
    """
    for found in _COUNT.finditer(text):
        written = found[1].lower()
        number = NUMBER_WORDS.get(written, 0)
        other = str(number) if number in range(2, 13) else _WORDS.get(written, "")
        if other and not (found[1].istitle() and found.start()):  # in a title: "The Three Men"
            return text[: found.start(1)] + other + text[found.end(1) :], f"{found[1]} -> {other}"
    return "", ""


def abbreviated(text: str) -> tuple[str, str]:
    """Return a query with a name or a term abbreviated or written out, and what changed."""
    for long, short in LISTS["short forms"].items():
        found = re.search(rf"(?<![\w-]){re.escape(long)}(?![\w-])", text, re.IGNORECASE)
        if found:
            before = text[: found.start()].rstrip() if short == "%" else text[: found.start()]
            return before + short + text[found.end() :], f"{found.group()} -> {short}"
        found = re.search(rf"(?<![\w.&-]){re.escape(short)}(?![\w.&-])", text)
        if found and short != "%":
            return text[: found.start()] + long + text[found.end() :], f"{short} -> {long}"
    return "", ""


def _plural(text: str, frequency: Mapping[str, int]) -> tuple[str, str]:
    """Return a query with its last word in the plural, where the corpus has that word."""
    words = text.split()
    last = words[-1]
    if not (last.isascii() and last.isalpha() and last.islower()) or len(last) < 4:
        return "", ""
    if last in _NO_PLURAL or last.endswith(("s", "ics", "ness", "ism", "ed", "ly", "ity")):
        return "", ""
    if {"a", "an", "one", "another", "each", "every"} & set(re.split(r"[\s-]", text.lower())) or (
        len(words) > 1 and words[-2].lower() in STOP_WORDS
    ):
        return "", ""  # "a guide", "how to deploy"
    other = f"{last[:-1]}ies" if last[-1] == "y" and last[-2] not in "aeiou" else f"{last}s"
    if last.endswith(("ch", "sh", "x", "z")):
        other = f"{last}es"
    if frequency.get(other, 0) < 2:
        return "", ""
    return " ".join([*words[:-1], other]), f"{last} -> {other}"


_HYPHENED = re.compile(r"(?<![\w-])([^\W\d_]{2,20})-([^\W\d_]{2,20})(?![\w-])")
_PREFIXES = words_of("non re co pre sub multi semi anti inter over under micro")


@cache
def _spellings() -> tuple[dict[str, str], re.Pattern[str]]:
    """Return word -> its other right spelling, and what finds such words."""
    one_way = words_of(LISTS["one way"])
    found: dict[str, str] = {}
    for pair in LISTS["spellings"].split("|"):
        one, other = (word.replace("_", " ") for word in pair.split())
        found.setdefault(one, other)
        if other not in one_way:
            found.setdefault(other, one)
    longest_first = sorted(map(re.escape, found), key=len, reverse=True)
    return found, re.compile(rf"(?<![\w-])(?:{'|'.join(longest_first)})(?![\w-])", re.IGNORECASE)


def respelled(text: str) -> tuple[str, str]:
    """Return the text with words in their other right spelling, and what changed.

    Words of the list come first; where there are none, hyphened words lose their hyphen.
    """
    spellings, listed = _spellings()
    changes: list[str] = []

    def other(match: re.Match[str]) -> str:
        word = match[0]
        spelled = spellings.get(word.casefold())
        if spelled is None:
            spelled = match[1] + ("" if match[1].lower() in _PREFIXES else " ") + match[2]
        elif word[0].isupper():
            spelled = spelled.upper() if word.isupper() else spelled[0].upper() + spelled[1:]
        changes.append(f"{word} -> {spelled}")
        return spelled

    written = listed.sub(other, text)
    if not changes:
        written = _HYPHENED.sub(other, text)
    return written, "; ".join(changes)


_NEIGHBOURS = {
    "a": "sqz", "b": "vn", "c": "xv", "d": "sf", "e": "wr", "f": "dg", "g": "fh", "h": "gj",
    "i": "uo", "j": "hk", "k": "jl", "l": "k", "m": "n", "n": "bm", "o": "ip", "p": "o",
    "q": "wa", "r": "et", "s": "ad", "t": "ry", "u": "yi", "v": "cb", "w": "qe", "x": "zc",
    "y": "tu", "z": "x",
}  # fmt: skip
_DENYING = words_of("never nothing nobody neither without hardly")
_LONG_WORD = re.compile(r"[^\W\d_]{5,30}")


def mistyped(
    text: str, rng: random.Random, fixed: Set[str] = frozenset(), known: Container[str] = ()
) -> tuple[str, str]:
    """Return the text with one slip of the fingers, and "word -> wrod"; the latter empty for none.

    A content word of at least 5 letters has two letters swapped, one dropped, one doubled, or
    one replaced by a neighbour on the keyboard; never its first letter.

    fixed  words that stay as they are: names
    known  words in lower case that a slip must not make: "county" for "country"
    """
    words = [
        match
        for match in _LONG_WORD.finditer(text)
        if match[0].lower() not in STOP_WORDS | _DENYING
        and match[0].isascii()
        and match[0] not in fixed
    ]
    if not words:
        return text, ""
    chosen = rng.choice(words)
    word = chosen[0]
    wrong = next((s for s in (_slip(word, rng) for _ in range(5)) if s.lower() not in known), "")
    if not wrong:
        return text, ""
    return f"{text[: chosen.start()]}{wrong}{text[chosen.end() :]}", f"{word} -> {wrong}"


def _slip(word: str, rng: random.Random) -> str:
    swaps = [i for i in range(1, len(word) - 1) if word[i].lower() != word[i + 1].lower()]
    kind = rng.choice(("swap", "drop", "double", "neighbour"))
    if kind == "swap" and swaps:
        i = rng.choice(swaps)
        return word[:i] + word[i + 1] + word[i] + word[i + 2 :]
    i = rng.randrange(1, len(word))
    if kind == "drop":
        return word[:i] + word[i + 1 :]
    if kind == "neighbour" and word[i].lower() in _NEIGHBOURS:
        near = rng.choice(_NEIGHBOURS[word[i].lower()])
        return word[:i] + (near.upper() if word[i].isupper() else near) + word[i + 1 :]
    return word[:i] + word[i] + word[i:]
