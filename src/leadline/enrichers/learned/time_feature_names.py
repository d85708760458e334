"""The names of what the network is told of a reading, each once."""

from __future__ import annotations

from hashlib import sha256

from leadline.enrichers.learned.time_cues import KINDS, NAMES
from leadline.enrichers.learned.time_readings import STEPS

WINDOWS = {"-1": (-1, 0), "-3": (-3, -1), "+1": (0, 1), "+3": (1, 3), "-8": (-8, -3), "+8": (3, 8)}
"""Tokens from the start of an expression where they are negative, else from its end."""
PLAIN = ("-1", "-3", "+1", "+3")
LEANING = (
    "was", "is", "will", "due", "please", "irregular_past", "perfect", "plan", "last", "next",
    "this", "ago", "later", "early", "in", "on", "at", "by", "for", "from", "until", "since",
    "before", "after", "than", "another", "morning", "afternoon", "evening", "hours", "born",
    "age", "anniversary", "died", "founded", "went_on", "imagined", "relative", "comma", "the",
    "every", "-ed", "-ing",
)  # fmt: skip
"""Classes that speak for one side: for later, for what counts from the stamp, for the evening."""
LEAN = [NAMES.index(name) for name in LEANING]
SIDES = {
    "plus": 1, "plus inclusive": 1, "stretch on": 1, "next": 1, "next2": 1, "years on": 1,
    "hour+": 1, "month+": 1, "year+": 1, "late half": 1, "over midnight": 1, "minus": -1,
    "minus inclusive": -1, "stretch back": -1, "before": -1, "before2": -1, "birth": -1,
    "birth before": -1, "hour-": -1, "month-": -1, "year-": -1, "half as told": -1,
}  # fmt: skip
DOUBTS = ("negated", "hypothetical", "doubtful", "quoted", "idiom")
TENSES = ("past", "present", "future")
UNITS = ("minute", "day", "week", "month", "year")
FORMS = ("fixed", "sided", "hundred", "colon", "half", "dot", "bare", "o'clock", "worded")
TOLD = ("date", "date_range", "month", "year", "time", "age", "duration")
SOURCES = ("stamp", "told", *KINDS)
ANCHORS = ("date", "month", "year", "time")
_SINGLE = (
    "turn", "amount", "round amount", "minute", "titled", "capital", "in figures", "place",
    "length", "mentions", "messages", "dated", "timed", "of its kind", "first of its kind",
    "overlapping",
)  # fmt: skip
_PAIRED = ("apart", "before", "sentences apart", "same message", "adjacent", "nearest", "is stamp",
           "is derived", "none", "shared words", "points back")  # fmt: skip
_VALUED = (
    "from stamp", "after stamp", "is stamp day", "days from stamp", "from anchor", "same week",
    "next week", "last week", "weekend", "weekday agrees", "weekday differs", "written", "agreed",
    "from now", "after now", "after last time", *(f"hour {hour}" for hour in range(24)), "size",
    "within a year", "months from stamp",
)  # fmt: skip

FEATURES = (
    *(f"{name} {window}" for window in (*PLAIN, "sentence") for name in NAMES),
    *(f"kind {each}" for each in KINDS),
    *(f"is {each}" for each in (*DOUBTS, *TENSES)),
    *(f"unit {each}" for each in UNITS),
    *(f"form {each}" for each in FORMS), *_SINGLE,
    *(f"anchor {name} -3" for name in NAMES),
    *(f"anchor from {each}" for each in SOURCES),
    *(f"anchor is {each}" for each in ANCHORS), "anchor likely",
    *(f"between {name}" for name in NAMES), *_PAIRED,
    *(f"step {each}" for each in STEPS), *(f"gives {each}" for each in TOLD), *_VALUED,
    *(f"{name} {window} for later" for window in WINDOWS for name in LEANING),
    *(f"{name} {window} for on" for window in PLAIN for name in LEANING),
    *(f"{name} {window} for stamp" for window in PLAIN for name in LEANING),
    "tense for later", "turn for later", "turn for on", "unsure tense for later",
)  # fmt: skip
"""Names of the inputs of the network, in their order."""

FINGERPRINT = sha256("|".join(FEATURES).encode()).hexdigest()[:16]
"""What a network must agree with that was taught on these features."""
