"""Rules for dates, times, ages and durations that a text states or implies."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from leadline.types import Constraint, Document, Enricher, Fact, Query
from leadline_facts.propose.times.clock_arithmetic import Dial
from leadline_facts.propose.times.month_rules import issue_of
from leadline_facts.propose.times.readings import read_message
from leadline_facts.propose.times.scenes import Reading, Scene, Span
from leadline_facts.read.messages import read_messages
from leadline_facts.read.number_words import lowered
from leadline_facts.read.pieces import by_pieces
from leadline_facts.read.scope import Scope
from leadline_facts.temporal_queries import temporal_constraints
from leadline_facts.words import patterns

VERSION = 1


def build() -> Enricher:
    """Return the enricher of times."""
    return _Temporal()


@dataclass(frozen=True)
class _Temporal:
    @property
    def name(self) -> str:
        return f"temporal/{VERSION}"

    def facts(self, documents: Iterable[Document]) -> Iterator[tuple[str, tuple[Fact, ...]]]:
        for document in documents:
            read = partial(temporal_facts, provider=self.name)
            yield document.id, tuple(by_pieces(read, document.content))

    def constraints(self, queries: Sequence[Query]) -> list[tuple[Constraint, ...]]:
        return [temporal_constraints(query.text) for query in queries]


def temporal_facts(text: str, provider: str = "") -> tuple[Fact, ...]:
    """Return what a text says about times, in its order, each fact once."""
    lower = lowered(text)
    if not _TRIGGER.search(lower):
        return ()
    scope = Scope(text)
    spans = scope.sentences
    told: list[Reading] = []
    dial = Dial()
    facts: dict[str, Fact] = {}
    number = 0
    before: Span | None = None
    heard: Reading | None = None
    for message in read_messages(text):
        while number < len(spans) and spans[number][1] <= message.body:
            number += 1
        here = []
        for start, end in spans[number:]:
            if start >= message.end:
                break
            here.append((max(start, message.body), min(end, message.end)))
        scene = Scene(text, lower, message, (message.body, message.end), told=told)
        scene.sentence_before = before
        if heard and message.end - message.body < _SHORT_ANSWER:
            scene.event = scene.point = heard
        scene.issue = issue_of(lower) if message.day is None else None
        for reading in read_message(scene, here, scope, dial):
            fact = _fact(reading, scene, provider)
            key = f"{fact.kind}|{fact.value}|{fact.about}"
            if key not in facts or _surer(fact, facts[key]):
                facts[key] = fact
        before = scene.sentence_before
        heard = scene.event
    return tuple(facts.values())


_SHORT_ANSWER = 40
"""Characters. `no, the day after` answers the message before it."""

_P = patterns("temporal")
_TRIGGER = re.compile(_P["trigger"])


def _surer(fact: Fact, known: Fact) -> bool:
    ranks = {"stated": 0, "derived": 1, "alternative": 2}
    return (ranks[fact.role], -fact.confidence) < (ranks[known.role], -known.confidence)


def _fact(reading: Reading, scene: Scene, provider: str) -> Fact:
    spans = [reading.span, *reading.base]
    if reading.role != "stated" and scene.message.stamp != (0, 0):
        spans.append(scene.message.stamp)
    return Fact(
        kind=reading.kind,
        value=reading.value,
        about=scene.message.speaker,
        role=reading.role,  # type: ignore[arg-type]
        confidence=reading.confidence,
        spans=tuple(dict.fromkeys(spans)),
        derivation=reading.why,
        provider=provider,
    )
