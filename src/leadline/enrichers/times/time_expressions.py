"""Finds expressions of days, months and years in a text; what they mean is settled elsewhere."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from functools import lru_cache

from leadline.enrichers.read.times.calendars import MONTH_PATTERN, MONTHS, WEEKDAY_PATTERN, WEEKDAYS
from leadline.enrichers.read.times.holidays import HOLIDAY_NAMES, HOLIDAY_PATTERN
from leadline.enrichers.read.times.lengths import LENGTH_PATTERN
from leadline.enrichers.read.times.written_dates import DATE_PATTERN, WORDED_PATTERN, YEAR_PATTERN
from leadline.enrichers.words import patterns

_WEEKDAY = rf"{WEEKDAY_PATTERN}\b"
_FULL_MONTH = rf"(?:{'|'.join(MONTHS)}|jan|feb|apr|aug|sept?|oct|nov|dec)\b"
_P = patterns("time_expressions")
_NTH = _P["nth"]
_LAST_NEXT = _P["last_next"]
_TURN = _P["turn"]
_PART = r"(?:early|late|mid)[\s-]"
_FEAST_STARTS = "|".join(
    f"{first}[{''.join(sorted({name[1] for name in HOLIDAY_NAMES if name[0] == first}))}]"
    for first in sorted({name[0] for name in HOLIDAY_NAMES})
)
_WAYS = (
    r"ago(?:\s(?:today|yesterday|tomorrow|to\sthe\sday|exactly))?",
    r"from\snow|hence|from\stoday|from\sthis\smorning|away\b(?!\sfrom)",
    r"(?:later|earlier|prior|beforehand|previously|afterwards?)(?:\sthan\sthat)?",
    r"late(?!\s(?:for|in)\b)|early|overdue|(?:short|shy)\sof|into",
    r"on(?=\s?[,.;:!?)]|$|\s(?:the|he|she|it|they|we|i|and|his|her|its|their|another)\b)",
    r"(?:after|before|from|off|past|following|preceding|prior\sto|since)\b"
    r"(?:\s(?:that|then|this|it(?!\s(?:was|had|is|has|[a-z]+ed)\b))\b(?=[\s,.;:!?)]|$))?",
    r"to\sthe\s(?:very\s)?(?:day|month|year)\s(?:after|before|since|from)|in\b",
)
"""What leads from a length of time to a point in time."""
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
        rf"|weekend|week)\s(?:in|of)\s(?P<nth_month>{MONTH_PATTERN}\b(?:,?\s{YEAR_PATTERN}\b)?"
        r"|(?:the|this|next|last|that|(?:the\s)?(?:same|coming|current|succeeding|ensuing|preceding|following|previous))\smonth\b"
        r"|(?:the|this|next|last)\syear\b)"
    ),
    "edge": (
        r"\b(?:the\s)?(?P<edge2_of>week|month|quarter|year)['’]s\s(?P<edge2>end|close)\b"
        r"|\b(?:by|before|until|till|at)\s(?P<edge3_of>month|quarter|year)(?P<edge3>[\s-]end)\b"
        r"|\b(?:the\s)?(?P<edge>end|close|start|beginning)\sof\s(?P<edge_of>(?:the|this|next|last|that"
        r"|the\s(?:following|same))\s(?:calendar\s)?(?:week|month|quarter|year)\b"
        rf"|(?:next\s|last\s)?{_FULL_MONTH}(?:,?\s{YEAR_PATTERN}\b)?)"
    ),
    "counted": (
        rf"(?<!for\s)(?<!next\s)(?<!first\s)\b(?P<counted>(?:an?|one|two|three|four|five|six|seven|eight|ten|twelve|\d{1,2})\s(?:weeks?|fortnights?|months?|years?)|a\sfortnight)"
        rf"\s(?:(?P<ago>ago)\s)?(?:(?:on|from|this|next|last|come)\s)?(?:coming\s)?"
        rf"(?P<counted_from>{_WEEKDAY}|{_TURN})(?!\s(?:week|fortnight)\b)"
    ),
    "turn": (
        rf"\b(?:the\s)?(?P<turn>{_TURN}|last\snight|night\sbefore\slast|this\sday(?=\s(?:week|fortnight))"
        r"|this\s(?:morning|afternoon|evening|lunchtime)|earlier\stoday|later\stoday)\b"
        r"(?:\s(?P<turn_tail>week|fortnight)\b(?!['’]|\s(?:ago|before)))?"
    ),
    "weekday": (
        rf"\b(?:(?P<which>{_LAST_NEXT}|that(?:\ssame|\svery)?|(?:the\s)?same)\s(?P<in_week>week['’]s\s)?)?(?P<weekday>{_WEEKDAY})['’]?s?"
        r"(?:\s(?P<tail>before\slast|after\snext|week(?!['’])|fortnight|gone|(?:just\s)?past(?=\s?[,.;:]|\s(?:we|i|he|she|they|the|my|our)\b)|last(?!\s(?:year|month))|next(?!\s(?:year|month|week|door|to|time|up))|just\sgone"
        r"|of\s(?:this|last|next)\sweek|(?:this|last|next)\sweek)\b)?"
        r"(?:,?\s(?:the\s)?(?P<on_day>\d\d?)(?:st|nd|rd|th)\b)?"
    ),
    "holiday": (
        rf"(?=(?:last|next|this)\s|{_FEAST_STARTS})\b(?:(?P<which_feast>last|next|this\scoming|this\spast|this)\s)?(?P<holiday>{HOLIDAY_PATTERN})\b"
        rf"(?:,?\s(?P<feast_year>{YEAR_PATTERN}|(?:last|next|this)\syear|last|next|gone|past)\b)?"
    ),
    "offset": (
        r"(?P<within>\b(?:in|after)\s(?:another\s|exactly\s|precisely\s|just\s|only\s|a\sfurther\s)?)?"
        rf"(?:\bexactly\s)?(?P<length>{LENGTH_PATTERN})"
        rf"(?:(?P<s_time>['’]s?\stime\b)|\s(?P<way>{'|'.join(_WAYS)})(?![\w-]))?"
    ),
    "step": (
        r"\b(?:the\s)?(?:(?P<step>following|next|previous|preceding|ensuing)\s"
        r"(?P<step_unit>day|night|morning|afternoon|evening|(?<!next\s)(?:year|month)(?!['’]))(?!s\b)"
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
        rf"(?!\s?[’'\d]|\s(?:and|to)\s\w+\s\d|,?\sof\s{YEAR_PATTERN})"
    ),
    "ordinal": (
        r"\b(?:(?P<led>on|by|until|till|til|from|of|for|before|after|to|and|is|was|since)\s)?(?:the\s"
        # each look back is of one width
        r"|(?<=\b(?:on|by)\s)|(?<=\b(?:til|due)\s)|(?<=\b(?:till|from)\s)|(?<=\b(?:until|since|dated)\s)"
        r"|(?<=\bstarts\s)|(?<=\b(?:ordered|arrives)\s)|(?<=\breceived\s))"
        r"(?P<ordinal>(?:3[01]|[12]\d|[1-9])(?:st|nd|rd|th))\b(?!\s(?:inst|ult|prox|century|floor|birthday|anniversary"
        r"|time|edition|minute|hole|day|grade|place|row|street|st\b|avenue|amendment|annual|person|of\s(?!(?:the|this|next|last)\s)"
        r"|parallel|percentile|hour|week|month|year|round|season|chapter|man|one|green))"
        r"(?:\sof\s(?P<ordinal_month>(?:the|this|next|last|the\s(?:following|current|present))\smonth))?"
        rf"|\bthe\s(?P<worded>{WORDED_PATTERN})\sof\s(?P<worded_month>(?:the|this|next|last|the\s(?:following|current|present))\smonth)\b"
    ),
    "inst": r"\b(?:(?:of|on|by|from)\s)?(?:the\s)?"
    r"(?P<inst_day>(?:3[01]|[12]\d|[1-9])(?:st|nd|rd|th)?)"
    r"\s(?P<inst>inst(?:ant)?|ult(?:imo)?|prox(?:imo)?)\b",
    "year": rf"\b(?P<year>{YEAR_PATTERN})(?!['’]|\w|[.,:/-]\d"
    r"|\s?(?:%|(?:km|kg|hours|hrs|people|metres|m|miles|pounds|euros|dollars|units|words|feet|copies|members|times|of\sthem)\b))",
}  # fmt: skip
_OPENERS = _P["openers"]
_FEASTS = "|".join(sorted({re.split(r"[ '-]", name)[0] for name in HOLIDAY_NAMES}))
# Nearly all positions fail at this gate; without it the shapes take seven times as long.
_MASTER = re.compile(
    rf"(?<!\w)(?={_OPENERS}|{_FEASTS})(?:"
    + "|".join(f"(?P<{name}_>{rule})" for name, rule in _SHAPES.items())
    + ")"
)


_TELLING = """
    mon tue tues wed weds thu thur thurs fri sat sun jan feb mar apr jun jul aug sep sept oct nov
    dec minute minutes min mins hour hours hr hrs day days night nights week weeks fortnight
    fortnights month months year years yr yrs decade decades century centuries wk wks mth mths
    weekend weekends quarter quarters weekday workingday businessday morning afternoon evening
    lunchtime today tonight tomorrow yesterday morrow moro mrw tomoz tmw tmoz tomo nite tonite
    yday yest yesterdy tmrw tmr countdown sleeps holiday feast way halfway midway pod eve inst
    instant ult ultimo prox proximo summer autumn winter spring
"""
_TOKEN = re.compile(r"[^\W\d_]+")
_IN_FIGURES = re.compile(r"['’]\d\d|(?:1[5-9]|20)\d\d|\d(?:st|nd|rd|th)|\d[-/.]\d\d?[-/.]\d")
_TIME_WORDS = frozenset((*_TELLING.split(), *MONTHS, *WEEKDAYS, *(f"{day}s" for day in WEEKDAYS)))
_FEAST_WORDS = frozenset(
    max(_TOKEN.findall(form), key=len)
    for name in HOLIDAY_NAMES
    if _TIME_WORDS.isdisjoint(_TOKEN.findall(name))
    for form in (name, name.replace("'", ""))
)
TELLING_WORDS = _TIME_WORDS | _FEAST_WORDS
"""Every expression holds one of these words, or figures that `_IN_FIGURES` finds.

A shape that needs neither is found only where this is told of its words."""
_LONGEST = max(map(len, TELLING_WORDS))


def _tells_time(lower: str, start: int, end: int) -> bool:
    """Return False only where lower[start:end] holds no expression: most sentences hold none."""
    found = _telling_places(lower)
    number = bisect_left(found, start - _LONGEST)
    return number < len(found) and found[number] < end


@lru_cache(maxsize=4)  # one text is asked about sentence by sentence
def _telling_places(lower: str) -> list[int]:
    found = [match.start() for match in _IN_FIGURES.finditer(lower)]
    if not TELLING_WORDS.isdisjoint(_TOKEN.findall(lower)):
        tokens = _TOKEN.finditer(lower)
        found += [match.start() for match in tokens if match[0] in TELLING_WORDS]
    return sorted(found)


def lowered(text: str) -> str:
    """Return a text in lower case whose offsets are those of the text."""
    lower = text.lower()
    if len(lower) == len(text):
        return lower
    return "".join(each.lower() if len(each.lower()) == 1 else each for each in text)


def find_expressions(lower: str, start: int, end: int) -> Iterator[tuple[str, re.Match[str]]]:
    """Yield (shape, match) of every expression in lower[start:end], left to right.

    lower  a text from `lowered`: searching in lower case is several times as fast

    The shapes are the keys of the table above.
    """
    if not _tells_time(lower, start, end):
        return
    position = start
    while match := _MASTER.search(lower, position, end):
        shape = next(name for name in _SHAPES if match[f"{name}_"] is not None)
        yield shape, match
        position = max(match.end(), position + 1)
