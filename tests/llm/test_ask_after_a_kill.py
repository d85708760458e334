import json
import sqlite3
from contextlib import closing

import pytest

from llm_server import EndpointServer, said
from processes import kill_after, python

CHILD = """
import sys
from pydantic import BaseModel
from leadline.data.jsonl import write_records
from leadline.llm.cached import CachedLLM
from leadline.llm.connection import Limits
from leadline.llm.openai import OpenAILLM
from leadline.llm.prompt import Prompt
from leadline.llm.ask import Asking, Question, ask
from leadline.llm.run_record import RunRecord

class Written(BaseModel):
    number: int

url, folder = sys.argv[1:]
llm = CachedLLM(OpenAILLM(url, "tiny", limits=Limits(concurrency=32)), folder + "/answers.sqlite")
questions = (Question({"number": str(number)}, parents=(f"d{number}",)) for number in range(2000))
run = RunRecord("numbers")
with run.kept_in(folder):
    made = ask(llm, Prompt("p", "$number"), questions, Written, Asking(9), run.step("write"))
    write_records(folder + "/made.jsonl", (
        {"number": each.value.number, **each.provenance.as_json()} for each in made
    ))
"""


@pytest.mark.slow
def test_no_record_is_lost_or_doubled_and_no_stored_call_made_again_after_a_kill(tmp_path):
    with EndpointServer(lambda prompt, _: said(json.dumps({"number": int(prompt)}))) as server:
        words = ["-c", CHILD, server.url, str(tmp_path)]
        before = kill_after(700, server, *words)
        assert not (tmp_path / "made.jsonl").exists()  # nothing half-written
        with closing(sqlite3.connect(tmp_path / "answers.sqlite")) as connection:
            (kept,) = connection.execute("SELECT COUNT(*) FROM answers").fetchone()
        python(*words)
    (step,) = json.loads((tmp_path / "run.json").read_text())["steps"]
    assert 0 < kept <= before < 2000
    assert server.calls.total() - before == 2000 - kept
    assert step["calls"] == 2000
    records = [json.loads(line) for line in (tmp_path / "made.jsonl").read_text().splitlines()]
    assert [record["number"] for record in records] == list(range(2000))
    assert [record["parents"] for record in records] == [[f"d{n}"] for n in range(2000)]
