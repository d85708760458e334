"""`leadline synthesize implicit-facts --llm` as a user runs it, against a server on loopback."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from commands import run
from document_models import Models, order
from llm_server import EndpointServer, said

KEY = "sk-entirely-secret-0123456789"
POOL = "temporal-multispeaker"
SIZE = ("--sets", "2", "--tuples", "3", "--seed", "3")


def command(out: Path, server: EndpointServer, *more: str | Path) -> tuple[str | Path, ...]:
    own = ("--llm", server.url, "--llm-model", "toy", "--out", out)
    return ("synthesize", "implicit-facts", *own, *SIZE, *more)


def playing(answer: Callable[[str], str]) -> EndpointServer:
    return EndpointServer(lambda prompt, _: said(answer(prompt)))


@pytest.fixture
def server():
    with playing(Models(order())) as server:
        yield server


def test_six_pools_by_a_model_are_evaluated_as_such(tmp_path: Path, server) -> None:
    facts = tmp_path / "facts"
    done = run(*command(facts, server, "--verify-model", "judge", "--quiet"))
    # A question for phrases a set, then a draft and a reading of each of 6 documents, in 6 pools.
    assert "toy: 48 calls" in done.stderr
    assert "judge: 36 calls" in done.stderr
    assert "6 documents and questions" in done.stderr
    assert "temporal_unispeaker: write" in run("show-run", facts).output
    run("evaluate", "-s", "bm25", "-b", "implicit-facts", "--data", facts,
        "--out", tmp_path / "out", "--quiet")  # fmt: skip
    results = json.loads((tmp_path / "out" / "report.json").read_text())["results"]
    assert len(results) == 7  # six pools and the whole
    assert {result["built_by"] for result in results} == {"llm"}


def test_the_verifier_has_its_own_endpoint_and_its_own_key(tmp_path, server, monkeypatch) -> None:
    monkeypatch.setenv("WRITER_KEY", KEY)
    monkeypatch.setenv("READER_KEY", "sk-of-the-reader")
    with playing(Models(order())) as reader:
        own = ("--llm-key-env", "WRITER_KEY", "--verify-model", "judge", "--verify-llm", reader.url)
        done = run(*command(tmp_path / "one", server, "--pool", POOL, *own))
        assert "judge: 6 calls" in done.stderr
        assert KEY not in str(reader.headers)  # a key goes to its own endpoint only
        assert KEY in str(server.headers)
        run(*command(tmp_path / "two", server, "--pool", "wknow-multispeaker", *own,
                     "--verify-key-env", "READER_KEY"))  # fmt: skip
        assert "sk-of-the-reader" in str(reader.headers)
        assert "sk-of-the-reader" not in str(server.headers)


def test_a_dry_run_counts_calls_tokens_and_price_and_asks_nothing(tmp_path, server) -> None:
    prices = tmp_path / "prices.json"
    prices.write_text('[{"model": "toy", "prompt": 1, "answer": 2}]')
    more = ("--pool", POOL, "--verify-model", "judge", "--dry-run", "--llm-prices", prices)
    done = run(*command(tmp_path / "facts", server, *more))
    assert "Would write 1 pools of 2 sets with 3 documents each" in done.output
    # Phrases of 2 sets, and 6 drafts, each read once.
    assert "Would ask toy: 8 calls" in done.stderr
    assert "Would ask judge: 6 calls" in done.stderr
    assert " USD" in done.stderr
    assert not server.bodies
    assert not (tmp_path / "facts").exists()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--verify-model", "judge"), "need --llm"),
        (("--verify-key-env", "KEY"), "need --llm"),
        (("--llm", "http://localhost/v1"), "needs a model: write --llm http://localhost/v1#NAME"),
        (
            ("--llm", "http://localhost/v1", "--llm-model", "m", "--verify-llm", "http://other/v1"),
            "need --verify-model NAME",
        ),
    ],
)
def test_options_that_do_not_fit_are_told(words, message: str) -> None:
    pytest.importorskip("openai")
    assert message in run("synthesize", "implicit-facts", *words, code=2).stderr
