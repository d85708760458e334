"""Sums of what is told side by side: legs of a walk, boys and girls, then another mile."""

from __future__ import annotations

import re
from fractions import Fraction

from leadline.enrichers.amounts.counted import is_person, nouns_after
from leadline.enrichers.amounts.ledger import Ledger
from leadline.enrichers.amounts.measures import finer, is_alike, value_as
from leadline.enrichers.amounts.passage import Amount
from leadline.types import FactRole

_LABELLED = re.compile(
    r"\b(?P<label>leg|lap|day|stage|round|part|week|session|batch|box|section|run|set|trip|field"
    r"|plot|room|bay|shift|bottle|bag|parcel|case|term|half|quarter|year|team|class|group)"
    r" (?P<number>§n\d+§|[a-f1-9]|one|two|three|four|five|six)"
    r"(?: (?:was|is|came to|weighed|took|measured|ran to|lasted))?[ ,:=–-]+"
    r"(?:just |only |about |a |at )?"
    r"(?P<size>§[nqtc]\d+§)"
)
_COMPARED = re.compile(
    r" (?:[a-z]+ )?(?:more|less|fewer|longer|shorter|heavier|lighter|faster|slower|quicker|higher"
    r"|lower)\b"
)
_RATE = re.compile(r" ?(?:[a-z]+ )?(?:an?|per|each|every|apiece)\b| ?[/@%]")
_THEN = re.compile(
    r"\b(?P<way>another|a further|an extra|an additional|plus(?: another)?"
    r"|then(?: another| a further)?"
    r"|followed by(?: another| an?)?|on top(?: of that)?|with an?|and(?: then)?)(?: about| some)?"
    r" (?P<more>§[qtcn]\d+§)(?! (?:earlier|later|ago|before|more than|less than|faster|slower))"
)
_STOPPING = re.compile(
    r"[ -](?:[a-z]+ )?(?:interval|break|stop|pause|halt|wait|layover|stopover|rest)\b"
)
_JOINT = re.compile(
    r"§n\d+§(?P<nouns>(?: [a-z'’-]+){0,3}?)(?P<link>,? and |, | plus |; | & )"
    r"(?=§n\d+§|(?:an?|one) [a-z]+)"
)
_ONE = re.compile(r"(?:an?|one) (?P<noun>[a-z]+)")
_MARK = re.compile(r"§n\d+§")
_TOTAL = re.compile(
    r"\b(?:in all|altogether|in total|all told|total(?:led|ling|s)?|together|combined|between them"
    r"|all in all|sum|overall|how many|how much|how far|how long)\b"
)
_HALVES = re.compile(
    r"\b(?:the )?(?:first|one|outward|upper)(?: [a-z]+){0,2}? (?:in |took |was |is |of |at "
    r"|weighs |measures )(?:just |only )?"
    r"(?P<one>§[qtcn]\d+§)(?: [a-z]+){0,2}?,? (?:and |but |then |while )*(?:the )?(?:second|other"
    r"|next|return|lower)"
    r"(?: [a-z]+){0,2}? (?:in |took |was |is |of |at |weighs |measures |only "
    r"|just )*(?P<other>§[qtcn]\d+§)"
)
_APART = re.compile(r"[,;]|\b(?:or|between|if|than|versus|vs)\b")
_UNJOINED = frozenset(("day", "year", "week", "month", "time", "more", "other", "point"))


def derive_joined_sums(ledger: Ledger) -> None:
    """Derive totals of parts told one after the other."""
    _labelled(ledger)
    for match in ledger.passage.find(_THEN):
        _then(ledger, match)
    for match in ledger.passage.find(_HALVES):
        _halves(ledger, match)
    _joint(ledger)


def _labelled(ledger: Ledger) -> None:
    """Add up `leg 1: 11 km, leg 2: 9 km`, with legs that are told by comparison."""
    passage = ledger.passage
    parts: dict[str, list[Amount]] = {}
    for match in passage.find(_LABELLED):
        amount: Amount | None = passage.amount(match["size"])
        if amount is None or _RATE.match(passage.marked, match.end()):
            continue
        if _COMPARED.match(passage.marked, match.end()):
            amount = _compared(ledger, amount)
        elif amount.start in ledger.spent and amount.sort == "n":
            amount = None
        told = parts.setdefault(match["label"], [])
        if amount is not None and all(each.start != amount.start for each in told):
            told.append(amount)
    for amounts in parts.values():
        alike = [each for each in amounts if is_alike(each, amounts[0])]
        if len(alike) > 1:
            _sum(ledger, alike, "the sum of the parts")


def _compared(ledger: Ledger, mark: Amount) -> Amount | None:
    """Return the amount that a comparison by `mark` gave."""
    span = (mark.start, mark.end)
    found = [
        each.amount for each in ledger.entries if span in each.spans and each.role == "derived"
    ]
    return found[-1] if found else None


def _then(ledger: Ledger, match: re.Match[str]) -> None:
    """Add `then another mile and a half` to the distance before it in the sentence."""
    passage = ledger.passage
    more, way = passage.amount(match["more"]), match["way"]
    if more.start in ledger.spent or _RATE.match(passage.marked, match.end()):
        return
    if way.startswith("with") and not _STOPPING.match(passage.marked, match.end()):
        return
    is_bare = way == "and"
    before = [
        each
        for each in ledger.all("qtc")
        if each.end <= more.start
        and more.start - each.end < (45 if is_bare else 140)
        and (is_alike(each, more) or (more.sort == "n" and each.sort == "t" and not is_bare))
        and passage.sentence(each.start) == passage.sentence(more.start)
    ]
    if not before:
        return
    last = max(before, key=lambda each: (each.end, each not in passage.amounts))
    gap = passage.text[last.end : more.start]
    if is_bare and (more.sort != "t" or _APART.search(gap)):
        return
    if re.search(r"\b(?:between|from) $", passage.text[: last.start][-9:]):
        return
    if more.sort == "n":
        more = Amount("t", more.value, last.unit, more.start, more.end)
    is_one_thing = re.fullmatch(r"[ -][a-z]+ and", gap.lower())
    _sum(ledger, [last, more], "with what came on top", is_sure=not (is_bare or is_one_thing))


def _joint(ledger: Ledger) -> None:
    """Add up `12 boys and 15 girls`, `6 red and 9 white roses`, lists with a word for a total."""
    passage, done = ledger.passage, -1
    for match in passage.find(_JOINT):
        if match.start() < done:
            continue
        amounts, nouns, done = _listed(ledger, match.start())
        if any(each.start in ledger.spent for each in amounts) or len(amounts) < 2:
            continue
        if _RATE.match(passage.marked, done):
            continue
        start, end = passage.sentence(amounts[0].start)
        people = next((n for n, each in enumerate(nouns) if not _are_people(each)), len(nouns))
        if 2 <= people < len(nouns):
            amounts, nouns = amounts[:people], nouns[:people]
        has_total = _TOTAL.search(passage.text[start:end].lower()) is not None
        if max(each.value for each in amounts) < 2:
            continue  # one man and one woman
        if _is_joint(nouns) or (all(nouns) and has_total):
            _sum(ledger, amounts, "all together")


def _listed(ledger: Ledger, at: int) -> tuple[list[Amount], list[tuple[str, ...]], int]:
    """Return the numbers side by side from an offset of the marked text, and what they count."""
    passage, marked = ledger.passage, ledger.passage.marked
    amounts: list[Amount] = []
    nouns: list[tuple[str, ...]] = []
    while mark := _MARK.match(marked, at):
        amounts.append(passage.amount(mark[0]))
        nouns.append(nouns_after(marked, mark.end()))
        step = _JOINT.match(marked, at)
        at = step.end() if step else mark.end()
        if step is None:
            break
    if (one := _ONE.match(marked, at)) and amounts and is_person(one["noun"]):
        start = passage.place(one.start())
        amounts.append(Amount("n", Fraction(1), "", start, start + len(one[0]), True))
        nouns.append((one["noun"],))
    return amounts, nouns, at


def _is_joint(nouns: list[tuple[str, ...]]) -> bool:
    """Tell whether what is counted side by side are all persons, or things of one noun."""
    if not all(nouns):
        return False
    if all(_are_people(each) for each in nouns):
        return True
    head = nouns[-1][-1]
    return len(nouns[-1]) > 1 and all(
        (len(each) == 1 and each[0] != nouns[-1][0] and each[0] not in _UNJOINED) or head in each
        for each in nouns[:-1]
    )


def _are_people(nouns: tuple[str, ...]) -> bool:
    return any(is_person(word) for word in nouns)


def _halves(ledger: Ledger, match: re.Match[str]) -> None:
    """Read `the first half in 52 minutes and the second in 49`: both, and how far apart."""
    one, other = (ledger.passage.amount(match[name]) for name in ("one", "other"))
    if other.sort == "n":
        other = Amount(one.sort, other.value, one.unit, other.start, other.end)
    if is_alike(one, other) and not {one.start, other.start} & ledger.spent:
        _sum(ledger, [one, other], "both together")
        like = finer(one, other)
        gap = abs(value_as(one, like) - value_as(other, like))
        if gap:
            ledger.derive(like, gap, (one, other), "between the two", confidence=0.6)


def _sum(ledger: Ledger, amounts: list[Amount], why: str, *, is_sure: bool = True) -> None:
    like = amounts[0]
    for each in amounts[1:]:
        like = finer(like, each)
    total = sum((value_as(each, like) for each in amounts), Fraction(0))
    role: FactRole = "derived" if is_sure else "alternative"
    ledger.derive(like, total, amounts, why, confidence=0.65, role=role)
