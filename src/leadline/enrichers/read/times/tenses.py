"""Whether a clause speaks of what was or of what is to come."""

from __future__ import annotations

import re
from typing import Literal, TypeAlias

from leadline.enrichers.words import patterns, rows

Tense: TypeAlias = Literal["past", "future", ""]

_IRREGULAR = [word for (word,) in rows("past_verbs")]
_ADVERB = r"(?:(?:not|n['’]t|also|only|just|still|now|then|\w+ly)\s)?"
_P = patterns("tenses")
_PARTICIPLE = _P["participle"]
_MOVED = _P["moved"]
_CUE = re.compile(
    rf"(?P<future>\b(?:will|shall|won['’]t|gonna|can|could|(?<!\d\s)(?<!of\s)may(?!\s?[\d,.;:!?]|$)|must|should|let['’]?s|let\sus|please)\b"
    rf"\s?{_ADVERB}(?:(?:be|get|remain|stay|keep)\s)?(?:{_PARTICIPLE})?|\b(?:stays?|remains?|keeps?)\s(?:closed|shut|open)\b|(?:\b(?:ca|wo|must|need|do|does)n['’]?t|\bcannot)\s(?:be\s|get\s)?(?:{_PARTICIPLE})?|['’]ll\b(?:\s{_ADVERB}(?:be|get)\s{_PARTICIPLE})?"
    rf"|\b(?:am|is|are|['’]m|['’]re|['’]s)\s{_ADVERB}(?:\w+\s)?(?:going\sto|due|expected|scheduled"
    rf"|planned|set\sto|about\sto|to\sbe)\b(?:\s(?:be\s)?{_PARTICIPLE})?"
    rf"|\bto\sbe\s{_ADVERB}{_PARTICIPLE}"
    r"|\b(?:am|is|are|['’]m|['’]re)\s(?:also\s|still\s|all\s)?\w+ing\b"
    rf"|\b(?:have|has|need|needs|ought)\sto\b(?:\s(?:be\s|have\s)?{_PARTICIPLE})?|\b(?:have|has|['’]ve|['’]s)\sgot\b(?!\s(?:back|in|home|through|away|here|over|there)\b)"
    r"|(?<!if\s)(?:\bwould|['’]d)\s(?!have\b|been\b|had\b)(?:\w+ly\s|not\s)?[a-z]+\b(?<!ed)"
    r"|\b(?:deadline|due(?!\sdate\sof|\s(?:at|on|in|by)\s[^,.;\d]{1,25}\s(?:was|were)\b)|upcoming|tomorrow|looking\sforward|plans?\sto|want\sto|hope\sto|until|till"
    r"|falls?|goes|go|takes\splace|starts?|begins?|opens?|closes?|ends?|returns?|leaves?|arrives?|departs?"
    rf"|(?<!had\sbeen\s)(?:(?:(?:was|were|is|are|stands?|(?:has|have)\s(?:now\s)?(?:been|had\sto\sbe)|been|being)\s)(?:now\s)?)?(?:{_MOVED})"
    r"|(?:(?:has|have)\s(?:now\s)?been|is|are|stands?|being)\s(?:now\s)?(?:moved|shifted|switched|delayed|advanced|extended|changed|pushed)"
    r"|(?:fixed|set|booked|scheduled|earmarked"
    r"|planned|arranged|slated|pencilled\sin)\sfor|reopens?|resumes?|comes?|launches|expires?|turns?|moves?|this\scoming|submit|bring|return|send|meet|call|book|remember|don['’]t\sforget)\b)"
    r"|(?P<past2>\bdid(?:n['’]?t)?\b(?:\s\w+){0,3}|\b(?:was|were|had|has|have|could|would)n['’]t\b(?:\s\w+)?)"
    r"|(?P<none>\b(?:than|as)\s(?:planned|expected|scheduled|hoped|promised|advertised|agreed|intended)\b|\b(?:had|needed|was\sscheduled|were\sscheduled|was\sdue)\sto\b|\bused\sto\b)"
    r"|(?P<past>\b(?:has|have|['’]ve|had)\s(?:been|\w+ed|\w+en)\b|\byesterday\b|\bago\b"
    rf"|\b(?:{'|'.join(_IRREGULAR)})\b|\b\w{{2,}}(?<![eE])ed\b)"
    rf"|(?P<now>(?:\b(?:am|is|are|it['’]s)\b|['’](?:re|m)\b)\s?{_ADVERB}(?:{_PARTICIPLE})?)",
    re.IGNORECASE,
)
_STATE = re.compile(_P["state"], re.IGNORECASE)
_AHEAD = re.compile(_P["ahead"], re.IGNORECASE)
_BEHIND = re.compile(_P["behind"], re.IGNORECASE)
_INFINITIVE = re.compile(r"\bto\s(?!the\b|my\b|our\b|his\b|her\b|be\sfair|say\b)[a-z]{2,}\b")


def tense_at(text: str, start: int, end: int, position: int) -> Tense:
    """Return the tense of the verb that a time at `position` goes with, within text[start:end].

    The verb before it that stands nearest counts, else the first one after it.
    """
    if _STATE.match(text, start, position) or _AHEAD.search(text, start, position):
        return "future"
    if _BEHIND.search(text, start, position):
        return "past"
    nearest = ""
    for match in _CUE.finditer(text, start, end):
        if match.start() == position and match[0] == "sat":
            continue  # the day itself
        if match.start() > position and nearest:
            break
        nearest = match.lastgroup or ""
    if not nearest and _INFINITIVE.search(text, start, position):
        return "future"
    return _TENSES.get(nearest, "")


_TENSES: dict[str, Tense] = {"past": "past", "past2": "past", "future": "future", "now": "future"}
