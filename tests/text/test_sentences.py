"""Where sentences begin and end, in text as people and punched cards write it."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from leadline.text.sentences import split_sentences


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
