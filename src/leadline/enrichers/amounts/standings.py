"""Records of play: games won, drawn and lost, strokes under par, what was scored out of so many."""

from __future__ import annotations

import re
from fractions import Fraction

from leadline.enrichers.amounts.ledger import Ledger
from leadline.enrichers.amounts.passage import Amount

_WON = r"(?:w[io]ns?|winning)"
_DRAWN = r"(?:drawn|drew|draws?|tied|ties|drawing)"
_LOST = r"(?:los[et]|loses|losing|loss(?:es)?|defeats?|beaten in)"
_FILL = (
    r"(?: (?:of (?:their|our|its|his|her|the) [a-z]+|games?|matches|so far|only|just|bouts|fights"
    r"|times))*"
)
_VERB_FIRST = re.compile(
    rf"\b{_WON} (?P<a>§n\d+§){_FILL}(?:,? and |, |; |,? but )(?:(?:have |has )?(?:{_DRAWN}) "
    rf"(?P<b>§n\d+§){_FILL}(?:,? and |, |; |,? but ))?{_LOST} (?P<c>§n\d+§|one\b)(?:{_FILL}(?:,?"
    rf" and |, ){_DRAWN} (?P<d>§n\d+§|one\b))?"
    rf"|(?P<a2>§n\d+§) wins?(?:,? and |, |; )(?:(?P<b2>§n\d+§) draws?(?:,? and |, |; ))?"
    rf"(?P<c2>§n\d+§|one) (?:loss(?:es)?|defeats?)(?:(?:,? and |, )(?P<d2>§n\d+§|one) (?:draws?"
    rf"|ties?))?"
)
_UNDER_PAR = re.compile(
    r"(?<!\w)(?:(?P<step>§n\d+§)|(?P<one>one))[ -](?P<way>under|over)[ -]par,?"
    r" (?:(?:for|with|on|in) )?"
    r"(?:a |an |his |her )?(?:round of |score of )?(?P<score>§n\d+§)"
    r"|(?P<step2>§n\d+§)[ -](?P<way2>under|over)[ -]par(?: (?:on|round|at|over) (?:the |a )?)"
    r"(?:[a-z]+,? )*(?:a )?par[ -](?P<par2>§n\d+§)"
    r"|(?P<score4>§n\d+§),? (?:a |which is |that is )?(?P<step4>§n\d+§)[ -](?P<way4>under|over)"
    r"(?:[ -]par)?\b"
)
_PAR = re.compile(
    r"\bpar[ -](?:of )?(?P<par>§n\d+§)|\bpar (?:is|was) (?P<par2>§n\d+§)|\bpar"
    r"(?P<par3>§n\d+§)"
)
_ROUND = re.compile(
    r"\b(?:round(?:ed)?(?: the course)?|home|carded|shot|a|signed for|posted|with|of|went round)"
    r"(?: in| a| an)? (?P<score>§n\d+§)(?! ?(?:under|over|-))"
)
_GOLF = re.compile(r"\bpar\b")
_WITHIN = 80


def derive_standings(ledger: Ledger) -> None:
    """Derive how many games a record counts, and scores against par."""
    passage = ledger.passage
    for match in passage.find(_VERB_FIRST):
        marks = [
            match[name] for name in ("a", "b", "c", "d", "a2", "b2", "c2", "d2") if match[name]
        ]
        counts = [_count(ledger, match, mark) for mark in marks]
        total = sum((count.value for count in counts), Fraction(0))
        if not {count.start for count in counts} & ledger.spent:
            ledger.derive(counts[0], total, counts, "games in all", confidence=0.75)
    if passage.first(_GOLF):
        _golf(ledger)


def _count(ledger: Ledger, match: re.Match[str], mark: str) -> Amount:
    if mark.startswith("§"):
        return ledger.passage.amount(mark)
    start = ledger.passage.place(match.start())
    return Amount("n", Fraction(1), "", start, start + 3, True)


def _golf(ledger: Ledger) -> None:
    passage = ledger.passage
    for match in passage.find(_UNDER_PAR):
        way = match["way"] or match["way2"] or match["way4"]
        mark = match["step"] or match["step2"] or match["step4"]
        step = passage.amount(mark) if mark else _count(ledger, match, "one")
        told = passage.amount(match["score"] or match["par2"] or match["score4"])
        sign = 1 if way == "under" else -1
        sign = -sign if match["par2"] else sign
        if 54 <= told.value <= 300 and step.value < 40:
            ledger.derive(told, told.value + sign * step.value, (told, step), f"{way} par")
            return
    par = passage.first(_PAR)
    mark = (par["par"] or par["par2"] or par["par3"]) if par else ""
    if not par or not mark.startswith("§"):
        return
    course = passage.amount(mark)
    for match in passage.find(_ROUND):
        score = passage.amount(match["score"])
        near = abs(score.start - course.start) < _WITHIN and score != course
        if (
            near
            and 54 <= score.value <= 120
            and 60 <= course.value <= 75
            and score.value != course.value
        ):
            ledger.derive(score, abs(score.value - course.value), (score, course), "against par")
