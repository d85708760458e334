from __future__ import annotations

import pytest

from leadline.enrichers.scope import clauses, reasons, sentences, unasserted


def why(text: str, part: str) -> set[str]:
    start = text.index(part)
    return set(reasons(unasserted(text), start, start + len(part)))


def test_an_abbreviation_does_not_end_a_sentence() -> None:
    text = "Dr. Low paid 3 p.m. prices. Then left."
    assert [text[a:b] for a, b in sentences(text)] == ["Dr. Low paid 3 p.m. prices.", "Then left."]


def test_a_line_end_closes_a_sentence() -> None:
    assert len(sentences("one\ntwo")) == 2


def test_a_sentence_falls_into_clauses() -> None:
    text = "It was 40, but she paid 30; fine"
    assert [text[a:b].strip(" ;,") for a, b in clauses(text)] == [
        "It was 40",
        "but she paid 30",
        "fine",
    ]


@pytest.mark.parametrize(
    ("text", "part", "reason"),
    [
        ("If it were 40% off I'd buy it.", "40%", "hypothetical"),
        ("We did not take the 10% cut.", "10%", "negated"),
        ("Perhaps 40 came.", "40", "doubtful"),
        ('It is "100% off", they say.', "100%", "quoted"),
        ("It is six of one and half a dozen of the other.", "half a dozen", "idiom"),
    ],
)
def test_a_part_that_is_not_vouched_for_says_why(text: str, part: str, reason: str) -> None:
    assert reason in why(text, part)


def test_a_negation_ends_with_its_clause() -> None:
    text = "She did not wait, but paid 30."
    assert why(text, "30") == set()


def test_a_condition_does_not_reach_the_next_sentence() -> None:
    assert why("If only. It cost 30.", "30") == set()


def test_only_the_sentences_asked_for_are_searched() -> None:
    text = "Perhaps 40. Perhaps 50."
    assert {span.start for span in unasserted(text, [(12, 23)])} == {12}
