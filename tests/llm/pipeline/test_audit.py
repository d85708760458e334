"""What show-run tells of a record log, and the sheet on which people judge its verdicts."""

import csv
import json
import re
from pathlib import Path

import pytest

from commands import run
from leadline.errors import InputError
from leadline.llm.pipeline.audit import RIGHT, read_audit, read_log, write_audit


def line(record: str, *, kept: bool, answer: str = "a text", step: str = "write") -> dict:
    fault = "" if kept else "too long"
    verdict = {"by": "judge", "step": "verify", "fault": fault}
    told = {} if kept else {"fault": fault, "problem": "At most ten words."}
    made = {"record": record, "part": "", "step": step, "attempt": 0, "model": "w"}
    return made | {"parents": ["d1"], "answer": answer, "verdicts": [verdict], "kept": kept} | told


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    refused = line("a", kept=False, answer="=1+1 \x1b[31m")
    lines = [refused, line("a", kept=True), line("b", kept=True)]
    (tmp_path / "log.jsonl").write_text("".join(json.dumps(each) + "\n" for each in lines))
    return tmp_path


def shown(*words: str | Path) -> str:
    done = run("show-run", *words)
    return done.output


def test_who_refused_how_many_drafts_and_why_is_shown(folder: Path) -> None:
    told = shown(folder, "--log")
    rows = [re.findall(r"\w+", row) for row in told.splitlines() if "write" in row]
    assert rows == [["write", "3", "2"], ["write", "judge", "too", "long", "1"]]


def test_every_draft_of_a_record_is_shown_without_escapes(folder: Path) -> None:
    told = shown(folder, "--record", "a")
    assert "write, attempt 0 by w: refused: too long\n  =1+1 \n  judge: too long" in told
    assert told.count("attempt 0") == 2
    with pytest.raises(AssertionError, match="no record 'z'"):
        shown(folder, "--record", "z")


def test_a_filled_sheet_gives_the_share_of_wrong_verdicts(folder: Path, tmp_path: Path) -> None:
    sheet = tmp_path / "sheet.csv"
    shown(folder, "--audit", sheet)
    with sheet.open(newline="") as handle:
        rows = list(csv.DictReader(handle))
    assert [(row["line"], row["became"]) for row in rows] == [
        ("1", "refused by judge"), ("2", "passed"), ("3", "passed"),
    ]  # fmt: skip
    assert rows[0]["draft"].startswith("'=1+1")  # no formula for a spreadsheet
    for row, answer in zip(rows, "nyn", strict=True):
        row[RIGHT] = answer
    with sheet.open("w", newline="") as handle:
        writer = csv.DictWriter(handle, rows[0].keys())
        writer.writeheader()
        writer.writerows(rows)
    # The one refused draft was good; of the two that passed one was bad.
    assert shown(folder, "--audited", sheet).splitlines() == [
        "write: 50% of 2 drafts that passed were bad (too few for an interval).",
        "write: 100% of 1 refused drafts were good (too few for an interval).",
    ]


def test_a_sheet_draws_as_many_of_either_kind_by_the_seed(tmp_path: Path) -> None:
    lines = [line(str(n), kept=n % 3 > 0) for n in range(90)]
    assert write_audit(tmp_path / "a.csv", lines, each=7) == 14
    write_audit(tmp_path / "b.csv", lines, each=7)
    assert (tmp_path / "a.csv").read_bytes() == (tmp_path / "b.csv").read_bytes()


@pytest.mark.parametrize(
    ("row", "problem"),
    [("9,write,y", "'9' is not a line of this log"),
     ("1,write,maybe", "'maybe' is neither y nor n"), ("1,verify,y", "belongs to another step"),
     ("1,write,", "has no answers")],
)  # fmt: skip
def test_a_sheet_that_does_not_fit_is_told(tmp_path: Path, row: str, problem: str) -> None:
    sheet = tmp_path / "sheet.csv"
    sheet.write_text(f"line,step,{RIGHT}\n{row}\n")
    with pytest.raises(InputError, match=problem):
        read_audit(sheet, [line("a", kept=True)])


@pytest.mark.parametrize("text", ["[1]\n", "{}\n", "[" * 90_000 + "\n", '{"verdicts": 5}\n', "x\n"])
def test_what_is_no_log_is_told(tmp_path: Path, text: str) -> None:
    (tmp_path / "log.jsonl").write_text(text)
    with pytest.raises(InputError, match="record log"):
        read_log(tmp_path)
