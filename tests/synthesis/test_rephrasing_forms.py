"""Equivalent forms of single queries, and what a form must not do."""

from __future__ import annotations

import random

import pytest

from leadline.synthesis.english.articles import article_of
from leadline.synthesis.english.number import plural_of
from leadline.synthesis.english.parsing import parse
from leadline.synthesis.rephrasings.forms import form_of, keywords, reordered, rephrased
from leadline.synthesis.rephrasings.rewriting import abbreviated, renumbered
from leadline.synthesis.spelling import respelled
from leadline.synthesis.typing_errors import mistyped

_NOUNS = ("wing", "wings", "plate", "plates", "library", "libraries", "effect", "effects")
_KNOWN = dict.fromkeys(_NOUNS, 5)


def parsed(text: str):
    (doc,) = parse([text])
    return doc


@pytest.mark.parametrize(
    ("query", "form"),
    [
        ("heat transfer on blunt bodies", "phrase"),
        ("what is the drag of a cone", "question"),
        ("Does the shock detach?", "question"),
        ("find papers on wing flutter", "request"),
        ("Brad moved to Paris", "statement"),
        ("Describes the work of a library", "verb"),
        ("I have a cough. What can it be", "several"),
    ],
)
def test_what_a_query_is_shows_in_its_words(query: str, form: str) -> None:
    assert form_of(parsed(query)) == form


def test_a_question_is_not_asked_about_a_question() -> None:
    made = rephrased(parsed("what is the drag of a cone?"), {}, random.Random(0))
    assert "question" not in made


def test_a_phrase_becomes_a_question_with_its_article() -> None:
    query = parsed("drag of blunt bodies")
    text, _ = rephrased(query, {}, random.Random(0), article="the ")["question"]
    assert "the drag of blunt bodies" in text
    assert text.endswith("?")


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("the flow of air at 4.5 mm", "flow air 4.5 mm"),
        ("Brad can't sleep", "Brad not sleep"),
        ("XP is no longer supported", "XP no longer supported"),
        ("floods before May 1990", "floods before May 1990"),
    ],
)
def test_keywords_keep_negations_numbers_and_months(query: str, expected: str) -> None:
    assert " ".join(keywords(parsed(query))) == expected


@pytest.mark.parametrize(
    "query",
    ["Brad can't sleep in May", "no library was built by Virginia Woolf", "iOS 9 without iTunes"],
)
def test_every_form_keeps_negation_names_and_numbers(query: str) -> None:
    for seed in range(5):
        for kind, (text, _) in rephrased(parsed(query), {}, random.Random(seed)).items():
            for word in ("May", "Virginia", "Woolf", "9", "iTunes", "without"):
                assert (word in text) >= (word in query), (kind, text)
            if "can't" in query:
                assert "can't" in text or "not" in text, (kind, text)


def test_parts_of_a_phrase_change_places() -> None:
    assert reordered(parsed("the effects of velocity and temperature"))[0] == (
        "the effects of temperature and velocity"
    )


@pytest.mark.parametrize(
    "query",
    [
        "theatre and performing arts collections",  # "performing" goes with "arts"
        "Alex has an encounter with John and wakes up in his bed",
    ],
)
def test_a_word_bound_to_one_of_two_stays_with_it(query: str) -> None:
    assert reordered(parsed(query)) == ("", "")


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("a thin wing in supersonic flow", "thin wings in supersonic flow"),
        ("thin plates in supersonic flow", ""),
    ],
)
def test_a_plural_has_no_article(query: str, expected: str) -> None:
    assert plural_of(parsed(query), _KNOWN)[0] == expected


@pytest.mark.parametrize(
    ("query", "had", "expected"),
    [
        ("thin wing in supersonic flow", "", "a "),
        ("effect of heat on wings", "", "the "),
        ("old effect", "", "an "),
        ("thin wings", "", ""),
        ("public library training", "", ""),
        ("ship in a bottle", "", None),
        ("ship in a bottle", "a ", "a "),
    ],
)
def test_a_phrase_gets_the_article_that_a_sentence_needs(query, had, expected) -> None:
    assert article_of(parsed(query), had, _KNOWN) == expected


@pytest.mark.parametrize(
    "query", ["two thin wings", "every library in the world", "The Invention of Libraries"]
)
def test_a_number_that_something_agrees_with_stays(query: str) -> None:
    assert plural_of(parsed(query), _KNOWN) == ("", "")


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


def test_short_words_and_names_are_never_mistyped() -> None:
    assert mistyped("the flow of air", random.Random(0)) == ("the flow of air", "")
    assert mistyped("by Virginia", random.Random(0), {"Virginia"}) == ("by Virginia", "")


@pytest.mark.parametrize(
    ("query", "numeral", "abbreviation"),
    [
        ("three children in a boat", "3 children in a boat", ""),
        ("the 3 stages of sleep", "the three stages of sleep", ""),
        ("The Three Musketeers", "", ""),
        ("public libraries in the United Kingdom", "", "public libraries in the UK"),
        ("UK libraries", "", "United Kingdom libraries"),
        ("5 per cent of libraries", "", "5% of libraries"),
        ("tell us about libraries", "", ""),
    ],
)
def test_numbers_and_names_are_written_in_their_other_way(query, numeral, abbreviation) -> None:
    assert renumbered(parsed(query))[0] == numeral
    assert abbreviated(parsed(query))[0] == abbreviation


def test_a_verbose_form_frames_the_phrase_with_its_article() -> None:
    text, _ = rephrased(parsed("effect of heat on wings"), _KNOWN, random.Random(0))["verbose"]
    assert "the effect of heat on wings" in text
    assert len(text.split()) > 12
