"""Put corpus text into a prompt between marks that it cannot close, and without prompt labels."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

_OPENING = dict.fromkeys(map(ord, "‹〈⟨〈≺˂"), "<")
"""What looks like the opening of a mark, beside what Unicode calls the same as it."""


def delimited(text: str, name: str) -> str:
    """Put marks around a text: `<name>`, the text, `</name>`, each on lines of its own.

    Whatever in the text could pass for such a mark is broken up: in any case, with spaces or
    signs that nobody sees between its letters, in full-width letters.
    """
    return f"<{name}>\n{_unmarked(text, name)}\n</{name}>"


def without_labels(text: str, labels: Iterable[str], *, only_at_line_start: bool = False) -> str:
    """Take the colon from what looks like a label: `Relevant: true` becomes `Relevant - true`.

    A published prompt has no marks around a document; that one cannot play another part of it, in
    full-width letters or with signs that nobody sees between its letters neither.

    labels  words of the prompt that stand before a colon, a number or a remark in parentheses aside
    """
    names = "|".join(re.escape(label) for label in labels)
    start = r"(?m)^([^\S\n]*)" if only_at_line_start else r"(?<!\w)()"
    pattern = rf"{start}(?:{names})(?: ?\d{{1,4}})?(?: \([^()\n]{{0,80}}\))?( ?:)"
    looks, places = _folded(text)
    pieces: list[str] = []
    done = 0
    for match in re.finditer(pattern, looks) if names else ():
        pieces += [text[done : places[match.start(2)]], " -"]
        done = places[match.end(2) - 1] + 1
    return "".join((*pieces, text[done:]))


def without_marks(text: str, template: str, tokens: Iterable[str], *, neutral: bool = True) -> str:
    """Break up what a tokenizer would take for more than text: a document must not end it.

    Nor may it play another part of the prompt.

    template  the prompt that the text is put into
    tokens    special tokens, and other marks that the text must not hold
    neutral   take the colon from labels of the prompt
    """
    if neutral:
        text = without_labels(text, labels_of(template))
    for token in tokens:
        if len(token) > 1 and token in text:
            text = text.replace(token, f"{token[0]} {token[1:]}")
    return text


def labels_of(template: str) -> tuple[str, ...]:
    """Return the words of a prompt that stand before a colon, each with a capital letter."""
    found = re.findall(r"(?:^|[\s\]])([A-Z]\w+)(?: \([^()\n]*\))?:", template, re.MULTILINE)
    return tuple(dict.fromkeys(found))


def _unmarked(text: str, name: str) -> str:
    """Break up marks, found in what a text looks like and broken in the text itself."""
    looks, places = _folded(text)
    found = re.finditer(rf"(?i)<(?=\s*/?\s*{re.escape(name)}(?!\w))", looks)
    pieces: list[str] = []
    done = 0
    for match in found:
        place = places[match.start()]
        pieces += [text[done:place], "&lt;"]
        done = place + 1
    return "".join((*pieces, text[done:]))


def _folded(text: str) -> tuple[str, list[int] | range]:
    """Return a text in plain letters, and where each stood; signs that nobody sees left out."""
    if text.isascii():
        return text, range(len(text))
    letters: list[str] = []
    places: list[int] = []
    for place, letter in enumerate(text):
        if letter.isascii():
            folded = letter
        elif unicodedata.category(letter) in ("Cf", "Mn", "Me"):
            continue
        else:
            folded = unicodedata.normalize("NFKC", letter).translate(_OPENING)
        letters += folded
        places += [place] * len(folded)
    return "".join(letters), places
