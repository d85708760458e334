"""Data sets of the package ir_datasets, made from files of ours where it is installed."""

from pathlib import Path

import pytest

from leadline.errors import InputError, MissingExtraError
from leadline.evaluation import evaluate
from leadline.systems.benchmarks import load_benchmarks
from leadline.systems.chains import load_system


def test_without_the_package_one_line_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "ir_datasets", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'leadline\[ir_datasets\]'"):
        load_benchmarks("ir_datasets:beir/scifact/test")


def test_a_data_set_is_evaluated_by_its_name(tmp_path: Path) -> None:
    ir_datasets = pytest.importorskip("ir_datasets")
    (tmp_path / "docs.tsv").write_text("d1\tA van is hired.\nd2\tA boat is sold.\n")
    (tmp_path / "queries.tsv").write_text("q1\tvan\nq2\tboat\nq3\tnobody judged it\n")
    (tmp_path / "qrels").write_text("q1 0 d1 2\nq2 0 d2 1\n")
    made = ir_datasets.create_dataset(
        docs_tsv=str(tmp_path / "docs.tsv"),
        queries_tsv=str(tmp_path / "queries.tsv"),
        qrels_trec=str(tmp_path / "qrels"),
    )
    if "ours/test" not in ir_datasets.registry:
        ir_datasets.registry.register("ours/test", made)
    (benchmark,) = load_benchmarks("ir_datasets:ours/test")
    assert [query.id for query in benchmark.queries] == ["q1", "q2"]
    assert benchmark.corpus["d2"].text == "A boat is sold."
    assert evaluate(load_system("bm25"), benchmark).means()["nDCG@10"].mean == 1.0
    (left,) = load_benchmarks("ir_datasets:ours/test:no_relevant=leave_out")
    assert "no_relevant=leave_out" in left.name
    with pytest.raises(InputError, match=r"has no data set 'ours/none'"):
        load_benchmarks("ir_datasets:ours/none")
