"""Where a "not" comes in, where it goes, and where it would contradict nothing."""

from __future__ import annotations

import pytest

from leadline.synthesis.negation import find_negations


def negated(text: str) -> list[str]:
    return [text[:a] + new + text[b:] for a, b, new in find_negations(text, 0, len(text))]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The wound was closed.", "The wound was not closed."),
        ("A device can be heard.", "A device cannot be heard."),
        ("The method has been tested.", "The method has not been tested."),
        ("She has a history of gout.", "She has no history of gout."),
        ("There was a small leak.", "There was no small leak."),
        ("The wound was not closed.", "The wound was closed."),
        ("It cannot be mended.", "It can be mended."),
        ("He does not smoke.", "He does smoke."),
        ("Ultrasound revealed no gallstones.", "Ultrasound revealed gallstones."),
        ("There was no evidence of fracture.", "There was evidence of fracture."),
        ("She has no history of gout.", "She has a history of gout."),
        ("No murmurs were heard.", "Murmurs were heard."),
    ],
)
def test_a_statement_and_its_negation_change_places(text: str, expected: str) -> None:
    assert negated(text) == [expected]


@pytest.mark.parametrize(
    "text",
    [
        "Some patients were cured.",
        "If it is closed, call us.",
        "Is it closed?",
        "Once the incision was made, we began.",
        "It is only used at night.",
        "The fee is 40 pounds.",
        "He will no longer smoke.",
        "There was no one in the room.",
        "He has not had any pain.",
    ],
)
def test_what_a_negation_would_not_contradict_is_left_alone(text: str) -> None:
    assert negated(text) == []
