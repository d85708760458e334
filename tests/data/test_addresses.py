import os

import pytest

from leadline.data.addresses import (
    check_certificates,
    is_loopback,
    proxy_for,
    shown_address,
    without_keys,
)
from leadline.errors import InputError
from tables import each_row


@each_row
def test_words_and_placeholders_are_told(url):
    assert shown_address(url) == url.partition("?")[0]


@each_row
def test_what_may_be_a_key_is_told_as_a_hash(url):
    shown = shown_address(url)
    assert "unter" not in shown
    assert shown.startswith("https://host/")
    assert shown != shown_address(url + "3")  # two keys, two names


def test_addresses_in_a_command_lose_their_keys():
    command = "bm25+listwise:gpt,llm=https://host/v1?key=hunter2,window=20"
    shown = without_keys(command)
    assert "hunter2" not in shown
    assert shown.startswith("bm25+listwise:gpt,llm=https://host/v1#")
    assert shown.endswith(",window=20")


@pytest.fixture
def bare(monkeypatch):
    """An environment without proxies and certificates."""
    for name in list(os.environ):
        if name.lower().endswith("_proxy") or name.startswith("SSL_CERT"):
            monkeypatch.delenv(name)
    return monkeypatch


@pytest.mark.parametrize(
    ("host", "found"),
    [("localhost", True), ("a.localhost", True), ("127.0.0.9", True), ("::1", True),
     ("[::1]", True), ("10.0.0.1", False), ("localhost.example", False), ("", False)],
)  # fmt: skip
def test_this_machine_itself_is_known(host, found):
    assert is_loopback(host) is found


def test_a_proxy_is_named_by_the_variable_that_sets_it(bare):
    bare.setenv("ALL_PROXY", "socks5://p:1")
    bare.setenv("https_proxy", "http://p:2")
    bare.setenv("NO_PROXY", "inside.example")
    assert proxy_for("https://a.example/v1") == ("https_proxy", "http://p:2")
    assert proxy_for("http://a.example/v1") == ("ALL_PROXY", "socks5://p:1")
    assert proxy_for("http://a.example/v1", takes_all=False) == ("", "")
    assert proxy_for("http://inside.example/v1") == ("", "")
    assert proxy_for("http://127.0.0.1:80/v1") == ("", "")


def test_certificates_that_are_not_there_are_named(bare, tmp_path):
    check_certificates()
    bare.setenv("SSL_CERT_DIR", str(tmp_path))
    check_certificates()
    bare.setenv("SSL_CERT_FILE", "/no/such/ca.pem")
    with pytest.raises(InputError, match=r"SSL_CERT_FILE=/no/such/ca.pem does not exist"):
        check_certificates()
