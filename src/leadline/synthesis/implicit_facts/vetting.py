"""Queries for implied facts, read by a language model before they are asked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import compress

from leadline.kinds.sheets import CaseReader, Sheet
from leadline.prompt import Prompt
from leadline.types import Corpus, Query

_AROUND = 300
"""Characters of the document that are shown on either side of words that a fact rests on."""


def vetted(
    queries: Sequence[Query], corpus: Corpus, reader: CaseReader, refused: Counter[str]
) -> list[Query]:
    """Return the queries that a reader finds good, in their order.

    queries  as `found.build` makes them: their facets name document, spans, value, derivation
    refused  as for `good_cases`
    """
    sheets = [Sheet(each.facets["document"], [_case(each, corpus)]) for each in queries]
    prompt = Prompt.load("leadline.synthesis.implicit_facts", "judge_implied")
    good = reader.good_cases(prompt, sheets, refused)
    return list(compress(queries, (verdict for (verdict,) in good)))


def _case(query: Query, corpus: Corpus) -> str:
    facets: Mapping[str, str] = query.facets
    return (
        f"Query: {query.text}\n"
        f"Fact: {facets['fact']} {facets['value']}\n"
        f"Derived so: {facets['derivation']}\n"
        f"The document says: {_around(corpus[facets['document']].content, facets['span'])}"
    )


def _around(text: str, spans: str) -> str:
    """Return the text on both sides of every span, on one line, with dots for what is left out."""
    parts: list[list[int]] = []
    for start, end in sorted(tuple(map(int, span.split("-"))) for span in spans.split()):
        low, high = max(0, start - _AROUND), end + _AROUND
        if parts and low <= parts[-1][1]:
            parts[-1][1] = max(parts[-1][1], high)
        else:
            parts.append([low, high])
    return " ... ".join(" ".join(text[low:high].split()) for low, high in parts)
