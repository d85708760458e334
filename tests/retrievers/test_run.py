"""A run file as a system."""

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
    with pytest.raises(InputError, match=r"has none of the 1 queries, such as 'q3'. Its first"):
        load_system(f"run:{run}").run(CORPUS, [Q3])


def test_candidates_that_the_file_lacks_are_not_found_and_counted(
    run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    system = load_system(f"run:{run}")
    assert system.run(CORPUS, [Q1], {"q1": ["a", "b"]}).run == {"q1": {"b": 2.0, "a": 0.5}}
    assert capsys.readouterr().err == ""
    with progress.shown(quiet=True):
        assert system.run(CORPUS, [Q1], {"q1": ["a", "c"]}).run == {"q1": {"a": 0.5}}
    assert "no score of 1 of 2 candidates" in capsys.readouterr().err
    with pytest.raises(InputError, match=r"has none of the 1 queries, such as 'q3'"):
        system.run(CORPUS, [Q3], {"q3": ["a"]})


def test_a_run_as_mteb_writes_it_is_reranked(tmp_path: Path) -> None:
    # The layout of jhu-clsp/rank1-run-files and songtingyu/limrank-run-files, which run_mteb.py of
    # github.com/SighingSnow/limrank takes as `previous_results`: {query: {document: score}}.
    path = tmp_path / "score.json"
    path.write_text('{"q1": {"a": 11.5, "b": 12, "c": 9.25}, "q2": {"c": 3.0}}')
    backwards = tmp_path / "backwards.py"
    backwards.write_text(
        "class Backwards:\n"
        "    name = 'backwards'\n"
        "    def rerank(self, queries, corpus, candidates):\n"
        "        return {q: {id: float(n) for n, id in reversed([*enumerate(ids)])}\n"
        "                for q, ids in candidates.items()}\n"
        "def build():\n    return Backwards()\n"
    )
    assert list(load_system(f"run:{path}").run(CORPUS, [Q1]).run["q1"]) == ["b", "a", "c"]
    reranked = load_system(f"run:{path}+{backwards}")
    assert list(reranked.run(CORPUS, [Q1]).run["q1"]) == ["c", "a", "b"]
    # With candidates of the benchmark, those that the run has are reranked, and at @2 its first.
    given = {"q1": ["a", "b", "c"]}
    assert list(reranked.run(CORPUS, [Q1], given).run["q1"]) == ["c", "a", "b"]
    cut = load_system(f"run:{path}+{backwards}@2")
    assert list(cut.run(CORPUS, [Q1], given).run["q1"]) == ["a", "b", "c"]
    path.write_text('{"q1": {"a": "high"}}')
    with pytest.raises(InputError, match=r"maps queries to documents and scores.*q1 / a does not"):
        load_system(f"run:{path}").run(CORPUS, [Q1])
