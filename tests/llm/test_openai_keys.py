"""Keys and addresses of an endpoint: what is sent, and what is shown nowhere."""

import pickle

import pytest
from openai_calls import KEY, QUICK

from leadline.errors import InputError, ModelError
from leadline.llm.requests import Request
from llm_server import EndpointServer, refused, said

pytest.importorskip("openai")

from leadline.llm.openai import OpenAILLM

pytestmark = pytest.mark.usefixtures("short_waits")


def test_the_key_reaches_the_server_and_no_message(monkeypatch):
    monkeypatch.setenv("TINY_KEY", KEY)

    def play(prompt, _):
        if prompt == "answer":
            return said(f"your key is {KEY}", reasoning_content=f"{KEY}!")
        return refused(400, f"no good with {KEY}")

    with EndpointServer(play) as server:
        llm = OpenAILLM(server.url, "tiny", "TINY_KEY", limits=QUICK)
        found = dict(llm.answers([Request("answer", 9), Request("refuse", 9)]))
    assert server.headers[0]["authorization"] == f"Bearer {KEY}"
    assert found[0].text == "your key is [key]"
    assert KEY not in f"{found} {llm.settings} {llm.failures} {pickle.dumps(llm)!r}"


def test_a_refused_key_is_not_shown(monkeypatch):
    monkeypatch.setenv("TINY_KEY", KEY)
    with EndpointServer(lambda *_: refused(401, f"{KEY} is wrong")) as server:
        llm = OpenAILLM(server.url, "tiny", "TINY_KEY", limits=QUICK)
        with pytest.raises(ModelError, match=r"refused the key in \$TINY_KEY") as caught:
            llm.complete(["a"], max_tokens=9)
    assert KEY not in str(caught.value)


def test_only_the_key_that_was_named_is_sent(monkeypatch):
    for name in ("OPENAI_API_KEY", "OPENAI_ADMIN_KEY", "OPENAI_ORG_ID", "OPENAI_PROJECT_ID"):
        monkeypatch.setenv(name, KEY)
    with EndpointServer(lambda *_: said("done")) as server:
        OpenAILLM(server.url, "tiny", limits=QUICK).complete(["a"], max_tokens=9)
    assert KEY not in str(server.headers)


@pytest.mark.parametrize("key_env", ["NO_SUCH_VARIABLE", KEY])
def test_a_variable_that_is_not_set_is_told_and_what_may_be_a_key_is_not_shown(key_env):
    with pytest.raises(InputError, match="is not set") as caught:
        OpenAILLM("http://localhost/v1", "tiny", key_env)
    assert ("NO_SUCH_VARIABLE" in str(caught.value)) == (key_env == "NO_SUCH_VARIABLE")
    assert KEY not in str(caught.value)


@pytest.mark.parametrize("url", ["", "localhost:80", "ftp://host", "http://user:pass@host/v1"])
def test_an_address_that_is_none_or_holds_a_secret_is_refused(url):
    with pytest.raises(InputError, match="address") as caught:
        OpenAILLM(url, "tiny")
    assert "pass@" not in str(caught.value)


@pytest.mark.parametrize("end", ["/aZ9hunter2Qx/v1", "/v1;token=hunter2", "/v1#token=hunter2"])
def test_a_key_in_an_address_is_told_as_a_hash_and_is_sent(end):
    llm = OpenAILLM("http://localhost" + end, "tiny")
    assert "hunter2" not in str(llm.settings)
    assert llm.settings["base_url"].startswith("http://localhost")
    assert llm.base_url == "http://localhost" + end
    assert llm.identity != OpenAILLM("http://localhost/v1", "tiny").identity


def test_a_key_that_no_header_can_carry_is_refused(monkeypatch):
    monkeypatch.setenv("TINY_KEY", "schlüssel")
    with pytest.raises(InputError, match="TINY_KEY holds no key") as caught:
        OpenAILLM("http://localhost/v1", "tiny", "TINY_KEY")
    assert "schlüssel" not in str(caught.value)
