"""What a query asks of documents beside its topic, and whether it wants or refuses it."""

import pytest

from leadline.rerankers.parts.restrictions import is_refused, lengths_in, read
from leadline.types import Query
from tables import each_row

NEED = "How do I get rid of hiccups?"


def understood(instruction, text=NEED):
    return [str(each) for each in read(Query("q", text, instruction=instruction))]


@each_row
def test_an_instruction_is_read(instruction, reading):
    assert reading in understood(instruction)


@pytest.mark.parametrize(
    "instruction", ["No more than 50 words.", "At most three sentences, please.", "About 90 words."]
)
def test_lengths_in_numbers_are_read(instruction):
    [restriction] = read(Query("q", NEED, instruction=instruction))
    assert restriction.dimension == "length" and restriction.lengths is not None
    assert not restriction.negated


def test_a_number_of_sentences_is_turned_into_words():
    [(span, _, _)] = lengths_in("five or six sentences")
    # 18 words a sentence: 90 to 108, and some room on either side.
    assert (span.low, span.high) == pytest.approx((90 * 0.6, 108 * 1.6))


@each_row
def test_a_query_on_a_topic_restricts_nothing(text):
    assert [each for each in read(Query("q", text)) if each.negated] == []


@pytest.mark.parametrize(
    ("text", "reading"),
    [
        (f"{NEED} Please answer in Chinese.", "language: zh"),
        # Without a space between them, sentences are parted all the same.
        ("Exercises for weight loss.Please avoid news articles.", "source: not news article"),
        ("ways to cure hiccups, but no forum posts", "source: not forum post"),
    ],
)
def test_a_query_of_one_text_may_restrict(text, reading):
    assert [str(each) for each in read(Query("q", text))] == [reading]


@each_row
def test_what_is_named_is_wanted_or_refused(sentence, name, refused):
    start = sentence.index(name)
    assert is_refused(sentence, start, start + len(name)) is refused


@pytest.mark.parametrize("sentence", ["Please cite a source.", "Name your source."])
def test_a_source_that_is_named_is_no_code(sentence):
    assert understood(sentence) == []
