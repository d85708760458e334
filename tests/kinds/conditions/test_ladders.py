import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ladders import a_record
from leadline.errors import InputError
from leadline.kinds.conditions.ladders import (
    Rungs,
    expand,
    padded,
    read_ladders,
    write_ladders,
)
from shared import shared_data
from tables import each_row


def expanded(record, words=0):
    rungs = Rungs()
    expand(record, rungs, words=words)
    return rungs


def test_document_j_keeps_the_first_j_conditions():
    corpus = expanded(a_record()).corpus
    assert corpus["a~d0"].text == "It denies 1. It denies 2. It denies 3."
    assert corpus["a~d2"].text == "It says 1. It says 2. It denies 3."
    assert corpus["a~d3"].text == "It says 1. It says 2. It says 3."


def test_one_condition_alone_is_replaced_for_a_shorter_query():
    rungs = expanded(a_record())
    assert rungs.corpus["a~not1"].text == "It denies 1. It says 2. It says 3."
    assert rungs.qrels["a~list1"] == {"a~d3": 1, "a~not1": 0}
    assert rungs.qrels["a~list2"] == {"a~d3": 2, "a~not2": 1}


@settings(deadline=None, max_examples=50)
@given(n=st.integers(1, 10), words=st.integers(0, 300))
def test_neighbours_differ_in_one_sentence_however_long_the_documents_are(n, words):
    record = a_record(n)
    rungs = expanded(record, words)
    fillers = padded(record.conditions, words)
    positive = " ".join(fillers)
    assert rungs.corpus[f"a~d{n}"].text == positive
    for j in range(1, n + 1):
        swapped = rungs.corpus[f"a~d{j}"].text.replace(f"It says {j}.", f"It denies {j}.")
        assert swapped == rungs.corpus[f"a~d{j - 1}"].text
    if words > 3 * n and n > 1:
        assert words <= len(positive.split()) < words + 5


def test_ladders_are_read_as_they_were_written(tmp_path):
    records = [a_record(3, "a"), a_record(2, "b")]
    write_ladders(tmp_path / "ladders.jsonl", records)
    first = (tmp_path / "ladders.jsonl").read_bytes()
    again = list(read_ladders(tmp_path / "ladders.jsonl"))
    assert [each.id for each in again] == ["a", "b"]
    assert list(again[0].conditions) == records[0].conditions
    write_ladders(tmp_path / "ladders.jsonl", again)
    assert (tmp_path / "ladders.jsonl").read_bytes() == first


@each_row
def test_lines_that_are_not_ladders_are_named(tmp_path, change, message):
    path = tmp_path / "ladders.jsonl"
    write_ladders(path, [a_record()])
    path.write_text(json.dumps(json.loads(path.read_text()) | change))
    with pytest.raises(InputError, match=message):
        list(read_ladders(path))


def test_every_condition_of_the_development_set_occurs_in_its_positive():
    for record in read_ladders(shared_data("data", "conditions_dev", "ladders.jsonl")):
        rungs = expanded(record, 512)
        for condition in record.conditions:
            assert condition in rungs.corpus[f"{record.id}~d10"].text
        assert len(rungs.queries) == 15
