"""Merge facts of several providers. The same value of the same subject is listed once."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from leadline.text.countries import folded
from leadline.types import Fact
from leadline_facts.fact_values import Key, canonical

_ROLES = {"stated": 0, "derived": 1, "alternative": 2}


def merged(facts: Iterable[Fact]) -> tuple[Fact, ...]:
    """Return the facts with those joined that agree in kind, value and subject.

    A joined fact keeps the wording, derivation and provider of its best reading (stated before
    derived before alternative, then the most confident) and the evidence of all. Facts whose
    subject is unknown join those of a known one. Readings of different providers support each
    other: the chance that all of them err is the product of the chances that each does.
    Order: by first evidence, then as they came.
    """
    groups: dict[tuple[Key, str], list[Fact]] = {}
    for fact in facts:
        groups.setdefault((canonical(fact.kind, fact.value), folded(fact.about)), []).append(fact)
    named: dict[Key, str] = {}
    for key, about in groups:
        if about:
            named.setdefault(key, about)
    for key, about in list(groups):
        if not about and key in named:
            groups[key, named[key]] += groups.pop((key, about))
    joined = [_joined(group) for group in groups.values()]
    return tuple(sorted(joined, key=lambda fact: fact.spans[:1]))


def _joined(group: list[Fact]) -> Fact:
    if len(group) == 1:
        return group[0]
    best = min(group, key=lambda fact: (_ROLES[fact.role], not fact.about, -fact.confidence))
    surest: dict[str, float] = {}
    for fact in group:
        if _ROLES[fact.role] <= _ROLES["derived"] or best.role == "alternative":
            surest[fact.provider] = max(surest.get(fact.provider, 0.0), fact.confidence)
    doubt = 1.0
    for confidence in surest.values():
        doubt *= 1 - confidence
    spans = dict.fromkeys(span for fact in [best, *group] for span in fact.spans)
    about = best.about or next((fact.about for fact in group if fact.about), "")
    return replace(best, about=about, confidence=round(1 - doubt, 4), spans=tuple(spans))
