"""Kills and interruptions: what is written in the end is what an uninterrupted run writes."""

import json
import random
import signal
import sqlite3
import subprocess
import sys
import time
import zlib
from contextlib import closing
from pathlib import Path

import pytest

from llm_server import EndpointServer, Reply, said
from processes import environment, hear_interrupts, python

KILLS = 20

CHILD = """
import json, sys
from pathlib import Path
from pydantic import BaseModel
from leadline.data.writing import atomic_file
from leadline.llm.cached import CachedLLM
from leadline.llm.connection import Limits
from leadline.llm.openai import OpenAILLM
from leadline.llm.prompt import Prompt
from leadline.llm.run_record import LogFile
from leadline.llm.pipeline.running import Pipeline, complete, run
from leadline.llm.pipeline.steps import Asks, Fault, Question, Verify
from leadline.llm.run_record import RunRecord

class Written(BaseModel):
    text: str

class Read(BaseModel):
    right: bool

WRITE = Asks("write", Prompt("w", "write $n $again"), Written, Written(text="x"), 50,
             temperature=0.5)
VERIFY = Asks("verify", Prompt("v", "verify $text"), Read, Read(right=True), 50, "verifier")

async def one(record, n):
    def question(refusal):
        return Question({"n": n, "again": "again " + refusal.problem if refusal else ""})

    def check(draft):
        return Fault("bad", "bad") if "bad" in draft.text else draft

    async def part(record, k):
        made = await record.make(WRITE, lambda refusal: Question(
            {"n": f"{n}/{k}", "again": refusal.problem if refusal else ""}), check=check)
        return made.value.text

    made = await record.make(WRITE, question, check=check, verify=Verify(
        VERIFY, lambda draft: Question({"text": draft.text}),
        lambda read, draft: None if read.right else Fault("not right", "not right")))
    parts = await record.each(range(3), part)
    return [made.value.text, made.provenance.as_json(),
            [each.reason if isinstance(each, Fault) else each for each in parts]]

url, cache, folder = sys.argv[1:]
def llm(name):
    return CachedLLM(OpenAILLM(url, name, limits=Limits(concurrency=32)), cache + "/a.sqlite")
into = RunRecord("things", {"seed": 1})
with into.kept_in(folder), LogFile.open_in(folder) as log:
    names = [str(n) for n in range(80)]
    found = complete(run(Pipeline("", (WRITE, VERIFY), one), zip(names, names),
                         {"writer": llm("w"), "verifier": llm("v")}, into, seed=1, log=log), into)
    with atomic_file(Path(folder) / "made.jsonl") as handle:
        for each in found:
            line = each.value if each.is_kept else each.fault.reason
            handle.write(json.dumps([each.id, line]) + chr(10))
"""


def drawn(body: dict) -> float:
    """Draw a number from what was asked: the same answer to the same call, in any run."""
    asked = json.dumps([body["messages"], body.get("seed")])
    return zlib.crc32(asked.encode()) / 2**32


class Server(EndpointServer):
    """Writes, verifies, errs and refuses as the call has it; counts the calls that it answered."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.answered = 0
        super().__init__(lambda *_: Reply())

    def reply(self, body: dict, _: int) -> Reply:
        draw = drawn(body)
        if body["messages"][-1]["content"].startswith("verify"):
            text = json.dumps({"right": draw > 0.1}) if draw > 0.03 else "what?"
        elif draw < 0.05:
            text = "no JSON"
        else:
            text = json.dumps({"text": "bad" if draw < 0.2 else f"{draw:.6f}"})
        played = said(text)
        # What is no JSON comes last: three of them before any JSON would have the client ask in
        # another way, so that a resumed run, which begins elsewhere, would send other prompts.
        played.seconds = self.seconds * (1.5 - draw)
        return played

    def send(self, call, reply: Reply) -> None:
        super().send(call, reply)
        with self.lock:
            self.answered += 1


def kept_in(folder: Path) -> int:
    """Return how many answers the cache of a folder holds."""
    if not (folder / "a.sqlite").exists():
        return 0
    with closing(sqlite3.connect(folder / "a.sqlite")) as connection:
        return connection.execute("SELECT COUNT(*) FROM answers").fetchone()[0]


def files(folder: Path) -> dict[str, object]:
    record = json.loads((folder / "run.json").read_text())
    for step in record["steps"]:
        del step["seconds"]
    for name in ("created", "seconds"):
        del record[name]
    return {
        "made": (folder / "made.jsonl").read_bytes(),
        "log": (folder / "log.jsonl").read_bytes(),
        "run": record,
    }


@pytest.mark.slow
def test_after_20_kills_all_files_are_those_of_an_uninterrupted_run(tmp_path: Path) -> None:
    pytest.importorskip("openai")
    folders = [tmp_path / name for name in ("whole", "killed", "cache one", "cache two")]
    for folder in folders:
        folder.mkdir()
    whole, killed, one, two = folders
    pick = random.Random(0)
    with Server(0.01) as server:
        python("-c", CHILD, server.url, one, whole)
        calls = server.calls.total()
        url = server.url
        server.answered = 0
        lost = 0  # answered while a process died, so that nobody could keep it
        for _ in range(KILLS):
            before = server.calls.total()
            child = subprocess.Popen(
                [sys.executable, "-c", CHILD, url, two, killed], env=environment()
            )
            wanted = before + pick.randint(1, max(2, calls // (KILLS + 4)))
            while server.calls.total() < wanted and child.poll() is None:
                time.sleep(0.002)
            assert child.poll() is None, "the run ended before its last kill"
            child.send_signal(signal.SIGKILL)
            child.wait()
            while server.at_once:
                time.sleep(0.01)
            more = server.answered - kept_in(two) - lost
            assert 0 <= more <= 64  # 32 under way, and as many that came back to a dead process
            lost += more
        assert not (killed / "made.jsonl").exists()
        python("-c", CHILD, url, two, killed)
    # An answer that is kept and asked for again would be one more call, and no more answers kept.
    assert server.answered - kept_in(two) == lost
    mine, theirs = files(killed), files(whole)
    assert mine["made"] == theirs["made"]
    assert mine["log"] == theirs["log"]
    assert mine["run"] == theirs["run"]


def test_after_ctrl_c_calls_under_way_are_kept_and_nothing_is_asked_twice(tmp_path: Path) -> None:
    pytest.importorskip("openai")
    folders = [tmp_path / name for name in ("whole", "stopped", "cache one", "cache two")]
    for folder in folders:
        folder.mkdir()
    whole, stopped, one, two = folders
    with Server(0.05) as server:
        python("-c", CHILD, server.url, one, whole)
        server.calls.clear()
        server.answered = 0
        child = subprocess.Popen(
            [sys.executable, "-c", CHILD, server.url, two, stopped],
            env=environment(), stderr=subprocess.DEVNULL,
            preexec_fn=hear_interrupts,
        )  # fmt: skip
        while server.calls.total() < 100:
            time.sleep(0.005)
        child.send_signal(signal.SIGINT)
        assert child.wait(timeout=60) != 0
        assert server.calls.total() == server.answered == kept_in(two)
        assert not (stopped / "made.jsonl").exists()
        python("-c", CHILD, server.url, two, stopped)
        assert server.answered == kept_in(two)
    assert files(stopped) == files(whole)
