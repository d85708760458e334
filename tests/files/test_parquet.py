import pytest

from leadline.errors import InputError
from leadline.files.documents import read_corpus
from leadline.types import Document

pyarrow = pytest.importorskip("pyarrow", reason="needs the extra parquet")
pytest.importorskip("pyarrow.parquet", reason="needs the extra parquet")


def written(path, columns):
    pyarrow.parquet.write_table(pyarrow.table(columns), path)
    return path


def test_a_parquet_file_is_read_with_other_columns(tmp_path):
    rows = {"id": [7, 8], "text": ["ä\n", ""], "tags": [["a", "b"], []], "price": [1.5, None]}
    written(tmp_path / "c.parquet", rows)
    assert read_corpus(tmp_path / "c.parquet") == {
        "7": Document("7", "ä\n", "", {"tags": "a, b", "price": "1.5"}),
        "8": Document("8", ""),
    }


def test_rows_of_a_parquet_file_without_ids_are_numbered(tmp_path):
    written(tmp_path / "c.parquet", {"text": ["a", "b"]})
    assert list(read_corpus(tmp_path / "c.parquet")) == ["1", "2"]


def test_a_parquet_file_without_rows_is_refused(tmp_path):
    no_text = pyarrow.array([], pyarrow.string())
    with pytest.raises(InputError, match=r"holds no documents\."):
        read_corpus(written(tmp_path / "c.parquet", {"text": no_text}))


def test_text_that_is_called_parquet_is_refused(tmp_path):
    (tmp_path / "c.parquet").write_text("{}\n" * 50)
    with pytest.raises(InputError, match=r"c.parquet is not a readable parquet file"):
        read_corpus(tmp_path / "c.parquet")


def test_a_parquet_file_without_text_names_its_columns(tmp_path):
    written(tmp_path / "c.parquet", {"id": [1], "body": ["a"]})
    with pytest.raises(InputError, match=r"has no column 'text'; found 'id', 'body'"):
        read_corpus(tmp_path / "c.parquet")


def test_a_null_text_in_a_parquet_file_names_its_row(tmp_path):
    written(tmp_path / "c.parquet", {"text": ["a", None]})
    with pytest.raises(InputError, match=r"c.parquet:row 2: 'text' must be a string, got null"):
        read_corpus(tmp_path / "c.parquet")


def test_ids_that_stand_twice_in_a_parquet_file_name_both_rows(tmp_path):
    written(tmp_path / "c.parquet", {"id": ["1", "2", "1"], "text": ["a", "b", "c"]})
    with pytest.raises(InputError, match=r"row 3: document id '1' stands twice, .*row 1\."):
        read_corpus(tmp_path / "c.parquet")
