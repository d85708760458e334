import pytest

from leadline.types import Constraint, Fact
from leadline_facts.nearness import Near, rest_of, words_of
from tables import each_row

TEXT = "Ana walks dogs. She paid half of it for the phone. Nice watch, too."
FACT = Fact("money", 5, "Ana", spans=((TEXT.index("half"), TEXT.index("half") + 4),))


def found(*words: str) -> tuple[float, ...]:
    return Near.of(words).found(FACT, TEXT)


def test_a_word_in_the_sentence_or_the_subject_counts_in_full() -> None:
    assert found("phones", "ana") == (1.0, 1.0)


@each_row
def test_the_rest_has_no_words_of_the_constraint(
    query: str, value: str, kind: str, rest: str
) -> None:
    start = query.index(value)
    assert rest_of(query, [Constraint(kind, 0, (start, start + len(value)))]) == rest


def test_words_are_those_that_tell_something() -> None:
    assert words_of("What did the Ana of Ana buy?") == ("ana", "buy")


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("What is the brand and model of the kettle?", ("kettle",)),
        ("Which kind of bird did Ana see?", ("bird", "ana", "see")),
        ("What was the name, the age and the height of Ana?", ("ana",)),
        ("the owner of the kettle", ("owner", "kettle")),
        ("What is the price of it?", ("price",)),
    ],
)
def test_what_is_asked_of_a_thing_does_not_tell_which_one(
    query: str, words: tuple[str, ...]
) -> None:
    assert words_of(query) == words
