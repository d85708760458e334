"""Letters of choices, read from answers."""

from __future__ import annotations

import pytest

from leadline.metrics.answers import WORDINGS, ChoiceLetter, chosen_letter, unreadable
from leadline.types import Query


@pytest.mark.parametrize("wording", WORDINGS, ids=lambda each: each.pattern)
def test_every_wording_reads_its_example_and_not_the_other(wording) -> None:
    assert chosen_letter(wording.example) == "B"
    assert chosen_letter(wording.other) == ""


@pytest.mark.parametrize(
    ("output", "letter"),
    [
        ("The correct answer is **(C)**.", "C"),
        ("The answer is A. No: the answer is D, because it is heavier.", "D"),
        ("Choice (B) looks right.\n\nAnswer: C", "C"),
        ("the answer is (A)</think>The correct answer is (B)", "B"),
        ("The answer is A</think>", ""),
        ("The answer is A or B.", ""),
        ("The answer is (A) and (D)", ""),
        ("The correct answer is (insert answer here)", ""),
        ("The correct answer is E.", ""),  # never offered
        ("Answer: $\\boxed{D}$", "D"),
        ("(B)", "B"),
        ("I cannot tell.", ""),
        ("", ""),
    ],
)
def test_a_letter_is_read_or_none(output: str, letter: str) -> None:
    assert chosen_letter(output) == letter


def test_only_letters_that_were_offered_count() -> None:
    assert chosen_letter("The answer is E", 5) == "E"
    assert chosen_letter("The answer is D", 3) == ""


def asked(id: str, answer: str) -> Query:
    return Query(id, "?", answer=answer, facets={"choices": "4"})


def test_the_right_letter_scores_and_an_unreadable_answer_is_wrong_and_counted() -> None:
    queries = [asked("a", "B"), asked("b", "B"), asked("c", "C"), asked("d", "D")]
    queries.append(Query("e", "?", answer="B"))  # no choices
    outputs = {"a": "Answer: B", "b": "Answer: C", "c": "Hard to say.", "e": "B"}
    assert ChoiceLetter()(queries, outputs) == {"a": 1.0, "b": 0.0, "c": 0.0}
    assert unreadable(queries, outputs) == 1
