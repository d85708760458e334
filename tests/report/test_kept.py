from pathlib import Path

from leadline.benchmark import Benchmark
from leadline.evaluation import measure
from leadline.kinds.ranking import KIND
from leadline.retrievers import bm25
from leadline.system import System
from leadline.types import Document, Query


def benchmark(text: str = "a cat sat") -> Benchmark:
    corpus = {"d": Document("d", text), "e": Document("e", "a dog ran")}
    queries = [Query("q", "cat", topic="q"), Query("r", "dog", topic="r")]
    return Benchmark("mine", corpus, queries, {"q": {"d": 1}, "r": {"d": 1}}, **KIND.measured())


def named(name: str) -> System:
    return System(bm25.build(), name=name)


def test_a_second_run_into_a_folder_joins_the_first(tmp_path: Path) -> None:
    first = measure([named("one")], [benchmark()], out=tmp_path)
    joined = measure([named("two")], [benchmark()], out=tmp_path)
    assert [report.system for report in joined.reports] == ["two", "one"]
    assert joined.reports[1].means() == first.reports[0].means()
    assert [case.system for case in joined.cases] == ["two", "one"]
    assert joined.cases[1] == first.cases[0]


def test_a_run_on_other_documents_stays_alone(tmp_path: Path) -> None:
    measure([named("one")], [benchmark()], out=tmp_path)
    other = measure([named("two")], [benchmark("a cat sat here")], out=tmp_path)
    assert [report.system for report in other.reports] == ["two"]


def test_the_same_system_again_replaces_what_it_left(tmp_path: Path) -> None:
    measure([named("one")], [benchmark()], out=tmp_path)
    again = measure([named("one")], [benchmark()], out=tmp_path)
    assert [report.system for report in again.reports] == ["one"]
