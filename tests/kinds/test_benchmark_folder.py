import json

import pytest

from leadline.benchmark import Benchmark
from leadline.data.folder import write_beir_qrels, write_corpus, write_queries
from leadline.errors import InputError
from leadline.evaluation import evaluate
from leadline.kinds.benchmark_folder import build, write
from leadline.kinds.registry import kind_named
from leadline.retrievers import bm25
from leadline.system import System
from leadline.types import Document, Query
from notes import write_beir
from shared import shared_data


def a_benchmark(**changes):
    parts = {
        "name": "mine",
        "corpus": {"d1": Document("d1", "one", "T", {"a": "b"}), "d2": Document("d2", "two")},
        "queries": [Query("q1", "a", "q1"), Query("q2", "b", "q1", facets={"kind": "typo"})],
        "qrels": {"q1": {"d1": 1}},
        "metrics": kind_named("rephrasings").named(["RBO@5"]),
        "candidates": {"q1": ("d1", "d2")},
        "source": "A paper.",
        "kind": "rephrasings",
        "built_by": "rules",
        "breakdowns": ("RBO@5[kind]",),
        "notes": ("Some was left out.",),
        "depth": 2,
        "built": {"seed": 3, "dropped": {"too short": 2}, "leadline": "0.1.0"},
    }
    return Benchmark(**{**parts, **changes})


def test_a_benchmark_is_built_as_it_was_written(tmp_path):
    benchmark = a_benchmark()
    write(tmp_path, benchmark)
    built = build(tmp_path)
    assert dict(built.corpus) == benchmark.corpus
    assert built == a_benchmark(corpus=built.corpus)


def test_the_settings_say_how_it_was_built(tmp_path):
    write(tmp_path, a_benchmark())
    assert json.loads((tmp_path / "benchmark.json").read_text()) == {
        "name": "mine", "kind": "rephrasings", "built_by": "rules", "metrics": ["RBO@5"],
        "source": "A paper.", "depth": 2, "notes": ["Some was left out."], "seed": 3,
        "dropped": {"too short": 2}, "leadline": "0.1.0",
    }  # fmt: skip


def test_a_folder_of_instructions_is_read_to_the_rank_at_which_modes_are_compared(tmp_path):
    queries = [Query(mode, "a", "t", facets={"mode": mode})
               for mode in ("original", "instructed", "reversed")]  # fmt: skip
    qrels = {query.id: {"d1": 1} for query in queries}
    write_corpus(tmp_path / "corpus.jsonl", a_benchmark().corpus)
    write_queries(tmp_path / "queries.jsonl", queries)
    write_beir_qrels(tmp_path / "qrels" / "test.tsv", qrels)
    assert (build(tmp_path).kind, build(tmp_path).depth) == ("instructions", 100)


def test_all_metrics_of_a_kind_come_back(tmp_path):
    for kind in ("ranking", "conditions", "rephrasings", "implicit-facts"):
        write(tmp_path / kind, a_benchmark(kind=kind, metrics=kind_named(kind).metrics))
        assert build(tmp_path / kind).metrics == kind_named(kind).metrics


def test_any_beir_folder_is_a_ranking_benchmark_named_like_itself(tmp_path):
    folder = tmp_path / "scifact"
    write_corpus(folder / "corpus.jsonl", {"d": Document("d", "x", "", {"a": "b"})})
    write_queries(folder / "queries.jsonl", [Query("q", "a")])
    write_beir_qrels(folder / "qrels" / "test.tsv", {"q": {"d": 1}})
    built = build(folder)
    assert (built.name, built.kind, built.built_by) == ("scifact", "ranking", "published")
    assert built.metrics == kind_named("ranking").metrics
    assert built.built == {}
    assert build(folder, metadata=True).corpus["d"].text == "a: b\nx"


def test_qrels_that_name_unknown_documents_are_refused(tmp_path):
    write(tmp_path, a_benchmark(qrels={"q1": {"d9": 1}}))
    with pytest.raises(InputError, match=r"name document 'd9' \(query 'q1'\), which is not in"):
        build(tmp_path)


def test_queries_without_judgements_are_left_out_and_counted(tmp_path):
    queries = [Query("q1", "a", "q1"), Query("q2", "b", "q1"), Query("q3", "c", "q3")]
    candidates = {"q1": ("d1", "d2"), "q3": ("d2",)}
    write(tmp_path, a_benchmark(queries=queries, candidates=candidates))
    built = build(tmp_path)
    assert [query.id for query in built.queries] == ["q1", "q2"]
    assert built.candidates == {"q1": ("d1", "d2")}
    assert built.built["dropped"] == {"too short": 2, "without a judgement": 1}


def test_a_folder_in_which_no_query_is_judged_is_refused(tmp_path):
    write(tmp_path, a_benchmark(queries=[Query("q3", "c", "q3")], candidates=None))
    with pytest.raises(InputError, match=r"Query 'q3' has no qrels in 'mine'"):
        build(tmp_path)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"kind": "cooking"}, r"Unknown kind of benchmark 'cooking'"),
        ({"metrics": ["nDCG@x"]}, r"nDCG@x"),
        ({"metrics": "nDCG@10"}, r"benchmark.json: 'metrics' must be a list of names"),
        ({"notes": "one"}, r"benchmark.json: 'notes' must be a list of sentences, got 'one'"),
        ({"name": 3}, r"benchmark.json: 'name' must be a string, got 3"),
    ],
)
def test_settings_that_do_not_fit_are_named(tmp_path, change, message):
    write(tmp_path, a_benchmark())
    path = tmp_path / "benchmark.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), **change}))
    with pytest.raises(InputError, match=message):
        build(tmp_path)


def test_what_was_built_cannot_hide_the_name(tmp_path):
    with pytest.raises(ValueError, match=r"must not have the keys \['name'\]"):
        write(tmp_path, a_benchmark(built={"name": "other"}))


# Counts as the READMEs of the collections give them.
@pytest.mark.parametrize(
    ("name", "queries", "judgements"),
    [("cranfield", 225, 1837), ("lisa", 35, 362), ("instructions_dev", 393, 734)],
)
def test_real_collections_go_both_ways(tmp_path, name, queries, judgements):
    benchmark = build(shared_data("data", name))
    assert len(benchmark.queries) == queries
    assert sum(map(len, benchmark.qrels.values())) == judgements
    write(tmp_path / name, benchmark)
    again = build(tmp_path / name)
    assert dict(again.corpus) == dict(benchmark.corpus)
    assert (again.queries, again.qrels) == (benchmark.queries, benchmark.qrels)


def test_a_folder_that_names_its_own_metrics_is_measured_by_them(tmp_path):
    queries = [Query("q1", "one", "q1"), Query("q2", "two", "q1", facets={"kind": "typo"})]
    write(tmp_path, a_benchmark(queries=queries, candidates=None))
    report = evaluate(System(bm25.build()), build(tmp_path))
    assert set(report.scores) == {"RBO@5", "RBO@5[kind=typo]"}


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"dropped": {"a": "b"}}, "'dropped' must give a count for each reason"),
        ({"dropped": ["a"]}, "'dropped' must give a count"),
        ({"kept": "many"}, "'kept' must be a count, got 'many'"),
        ({"considered": 10**400}, "'considered' must be a count"),
        ({"name": "x" * 5000}, "'name' must have at most 200 characters"),
        ({"name": "report.json"}, "'name' must have .* none of report.json"),
    ],
)
def test_settings_that_a_report_could_not_show_are_refused(tmp_path, settings, message):
    beir = write_beir(tmp_path)
    (beir / "benchmark.json").write_text(json.dumps(settings))
    with pytest.raises(InputError, match=message):
        build(beir)
