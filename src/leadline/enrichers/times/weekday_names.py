"""Whether a word is the name of a weekday: no `sat` that is a verb, no Man Friday, no Fridays."""

from __future__ import annotations

import re

from leadline.enrichers.read.times.calendars import WEEKDAYS
from leadline.enrichers.times.scenes import Scene
from leadline.enrichers.words import patterns

_WORDS = frozenset(("sat", "sun", "mon", "wed"))
"""Short names of days that are words as well."""
_WITH_DAY = re.compile(r"\s(?:night|morning|evening|afternoon|at|and|to|or|on|for|the|if|from)\b")
_P = patterns("weekday_names")
_OTHERWISE = re.compile(_P["otherwise"])
_DAY_GOES_ON = re.compile(_P["day_goes_on"])
_HABIT = re.compile(_P["habit"])
_PARTS_OF_HABIT = re.compile(_P["parts_of_habit"])
_THING = re.compile(_P["thing"])


def names_weekday(match: re.Match[str], scene: Scene) -> bool:
    """Tell whether a match of the shape `weekday` means one day of a week."""
    text, lower = scene.text, scene.lower
    start, end = match.start("weekday"), match.end("weekday")
    if match.group().endswith("s") and not match["tail"] and text[end : end + 1] == "s":
        return False
    if _HABIT.search(lower, max(0, start - 24), start) and not match["which"]:
        return False
    if text[match.end() : match.end() + 1] in ("-", "(") or text[start - 1 : start] == "-":
        return False
    if lower[:start].endswith(("subject: ", "re: ", "called ")):
        return False
    if text[start].islower() and match["weekday"] not in WEEKDAYS and _is_chatty(scene, match):
        return True
    if re.match(r"\s?\d\d?\s?%|\s?[:=]\s?\d\d\b", lower[end:]) or re.search(
        r"\b(?:o2|spo2)\s$", lower[:start]
    ):
        return False
    if _THING.match(lower, end) or _PARTS_OF_HABIT.match(lower, end):
        return False
    if match["weekday"] in _WORDS and not _is_shortened(scene, start, end):
        return False
    if match["which"] and re.match(r"\s(?:of|in)\s(?:every|each|any|a)\b", lower[end:]):
        return False
    return not _THE_DAYS_NAME.search(text, max(0, start - 5), end + 12)


def _is_shortened(scene: Scene, start: int, end: int) -> bool:
    """Tell whether `Sat` is a day: no verb at the head of a sentence, no `Sun` that shines."""
    text = scene.text
    if not text[start].isupper():
        return False
    opens = not re.search(r"[\w,&/+)]\s?$", text[max(0, start - 2) : start])
    if opens and re.match(r"\s[a-z]", text[end:]):
        return _WITH_DAY.match(text, end) is not None
    return True


def _is_chatty(scene: Scene, match: re.Match[str]) -> bool:
    """Tell whether a lower-case `fri` or `sat` stands where only a day can."""
    if match["weekday"] not in _WORDS or match["which"] in ("last", "next", "this", "this coming"):
        return True
    before = scene.lower[max(0, match.start("weekday") - 14) : match.start("weekday")]
    if re.search(r"\b(?:how\swas|see\s(?:you|ya|u)|cya|free|until|till|til|since)\s$", before):
        return True
    rest = scene.lower[match.end("weekday") : match.end("weekday") + 8]
    return not _OTHERWISE.search(before) and _DAY_GOES_ON.match(rest) is not None


_THE_DAYS_NAME = re.compile(_P["the_days_name"])
"""`the Thursday Special`."""
