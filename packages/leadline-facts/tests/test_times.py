"""Facts about time: 660 texts with what they tell, and what is promised of every fact."""

import json
from pathlib import Path
from typing import Any

import pytest

from derived import SAID, implied, told
from leadline.types import Document, Fact, Query
from leadline_facts.temporal import build, temporal_facts
from leadline_facts.temporal_queries import temporal_constraints
from tables import each_row

CASES = [
    json.loads(line)
    for line in (Path(__file__).parent / "times.jsonl").read_text("utf-8").splitlines()
]
"""Texts; `tells` are facts that must be found, `implies_no` and `tells_no` beginnings of others."""

LEAST = 0.99
"""Share of the texts of either sort that must be read as they are marked."""


def is_read(case: dict[str, Any]) -> bool:
    text = case["text"]
    if "tells" in case:
        return set(case["tells"]) <= told(text)
    prefixes = tuple(case.get("implies_no") or case["tells_no"])
    found = implied(text) if "implies_no" in case else told(text)
    return not any(each.startswith(prefixes) for each in found)


@pytest.mark.parametrize("finds", [True, False])
def test_texts_tell_what_they_are_marked_with_and_no_more(finds: bool) -> None:
    cases = [case for case in CASES if ("tells" in case) is finds]
    wrong = [case for case in cases if not is_read(case)]
    assert len(wrong) <= (1 - LEAST) * len(cases), wrong


def test_noon_stands_in_the_text() -> None:
    [fact] = [each for each in temporal_facts("Payment is due by noon.") if each.kind == "time"]
    assert (fact.value, fact.role, fact.confidence) == ("12:00", "stated", 1.0)


def test_hours_are_tied_to_each_day_of_an_activity() -> None:
    text = f"{SAID}I taught yesterday and I will teach tomorrow, both times from three to six p.m."
    assert {each for each in implied(text) if each.startswith("interval")} == {
        "interval 2024-03-12T15:00..2024-03-12T18:00",
        "interval 2024-03-14T15:00..2024-03-14T18:00",
    }


def test_a_written_date_is_stated_not_derived() -> None:
    (fact,) = temporal_facts("The bridge opened on 4 May 2018.")
    assert (fact.role, fact.value) == ("stated", "2018-05-04")


def test_evidence_names_the_expression_and_the_stamp() -> None:
    text = SAID + "I sold it nine days ago."
    (fact,) = temporal_facts(text)
    assert [text[start:end] for start, end in fact.spans] == ["nine days ago", "2024-03-13 10:00"]
    assert fact.about == "Ann"


def test_facts_are_json_and_named_by_provider_and_version() -> None:
    enricher = build()
    document = Document("a", SAID + "Back in two days, from three to six in the afternoon.")
    ((id, facts),) = enricher.facts([document])
    assert id == "a"
    assert {fact.provider for fact in facts} == {enricher.name}
    for fact in facts:
        assert isinstance(fact, Fact)
        assert json.loads(json.dumps(fact.value)) == fact.value


def test_each_query_gets_its_own_constraints() -> None:
    queries = [Query("a", "open on 3 May 2024"), Query("b", "open late")]
    first, second = build().constraints(queries)
    assert [(each.kind, each.value) for each in first] == [("date", "2024-05-03")]
    assert second == ()


def test_a_sentence_without_end_is_read_in_bounded_depth() -> None:
    # each expression counts from the next one: unbounded, this would exhaust the stack
    facts = temporal_facts("On 1 May 2024 " + "the Friday before " * 600 + "Easter.")
    assert "2024-05-01" in {fact.value for fact in facts}


@each_row
def test_a_constraint_has_kind_value_and_relation(
    query: str, kind: str, value: Any, relation: str
) -> None:
    (found,) = temporal_constraints(query)
    assert (found.kind, found.value, found.relation) == (kind, value, relation)


@each_row
def test_numbers_and_words_that_fix_no_time_give_none(query: str) -> None:
    assert temporal_constraints(query) == ()


def test_the_span_covers_the_words_read() -> None:
    query = "meetings at 16:00 on April 26, 2021?"
    (found,) = temporal_constraints(query)
    assert query[slice(*found.span)] == "16:00 on April 26, 2021"
