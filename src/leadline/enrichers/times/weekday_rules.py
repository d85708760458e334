"""What weekdays and names of days mean, seen from the day of a message."""

from __future__ import annotations

import re
from datetime import date, timedelta

from leadline.enrichers.amounts.lengths import read_length
from leadline.enrichers.times.anniversaries import ordinal_number
from leadline.enrichers.times.calendars import (
    WEEKDAYS,
    add_months,
    month_end,
    week_of,
    weekday_after,
    weekday_before,
    weekday_number,
)
from leadline.enrichers.times.date_rules import nearest
from leadline.enrichers.times.scenes import (
    Reading,
    Scene,
    clause_around,
    on_day,
)
from leadline.enrichers.times.tenses import tense_at
from leadline.enrichers.times.written_dates import DATE_PATTERN

_DAY = timedelta(1)
_TURNS = {
    **dict.fromkeys(("2moro", "2mrw", "tomoz", "tmw", "tmoz", "tomo"), 1),
    **dict.fromkeys(("the morrow", "on the morrow", "morrow"), 1),
    **dict.fromkeys(("yday", "y'day", "y’day", "yest", "yesterdy"), -1),
    "yesterday": -1,
    "last night": -1,
    "the night before last": -2,
    "night before last": -2,
    "tomorrow": 1,
    "tmrw": 1,
    "tmr": 1,
    "day after tomorrow": 2,
    "day before yesterday": -2,
}
_IDIOM = re.compile(
    r"\s(?:never\s(?:comes|came|dies|knows)|is\sanother\sday|(?:is|was|has)\sa\s(?:place|word|lie|myth|promise|mystery|gift|concept|country|dream)\b|(?:will\s)?(?:brings?|holds|belongs)\b)|['’]s\s(?:news\w*|papers?|fish|leftovers|heroes|man|men|world|leaders|child)\b"
)
_IDIOM_BEFORE = re.compile(
    r"(?:\b(?:feels?|felt|seems?|seemed|looks?)\slike(?:\sonly)?|\bstill\s(?:be\s)?there|\bgone|\bonly|\bjam|\bbetter|\bfor\sa\s(?:better\s)?|\bso|\btoday,?\sgone|\bno|\bone|\bborn|\bhere|\bof|\bthe\sbeatles['’]?|\blike\sit\swas|\bweren['’]t\sborn|\bwasn['’]t\sborn)\s$"
)
_WORKS = re.compile(
    r"\b(?:called|titled|entitled|song|film|movie|album|novel|sang|sings?|singing|hum\w*|about)\s$"
)
_WORDS = frozenset(("sat", "sun", "mon", "wed"))
"""Short names of days that are words as well."""
_SHINES = re.compile(
    r"\s(?:is|was|shines?|shining|shone|sets?|rises?|rose|came|burn\w*|beat|blaz\w+)\b"
)
_WITH_DAY = re.compile(r"\s(?:night|morning|evening|afternoon|at|and|to|or|on|for|the|if|from)\b")
_OTHERWISE = re.compile(
    r"\b(?:i|we|he|she|they|it|who|you|just|and|then|the|in|of|no|some|more|hot|full|to|got|get|newly|was|were|all)\s$"
)
_DAY_GOES_ON = re.compile(
    r"\s?[.,;!?)\n&+/]|$|\s(?:at|and|or|eve|nigh|nite|morn|aft|then|tho|lol|pls|plz|please|x+\b|\d|to\b|if\b)|\s?[^\x00-\x7f]"
)
_SHORT = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_HABIT = re.compile(
    r"\b(?:every|each|any|some|another|one|a|most|which|other|alternate|man|girl|happy|freaky|casual|two|three|these|those|no|his|their|(?:feel|felt|seem|look)(?:s|ed)?\slike(?:\sa)?"
    r"|(?:first|second|third|fourth|last)\sand\s(?:second|third|fourth|last))\s$"
)
_PARTS_OF_HABIT = re.compile(
    r"\s(?:mornings|afternoons|evenings|nights|lunchtimes)\b|['’]s\schild\b"
)
_LISTED_HABIT = re.compile(
    r"\b(?:every|each|alternate)\s(?:\w+days?(?:\s\w+s?)?(?:,\s|,?\sand\s|,?\sor\s|\s&\s))+$"
)
_FULL_DATE = re.compile(rf",?[ ]\(?(?:the[ ])?{DATE_PATTERN}")
_TITLED = re.compile(r"\b(?:Mr|Mrs|Ms|Miss|Dr|Man|Girl|Sgt|St|Sir|Lady)\.?\s$")
_THING = re.compile(
    r"\s(?:best|roast|drivers?|school|supplements?|papers|observance|league|opening|trading|blues|feeling|jobs?|girls?|boys?"
    r"|groups?|crowd|gang|choir|regulars|walkers|ladies|special|club|times|post|telegraph|mail|mirror|express|herald|morning\squarterback|night\sfever|child)\b|,\sbloody\s"
)
_NOBODYS = re.compile(r"\s(?:is|was)(?:\snever|\snot|n['’]t)?\spromised\b")
_OF_WEEK = re.compile(
    r"\s(?:of|in)\s(?:the\s(?:week\s(?:following|after(?:\sthat)?)|following\sweek)\b"
    r"|(?P<same>(?:that|the\ssame|that\ssame|the\sselfsame)\sweek)\b)"
)
_NAMING = re.compile(
    r"\sis\s(?:(?:just\s|only\s)?a\s(?:state|frame)\sof|(?:just\s)?a\s(?:rumou?r|myth)\b)"
    r"|\s\((?:the|a|our|my|his|her)\s(?!first|second|third|last|next|day|\d)"
    r"|,?\s(?:is|was|he['’]s|she['’]s|it['’]s|being|(?<=,))\s(?:the|our|my|his|her|their|a)\s(?:\w+\s)?(?:dog|cat|parrot|goat|horse|pony|pig|hen|cow|rabbit|hamster|budgie|tortoise|mare|donkey|boat|robot|baby|butler)\b"
    r"|\s(?:is|was)\s(?:the\sname|called|named|a\s(?:cat|dog|song|book|film))"
)
_COUNTS = ("two", "three", "four", "five", "six", "seven")


def read_turn(match: re.Match[str], scene: Scene) -> Reading | None:
    """Read `yesterday`, `the day after tomorrow`, `tonight`."""
    word = match["turn"]
    start = match.start("turn")
    if _FULL_DATE.match(scene.lower, match.end()):
        return None  # `yesterday, 29 December 2008`: the date is there
    if scene.today is None or _is_title(scene, start) or _is_capital(scene, start, match.end()):
        return None
    if _IDIOM.match(scene.lower, match.end()) or _IDIOM_BEFORE.search(
        scene.lower, max(0, start - 18), start
    ):
        return None
    if _NOBODYS.match(scene.lower, match.end()):
        return None
    if tail := match["turn_tail"]:
        days = _TURNS.get(word, 0) + (7 if tail == "week" else 14)
        return on_day(scene.today + days * _DAY, match.span(), match.group())
    if word in _TURNS:
        return on_day(scene.today + _TURNS[word] * _DAY, match.span(), word)
    # the date of today stands in the text
    return on_day(scene.today, match.span(), word, confidence=0.6, role="stated")


def read_weekday(match: re.Match[str], scene: Scene) -> Reading | None:
    """Read `Friday`, `last Tuesday`, `Monday week`, `the Monday before last`, `Friday the 3rd`."""
    today = scene.today
    if not _names_weekday(match, scene):
        return None
    number = weekday_number(match["weekday"])
    if today is None:
        return _in_story(match, scene, number)
    which = (match["which"] or "").removeprefix("the ")
    tail = match["tail"] or ""
    span = match.span()
    if match["on_day"]:
        return _weekday_and_day(match, scene, number)
    week = re.search(r"\b(last|next)\sweek,?\s(?:on\s)?$", scene.lower[: match.start()])
    if week and not which and not tail:
        monday = week_of(today)[0] + _weeks(week[1])
        return on_day(monday + number * _DAY, span, f"{week.group()}{match.group()}")
    if match["in_week"] and which in ("last", "next", "this"):
        return on_day(week_of(today)[0] + _weeks(which) + number * _DAY, span, match.group())
    if which == "following" and scene.text[match.start() :].startswith("Following"):
        return on_day(weekday_before(today, number), span, match.group())
    if which.startswith(("that", "same")):
        return _that(match, scene, number)
    if which in ("following", "previous"):
        if not scene.event or not scene.event.day:
            return None
        step = weekday_after if which == "following" else weekday_before
        return on_day(step(scene.event.day, number), span, match.group(), base=(scene.event.span,))
    if not which and not tail and scene.lower[: span[0]].endswith("the "):
        return _definite(match, scene, number)
    tense = scene.tense(span)
    past = which in ("last", "past", "this past") or tail in ("gone", "just gone", "last")
    past = past or tail in ("before last", "past", "just past")
    if tail == "next":
        which = "next"
    if not past and (not which or which == "this") and not tail:
        past = tense == "past"
    if which == "this":
        past = (
            tense_at(scene.lower, *clause_around(scene.lower, scene.near(span), span), span[0])
            == "past"
        )
    day = weekday_before(today, number) if past else weekday_after(today, number)
    confidence = 0.9
    if not past and scene.lower[span[1] : span[1] + 2] != "" and which == "this":
        day = today if today.weekday() == number else day
    if tail in ("before last", "after next", "week", "fortnight"):
        day += {"before last": -7, "after next": 7, "week": 7, "fortnight": 14}[tail] * _DAY
    elif tail.endswith("week"):
        monday = week_of(today)[0] + _weeks(tail.removeprefix("of ").split()[0])
        day = monday + number * _DAY
    elif which in ("last", "next") and week_of(day) == week_of(today):
        confidence = 0.5
    if not which and not tail and not tense:
        confidence = 0.6
    return on_day(day, span, match.group(), confidence=confidence)


def read_counted(match: re.Match[str], scene: Scene) -> Reading | None:
    """Read `a week on Thursday`, `a month ago today`, `a fortnight tomorrow`."""
    today, length = scene.today, read_length(match["counted"])
    if today is None or length is None or scene.lower[: match.start()].endswith("for "):
        return None
    word = match["counted_from"]
    near = scene.near(match.span())
    start, end = clause_around(scene.lower, near, match.span())
    told = re.search(r"\b(?:gone|been)\b", scene.lower[start : match.start()])
    told = told or re.match(r"\s(?:since|that)\b", scene.lower[match.end() : end])
    back = match["ago"] is not None or word == "yesterday" or " last " in match.group()
    if told and not back:
        day = weekday_after(today, weekday_number(word)) if word[:3] in _SHORT else None
        day = day or today + _TURNS.get(word, 0) * _DAY
        return on_day(length.after(day, -1), match.span(), match.group())
    if word in _TURNS or word in ("today", "tonight"):
        begins = today + _TURNS.get(word, 0) * _DAY
    else:
        number = weekday_number(word)
        begins = weekday_before(today, number) if back else weekday_after(today, number)
    return on_day(length.after(begins, -1 if back else 1), match.span(), match.group())


def read_dayname(match: re.Match[str], scene: Scene) -> Reading | None:
    """Read `two Fridays ago`, `this time next week`."""
    today = scene.today
    if today is None:
        return None
    span, why = match.span(), match.group()
    if match["day_year"]:
        return on_day(today.replace(year=int(match["day_year"])), span, why)
    if words := match["day_length"]:
        length = read_length(
            "1 year" if words == "twelvemonth" else words if words[-1] == "s" else f"1 {words}"
        )
        return on_day(length.after(today), span, why) if length else None
    if ahead := match["minus"] or match["countdown"] or match["sleeps"]:
        count = int(ahead) if ahead.isdigit() else _COUNTS.index(ahead) + 2
        return on_day(today + count * _DAY, span, why)
    if going := match["going"] or match["straight"]:
        return _going(match, scene, going)
    if match["time_way"]:
        sign = -1 if match["time_way"] == "last" else 1
        unit = match["time_unit"]
        months = {"month": 1, "year": 12}.get(unit, 0)
        day = add_months(today, sign * months) + timedelta(0 if months else 7 * sign)
        return on_day(day, match.span(), match.group(), confidence=0.7)
    number = _whole(match["many"])
    weekday = weekday_number(match["days"])
    if match["days_way"] == "ago":
        day = weekday_before(today, weekday) - timedelta(7 * (number - 1))
    else:
        day = weekday_after(today, weekday) + timedelta(7 * (number - 1))
    return on_day(day, match.span(), match.group())


def _going(match: re.Match[str], scene: Scene, going: str) -> Reading | None:
    """Read `in its ninth day`, `for the third day running`: the day on which it began."""
    number = ordinal_number(going)
    if scene.today is None or number is None or number < 2:
        return None
    counts = match["straight"] or match["in_row"] or re.match(r"in(?:to)?\s|enter", match.group())
    if not counts or (
        not match["straight"]
        and match.group().startswith(("on ", "in the", "for the"))
        and not match["in_row"]
    ):
        return None
    day = scene.today - (number - 1) * _DAY
    return on_day(day, match.span(), match.group(), confidence=0.7)


def _whole(word: str) -> int:
    return int(word) if word.isdigit() else _COUNTS.index(word) + 2


def _names_weekday(match: re.Match[str], scene: Scene) -> bool:
    text, lower = scene.text, scene.lower
    start, end = match.start("weekday"), match.end("weekday")
    if match.group().endswith("s") and not match["tail"] and text[end : end + 1] == "s":
        return False
    if _HABIT.search(lower, max(0, start - 24), start) and not match["which"]:
        return False
    if text[match.end() : match.end() + 1] in ("-", "(") or text[start - 1 : start] == "-":
        return False
    if _NAMING.match(lower, end) or lower[:start].endswith(("subject: ", "re: ", "called ")):
        return False
    if text[start].islower() and match["weekday"] not in WEEKDAYS and _is_chatty(scene, match):
        return True
    if re.match(r"\s?\d\d?\s?%|\s?[:=]\s?\d\d\b", lower[end:]) or re.search(
        r"\b(?:o2|spo2)\s$", lower[:start]
    ):
        return False
    if _TITLED.search(scene.text, max(0, start - 6), start) or _THING.match(lower, end):
        return False
    if _PARTS_OF_HABIT.match(lower, end) or _LISTED_HABIT.search(lower, max(0, start - 40), start):
        return False
    if match["weekday"] in _WORDS and not _is_shortened(scene, start, end):
        return False
    if match["which"] and re.match(r"\s(?:of|in)\s(?:every|each|any|a)\b", lower[end:]):
        return False
    if _THE_DAYS_NAME.search(text, max(0, start - 5), end + 12) or _NAMED_NIGHT.match(text, end):
        return False
    return not _is_title(scene, start)


def _is_shortened(scene: Scene, start: int, end: int) -> bool:
    """Tell whether `Sat` is a day: no verb at the head of a sentence, no `Sun` that shines."""
    text = scene.text
    if not text[start].isupper():
        return False
    opens = not re.search(r"[\w,&/+)]\s?$", text[max(0, start - 2) : start])
    if opens and re.match(r"\s[a-z]", text[end:]):
        return _WITH_DAY.match(text, end) is not None
    return text[start:end] != "Sun" or not _SHINES.match(text, end)


def _is_chatty(scene: Scene, match: re.Match[str]) -> bool:
    """Tell whether a lower-case `fri` or `sat` stands where only a day can."""
    if match["weekday"] not in _WORDS or match["which"] in ("last", "next", "this", "this coming"):
        return True
    before = scene.lower[max(0, match.start("weekday") - 14) : match.start("weekday")]
    if re.search(r"\b(?:how\swas|see\s(?:you|ya|u)|cya|free|until|till|til|since)\s$", before):
        return True
    rest = scene.lower[match.end("weekday") : match.end("weekday") + 8]
    return not _OTHERWISE.search(before) and _DAY_GOES_ON.match(rest) is not None


_MAKES_TITLES = re.compile(
    r"(?:Man|Girl|Ruby|Blue|Black|Freaky|Manic|Casual|Stormy|Bloody|Super|Cyber|Sleepy|Sunny|Rainy|Happy"
    r"|Silent|Lazy|Easy|Wild|Throwback|Giving|Taco|Meatless|Mad|Fat|Holy|Palm|Good|Ash|Joe|Ms|Miss|Mr|Mrs|[A-Z][a-z]+['’]s)$"
)
_NAMES = re.compile(r"\w*(?:\s[A-Z]|['’]s\b)")
_NAMED_NIGHT = re.compile(r"\s(?:Night|Morning|Afternoon|Evening)\s[A-Z][a-z]")
_THE_DAYS_NAME = re.compile(
    r"\b[Tt]he\s[A-Z][a-z]+day\s(?!Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec|After|Before|Morning|Night|Even|Afternoon|Week|Of|At|On|In\b|And\b|Lunch)[A-Z][a-z]"
)
"""`the Thursday Special`."""


def _is_title(scene: Scene, start: int) -> bool:
    """Tell whether a capital word stands right before, as in `Man Friday` or `Freaky Friday`."""
    before = re.search(r"([\w'’]+)\s$", scene.text[max(0, start - 25) : start])
    if not before or not scene.text[start].isupper():
        # a day in capitals in the middle of a sentence, yet no weekday: a song, a film, a product
        return False
    word = before[1]
    if not _MAKES_TITLES.match(word) and not _NAMES.match(scene.text, start):
        return False  # `arrived Chester Tuesday`
    at = start - len(word) - 1
    opens = at <= scene.sentence[0] or scene.text[:at].rstrip()[-1:] in (
        "",
        ".",
        ":",
        "!",
        "?",
        "-",
    )
    return word[0].isupper() and len(word) > 1 and not opens and not word.isupper()


def _is_capital(scene: Scene, start: int, end: int) -> bool:
    """Tell whether a capital marks the name of a song or a film, not a day."""
    if not scene.text[start].isupper():
        return False
    before = scene.lower[max(0, start - 16) : start]
    return scene.text[end : end + 2] == " (" or _WORKS.search(before) is not None


def _in_story(match: re.Match[str], scene: Scene, number: int) -> Reading | None:
    """Read the weekday of a story, which goes on after the day last told."""
    event = scene.event
    if event is None or event.day is None or match["in_week"] or match["on_day"]:
        return None
    if (match["which"] or "").startswith(("last", "next", "this", "coming", "past")):
        return None
    if (match["which"] or "").endswith("previous"):
        day = weekday_before(event.day, number)
    elif (match["which"] or "").startswith(("that", "same")):
        day = weekday_after(event.day - _DAY, number)
    else:
        day = weekday_after(event.day, number)
    return on_day(day, match.span(), match.group(), confidence=0.7, base=(event.span,))


def _that(match: re.Match[str], scene: Scene, number: int) -> Reading | None:
    """Read `that Saturday`: the one on or after the day spoken of."""
    event = scene.event
    if event is None or event.day is None:
        day = weekday_after(scene.today - _DAY, number) if scene.today else None
        return on_day(day, match.span(), match.group(), confidence=0.5) if day else None
    day = weekday_after(event.day - _DAY, number)
    return on_day(day, match.span(), match.group(), confidence=0.8, base=(event.span,))


def _definite(match: re.Match[str], scene: Scene, number: int) -> Reading | None:
    """Read `the Tuesday`: the one at or after the day spoken of, or of its week or the next."""
    event = scene.event
    week = _OF_WEEK.match(scene.lower, match.end())
    if week and event and event.day and event.span != scene.message.stamp:
        monday = week_of(event.day)[0] + timedelta(0 if week["same"] else 7)
        span = (match.start(), week.end())
        return on_day(monday + number * _DAY, span, scene.lower[slice(*span)], base=(event.span,))
    if scene.today and (not scene.event or scene.event.span == scene.message.stamp):
        past = scene.tense(match.span()) == "past"
        day = (weekday_before if past else weekday_after)(scene.today, number)
        return on_day(day, match.span(), match.group(), confidence=0.6)
    if not scene.event or not scene.event.day:
        return None
    day = weekday_after(scene.event.day - _DAY, number)
    base = (scene.event.span,)
    return on_day(day, match.span(), match.group(), confidence=0.7, base=base)


def _weekday_and_day(match: re.Match[str], scene: Scene, number: int) -> Reading | None:
    today = scene.today
    assert today is not None
    day, days = int(match["on_day"]), []
    for step in range(-12, 13):
        month = add_months(date(today.year, today.month, 1), step)
        if day <= month_end(month.year, month.month).day:
            candidate = date(month.year, month.month, day)
            if candidate.weekday() == number:
                days.append(candidate)
    chosen = nearest(days, today, scene.tense(match.span()))
    return on_day(chosen, match.span(), match.group()) if chosen else None


def _weeks(word: str) -> timedelta:
    return timedelta(7 * {"last": -1, "next": 1}.get(word, 0))
