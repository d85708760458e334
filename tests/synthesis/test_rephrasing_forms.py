"""Equivalent forms of single queries, and what a form must not do."""

from __future__ import annotations

import random

import pytest

from leadline.synthesis.plurals import other_number
from leadline.synthesis.rephrasings.forms import form_of, keywords, reordered, rephrased
from leadline.synthesis.spelling import respelled
from leadline.synthesis.typing_errors import mistyped

_NOUNS = ("wing", "wings", "plate", "plates", "library", "libraries", "effect", "effects")
_KNOWN = dict.fromkeys(_NOUNS, 5)


@pytest.mark.parametrize(
    ("query", "form"),
    [
        ("heat transfer on blunt bodies", "phrase"),
        ("what is the drag of a cone", "question"),
        ("Does the shock detach?", "question"),
        ("find papers on wing flutter", "request"),
        ("The wound was closed", "statement"),
        ("Describes the work of a library", "verb"),
        ("tables for cases when the wall is porous", "phrase"),
        ("training without education: a lost cause", "phrase"),
    ],
)
def test_what_a_query_is_shows_in_its_words(query: str, form: str) -> None:
    assert form_of(query) == form


def test_a_question_is_not_asked_about_a_question() -> None:
    assert "question" not in rephrased("what is the drag of a cone?", {}, random.Random(0))


def test_a_phrase_becomes_a_question_about_it() -> None:
    text, _ = rephrased("heat transfer on blunt bodies", {}, random.Random(0))["question"]
    assert "heat transfer on blunt bodies" in text
    assert text.endswith("?")


def test_keywords_are_content_words_each_once() -> None:
    assert keywords("the flow of air and the drag of air at 4.5 mm") == [
        "flow", "air", "drag", "4.5", "mm",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("freelance librarians in quebec", "in quebec: freelance librarians"),
        ("lifelong learning: a new role", "a new role: lifelong learning"),
        ("effects of velocity and temperature", "effects of temperature and velocity"),
    ],
)
def test_parts_of_a_phrase_change_places(query: str, expected: str) -> None:
    assert reordered(query, "phrase", {})[0] == expected


def test_a_word_bound_to_one_of_two_stays_with_it() -> None:
    # "theatre and performing arts collections" is not "performing and theatre arts collections".
    assert reordered("theatre and performing arts collections", "phrase", {}) == ("", "")


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("lift of a thin wing", "lift of thin wings"),
        ("flow past thin plates", "flow past a thin plate"),
        ("flow past the plates", "flow past the plate"),
    ],
)
def test_an_article_goes_with_the_number(query: str, expected: str) -> None:
    assert other_number(query, _KNOWN)[0] == expected


@pytest.mark.parametrize("query", ["two wings", "wings are thin", "a castle full of libraries"])
def test_a_number_that_something_agrees_with_stays(query: str) -> None:
    assert other_number(query, _KNOWN) == ("", "")


def test_both_spellings_lead_to_the_other() -> None:
    assert respelled("colour of the Center")[0] == "color of the Centre"
    assert respelled("color of the Centre")[0] == "colour of the Center"


@pytest.mark.parametrize("seed", range(30))
def test_a_typing_error_spoils_one_word_and_spares_its_first_letter(seed: int) -> None:
    text = "the transfer of heat through porous walls"
    wrong, _ = mistyped(text, random.Random(seed))
    changed = [(a, b) for a, b in zip(text.split(), wrong.split(), strict=True) if a != b]
    assert len(changed) == 1
    before, after = changed[0]
    assert len(before) >= 5
    assert before[0] == after[0]


def test_short_words_are_never_mistyped() -> None:
    assert mistyped("the flow of air", random.Random(0)) == ("the flow of air", "")
