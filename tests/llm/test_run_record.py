import json

import pytest

from leadline.errors import InputError
from leadline.llm import run_record
from leadline.llm.account import Account
from leadline.llm.run_record import RunRecord


def test_a_run_is_read_as_it_was_written(tmp_path):
    run = RunRecord("queries", {"seed": 0})
    with run.kept_in(tmp_path):
        step = run.step("write")
        step.drop("no JSON")
        step.calls, step.cost = 2, 0.5
    assert RunRecord.read(tmp_path) == run
    assert json.loads((tmp_path / "run.json").read_text())["cost"] == 0.5


def test_a_record_says_of_everything_what_became_of_it_and_stays_small(tmp_path, monkeypatch):
    monkeypatch.setattr(run_record, "MOST_LISTED", 3)
    run = RunRecord("ladders")
    for id in "abcd":
        run.note(id)
    run.note("a", "no\n\x1b[31m JSON " + "x" * 300)
    run.note("e", "too long")
    assert run.summary.startswith("ladders: 3 of 5 records were kept. Left out: 1 no JSON xxx")
    with run.kept_in(tmp_path):
        pass
    told = json.loads((tmp_path / "run.json").read_text())["records"]
    assert list(told["each"]) == ["a", "e", "b"]  # of many, those that were left out come first
    assert (told["each"]["a"][:7], len(told["each"]["a"])) == ("no JSON", 200)
    assert told["not listed"] == {"kept": 2}
    again = RunRecord.read(tmp_path)
    assert (again.summary, again.ends) == (run.summary, run.ends)
    assert RunRecord("nothing").summary == ""


def test_a_run_that_broke_off_says_why(tmp_path):
    run = RunRecord("queries")
    with pytest.raises(KeyboardInterrupt), run.kept_in(tmp_path):
        raise KeyboardInterrupt
    assert RunRecord.read(tmp_path).stopped == "KeyboardInterrupt"


def test_what_servers_said_of_refused_calls_stands_in_the_record(tmp_path):
    account = Account()
    line = account.line("m", "http://127.0.0.1/v1")
    line.said["bad request 400"] = "System role not supported"
    with account.kept(), RunRecord("queries").kept_in(tmp_path):
        pass
    written = json.loads((tmp_path / "run.json").read_text())
    assert written["servers said"] == {"m": {"bad request 400": "System role not supported"}}
    assert RunRecord.read(tmp_path).name == "queries"


def test_a_run_with_calls_of_unknown_price_has_no_cost():
    run = RunRecord("queries")
    run.step("rule")
    assert run.cost == 0.0
    run.step("write").calls = 1
    assert run.cost is None


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"name": "x", "cost": 1, "steps": [{"a": 1}]}'])
def test_a_file_that_is_no_record_is_told(tmp_path, text):
    (tmp_path / "run.json").write_text(text)
    with pytest.raises(InputError, match="is not a record of a pipeline run"):
        RunRecord.read(tmp_path)


def test_a_folder_without_a_record_is_told(tmp_path):
    with pytest.raises(InputError, match=r"There is no run\.json"):
        RunRecord.read(tmp_path)
