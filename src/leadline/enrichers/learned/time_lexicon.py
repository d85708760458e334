"""Words of which expressions of time are made."""

from __future__ import annotations

from leadline.enrichers.times import calendars

WEEKDAYS = {
    name: number
    for number, day in enumerate(calendars.WEEKDAYS)
    for name in (day, day[:3], {"tue": "tues", "wed": "weds", "thu": "thurs"}.get(day[:3], day))
} | {"thur": 3}
MONTHS = {
    name: number for number, month in enumerate(calendars.MONTHS, 1) for name in (month, month[:3])
} | {"sept": 9}
WORDS_TOO = frozenset(("may", "march", "mar", "sun", "sat", "wed", "jun", "dec", "fri", "mon"))
NAMING = frozenset(
    [
        "in",
        "on",
        "last",
        "next",
        "this",
        "since",
        "by",
        "until",
        "till",
        "from",
        "before",
        "after",
        "during",
        "of",
        "late",
        "early",
        "mid",
        "every",
        "for",
        "following",
        "to",
        "and",
        "come",
        "that",
        "through",
        "the",
        "around",
    ]
)
DAY_WORDS = {
    "today": 0, "tonight": 0, "tonite": 0, "yesterday": -1, "yday": -1, "yest": -1, "tomorrow": 1,
    "tmrw": 1, "tmr": 1, "tomoz": 1, "tmw": 1, "tomo": 1, "morrow": 1,
}  # fmt: skip
UNITS = {
    word: unit
    for unit, words in {
        "minute": "minute minutes min mins", "hour": "hour hours hr hrs",
        "day": "day days night nights sleeps", "week": "week weeks wk wks",
        "fortnight": "fortnight fortnights",
        "month": "month months mth mths", "year": "year years yr yrs", "decade": "decade decades",
        "century": "century centuries", "quarter": "quarter",
    }.items()
    for word in words.split()
}  # fmt: skip
PERIODS = frozenset(("week", "weekend", "month", "quarter", "year"))
TURNS = {
    **dict.fromkeys(("last", "past", "previous", "preceding"), -1),
    **dict.fromkeys(("next", "coming", "following"), 1),
    **dict.fromkeys(("this", "current", "the", "that", "present", "same"), 0),
}
EDGES = {
    "end": -1,
    "close": -1,
    "start": 1,
    "beginning": 1,
    "last": -1,
    "first": 1,
    "ends": -1,
    "final": -1,
}
PARTS = frozenset(
    ("morning", "afternoon", "evening", "night", "day", "week", "weekend", "month", "year")
)
NTH = {"first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "last": -1, "final": -1,
        "penultimate": -2}  # fmt: skip
