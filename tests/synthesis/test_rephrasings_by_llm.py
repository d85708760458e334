"""Equivalents of queries by a language model, checked by code and judged by a second one."""

from __future__ import annotations

import csv
import json
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from leadline.errors import InputError
from leadline.llm.run_record import RunRecord
from leadline.llm.scripted import ScriptedLLM
from leadline.synthesis.rephrasings.by_llm import (
    Equivalent,
    Written,
    rephrase,
    style_of,
    tidied,
)
from leadline.synthesis.rephrasings.review import write_sheet
from leadline.types import Query

QUERY = Query("q", "who built the old mill", "q", facets={"kind": "original"})


@dataclass
class Pair:
    """A writer and a judge that answer from lists."""

    writer: ScriptedLLM
    verifier: ScriptedLLM
    attempts: int = 2
    max_tokens: int = 500
    temperature: float = 0.8
    asked: list[str] = field(default_factory=list)


def written(*pairs: tuple[str, str]) -> str:
    found = [{"question": text, "style": style} for text, style in pairs]
    return json.dumps({"original_question": QUERY.text, "equivalent_questions": found})


def judged(*verdicts: bool) -> str:
    return json.dumps({"equivalent": list(verdicts)})


def models(writer: list[str], judge: list[str]) -> Pair:
    return Pair(ScriptedLLM(writer, name="writer"), ScriptedLLM(judge, name="judge"))


GOOD = written(
    ("Who was the old mill's builder?", "NQ"),
    ("WHO built the old mill?", "TriviaQA"),
    ("Identify the builder of the new mill.", "WebQA-style question"),
    ("name of old mill builder", "keywords"),
)


def test_what_repeats_the_query_or_is_not_equivalent_is_dropped() -> None:
    # The second says the words of the query; the judge refuses the third.
    built = rephrase([QUERY], models([GOOD], [judged(True, False, True)]), RunRecord("t"))
    assert [(each.text, each.facets["kind"]) for each in built.queries] == [
        (QUERY.text, "original"),
        ("Who was the old mill's builder?", "nq"),
        ("name of old mill builder", "other"),
    ]
    assert {each.topic for each in built.queries} == {"q"}
    assert (built.written, built.kept) == (3, 2)
    assert built.reject_rate == pytest.approx(1 / 3)
    assert built.dropped == {"judged not equivalent": 1}


def test_a_draft_that_only_repeats_is_asked_for_again() -> None:
    both = models([written((QUERY.text, "NQ")), GOOD], [judged(True, True, True)])
    built = rephrase([QUERY], both, RunRecord("t"))
    assert built.kept == 3
    assert "repeats the words of the query" in both.writer.asked[1]


def test_another_number_of_verdicts_is_asked_for_again() -> None:
    both = models([GOOD], [judged(True), judged(True, True, False)])
    assert rephrase([QUERY], both, RunRecord("t")).kept == 2


def test_an_encoder_drops_what_is_far() -> None:
    both = models([GOOD], [judged(True, True, True)])
    built = rephrase(
        [QUERY], both, RunRecord("t"),
        similarity=lambda query, others: [0.9, 0.5, 0.7][: len(others)], threshold=0.6,
    )  # fmt: skip
    assert built.kept == 2
    assert built.dropped == {"too far by the encoder": 1}


def test_nothing_usable_is_told() -> None:
    useless = written((QUERY.text, "NQ"))
    with pytest.raises(InputError, match="No rephrasing of writer could be used"):
        rephrase([QUERY], models([useless] * 2, []), RunRecord("t"))


def test_the_styles_have_one_name_each() -> None:
    assert style_of("MS-MARCO-style") == "ms-marco"
    assert style_of("NQ-style question") == "nq"
    assert style_of("SQuAD") == "squad"
    assert style_of("haiku") == "other"


def test_no_more_than_asked_for_are_kept() -> None:
    draft = Written(
        original_question="x",
        equivalent_questions=[Equivalent(question=f"y {n}", style="NQ") for n in range(12)],
    )
    assert len(tidied("x", draft, 10)) == 10


def test_the_review_sheet_has_a_row_for_every_rephrasing(tmp_path: Path) -> None:
    built = rephrase([QUERY], models([GOOD], [judged(True, True, True)]), RunRecord("t"))
    assert write_sheet(tmp_path / "review.csv", built.queries) == 1
    with (tmp_path / "review.csv").open(newline="") as handle:
        rows = list(csv.DictReader(handle))
    assert [row["rephrasing"] for row in rows] == [each.text for each in built.queries[1:]]
    assert rows[0]["query"] == QUERY.text
    assert rows[0]["equivalent (y/n)"] == ""
