"""Tests of what instructions are made of: topics, terms, sentences that stand alone, parts."""

import random
from collections import Counter

import pytest

from leadline.kinds.instructions import by_rules
from leadline.kinds.instructions.by_rules import find_topics, is_common, is_term
from leadline.kinds.instructions.cores import filled, in_refusal
from leadline.kinds.instructions.documents import shape_of
from leadline.kinds.pools import harvest
from leadline.types import Document


def _pools(*texts):
    corpus = {str(n): Document(str(n), text) for n, text in enumerate(texts)}
    return harvest(corpus, pairs=True)


def _topics(*titles, text="Something is said here about it."):
    corpus = {str(n): Document(str(n), text, title) for n, title in enumerate(titles)}
    found = find_topics(corpus, _pools(), Counter(), 10, random.Random(1))
    return {topic.text: topic.is_bare for topic in found.values()}


def test_a_term_is_a_pair_that_a_corpus_keeps_together():
    # sonic stands in 2 documents, both times before line; dance only once with single
    pools = _pools("the sonic line", "a sonic line there", "a single dance", "one dance")
    assert is_term(pools, "sonic line")
    assert not is_term(pools, "single dance")
    assert not is_term(pools, "sonic")


def test_a_pair_of_words_that_mostly_go_with_others_is_no_term():
    # information stands beside staff in 2 of staff's 20 documents: 0.1 is below 0.12
    others = ["the staff went home"] * 18 + ["information of all kinds"] * 18
    pools = _pools(*others, "information staff", "information staff")
    assert not is_term(pools, "information staff")


def test_words_of_many_documents_are_common():
    pools = _pools(*["a library"] * 6, *["a harbour"] * 2)
    assert is_common(pools, "library hall")
    assert not is_common(pools, "harbour hall")


@pytest.mark.parametrize(
    "title",
    [
        "the vatican library",
        "library services in scottish hospitals",
        "Lens of the old lighthouse",
    ],
)
def test_a_noun_phrase_is_a_topic(title):
    assert title in _topics(title)


@pytest.mark.parametrize(
    "title",
    [
        "some features of blunted cones",  # nobody types "some"
        "interim report with major consequences",  # says what the text is
        "culture in hedemora-a challenge",  # a dash glued to its words
        "the 2union catalogue of theses1",  # marks left over from printing
        "libraries are changing",  # a clause
        "libraries: an overview",  # two titles in one
    ],
)
def test_what_cannot_be_asked_for_is_no_topic(title):
    assert title not in _topics(title)


def test_a_topic_is_bare_where_it_would_need_an_article():
    found = _topics("Lamp of the old lighthouse", "The vatican library", "Libraries in india")
    assert found == {
        "Lamp of the old lighthouse": True,
        "The vatican library": False,
        "Libraries in india": False,
    }


def test_a_title_written_as_a_name_stands_as_it_is_written():
    assert _topics("The Ice Photographer") == {"The Ice Photographer": True}


@pytest.mark.parametrize(
    "sentence",
    [
        "The library of the peace palace serves three courts.",
        "Public libraries in India have grown since 1950.",
    ],
)
def test_a_sentence_that_tells_something_stands_alone(sentence):
    assert by_rules._stands_alone(sentence, {"library"})


@pytest.mark.parametrize(
    "sentence",
    [
        "Consequently, simple solutions were found by the team.",  # goes on from another
        "The problem occurs in wing noses of this kind.",  # which kind
        "The problem occurs in wing noses.",  # which problem
        "The flow about a moving body is considered.",  # says nothing of it
        "The project's purpose was a national catalogue.",  # about the text
        "The cytoplasm has no membranes, as is borne out by e.",  # cut at an abbreviation
        "The transport into bone was de- creased in rats.",  # a word cut by a line
        "Strega Nona helps all the people.She hires Anthony.",  # two, without a space
        "On the roof of her house the dream comes true.",  # whose house
        "In spite of that the collections grow.",  # in spite of what
    ],
)
def test_what_hangs_on_other_sentences_does_not_stand_alone(sentence):
    assert not by_rules._stands_alone(sentence)


def test_a_sentence_behind_an_abbreviation_is_not_whole():
    assert by_rules._is_whole(["It weighed 5 pounds.", "Tissue decreased."], 1)
    assert not by_rules._is_whole(["It weighed 5 mg per g.", "Tissue decreased."], 1)


def test_an_abstract_of_200_words_is_no_article():
    sentence = "The old crane of the harbour lifts heavy timber from the ships every day."
    rest = " ".join(["Workers oil the chains before the first ship comes in each morning."] * 16)
    document = Document("c", f"{sentence} {rest}", "The old harbour crane")
    assert 191 <= shape_of(document.text).words < 300
    found = by_rules.cut_by_length(document, "The old harbour crane", _pools(document.text))
    assert set(found.golds) == {"sentence", "paragraph"}


def test_an_article_has_300_words_and_more_than_one_block():
    sentence = "The old crane of the harbour lifts heavy timber from the ships every day."
    rest = " ".join(["Workers oil the chains before the first ship comes in each morning."] * 16)
    for gap, more in ((" ", set()), ("\n\n", {"article"})):
        long = Document("c", f"{sentence} {rest}{gap}{rest}", "The old harbour crane")
        found = by_rules.cut_by_length(long, "The old harbour crane", _pools(long.text))
        assert set(found.golds) == {"sentence", "paragraph"} | more


def test_a_text_with_blank_lines_is_no_single_paragraph():
    sentence = "The old crane of the harbour lifts heavy timber from the ships every day."
    rest = "Workers oil the chains before the first ship comes in. " * 4
    for gap, lengths in ((" ", {"sentence", "paragraph"}), ("\n\n", None)):
        document = Document("c", f"{sentence} {rest}{gap}{rest}", "The old harbour crane")
        found = by_rules.cut_by_length(document, "The old harbour crane", _pools(document.text))
        assert (set(found.golds) if found else None) == lengths


def test_a_part_without_words_of_its_own_answers_but_meets_nothing():
    text = (
        "The harbour crane lifts timber. Ships bring oak planks every week, which are put "
        "by the old gate until the carpenters come for them in May. "
        "The harbour crane is oiled by the workers each morning before the ships come in, and "
        "visitors may watch them from the wall on every Sunday of the year."
    )
    pools = _pools(text, "Oak planks are sold here.", "Oak planks again.")
    found, others = by_rules.cut_by_words(Document("d", text, "The harbour crane"), "crane", pools)
    assert list(found) == ["oak planks"]
    assert [each.id for each in others] == ["d~part2"]


def test_a_refusal_of_one_sentence_does_not_sound_like_none_at_all():
    name = ("a single sentence", "single sentences")
    said = [filled(each, *in_refusal(*name)) for each in ("I don't want {one}.", "Skip {many}.")]
    assert said == [
        "I don't want a one-sentence answer.",
        "Skip one-sentence answers.",
    ]
