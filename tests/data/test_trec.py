import gzip

import pytest

from leadline.data.trec import read_qrels, read_run, write_run
from leadline.errors import InputError
from tables import each_row


def written(path, *lines):
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def test_a_run_is_written_with_ranks_from_1_and_scores_as_repr_prints_them(tmp_path):
    write_run(tmp_path / "r.trec", {"q1": {"d2": 0.1 + 0.2, "d1": 1}, "q2": {"d1": -1e-9}}, "bm25")
    assert (tmp_path / "r.trec").read_text() == (
        "q1 Q0 d2 1 0.30000000000000004 bm25\nq1 Q0 d1 2 1.0 bm25\nq2 Q0 d1 1 -1e-09 bm25\n"
    )


def test_a_run_is_read_in_the_order_of_the_file_whatever_the_ranks_say(tmp_path):
    path = written(
        tmp_path / "r", "q Q0 b 9 1.0 x", "p Q0 a 1 3 x", "", "q\tQ0\ta 1  2e0 x", "q Q0 c 2 inf x"
    )
    run = read_run(path)
    assert run == {"q": {"b": 1.0, "a": 2.0, "c": float("inf")}, "p": {"a": 3.0}}
    assert list(run["q"]) == ["b", "a", "c"]


def test_ids_with_blanks_are_announced_by_the_tag(tmp_path):
    run = {"q 1": {"100%": 2.0, "é\u2003": 1.0}}
    write_run(tmp_path / "r", run, "my tag")
    # Blank is %20, percent %25, the em space U+2003 is E2 80 83 in UTF-8; é stays.
    assert (tmp_path / "r").read_text(encoding="utf-8") == (
        "q%201 Q0 100%25 1 2.0 percent-encoded:my%20tag\n"
        "q%201 Q0 é%E2%80%83 2 1.0 percent-encoded:my%20tag\n"
    )
    assert read_run(tmp_path / "r") == run


def test_a_tag_that_looks_like_the_announcement_changes_nothing(tmp_path):
    write_run(tmp_path / "r", {"q": {"a%20b": 1.0}}, "percent-encoded:x")
    assert read_run(tmp_path / "r") == {"q": {"a%20b": 1.0}}


def test_an_empty_id_is_refused_in_a_run(tmp_path):
    with pytest.raises(InputError, match=r"cannot have an empty id \(query 'q'\)"):
        write_run(tmp_path / "r", {"q": {"": 1.0}}, "x")


@each_row
def test_a_broken_line_of_a_run_is_named(tmp_path, line, message):
    with pytest.raises(InputError, match=message):
        read_run(written(tmp_path / "r", "q Q0 d1 1 2.0 x", line))


def test_a_run_that_is_not_utf_8_is_named(tmp_path):
    (tmp_path / "r").write_bytes(b"q Q0 d 1 2.0 x\nq Q0 \xff 2 1.0 x\n")
    with pytest.raises(InputError, match=r"r:2: not UTF-8"):
        read_run(tmp_path / "r")


@each_row
def test_a_broken_line_of_qrels_is_named(tmp_path, line, message):
    with pytest.raises(InputError, match=message):
        read_qrels(written(tmp_path / "q", "q 0 d1 1", line))


def test_a_line_of_qrels_that_says_the_same_again_is_harmless(tmp_path):
    assert read_qrels(written(tmp_path / "q", "q 0 d 1", "q 1 d 1")) == {"q": {"d": 1}}


def test_a_compressed_run_is_the_same_run_under_either_name(tmp_path):
    run = {"q1": {"dé": 0.5, "d1": 0.25}, "q 2": {"d1": 1.0}}
    write_run(tmp_path / "r.trec.gz", run, "bm25")
    write_run(tmp_path / "plain" / "r.trec", run, "bm25")
    packed = (tmp_path / "r.trec.gz").read_bytes()
    assert gzip.decompress(packed) == (tmp_path / "plain" / "r.trec").read_bytes()
    assert read_run(tmp_path / "r.trec.gz") == read_run(tmp_path / "r.trec") == run
    write_run(tmp_path / "again" / "r.trec.gz", run, "bm25")
    assert (tmp_path / "again" / "r.trec.gz").read_bytes() == packed
    write_run(tmp_path / "r.trec", {"q": {"d": 1.0}}, "bm25")
    assert read_run(tmp_path / "r.trec") == {"q": {"d": 1.0}}


def test_a_compressed_run_that_cannot_be_written_leaves_nothing(tmp_path):
    with pytest.raises(InputError, match="surrogate"):
        write_run(tmp_path / "r.trec.gz", {"q": {"d\ud800": 1.0}}, "x")
    with pytest.raises(InputError, match="not a number"):
        write_run(tmp_path / "r.trec.gz", {"q": {"d": float("nan")}}, "x")
    assert list(tmp_path.iterdir()) == []
