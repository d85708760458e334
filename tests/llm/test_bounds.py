"""What a reply may cost in memory, where a call may go, and what is told of each failure."""

import importlib.util
import json
import os
from pathlib import Path

import pytest

from leadline.errors import InputError, ModelError
from leadline.llm import troubles
from llm_server import EndpointServer, Reply, said
from processes import python

pytest.importorskip("openai")

from leadline.llm.openai import OpenAILLM

DOCS = Path(__file__).parents[2] / "docs" / "reference" / "language-models.md"

CHILD = """
import json, resource, sys
from leadline.llm.connection import Limits
from leadline.llm.openai import OpenAILLM
llm = OpenAILLM(sys.argv[1], "m", limits=Limits(retries=0))
llm.complete(["first"], max_tokens=9)
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
(answer,) = llm.complete(["long"], max_tokens=9)
after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
unit = 1 if sys.platform == "darwin" else 1024
json.dump([answer.failure.kind, (after - before) * unit], sys.stdout)
"""


class Endless(EndpointServer):
    """Answers `first` well, and anything else with 300 MB."""

    def send(self, call, reply: Reply) -> None:
        if reply.status != 999:
            super().send(call, reply)
            return
        call.send_response(200)
        call.send_header("content-length", str(300_000_000))
        call.end_headers()
        for _ in range(300):
            call.wfile.write(b" " * 1_000_000)


def test_a_reply_of_300_mb_takes_no_more_memory_than_a_reply_may_have() -> None:
    with Endless(lambda prompt, _: said("done") if prompt == "first" else Reply(999)) as server:
        kind, grown = json.loads(python("-c", CHILD, server.url).stdout)
    assert kind == troubles.UNREADABLE
    assert grown < 150_000_000


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_no_redirect_is_followed_to_another_host(status: int) -> None:
    with EndpointServer(lambda *_: said("done")) as other:
        away = Reply(status, {}, {"location": f"{other.url}/chat/completions"})
        with (
            EndpointServer(lambda *_: away) as server,
            pytest.raises(ModelError, match="does not answer itself"),
        ):
            OpenAILLM(server.url, "m").complete(["a"], max_tokens=9)
        assert not other.bodies


def test_every_failure_stands_in_the_table_of_the_docs() -> None:
    _, _, rest = DOCS.read_text().partition("## Errors")
    table = rest.partition("\nCtrl-C")[0]
    told = {
        troubles.KEY_REFUSED: "refused the key",
        troubles.NOTHING_LEFT: "nothing left to spend",
        troubles.NOT_ALLOWED: "(403)",
        troubles.NOT_FOUND: "(404)",
        troubles.ELSEWHERE: "does not answer itself",
        troubles.RATE_LIMIT: "rate limit",
        troubles.REFUSED_BY_MODEL: "refused by the model",
        troubles.UNREADABLE: "unreadable answer",
        troubles.LOST: "connection lost",
        troubles.IN_ANSWER: "an error in the answer",
        troubles.TOO_LONG: "the prompt is too long",
        troubles.TIMEOUT.kind: "`timeout`",
        troubles.DEADLINE.kind: "`deadline`",
        troubles.HANGS.kind: "`hangs`",
    }
    kinds = {each for name, each in vars(troubles).items() if name.isupper() and name[0] != "_"}
    words = {each for each in kinds if isinstance(each, str)}
    own = {troubles.ALWAYS, troubles.UNLESS_ANSWERED, troubles.DRY_RUN, troubles.NO_JSON}
    assert words - own <= set(told)
    assert [each for each in told.values() if each not in table] == []


FAR = "http://leadline.invalid/v1"


@pytest.fixture(autouse=True)
def bare(monkeypatch):
    for name in list(os.environ):
        if name.lower().endswith("_proxy") or name.startswith("SSL_CERT"):
            monkeypatch.delenv(name)


def complete(url):
    return OpenAILLM(url, "m").complete(["a"], max_tokens=9)


@pytest.mark.parametrize("name", ["ALL_PROXY", "HTTP_PROXY", "http_proxy"])
@pytest.mark.parametrize("proxy", ["socks5://127.0.0.1:1", "http://127.0.0.1:1", "no address"])
def test_this_machine_is_asked_without_a_proxy(monkeypatch, name, proxy):
    monkeypatch.setenv(name, proxy)
    with EndpointServer(lambda *_: said("done")) as server:
        assert complete(server.url) == ["done"]


@pytest.mark.skipif(importlib.util.find_spec("socksio") is not None, reason="socksio is installed")
def test_a_socks_proxy_without_its_package_is_one_line(monkeypatch):
    monkeypatch.setenv("ALL_PROXY", "socks5://127.0.0.1:1080")
    with pytest.raises(
        InputError, match=r"ALL_PROXY names a SOCKS proxy. Run pip install 'httpx2?\[socks"
    ):
        complete(FAR)


def test_a_proxy_without_an_address_is_one_line(monkeypatch):
    monkeypatch.setenv("HTTP_PROXY", "ftp://127.0.0.1:1")
    with pytest.raises(InputError, match="HTTP_PROXY is not the address of a proxy"):
        complete(FAR)


def test_a_dead_proxy_is_named(monkeypatch):
    monkeypatch.setenv("HTTP_PROXY", "http://user:secret@127.0.0.1:1")
    named = r"by the proxy http://127.0.0.1:1 of HTTP_PROXY .* Is the proxy and the server running"
    with pytest.raises(ModelError, match=named) as caught:
        complete(FAR)
    assert "secret" not in str(caught.value)


def test_a_call_goes_through_a_proxy_that_works(monkeypatch):
    with EndpointServer(lambda *_: said("by proxy")) as server:
        monkeypatch.setenv("http_proxy", server.url.removesuffix("/v1"))
        assert complete(FAR) == ["by proxy"]


def test_certificates_that_are_not_there_are_one_line(monkeypatch):
    monkeypatch.setenv("SSL_CERT_FILE", "/no/such/ca.pem")
    with pytest.raises(InputError, match=r"SSL_CERT_FILE=/no/such/ca.pem does not exist"):
        complete("https://127.0.0.1:9/v1")
