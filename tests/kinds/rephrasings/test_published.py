"""Published collections with other wordings of their queries."""

import json
from pathlib import Path

import pytest

from leadline.data.folder import Folder, write_folder
from leadline.errors import InputError
from leadline.evaluation import evaluate
from leadline.kinds.rephrasings.published import build
from leadline.retrievers import bm25
from leadline.system import System
from leadline.types import Document, Query
from shared import shared_data

CORPUS = {
    "a": Document("a", "bread is baked with flour and water"),
    "b": Document("b", "trains leave the station at nine"),
    "c": Document("c", "cats sleep on the sofa"),
}
QUERIES = [Query("1", "how is bread baked"), Query("2", "when do trains leave")]
ROWS = [
    {"query_id": "1", "text": "baked bread how", "kind": "ordering", "valid": True},
    {"query_id": "1", "text": "how is braed baked", "kind": "typo", "valid": None},
    {"query_id": "1", "text": "how are cats baked", "kind": "synonym", "valid": False},
    {"query_id": "2", "text": "When do  trains leave", "kind": "typo"},
    {"query_id": "9", "text": "of another set"},
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = tmp_path / "bakery"
    write_folder(path, Folder(CORPUS, QUERIES, {"1": {"a": 1, "b": 2}, "2": {"b": 2}}))
    lines = "".join(json.dumps(row) + "\n" for row in ROWS)
    (path / "query_variations.jsonl").write_text(lines, encoding="utf-8")
    return path


def test_variations_stand_behind_their_original(folder: Path) -> None:
    (made,) = build(data=folder)
    assert made.name == "rephrasings/bakery"
    assert [(each.id, each.topic, each.facets["kind"]) for each in made.queries] == [
        ("1", "1", "original"), ("1~1", "1", "ordering"), ("1~2", "1", "typo"),
        ("2", "2", "original"),
    ]  # fmt: skip
    assert made.built["left out"] == {
        "judged to change the meaning": 1,
        "of a query that is not asked here": 1,
        "same text as another": 1,
    }
    assert [metric.name for metric in made.metrics] == [
        "RBO@5", "Spearman@5", "P@1", "nDCG@10", "MRR@10", "MAP@100",
    ]  # fmt: skip


def test_relevance_is_of_originals_and_coherence_of_topics(folder: Path) -> None:
    (made,) = build(data=folder)
    report = evaluate(System(bm25.build()), made)
    assert set(report.scores["nDCG@10"]) == {"1", "2"}
    assert set(report.scores["RBO@5"]) == {"1"}


def test_the_least_relevant_grade_counts_for_binary_measures(folder: Path) -> None:
    # Query 1 finds a (grade 1), not b (grade 2).
    report = evaluate(System(bm25.build()), build(data=folder)[0])
    strict = evaluate(System(bm25.build()), build(data=folder, relevant=2)[0])
    assert (report.scores["P@1"]["1"], strict.scores["P@1"]["1"]) == (1.0, 0.0)
    assert report.scores["nDCG@10"] == strict.scores["nDCG@10"]


def test_variations_may_lie_elsewhere_or_be_missing(folder: Path, tmp_path: Path) -> None:
    other = tmp_path / "mine.jsonl"
    (folder / "query_variations.jsonl").rename(other)
    (without,) = build(data=folder)
    assert [metric.name for metric in without.metrics] == ["P@1", "nDCG@10", "MRR@10", "MAP@100"]
    assert len(build(data=folder, variants=str(other))[0].queries) == 4


def test_what_is_missing_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="Name a collection"):
        build()
    with pytest.raises(InputError, match="has no collection"):
        build(data=tmp_path)
    with pytest.raises(InputError, match="There is no folder"):
        build(data=tmp_path / "no")
    with pytest.raises(InputError, match="Did you mean 'nq'"):
        build("nqq")


def test_the_pool_of_trec_dl_2019_has_its_valid_variations() -> None:
    (made,) = build("trec-dl-2019", shared_data("data", "trec_dl19_pool"))
    kinds = [each.facets["kind"] for each in made.queries]
    # Of 859 variations 95 are judged not valid, and 28 are written like another one.
    assert len(kinds) == 43 + 859 - 95 - 28
    assert made.built["left out"]["judged to change the meaning"] == 95
    assert kinds.count("original") == 43
    assert kinds.count("paraphrase") <= 49
    assert made.built["least relevant grade"] == 2


def test_complex_queries_are_measured_apart(folder: Path) -> None:
    (made,) = build(data=folder, complex=0.1)
    assert [metric.name for metric in made.metrics][-2:] == [
        "RBO@5[complex=0.1]", "nDCG@10[complex=0.1]",
    ]  # fmt: skip
    report = evaluate(System(bm25.build()), made)
    assert report.scores["nDCG@10[complex=0.1]"] == {}  # of three documents none is the fiftieth
    assert report.notes == [
        f"{name}[complex=0.1] has no value: no query's first and 50th scores differ by less than "
        "0.1, a measure for cosines."
        for name in ("RBO@5", "nDCG@10")
    ]


def test_only_originals_are_left_out_of_what_originals_are_measured_by(folder: Path) -> None:
    # Of query 2 nothing is relevant at grade 3: with trec_eval it counts 0, and is not left out.
    (made,) = build(data=folder, relevant=3)
    report = evaluate(System(bm25.build()), made)
    assert set(report.left_out) >= {"P@1", "MRR@10", "MAP@100", "nDCG@10"}
    assert {report.left_out[name] for name in ("P@1", "MRR@10", "MAP@100", "nDCG@10")} == {0}
    assert report.scores["P@1"] == {"1": 0.0, "2": 0.0}
    assert report.notes == [
        "Queries without a relevant document: 2 of 2. In P@1, MRR@10, MAP@100 they count 0, as in "
        "trec_eval, BEIR and MTEB (no_relevant=leave_out leaves them out)."
    ]
    (other,) = build(data=folder, relevant=3, no_relevant="leave_out", complex=0.1)
    assert other.name == "rephrasings:no_relevant=leave_out/bakery"
    report = evaluate(System(bm25.build()), other)
    assert (report.scores["P@1"], report.left_out["P@1"]) == ({}, 2)
    assert report.left_out["nDCG@10[complex=0.1]"] == 2  # the originals, none of which is complex
