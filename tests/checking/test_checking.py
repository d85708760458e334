from collections.abc import Sequence

import pytest

from leadline.checking import build_probes, check, evaluate, own_queries
from leadline.data.folder import write_beir_qrels, write_queries
from leadline.errors import InputError
from leadline.kinds.benchmark_folder import write
from leadline.types import Document, Query
from notes import NOTES

CORPUS = {id: Document(id, f"The {id} ferry sails to the island.") for id in ("red", "blue")}
ASKED = [Query("q", "red ferry to the island")]


def first_come(texts: Sequence[str]) -> list[list[str]]:
    return [["red", "blue"] for _ in texts]


def test_a_plain_function_is_checked_beside_a_named_system() -> None:
    outcome = check(CORPUS, [first_come, "bm25"], queries=ASKED, probes=["rephrasings"])
    assert [report.system for report in outcome.reports] == ["first_come", "bm25"]
    # The function answers every form alike: every list is the original's.
    assert outcome.reports[0].means()["RBO@5"].mean == 1.0


def test_a_report_is_named_after_the_corpus_whatever_is_not_asked(tmp_path) -> None:
    corpus = {id: Document(id, text, title) for id, (title, text) in NOTES.items()}

    def any_two(texts: Sequence[str]) -> list[list[str]]:
        return [[*corpus][:2] for _ in texts]

    outcome = check(corpus, any_two, probes=["rephrasings", "conditions"], out=tmp_path)
    assert "conditions" not in {each.benchmark for each in outcome.reports}
    assert "How deep does search go in corpus?" in (tmp_path / "report.html").read_text()


def test_a_function_is_evaluated_on_a_benchmark_or_its_folder(tmp_path) -> None:
    made = build_probes(CORPUS, ["rephrasings"], queries=ASKED)[0]
    write(tmp_path / "made", made)
    report = evaluate(first_come, made)
    assert report.system == "first_come"
    again = evaluate(first_come, tmp_path / "made")
    assert again.scores == report.scores
    assert evaluate("bm25", made).system == "bm25"


def test_judgements_of_other_queries_alone_are_refused(tmp_path):
    # Lines of a plain .txt are called 1, 2, ...: no wonder that nothing is judged.
    with pytest.raises(
        InputError, match=r"The first query is '1', the first judgement is of '301'"
    ):
        own_queries(tmp_path, [Query("1", "crime"), Query("2", "polio")], {"301": {"d": 1}})
    write_queries(tmp_path / "queries.jsonl", [Query("1", "crime")])
    write_beir_qrels(tmp_path / "qrels" / "test.tsv", {"q1": {"d": 1}})
    with pytest.raises(InputError, match="None of the queries has a judgement"):
        own_queries(tmp_path)


def test_some_judgements_are_enough(tmp_path):
    queries, qrels = [Query("1", "crime"), Query("2", "polio")], {"2": {"d": 1}, "9": {"d": 1}}
    assert own_queries(tmp_path, queries, qrels) == (queries, qrels)
    assert own_queries(tmp_path, queries) == (queries, None)
