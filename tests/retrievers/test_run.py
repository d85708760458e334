"""A run file as a system."""

from __future__ import annotations

from pathlib import Path

import pytest

from leadline import progress
from leadline.errors import InputError
from leadline.systems.chains import load_system
from leadline.types import Document, Query

CORPUS = {id: Document(id, f"text of {id}") for id in ("a", "b", "c")}
Q1, Q2, Q3 = Query("q1", "one"), Query("q2", "two"), Query("q3", "three")


@pytest.fixture
def run(tmp_path: Path) -> Path:
    path = tmp_path / "mine.trec"
    path.write_text(
        "q1 Q0 a 1 0.5 tag\nq1 Q0 gone 2 0.9 tag\nq1 Q0 b 3 2.0 tag\nq2 Q0 c 1 1e3 other-tag\n"
    )
    return path


def test_documents_stand_by_score_and_strangers_are_passed_over(
    run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with progress.shown(quiet=True):
        found = load_system(f"run:{run}").run(CORPUS, [Q1, Q2]).run
    assert [list(found[query]) for query in ("q1", "q2")] == [["b", "a"], ["c"]]
    assert "1 documents that are not in the corpus, such as 'gone'" in capsys.readouterr().err


def test_a_query_without_a_row_found_nothing_and_is_counted(
    run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with progress.shown(quiet=True):
        found = load_system(f"run:{run}").run(CORPUS, [Q1, Q3]).run
    assert found["q3"] == {}
    assert "no row for 1 of 2 queries" in capsys.readouterr().err


def test_a_run_of_another_benchmark_is_refused(run: Path) -> None:
    with pytest.raises(InputError, match=r"has none of the 1 queries, such as 'q3'; its first"):
        load_system(f"run:{run}").run(CORPUS, [Q3])


def test_candidates_need_a_score_each(run: Path) -> None:
    system = load_system(f"run:{run}")
    assert system.run(CORPUS, [Q1], {"q1": ["a", "b"]}).run == {"q1": {"b": 2.0, "a": 0.5}}
    with pytest.raises(InputError, match="no score of 1 of the 2 documents that query 'q1'"):
        system.run(CORPUS, [Q1], {"q1": ["a", "c"]})
