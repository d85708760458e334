"""Deviations over queries and over runs."""

import json
from pathlib import Path

import pytest

from commands import run
from leadline.report import Report
from leadline.report.folder import write_scores
from leadline.report.spread import spreads


def report(system: str, *values: float) -> Report:
    rbo = {f"q{place}": value for place, value in enumerate(values)}
    return Report(system, "rephrasings/nq", {"RBO@5": rbo, "RBO@5[kind=typo]": rbo, "P@1": {}})


def test_runs_of_one_system_differ_in_their_seed_alone(tmp_path: Path) -> None:
    reports = [
        report("dense:cr/runs/seed-0", 0.2, 0.4),  # mean .3, deviation sqrt(.02) = .1414
        report("dense:cr/runs/seed-1", 0.4, 0.8),  # mean .6, deviation sqrt(.08) = .2828
        report("dense:cr/runs/seed-12", 0.6, 0.6),  # mean .6, deviation 0
        report("bm25", 0.5),
    ]
    trained, bm25 = spreads(reports)
    assert (trained.system, trained.runs, trained.queries) == ("dense:cr/runs/seed-*", 3, 2)
    assert trained.mean == pytest.approx(0.5)
    assert trained.over_queries == pytest.approx(0.4242640687 / 3)
    # Of .3, .6, .6: squared differences .04 + .01 + .01 = .06, by 2: .03
    assert trained.over_runs == pytest.approx(0.03**0.5)
    assert (bm25.mean, bm25.over_queries, bm25.over_runs) == (0.5, None, None)
    for each in reports:
        write_scores(tmp_path, each)
    shown = run("analyse", "spread", tmp_path).output
    (line,) = [line for line in shown.splitlines() if "seed-*" in line]
    assert [each for each in line.split() if each[0].isdigit()] == [
        "0.5000", "0.1414", "2", "0.1732", "3",
    ]  # fmt: skip
    told = json.loads(run("analyse", "spread", tmp_path, "--json").output)
    assert {each["system"] for each in told} == {"bm25", "dense:cr/runs/seed-*"}
