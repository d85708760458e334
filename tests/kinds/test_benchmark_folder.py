"""Benchmark folders, and what BEIR, MTEB and trec_eval do with data that do not fit."""

import dataclasses
import json

import pytest
from typer.testing import CliRunner

from commands import run
from leadline.benchmark import Benchmark
from leadline.cli.main import app
from leadline.data.folder import Folder, write_beir_qrels, write_corpus, write_folder, write_queries
from leadline.errors import InputError
from leadline.evaluation import evaluate
from leadline.kinds.benchmark_folder import build, build_parts, scored_as, write
from leadline.kinds.registry import kind_named
from leadline.kinds.rephrasings.published import build as rephrasings
from leadline.retrievers import bm25
from leadline.system import System
from leadline.systems.benchmarks import load_benchmarks
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
        "built": {"seed": 3, "dropped": {"too short": 2}, "leadline": "0.2.0"},
    }
    return Benchmark(**{**parts, **changes})


def test_a_benchmark_is_built_as_it_was_written(tmp_path):
    benchmark = a_benchmark()
    write(tmp_path, benchmark)
    built = build(tmp_path)
    assert dict(built.corpus) == benchmark.corpus
    assert built == a_benchmark(corpus=built.corpus)


def test_a_folder_of_instructions_is_read_to_the_rank_at_which_modes_are_compared(tmp_path):
    queries = [Query(mode, "a", "t", facets={"mode": mode})
               for mode in ("original", "instructed", "reversed")]  # fmt: skip
    qrels = {query.id: {"d1": 1} for query in queries}
    write_corpus(tmp_path / "corpus.jsonl", a_benchmark().corpus)
    write_queries(tmp_path / "queries.jsonl", queries)
    write_beir_qrels(tmp_path / "qrels" / "test.tsv", qrels)
    assert (build(tmp_path).kind, build(tmp_path).depth) == ("instructions", 100)


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


def test_queries_without_judgements_are_left_out_and_counted(tmp_path):
    queries = [Query("q1", "a", "q1"), Query("q2", "b", "q1"), Query("q3", "c", "q3")]
    candidates = {"q1": ("d1", "d2"), "q3": ("d2",)}
    write(tmp_path, a_benchmark(queries=queries, candidates=candidates))
    built = build(tmp_path)
    assert [query.id for query in built.queries] == ["q1", "q2"]
    assert built.candidates == {"q1": ("d1", "d2")}
    assert built.built["dropped"] == {"too short": 2, "without a judgement": 1}


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


TEXTS = {"d1": "ferry to the harbour", "d2": "boiler in the cellar", "d3": "bread with caraway"}
CORPUS = {id: Document(id, text) for id, text in TEXTS.items()}
QUERIES = [Query("q1", "ferry"), Query("q2", "boiler"), Query("q3", "bread")]
QRELS = {"q1": {"d1": 1}, "q2": {"d2": 1}, "q3": {"d3": 1}}


def a_folder(path, corpus=CORPUS, queries=QUERIES, qrels=QRELS, candidates=None, settings=None):
    write_folder(path, Folder(corpus, queries, qrels, candidates, settings or {}))
    return path


def measured(benchmark):
    report = evaluate(System(bm25.build()), benchmark)
    return report, {name: round(mean.mean, 3) for name, mean in report.means().items()}


def test_a_query_with_only_grade_0_counts_0_and_that_is_said(tmp_path):
    # q1 and q2 have their document first, q3 has none: (1 + 1 + 0) / 3 = .667.
    folder = a_folder(tmp_path / "zero", qrels={**QRELS, "q3": {"d1": 0}})
    report, means = measured(build(folder))
    assert means["nDCG@10"] == means["MAP@100"] == means["Recall@100"] == 0.667
    assert report.notes == [
        "Queries without a relevant document: 1 of 3. In nDCG@10, MRR@10, Recall@100, MAP@100 they "
        "count 0, as in trec_eval, BEIR and MTEB (no_relevant=leave_out leaves them out)."
    ]
    assert report.as_json()["notes"] == report.notes
    (other,) = load_benchmarks(f"{folder}:no_relevant=leave_out")
    report, means = measured(other)
    assert (other.name, means["nDCG@10"]) == ("zero:no_relevant=leave_out", 1.0)
    assert report.left_out["nDCG@10"] == 1
    assert "they are left out" in report.notes[0]


def test_a_query_that_is_a_document_is_ranked_without_itself(tmp_path):
    # Like ArguAna: the query's own document would come first, its counterpart second (.631).
    essay = "taxes should rise for the rich"
    corpus = {**CORPUS, "pro1": Document("pro1", essay), "con1": Document("con1", f"no {essay}")}
    queries, qrels = [*QUERIES, Query("pro1", essay)], {**QRELS, "pro1": {"con1": 1}}
    folder = a_folder(tmp_path / "arguana", corpus, queries, qrels)
    report, means = measured(build(folder))
    assert list(report.run["pro1"]) == ["con1"]
    assert means["nDCG@10"] == 1.0
    assert "Queries that are documents of the corpus (same id): 1 of 4." in report.notes[0]
    # (1 + 1 + 1 + 1/log2(3)) / 4 = (3 + .631) / 4 = .908
    (kept,) = build_parts(folder, identical_ids="keep")
    assert (kept.name, measured(kept)[1]["nDCG@10"]) == ("arguana:identical_ids=keep", 0.908)
    (varied,) = rephrasings(data=folder)
    assert varied.excluded == {"pro1": ("pro1",)}


def test_numbers_that_happen_to_be_equal_are_not_the_same_text(tmp_path):
    # As in Cranfield: queries 1, 2, ... have nothing to do with documents 1, 2, ...
    corpus = {"1": Document("1", "ferry to the harbour"), "2": Document("2", "boiler", "Cellar")}
    queries = [Query("1", "how are boilers  lit"), Query("2", "Cellar Boiler")]
    made = build(a_folder(tmp_path / "numbered", corpus, queries, {"1": {"2": 1}, "2": {"1": 1}}))
    assert made.excluded == {"2": ("2",)}
    assert made.notes == (
        "Queries with the id of a document that has another text: 1. Their rankings keep it "
        "(identical_ids=drop leaves it out, as BEIR does).",
    )
    dropped = scored_as(dataclasses.replace(made, notes=()), "drop")
    assert dropped.excluded == {"1": ("1",), "2": ("2",)}


def test_a_judged_document_that_is_missing_counts_as_never_found(tmp_path):
    # Of q1 one of two relevant documents is found: recall (.5 + 1 + 1) / 3 = .833.
    folder = a_folder(tmp_path / "dangling", qrels={**QRELS, "q1": {"d1": 1, "d99": 1}})
    report, means = measured(build(folder))
    assert means["Recall@100"] == 0.833
    assert report.notes == [
        "1 of 4 judgements name documents that the corpus lacks (the first is 'd99' of query "
        "'q1'). The relevant ones count as never found."
    ]


def test_judgements_and_candidates_that_are_mostly_of_another_corpus_are_refused(tmp_path):
    other = {"q1": {"d91": 1}, "q2": {"d92": 1}, "q3": {"d3": 1}}
    with pytest.raises(InputError, match=r"name document 'd91'.*Do corpus and qrels belong"):
        build(a_folder(tmp_path / "a", qrels=other))
    with pytest.raises(InputError, match=r"judge query 'x'.*same split"):
        build(a_folder(tmp_path / "b", qrels={"q1": {"d1": 1}, "x": {"d1": 1}, "y": {"d1": 1}}))
    with pytest.raises(InputError, match=r"candidates of query 'q1'.*name document 'd8'"):
        build(a_folder(tmp_path / "c", candidates={"q1": ["d8", "d9", "d1"]}))


def test_judged_queries_and_candidates_that_are_missing_are_left_out_and_counted(tmp_path):
    folder = a_folder(
        tmp_path / "some",
        qrels={**QRELS, "q9": {"d1": 1}},
        candidates={"q1": ["d1", "d9"], "q2": ["d2"], "q3": ["d3"]},
    )
    made = build(folder)
    assert set(made.qrels) == {"q1", "q2", "q3"}
    assert made.candidates["q1"] == ("d1",)
    assert made.notes == (
        "1 of 4 judged queries are not in the queries file, so they are skipped (the first is "
        "'q9').",
        "1 of 4 candidates are not in the corpus, so they are not ranked (the first is 'd9' of "
        "query 'q1').",
    )
    assert made.validated() is made


def test_another_split_is_named_by_an_option_or_after_a_colon(tmp_path):
    folder = a_folder(tmp_path / "devonly")
    (folder / "qrels" / "test.tsv").rename(folder / "qrels" / "dev.tsv")
    (folder / "qrels" / "train.tsv").write_text("query-id\tcorpus-id\tscore\n")
    with pytest.raises(InputError, match=rf"dev, train\. .*--split dev, or with -b {folder}:split"):
        load_benchmarks(str(folder))
    (made,) = load_benchmarks(f"{folder}:split=dev")
    assert (made.name, made.qrels) == ("devonly:split=dev", QRELS)
    assert load_benchmarks(str(folder), split="dev") == [made]
    (zero,) = load_benchmarks(f"{folder}:no_relevant=leave_out", split="dev")
    assert zero.name == "devonly:split=dev,no_relevant=leave_out"


def test_a_split_of_every_part_is_evaluated_and_its_mean_is_named_like_it(tmp_path):
    whole = tmp_path / "cqadupstack"
    for name in ("gis", "android"):
        folder = a_folder(whole / name)
        (folder / "qrels" / "test.tsv").rename(folder / "qrels.dev.tsv")
        (folder / "queries.jsonl").rename(folder / "queries.dev.jsonl")
    command = ["evaluate", "-s", "bm25", "-b", str(whole), "--out", str(tmp_path / "out"), "-q"]
    done = run(*command, "--split", "dev")
    results = json.loads((tmp_path / "out" / "report.json").read_text())["results"]
    assert [each["benchmark"] for each in results] == [
        "cqadupstack:split=dev/android", "cqadupstack:split=dev/gis", "cqadupstack:split=dev",
    ]  # fmt: skip
    done = CliRunner().invoke(app, command)
    assert done.exit_code == 2 and "It has: dev." in done.output


def test_benchmark_folders_inside_a_folder_are_parts_of_a_whole(tmp_path):
    whole = tmp_path / "cqadupstack"
    a_folder(whole / "gis")
    a_folder(whole / "android", qrels={**QRELS, "q3": {"d1": 0}})
    made = load_benchmarks(f"{whole}:no_relevant=leave_out")
    assert [each.name for each in made] == [
        "cqadupstack:no_relevant=leave_out/android", "cqadupstack:no_relevant=leave_out/gis",
    ]  # fmt: skip
    assert [each.name for each in load_benchmarks(str(whole))] == [
        "cqadupstack/android", "cqadupstack/gis",
    ]  # fmt: skip
    (whole / "gis" / "queries.jsonl").rename(whole / "gis" / "questions.jsonl")
    (whole / "android" / "queries.jsonl").rename(whole / "android" / "questions.jsonl")
    with pytest.raises(InputError, match=r"cqadupstack has no queries.jsonl"):
        load_benchmarks(str(whole))
