"""What the enrichers of amounts and of times find in a text, in the forms that tests compare."""

from typing import Any

from leadline.types import Document, Fact
from leadline_facts import quantities
from leadline_facts.temporal import temporal_facts

SAID = "2024-03-13 10:00, Ann: "


def amounts(text: str) -> tuple[Fact, ...]:
    """Return the amounts that a text states and implies by rules."""
    [(_, found)] = quantities.build(learned=False).facts([Document(id="d", text=text)])
    return found


def derived(text: str) -> list[tuple[str, Any]]:
    """Return the kinds and values of the amounts that a text implies."""
    return [(fact.kind, fact.value) for fact in amounts(text) if fact.role == "derived"]


def told(text: str) -> set[str]:
    """Return what a text states or implies about time, as `date 2024-03-13`."""
    return {_plain(fact) for fact in temporal_facts(text) if fact.role != "alternative"}


def implied(text: str) -> set[str]:
    """Return what a text implies about time, as `date 2024-03-13`."""
    return {_plain(fact) for fact in temporal_facts(text) if fact.role == "derived"}


def _plain(fact: Fact) -> str:
    """Return a fact in one line, a stretch as `first..last`, a length as `90 minute`."""
    if isinstance(fact.value, list):
        return f"{fact.kind} {'..'.join(fact.value)}"
    if isinstance(fact.value, dict):
        return f"{fact.kind} {fact.value['amount']} {fact.value['unit']}"
    return f"{fact.kind} {fact.value}"
