"""Asking: a question is put about the one record that meets its conditions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from string import Template
from typing import Any, Protocol

from prose import Story


class Record(Protocol):
    """What every kind of record offers."""

    @property
    def title(self) -> str:
        """The title of the document."""
        ...

    def slots(self) -> dict[str, str]:
        """Return the phrases that the frames name."""
        ...


@dataclass(frozen=True, slots=True)
class Question:
    """A question frame for one kind of record.

    text    a frame that may name slots of the record and what `bounds` gives
    needs   slots that the document must really state, for the question to be fair
    meets   whether another record meets every condition of the question about the first
    bounds  further slots, such as the round number that a length stays under
    """

    kind: str
    text: str
    answer: str
    needs: tuple[str, ...]
    meets: Callable[[Any, Any], bool]
    bounds: Callable[[Any], dict[str, str]] = lambda _: {}


@dataclass(frozen=True, slots=True)
class Told:
    """A record with the id of its document and the story told of it."""

    id: str
    record: Record
    story: Story


@dataclass(frozen=True, slots=True)
class Asked:
    """A question as it is put, with the one document that answers it."""

    text: str
    answer: str
    relevant: str


def ask(question: Question, told: Sequence[Told], taken: set[str]) -> Asked:
    """Put the question about the first record that alone meets its conditions.

    told   the records of the question's kind, in the order of preference
    taken  ids that other questions ask about; the one chosen is added

    Raises LookupError where no record is alone.
    """
    for candidate in told:
        record = candidate.record
        stated = candidate.story.used.issuperset(question.needs)
        alone = [other for other in told if question.meets(record, other.record)] == [candidate]
        if candidate.id not in taken and stated and alone:
            taken.add(candidate.id)
            slots = record.slots() | {"title": record.title} | question.bounds(record)
            text, answer = (Template(t).substitute(slots) for t in (question.text, question.answer))
            return Asked(text, answer, candidate.id)
    raise LookupError(f"No {question.kind} alone answers: {question.text}")
