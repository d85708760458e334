"""Money told without its currency in a text that names one: `I sent 400`."""

from __future__ import annotations

import re
from collections.abc import Sequence

_VERBS = (
    r"(?:pa(?:y|ys|id|ying)|kept|keeps?|payment|premium|sen[dt]s?|owe[sd]?|gave|gives?|given"
    r"|len[dt]|borrow(?:ed)?|spen[dt]"
    r"|costs?|costing"
    r"|charge[sd]?|earn(?:s|ed)?|transfer+ed|price[ds]?|bill|invoice|rent|deposit|fee|worth|sold"
    r"|sell"
    r"|saved|raised|collected|refund\w*|tip(?:ped)?|total|comes? to|came to|quoted|asking|asked"
    r"|returned|budget|salary"
    r"|knock\w*|haggl\w*|beat|down|balance|kitty|change|put in"
    r"|chipp?ed in|minus|plus|fare"
    r"|left with|up|fund|offer\w*|bid|loan|debt|fine|advance|instal+ments?|repaid"
    r"|withdr[ae]w|banked|topped up)"
)
_LEAD = re.compile(
    rf"\b{_VERBS}(?:['’]s)?(?: (?:me|you|him|her|us|them|back|only|just|about|another|a|an|the|it"
    rf"|in|is|was|of|over|out|off|up"
    r"|for|to|at|with|by|around|some|down|extra|further|more|already|were|are|now|then|my|our|his"
    r"|total(?:led)?)){0,3}:? ?$"
)
_BESIDE = re.compile(
    r"(?:^|[\s(])(?:,|;|:|of which|and|then|plus|minus|less|or|to|for|at|@|from|than|\+|&|–|-|—"
    r"|(?:,|;|and"
    r"|\n|^)[ ]?(?:[a-z'’-]+ ){1,2}"
    r"|(?:,|;|and) (?:the |a |my )?[a-z'’-]+(?: (?:was|is|cost|at|for))? ?) ?$",
    re.MULTILINE,
)
_NO_NOUN = re.compile(
    r"(?:\s*(?:$|[.,;:!?)\n/]|['’]?s? ?-)| (?:and|then|again|back|each|apiece|for|on|of it|from"
    r"|to|off|more|extra|less|down|up"
    r"|already|so far|left|a|an|per|in|by|plus|minus|or|but|you|he|she|i|we|they|it|that|this"
    r"|because|upfront|cash|now|when"
    r"|goes|go|went|will|has|had|altogether|last|yesterday|today|tomorrow|still|with|towards?"
    r"|after|before|if|as|so"
    r"|discount|deposit|tip|change|short"
    r"|is|was|were|are|the|if|at|every|monthly|weekly|which|who|instead|all|total|only|over|under"
    r"|out)\b(?! (?:of (?:the|us|them)"
    r"|people|days|years|weeks|hours|minutes|months)))"
)


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
