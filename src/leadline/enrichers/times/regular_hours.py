"""Hours that recur: opening hours and the like, which nobody asks the length of."""

from __future__ import annotations

import re

from leadline.enrichers.times.scenes import Span

_WEEKDAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_DAY = r"(?:mon|tue(?:s)?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?s?"
_REGULAR = re.compile(
    r"\b(?:open|opening|office|business|public|visiting|consulting|surgery|shop|working|quiet|reception"
    r"|library|box[\s-]office|licensing)\s(?:hours|times)\b"
    r"|\bhours\s?(?::|are\b)|\b(?:is|are|we['’]re|stays?|lines)\sopen\b|(?:^|[.;:]\s)open\b|\bopen\severy\b"
    rf"|\bweekdays\b|\b(?:{_DAY})\s?(?:to|till|through|thru|-|–|&)\s?(?:{_DAY})\b"
    rf"|\b{_WEEKDAY}s\b|\b{_WEEKDAY}\s(?:mornings|afternoons|evenings|nights)\b"
    rf"|\bevery\s(?:\w+\s)?(?:day|week|{_WEEKDAY}|morning|evening|night)\b"
    r"|\bclosed\s(?:for\slunch|on|all)\b|\bbank\sholidays?\b|\bshifts?\sruns?\b"
)


def are_regular(lower: str, sentence: Span) -> bool:
    """Tell whether a sentence gives the hours of many days: `open Monday to Friday, 8 to 5`."""
    return _REGULAR.search(lower, *sentence) is not None
