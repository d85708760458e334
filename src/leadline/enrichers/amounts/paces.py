"""So much of a thing in each of another: products over how many there are, and quotients.

`620 g each` meets a number of things, `1.2 kWh a day` a number of days, `12 pages a day` also the
pages of a book, which give the days; a speed meets a distance or a time.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from leadline.enrichers.amounts.counted import nouns_after
from leadline.enrichers.amounts.dimensions import (
    EACH,
    WAY,
    Basis,
    Count,
    basis_name,
    is_stop,
    read_bases,
    read_counts,
)
from leadline.enrichers.amounts.ledger import Ledger
from leadline.enrichers.amounts.measures import ratio_of_units
from leadline.enrichers.amounts.passage import Amount
from leadline.enrichers.amounts.speeds import derive_mean_speeds
from leadline.enrichers.amounts.units import TIMES, UNITS

_VERB = (
    r"(?:weigh(?:s|ed)?|holds?|held|contain(?:s|ed|ing)?|has|have|had|takes?|took|lasts?|lasted|is"
    r"|are"
    r"|was|were|measures?|carr(?:y|ies)|carried|seats?|needs?|needed|uses?|used|covers?|covered"
    r"|produces?|gives?|gave|yields?|yielded|runs?|ran|gets?|got|laid|lays|brought|brings|serves?"
    r"|with|of|comes with|comprises|consists of|makes?|made|eats?|ate|drinks?|fits?|stores?|burns?"
    r"|stands?|costs?|receives?|received|worked|works|teaches|did|does|walk(?:s|ed)|ran|swam|swims"
    r"|drove|drives|slept|sleeps|reads?|wrote|writes|picked|planted"
    r"|feeds?|(?!this|his|its|plus|less|yes|bus|class|glass|was)[a-z]{3,}[a-hj-rtv-z]s)"
)
_LEAD_EACH = re.compile(
    rf"\b(?:each|every)(?: one)?(?: of (?:the|these|those|them|us|which))?"
    rf"(?P<nouns>(?: (?!{_VERB}\b|§)[a-z][a-z'’-]*){{0,3}}?),? {_VERB}"
    r"(?: (?:up|in|at|to|about|exactly|just|only|roughly|a|an|another|some|out|us|me|him|her"
    r"|them)){0,2} $"
)
_SKIPPED = re.compile(r"[ -](?!§)([a-z][a-z'’-]*)")
_AND_BACK = re.compile(
    r"(?P<leg>§[qt]\d+§)(?! ?(?:an?|per"
    r"|each)\b)(?: (?!back\b)[a-z'’-]+){0,7}? and (?:then )?(?:the same )?(?:home|back)"
    r"(?: again)?\b"
)
_PLAYED = re.compile(
    r"\b(?:at|on|to) (?P<times>§x\d+§)(?= speed|[.,;!?\n]| (?:and|so|but|now|these|which)|$)"
    r"|(?P<before>§x\d+§)"
    r"(?:[ -](?:the )?(?:normal |usual )?(?:speed|playback))"
)
_HEARD = re.compile(
    r"\b(?:listen\w*|play\w*|watch\w*|podcast|episode|audiobook|lecture|speed|video|recording)\b"
)
_BODIES = frozenset(("kg", "lb", "pound", "mL", "dL", "L"))
_CANONICAL = frozenset(UNITS.values())
_SPEEDS = {"km/h": "km", "mph": "mile", "knot": "nautical mile"}
_ON_FUEL = re.compile(
    r"(?P<way>§q\d+§)[^.;§\n]{0,30}\b(?:on|from|used|burn(?:ed|t)|out of) (?P<fuel>§q\d+§)"
)
_HALT = re.compile(
    r"\b(?:stop(?:s|ped)?|halt|break|pause|rest(?:ing)?|lunch|wait|layover|sandwiches)\b"
)
_OF_THEM = re.compile(
    r"(§n\d+§) (?:of (?:them|these|us|those)\b|such\b)(?! (?:are|were|is|was|have|had))"
)
_FAR = 330


@dataclass(frozen=True, slots=True)
class _Pace:
    """So much of something in each of something else."""

    amount: Amount
    names: frozenset[str]
    bases: tuple[Basis, ...]


def derive_paces(ledger: Ledger) -> None:
    """Derive what rates of things and measures come to, or how many times they go into a total."""
    passage = ledger.passage
    paces = [each for match in re.finditer(r"§[nqt]\d+§", passage.marked)
             if (each := _pace(ledger, match))]  # fmt: skip
    counts = read_counts(passage) if paces else []
    for pace in paces:
        if pace.amount.start not in ledger.spent:
            _resolve(ledger, pace, counts, paces)
    for match in passage.find(_PLAYED):
        _played(ledger, match)
    for match in passage.find(_AND_BACK):
        leg = passage.amount(match["leg"])
        ledger.derive(leg, leg.value * 2, (leg,), "there and back", confidence=0.7)
    derive_mean_speeds(ledger)
    _energy(ledger)
    for match in passage.find(_ON_FUEL):
        _mileage(ledger, match)


def _pace(ledger: Ledger, match: re.Match[str]) -> _Pace | None:
    passage = ledger.passage
    amount = passage.amount(match[0])
    if amount.start in ledger.spent:
        return None
    if amount.unit in _SPEEDS:
        like = Amount("q", amount.value, _SPEEDS[amount.unit], amount.start, amount.end)
        return _Pace(like, frozenset((like.unit,)), (Basis("hour", Fraction(1), match.end()),))
    names = frozenset((amount.unit,)) if amount.unit else frozenset(
        nouns_after(passage.marked, match.end())
    )  # fmt: skip
    at = match.end()
    for _ in range(4):
        bases = read_bases(passage, at)
        if bases and bases[0].name != WAY:
            return _Pace(amount, names, tuple(bases))
        skipped = _SKIPPED.match(passage.marked, at)
        if skipped is None or is_stop(skipped[1]) or skipped[1] == "cast":
            break
        at = skipped.end()
    lead = passage.marked[max(0, match.start() - 90) : match.start()]
    lead = lead[max(lead.rfind(". "), lead.rfind("\n"), lead.rfind("; ")) + 1 :]
    if said := _LEAD_EACH.search(lead):
        nouns = said["nouns"].strip()
        name = basis_name(nouns) if nouns else EACH
        return None if name in TIMES else _Pace(amount, names, (Basis(name, Fraction(1), 0),))
    return None


def _resolve(ledger: Ledger, pace: _Pace, counts: list[Count], paces: list[_Pace]) -> None:
    value, operands = pace.amount.value, [pace.amount]
    told = [each.told for each in pace.bases if each.told]
    bases = [each.name for each in pace.bases]
    sizes = {each.name: each.size for each in pace.bases}
    taken = [each.amount.start for each in paces]
    for _ in range(3):
        step = _next(ledger, pace, bases, counts, [*operands, *told], taken)
        if step is None:
            break
        name, times, count, per = step
        value = value * times / sizes.get(name, Fraction(1))
        operands.append(count)
        bases.remove(name)
        bases += [per] if per else []
        if pace.amount.sort == "n" and value.denominator != 1:
            continue
        why = " × ".join(ledger.shown(each) for each in operands)
        if value != pace.amount.value:
            ledger.derive(pace.amount, value, operands, why, confidence=0.75, among=2)
            ledger.spend(pace.amount)
    if len(operands) == 1:
        _divide(ledger, pace, taken)


def _next(
    ledger: Ledger, pace: _Pace, bases: list[str], counts: list[Count], used: list[Amount],
    taken: list[int],
) -> tuple[str, Fraction, Amount, str] | None:  # fmt: skip
    """Return a basis that a count resolves: its name, how many, whence, and what that is per."""
    here = pace.amount.start
    for name in bases:
        best: tuple[int, Count, Fraction] | None = None
        for count in [*counts, *_derived(ledger, name)]:
            times = count.of(name)
            start = count.amount.start
            if times is None or times <= 0 or count.amount in used or abs(start - here) > _FAR:
                continue
            if start in taken and count.per in ("", name):
                continue
            if start == here or (name == EACH and times < 2):
                continue
            if (
                name in TIMES
                and ledger.passage.text.count(". ", min(start, here), max(start, here)) > 1
            ):
                continue  # smoked for a week; and of the drug, so much a day
            if count.names & pace.names and name not in TIMES:
                continue
            away = abs(start - here) + (150 if start > here and name == EACH else 0)
            if count.amount.start in ledger.spent and name == EACH:
                away += 200
            if best is None or away < best[0]:
                best = away, count, times
        if best is not None:
            return name, best[2], best[1].amount, best[1].per
    return None


def _derived(ledger: Ledger, name: str) -> Iterable[Count]:
    """Yield numbers of things that were derived, for what is told of each, and `25 of them`."""
    for match in ledger.passage.find_all(_OF_THEM):
        yield Count(ledger.passage.amount(match[1]), frozenset((name,)))
    if name == EACH:
        for entry in ledger.entries:
            if entry.amount.sort == "n" and entry.role == "derived":
                yield Count(entry.amount, frozenset(("thing",)))
    for match in re.finditer(
        r"\b(?:pair|brace|couple|twins)\b(?= of| are)?", ledger.passage.marked
    ):
        start = ledger.passage.place(match.start())
        if name == EACH:
            yield Count(
                Amount("n", Fraction(2), "", start, start + len(match[0])), frozenset(("two",))
            )


def _divide(ledger: Ledger, pace: _Pace, taken: list[int]) -> None:
    """Derive how many times a rate goes into a total of the same thing."""
    basis, amount = pace.bases[0], pace.amount
    if amount.value <= 0:
        return
    totals = [
        (each, ratio)
        for each in ledger.all("nq")
        if each.start not in taken and abs(each.start - amount.start) < _FAR
        and (ratio := _ratio(ledger, each, pace)) is not None and each.value * ratio > amount.value
    ]  # fmt: skip
    told = [each for each in totals if each[0] in ledger.passage.amounts]
    is_run = amount.sort == "q" and basis.name in ("minute", "hour") and len(told) == 2
    # a bag of 500 mL at so much an hour, and the 180 mL that have run so far
    for total, ratio in told if is_run else totals[-1:]:
        _last(ledger, pace, total, ratio, among=1 if is_run else 0)


def _last(ledger: Ledger, pace: _Pace, total: Amount, ratio: Fraction, *, among: int = 0) -> None:
    """Derive how long a total lasts, or for how many it is."""
    basis, amount = pace.bases[0], pace.amount
    value = total.value * ratio / amount.value * basis.size
    unit = UNITS.get(basis.name, basis.name if basis.name in _CANONICAL else "")
    if not unit:
        if basis.name == EACH:
            return
        value = Fraction(math.ceil(value))
    elif value.denominator > 60:
        return
    sort = "t" if unit in TIMES else "q" if unit else "n"
    like = Amount(sort, value, unit, amount.start, amount.end)
    why = f"{ledger.shown(total)} at {ledger.shown(amount)} per {basis.name}"
    if amount.unit and basis.name in _BODIES:
        return  # so much for each kilogram of the patient
    ledger.derive(like, value, (total, amount), why, confidence=0.7, among=among)
    if unit == "hour" and (halt := _halt(ledger)):
        hours = halt.value * (ratio_of_units(halt.unit, "hour") or 0)
        ledger.derive(like, value + hours, (total, amount, halt), f"{why}, with the stop")


def _ratio(ledger: Ledger, total: Amount, pace: _Pace) -> Fraction | None:
    if total.sort != pace.amount.sort:
        return None
    if total.sort == "q":
        return ratio_of_units(total.unit, pace.amount.unit)
    mark = f"§n{ledger.passage.amounts.index(total)}§" if total in ledger.passage.amounts else ""
    at = ledger.passage.marked.find(mark) if mark else -1
    nouns = nouns_after(ledger.passage.marked, at + len(mark)) if at >= 0 else ()
    is_same = bool(set(nouns) & pace.names) if pace.names else bool(nouns)
    return Fraction(1) if is_same else None


def _halt(ledger: Ledger) -> Amount | None:
    for amount in ledger.passage.amounts:
        if amount.sort == "t" and ratio_of_units(amount.unit, "hour") is not None:
            around = ledger.passage.text[max(0, amount.start - 40) : amount.end + 30].lower()
            if _HALT.search(around):
                return amount
    return None


def _played(ledger: Ledger, match: re.Match[str]) -> None:
    """Read `84 minutes`, heard `at 1.5x`."""
    times = ledger.passage.amount(match["times"] or match["before"])
    length = ledger.before(times.start, "tc", within=200) or ledger.after(times.end, "tc")
    if length and times.value > 0 and ledger.passage.first(_HEARD):
        value = length.value / times.value
        ledger.derive(length, value, (length, times), f"at {ledger.shown(times)} the speed")
        ledger.spend(times)


def _energy(ledger: Ledger) -> None:
    """Derive the energy of a power over a time, where a text tells one of each."""
    powers = [each for each in ledger.passage.amounts if each.unit in ("W", "kW", "MW")]
    times = [each for each in ledger.passage.amounts if each.unit in ("minute", "hour")]
    if len(powers) == len(times) == 1 and abs(powers[0].start - times[0].start) < 160:
        kilowatts = powers[0].value * (ratio_of_units(powers[0].unit, "kW") or 0)
        hours = times[0].value * (ratio_of_units(times[0].unit, "hour") or 0)
        like = Amount("q", kilowatts * hours, "kWh", powers[0].start, powers[0].end)
        ledger.derive(like, like.value, (powers[0], times[0]), "power by time", confidence=0.7)


def _mileage(ledger: Ledger, match: re.Match[str]) -> None:
    """Read `30 miles on 1.5 gallons`."""
    way, fuel = ledger.passage.amount(match["way"]), ledger.passage.amount(match["fuel"])
    if way.unit == "mile" and fuel.unit == "gallon" and fuel.value > 0:
        value = way.value / fuel.value
        like = Amount("q", value, "mpg", way.start, way.end)
        if (value * 10).denominator == 1:
            ledger.derive(like, value, (way, fuel), "distance by fuel", confidence=0.7)
