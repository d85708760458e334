import json
from pathlib import Path

import pytest

from leadline.answering.reader import Plan, Reader, read_benchmarks, write_errors
from leadline.benchmark import Benchmark
from leadline.retrievers import bm25
from leadline.system import System
from leadline.types import Document, Query
from scripted import ScriptedLLM

NAMES = ["Ann", "Bea", "Cid"]


def part(name: str) -> Benchmark:
    return Benchmark(
        name=name,
        corpus={
            f"d{n}": Document(f"d{n}", f"2024-05-0{n + 1} 09:00, {who}: It was me who painted.")
            for n, who in enumerate(NAMES)
        },
        queries=[
            Query(f"q{n}", f"Who painted on 0{n + 1}?", f"q{n}", "", {"tuple_set": "s"}, who)
            for n, who in enumerate(NAMES)
        ],
        qrels={f"q{n}": {f"d{n}": 1} for n in range(3)},
        metrics=(),
        kind="implicit-facts",
    )


def always_ann() -> Reader:
    return Reader(ScriptedLLM(lambda prompt: "Answer: Ann", name="ann"))


def test_every_k_on_every_part_is_a_result_and_so_is_the_whole(tmp_path: Path) -> None:
    done = read_benchmarks(always_ann(), [part("w/a"), part("w/b")], Plan(ks=(1, 3)), out=tmp_path)
    assert [(r.system, r.benchmark) for r in done.outcome.reports] == [
        ("oracle@1+ann", "w/a"),
        ("oracle@3+ann", "w/a"),
        ("oracle@1+ann", "w/b"),
        ("oracle@3+ann", "w/b"),
        ("oracle@1+ann", "w"),
        ("oracle@3+ann", "w"),
    ]
    assert all(r.kind == "reading" for r in done.outcome.reports)
    assert done.outcome.reports[0].mean("ROUGE-1").mean == pytest.approx(1 / 3)


def test_answers_are_kept_with_what_was_shown_and_why_they_are_wrong(tmp_path: Path) -> None:
    read_benchmarks(always_ann(), [part("a")], Plan(ks=(3,)), out=tmp_path)
    [path] = (tmp_path / "a" / "answers").iterdir()
    right, wrong, _ = map(json.loads, path.read_text().splitlines())
    assert right["ROUGE-1"] == 1.0
    assert "error" not in right
    assert (wrong["output"], wrong["gold"], wrong["error"]) == ("Answer: Ann", "Bea", "distraction")
    assert sorted(wrong["documents"]) == ["d0", "d1", "d2"]


def test_a_system_can_take_the_place_of_the_oracle() -> None:
    # "01" stands in the first document alone; the token pattern of bm25 keeps it
    plan = Plan(ks=(1,), systems=[System(bm25.build())])
    [report] = read_benchmarks(always_ann(), [part("a")], plan).outcome.reports
    assert report.system == "bm25@1+ann"
    assert report.settings["contexts with a relevant document"] == "3 of 3"
    assert report.settings["retriever"]["retriever"]["name"] == "bm25"


def test_the_sheet_shows_a_sample_and_counts_all(tmp_path: Path) -> None:
    done = read_benchmarks(always_ann(), [part("a")], Plan(ks=(3,)))
    page = write_errors(tmp_path, done, sample=1)
    assert len(done.errors) == 2
    assert (tmp_path / "reading-errors.csv").read_text().count('\n"reading",') == 1
    assert "<td>2</td><td>0</td>" in page.read_text()
