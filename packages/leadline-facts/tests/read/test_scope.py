from leadline_facts.read.scope import reasons, unasserted
from tables import each_row


def why(text: str, part: str) -> set[str]:
    start = text.index(part)
    return set(reasons(unasserted(text), start, start + len(part)))


@each_row
def test_a_part_that_is_not_vouched_for_says_why(text: str, part: str, reason: str) -> None:
    assert reason in why(text, part)


def test_a_negation_ends_with_its_clause() -> None:
    text = "She did not wait, but paid 30."
    assert why(text, "30") == set()


def test_a_condition_does_not_reach_the_next_sentence() -> None:
    assert why("If only. It cost 30.", "30") == set()


@each_row
def test_what_is_denied_heard_or_made_up_is_not_vouched_for(text: str, part: str) -> None:
    assert why(text, part)


@each_row
def test_what_a_writer_tells_is_vouched_for(text: str, part: str) -> None:
    assert not why(text, part)
