"""Equivalent forms of single queries, and what a form must not do."""

import random

import pytest

from leadline.kinds.rephrasings.forms import (
    abbreviated,
    form_of,
    keywords,
    mistyped,
    renumbered,
    rephrased,
    respelled,
)
from tables import each_row

_KNOWN = dict.fromkeys(("wing", "wings", "plate", "plates", "libraries"), 5)


@each_row
def test_what_a_query_is_shows_in_its_words(query: str, form: str) -> None:
    assert form_of(query) == form


def test_a_task_becomes_a_question_that_holds_it() -> None:
    text, _ = rephrased("How to migrate from Vite", {}, random.Random(0))["question"]
    assert "migrate from Vite?" in text
    assert "how to" not in text.lower()


@each_row
def test_keywords_keep_negations_numbers_and_months(query: str, expected: str) -> None:
    assert keywords(query) == expected


@pytest.mark.parametrize(
    "query",
    ["Brad can't sleep in May", "no library was built by Virginia Woolf", "iOS 9 without iTunes"],
)
def test_every_form_keeps_negation_names_and_numbers(query: str) -> None:
    for seed in range(5):
        for kind, (text, _) in rephrased(query, {}, random.Random(seed)).items():
            for word in ("May", "Virginia", "Woolf", "9", "iTunes", "without", "can't"):
                assert (word in text) >= (word in query), (kind, text)


@each_row
def test_a_plural_is_one_that_the_corpus_has(query: str, expected: str) -> None:
    assert rephrased(query, _KNOWN, random.Random(0)).get("plural", ("", ""))[0] == expected


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


@each_row
def test_numbers_and_names_are_written_in_their_other_way(query, numeral, abbreviation) -> None:
    assert renumbered(query)[0] == numeral
    assert abbreviated(query)[0] == abbreviation
