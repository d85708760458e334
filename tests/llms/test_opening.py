import pytest

from leadline.errors import InputError
from leadline.llms.opening import Place, open_llm


def test_no_model_is_told_with_both_ways_to_name_one():
    with pytest.raises(InputError, match="listwise needs a model: listwise:NAME for one in this"):
        open_llm("listwise", Place())


def test_an_endpoint_keeps_its_answers_where_it_is_told(tmp_path):
    pytest.importorskip("openai")
    place = Place("tiny", "http://localhost/v1", concurrency=3, cache=tmp_path)
    llm = open_llm("listwise", place)
    assert llm.store.path == tmp_path / "answers.sqlite"
    assert llm.limits.concurrency == 3
    assert llm.settings == {"model": "tiny", "base_url": "http://localhost/v1", "mode": "chat"}


def test_an_endpoint_may_know_the_model_by_another_name():
    pytest.importorskip("openai")
    llm = open_llm("listwise", Place("published/name", "http://localhost/v1", llm_model="tiny"))
    assert llm.name == "tiny"


def test_a_local_model_is_not_loaded_before_it_is_asked():
    pytest.importorskip("transformers")
    assert open_llm("listwise", Place("no/such-model", max_length=99)).name == "no/such-model"
