import gzip
import json
from pathlib import Path

import pytest

from leadline.data.folder import (
    Folder,
    read_beir_qrels,
    read_candidates,
    read_folder,
    read_queries,
    write_beir_qrels,
    write_candidates,
    write_corpus,
    write_folder,
    write_queries,
)
from leadline.errors import InputError
from leadline.types import Document, Query
from tables import each_row

CORPUS = {"d1": Document("d1", "one", "T", {"year": "1999"}), "d2": Document("d2", "two")}
FULL = Query("q2", "b", "q1", "please", {"kind": "polite"}, "yes")
FOLDER = Folder(
    CORPUS, [Query("q1", "a", "q1"), FULL], {"q1": {"d1": 1}}, {"q1": ["d2", "d1"]}, {"name": "x"}
)


def written(path, *lines):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def test_a_corpus_is_written_as_beir_has_it(tmp_path):
    write_corpus(tmp_path / "c.jsonl", CORPUS)
    assert (tmp_path / "c.jsonl").read_text() == (
        '{"_id": "d1", "title": "T", "text": "one", "metadata": {"year": "1999"}}\n'
        '{"_id": "d2", "title": "", "text": "two"}\n'
    )


def test_a_query_is_written_with_the_fields_that_it_has(tmp_path):
    write_queries(tmp_path / "q.jsonl", [Query("q1", "a", "q1"), FULL])
    first, second = (tmp_path / "q.jsonl").read_text().splitlines()
    assert json.loads(first) == {"_id": "q1", "text": "a"}
    assert json.loads(second) == {
        "_id": "q2", "text": "b", "topic": "q1", "instruction": "please",
        "facets": {"kind": "polite"}, "answer": "yes",
    }  # fmt: skip
    assert read_queries(tmp_path / "q.jsonl") == [Query("q1", "a", "q1"), FULL]


def test_the_topic_of_a_query_is_its_own_id_unless_it_says_otherwise(tmp_path):
    assert read_queries(written(tmp_path / "q.jsonl", '{"id": 7, "text": "a"}'))[0].topic == "7"


@each_row
def test_a_broken_line_of_queries_is_named(tmp_path, line, message):
    with pytest.raises(InputError, match=message):
        read_queries(written(tmp_path / "q.jsonl", '{"_id": "1", "text": "a"}', line))


def test_qrels_are_written_as_beir_has_them(tmp_path):
    write_beir_qrels(tmp_path / "q.tsv", {"q 1": {"d 1": 2, "d2": 0}})
    assert (tmp_path / "q.tsv").read_text() == (
        "query-id\tcorpus-id\tscore\nq 1\td 1\t2\nq 1\td2\t0\n"
    )
    assert read_beir_qrels(tmp_path / "q.tsv") == {"q 1": {"d 1": 2, "d2": 0}}


@each_row
def test_qrels_are_read_as_table_programs_write_them(tmp_path, lines):
    path = tmp_path / "q.tsv"
    path.write_bytes("\n".join(lines).encode())
    assert read_beir_qrels(path) == {"q 1": {'d "1"': 1}, "q2": {"d2": 0}}


@pytest.mark.parametrize("line", ["1 0 d1 2", "1\tQ0\td1\t2.0"])
def test_qrels_in_the_format_of_trec_are_read(tmp_path, line):
    assert read_beir_qrels(written(tmp_path / "q.txt", line, "2 0 d2 0")) == {
        "1": {"d1": 2}, "2": {"d2": 0},
    }  # fmt: skip


def test_qrels_may_lack_their_header_and_have_windows_line_ends(tmp_path):
    assert read_beir_qrels(written(tmp_path / "q.tsv", "q\td\t1\r", "q\te\t0\r", "")) == {
        "q": {"d": 1, "e": 0}
    }


@pytest.mark.parametrize("id", ["a\tb", "a\nb", "a\rb", "", '"a'])
def test_qrels_refuse_ids_that_a_table_cannot_hold(tmp_path, id):
    with pytest.raises(InputError, match=r"qrels cannot represent the document id"):
        write_beir_qrels(tmp_path / "q.tsv", {"q": {id: 1}})
    with pytest.raises(InputError, match=r"qrels cannot represent the query id"):
        write_beir_qrels(tmp_path / "q.tsv", {id: {"d": 1}})


@each_row
def test_a_broken_line_of_a_qrels_table_is_named(tmp_path, line, message):
    with pytest.raises(InputError, match=message):
        read_beir_qrels(written(tmp_path / "q.tsv", "q\td1\t1", line))


def test_candidates_keep_their_order(tmp_path):
    write_candidates(tmp_path / "c.jsonl", {"q": ["d2", "d1"], "p": []})
    assert (tmp_path / "c.jsonl").read_text() == (
        '{"query-id": "q", "corpus-ids": ["d2", "d1"]}\n{"query-id": "p", "corpus-ids": []}\n'
    )
    assert read_candidates(tmp_path / "c.jsonl") == {"q": ("d2", "d1"), "p": ()}


@each_row
def test_a_broken_line_of_candidates_is_named(tmp_path, line, message):
    path = written(tmp_path / "c.jsonl", '{"query-id": "q", "corpus-ids": []}', line)
    with pytest.raises(InputError, match=message):
        read_candidates(path)


def test_a_folder_is_read_as_it_was_written(tmp_path):
    write_folder(tmp_path / "b", FOLDER)
    read = read_folder(tmp_path / "b")
    assert dict(read.corpus) == CORPUS
    assert read.queries == FOLDER.queries
    assert read.qrels == FOLDER.qrels
    assert read.candidates == {"q1": ("d2", "d1")}
    assert read.settings == {"name": "x"}


def test_the_same_content_gives_the_same_bytes(tmp_path):
    for name in ("a", "b"):
        write_folder(tmp_path / name, FOLDER)
    files = sorted(p.relative_to(tmp_path / "a") for p in (tmp_path / "a").rglob("*.*"))
    assert len(files) == 5
    for file in files:
        assert (tmp_path / "a" / file).read_bytes() == (tmp_path / "b" / file).read_bytes()


def test_files_of_an_older_content_do_not_stay(tmp_path):
    write_folder(tmp_path, FOLDER)
    write_folder(tmp_path, Folder(CORPUS, FOLDER.queries))
    read = read_folder(tmp_path)
    assert read.candidates is None
    assert read.settings == {}
    assert read.qrels == {}


def test_a_folder_that_was_never_finished_is_not_taken_for_whole(tmp_path):
    write_folder(tmp_path, FOLDER)
    broken = Folder({"d": Document("d", "\ud800")}, FOLDER.queries, FOLDER.qrels)
    with pytest.raises(InputError):
        write_folder(tmp_path, broken)
    with pytest.raises(InputError, match=r"has no queries.jsonl or queries.jsonl.gz"):
        read_folder(tmp_path)


def test_a_folder_may_hold_its_files_packed(tmp_path):
    write_folder(tmp_path, FOLDER)
    for name in ("corpus.jsonl", "queries.jsonl"):
        (tmp_path / f"{name}.gz").write_bytes(gzip.compress((tmp_path / name).read_bytes()))
        (tmp_path / name).unlink()
    read = read_folder(tmp_path)
    assert dict(read.corpus) == CORPUS
    assert read.queries == FOLDER.queries


def test_a_folder_may_be_written_over_the_corpus_that_it_reads(tmp_path):
    write_folder(tmp_path, FOLDER)
    write_folder(tmp_path, read_folder(tmp_path))
    assert dict(read_folder(tmp_path).corpus) == CORPUS


def with_splits(tmp_path, *queries, **splits):
    write_corpus(tmp_path / "corpus.jsonl", CORPUS)
    write_queries(tmp_path / "queries.jsonl", queries)
    for split, qrels in splits.items():
        write_beir_qrels(tmp_path / "qrels" / f"{split}.tsv", qrels)
    return tmp_path


def test_queries_that_another_split_judges_are_left_out(tmp_path):
    folder = with_splits(
        tmp_path,
        Query("q1", "a"), Query("q2", "b"), Query("q3", "c"),
        test={"q1": {"d1": 1}}, dev={"q1": {"d1": 0}, "q2": {"d1": 1}},
    )  # fmt: skip
    write_candidates(folder / "candidates.jsonl", {"q1": ["d1"], "q2": ["d2"]})
    read = read_folder(folder)
    # q3 is judged nowhere: it stays, for the benchmark to refuse it by name.
    assert [query.id for query in read.queries] == ["q1", "q3"]
    assert read.candidates == {"q1": ("d1",)}
    assert [query.id for query in read_folder(folder, "dev").queries] == ["q1", "q2", "q3"]


def test_unjudged_variants_go_with_their_topic(tmp_path):
    folder = with_splits(
        tmp_path,
        Query("a", "", "A"), Query("a2", "", "A"), Query("b", "", "B"), Query("b2", "", "B"),
        test={"a": {"d1": 1}}, dev={"b": {"d1": 1}},
    )  # fmt: skip
    assert [query.id for query in read_folder(folder).queries] == ["a", "a2"]


def test_an_unknown_split_names_those_that_are_there(tmp_path):
    folder = with_splits(tmp_path, Query("q", "a"), dev={"q": {"d1": 1}}, train={"q": {"d1": 1}})
    with pytest.raises(InputError, match=r"no qrels for the split 'test'. It has: dev, train\."):
        read_folder(folder)


@pytest.mark.parametrize("content", [b"{", b"\xff", b"[]"])
def test_broken_settings_are_named(tmp_path, content):
    write_folder(tmp_path, FOLDER)
    (tmp_path / "benchmark.json").write_bytes(content)
    with pytest.raises(InputError, match=r"benchmark.json (is not JSON|must be one JSON object)"):
        read_folder(tmp_path)


def test_queries_may_stand_one_a_line(tmp_path):
    path = tmp_path / "queries.txt"
    path.write_text("ferry to Skarholm\n\n  who serviced the boiler \n")
    assert [(each.id, each.text, each.topic) for each in read_queries(path)] == [
        ("1", "ferry to Skarholm", "1"),
        ("3", "who serviced the boiler", "3"),
    ]


SGML = Path(__file__).with_name("topics.txt").read_text()

XML = Path(__file__).with_name("topics.xml").read_text()

ONE_LINE = (
    "<topics><topic><number>301</number><title>International Organized Crime</title></topic>"
    "<topic><number>302</number><title>Poliomyelitis &amp; Post-Polio, x &lt; 3</title></topic>"
    "</topics>"
)

WANTED = [("301", "International Organized Crime"), ("302", "Poliomyelitis & Post-Polio, x < 3")]


def read(path, content, encoding="utf-8"):
    path.write_bytes(content.encode(encoding))
    return [(each.id, each.text) for each in read_queries(path)]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("topics.txt", SGML),
        ("topics.txt", SGML.replace("\n", "\r\n")),
        ("topics.301-302", SGML),
        ("topics.xml", XML),
        ("topics.txt", XML),
        ("topics.xml", ONE_LINE),
        ("q.tsv", "301\t{}\n302\t{}\n"),
        ("q.tsv", "qid\tquery\n301\t{}\t\n302\t{}\t\n\n"),
        ("q.tsv", "Nummer\tFrage\n301\t{}\n302\t{}\n"),
        ("q.tsv", '"id"\t"text"\n"301"\t"{}"\n"302"\t"{}"\n'),
        ("q.csv", 'text,lang,id\n{},en,301\n"{}",en,302\n'),
        ("q.csv", '301,{}\n302,"{}"\n'),
        ("q.txt", "301\t{}\n302\t{}\n"),
        ("q.txt", "id\ttext\n301\t{}\n302\t{}\n"),
        ("q.txt", "301:{}\n302:{}\n"),
        ("q.txt", '{{"_id": "301", "text": "{}"}}\n{{"_id": "302", "text": "{}"}}\n'),
    ],
)
def test_topics_and_tables_give_their_ids_and_titles(tmp_path, name, content):
    if "{}" in content:
        content = content.format(*(text for _, text in WANTED))
    assert read(tmp_path / name, content) == WANTED
    assert read(tmp_path / name, content, "utf-8-sig") == WANTED


def test_packed_topics_are_read(tmp_path):
    path = tmp_path / "topics.txt.gz"
    path.write_bytes(gzip.compress(SGML.encode()))
    assert [each.id for each in read_queries(path)] == ["301", "302"]


def test_plain_lines_stay_plain_queries(tmp_path):
    lines = ["<div> centering in css", "{x} set notation", "ferry\tharbour", "10:30 ferry"]
    assert read(tmp_path / "q.txt", "\n".join(lines)) == [
        (str(number), line) for number, line in enumerate(lines, 1)
    ]


def test_a_quote_that_nothing_closes_does_not_swallow_the_next_query(tmp_path):
    assert read(tmp_path / "q.tsv", '1\t"to be\n2\tor not\n') == [("1", '"to be'), ("2", "or not")]


@each_row
def test_what_is_no_list_of_queries_is_refused(tmp_path, name, content, message):
    with pytest.raises(InputError, match=message):
        read(tmp_path / name, content)
