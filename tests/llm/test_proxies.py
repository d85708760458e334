"""Proxies and certificates of the environment: used, passed by, or named in the error."""

import importlib.util
import os

import pytest

from leadline.errors import InputError, ModelError
from llm_server import EndpointServer, said

pytest.importorskip("openai")
from leadline.llm.openai import OpenAILLM

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
        InputError, match=r"ALL_PROXY names a SOCKS proxy: pip install 'httpx2?\[socks"
    ):
        complete(FAR)


def test_a_proxy_without_an_address_is_one_line(monkeypatch):
    monkeypatch.setenv("HTTP_PROXY", "ftp://127.0.0.1:1")
    with pytest.raises(InputError, match="HTTP_PROXY holds no address of a proxy"):
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
    with pytest.raises(InputError, match=r"SSL_CERT_FILE=/no/such/ca.pem is not there"):
        complete("https://127.0.0.1:9/v1")
