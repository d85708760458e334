"""Whether a clause speaks of what was or of what is to come."""

from __future__ import annotations

import re
from typing import Literal, TypeAlias

Tense: TypeAlias = Literal["past", "future", ""]

_IRREGULAR = [
    "was",
    "were",
    "did",
    "had",
    "went",
    "came",
    "saw",
    "said",
    "got",
    "made",
    "took",
    "left",
    "began",
    "begun",
    "broke",
    "brought",
    "built",
    "bought",
    "caught",
    "chose",
    "drank",
    "drove",
    "ate",
    "fell",
    "felt",
    "found",
    "flew",
    "forgot",
    "gave",
    "grew",
    "heard",
    "held",
    "kept",
    "knew",
    "led",
    "lost",
    "meant",
    "met",
    "paid",
    "ran",
    "rang",
    "rose",
    "sang",
    "sank",
    "sold",
    "sent",
    "shook",
    "slept",
    "spent",
    "spoke",
    "spoken",
    "stood",
    "stole",
    "stuck",
    "swam",
    "taught",
    "thought",
    "threw",
    "threw",
    "told",
    "tore",
    "understood",
    "woke",
    "won",
    "wore",
    "wrote",
    "written",
    "been",
    "gone",
    "done",
    "seen",
    "taken",
    "given",
    "fallen",
    "driven",
    "eaten",
    "broken",
    "born",
    "died",
    "hit",
    "cut",
    "struck",
    "swore",
    "lent",
    "dealt",
    "crept",
    "dug",
    "drew",
    "fought",
    "froze",
    "hid",
    "hung",
    "laid",
    "lay",
    "lit",
    "rode",
    "shone",
    "shot",
    "shut",
    "spread",
    "wept",
    "withdrew",
    "overslept",
    "forgotten",
]
_ADVERB = r"(?:(?:not|n['’]t|also|only|just|still|now|then|\w+ly)\s)?"
_CUE = re.compile(
    rf"(?P<future>\b(?:will|shall|won['’]t|gonna|can|could|(?<!\d\s)(?<!of\s)may(?!\s?[\d,.;:!?]|$)|must|should|let['’]?s|let\sus|please)\b"
    rf"\s?{_ADVERB}(?:be\s|have\s)?(?:\w+(?:ed|en)\b)?|['’]ll\b"
    rf"|\b(?:am|is|are|['’]m|['’]re|['’]s)\s{_ADVERB}(?:\w+\s)?(?:going\sto|due|expected|scheduled"
    r"|planned|set\sto|about\sto|to\sbe)\b"
    r"|\b(?:am|is|are|['’]m|['’]re)\s(?:also\s|still\s|all\s)?\w+ing\b|\b(?:have|has|need|needs)\sto\b"
    r"|\b(?:deadline|due|upcoming|tomorrow|looking\sforward|plans?\sto|want\sto|hope\sto|until|till"
    r"|falls?|goes|go|takes\splace|starts?|begins?|opens?|closes?|ends?|returns?|leaves?|arrives?|departs?"
    r"|(?<!had\sbeen\s)(?:(?:was|were|is|are|(?:has|have)\sbeen)\s)?(?:brought\sforward|postponed|put\sback|pushed\sback)|(?:fixed|set|booked|scheduled"
    r"|planned|arranged|slated|pencilled\sin)\sfor|rescheduled|reopens?|resumes?|comes?|launches|expires?|turns?|moves?|this\scoming|submit|bring|return|send|meet|call|book|remember|don['’]t\sforget)\b)"
    r"|(?P<none>\b(?:had|needed|was\sscheduled|were\sscheduled|was\sdue)\sto\b|\bused\sto\b)"
    r"|(?P<past>\b(?:has|have|['’]ve|had)\s(?:been|\w+ed|\w+en)\b|\byesterday\b|\bago\b"
    rf"|\b(?:{'|'.join(_IRREGULAR)})\b|\b\w{{2,}}(?<![eE])ed\b)"
    rf"|(?P<now>\b(?:am|is|are|it['’]s)\b\s?{_ADVERB}(?:\w+(?:ed|en)\b)?)",
    re.IGNORECASE,
)


def tense_at(text: str, start: int, end: int, position: int) -> Tense:
    """Return the tense of the verb that a time at `position` goes with, within text[start:end].

    The verb before it that stands nearest counts, else the first one after it.
    """
    nearest = ""
    for match in _CUE.finditer(text, start, end):
        if match.start() > position and nearest:
            break
        nearest = match.lastgroup or ""
    return _TENSES.get(nearest, "")


_TENSES: dict[str, Tense] = {"past": "past", "future": "future", "now": "future"}
