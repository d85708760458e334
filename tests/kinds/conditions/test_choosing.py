"""Which statements of a document are asked for, and with which controls."""

from __future__ import annotations

import random
from collections import Counter

from leadline.kinds.conditions.by_rules import find_conditions
from leadline.kinds.conditions.edits import apply_edits, stock_of
from leadline.text.statements import statements_of

TEXT = (
    "The queue holds 40 requests for every single client. "
    "The parser reads headers of 90 bytes or a body. "
    "The router can be started by a second process. "
    "The logger can be stopped by an operator. "
    "The upload folder accepts 70 files from a browser."
)


def conditions(text: str, title: str = "", most: int = 10):
    dropped: Counter[str] = Counter()
    statements = list(statements_of(text))
    found = find_conditions(
        title, text, statements, stock_of(statements, 0), dropped, most=most, rng=random.Random(3)
    )
    return found, dropped


def test_one_statement_of_each_kind_of_edit_stays_for_the_controls() -> None:
    found, _ = conditions(TEXT)
    # 3 statements with a number and 2 that can be denied: one of each is left
    assert Counter(each.edit.kind for each in found) == {"number": 2, "negation": 1}


def test_a_control_leaves_every_condition_as_the_text_says_it() -> None:
    found, _ = conditions(TEXT)
    for each in found:
        changed = apply_edits(TEXT, each.controls[:1])
        assert changed != TEXT
        assert all(other.text in changed for other in found)
        assert each.text not in apply_edits(TEXT, [each.edit])


def test_what_the_document_says_twice_is_not_asked_for() -> None:
    again = TEXT + " For every single client the queue holds 40 requests at most."
    found, dropped = conditions(again)
    assert not any("queue" in each.text for each in found)
    assert dropped["said more than once in the document"] >= 1


def test_what_the_title_says_is_not_asked_for() -> None:
    found, _ = conditions(TEXT, title="The queue holds 40 requests for every client")
    assert not any("queue" in each.text for each in found)


def test_a_document_with_one_fact_gives_none_for_want_of_a_control() -> None:
    found, dropped = conditions("The queue holds 40 requests for every single client.")
    assert found == []
    assert dropped["nothing else of its kind could be changed as a control"] == 1


def test_no_more_conditions_are_taken_than_were_asked_for() -> None:
    assert len(conditions(TEXT, most=1)[0]) == 1
