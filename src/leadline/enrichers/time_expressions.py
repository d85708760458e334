"""Finds expressions of days, months and years in a text; what they mean is settled elsewhere."""

from __future__ import annotations

import re
from collections.abc import Iterator

from leadline.enrichers.calendars import MONTH_PATTERN, MONTHS, WEEKDAY_PATTERN, WEEKDAYS
from leadline.enrichers.holidays import HOLIDAY_NAMES, HOLIDAY_PATTERN
from leadline.enrichers.lengths import COUNT_PATTERN, LENGTH_PATTERN
from leadline.enrichers.written_dates import DATE_PATTERN, WORDED_PATTERN, YEAR_PATTERN

_WEEKDAY = rf"{WEEKDAY_PATTERN}\b"
_FULL_MONTH = rf"(?:{'|'.join(MONTHS)}|jan|feb|apr|aug|sept?|oct|nov|dec)\b"
_NTH = (
    r"first|second|third|fourth|fifth|last|final|penultimate|second[\s-]to[\s-]last|1st|2nd|3rd|4th"
)
_LAST_NEXT = (
    r"last|next|this\scoming|this\spast|this|coming|past|(?:the\s)?following|(?:the\s)?previous"
)
_TURN = r"day\safter\stomorrow|day\sbefore\syesterday|yesterday|tomorrow|tmrw|tmr|today|tonight"
_PART = r"(?:early|late|mid)[\s-]"
_SHAPES = {
    "date": DATE_PATTERN,
    "month_year": rf"\b{MONTH_PATTERN}\b\.?,?\s(?:of\s)?{YEAR_PATTERN}\b",
    "part_of_year": (
        r"\b(?:the\s)?(?P<part>first|second|third|fourth|last|final)\s(?P<part_unit>half|quarter)"
        rf"\sof\s(?:the\s)?(?P<part_year>{YEAR_PATTERN}\b|(?:this|last|next)\syear\b|year\b)"
        rf"|\bq(?P<q>[1-4])(?:\sof)?\s(?P<q_year>{YEAR_PATTERN}\b|(?:this|last|next)\syear\b)"
    ),
    "nth": (
        rf"\b(?:the\s)?(?P<nth>{_NTH})\s(?P<nth_day>{_WEEKDAY}|(?:working|business|week)\s?day|day"
        rf"|weekend)\s(?:in|of)\s(?P<nth_month>{MONTH_PATTERN}\b(?:,?\s{YEAR_PATTERN}\b)?"
        r"|(?:the|this|next|last|the\sfollowing|the\sprevious|that)\smonth\b"
        r"|(?:the|this|next|last)\syear\b)"
    ),
    "edge": (
        r"\b(?:the\s)?(?P<edge2_of>week|month|quarter|year)['’]s\s(?P<edge2>end|close)\b"
        r"|\b(?:the\s)?(?P<edge>end|close|start|beginning)\sof\s(?P<edge_of>(?:the|this|next|last|the\s"
        r"following|the\scurrent)\s(?:calendar\s)?(?:week|month|quarter|year)\b"
        rf"|(?:next\s|last\s)?{_FULL_MONTH}(?:,?\s{YEAR_PATTERN}\b)?)"
    ),
    "counted": (
        rf"(?<!for\s)(?<!next\s)(?<!first\s)\b(?P<counted>(?:an?|one|two|three|four|\d)\s(?:weeks?|fortnights?|months?|years?)|a\sfortnight)"
        rf"\s(?:(?P<ago>ago)\s)?(?:(?:on|from|this|next|last|come)\s)?(?:coming\s)?"
        rf"(?P<counted_from>{_WEEKDAY}|{_TURN})(?!\s(?:week|fortnight)\b)"
    ),
    "dayname": (
        rf"\b(?P<many>two|three|four|five|six|\d)\s(?P<days>{'|'.join(WEEKDAYS)})s\s(?P<days_way>ago|from\snow|hence)\b"
        r"|\bthis\stime\s(?P<time_way>last|next)\s(?P<time_unit>week|month|year)\b"
    ),
    "turn": (
        rf"\b(?:the\s)?(?P<turn>{_TURN}|last\snight|night\sbefore\slast"
        r"|this\s(?:morning|afternoon|evening|lunchtime)|earlier\stoday|later\stoday)\b"
    ),
    "weekday": (
        rf"\b(?:(?P<which>{_LAST_NEXT})\s(?:week['’]s\s)?)?(?P<weekday>{_WEEKDAY})['’]?s?"
        r"(?:\s(?P<tail>before\slast|after\snext|week|fortnight|gone|last(?!\s(?:year|month))|just\sgone"
        r"|of\s(?:this|last|next)\sweek|(?:this|last|next)\sweek)\b)?"
        r"(?:,?\s(?:the\s)?(?P<on_day>\d\d?)(?:st|nd|rd|th)\b)?"
    ),
    "holiday": (
        rf"\b(?:(?P<which_feast>last|next|this\scoming|this\spast|this)\s)?(?P<holiday>{HOLIDAY_PATTERN})\b"
        rf"(?:,?\s(?P<feast_year>{YEAR_PATTERN}|(?:last|next|this)\syear)\b)?"
    ),
    "offset": (
        rf"(?P<within>\bin\sanother\s|\bin\sexactly\s|\bin\s|\bafter\s)?(?:\bexactly\s)?(?P<length>{LENGTH_PATTERN})"
        r"(?:(?P<s_time>['’]s?\stime\b)"
        r"|\s(?P<way>ago(?:\s(?:today|yesterday|tomorrow|to\sthe\sday|exactly))?|from\snow|hence"
        r"|from\stoday|from\sthis\smorning|(?:later|earlier|prior|beforehand|afterwards?)(?:\sthan\sthat)?"
        r"|(?:after|before|from|off|past|following|preceding|prior\sto|since)\b(?:\s(?:that|then|this|it)\b(?=[\s,.;:!?)]|$))?"
        r"|away\b(?!\sfrom)|to\sgo\b|to\sthe\sday\s(?:after|before)|previously|back|in\b)(?![\w-]))?"
    ),
    "step": (
        r"\b(?:the\s)?(?:(?P<step>following|next|previous|preceding)\s"
        r"(?P<step_unit>day|night|morning|afternoon|evening)"
        r"|(?P<step2_unit>day|week|night|morning|evening|month|year|weekend)\s(?P<step2>after|before)\b"
        r"(?!\s(?:last|next|tomorrow|yesterday)\b)|(?P<eve>eve)\sof\b)"
    ),
    "period": (
        rf"\b(?:(?P<which_period>{_LAST_NEXT})\s(?P<period>week|weekend|month|year|quarter)"
        r"(?:['’]s)?\b"
        r"|the\s(?P<period2>week|weekend|month|year)\s(?P<which_period2>before\slast|after\snext)\b"
        r"|(?P<which_period3>over\sthe|at\sthe|all)\s(?P<period3>weekend)\b)"
    ),
    "month": (
        rf"\b(?:(?P<which_month>last|next|this\scoming|this\spast|this|in|since|by|until|till|from|before"
        rf"|during|after|back\sin|for|of)\s)(?:the\s)?(?P<early>{_PART}|beginning\sof\s)?(?P<month>{_FULL_MONTH})"
        r"(?!\s?[’'\d]|\s(?:and|to)\s\w+\s\d)"
    ),
    "ordinal": (
        r"\b(?:(?P<led>on|by|until|till|from|of|for|before|after|to|and|is|was|since)\s)?the\s"
        r"(?P<ordinal>(?:3[01]|[12]\d|[1-9])(?:st|nd|rd|th))\b(?!\s(?:century|floor|birthday|anniversary"
        r"|time|edition|minute|hole|day|grade|place|row|street|st\b|avenue|amendment|annual|person|of\s(?!(?:the|this|next|last)\s)"
        r"|parallel|percentile|hour|week|month|year|round|season|chapter|man|one|green))"
        r"(?:\sof\s(?P<ordinal_month>(?:the|this|next|last|the\sfollowing)\smonth))?"
        rf"|\bthe\s(?P<worded>{WORDED_PATTERN})\sof\s(?P<worded_month>(?:the|this|next|last|the\sfollowing)\smonth)\b"
    ),
    "lasting": (
        rf"\bday\s(?P<day_count>\d{{1,3}})\sof\b|\bfor\s(?P<bare_days>{COUNT_PATTERN})\s(?:days|nights)\sin\sa\srow"
    ),
}  # fmt: skip
_OPENERS = (
    r"\d|zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thir|fif|eigh|twen|forty"
    r"|dozen|half|quarter|an?\b|the\b|in\b|on\b|by\b|until|till|from|since|before|after|of\b|for\b"
    r"|at\b|over|all\b|to\b|and\b|is\b|was\b|back|during|last|next|this|coming|past|following"
    r"|previous|early|late|mid|end|start|beginning|first|second|fourth|final|penult|q[1-4]|yesterday"
    r"|tomorrow|today|tonight|tmr|day|night|earlier|exactly|mon|tue|wed|thu|fri|sat|sun|jan|feb|mar|apr"
    r"|may|jun|jul|aug|sep|oct|nov|dec"
)
_FEASTS = "|".join(sorted({re.split(r"[ '-]", name)[0] for name in HOLIDAY_NAMES}))
# Nearly all positions fail at this gate; without it the shapes take seven times as long.
_MASTER = re.compile(
    rf"(?<!\w)(?={_OPENERS}|{_FEASTS})(?:"
    + "|".join(f"(?P<{name}_>{rule})" for name, rule in _SHAPES.items())
    + ")"
)


def lowered(text: str) -> str:
    """Return a text in lower case whose offsets are those of the text."""
    lower = text.lower()
    if len(lower) == len(text):
        return lower
    return "".join(each.lower() if len(each.lower()) == 1 else each for each in text)


def find_expressions(lower: str, start: int, end: int) -> Iterator[tuple[str, re.Match[str]]]:
    """Yield (shape, match) of every expression in lower[start:end], left to right.

    lower  a text from `lowered`: searching in lower case is several times as fast

    The shapes are `date`, `month_year`, `part_of_year`, `nth`, `edge`, `counted`, `turn`,
    `weekday`, `holiday`, `offset`, `step`, `period`, `month`, `ordinal` and `lasting`.
    """
    position = start
    while match := _MASTER.search(lower, position, end):
        shape = next(name for name in _SHAPES if match[f"{name}_"] is not None)
        yield shape, match
        position = max(match.end(), position + 1)
