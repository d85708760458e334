import json
from pathlib import Path

import pytest

from leadline import progress
from leadline.errors import InputError
from leadline.evaluation import evaluate
from leadline.kinds.reasoning import published_bright as bright
from leadline.kinds.reasoning import published_litsearch as litsearch
from leadline.rerankers.parts.pairs import judging_prompt, query_text
from leadline.rerankers.true_false import TrueFalse
from leadline.retrievers import bm25
from leadline.system import System
from leadline.types import Document, Query
from shared import shared_data


def lines(path: Path, *records: dict) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(json.dumps(record) for record in records))


def published(folder: Path) -> Path:
    lines(
        folder / "documents" / "biology.jsonl",
        {"id": "d1", "content": "why cells divide"},
        {"id": "d2", "content": "cells divide when asked why"},
        {"id": "d3", "content": "trains"},
    )
    lines(
        folder / "examples" / "biology.jsonl",
        {"id": "0", "query": "why do cells divide", "gold_ids": ["d2"], "excluded_ids": ["d1"]},
        {"id": "1", "query": "trains", "gold_ids": ["d3"], "excluded_ids": ["N/A"]},
    )
    return folder


def test_excluded_documents_are_passed_over_before_scoring(tmp_path: Path) -> None:
    (part,) = bright.build("biology", published(tmp_path))
    assert part.excluded == {"0": ("d1",)}
    report = evaluate(System(bm25.build(), depth=1), part)
    # d1 is the best match and excluded: the search goes one deeper and finds d2.
    assert list(report.run["0"]) == ["d2"]
    assert report.scores["nDCG@10"] == {"0": 1.0, "1": 1.0}


def test_a_prompt_reaches_the_judging_model_and_no_other_stage(tmp_path: Path) -> None:
    prompts = tmp_path / "prompts.json"
    prompts.write_text(json.dumps({"*": "Find a proof for: FILL_QUERY_HERE"}))
    (part,) = bright.build("biology", published(tmp_path), prompts=str(prompts))
    (plain,) = bright.build("biology", published(tmp_path))
    assert [each.content for each in part.queries] == [each.content for each in plain.queries]
    assert evaluate(System(bm25.build()), part).run == evaluate(System(bm25.build()), plain).run
    asked: list[str] = []

    class Scorer:
        name = "scorer"

        def log_probabilities(self, prompts, answers):
            asked.extend(prompts)
            return [[-0.1, -2.0] for _ in prompts]

    prompt = judging_prompt("judge_document")
    evaluate(System(bm25.build(), TrueFalse(Scorer(), prompt)), part)
    assert len(asked) == 2  # d2 and d3; d1 is left out
    assert all("Query: Find a proof for: " in each for each in asked)
    # The option of the reranker goes first, as it is named for it alone.
    assert query_text(part.queries[1], "Now FILL_QUERY_HERE") == "Now trains"
    prompts.write_text(json.dumps({"*": "no place"}))
    with pytest.raises(InputError, match="FILL_QUERY_HERE"):
        bright.build("biology", tmp_path, prompts=str(prompts))


def test_the_published_topics_load_and_say_what_they_need() -> None:
    with pytest.raises(InputError, match=r"documents/biology.* xlangai/BRIGHT"):
        bright.build("biology", shared_data("data", "bright_topics_qrels"))


@pytest.mark.parametrize(("version", "judged"), [("original", 576), ("fixed", 1073)])
def test_both_versions_of_the_judgements_are_read(version: bright.Judgements, judged: int) -> None:
    topics = shared_data("data", "bright_topics_qrels")
    found = bright._from_topics("sustainable-living", topics, version)
    assert found is not None
    queries, qrels, _ = found
    assert len(queries) == 108
    assert sum(len(grades) for grades in qrels.values()) == judged


def test_the_specific_questions_of_researchers_are_told_apart(tmp_path: Path) -> None:
    lines(tmp_path / "corpus_clean" / "full.jsonl", {"corpusid": 7, "title": "T", "abstract": "a"},
          {"corpusid": 8, "title": "U", "abstract": "b"})  # fmt: skip
    lines(
        tmp_path / "query" / "full.jsonl",
        {"query": "which T?", "corpusids": [7, 7], "specificity": 1, "query_set": "x"},
        {"query": "all U?", "corpusids": [8], "specificity": 0},
    )
    (specific,) = litsearch.build("specific", tmp_path)
    assert [query.text for query in specific.queries] == ["which T?"]
    assert specific.qrels == {"q0": {"7": 1}}
    assert specific.corpus["7"] == Document("7", "a", title="T")
    assert [metric.name for metric in specific.metrics] == ["Recall@5", "Recall@20", "nDCG@10"]
    assert isinstance(specific.queries[0], Query)


def test_topics_without_their_exclusions_are_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for task in ("aops", "biology"):
        lines(tmp_path / "documents" / f"{task}.jsonl", {"id": "d1", "content": "a sum"})
        lines(tmp_path / f"{task}.queries.jsonl", {"_id": "q", "text": "what is the sum"})
        (tmp_path / f"{task}.qrels.tsv").write_text("query-id\tcorpus-id\tscore\nq\td1\t1\n")
        with progress.shown(quiet=True):
            bright.build(task, tmp_path)
    # Published queries of biology exclude nothing.
    (line,) = capsys.readouterr().err.splitlines()
    assert "aops.queries.jsonl names no documents that a query excludes" in line
    # Columns of the examples of xlangai/BRIGHT, from its data card; its ids are strings.
    example = {"query": "q", "reasoning": "", "id": "q", "excluded_ids": ["d1"], "gold_ids": ["d2"],
               "gold_ids_long": ["N/A"], "gold_answer": ""}  # fmt: skip
    lines(tmp_path / "examples" / "aops.jsonl", example)
    with progress.shown(quiet=True):
        (part,) = bright.build("aops", tmp_path)
    assert (part.excluded, capsys.readouterr().err) == ({"q": ("d1",)}, "")
    (tmp_path / "examples" / "aops.jsonl").unlink()
    (tmp_path / "examples").rmdir()
    lines(tmp_path / "aops.queries.jsonl",
          {"_id": "q", "text": "what is the sum", "excluded_ids": ["d1", "N/A"]})  # fmt: skip
    (part,) = bright.build("aops", tmp_path)
    assert part.excluded == {"q": ("d1",)}
