import inspect

import pytest

from leadline.errors import InputError
from leadline.llm.account import Account, Endpoint
from leadline.llm.opening import (
    Findings,
    ModelPlace,
    effort_of,
    keep_findings,
    open_llm,
    place_beside,
    takes_model,
)
from tables import each_row


def test_without_a_model_the_ways_to_name_one_are_said():
    with pytest.raises(InputError, match=r"listwise needs a model\. Write listwise:NAME, or --llm"):
        open_llm("listwise", ModelPlace())


def test_an_endpoint_keeps_its_answers_in_the_user_s_cache(tmp_path, monkeypatch):
    pytest.importorskip("openai")
    monkeypatch.setenv("LEADLINE_CACHE", str(tmp_path))
    place = ModelPlace("tiny", "http://localhost/v1", concurrency=3)
    llm = open_llm("listwise", place)
    assert llm.store.path == tmp_path / "llm" / "answers.sqlite"
    assert llm.limits.concurrency == 3
    assert llm.settings == {"model": "tiny", "base_url": "http://localhost/v1", "mode": "chat"}


def test_a_stage_declares_the_options_of_a_place_once():
    @takes_model
    def build(place: ModelPlace, *, window: int = 20, max_length: int | None = 7) -> object:
        return place, window, max_length

    place, window, max_length = build("tiny", llm="http://localhost/v1", window=3)
    assert (place.model, place.llm, window, max_length) == ("tiny", "http://localhost/v1", 3, 7)
    names = list(inspect.signature(build).parameters)
    assert names[:4] == ["model", "window", "max_length", "llm"]
    assert names.count("max_length") == 1  # what a stage declares itself stays its own
    with pytest.raises(TypeError, match="windows"):
        build(windows=3)


def test_a_command_says_how_long_calls_may_take_and_how_many_go_at_once():
    pytest.importorskip("openai")
    with Account(concurrency=4, timeout=7).kept():
        limits = open_llm("listwise", ModelPlace("tiny", "http://localhost/v1")).limits
        own = open_llm("listwise", ModelPlace("tiny", "http://localhost/v1", timeout=9)).limits
    assert (limits.concurrency, limits.timeout, own.timeout) == (4, 7, 9)


def test_an_endpoint_may_know_the_model_by_another_name():
    pytest.importorskip("openai")
    llm = open_llm(
        "listwise", ModelPlace("published/name", "http://localhost/v1", llm_model="tiny")
    )
    assert llm.name == "tiny"


@pytest.mark.parametrize(
    "place",
    [
        ModelPlace("mistral:tiny"),
        ModelPlace(llm="mistral:tiny"),
        ModelPlace("published/name", "mistral:tiny"),
        ModelPlace("tiny", "https://api.mistral.ai/v1", key_env="MISTRAL_API_KEY"),
    ],
)
def test_a_provider_s_model_is_opened_with_what_it_is_known_to_refuse(place, monkeypatch):
    pytest.importorskip("openai")
    monkeypatch.setenv("MISTRAL_API_KEY", "x")
    llm = open_llm("listwise", place)
    assert (llm.name, llm.base_url) == ("tiny", "https://api.mistral.ai/v1")
    assert llm.quirks == {"seed"}


def test_a_second_model_is_named_wholly_or_by_its_name_at_the_same_endpoint(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "x")
    own = Endpoint("http://localhost/v1", "tiny", "MY_KEY")
    with Account(default=own).kept():
        assert place_beside("judge") == ModelPlace("judge", "http://localhost/v1", key_env="MY_KEY")
        assert place_beside("judge", "http://other/v1").key_env == ""
        assert place_beside("openai:gpt").llm == "https://api.openai.com/v1"
    here = Account(default=Endpoint("", "./tiny.gguf"))
    with here.kept(), pytest.raises(InputError, match="Unknown language model 'judge'"):
        place_beside("judge")


def test_what_was_found_about_a_model_holds_for_later_runs():
    pytest.importorskip("openai")
    place = ModelPlace("tiny", "http://localhost/v1")
    keep_findings(place.llm, place.model, Findings("low", ("temperature",)))
    with Account(default=Endpoint(place.llm, "tiny")).kept():
        llm = open_llm("listwise", ModelPlace())
        assert (llm.quirks, effort_of(llm)) == ({"temperature"}, "low")
    with Account(default=Endpoint(place.llm, "tiny"), effort="high").kept():
        assert effort_of(llm) == "high"
    with Account(default=Endpoint(place.llm, "other")).kept():
        assert effort_of(open_llm("listwise", ModelPlace())) == "high"


@each_row
def test_a_small_model_is_known_by_its_name(name, effort):
    pytest.importorskip("openai")
    with Account(default=Endpoint("http://localhost/v1", name)).kept():
        assert effort_of(open_llm("listwise", ModelPlace())) == effort
