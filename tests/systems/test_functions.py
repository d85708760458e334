"""Plain functions that search, in a file of the user's."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from time import sleep

import pytest
from typer.testing import CliRunner

import commands
from leadline.benchmark import Benchmark
from leadline.cli.main import app
from leadline.errors import InputError
from leadline.evaluation import measure
from leadline.kinds.ranking import KIND
from leadline.report import pooled
from leadline.report.page import write_report
from leadline.system import System
from leadline.systems.adapters import as_system
from leadline.systems.chains import load_system
from leadline.types import Candidates, Corpus, Document, Query, Reranker, Run, scores_of
from notes import write_notes
from tables import each_row

CORPUS = {id: Document(id, text) for id, text in (("d1", "red fox"), ("d2", "blue whale"))}
QUERIES = [Query("q1", "fox"), Query("q2", "whale")]

ONE = """
TEXTS = {"d1": "red fox", "d2": "blue whale", "mine alone": "red fox and whale"}

def search(query, k):
    return [(id, len(text)) for id, text in TEXTS.items() if query in text][:k]
"""


def run(tmp_path: Path, source: str, name: str = "") -> dict[str, dict[str, float]]:
    (tmp_path / "mine.py").write_text(source)
    system = load_system(str(tmp_path / "mine.py") + name)
    return {id: dict(found) for id, found in system.run(CORPUS, QUERIES).run.items()}


def test_a_function_that_searches_is_a_system(tmp_path: Path) -> None:
    assert run(tmp_path, ONE) == {"q1": {"d1": 7.0}, "q2": {"d2": 10.0}}


def test_a_function_may_give_ids_and_be_named(tmp_path: Path) -> None:
    source = "def first(query, k): return ['d2', 'd1'][:k]\ndef second(query): return ['d1']\n"
    assert run(tmp_path, source, ":first")["q1"] == {"d2": 1.0, "d1": 0.5}
    assert run(tmp_path, source, ":second")["q1"] == {"d1": 1.0}


def test_what_a_function_finds_outside_the_corpus_is_counted(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(ONE)
    system = load_system(str(tmp_path / "mine.py"))
    assert system.own_corpus
    system.run(CORPUS, QUERIES)
    assert system.settings["retriever"]["outside_corpus"] == 2


@each_row
def test_a_file_that_cannot_search_is_told(
    tmp_path: Path, source: str, name: str, message: str
) -> None:
    with pytest.raises(InputError) as caught:
        run(tmp_path, source, name)
    assert message in str(caught.value)


def test_what_one_system_cannot_do_loses_nothing_of_the_others(tmp_path: Path) -> None:
    (tmp_path / "late.py").write_text("def search(query):\n    raise TimeoutError('too slow')\n")
    (tmp_path / "wrong.py").write_text("def search(query):\n    return query.lowercase()\n")
    corpus = [
        "check", str(write_notes(tmp_path)), "--probe", "rephrasings", "--limit", "3",
        "--out", str(tmp_path / "out"), "--quiet",
    ]  # fmt: skip
    late = str(tmp_path / "late.py")
    done = commands.run(*corpus, "-s", late, "-s", "bm25")
    assert f"rephrasings is left out for {late}: too slow" in done.stderr
    # A mistake in the code is not taken for that.
    mistaken = CliRunner().invoke(app, [*corpus, "-s", str(tmp_path / "wrong.py"), "-s", "bm25"])
    assert isinstance(mistaken.exception, AttributeError)


class _Same(Reranker):
    def rerank(self, queries: Sequence[Query], corpus: Corpus, candidates: Candidates) -> Run:
        return {id: scores_of(ids) for id, ids in candidates.items()}


def test_only_what_is_asked_one_query_at_a_time_says_what_a_query_takes(tmp_path: Path) -> None:
    def lazy(query: str) -> Iterator[str]:
        sleep(0.01)
        yield "d1"

    qrels = {query.id: {"d1": 1} for query in QUERIES}
    benchmark = Benchmark("mine", CORPUS, QUERIES, qrels, **KIND.measured())
    outcome = measure(
        [as_system(lazy), as_system(lambda texts: [["d1"] for _ in texts])], [benchmark]
    )
    one, all_at_once = outcome.reports
    assert one.query_seconds.keys() == {"q1", "q2"} and min(one.query_seconds.values()) >= 0.01
    times = one.as_json()["seconds"]
    assert 0.01 <= times["query_p50"] <= times["query_p95"] == max(one.query_seconds.values())
    assert not all_at_once.query_seconds and "query_p95" not in all_at_once.as_json()["seconds"]
    reranked = System(as_system(lazy).retriever, _Same())
    assert not reranked.run(CORPUS, QUERIES).query_seconds
    assert len(pooled([one, replace(one, benchmark="other")])) == 4
    page = write_report(tmp_path, outcome, title="", command="", facts={})
    assert "a query (p50 / p95)</span>" in page.read_text()
