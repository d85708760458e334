"""Porter's stemmer with the amendments that ROUGE scores are computed with.

Source: Porter 1980, An algorithm for suffix stripping; the amendments (irregular forms, short
-ies and -ied, y after a consonant, -fulli, -logi) are those of NLTK's default mode, which
rouge-score 0.1.2 uses.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

_IRREGULAR = {
    "skies": "sky", "dying": "die", "lying": "lie", "tying": "tie", "innings": "inning",
    "outings": "outing", "cannings": "canning",
}  # fmt: skip
_FIXED = ("sky", "news", "inning", "outing", "canning", "howe", "proceed", "exceed", "succeed")


def _rules(text: str) -> Mapping[str, str]:
    return dict(pair.split(">") for pair in text.split())


# Steps 2 and 3: ending > replacement, for stems of measure above 0. `fulli` is an amendment.
_SECOND = _rules(
    "ational>ate tional>tion enci>ence anci>ance izer>ize bli>ble alli>al entli>ent eli>e "
    "ousli>ous ization>ize ation>ate ator>ate alism>al iveness>ive fulness>ful ousness>ous "
    "aliti>al iviti>ive biliti>ble fulli>ful"
)
_THIRD = _rules("icate>ic ative> alize>al iciti>ic ical>ic ful> ness>")
# Step 4: dropped from stems of measure above 1.
_FOURTH = (
    "al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ment", "ent", "ion", "ou",
    "ism", "ate", "iti", "ous", "ive", "ize",
)  # fmt: skip


@lru_cache(maxsize=1 << 14)
def stem(word: str) -> str:
    """Return the stem of a lower-case word."""
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if word in _FIXED or len(word) <= 2:
        return word
    word = _past(_plural(word))
    if word.endswith("y") and len(word) > 2 and _shape(word[:-1])[-1] == "c":
        word = word[:-1] + "i"
    word = _replaced(_double_suffix(word), _THIRD)
    word = _ending(word)
    if word.endswith("e"):
        rest = word[:-1]
        if _measure(rest) > 1 or (_measure(rest) == 1 and not _ends_short(rest)):
            word = rest
    return word[:-1] if word.endswith("ll") and _measure(word[:-1]) > 1 else word


def _shape(word: str) -> str:
    """Return a `c` for each consonant and a `v` for each vowel; y is a vowel after a consonant."""
    shape = ""
    for letter in word:
        is_vowel = letter in "aeiou" or (letter == "y" and shape.endswith("c"))
        shape += "v" if is_vowel else "c"
    return shape


def _measure(word: str) -> int:
    """Return how often vowels are followed by consonants: the m of the paper."""
    return _shape(word).count("vc")


def _ends_short(word: str) -> bool:
    """Return whether a stem ends like `hop` (the *o of the paper), or is like `at`."""
    shape = _shape(word)
    return shape == "vc" or (shape.endswith("cvc") and word[-1] not in "wxy")


def _plural(word: str) -> str:
    if word.endswith("sses"):
        return word[:-2]
    if word.endswith("ies"):
        return word[:-1] if len(word) == 4 else word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word


def _past(word: str) -> str:
    if word.endswith("ied"):
        return word[:-1] if len(word) == 4 else word[:-2]
    if word.endswith("eed"):
        return word[:-1] if _measure(word[:-3]) > 0 else word
    for ending in ("ed", "ing"):
        rest = word.removesuffix(ending)
        if rest != word and "v" in _shape(rest):
            return _mended(rest)
    return word


def _mended(rest: str) -> str:
    """Restore the letter that -ed or -ing removed, or remove the one it doubled."""
    if rest.endswith(("at", "bl", "iz")):
        return rest + "e"
    if len(rest) >= 2 and rest[-1] == rest[-2] and _shape(rest)[-1] == "c":
        return rest if rest[-1] in "lsz" else rest[:-1]
    return rest + "e" if _measure(rest) == 1 and _ends_short(rest) else rest


def _double_suffix(word: str) -> str:
    if word.endswith("alli") and _measure(word[:-4]) > 0:
        return _double_suffix(word[:-2])
    if word.endswith("logi"):  # an amendment
        return word[:-1] if _measure(word[:-3]) > 0 else word
    return _replaced(word, _SECOND)


def _ending(word: str) -> str:
    for ending in _FOURTH:
        if word.endswith(ending):
            rest = word.removesuffix(ending)
            drops = _measure(rest) > 1 and (ending != "ion" or rest[-1] in "st")
            return rest if drops else word
    return word


def _replaced(word: str, rules: Mapping[str, str]) -> str:
    """Apply the first rule that matches the ending of the word, if its stem allows it."""
    for ending, replacement in rules.items():
        if word.endswith(ending):
            rest = word.removesuffix(ending)
            return rest + replacement if _measure(rest) > 0 else word
    return word
