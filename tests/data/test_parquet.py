import pytest

from leadline.data.documents import read_corpus
from leadline.errors import InputError
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


def test_a_parquet_file_without_rows_is_refused(tmp_path):
    no_text = pyarrow.array([], pyarrow.string())
    with pytest.raises(InputError, match=r"has no documents\."):
        read_corpus(written(tmp_path / "c.parquet", {"text": no_text}))


def test_a_null_text_in_a_parquet_file_names_its_row(tmp_path):
    written(tmp_path / "c.parquet", {"text": ["a", None]})
    with pytest.raises(InputError, match=r"c.parquet:row 2: 'text' must be a string, got null"):
        read_corpus(tmp_path / "c.parquet")


def test_ids_that_stand_twice_in_a_parquet_file_name_both_rows(tmp_path):
    written(tmp_path / "c.parquet", {"id": ["1", "2", "1"], "text": ["a", "b", "c"]})
    with pytest.raises(InputError, match=r"row 3: document id '1' occurs twice, .*row 1\."):
        read_corpus(tmp_path / "c.parquet")


def refused(path, message):
    with pytest.raises(InputError, match=message) as raised:
        read_corpus(path)
    assert "\n" not in str(raised.value)


def test_one_long_text_that_many_rows_share_is_not_written_out(tmp_path):
    # 2,000 rows share one text of 4 MiB: a file of some KiB that would take 8 GiB.
    text = pyarrow.DictionaryArray.from_arrays(pyarrow.array([0] * 2000), ["x" * (4 << 20)])
    path = tmp_path / "c.parquet"
    table = pyarrow.table({"text": text})
    pyarrow.parquet.write_table(table, path, compression="zstd", dictionary_pagesize_limit=1 << 30)
    assert path.stat().st_size < 100_000
    refused(path, "c.parquet unpacks to more than 200 times its size")


def test_texts_shared_by_the_values_of_a_list_are_not_written_out(tmp_path):
    words = pyarrow.DictionaryArray.from_arrays(pyarrow.array([0] * 20_000), ["x" * (1 << 20)])
    tags = pyarrow.ListArray.from_arrays(pyarrow.array([0, 10_000, 20_000], "int32"), words)
    path = tmp_path / "c.parquet"
    table = pyarrow.table({"text": ["a", "b"], "tags": tags})
    pyarrow.parquet.write_table(table, path, compression="zstd", dictionary_pagesize_limit=1 << 30)
    refused(path, "c.parquet unpacks to more than 200 times its size")


def test_very_many_rows_of_nothing_are_not_made(tmp_path):
    path = written(tmp_path / "c.parquet", {"text": [""] * 2_000_000})
    refused(path, "c.parquet unpacks to more than 200 times its size")


def test_texts_that_rows_share_are_read(tmp_path):
    table = pyarrow.table(
        {
            "text": pyarrow.array(["a", "b", "a", "c"]).dictionary_encode(),
            "tags": [["x", "y"], [], None, ["x"]],
            "metadata": [{"place": "Bergen"}, None, {"place": None}, {"place": "Bergen"}],
        }
    )
    path = tmp_path / "c.parquet"
    pyarrow.parquet.write_table(table, path)
    assert read_corpus(path) == {
        "1": Document("1", "a", "", {"place": "Bergen", "tags": "x, y"}),
        "2": Document("2", "b"),
        "3": Document("3", "a"),
        "4": Document("4", "c", "", {"place": "Bergen", "tags": "x"}),
    }


def test_long_texts_that_rows_share_are_read(tmp_path, monkeypatch):
    # With no room for dictionaries every text is read as one, as a large one would be.
    from leadline.data import parquet

    monkeypatch.setattr(parquet, "_AT_ONCE", 1)
    monkeypatch.setattr(parquet, "_LARGEST_DICTIONARIES", 0)
    monkeypatch.setattr(parquet, "_PORTION", 100)
    test_texts_that_rows_share_are_read(tmp_path)


def test_a_date_beyond_those_of_python_is_kept_as_it_is_written(tmp_path):
    dates = pyarrow.array([2**30, 0], pyarrow.int32()).cast(pyarrow.date32())
    corpus = read_corpus(written(tmp_path / "c.parquet", {"text": ["a", "b"], "day": dates}))
    assert corpus["2"].facets == {"day": "1970-01-01"}
    assert "day" in corpus["1"].facets


def test_text_that_is_no_unicode_is_refused(tmp_path):
    text = pyarrow.array([b"a", b"\xff"], pyarrow.binary()).cast(pyarrow.string(), safe=False)
    refused(written(tmp_path / "c.parquet", {"text": text}), "is not a readable parquet file")
