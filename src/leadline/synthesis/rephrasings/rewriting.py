"""Numbers and names of a query in their other usual way: 3 for three, UK for United Kingdom."""

from __future__ import annotations

import re
from typing import Any

from leadline.synthesis.english.parsing import text_of
from leadline.synthesis.words import NUMBER_WORDS

_WORDS = {str(number): word for word, number in NUMBER_WORDS.items() if number <= 12}
_FORMS = """
    United States=US | United Kingdom=UK | European Union=EU | United Nations=UN |
    World Health Organization=WHO | North Atlantic Treaty Organization=NATO |
    deoxyribonucleic acid=DNA | ribonucleic acid=RNA | magnetic resonance imaging=MRI |
    computed tomography=CT | electrocardiogram=ECG | electroencephalogram=EEG |
    intensive care unit=ICU | central nervous system=CNS | chief executive officer=CEO |
    artificial intelligence=AI | World War II=WWII | World War I=WWI | New York City=NYC |
    human immunodeficiency virus=HIV | body mass index=BMI | research and development=R&D |
    gross domestic product=GDP | value added tax=VAT | television=TV | per cent=% | percent=%
"""
"""Written out, and short, where the short form hardly ever means anything else."""
_PAIRS = tuple(tuple(pair.strip().split("=")) for pair in _FORMS.split("|"))


def renumbered(query: Any) -> tuple[str, str]:
    """Return a parsed query with a count in figures for words or the reverse, and what changed.

    Counts of two to twelve of what follows them; ("", "") where there is none.
    """
    text = text_of(query)
    for token in query:
        written = token.lower_
        other = _WORDS.get(written, "")
        if NUMBER_WORDS.get(written, 0) in range(2, 13):
            other = str(NUMBER_WORDS[written])
        counts = token.dep_ == "nummod" and token.head.tag_ in {"NNS", "NNPS"}
        if not other or not counts or token.head.i < token.i or _is_joined(token):
            continue
        if token.ent_type_ not in {"", "CARDINAL", "DATE", "TIME", "QUANTITY"}:
            continue
        if token.is_title and token.i:
            continue  # in a title: "The Three Musketeers"
        return text[: token.idx] + other + text[
            token.idx + len(token.text) :
        ], f"{token} -> {other}"
    return "", ""


def abbreviated(query: Any) -> tuple[str, str]:
    """Return a query with a name or a term abbreviated or written out, and what changed."""
    text = text_of(query)
    for long, short in _PAIRS:
        found = re.search(rf"(?<![\w-]){re.escape(long)}(?![\w-])", text, re.IGNORECASE)
        if found:
            before = text[: found.start()].rstrip() if short == "%" else text[: found.start()]
            return before + short + text[found.end() :], f"{found.group()} -> {short}"
        if short == "%":
            continue
        found = re.search(rf"(?<![\w.&-]){re.escape(short)}(?![\w.&-])", text)
        if found:
            return text[: found.start()] + long + text[found.end() :], f"{short} -> {long}"
    return "", ""


def _is_joined(token: Any) -> bool:
    before = token.doc[token.i - 1] if token.i else None
    if before is not None and (before.like_num or not before.whitespace_):
        return True
    return not token.whitespace_ or token.doc[token.i + 1].like_num
