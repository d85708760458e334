"""Ranking by topic and by what an instruction asks of documents."""

import json

import pytest

from leadline.errors import InputError
from leadline.rerankers import by_attribute
from leadline.rerankers.by_attribute import ByAttribute, reader_of
from leadline.text.attributes import Span
from leadline.types import Document, Query, Ranked
from scripted import ScriptedLLM
from tables import each_row

SHORT = Document("short", "Hold your breath for as long as you can.")
LONG = Document("long", "Hold your breath and drink ice water, then wait a little. " * 40)
CHINESE = Document("chinese", "打嗝的时候可以屏住呼吸，慢慢喝一杯冰水，一般几分钟就会停下来。")
CORPUS = {each.id: each for each in (LONG, SHORT, CHINESE)}


def ranked(instruction, **options):
    query = Query("q", "How do I stop hiccups?", instruction=instruction)
    run = by_attribute.build(**options).rerank([query], CORPUS, {"q": list(CORPUS)})
    return list(run["q"])


def test_a_query_without_restriction_keeps_its_order_and_its_scores():
    query = Query("q", "How do I stop hiccups?")
    run = by_attribute.build().rerank([query], CORPUS, {"q": ["short", "long"]})
    assert list(run["q"]) == ["short", "long"]
    assert run["q"]["short"] == 0.0


def test_ties_of_the_stage_before_stay_ties():
    # Twins share rank 1 and meet or miss each restriction alike; the third has rank 3.
    twin = Document("twin", SHORT.text)
    corpus = {**CORPUS, "twin": twin}
    before = {"q": Ranked({"twin": 2.0, "short": 2.0, "long": 1.0})}
    query = Query("q", "How do I stop hiccups?", instruction="One sentence is enough.")
    (found,) = by_attribute.build().rerank([query], corpus, before).values()
    assert found["twin"] == found["short"] > found["long"]


@each_row
def test_what_meets_a_restriction_comes_first(instruction, first):
    assert ranked(instruction)[0] == first


def test_words_that_no_candidate_holds_restrict_nothing():
    assert ranked("It has to mention granulated sugar.") == list(CORPUS)


def test_it_says_what_was_understood_and_how_it_is_met():
    query = Query("q", "How do I stop hiccups?", instruction="Not in Chinese, please.")
    told = by_attribute.build().explain(query, [SHORT, CHINESE])
    [short], [chinese] = told["short"], told["chinese"]
    assert short.asked == "language: not zh"
    assert (short.found, chinese.found) == ("en", "zh")
    assert (short.verdict, chinese.verdict) == ("met", "contradicted")
    assert short.degree > 0.9 and chinese.degree < 0.1


def test_a_weight_out_of_range_is_refused():
    with pytest.raises(InputError, match="strength"):
        by_attribute.build(strength=-1)


# By a language model

UNRULY = Query("q", "How do I stop hiccups, in the fewest words you have?")


def said(*entries):
    names = ("dimension", "condition", "refused")
    return json.dumps({"restrictions": [dict(zip(names, each, strict=True)) for each in entries]})


def ranked_by_model(answer):
    reranker = ByAttribute(1.0, 1.2, reader_of(ScriptedLLM(lambda prompt: answer)))
    return list(reranker.rerank([UNRULY], CORPUS, {"q": ["long", "short"]})["q"])


def test_a_restriction_that_rules_do_not_know_is_read():
    assert ranked_by_model(said(("length", "sentence", False))) == ["short", "long"]
    assert ranked_by_model(said(("length", "sentence", True))) == ["long", "short"]


def test_a_length_in_numbers_is_read_as_the_query_has_it():
    query = Query("q", "How do I stop hiccups? At most ten words.")
    reader = reader_of(ScriptedLLM(lambda prompt: said(("length", "At most ten words", False))))
    [[reading]] = reader.read([query])
    assert reading.lengths == Span(0, 12.5)  # ten words, and a quarter more


@pytest.mark.parametrize(
    "answer",
    [
        "no idea", '{"restrictions": 3}', said(("length", "endless", False)), "",
        said(("keyword", "ice water", True)), said(("length", 3, True)),
        said(("length", "sentence", "no")),
    ],
)  # fmt: skip
def test_what_is_no_answer_is_read_by_rules_and_counted(answer):
    reader = reader_of(ScriptedLLM(lambda prompt: answer))
    query = Query("q", "How do I stop hiccups?", instruction="One sentence only, please.")
    reranker = ByAttribute(1.0, 1.2, reader)
    [reading] = reader.read([query])
    assert [str(each) for each in reading] == ["length: sentence"]
    assert reranker.failures == {"no usable answer, so that rules read the query": 1}
    assert reranker.asked == 1


def test_a_query_is_asked_about_once():
    llm = ScriptedLLM(lambda prompt: said())
    reader = reader_of(llm)
    reader.read([UNRULY, UNRULY])
    reader.read([UNRULY])
    assert len(llm.asked) == 1
