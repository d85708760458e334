"""Where sentences begin and end, in text as people and punched cards write it."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from leadline.sentences import joined_lines
from leadline.synthesis.sentences import salience, split_sentences


def texts(text: str) -> list[str]:
    return [sentence.text for sentence in split_sentences(text)]


def test_full_stops_end_sentences_but_abbreviations_and_decimals_do_not() -> None:
    assert texts("Dr. Lee gave 4.7 mg, e.g. twice. It helped.") == [
        "Dr. Lee gave 4.7 mg, e.g. twice.",
        "It helped.",
    ]


def test_an_enumerator_belongs_to_the_sentence_after_it() -> None:
    assert texts("1. Left atrial enlargement. 2. Normal valve.") == [
        "1. Left atrial enlargement.",
        "2. Normal valve.",
    ]


def test_text_without_capitals_is_split_at_its_full_stops() -> None:
    assert texts("the flow is steady . it separates at the nose .") == [
        "the flow is steady .",
        "it separates at the nose .",
    ]


def test_a_small_letter_after_a_full_stop_goes_on_in_text_with_capitals() -> None:
    assert texts("Given b.i.d. as needed. Then stopped.") == [
        "Given b.i.d. as needed.",
        "Then stopped.",
    ]


def test_two_full_stops_stand_for_a_colon() -> None:
    assert texts("two flows are considered .. free and forced .") == [
        "two flows are considered .. free and forced ."
    ]


def test_blank_lines_and_bullets_end_sentences() -> None:
    assert texts("A heading\n\nA line\n- one thing\n- another") == [
        "A heading",
        "A line",
        "- one thing",
        "- another",
    ]


@given(st.text(max_size=400))
def test_sentences_hold_everything_but_white_space(text: str) -> None:
    found = split_sentences(text)
    assert all(text[s.start : s.end] == s.text for s in found)
    assert all(a.end <= b.start for a, b in pairwise(found))
    kept = "".join("".join(s.text.split()) for s in found)
    assert kept == "".join(text.split())


def test_a_number_and_rare_words_make_a_sentence_salient() -> None:
    def rarity(word: str) -> float:
        return 0.1 if word in {"patient", "seen"} else 0.9

    assert salience("Zircon weighs 47 grams in quartz veins.", rarity) > salience(
        "The patient was seen by the patient.", rarity
    )


def test_a_sentence_of_function_words_says_nothing() -> None:
    assert salience("It was what it was.", lambda _: 1.0) == 0.0


WRAPPED = """The harbour was dredged in 1986, and since then ships of up to 9,000
tonnes have called there. In winter a pilot is taken on, who comes from
Ayr."""


def test_breaks_that_only_wrap_a_line_become_blanks() -> None:
    assert joined_lines(WRAPPED) == WRAPPED.replace("\n", " ")
    assert joined_lines(WRAPPED + "\n\n" + WRAPPED) == "\n\n".join(2 * [WRAPPED.replace("\n", " ")])


def test_breaks_that_mean_something_stay() -> None:
    address = "Lund and Sons, ship chandlers and sailmakers of Ayr\n12 Quay Road\nHarbour Town"
    assert joined_lines(address) == address
    marked = WRAPPED.replace("\n", "\n- ")
    assert joined_lines(marked) == marked


@given(st.text(alphabet="ab .-#\n\r\t", max_size=300))
def test_joined_lines_keep_every_place(text: str) -> None:
    joined = joined_lines(text)
    assert len(joined) == len(text)
    assert all(
        one == other or (one, other) == ("\n", " ") for one, other in zip(text, joined, strict=True)
    )
