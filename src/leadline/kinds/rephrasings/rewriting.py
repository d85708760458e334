"""Numbers and names of a query in their other usual way: 3 for three, UK for United Kingdom."""

from __future__ import annotations

import re

from leadline.text.words import NUMBER_WORDS

_WORDS = {str(number): word for word, number in NUMBER_WORDS.items() if number <= 12}
_COUNT = re.compile(r"(?<![\w.,/-])(\w+)(?= (?:[a-z]{3,}s|children|people|men|women)\b)", re.ASCII)
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
