"""A retriever, reranker, enricher, benchmark, metric or kind of one's own is one file."""

import json
from pathlib import Path
from textwrap import dedent

import pytest

import commands
from leadline.kinds import registry

RETRIEVER = """
    from leadline.retrievers import bm25

    def build(k1: float = 1.0):
        return bm25.build(k1=k1)
"""

RERANKER = """
    from leadline.types import Retriever

    class ByScorer:
        name = "by_scorer"

        def __init__(self, scorer):
            self.scorer = scorer

        def rerank(self, queries, corpus, candidates):
            return self.scorer.index(corpus).score(queries, candidates)

    def build(scorer: Retriever):
        return ByScorer(scorer)
"""

ENRICHER = """
    from leadline.types import Fact

    class Nothing:
        name = "nothing-1"

        def facts(self, documents):
            for document in documents:
                yield document.id, ()

        def constraints(self, queries):
            return [() for _ in queries]

    def build():
        return Nothing()
"""

BENCHMARK = """
    from leadline import Benchmark, Document, Query
    from leadline.kinds.ranking import KIND

    def build(part=None, data=None, word: str = "cat"):
        corpus = {"d": Document("d", f"a {word} sat"), "e": Document("e", "a dog ran")}
        qrels = {"q": {"d": 1}}
        return [Benchmark("mine", corpus, [Query("q", word, topic="q")], qrels, **KIND.measured())]
"""

KIND = """
    from __future__ import annotations

    from dataclasses import dataclass

    from leadline import Benchmark, Query
    from leadline.report.shapes import Case, Curve, Mean, Passage
    from leadline.kinds.cases import Failure
    from leadline.kinds.kind import Examined, Kind, Probe
    from leadline.metrics.record import Record

    @dataclass(frozen=True)
    class FirstLetter:
        records = (Record("FirstLetter", "begins with an a", "this test"),)
        name: str = "FirstLetter"
        unit: str = "query"

        def __call__(self, queries, qrels, run):
            return {q.id: float(next(iter(run[q.id]), "").startswith("a")) for q in queries}

    def probe(corpus, *, limit, seed):
        ids = sorted(corpus)[:limit]
        queries = [Query(f"q{id}", corpus[id].text[:30], topic=id) for id in ids]
        return Benchmark(
            "letters", corpus, queries, {f"q{id}": {id: 1} for id in ids},
            built_by="rules", **KIND.measured(),
        )

    def failures(benchmark, report):
        for query in benchmark.queries:
            passage = Passage("x", "what was expected here")
            case = Case(report.system, benchmark.name, "A letter is wrong.", query.text, passage,
                        passage)
            yield Failure(1.0, query.topic, "", case)

    def figures(benchmark, reports):
        line = (Mean(0.5, 0.4, 0.6),)
        return [Curve(title="Letters drawn", x_label="x", y_label="y", x=(1,), lines={"s": line},
                      probe=benchmark)]

    KIND = Kind(
        name="letters",
        question="Does the first document begin with an a?",
        metrics=(FirstLetter(),),
        main=("FirstLetter",),
        failures=failures,
        figures=figures,
        sentences=lambda by_system, metric: [f"Letters were looked at in {len(by_system)} system."],
        examine=lambda benchmark, ranking, system: Examined(benchmark, {"read": len(ranking.run)}),
        probe=Probe(probe, "first letters"),
    )
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(registry, "_added", {})
    files = {
        "retriever": RETRIEVER, "reranker": RERANKER, "enricher": ENRICHER,
        "benchmark": BENCHMARK, "kind": KIND,
    }  # fmt: skip
    for name, text in files.items():
        (tmp_path / f"{name}.py").write_text(dedent(text))
    corpus = tmp_path / "corpus"
    corpus.mkdir()
    for word in ("ape", "bear", "cow", "dog", "elk"):
        (corpus / f"{word}.txt").write_text(f"The {word} lives in a house of its own near here.")
    return tmp_path


def run(*arguments: str) -> str:
    result = commands.run(*list(arguments))
    return result.output


def test_stages_of_ones_own_and_a_kind_of_ones_own_run_through_check(folder: Path) -> None:
    chain = "./enricher.py+./retriever.py:k1=0.9+./reranker.py:scorer=bm25"
    shown = run("check", "corpus", "-s", chain, "--probe", "letters", "--kind", "kind.py")
    assert "FirstLetter" in shown
    report = json.loads((folder / "leadline-out" / "report.json").read_text())
    result, reference = report["results"]
    assert reference["system"] == "bm25 (reference)"
    assert (result["system"], result["kind"], result["read"]) == (chain, "letters", 5)
    # Documents are ape.txt to elk.txt; each is first for its own words: one of five.
    assert result["metrics"]["FirstLetter"]["mean"] == pytest.approx(1 / 5)
    page = (folder / "leadline-out" / "report.html").read_text()
    for told in (
        "Does the first document begin with an a?",
        "Letters were looked at in 1 system.",
        "A letter is wrong.",
        "Letters drawn",
        "Begins with an a.",
    ):
        assert told in page


def test_a_benchmark_of_ones_own_takes_options(folder: Path) -> None:
    run("evaluate", "-s", "bm25", "-b", "./benchmark.py:word=cow", "--quiet")
    report = json.loads((folder / "leadline-out" / "report.json").read_text())
    assert report["results"][0]["metrics"]["nDCG@10"]["mean"] == 1.0
