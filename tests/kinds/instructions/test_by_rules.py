"""Instructions built by rules from a corpus."""

import random
from collections import Counter

import pytest

from leadline.kinds import benchmark_folder as folder
from leadline.kinds.instructions import by_rules, is_instructed
from leadline.kinds.instructions.by_rules import find_topics, is_term
from leadline.kinds.instructions.cores import filled, in_refusal, wordings
from leadline.kinds.word_rarity import harvest
from leadline.text.attributes import holds, length_class
from leadline.types import Document, Query
from tables import each_row

CRANE = Document(
    "crane",
    "The harbour crane lifts timber from the ships. Oak planks arrive every week in spring. "
    "Oak planks are stacked by the old gate. Workers check the chains each morning. "
    "Steel cables replaced the ropes after the war. Steel cables need oil in winter. "
    "A guide shows the crane to visitors on Sundays. Visitors pay nothing for the tour.",
    "The harbour crane",
    {"district": "north"},
)
BRIDGE = Document(
    "bridge",
    "The river bridge carries trams across the water. Oak planks once covered the deck. "
    "Steel cables hold the deck today. The bridge closes at night for repairs.",
    "The river bridge",
    {"district": "south"},
)
CORPUS = {each.id: each for each in (CRANE, BRIDGE)}


def test_every_dimension_has_several_dozen_wordings_and_none_twice():
    for dimension in ("audience", "keyword", "format", "language", "length", "source"):
        for made in (wordings("asked", dimension), wordings("refused", dimension)):
            assert len(made) >= 24 and len(set(made)) == len(made)
        assert not set(wordings("asked", dimension)) & set(wordings("refused", dimension))


def test_a_document_is_cut_into_lengths_and_parts():
    built = by_rules.build(CORPUS, limit=5)
    assert set(built.built["core queries"]) <= {"keyword", "length"}
    assert {query.facets["document"] for query in built.queries}.isdisjoint(built.corpus)
    for query in built.queries:
        gold = [id for id, grade in built.qrels[query.id].items() if grade]
        if query.facets["mode"] != "instructed":
            continue
        [only] = gold
        text, condition = built.corpus[only].text, query.facets["condition"]
        if query.facets["dimension"] == "length":
            assert length_class(text) == condition
        else:
            others = [id for id in built.qrels[query.id] if id != only]
            assert holds(text, condition)
            assert not any(holds(built.corpus[id].text, condition) for id in others)


def test_judged_queries_whose_documents_differ_become_core_queries():
    long = Document("long", "The crane lifts timber from ships all day. " * 30, "Crane")
    short = Document("short", "The crane lifts timber from ships.")
    built = by_rules.build(
        {"long": long, "short": short},
        queries=[Query("q", "what does the crane lift?")],
        qrels={"q": {"long": 1, "short": 1}},
    )
    length = [each for each in built.queries if each.facets["dimension"] == "length"]
    assert {each.facets["condition"] for each in length} == {"sentence", "article"}
    assert built.corpus["long"] is long


def test_it_is_written_and_read_as_a_benchmark_folder(tmp_path):
    built = by_rules.build(CORPUS, limit=5)
    assert is_instructed(built.queries)
    folder.write(tmp_path, built)
    read = folder.build(tmp_path)
    assert (read.kind, read.built_by, read.depth) == ("instructions", "rules", 100)
    assert [metric.name for metric in read.metrics] == [each.name for each in built.metrics]


# Topics and parts


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


@pytest.mark.parametrize(
    "title",
    ["the vatican library", "library services in scottish hospitals", "Lens of the old lighthouse"],
)
def test_a_noun_phrase_is_a_topic(title):
    assert title in _topics(title)


@each_row
def test_what_cannot_be_asked_for_is_no_topic(title):
    assert title not in _topics(title)


def test_a_topic_is_bare_where_it_would_need_an_article():
    found = _topics("Lamp of the old lighthouse", "The vatican library", "Libraries in india")
    assert found == {
        "Lamp of the old lighthouse": True,
        "The vatican library": False,
        "Libraries in india": False,
    }


@each_row
def test_a_sentence_that_tells_something_stands_alone(sentence):
    assert by_rules._stands_alone(sentence)


@each_row
def test_what_hangs_on_other_sentences_does_not_stand_alone(sentence):
    assert not by_rules._stands_alone(sentence)


@pytest.mark.parametrize(
    ("sentences", "gap", "sentences_after", "lengths"),
    [
        (16, "", 0, {"sentence", "paragraph"}),  # an abstract of 200 words is no article
        (16, " ", 16, {"sentence", "paragraph"}),  # nor is one block of 400
        (16, "\n\n", 16, {"sentence", "paragraph", "article"}),
        (4, " ", 4, {"sentence", "paragraph"}),
        (4, "\n\n", 4, None),  # a text with blank lines is no single paragraph
    ],
)
def test_a_document_is_called_only_what_its_length_is(sentences, gap, sentences_after, lengths):
    best = "The old crane of the harbour lifts heavy timber from the ships every day."
    more = "Workers oil the chains before the first ship comes in each morning."
    text = f"{best} {' '.join([more] * sentences)}{gap}{' '.join([more] * sentences_after)}"
    document = Document("c", text, "The old harbour crane")
    found = by_rules.cut_by_length(document, "The old harbour crane", _pools(text))
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
    said = filled("I don't want {one}.", *in_refusal("a single sentence", "single sentences"))
    assert said == "I don't want a one-sentence answer."
