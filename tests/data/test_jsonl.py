import gzip
import json
import os
import pickle
from concurrent.futures import ThreadPoolExecutor

import pytest

from leadline.data.jsonl import JsonlCorpus, read_records
from leadline.errors import InputError
from leadline.types import Document
from processes import python


def written(path, *lines):
    path.write_bytes(b"\n".join(x if isinstance(x, bytes) else x.encode() for x in lines))
    return path


def line(_id, text="text", **more):
    return json.dumps({"_id": _id, "text": text, **more}, ensure_ascii=False)


def test_documents_are_read_by_id_in_file_order(tmp_path):
    corpus = JsonlCorpus(written(tmp_path / "c.jsonl", line("b", "é", title="T"), line("a", "z")))
    assert list(corpus) == ["b", "a"]
    assert len(corpus) == 2
    assert corpus["b"] == Document("b", "é", "T")
    assert corpus["a"].text == "z"
    assert "b" in corpus and "c" not in corpus
    with pytest.raises(KeyError):
        corpus["c"]


def test_values_and_items_stream_the_same_documents(tmp_path):
    # Texts of 0 to 300 kB, so that blocks of 1 MiB end in many places.
    path = written(
        tmp_path / "c.jsonl", *(line(str(i), "x" * (i * 7919 % 300_000)) for i in range(60))
    )
    corpus = JsonlCorpus(path)
    one_by_one = [corpus[id] for id in corpus]
    assert list(corpus.values()) == one_by_one
    assert list(corpus.items()) == list(zip(corpus, one_by_one, strict=True))
    assert dict(corpus) == corpus


def test_threads_may_share_a_corpus(tmp_path):
    corpus = JsonlCorpus(
        written(tmp_path / "c.jsonl", *(line(str(i), f"t{i}") for i in range(500)))
    )
    with ThreadPoolExecutor(4) as pool:
        texts = list(pool.map(lambda i: corpus[str(i)].text, range(500)))
    assert texts == [f"t{i}" for i in range(500)]


def test_gzip_blank_lines_windows_line_ends_and_a_byte_order_mark_are_fine(tmp_path):
    content = b"\xef\xbb\xbf" + line("1").encode() + b"\r\n\r\n \n" + line("2").encode()
    (tmp_path / "plain.jsonl").write_bytes(content)
    (tmp_path / "packed.jsonl.gz").write_bytes(gzip.compress(content))
    for name in ("plain.jsonl", "packed.jsonl.gz"):
        corpus = JsonlCorpus(tmp_path / name)
        assert [d.id for d in corpus.values()] == ["1", "2"]
        assert [corpus[id].id for id in corpus] == ["1", "2"]


def test_a_pickled_corpus_opens_its_file_again(tmp_path):
    corpus = JsonlCorpus(written(tmp_path / "c.jsonl", line("1", color="red")), metadata=True)
    assert pickle.loads(pickle.dumps(corpus))["1"].text == "color: red\ntext"


def test_a_file_that_changes_while_it_is_read_is_noticed(tmp_path):
    path = written(tmp_path / "c.jsonl", line("1"), line("2"))
    corpus = JsonlCorpus(path)
    with path.open("r+b") as handle:  # the same file, other content
        handle.write(line("2").encode() + b"\n" + line("1").encode())
    with pytest.raises(InputError, match="has changed while it was being read"):
        corpus["1"]
    with pytest.raises(InputError, match="has changed while it was being read"):
        list(corpus.values())


@pytest.mark.parametrize(
    ("second_line", "message"),
    [
        ("{broken", r"c.jsonl:2: not JSON \(.* at column 2\)"),
        ('["1", "text"]', r"c.jsonl:2: not a JSON object. Each line must be one object"),
        (b'{"_id": "1", "text": "\xff"}', r"c.jsonl:2: not UTF-8 \(byte 0xff at column 23\)"),
        ('{"text": "x"}', r"c.jsonl:2: no field '_id' \(or 'id'\). The fields are 'text'"),
        ('{"_id": "2", "body": "x"}', r"c.jsonl:2: no field 'text'. The fields are '_id', 'body'"),
        ('{"_id": "2", "text": null}', r"c.jsonl:2: 'text' must be a string, got null"),
        ('{"_id": "2", "text": "", "title": []}', r"c.jsonl:2: 'title' must be a string, got \[\]"),
        ('{"_id": null, "text": "x"}', r"c.jsonl:2: '_id' must be a string or an integer, got"),
        ('{"_id": {}, "text": "x"}', r"c.jsonl:2: '_id' must be a string or an integer, got"),
        ('{"_id": true, "text": "x"}', r"c.jsonl:2: '_id' must be a string or an integer, got"),
        ('{"_id": "", "text": "x"}', r"c.jsonl:2: '_id' is empty"),
        ('{"_id": "2", "text": "\\ud83d!"}', r"c.jsonl:2: half of a surrogate pair"),
        ('{"_id": "\\uDE00", "text": ""}', r"c.jsonl:2: half of a surrogate pair"),
        ("[" * 100_000, r"c.jsonl:2: not JSON"),
        ('{"_id": ' + "1" * 5000 + "}", r"c.jsonl:2: not JSON"),
    ],
)
def test_a_broken_line_is_named_before_work_begins(tmp_path, second_line, message):
    path = written(tmp_path / "c.jsonl", line("1"), second_line, line("3"))
    with pytest.raises(InputError, match=message):
        JsonlCorpus(path)


def test_an_id_that_stands_twice_names_both_lines(tmp_path):
    path = written(tmp_path / "c.jsonl", line("1"), "", line("2"), line(1))
    with pytest.raises(InputError, match=r"c.jsonl:4: document id '1' .* first at .*c.jsonl:1\."):
        JsonlCorpus(path)


def test_an_empty_file_has_no_documents(tmp_path):
    for content in (b"", b"\n \n"):
        (tmp_path / "c.jsonl").write_bytes(content)
        with pytest.raises(InputError, match=r"c.jsonl has no documents\."):
            JsonlCorpus(tmp_path / "c.jsonl")


def test_a_file_that_is_not_gzip_is_named(tmp_path):
    path = written(tmp_path / "c.jsonl.gz", line("1"))
    with pytest.raises(InputError, match=r"c.jsonl.gz is not a complete gzip file"):
        JsonlCorpus(path)


def test_half_a_gzip_file_is_named(tmp_path):
    whole = gzip.compress("\n".join(line(str(i), os.urandom(50).hex()) for i in range(99)).encode())
    (tmp_path / "c.jsonl.gz").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(
        InputError, match=r"c.jsonl.gz is not a complete gzip file .* Download it again"
    ):
        JsonlCorpus(tmp_path / "c.jsonl.gz")
    with pytest.raises(InputError, match=r"c.jsonl.gz is not a complete gzip file"):
        list(read_records(tmp_path / "c.jsonl.gz"))


def test_a_disk_too_small_to_unpack_on_says_which_to_choose(tmp_path):
    text = "some words " * 50_000
    (tmp_path / "c.jsonl.gz").write_bytes(gzip.compress(line("1", text).encode()))
    program = """
import resource, sys
from leadline.errors import InputError
from leadline.data.jsonl import JsonlCorpus
sys.dont_write_bytecode = True  # it would be cut
resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
try:
    JsonlCorpus(sys.argv[1])
except InputError as error:
    print(error)
"""
    assert (
        "Set TMPDIR to a folder on a larger disk"
        in python("-c", program, tmp_path / "c.jsonl.gz").stdout
    )


def test_a_gzip_file_that_does_not_say_so_is_named(tmp_path):
    (tmp_path / "c.jsonl").write_bytes(gzip.compress(line("1").encode()))
    with pytest.raises(InputError, match=r"is compressed with gzip. Rename it to c.jsonl.gz"):
        JsonlCorpus(tmp_path / "c.jsonl")


def test_metadata_and_other_fields_become_facets(tmp_path):
    more = {
        "metadata": {"year": 1999, "open": True, "tags": ["a", "b"], "deep": {"x": [1]}},
        "author": "M. Sendak", "price": 2.5, "year": "ignored: metadata says it", "nothing": None,
        "sections": [["heading", "text"]], "keywords": ["x", "y z"], "id": 3,
    }  # fmt: skip
    corpus = JsonlCorpus(written(tmp_path / "c.jsonl", line("1", **more)))
    assert corpus["1"].facets == {
        "year": "1999", "open": "true", "tags": "a, b", "deep": '{"x": [1]}',
        "author": "M. Sendak", "price": "2.5", "keywords": "x, y z", "id": "3",
    }  # fmt: skip
    assert corpus["1"].content == "text"


def test_metadata_is_shown_when_asked_for(tmp_path):
    path = written(
        tmp_path / "c.jsonl", line("1", title="T", metadata={"b": "2", "a": "1", "c": ""})
    )
    shown = JsonlCorpus(path, metadata=True)["1"]
    assert shown.text == "b: 2\na: 1\ntext"
    assert shown.content == "T b: 2\na: 1\ntext"
