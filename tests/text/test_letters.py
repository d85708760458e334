import unicodedata

from leadline.diagnosis.causes import content_words
from leadline.metrics.answers import exact_match
from leadline.retrievers.graph import phrase
from leadline.text.letters import MARKS, comparable


def test_every_mark_but_those_that_choose_a_form_belongs_to_words() -> None:
    every = (chr(code) for code in range(0x110000))
    marks = {each for each in every if unicodedata.category(each).startswith("M")}
    left_out = marks - set(MARKS)
    assert all("VARIATION SELECTOR" in unicodedata.name(each) for each in left_out)


def test_words_keep_their_marks_wherever_we_compare_them() -> None:
    typed, drawn = "café ज्वार", unicodedata.normalize("NFD", "Café ज्वार")
    assert content_words(drawn) == content_words(typed) == ["café", "ज्वार"]
    assert phrase(drawn) == phrase(typed) == "café ज्वार"
    assert exact_match(drawn, typed) == 1


def test_plain_text_is_compared_in_small_letters_as_it_is() -> None:
    text = "Straße Ωμέγα Жя naïve 3½"
    assert comparable(text) == text.lower()
