"""What a user imports from `leadline`, each used once."""

import importlib
import json
import pkgutil
from pathlib import Path

import leadline

TOWN = Path(__file__).parent.parent / "examples" / "harbour_town" / "corpus.jsonl"
NOTES = {
    "a": leadline.Document("a", "The ferry to Ystad sails at noon.", "Ferry"),
    "b": leadline.Document("b", "The mill on the hill grinds rye.", "Mill"),
}


def test_a_search_is_checked_compared_gated_and_repaired(tmp_path: Path) -> None:
    options = {"probes": ["rephrasings"], "limit": 10}
    town = tmp_path / "town.jsonl"
    town.write_text("".join(TOWN.open(encoding="utf-8").readlines()[:30]), encoding="utf-8")
    before = leadline.check(town, "bm25", out=tmp_path / "before", **options)
    leadline.check(town, "bm25", out=tmp_path / "after", **options)
    assert isinstance(before.reports[0], leadline.Report)
    compared = leadline.compare(tmp_path / "before", tmp_path / "after")
    assert compared.changes and all(each.change.difference == 0 for each in compared.changes)
    assert leadline.gate(tmp_path / "before", tmp_path / "after", max_drop=0.02).passed
    found = leadline.repair(town, "bm25:k1=0.1", out=tmp_path / "repair", **options)
    assert any(each.proposal.name == "bm25" for each in found.tried)
    written = json.loads((tmp_path / "repair" / "repair.json").read_text())
    assert written == json.loads(json.dumps(found.as_json()))


def test_a_benchmark_is_synthesized_loaded_and_evaluated(tmp_path: Path) -> None:
    made = leadline.synthesize("rephrasings", TOWN, limit=10, out=tmp_path / "made")
    (loaded,) = leadline.load_benchmarks(str(tmp_path / "made"))
    assert isinstance(loaded, leadline.Benchmark)
    assert [each.text for each in loaded.queries] == [each.text for each in made.queries]
    report = leadline.evaluate("bm25", loaded)
    assert report.means()["nDCG@10"].n == len({each.topic for each in made.queries})


def test_an_own_retriever_reranker_metric_and_kind_run() -> None:
    class Found(leadline.Index):
        def __init__(self, corpus):
            self.corpus = corpus

        def search(self, queries, k):
            return {q.id: dict.fromkeys(list(self.corpus)[:k], 1.0) for q in queries}

        def score(self, queries, candidates):
            return {q.id: dict.fromkeys(candidates[q.id], 1.0) for q in queries}

    class Everything(leadline.Retriever):
        name = "everything"

        def index(self, corpus):
            return Found(corpus)

    class Shortest(leadline.Reranker):
        name = "shortest"

        def rerank(self, queries, corpus, candidates):
            return {q.id: {id: -len(corpus[id].text) for id in candidates[q.id]} for q in queries}

    class First(leadline.Metric):
        name = "First"

        def __call__(self, queries, qrels, run):
            return {q.id: float(next(iter(run[q.id])) in qrels[q.id]) for q in queries}

    kind = leadline.Kind(
        name="first", question="Is the first right?", metrics=(First(),), main=("First",)
    )
    query = leadline.Query("q", "what is short")
    benchmark = leadline.Benchmark("mine", NOTES, [query], {"q": {"b": 1}}, kind.metrics)
    system = leadline.System(Everything(), [Shortest()])
    assert leadline.evaluate(system, benchmark).scores["First"] == {"q": 1.0}
    alone = leadline.evaluate(leadline.as_system(Everything()), benchmark)
    assert alone.scores["First"] == {"q": 0.0}


def test_a_name_stays_what_it_is_when_modules_are_imported() -> None:
    for module in pkgutil.iter_modules(leadline.__path__):
        if module.name != "__main__":
            importlib.import_module(f"leadline.{module.name}")
    for name in leadline._HOMES:
        assert callable(getattr(leadline, name)), name
