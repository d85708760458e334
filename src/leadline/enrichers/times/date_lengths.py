"""How long lies between two dates that words tell the start and the end of something by."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import date
from itertools import pairwise

from leadline.enrichers.times.scenes import Reading, Scene, Span

_BEGINS = re.compile(
    r"\b(?:beg[aiu]n\w*|start\w*|commenc\w+|open(?:ed|s|ing)?|launch\w*|left|leav\w+|depart\w*|set\s(?:off|out|sail)"
    r"|sail\w*|embark\w*|took\s(?:office|over|up|charge|power|ill)|elected|appointed|crowned|acceded|ascended|enthroned|sworn"
    r"|marri\w+|wed\b|engaged|join\w*|enter\w*|enrol\w*|hired|recruited|moved\sin\w*|check\w*[\s-]in|arriv\w+|admitted"
    r"|fell\s(?:ill|sick)|missing|vanish\w*|disappear\w*|lost|stolen|taken|kidnap\w*|captur\w+|arrest\w*|jailed"
    r"|imprison\w*|detain\w*|seized|order\w*|bought|sent|posted|mailed|dispatch\w*|ship\w*|submit\w*|appl\w+|filed|lodged"
    r"|invoice\w*|billed|issued|borrow\w*|lent|sow\w*|planted|laid|made|built|written|penned|painted|shut\w*|closed|suspended"
    r"|went\s(?:in|out|off|under|down|on|into|to)|broke\w*|fail\w*|founded|establish\w*|form(?:ed|ation)|set\sup|signed|propos\w+|announc\w+"
    r"|advertis\w+|listed|outbreak|declared|came\s(?:into|to\spower|in|on)|first|bottled|reported(?!\sthat)|installed|commission\w*"
    r"|erected|unveiled|premiered?|debut\w*|purchased|acquired|boarded|landed|withdrawn|grounded|put\s(?:on|in|up|into)|received|dated|raised|drained|interned)\b"
)
_ENDS = re.compile(
    r"\b(?:end(?:s|ed|ing)?|finish\w*|clos(?:ed?|es|ing)|shut\w*|complet\w+|stop\w*|conclud\w+|ceas\w+|reach\w*|arriv\w+"
    r"|got\s(?:back|in|home|to|it|out)|back|return\w*|found|freed|releas\w+|recover\w*|discharg\w+|left|leav\w+|went\s(?:home|back)"
    r"|moved\s(?:out|on|away)|check\w*[\s-]out|divorc\w*|separated|separation|split|died|death|abdicat\w+|stepped\sdown|resign\w*"
    r"|retir\w+|quit|dissol\w+|wound\sup|folded|deliver\w*|came|received|turned\sup|paid|settl\w+|approv\w+|granted"
    r"|answer\w*|repl(?:y|ied)|decid\w+|decision|heard|harvest\w*|pick(?:ed|ing)|hatch\w*|restor\w+|demolish\w*"
    r"|pulled\sdown|torn\sdown|burn\w*|re-?open\w*|repair\w*|mended|fixed|sold|laps\w+|expir\w+|surrender\w*|lifted|resum\w+"
    r"|landed|docked|out\b|over\b|ready|fitted|published|printed|scrapped|decommission\w*|withdrawn|removed|deposed|overthrown"
    r"|until|till|last(?:ed|ing|s)?|home|reunit\w+|convict\w+|acquitt\w+|verdict|cured|opened|signed|ratified|rescued|raised|hand\w*|stood\sdown|collected|lift(?:ed|ing)?|refund\w*)\b"
)
_ENDS_SURELY = re.compile(
    r"\b(?:end(?:s|ed)|finish\w*|closed?|shut|complet\w+|stopped|conclud\w+|ceas\w+|return\w*|found|freed|releas\w+|recover\w*"
    r"|discharg\w+|moved\sout|divorc\w*|died|death|abdicat\w+|resign\w*|retir\w+|dissol\w+|deliver\w*|paid|settl\w+|granted|approv\w+"
    r"|decid\w+|decision|arriv\w+|came|got|answer\w*|repl(?:y|ied)|harvest\w*|hatch\w*|pick(?:ed|ing)|demolish\w*|re-?open\w*|repair\w*|mended|fixed|sold|expir\w+|surrender\w*"
    r"|lifted|resum\w+|landed|docked|ready|rescued|left|back|over|verdict|opened|restored?|until|till|last(?:ed|ing|s)?|handed)\b"
)
"""What ends in another sentence than it begins."""
_OTHERWISE = re.compile(
    r"\b(?:or|if|instead|rather|not|unless|whether|usually|editions?|versions?)\b|n['’]t\b|\n\s*\n"
)
_FROM = re.compile(r"\b(?:from|between)\s(?:the\s)?(?:early\s|late\s)?$")
_TO = re.compile(r"\s?(?:to|until|till|through|and|–|—|-|up\sto)\s?(?:the\s)?")
_DAYS_COUNTED = re.compile(
    r"\b(?:both\s(?:days|dates)\s(?:included|inclusive)|inclusive|(?:first|both|last)(?:\sand\slast)?\sdays?\s(?:were\s|are\s)?(?:included|counted))\b"
)
_HAD = re.compile(r"\b(?:having|had|been|after)\s")
_SINCE = re.compile(r"\bsince\s(?:the\s|on\s)?$")
_LASTED = re.compile(
    r"\b(?:last(?:s|ed|ing)?|stay\w*|nights?|hospital|away|held|shut|closed|siege|strike|war|reign\w*|imprison\w*|interned|in\soffice|detained|missing|ill|sick|voyage|leave)\b"
)
_WHOLE_DAYS = re.compile(
    r"\b(?:festival|fair|exhibition|conference|congress|course|camp|workshop|retreat|tournament|carnival|regatta|rally|summit|hackathon)\b"
)
_NUMBERED_FIRST = re.compile(r"\b([a-z]+)\s(?:1|one|i)\s?[:,–—(-]\s?$")
_NUMBERED_SECOND = re.compile(r"\b([a-z]+)\s(?:2|two|ii)\s?[:,–—(-]\s?$")
_AFTER_YEAR = re.compile(r"^.*\b(?:1[5-9]|20)\d\d,?\s(?:and|but|then)\s", re.DOTALL)
"""What an earlier date of the sentence tells: `entered in 1966, and in the following year`."""
_BEFORE_THAT = re.compile(
    r"\bthe\s(?:one|[a-z]+)\sbefore(?:\s(?:that|it))?(?:\s(?:was|had\sbeen|came|fell))?(?:\s(?:on|in))?\s$"
    r"|\b(?:the|its|his|her|their|my|our)\s(?:previous|prior|preceding|earlier|last)\s(?:one|[a-z]+)\s(?:was|had\sbeen|came|fell)(?:\son)?\s$"
)
_TALLIED = re.compile(
    r"\b(?:sometime|average[sd]?|(?:per|every|each|any\sone)\syear|annual(?:ly)?|yearly|models?|data|figures|records)\b"
)
"""Years that are counted one by one, both ends included, or that bound what is not known."""
_CUT = re.compile(r"[,;.:]\s|\s(?:and|but|then)\s")
_REACH, _WIDEST = 70, 160


def read_date_lengths(
    scene: Scene, sentence: Span, readings: Sequence[Reading]
) -> Iterator[Reading]:
    """Yield the days, months or years between each start and its end that a sentence tells.

    readings  of the sentence; the last one of the sentence before may be the start
    """
    here = _dated(readings)
    if not here:
        return
    before = scene.sentence_before
    earlier = [
        each
        for each in scene.recent()
        if before and before[0] <= each.span[0] < before[1] and each.span[1] <= sentence[0]
    ]
    told = [*_dated(earlier)[-1:], *here]
    for first, second in pairwise(told):
        reckoned = first.span in second.base  # its length is told
        if first.kind == second.kind and first.span[1] <= second.span[0] and not reckoned:
            yield from _between(scene, sentence, first, second)
    for reading in readings:
        if reading.kind == "date":
            yield from _until_now(scene, reading)


def read_stretch_length(scene: Scene, sentence: Span, stretch: Reading) -> Iterator[Reading]:
    """Yield how long `he was in hospital from 3 to 17 January` is, where days are told so."""
    if stretch.kind != "date_range" or scene.lower[stretch.span[0]].isalpha():
        return
    lead = scene.lower[max(sentence[0], stretch.span[0] - 60) : stretch.span[0]]
    if not (_FROM.search(lead) and _LASTED.search(lead)):
        return
    first, last = (date.fromisoformat(each) for each in stretch.value)
    value = {"amount": (last - first).days, "unit": "day"}
    yield Reading("duration", value, stretch.span, confidence=0.6, why=stretch.why)


def _until_now(scene: Scene, since: Reading) -> Iterator[Reading]:
    """Read `it has been shut since 2 June`: until the day of the message."""
    today, lower = scene.today, scene.lower
    is_since = _SINCE.search(lower, max(0, since.span[0] - 12), since.span[0])
    if today is None or since.day is None or since.role == "alternative":
        return
    if not is_since and not lower.startswith("since ", since.span[0]):
        return
    days = (today - since.day).days
    if 1 < days < 400 and scene.message.stamp != since.span:
        value = {"amount": days, "unit": "day"}
        why = f"since {since.why}"
        yield Reading("duration", value, since.span, confidence=0.6, base=since.base, why=why)


def _dated(readings: Sequence[Reading]) -> list[Reading]:
    found = [
        each
        for each in readings
        if each.kind in ("date", "month", "year") and each.role != "alternative"
    ]
    return sorted({each.span: each for each in found}.values(), key=lambda each: each.span)


def _between(scene: Scene, sentence: Span, first: Reading, second: Reading) -> Iterator[Reading]:
    lower = scene.lower
    gap = lower[first.span[1] : second.span[0]]
    if len(gap) > _WIDEST or _OTHERWISE.search(gap):
        return
    opens = max(lower.rfind(". ", 0, first.span[0]) + 1, lower.rfind("\n", 0, first.span[0]) + 1)
    head = _AFTER_YEAR.sub("", lower[max(opens, first.span[0] - _REACH) : first.span[0]])
    span = (first.span[0], second.span[1])
    is_range = _TO.fullmatch(gap) and (
        _FROM.search(head) or lower[slice(*first.span)].startswith("from")
    )
    if first.kind == "year" and ("." in gap or _TALLIED.search(lower, *sentence)):
        return
    if is_range and first.kind != "date":
        yield from _length(first, second, span, False)
        return
    if is_range and first.kind == "date" and (_DAYS_COUNTED.search(lower, *sentence) is None):
        opens = max(sentence[0], first.span[0] - 90)
        if _WHOLE_DAYS.search(lower, opens, first.span[0]):
            yield from _length(first, second, span, True)
        elif _LASTED.search(lower, opens, first.span[0]):
            yield from _length(first, second, span, False)
        return
    if _BEFORE_THAT.search(gap) and first.kind == "date":
        yield from _length(second, first, span, False)
        return
    if _TO.fullmatch(gap) and not re.search(r"\S", gap.strip(" -–—")):
        return
    if gap.startswith((" – ", " — ", " - ", ": ")) and first.kind == "year":
        return  # an entry of a chronicle
    if gap.endswith((" between ", " from ")):
        return  # what follows is a stretch of its own
    one, two = _NUMBERED_FIRST.search(head), _NUMBERED_SECOND.search(gap)
    if one and two and one[1] == two[1]:  # `dose 1: 12 January, dose 2: 30 March`
        yield from _length(first, second, span, False)
        return
    cut = _CUT.search(gap)
    tail = lower[second.span[1] : min(sentence[1], second.span[1] + 40)]
    starts = head + (gap[: cut.start()] if cut else "")
    ends = (gap[cut.end() :] if cut else gap) + re.split(r"[,;.:]", tail)[0]
    if "born" in starts or re.search(r"\bborn\b", ends):
        return
    closes = _ENDS if first.span[0] >= sentence[0] else _ENDS_SURELY
    if _BEGINS.search(starts) and closes.search(ends):
        counted = _DAYS_COUNTED.search(lower, *sentence) is not None
        yield from _length(first, second, span, counted)
    elif _HAD.search(gap) and _ENDS.search(starts) and _BEGINS.search(ends):
        yield from _length(second, first, span, False)


def _length(first: Reading, second: Reading, span: Span, both: bool) -> Iterator[Reading]:
    start, end = _start(first), _start(second)
    if end <= start:
        return
    if first.kind == "date":
        amount, unit = (end - start).days + both, "day"
    else:
        months = (end.year - start.year) * 12 + end.month - start.month
        amount, unit = (months // 12, "year") if first.kind == "year" else (months, "month")
    yield Reading(
        "duration",
        {"amount": amount, "unit": unit},
        span,
        confidence=0.6,
        base=(first.span, second.span),
        why=f"{first.why} to {second.why}",
    )


def _start(reading: Reading) -> date:
    parts = [int(part) for part in str(reading.value).split("-")]
    return date(*[*parts, 1, 1][:3])
