"""Rates at which people or places are taken up: turnout, attendance, occupancy, a pass rate."""

from __future__ import annotations

import re

from leadline.enrichers.amounts.counted import nouns_of
from leadline.enrichers.amounts.ledger import Ledger
from leadline.enrichers.amounts.passage import Amount

_RATES: tuple[tuple[str, str], ...] = (
    (
        r"turn-?out|poll(?: was| of)|participation(?: rate)?",
        "voter elector electorate constituent member resident roll eligible registered person"
        " shareholder household student worker people",
    ),
    (
        r"attendance(?: rate)?|absen(?:ce|teeism)(?: rate)?|truancy",
        "pupil student child member employee staff worker delegate invitee player guest recruit"
        " enrolled roll class",
    ),
    (
        r"occupancy(?: rate)?|vacancy(?: rate)?|load factor|bookings?|take-up|capacity"
        r"|utili[sz]ation",
        "room bed seat place berth flat unit pitch cabin stall desk bay space table apartment"
        " suite stand house plot",
    ),
    (
        r"(?:pass|success|failure|completion|graduation|admission|acceptance|rejection) rate",
        "candidate entrant pupil student applicant learner attempt try application trial"
        " operation child driver people person examinee",
    ),
    (
        r"(?:response|return|reply) rate|response",
        "questionnaire survey letter form invitation employee member household leaflet customer"
        " parent person people staff patient",
    ),
    (
        r"(?:germination|survival|mortality|hatch(?:ing)?|strike)(?: rate)?|losses",
        "seed seedling plant egg chick tree patient cutting bulb lamb fish fry hive colony"
        " sapling calf",
    ),
    (
        r"(?:defect|error|fault|breakage|wastage|spoilage|reject|return|no-show|drop-?out"
        r"|redundancy|unemployment|infection)(?: rate)?",
        "unit item piece component part bottle bulb loaf letter form parcel order booking student"
        " pupil adult worker guest case people resident phone tile brick",
    ),
)
_FILL = (
    r"(?: (?:of|was|is|were|at|stood at|reached|hit|fell to|rose to|came to|ran at|runs at"
    r"|averaged|just|only|about|exactly|an?|the|impressive|disappointing|mere|record|now|today"
    r"|this year|on the day|in the end))*"
)
_FILLED = re.compile(
    r"(?P<share>§[pf]\d+§)(?: of)?(?: the| its| our| these| those)? (?P<noun>tickets|seats|places"
    r"|rooms|beds|flats|units|pitches"
    r"|stalls|berths|spaces|houses|plots|cabins|tables|copies)(?: (?:are|is|were|was|have|has|had"
    r"|been|now|already"
    r"|currently|still|long|since))* (?P<way>sold|gone|taken|booked|let|filled|occupied|reserved"
    r"|empty|free|vacant|unsold|unlet"
    r"|unoccupied|available)\b"
)
_HOLDS = re.compile(
    r"\b(?:hold(?:s|ing)|seat(?:s|ing)?|capacity(?: of| is| was|:)?|room for|space for|sleeps"
    r"|accommodates|fits)(?: up to| about| exactly)? (?P<whole>§n\d+§)"
    r"|(?P<before>§n\d+§)(?:[ -][a-z]+)?[ -](?:seats?|seater|capacity|places|rooms|beds|berths"
    r"|spaces|stalls|pitches|flats|units|tickets|houses|plots|cabins|tables|copies)\b"
)
_REACH = 220


def derive_turnouts(ledger: Ledger) -> None:
    """Derive how many came, passed or answered from a rate and how many there were."""
    passage = ledger.passage
    if "§p" not in passage.marked and "§f" not in passage.marked:
        return
    is_rated = any(word in passage.marked for word in _CUES)
    for names, things in _RATES if is_rated else ():
        for pattern in (_AFTER[names], _BEFORE[names]):
            for match in passage.find(pattern):
                _rate(ledger, match, frozenset(things.split()))
    for match in passage.find(_FILLED):
        _filled(ledger, match)


_AFTER = {
    names: re.compile(
        rf"\b(?:{names})(?: (?:in|for|among|at|of|on) (?!§)[^.;§\n]{{1,40}}?)?{_FILL}:? "
        rf"(?P<share>§[pf]\d+§)"
    )
    for names, _ in _RATES
}  # fmt: skip
_CUES = (
    " rate", "turn-out", "turnout", "poll", "particip", "attend", "absen", "truan", "occupan",
    "vacanc", "load factor", "booking", "take-up", "capacity", "utili", "response", "germin",
    "surviv", "mortal", "hatch", "losses", "strike", "defect", "error", "fault", "breakage",
    "wastage", "spoil", "reject", "return", "no-show", "drop-out", "dropout", "redundan",
    "unemploy", "infect",
)  # fmt: skip
_BEFORE = {
    names: re.compile(rf"(?P<share>§p\d+§)(?: [a-z]+)?[ -](?:{names})\b(?! (?:of|was|is|at|:) ?§p)")
    for names, _ in _RATES
}


def _rate(ledger: Ledger, match: re.Match[str], nouns: frozenset[str]) -> None:
    passage = ledger.passage
    mark = passage.amount(match["share"])
    share = mark.part
    if not 0 < share < 1 or mark.start in ledger.spent:
        return
    near = [
        each
        for each in passage.amounts
        if each.sort == "n" and each.value > 1 and abs(each.start - mark.start) <= _REACH
        and (nouns & set(nouns_of(passage, each)) or _is_roll(passage.text, each))
    ]  # fmt: skip
    whole = min(near, key=lambda each: abs(each.start - mark.start), default=None)
    if whole is not None:
        _enter(ledger, whole, mark, match)


def _filled(ledger: Ledger, match: re.Match[str]) -> None:
    mark, whole = share_of_places(ledger, match, _HOLDS)
    if whole is not None and whole.start != mark.start:
        _enter(ledger, whole, mark, match)


def share_of_places(
    ledger: Ledger, match: re.Match[str], holds: re.Pattern[str]
) -> tuple[Amount, Amount | None]:
    """Return a share and the places it is of, the first that a text tells of; None for none."""
    mark = ledger.passage.amount(match["share"])
    held = next(ledger.passage.find(holds), None)
    if held is None or not 0 < mark.part < 1 or mark.start in ledger.spent:
        return mark, None
    return mark, ledger.passage.amount(held["whole"] or held["before"])


def _enter(ledger: Ledger, whole: Amount, mark: Amount, match: re.Match[str]) -> None:
    passage = ledger.passage
    part = whole.value * mark.part
    if part.denominator != 1:
        return
    span = (passage.place(match.start()), passage.place(match.end()))
    if "negated" in passage.doubts([span]):
        return
    why = f"{ledger.shown(mark)} of {ledger.shown(whole)}"
    if ledger.derive(whole, part, (whole, mark), why, relation=span):
        others = f"the others than {why}"
        ledger.derive(
            whole, whole.value - part, (whole, mark), others, relation=span, confidence=0.6
        )
        ledger.spend(mark)


_ROLL = re.compile(
    r"\b(?:electorate|roll|membership|workforce|enrol?ment|population|intake)(?: of| is| was|"
    r" stands at| stood at|:)?"
    r"(?: about| some)? $"
)


def _is_roll(text: str, amount: Amount) -> bool:
    return _ROLL.search(text[max(0, amount.start - 40) : amount.start].lower()) is not None
