"""Money told without its currency in a text that names one: `I sent 400`."""

from __future__ import annotations

import re
from collections.abc import Sequence

from leadline.enrichers.words import patterns

_P = patterns("bare_money")
_LEAD = re.compile(_P["lead"])
_BESIDE = re.compile(_P["beside"], re.MULTILINE)
_NO_NOUN = re.compile(_P["no_noun"])


_SAID = re.compile(r"\b(?:was|is|it['’]s|came to|cost|for|at|be) $")


def bare_money(lower: str, spans: Sequence[tuple[int, int, str]]) -> set[int]:
    """Return where the numbers begin that stand where money would.

    lower  a text in lower case
    spans  (start, end, sort) of its amounts in order; sort `m` is money, `n` a bare number
    """
    found: set[int] = set()
    last = -100
    has_money = any(sort == "m" for _, _, sort in spans)
    for start, end, sort in spans:
        is_small = not lower[start].isdigit() and " " not in lower[start:end]
        if sort == "n" and not is_small and _NO_NOUN.match(lower, end):
            lead = lower[max(0, start - 40) : start]
            beside = lower[last:start] if start - last < 40 else ""
            is_listed = beside and "." not in beside and _BESIDE.search(beside)
            is_only = not has_money and _SAID.search(lead) is not None
            if "dozen" in lower[start:end]:
                continue
            if _LEAD.search(lead) or is_listed or is_only:
                found.add(start)
        if sort == "m" or start in found:
            last = end
    return found
