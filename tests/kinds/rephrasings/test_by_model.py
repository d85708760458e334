"""Rephrasings by a scripted model: written, checked by code, and read."""

import json

import pytest

from leadline.kinds.questions import by_model as pooling
from leadline.kinds.rephrasings import by_model
from leadline.llm.pipeline.steps import Models
from leadline.llm.run_record import RunRecord
from leadline.types import Query
from questions_writer import TOWNS, answer, towns
from scripted import ScriptedLLM

QUERY = Query("q", "who built the old mill of Bath in 1820")


@pytest.fixture(autouse=True)
def _only_bm25(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pooling, "find_spec", lambda _: None)


def build(queries, script=answer, corpus=None, **options):
    llm = ScriptedLLM(script)
    models = Models(llm, llm, attempts=2, **options)
    into = RunRecord("t")
    return by_model.build(corpus or {}, models, into, queries=queries), llm, into


def forms(**texts: str):
    given = [{"style": style, "text": text} for style, text in texts.items()]
    return lambda prompt: '{"bad": [3]}' if "<forms>" in prompt else json.dumps({"forms": given})


def test_forms_that_changed_a_name_repeat_another_or_are_bad_are_dropped() -> None:
    script = forms(
        keywords="builder old mill Bath 1820",
        abbreviated="Who built the old mill of Bath in 1820?",  # the words of the query
        polite="Please tell me who built the old mill of Bath in 1920.",
        verbose="I want to know who built the old mill of Bath in 1820 and why.",
        synonyms="who erected the ancient mill of Bath in 1820",
        haiku="old mill",
        reordered="the old mill of Bath in 1820, who built it",
    )
    made, llm, into = build([QUERY], script)
    assert [(each.id, each.facets["kind"]) for each in made.queries] == [
        ("q", "original"), ("q~keywords", "keywords"), ("q~verbose", "verbose"),
        ("q~reordered", "reordered"), ("q~typo", "typo"),
    ]  # fmt: skip
    assert made.built["forms"]["abbreviated: the same words as another form"] == 1
    assert made.built["forms"]["polite: another name or number"] == 1
    assert made.built["forms"]["synonyms: bad, as its reader says"] == 1
    assert (len(llm.asked), into.measured["rephrasings"]) == (2, {"q": "kept"})
    assert not made.qrels


def test_fewer_than_three_forms_are_no_topic() -> None:
    made, _, into = build([QUERY], forms(keywords="builder old mill Bath 1820"))
    assert not made.queries
    assert made.built["dropped"] == {"fewer than 3 forms": 1}
    assert into.measured["rephrasings"] == {"q": "fewer than 3 forms"}


def test_a_weak_model_is_asked_for_one_form_a_call_and_an_unfit_reader_for_nothing() -> None:
    script = forms(keywords="builder old mill Bath 1820", polite="Please help: Bath 1820?",
                   verbose="I want to know who built the old mill of Bath in 1820.")  # fmt: skip
    made, llm, _ = build([QUERY], script, effort="low", reads=False)
    assert len(llm.asked) == 3
    assert made.built["forms"]["polite: many other words, and not read"] == 1
    assert [each.facets["kind"] for each in made.queries][1:] == ["keywords", "verbose", "typo"]


def test_without_queries_those_of_the_questions_are_rephrased() -> None:
    corpus = towns(*TOWNS[:4])
    made, _, into = build((), corpus=corpus)
    assert {each.topic for each in made.queries} == set(corpus)
    assert made.qrels["mill~polite"] == made.qrels["mill"] == {"mill": 2}
    assert set(into.measured) == {"questions", "rephrasings"}
    made.validated()


def test_a_form_that_answers_or_speaks_of_the_query_is_dropped() -> None:
    script = forms(
        keywords="builder old mill Bath 1820 " * 3,
        polite="Your query asks who built the old mill of Bath in 1820.",
        verbose="The old mill of Bath was built in 1820 by monks, masons, farmers and women.",
    )
    made, _, _ = build([QUERY], script, reads=False)
    assert made.built["forms"] == {
        "keywords: too long": 1,
        "polite: speaks of the query": 1,
        "verbose: many other words, and not read": 1,
    }
