"""Several processes on one cache, and prompts that hang: what is asked, how often, how long."""

import os
import sqlite3
import subprocess
import sys
import time
from contextlib import closing

import pytest

from leadline.llm.cached import CachedLLM, Store
from leadline.llm.connection import Limits
from leadline.llm.openai import OpenAILLM
from leadline.llm.requests import Request
from leadline.llm.troubles import HANGS
from llm_server import EndpointServer, Reply, refused, said
from processes import environment

pytestmark = pytest.mark.usefixtures("short_waits")
pytest.importorskip("openai")
PROMPTS = [f"prompt {number}" for number in range(60)]

ONE_BY_ONE = """
import asyncio, sys
from leadline.llm.cached import CachedLLM
from leadline.llm.connection import Limits
from leadline.llm.openai import OpenAILLM
from leadline.llm.requests import Request
llm = CachedLLM(OpenAILLM(sys.argv[1], "tiny", limits=Limits(concurrency=8)), sys.argv[2])
async def main():
    requests = [Request(f"prompt {number}", 9) for number in range(60)]
    answers = await asyncio.gather(*(asyncio.wrap_future(llm.submit(each)) for each in requests))
    assert [each.text for each in answers] == [f"to prompt {n}" for n in range(60)], answers
asyncio.run(main())
"""


def endpoint(server, path, **limits) -> CachedLLM:
    return CachedLLM(OpenAILLM(server.url, "tiny", limits=Limits(**limits)), path)


def late(prompt: str, _: int) -> Reply:
    reply = said(f"to {prompt}")
    reply.seconds = 0.02
    return reply


def test_processes_on_one_cache_ask_each_prompt_once(tmp_path) -> None:
    with EndpointServer(late) as server:
        words = [sys.executable, "-c", ONE_BY_ONE, server.url, str(tmp_path / "a.sqlite")]
        children = [
            subprocess.Popen(words, env=environment(), stderr=subprocess.PIPE) for _ in range(2)
        ]
        errors = [child.communicate(timeout=120)[1].decode() for child in children]
    assert errors == [""] * 2
    assert set(server.calls.values()) == {1}
    assert server.calls.total() == 60


def test_what_a_dead_process_had_in_hand_is_free_at_once(tmp_path) -> None:
    path = tmp_path / "a.sqlite"
    code = "import sys; from pathlib import Path; from leadline.llm.cached import Store; " \
           "print(Store(Path(sys.argv[1])).claim(b'key'))"  # fmt: skip
    words = [sys.executable, "-c", code, str(path)]
    assert subprocess.run(words, env=environment(), capture_output=True).stdout == b"True\n"
    assert Store(path).claim(b"key")


def test_what_a_living_process_has_in_hand_is_ours_when_its_time_is_over(tmp_path) -> None:
    path = tmp_path / "a.sqlite"
    store = Store(path)
    assert store.claim(b"key")
    for until, ours in ((time.time() + 60, False), (time.time() - 1, True)):
        with closing(sqlite3.connect(path)) as connection, connection:
            parent = f"{os.uname().nodename} {os.getppid()}"
            connection.execute("UPDATE leases SET owner = ?, until = ?", (parent, until))
        assert Store(path).claim(b"key") is ours


def test_a_failed_call_is_given_back_and_leaves_no_lease(tmp_path) -> None:
    with EndpointServer(lambda *_: refused(400, "no")) as server:
        llm = endpoint(server, tmp_path / "a.sqlite")
        llm.complete(["a", "b"], max_tokens=9)
    with closing(sqlite3.connect(tmp_path / "a.sqlite")) as connection:
        assert connection.execute("SELECT COUNT(*) FROM leases").fetchone() == (0,)


def test_a_prompt_that_always_hangs_holds_no_run_for_ever(tmp_path) -> None:
    def play(prompt: str, _: int) -> Reply:
        reply = late(prompt, _)
        reply.seconds = 1.5 if prompt == "prompt 7" else 0.02
        return reply

    with EndpointServer(play) as server:
        llm = endpoint(server, tmp_path / "a.sqlite", timeout=0.3, concurrency=8)
        answers = [each for _, each in llm.answers([Request(each, 9) for each in PROMPTS])]
    assert [each.failure for each in answers if each.failure] == [HANGS]
    assert not HANGS.transient
    assert server.calls["prompt 7"] == 3
    assert set(server.calls.values()) == {1, 3}
