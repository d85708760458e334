"""Attributes of a text: its length, language, audience, format and words.

The tables are in `attributes.yaml`.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

from leadline.errors import needs
from leadline.text.words import table

HAN_A_WORD = 1.6
"""Chinese characters and kana that say about as much as one English word."""

_HAN = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u3040-\u30ff\U00020000-\U0003134f"
_DENSE = re.compile(f"[{_HAN}\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]")
"""A letter of a script without spaces: Chinese, Japanese, Thai."""
_WORD = re.compile(r"[^\W\d_](?:[\w'’\-]*\w)?|\d[\d.,]*")
_SENTENCE_END = re.compile(r"[.!?…][\"'”’)\]*]*(?=\s|$)|[。！？]|\n\s*\n")
_ABBREVIATION = re.compile(r"\b(?:[A-Z]|Mr|Mrs|Ms|Dr|Prof|St|vs|e\.g|i\.e|etc|approx|No|Fig)\.$")
_TAIL = 12  # characters before the end of a sentence that hold any abbreviation
_FENCE = re.compile(r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)|<(pre|code)\b.*?(?:</\1>|\Z)", re.DOTALL)
_CODE_LINE = re.compile(
    r"^\s*(?:"
    r"[$#>]\s?\w+ |=[A-Z]+\(|(?:def|class|import|from|fn|let|const|var|function|return|use|for|"
    r"while|if|public|static|SELECT|INSERT|UPDATE|DELETE|CREATE|FROM|WHERE|GROUP BY)\b.*[(){};:=*]"
    r"|.*[;{}]\s*$|\w+(?:\.\w+)*\(.*\)\s*$|\w+ ?[+\-*|]?= ?\S+\s*$)"
)


def _table() -> Any:
    return table("leadline.text", "attributes")


def languages() -> dict[str, list[str]]:
    """Return what people call each language, by its ISO 639-1 code."""
    found: dict[str, list[str]] = _table()["languages"]
    return found


# Size


@dataclass(frozen=True, slots=True)
class Shape:
    """Size and make of a text.

    words      outside code, counting `HAN_A_WORD` characters of a text without spaces as one
    sentences  at least 1 for a text that has words
    blocks     divided by blank lines, code among them
    code       characters of code
    prose      characters of all the rest that are no space
    """

    words: int
    sentences: int
    blocks: int
    code: int
    prose: int

    @property
    def share_of_code(self) -> float:
        """Characters of code among all."""
        return self.code / max(1, self.code + self.prose)


@lru_cache(maxsize=65536)
def shape_of(text: str) -> Shape:
    """Measure a text."""
    prose, code = without_code(text)
    return Shape(
        words=word_count(prose),
        sentences=len(sentences_of(prose)),
        blocks=len([block for block in re.split(r"\n\s*\n", text) if block.strip()]),
        code=len(re.sub(r"\s", "", code)),
        prose=len(re.sub(r"\s", "", prose)),
    )


def word_count(text: str) -> int:
    """Count words; where a script puts no spaces between them, `HAN_A_WORD` characters a word.

    >>> word_count("It's a well-known fact."), word_count("糖尿病是一种代谢性疾病")
    (4, 7)
    """
    dense = len(_DENSE.findall(text))
    return len(_WORD.findall(_DENSE.sub(" ", text))) + round(dense / HAN_A_WORD)


def sentences_of(text: str) -> list[str]:
    """Cut a text into sentences, at the marks of English and of Chinese and at blank lines."""
    sentences: list[str] = []
    start = 0
    for end in _SENTENCE_END.finditer(text):
        if _ABBREVIATION.search(text[max(start, end.end() - _TAIL) : end.end()].rstrip()):
            continue
        sentences.append(text[start : end.end()].strip())
        start = end.end()
    sentences.append(text[start:].strip())
    return [sentence for sentence in sentences if re.search(r"\w", sentence)]


def without_code(text: str) -> tuple[str, str]:
    """Part the code of a text from the rest: fenced blocks, else lines that look like code."""
    fences = [match.group() for match in _FENCE.finditer(text)]
    if fences:
        return _FENCE.sub("\n", text), "\n".join(fences)
    lines = text.split("\n")
    code = [line for line in lines if line.strip() and _CODE_LINE.match(line)]
    if len(code) < 2 and not (len(code) == len(lines) == 1):
        return text, ""
    prose = [line for line in lines if not (line.strip() and _CODE_LINE.match(line))]
    return "\n".join(prose), "\n".join(code)


@dataclass(frozen=True, slots=True)
class Span:
    """Numbers of words, both ends included."""

    low: float = 0.0
    high: float = math.inf

    def holds(self, words: int) -> float:
        """Return how well a number of words lies in it, in (0, 1): 0.5 at either end."""
        place, value = math.log(max(words, 1)), 1.0
        if self.low > 1:
            value *= _logistic((place - math.log(self.low)) / _SOFT)
        if math.isfinite(self.high):
            value *= _logistic((math.log(self.high) - place) / _SOFT)
        return value


LENGTHS = {"sentence": Span(1, 40), "paragraph": Span(41, 190), "article": Span(191)}
"""Length class -> words. Paragraphs of InfoSearch-like sets have 60 to 120, articles over 300."""

_SOFT = 0.22  # of the logarithm of a length: how gradually it leaves a span


def length_class(text: str) -> str:
    """Return the class of a text by its words; a few words more still are one sentence."""
    shape = shape_of(text)
    if shape.sentences <= 1 and shape.words <= 60:
        return "sentence"
    return next(name for name, span in LENGTHS.items() if shape.words <= span.high)


def meets_length(text: str, name: str) -> float:
    """Return how well a text has a length class, in (0, 1)."""
    shape = shape_of(text)
    value = LENGTHS[name].holds(shape.words)
    too_many = name == "sentence" and shape.sentences > 2
    too_few = name == "paragraph" and shape.sentences <= 1
    return value * 0.6 if too_many or too_few else value


# Language

_SCRIPTS = (
    ("ja", r"[\u3040-\u30ff]", 0.1),
    ("zh", r"[\u3400-\u4dbf\u4e00-\u9fff]", 0.25),
    ("ko", r"[\uac00-\ud7af]", 0.25),
    ("th", r"[\u0e00-\u0e7f]", 0.25),
    ("el", r"[\u0370-\u03ff]", 0.25),
    ("he", r"[\u0590-\u05ff]", 0.25),
    ("hi", r"[\u0900-\u097f]", 0.25),
)
"""(language, its letters, share of all letters from which on a text is in it)."""

LANGUAGES = {"zh": "chinese", "en": "english", "fr": "french"}
"""ISO 639-1 code -> what instructions call the language."""


@lru_cache(maxsize=65536)
def language_of(text: str) -> str:
    """Return the ISO 639-1 code of the language a text is written in, "" where it cannot be told.

    Scripts that one language uses tell it alone; the rest is told by lingua.

    Raises MissingExtraError where lingua is needed and not installed.
    """
    text = re.sub(r"```.*?```|https?://\S+", " ", text, flags=re.DOTALL)[:2000]
    letters = sum(each.isalpha() for each in text)
    if letters < 2:
        return ""
    for code, pattern, share in _SCRIPTS:
        if len(re.findall(pattern, text)) >= share * letters:
            return code
    if letters < 12:  # of Latin script: of no language that can be told
        return ""
    best = _detector(exact=False).compute_language_confidence_values(text)[0]
    if best.value < 0.5:
        best = _detector(exact=True).compute_language_confidence_values(text)[0]
    return str(best.language.iso_code_639_1.name).lower() if best.value else ""


@lru_cache(maxsize=2)
def _detector(*, exact: bool) -> Any:
    """Return a detector; the exact one takes seconds to load, and is for short text only."""
    with needs("attributes"):
        import lingua
    known = languages()
    wanted = [each for each in lingua.Language.all() if each.iso_code_639_1.name.lower() in known]
    builder = lingua.LanguageDetectorBuilder.from_languages(*wanted)
    return builder.build() if exact else builder.with_low_accuracy_mode().build()


# Audience

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
    words = [word for word in _WORD.findall(prose) if word[0].isalpha() and word.isascii()]
    if len(words) < 5:
        return 0.5
    learned, homely, personal = _manner()
    count = len(words)
    length = sum(map(len, words)) / count
    long = sum(len(word) >= 10 for word in words) / count
    endings = sum(learned.fullmatch(word) is not None for word in words) / count
    address = sum(word.lower().replace("’", "'") in personal for word in words) / count
    signal = (
        2.2 * (length - 5.0)
        + 9 * (long - 0.11)
        + 8 * (endings - 0.12)
        + 10 * (len(_APPARATUS.findall(prose)) / count - 0.02)
        - 14 * (address - 0.02)
        - 22 * (len(homely.findall(prose)) / count - 0.01)
        + 0.05 * (count / max(1, len(sentences_of(prose))) - 18)
    )
    return _logistic(max(-8.0, min(8.0, signal)))


@cache
def _manner() -> tuple[re.Pattern[str], re.Pattern[str], frozenset[str]]:
    words = _table()
    return (
        re.compile(rf"(?i)\w{{3,}}(?:{'|'.join(words['learned_endings'])})"),
        re.compile(rf"(?i)\b(?:{'|'.join(words['homely'])})\b|!"),
        frozenset(words["personal"]),
    )


def reading_level(text: str) -> str:
    """Return `layman` or `expert`; "" for text that the signs of English do not tell apart."""
    value = expertise(text)
    return "expert" if value > 0.6 else "layman" if value < 0.4 else ""


# Format and source

GENRES = ("code snippet", "official manual", "forum answer", "blog", "forum post", "news article")
"""Formats, then sources."""

_TURN = re.compile(
    r"^\s*(?:[*_>#-]{0,3}\s*)(?:@|u/)?[A-Za-z][\w.\-]{1,24}(?: ?[A-Za-z]\w{1,14})?"
    r"(?: (?:wrote|says|said|replied|posted))?\s?:(?:\*\*|__)?(?=\s|$)",
    re.MULTILINE,
)
_READ = 20_000  # characters: the signs of a whole book would be those of all genres
_SHOWN = 40
_RUN = re.compile(rf"(\W{{{_SHOWN}}})\W+|(\w)\2{{{_SHOWN},}}")
"""What holds no word, or one character again and again: the patterns would take for ever on it,
and forty characters of it say as much."""


@cache
def _signs() -> dict[str, tuple[float, list[tuple[float, re.Pattern[str]]]]]:
    """Return for each genre its bias and its signs, each with its weight in log-odds."""
    own = _table()

    def compiled(sign: Any) -> re.Pattern[str]:
        words = "|".join(sign.get("words", ()))
        pattern = sign.get("pattern", rf"(?i)\b(?:{words})\b")
        return re.compile(pattern.replace("<first_person>", own["first_person"]), re.MULTILINE)

    return {
        genre: (told["bias"], [(sign["weight"], compiled(sign)) for sign in told["signs"]])
        for genre, told in own["genres"].items()
    }


@lru_cache(maxsize=65536)
def genres_of(text: str) -> dict[str, float]:
    """Return how much a text has the make of each genre, each in [0, 1], from its beginning."""
    text = _RUN.sub(r"\1" + r"\2" * _SHOWN, text[:_READ])
    shape = shape_of(text)
    turns = _turns(text)
    odds = {
        genre: bias + sum(weight for weight, pattern in signs if pattern.search(text))
        for genre, (bias, signs) in _signs().items()
    }
    odds["forum post"] += 2.2 * min(turns, 3) - 0.8
    odds["forum answer"] += 1.4 * (shape.code > 0) + 0.9 * min(turns, 2) - 0.9
    if turns >= 2:
        odds["blog"] -= 2.5
        odds["news article"] -= 2.5
        odds["official manual"] -= 1.0
    first_person = len(re.findall(_table()["first_person"], text))
    of_words = first_person / max(1, len(_WORD.findall(text)))
    odds["blog"] += 1.2 * (of_words > 0.03) - 1.0 * (shape.code > 0)
    odds["code snippet"] = -5.0
    if shape.code:  # for code alone, beside which hardly a sentence stands
        odds["code snippet"] = 9 * (shape.share_of_code - 0.72) - 0.06 * max(0, shape.words - 12)
    if odds["code snippet"] > 0:
        for genre in ("official manual", "forum answer", "blog"):
            odds[genre] -= 3.0
    return {genre: 1 / (1 + math.exp(min(700.0, -odds[genre]))) for genre in GENRES}


def _turns(text: str) -> int:
    """Count the speakers of a text that is a talk of several: names before a colon."""
    found = [match.group().strip(" *_>#-\t:").lower() for match in _TURN.finditer(text)]
    names = [name for name in found if name.split()[0] not in _table()["headings"]]
    return len(set(names)) if len(names) >= 2 else 0


# Words


def holds(text: str, phrase: str) -> bool:
    """Tell whether a text holds a phrase: whole words, any case, singular for plural.

    >>> holds("Two paper bags.", "paper bag"), holds("newspaper bag", "paper bag")
    (True, False)
    """
    return _finder(phrase).search(text) is not None


@lru_cache(maxsize=4096)
def _finder(phrase: str) -> re.Pattern[str]:
    if _DENSE.search(phrase):
        return re.compile(r"\s*".join(re.escape(each) for each in phrase if not each.isspace()))
    words = (re.escape(_stem(word)) + r"(?:e?s|['’]s?|ies|y)?" for word in phrase.split())
    return re.compile(r"(?<!\w)" + r"[\s\-]+".join(words) + r"(?!\w)", re.IGNORECASE)


def _stem(word: str) -> str:
    """Take off the ending of a plural."""
    low = word.lower()
    if len(word) > 4 and low.endswith("ies"):
        return word[:-3]
    is_plural = len(word) > 3 and low.endswith("s") and not low.endswith(("ss", "us", "is"))
    has_y = len(word) > 4 and low.endswith("y") and low[-2] not in "aeiou"
    return word[:-1] if is_plural or has_y else word


def _logistic(x: float) -> float:
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, x))))
