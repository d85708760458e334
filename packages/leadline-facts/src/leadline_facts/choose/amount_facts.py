"""Join the amounts that rules derive from a text with those of the network."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from leadline_facts.choose.amount_features import NAMES, features_of
from leadline_facts.choose.network import Network, package_network
from leadline_facts.propose.amount_pairs import (
    HUGE,
    Operand,
    Pair,
    Sums,
    all_candidates,
    operand_of,
)
from leadline_facts.propose.operations import DOUBTS, Candidate, Entry, in_words
from leadline_facts.read.amounts.passage import Passage
from leadline_facts.words import single

FURTHER = 0.25
"""How likely an amount must be for others to be derived from it."""

_MOST_FURTHER = 6
_AT_ONCE = 512
"""Pairs, so that a long table needs no more memory than a short one."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What a pair of amounts yields, and how likely it is."""

    pair: Pair
    candidate: Candidate
    probability: float


def read_amounts(passage: Passage, network: Network | None = None) -> list[Reading]:
    """Return all that the amounts of a passage may yield, with how likely each is.

    network  the one of the package by default
    """
    if not passage.amounts:
        return []
    network = network or package_network("amounts", NAMES)
    sums = Sums(passage)
    pairs = list(sums.pairs())
    readings = _judged(sums, pairs, network)
    if derived := further_operands(readings):
        readings += _judged(sums, list(sums.further_pairs(derived)), network)
    return readings


def further_operands(readings: Sequence[Reading]) -> list[Operand]:
    """Return the likeliest readings as operands, each value once, the likeliest first."""
    chosen: dict[tuple[str, str, object], Operand] = {}
    for each in sorted(readings, key=lambda each: -each.probability):
        if each.probability < FURTHER or len(chosen) == _MOST_FURTHER:
            break
        operand = operand_of(each.pair, each.candidate, each.probability)
        amount = operand.amount
        chosen.setdefault((amount.sort, amount.unit, amount.value), operand)
    return list(chosen.values())


def _judged(sums: Sums, pairs: Sequence[Pair], network: Network) -> list[Reading]:
    found = []
    for start in range(0, len(pairs), _AT_ONCE):
        some = pairs[start : start + _AT_ONCE]
        likely = network.probabilities(sums.context, features_of(sums, some)).tolist()
        for (number, candidate), probability in zip(all_candidates(some), likely, strict=True):
            found.append(Reading(some[number], candidate, probability))
    return found


LIKELY = 0.09
"""How likely a reading must be to be derived where no rule gives it."""

LEAST = {name: float(least) for name, least in single("least_likely").items()}
"""The same for sorts and operations that are proposed of most figures and seldom meant."""

UNLIKELY = 0.04
"""How unlikely what a rule gives must be to be an alternative reading only."""

Key = tuple[str, str, float]


def judged(passage: Passage, entries: Iterable[Entry]) -> Iterator[Entry]:
    """Return what rules derived, doubted where the network does, and what it reads beside.

    An entry that the network cannot read at all stays as it is.
    """
    best: dict[Key, Reading] = {}
    for reading in read_amounts(passage):
        candidate = reading.candidate
        key = candidate.sort, candidate.unit, round(candidate.value, 4)
        if key not in best or reading.probability > best[key].probability:
            best[key] = reading
    given: set[Key] = set()
    for entry in entries:
        amount = entry.amount
        value = float(amount.value) if amount.value < HUGE else float(HUGE)
        key = amount.sort, amount.unit, round(value, 4)
        given.add(key)
        if key in best and best[key].probability < UNLIKELY and entry.role == "derived":
            entry = replace(entry, role="alternative")
        yield entry
    likely = (each for each in best.items() if each[1].probability >= LIKELY)
    values = {value for _, _, value in given}
    for key, reading in sorted(likely, key=lambda each: -each[1].probability):
        # `16` that is also a number of things is no price, only because figures here may be prices
        is_told = key in given or (reading.candidate.lent and key[2] in values)
        least = max(LEAST.get(each, 0.0) for each in (key[0], reading.candidate.operation))
        if is_told or reading.probability < least or not _comes_out(reading.candidate):
            continue
        entry = _entry(passage, reading)
        if not passage.doubts(entry.spans) & DOUBTS:
            values.add(key[2])
            yield entry


def _comes_out(candidate: Candidate) -> bool:
    """Tell whether a result has no more decimals than people give: two, or four of a measure."""
    most = 4 if candidate.sort in "qt" else 2
    scaled = candidate.value * 10.0**most
    return abs(scaled - round(scaled)) < 1e-6 * max(1.0, scaled)


def _entry(passage: Passage, reading: Reading) -> Entry:
    pair, candidate = reading.pair, reading.candidate
    spans = tuple(sorted({(each.start, each.end) for each in pair.parts}))
    first, second = (
        passage.text[each.amount.start : each.amount.end]
        for each in (pair.first, pair.second or pair.first)
    )
    why = in_words(candidate, first, second)
    about = passage.speaker(spans[0][0])
    return Entry(
        candidate.amount(*spans[-1]), spans, f"{why} (read)", about, round(reading.probability, 2)
    )
