"""Tests of corpora whose text stands in a field of another name."""

import json

import pytest

from leadline.data.documents import read_with_fields
from leadline.errors import InputError

RECORDS = [
    {"id": "1", "name": "Kettle", "description": "It boils water.", "genres": ["home", "steel"]},
    {"id": "2", "name": "Iron", "description": None, "genres": []},
]


@pytest.fixture
def folder(tmp_path):
    lines = "".join(json.dumps(each) + "\n" for each in RECORDS)
    (tmp_path / "records.jsonl").write_text(lines)
    return tmp_path


def test_text_and_title_come_from_the_fields_that_are_named(folder):
    found = read_with_fields(folder, text="description", title="name")
    assert list(found) == ["1"]  # the second has no text
    assert (found["1"].text, found["1"].title) == ("It boils water.", "Kettle")
    assert found["1"].facets["genres"] == "home, steel"


def test_a_list_of_strings_is_joined(folder):
    assert read_with_fields(folder, text="genres")["1"].text == "home, steel"


def test_a_table_needs_no_column_called_text(tmp_path):
    (tmp_path / "notes.csv").write_text("id,body\n7,A note.\n")
    found = read_with_fields(tmp_path / "notes.csv", text="body")
    assert found["7"].text == "A note."


def test_without_names_the_usual_fields_are_read(tmp_path):
    (tmp_path / "corpus.jsonl").write_text('{"_id": "1", "text": "A note."}\n')
    assert read_with_fields(tmp_path)["1"].text == "A note."


@pytest.mark.parametrize("given", [{"text": "summary"}, {"text": "description", "title": "head"}])
def test_a_field_that_no_record_has_is_told_with_those_found(folder, given):
    with pytest.raises(InputError, match=r"no record has a field '(summary|head)'.*'description'"):
        read_with_fields(folder, **given)
