"""Instructions as a benchmark: published data, hand-written folders, changed narratives."""

import json
import sys
import tomllib
from pathlib import Path

import pytest

from leadline.errors import InputError, MissingExtraError
from leadline.evaluation import evaluate
from leadline.kinds import benchmark_folder as folder
from leadline.kinds.instructions import published as instructions
from leadline.kinds.instructions import published_narratives as narratives
from leadline.systems.benchmarks import load_benchmarks
from leadline.systems.chains import load_system
from shared import shared_data


def lines(path, records):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(each) + "\n" for each in records))


def qrels(path, rows):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("query-id\tcorpus-id\tscore\n" + "".join(f"{r}\n" for r in rows))


@pytest.fixture
def published(tmp_path):
    """Return a folder in the published layout: one core query, two instructions."""
    path = tmp_path / "Length-v1"
    lines(path / "corpus.jsonl", [{"_id": "s", "text": "Short."}, {"_id": "l", "text": "Long."}])
    query = {"text": "How long?", "instruction_og": ""}
    lines(
        path / "queries.jsonl",
        [
            query | {"_id": "1", "instruction_changed": "Short.", "instruction_reversed": "Not."},
            query | {"_id": "2", "instruction_changed": "Long.", "instruction_reversed": "No."},
        ],
    )
    qrels(path / "qrels_og" / "test.tsv", ["1\ts\t1", "1\tl\t1", "2\ts\t1", "2\tl\t1"])
    qrels(path / "qrels_changed" / "test.tsv", ["1\ts\t1", "1\tl\t0", "2\ts\t0", "2\tl\t1"])
    return tmp_path


def test_the_published_layout_becomes_three_modes_of_each_topic(published):
    [benchmark] = instructions.build(data=published)
    assert benchmark.name == "instructions/length"
    assert [query.id for query in benchmark.queries[:3]] == ["1-og", "1-changed", "1-reversed"]
    assert [query.facets["mode"] for query in benchmark.queries[:3]] == [
        "original", "instructed", "reversed",
    ]  # fmt: skip
    assert {query.facets["core"] for query in benchmark.queries} == {"How long?"}
    assert benchmark.qrels["2-changed"] == {"s": 0, "l": 1}
    assert "1-reversed" not in benchmark.qrels


def test_depth_0_reads_1_000_ranks_as_the_released_code_does(tmp_path):
    # 150 documents say "word" once; BM25 puts the shorter first. The gold one, d119, is at 120.
    path = tmp_path / "Length-v1"
    texts = {f"d{number}": "word" + " more" * number for number in range(150)}
    lines(path / "corpus.jsonl", [{"_id": id, "text": text} for id, text in texts.items()])
    instructed = {"instruction_og": "", "instruction_changed": "?", "instruction_reversed": "!"}
    lines(path / "queries.jsonl", [{"_id": "1", "text": "word"} | instructed])
    for name in ("og", "changed"):
        qrels(path / f"qrels_{name}" / "test.tsv", ["1\td119\t1"])
    found, settings = {}, {}
    for options in ("", ":depth=0", ":depth=130"):
        for system in ("bm25", f"bm25+{__file__}"):
            [benchmark] = load_benchmarks(f"instructions{options}", data=tmp_path)
            report = evaluate(load_system(system), benchmark)
            found[options, system[:5]] = report.scores["GoldRank"]["1"]
            settings[options, system[:5]] = report.settings["compared to rank"]
    # the reranker turns the 100 that it is given round, and its ranking ends there: 101
    assert found == {
        ("", "bm25"): 101, (":depth=0", "bm25"): 120, (":depth=130", "bm25"): 120,
        ("", "bm25+"): 101, (":depth=0", "bm25+"): 101, (":depth=130", "bm25+"): 120,
    }  # fmt: skip
    assert settings == {
        ("", "bm25"): "100", (":depth=130", "bm25"): "130",
        (":depth=0", "bm25"): "1000, as deep as each ranking goes",
        ("", "bm25+"): "100", (":depth=130", "bm25+"): "130",
        (":depth=0", "bm25+"): "100, as deep as each ranking goes",
    }  # fmt: skip


def build():
    """Return a reranker: the last document first. This file is a system of its own."""

    class Turned:
        name = "turned"

        def rerank(self, queries, corpus, candidates):
            return {
                query: {id: float(place) for place, id in reversed(list(enumerate(ids)))}
                for query, ids in candidates.items()
            }

    return Turned()


def test_only_what_comes_in_the_published_layout_is_called_published(published):
    released = load_benchmarks("instructions", data=published)
    assert {part.built_by for part in released} == {"published"}
    written = instructions.build(data=shared_data("data", "instructions_dev"))
    assert {part.built_by for part in written} == {"own"}
    assert folder.build(shared_data("data", "instructions_dev")).built_by == "own"


def test_a_folder_is_parted_by_dimension_over_one_corpus():
    parts = instructions.build(data=shared_data("data", "instructions_dev"))
    assert {part.name: len(part.queries) for part in parts} == {
        "instructions/audience": 48, "instructions/format": 72, "instructions/keyword": 72,
        "instructions/language": 57, "instructions/length": 72, "instructions/source": 72,
    }  # fmt: skip
    assert {len(part.corpus) for part in parts} == {227}


def test_a_folder_without_modes_is_refused(tmp_path):
    lines(tmp_path / "corpus.jsonl", [{"_id": "d", "text": "text"}])
    lines(tmp_path / "queries.jsonl", [{"_id": "q", "text": "text"}])
    qrels(tmp_path / "qrels" / "test.tsv", ["q\td\t1"])
    with pytest.raises(InputError, match="no topic has a query in each of the modes"):
        instructions.build(data=tmp_path)


def test_narratives_rerank_what_comes_with_them(tmp_path):
    path = tmp_path / "core17"
    lines(path / "corpus.jsonl", [{"_id": id, "text": f"dam {id}"} for id in "abc"])
    row = {"_id": "310", "text": "dam", "instruction_og": "All.", "instruction_changed": "a only."}
    lines(path / "queries.jsonl", [row])
    qrels(path / "qrels_og" / "test.tsv", ["310\ta\t1", "310\tb\t1"])
    qrels(path / "qrels_changed" / "test.tsv", ["310\ta\t1", "310\tb\t0"])
    lines(path / "top_ranked.jsonl", [{"qid": "310", "pid": id} for id in "cba"])
    [benchmark] = narratives.build("core17", data=tmp_path, cut=5)
    assert benchmark.name == "narratives:cut=5/core17"
    assert benchmark.candidates == {"310-og": ("c", "b", "a"), "310-changed": ("c", "b", "a")}
    assert [metric.name for metric in benchmark.metrics] == ["p-MRR", "MAP@5"]
    [paper] = narratives.build("core17", data=tmp_path)
    assert [metric.name for metric in paper.metrics] == ["p-MRR", "MAP@1000"]


def test_sets_of_the_hub_need_the_extra_that_reads_the_hub(monkeypatch):
    monkeypatch.setitem(sys.modules, "datasets", None)
    for build in (instructions.build, narratives.build):
        with pytest.raises(MissingExtraError, match=r"needs datasets.*'leadline\[hub\]'"):
            build(build.__globals__["PARTS"][0])
    project = tomllib.loads((Path(__file__).parents[3] / "pyproject.toml").read_text())
    hub = project["project"]["optional-dependencies"]["hub"]
    assert any(each.startswith("datasets") for each in hub)
