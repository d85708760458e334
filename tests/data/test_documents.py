import gzip
import json

import pytest

from leadline.data.documents import read_corpus, read_with_fields, sampled
from leadline.data.jsonl import JsonlCorpus
from leadline.errors import InputError
from leadline.types import Document, Query
from shared import shared_data
from tables import each_row

LINE = json.dumps({"_id": "1", "text": "one", "title": "T"}) + "\n"


@pytest.mark.parametrize(
    "name", ["corpus.jsonl", "corpus.jsonl.gz", "records.jsonl", "records.jsonl.gz"]
)
def test_a_folder_with_a_corpus_file_is_read_as_that_file(tmp_path, name):
    content = gzip.compress(LINE.encode()) if name.endswith(".gz") else LINE.encode()
    (tmp_path / name).write_bytes(content)
    (tmp_path / "README.md").write_text("# About")
    corpus = read_corpus(str(tmp_path))
    assert isinstance(corpus, JsonlCorpus)
    assert dict(corpus) == {"1": Document("1", "one", "T")}


def test_a_table_is_read_with_quotes_line_breaks_and_other_columns(tmp_path):
    (tmp_path / "c.csv").write_bytes(
        b'\xef\xbb\xbf_id,text,title,year\r\nx 1,"a ""b"",\nc",T,1999\r\n\r\n2,"",,\r\n'
    )
    assert read_corpus(tmp_path / "c.csv") == {
        "x 1": Document("x 1", 'a "b",\nc', "T", {"year": "1999"}),
        "2": Document("2", "", "", {"year": ""}),
    }


def test_rows_without_an_id_column_are_numbered(tmp_path):
    (tmp_path / "c.csv").write_text('text\n"a\nb"\nc\n')
    assert {d.id: d.text for d in read_corpus(tmp_path / "c.csv").values()} == {
        "1": "a\nb",
        "2": "c",
    }


def test_metadata_of_a_table_is_shown_when_asked_for(tmp_path):
    (tmp_path / "c.csv").write_text("id,year,text\n1,1999,a\n")
    assert read_corpus(tmp_path / "c.csv", metadata=True)["1"].text == "year: 1999\na"


def test_a_missing_corpus_says_what_a_corpus_is(tmp_path):
    with pytest.raises(
        InputError, match=r"There is no corpus at .*none. A corpus is a folder with"
    ):
        read_corpus(tmp_path / "none")


def test_an_unknown_ending_says_what_a_corpus_is(tmp_path):
    (tmp_path / "c.pptx").write_text("x")
    with pytest.raises(InputError, match=r"c.pptx is not a corpus. A corpus is"):
        read_corpus(tmp_path / "c.pptx")


def test_a_folder_of_other_files_says_how_many_were_ignored(tmp_path):
    for name in ("a.pptx", "b.png", ".hidden.txt"):
        (tmp_path / name).write_text("x")
    with pytest.raises(InputError, match=r"; 3 other files were ignored \(.png, .pptx, hidden\)\."):
        read_corpus(tmp_path)


def test_a_read_me_beside_tables_is_not_taken_for_the_corpus(tmp_path):
    (tmp_path / "README.md").write_text("About")
    (tmp_path / "passages.jsonl").write_text(LINE)
    with pytest.raises(InputError, match=r"Give the file that is the corpus: .*passages.jsonl"):
        read_corpus(tmp_path)


@pytest.mark.parametrize("name", ["c.csv", "c.jsonl", "c.jsonl.gz"])
def test_an_empty_file_is_refused(tmp_path, name):
    (tmp_path / name).write_bytes(b"")
    with pytest.raises(InputError, match=r"c\.\S+ has no documents\."):
        read_corpus(tmp_path / name)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (
            b"id,body\n1,a\n",
            r"c.csv has no column 'text'. The columns are 'id', 'body'. Needed is 'text'",
        ),
        (b"id;text\n1;a\n", r"c.csv has no column 'text'. The columns are 'id;text'"),
        (b"id,text\n1,a\n2\n", r"c.csv:3: 1 values for 2 columns"),
        (
            b"id,text\n1,a,b\n",
            r"c.csv:2: 3 values for 2 columns. Put quotes around values with a comma",
        ),
        (b"id,text,text\n1,a,b\n", r"c.csv has the column 'text' twice"),
        (b'id,text\n1,"a\n', r"c.csv:2: not CSV"),
        (b"id,text\n,a\n", r"c.csv:2: 'id' is empty"),
        (b'id,text\n1,"a\nb"\n2,c\n1,d\n', r"c.csv:5: document id '1' .* at .*c.csv:2\."),
        (b"id,text\n1,\xff\n", r"c.csv: not UTF-8"),
    ],
)
def test_a_broken_table_is_one_clear_line(tmp_path, content, message):
    (tmp_path / "c.csv").write_bytes(content)
    with pytest.raises(InputError, match=message):
        read_corpus(tmp_path / "c.csv")


# Counts as the READMEs of the collections give them.
@each_row
def test_real_collections_are_read(name, count):
    corpus = read_corpus(shared_data("data", *name.split("/")))
    assert count is None or len(corpus) == count
    assert [document.id for document in corpus.values()] == list(corpus)
    last = list(corpus)[-1]
    assert corpus[last].id == last


CORPUS = {str(i): Document(str(i), f"text {i}") for i in range(100)}
QUERIES = [Query(f"q{i}", f"query {i}") for i in range(30)]
QRELS = {f"q{i}": {str(i): 1, str(50 + i): 2, str(99 - i): 0} for i in range(30)}


def test_a_sample_has_as_many_documents_in_the_order_of_the_corpus():
    found, _ = sampled(CORPUS, 20, 0)
    assert len(found) == 20
    assert list(found) == sorted(found, key=int)
    assert list(found) != list(sampled(CORPUS, 20, 1)[0])
    assert found == sampled(CORPUS, 20, 0)[0]


def test_a_query_keeps_all_its_answers_or_has_no_judgement():
    found, qrels = sampled(CORPUS, 20, 0, QUERIES, QRELS)
    assert len(found) == 20
    assert len(qrels) >= 5
    for query_id, grades in qrels.items():
        relevant = {id for id, grade in QRELS[query_id].items() if grade}
        assert relevant <= set(grades) <= set(found)


def test_a_corpus_that_has_no_more_is_itself():
    assert sampled(CORPUS, 100, 0, QUERIES, QRELS) == (CORPUS, QRELS)


def test_no_documents_are_no_sample():
    with pytest.raises(InputError, match="at least 1"):
        sampled(CORPUS, 0, 0)


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
    with pytest.raises(
        InputError, match=r"no record has text in a field '(summary|head)'.*'description'"
    ):
        read_with_fields(folder, **given)
