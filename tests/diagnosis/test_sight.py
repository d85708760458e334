"""What a system did not read of a failing case."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from typer.testing import CliRunner

from leadline.benchmark import Benchmark
from leadline.cli.main import app
from leadline.diagnosis.causes import NOT_SEEN, QUERY_CUT, TEXT_CUT, judge_sight
from leadline.kinds.benchmark_folder import write
from leadline.kinds.ranking import KIND
from leadline.retrievers import bm25
from leadline.types import Document, Query, Reading

MOST = 4


def first_words(queries: Sequence[str], documents: Sequence[str]) -> list[Reading]:
    """Read the first four words of everything."""
    return [
        Reading(
            tuple(document.lower().split()[:MOST]),
            "cut at 4 words" if len(document.split()) > MOST else "",
            "cut at 4 words" if len(query.split()) > MOST else "",
        )
        for query, document in zip(queries, documents, strict=True)
    ]


def test_a_word_behind_the_cut_is_told() -> None:
    judged = judge_sight("harbour lamp", "a b", "the old harbour has a lamp", first_words)
    assert judged is not None and judged.category == TEXT_CUT
    # `harbour` is read, `lamp` is the sixth word.
    assert not judged.decided
    assert judged.why == "of the relevant document it does not read: lamp (cut at 4 words)"


def test_documents_that_are_the_same_to_a_system_settle_it() -> None:
    judged = judge_sight("open", "it is open now at last", "it is open now not", first_words)
    assert judged is not None and judged.decided and judged.category == TEXT_CUT
    seen = judge_sight("doors not open", "doors open", "doors not open", bm25.build().read)
    assert seen is not None and (seen.category, seen.decided) == (NOT_SEEN, True)


def test_a_query_that_is_cut_is_told() -> None:
    judged = judge_sight("one two three four five", "one", "five", first_words)
    assert judged is not None and (judged.category, judged.decided) == (QUERY_CUT, True)


def test_a_token_that_is_dropped_is_told() -> None:
    letters = bm25.build(token_pattern="[a-z]{2,}")
    judged = judge_sight("lamp of 1904", "a lamp", "the light of 1904", letters.read)
    assert judged is not None and (judged.category, judged.decided) == (NOT_SEEN, True)
    assert "1904" in judged.why
    assert judge_sight("lamp of 1904", "a lamp", "the light of 1904", bm25.build().read) is None


def test_a_system_that_does_not_tell_what_it_reads_is_not_judged_by_it() -> None:
    assert judge_sight("a", "b", "c", lambda queries, documents: None) is None


def test_diagnose_names_what_a_system_drops(tmp_path: Path) -> None:
    corpus = {id: Document(id, text) for id, text in (("a", "lamp of 1904"), ("b", "lamp of 1905"))}
    queries = [Query("q", "lamp 1905"), Query("r", "lamp 1904")]
    qrels = {"q": {"b": 1}, "r": {"a": 1}}
    write(tmp_path / "mine", Benchmark("mine", corpus, queries, qrels, **KIND.measured()))
    done = CliRunner().invoke(
        app,
        ["diagnose", "-s", r"bm25:token_pattern=[a-z]{2\,}", "-b", str(tmp_path / "mine"), "--json",
         "--out", str(tmp_path / "out")],
    )  # fmt: skip
    assert done.exit_code == 0, done.output
    (case,) = json.loads(done.stdout)["cases"]
    assert (case["query"], case["cause"], case["decided"]) == ("q", "not seen", True)
