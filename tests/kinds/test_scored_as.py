"""What BEIR, MTEB and trec_eval do with data that do not fit, and what is said of it."""

import dataclasses

import pytest

from leadline.data.folder import Folder, write_folder
from leadline.errors import InputError
from leadline.evaluation import evaluate
from leadline.kinds.benchmark_folder import build, build_parts, own_documents, scored_as
from leadline.kinds.rephrasings.published import build as rephrasings
from leadline.retrievers import bm25
from leadline.system import System
from leadline.systems.benchmarks import load_benchmarks
from leadline.types import Document, Query

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


def test_variants_of_a_query_go_without_its_document_too(tmp_path):
    queries = [
        Query("d1", "ferry", facets={"kind": "original"}, topic="d1"),
        Query("d1~1", "fery", facets={"kind": "typo"}, topic="d1"),
    ]
    made = build(a_folder(tmp_path / "varied", queries=queries, qrels={"d1": {"d2": 1}}))
    assert made.excluded == {"d1": ("d1",), "d1~1": ("d1",)}


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


def test_the_answer_of_a_query_is_never_left_out_for_its_name(tmp_path):
    # Questions of implicit-facts have the ids of their documents.
    qrels = {id: {id: 1} for id in CORPUS}
    made = build(a_folder(tmp_path / "p", queries=[Query(id, "x") for id in CORPUS], qrels=qrels))
    assert own_documents(made) == {}
    assert made.notes == ()


def test_unknown_options_are_refused(tmp_path):
    folder = a_folder(tmp_path / "plain")
    with pytest.raises(InputError, match="no_relevant"):
        load_benchmarks(f"{folder}:no_relevant=half")
    with pytest.raises(InputError, match="speed"):
        load_benchmarks(f"{folder}:speed=9")


def test_a_judged_document_that_is_missing_counts_as_never_found(tmp_path):
    # Of q1 one of two relevant documents is found: recall (.5 + 1 + 1) / 3 = .833.
    folder = a_folder(tmp_path / "dangling", qrels={**QRELS, "q1": {"d1": 1, "d99": 1}})
    report, means = measured(build(folder))
    assert means["Recall@100"] == 0.833
    assert report.notes == [
        "1 of 4 judgements name documents that the corpus lacks (the first is 'd99' of query "
        "'q1'). Those that are relevant count as never found."
    ]


def test_judgements_and_candidates_that_are_mostly_of_another_corpus_are_refused(tmp_path):
    other = {"q1": {"d91": 1}, "q2": {"d92": 1}, "q3": {"d3": 1}}
    with pytest.raises(InputError, match=r"name document 'd91'.*Do corpus and qrels belong"):
        build(a_folder(tmp_path / "a", qrels=other))
    with pytest.raises(InputError, match=r"judge query 'x'.*same split"):
        build(a_folder(tmp_path / "b", qrels={"q1": {"d1": 1}, "x": {"d1": 1}, "y": {"d1": 1}}))
    with pytest.raises(InputError, match=r"candidates of query 'q1'.*name document 'd8'"):
        build(a_folder(tmp_path / "c", candidates={"q1": ["d8", "d9", "d1"]}))


def test_pairs_need_both_of_their_documents(tmp_path):
    facets = {"style": "list", "k": "1"}
    queries = [Query("q1", "ferry", facets=facets), Query("q2", "boiler", facets=facets)]
    qrels = {"q1": {"d1": 1, "d2": 0}, "q2": {"d2": 1, "d9": 0}}
    with pytest.raises(InputError, match=r"name document 'd9'"):
        build(a_folder(tmp_path, queries=queries, qrels=qrels, settings={"kind": "conditions"}))


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
        "1 of 4 judged queries are not among the queries, so they were not asked (the first is "
        "'q9').",
        "1 of 4 candidates are not in the corpus, so they were not ranked (the first is 'd9' of "
        "query 'q1').",
    )
    assert made.validated() is made


def test_another_split_is_named_after_a_colon(tmp_path):
    folder = a_folder(tmp_path / "devonly")
    (folder / "qrels" / "test.tsv").rename(folder / "qrels" / "dev.tsv")
    with pytest.raises(
        InputError, match=rf"It has: dev\. Name one after a colon: -b {folder}:split"
    ):
        load_benchmarks(str(folder))
    (made,) = load_benchmarks(f"{folder}:split=dev")
    assert (made.name, made.qrels) == ("devonly:split=dev", QRELS)


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
