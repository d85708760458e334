"""Joins what rules derive of times with what a network reads: each may doubt the other."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from leadline.enrichers.learned.time_facts import TimeReading, read_times
from leadline.enrichers.learned.time_network import times_network
from leadline.enrichers.times.doubts import Doubts
from leadline.fact_values import Key, canonical
from leadline.types import Fact

ADDED = 0.45
"""How likely a reading must be to be derived where no rule gives it."""
DROPPED = 0.02
"""How unlikely what a rule gives must be to be an alternative reading only."""
KINDS = ("date", "date_range", "month", "year", "time", "age", "duration")
Row = list[float]
Options = Sequence[tuple[Key, float]]
"""Values of one group, each with how likely the network finds it."""


def rows(options: Options, derived: Mapping[Key, float], others: set[Key]) -> list[Row]:
    """Return what the judge weighs for each of some values that compete.

    derived  confidence of rules in the values that they derive
    others   values that rules give as alternative readings
    """
    none = max(1 - sum(share for _, share in options), 0.002)
    by_rule = [key for key, _ in options if key in derived]
    found = []
    for key, share in options:
        odds = math.log((share + 1e-4) / none)
        rule = float(key in derived)
        kinds = [float(_kind(key) == kind) for kind in KINDS]
        found.append([
            odds, rule * odds, rule, derived.get(key, 0.0), float(key in others),
            float(bool(by_rule) and key not in derived), float(bool(derived)), 1.0, *kinds,
            *(rule * each for each in kinds),
        ])  # fmt: skip
    return found


def verdicts(weights: NDArray[np.float32], found: Sequence[Row]) -> NDArray[np.float32]:
    """Return how likely each of some values is that compete with each other and with none."""
    strength = np.exp(np.clip(np.array(found, np.float32) @ weights, -15, 15))
    return np.asarray(strength / (1 + strength.sum()), np.float32)


def opinions(facts: Sequence[Fact]) -> tuple[dict[Key, float], set[Key], set[Key]]:
    """Return what rules derive, with their confidence, give as other readings, and find stated."""
    derived: dict[Key, float] = {}
    others, stated = set(), set()
    for fact in facts:
        if fact.kind not in KINDS:
            continue
        key = canonical(fact.kind, fact.value)
        if fact.role == "stated":
            stated.add(key)
        elif fact.role == "derived":
            derived[key] = max(derived.get(key, 0.0), fact.confidence)
        else:
            others.add(key)
    return derived, others, stated


def with_readings(text: str, facts: Sequence[Fact], provider: str) -> tuple[Fact, ...]:
    """Return the facts of rules, the unlikely ones demoted, with the likely readings added."""
    network = times_network()
    groups = read_times(text, Doubts(text), network.scores)
    if not groups:
        return tuple(facts)
    derived, others, stated = opinions(facts)
    best: dict[Key, tuple[float, TimeReading]] = {}
    for group in groups:
        options = [(canonical(each.kind, each.value), each.likely) for each in group.readings]
        likely = verdicts(network.judge, rows(options, derived, others)).tolist()
        settled = any(key in derived for key, _ in options)
        for (key, _), share, reading in zip(options, likely, group.readings, strict=True):
            if settled and key not in derived:
                continue  # rules read the expression in another way
            if share > best.get(key, (-1.0, reading))[0]:
                best[key] = (share, reading)
    joined = []
    for fact in facts:
        key = canonical(fact.kind, fact.value)
        if fact.role == "derived" and key in best and best[key][0] < DROPPED:
            fact = replace(fact, role="alternative")
        joined.append(fact)
    for key, (share, each) in best.items():
        if share < ADDED or each.is_doubted:
            continue
        if key not in derived and key not in stated:
            joined.append(
                Fact(each.kind, each.value, each.speaker, "derived", round(share, 2), each.spans,
                     each.why, provider)
            )  # fmt: skip
    return tuple(joined)


def _kind(key: Key) -> str:
    return "duration" if key[0] == "measure" else str(key[0])
