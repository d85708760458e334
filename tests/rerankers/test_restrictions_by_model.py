"""Reading what a query asks of documents by a language model, on scripted answers."""

import json

import pytest

from leadline.llm.scripted import ScriptedLLM
from leadline.rerankers.by_attribute import ByAttribute, ModelReader
from leadline.types import Document, Query

SHORT = Document("short", "Hold your breath for as long as you can.")
LONG = Document("long", "Hold your breath and drink ice water, then wait a little. " * 40)
CORPUS = {each.id: each for each in (LONG, SHORT)}
QUERY = Query("q", "How do I stop hiccups, in the fewest words you have?")


def said(*entries):
    names = ("dimension", "condition", "refused")
    return json.dumps({"restrictions": [dict(zip(names, each, strict=True)) for each in entries]})


def ranked(answer):
    reranker = ByAttribute(1.0, 1.2, ModelReader(ScriptedLLM(lambda prompt: answer)))
    return list(reranker.rerank([QUERY], CORPUS, {"q": list(CORPUS)})["q"])


def test_a_restriction_that_rules_do_not_know_is_read():
    assert ranked(said(("length", "sentence", False))) == ["short", "long"]
    assert ranked(said(("length", "sentence", True))) == ["long", "short"]


def test_a_query_with_a_topic_only_keeps_its_order():
    assert ranked(said()) == ["long", "short"]


def test_words_that_the_query_does_not_have_restrict_nothing():
    reader = ModelReader(ScriptedLLM(lambda prompt: said(("keyword", "ice water", True))))
    [reading] = reader.read([QUERY])
    assert reading == []


@pytest.mark.parametrize(
    "answer", ["no idea", '{"restrictions": 3}', said(("length", "endless", False)), ""]
)
def test_what_is_no_answer_is_read_by_rules_and_counted(answer):
    reader = ModelReader(ScriptedLLM(lambda prompt: answer))
    query = Query("q", "How do I stop hiccups?", instruction="One sentence only, please.")
    [reading] = reader.read([query])
    assert [str(each) for each in reading] == ["length: sentence"]
    assert sum(reader.failures.values()) == 1


def test_a_query_is_asked_about_once():
    llm = ScriptedLLM(lambda prompt: said())
    reader = ModelReader(llm)
    reader.read([QUERY, QUERY])
    reader.read([QUERY])
    assert len(llm.asked) == 1
