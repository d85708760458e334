"""What is larger, deeper or other than any real input is refused in one line, or left out aloud."""

import gzip
import os
import socket
from pathlib import Path

import pytest

from leadline.data.documents import read_corpus
from leadline.data.folder import read_beir_qrels
from leadline.data.texts import read_texts
from leadline.data.yaml_file import read_yaml
from leadline.errors import InputError


def refused(read, path: Path, match: str) -> str:
    with pytest.raises(InputError, match=match) as raised:
        read(path)
    message = str(raised.value)
    assert "\n" not in message
    assert len(message) < 1000
    return message


def test_a_line_without_end_is_not_read_to_it(tmp_path: Path) -> None:
    path = tmp_path / "c.jsonl"
    with path.open("wb") as handle:
        handle.truncate(3 << 30)  # 3 GiB of zeros that take no room on the disk
    refused(read_corpus, path, r"c.jsonl:1: the line is longer than 16 MiB")


def test_a_cell_without_end_is_not_read_to_it(tmp_path: Path) -> None:
    path = tmp_path / "c.csv"
    path.write_bytes(b'id,text\n1,"' + b"x" * (17 << 20))
    refused(read_corpus, path, "c.csv:2: the line is longer than 16 MiB")


@pytest.mark.parametrize("content", [b"\n", b" ", b'{"_id": "a", "text": "b"}\n'])
def test_a_file_that_unpacks_without_end_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "c.jsonl.gz"
    path.write_bytes(gzip.compress(content * ((40 << 20) // len(content)), 9))
    refused(read_corpus, path, "unpacks to more than 200 times its size|more than 16 MiB")


def test_values_deep_in_each_other_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "c.jsonl"
    # 100 levels are read: the record is one, the lists are 99.
    path.write_text(f'{{"_id": "a", "text": "b", "x": {"[" * 99}{"]" * 99}}}\n')
    assert len(read_corpus(path)) == 1
    path.write_text(f'{{"_id": "a", "text": "b", "x": {"[" * 100}{"]" * 100}}}\n')
    refused(read_corpus, path, "c.jsonl:1: lists and objects are nested more than 100 levels")


def test_a_grade_beyond_all_grades_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "test.tsv"
    path.write_text(f"query-id\tcorpus-id\tscore\nq\td\t{'9' * 400}\n")
    refused(read_beir_qrels, path, r"test.tsv:2: the grade 9+ is larger")


@pytest.mark.parametrize("grade", ["nan", "inf", "-infinity"])
def test_a_first_line_with_a_grade_that_is_no_number_is_no_header(
    tmp_path: Path, grade: str
) -> None:
    path = tmp_path / "test.tsv"
    path.write_text(f"q\td\t{grade}\n")
    refused(read_beir_qrels, path, r"test.tsv:1: the grade must be an integer")


@pytest.mark.parametrize(
    "html", ["<a ", "<!--", "<![", "<![a[", "<?", '<a b="', "<b>", "&", "<div></span>", "</p>"]
)
def test_a_page_of_one_thing_over_and_over_is_read(tmp_path: Path, html: str) -> None:
    (tmp_path / "a.html").write_text("<p>one</p>" + html * (100_000 // len(html)))
    (tmp_path / "b.txt").write_text("two")
    documents, _ = read_texts(tmp_path)
    assert "b.txt" in documents
    assert "a.html" not in documents or documents["a.html"].text.startswith("one")


def test_a_page_too_deep_or_too_large_is_left_out_and_counted(tmp_path: Path) -> None:
    (tmp_path / "deep.html").write_text("<div>" * 501 + "text")
    (tmp_path / "large.html").write_text("x" * ((8 << 20) + 1))
    (tmp_path / "large.md").write_text("x" * ((8 << 20) + 1))
    (tmp_path / "large.txt").write_text("x" * ((16 << 20) + 1))
    (tmp_path / "good.html").write_text("<div>" * 400 + "text")
    documents, ignored = read_texts(tmp_path)
    assert (list(documents), ignored) == (["good.html"], "4 other files were ignored (left out)")
    assert documents["good.html"].text == "text"


@pytest.mark.parametrize(
    "text",
    ["a|b\n" + " " * 300_000 + "x", *(each * 100_000 for each in (
        "*a ", "**a*", "_a ", "~~a~", "``a ", "[a", "[a](b", "![[a](b)", "<a b", "<!--", "<http://",
        "> ", ">     a\n", "- ", "=", "```\n", "\\*", "|a\n", " |", "-|", ":-", "\t", "    a\n",
        "# ", "\\", "a|b\n", "---\na:\n",
    ))],
)  # fmt: skip
def test_markdown_of_one_thing_over_and_over_is_read(tmp_path: Path, text: str) -> None:
    (tmp_path / "a.md").write_text("one\n\n" + text)
    documents, _ = read_texts(tmp_path)
    assert documents["a.md"].text.startswith("one")


def test_pipes_sockets_devices_and_links_out_are_left_out_and_counted(tmp_path: Path) -> None:
    folder = tmp_path / "notes"
    (folder / "inner").mkdir(parents=True)
    (tmp_path / "secret.txt").write_text("secret")
    (folder / "inner" / "good.txt").write_text("good")
    os.mkfifo(folder / "pipe.txt")
    (folder / "device.txt").symlink_to("/dev/zero")
    (folder / "out.txt").symlink_to(tmp_path / "secret.txt")
    (folder / "loop.txt").symlink_to(folder / "loop.txt")
    (folder / "in.txt").symlink_to(folder / "inner" / "good.txt")
    (folder / "round").symlink_to(folder)
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(folder / "socket.txt"))
        documents, ignored = read_texts(folder)
    assert {name: each.text for name, each in documents.items()} == {
        "in.txt": "good",
        "inner/good.txt": "good",
    }
    assert ignored.startswith(
        "6 other files were ignored"
    )  # pipe, device, out, loop, socket; and `round`, which has no ending


@pytest.mark.parametrize("name", ["c.jsonl", "c.jsonl.gz", "c.csv", "c.parquet"])
def test_a_pipe_in_the_place_of_a_corpus_is_not_waited_for(tmp_path: Path, name: str) -> None:
    os.mkfifo(tmp_path / name)
    refused(read_corpus, tmp_path / name, "is a pipe, a device or a socket, not a file")


def test_a_pipe_in_the_place_of_any_other_file_is_not_waited_for(tmp_path: Path) -> None:
    from leadline.llm.pipeline.audit import read_log
    from leadline.llm.prompt import Prompt
    from leadline.llm.run_record import RunRecord
    from leadline.report.folder import read_folder as read_scores

    for name in ("log.jsonl", "run.json", "prompt.txt", "scores/bm25.json"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        os.mkfifo(tmp_path / name)
    refused(read_log, tmp_path, "log.jsonl is a pipe")
    refused(RunRecord.read, tmp_path, "run.json is not a record of a pipeline run")
    refused(read_scores, tmp_path, "not a scores file|is a pipe")
    refused(Prompt.read, tmp_path / "prompt.txt", "prompt.txt cannot be read: it is no file")


def test_a_folder_that_may_not_be_read_is_named(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("a")
    (tmp_path / "closed").mkdir(mode=0)
    if os.access(tmp_path / "closed", os.R_OK):
        pytest.skip("this user may read every folder")
    refused(read_corpus, tmp_path, "Cannot read the folder .*closed: Permission denied")


def test_results_of_leadline_are_no_documents(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("a")
    for name in ("leadline-out", "runs-of-may"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "report.html").write_text("<p>results")
    (tmp_path / "runs-of-may" / "report.json").write_text("{}")
    assert list(read_corpus(tmp_path)) == ["a.txt"]


@pytest.mark.parametrize("name", ["x" * 5000, "x" * 300 + ".jsonl", "a\0b", "~nosuchuser/x.jsonl"])
def test_what_cannot_be_a_path_is_no_corpus(name: str) -> None:
    refused(read_corpus, Path(name), "There is no corpus at")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("a: &a [*a]", "s.yaml:1: an alias contains itself"),
        ("a: 2020-13-45", "s.yaml: not YAML: month must be in 1..12"),
        ("a: 0b_", "s.yaml: not YAML: invalid literal for int"),
        ("a: " + "9" * 5000, "s.yaml: not YAML: Exceeds the limit"),
        ("a: " + "[" * 60 + "]" * 60, "s.yaml: lists and mappings are nested more than 50 levels"),
        (
            "a: " + "[" * 5000,
            "s.yaml: lists and mappings are nested more than 50 levels|s.yaml:1: not",
        ),
        ("# " + "x" * 70_000, "s.yaml is larger than 0.0625 MiB"),
        ("a: !!python/object/apply:os.system [id]", "s.yaml:1: not YAML: could not determine a"),
        ("a: \ud800", "s.yaml is not UTF-8 text"),
        ("a: \0", "s.yaml: not YAML: unacceptable character"),
    ],
)
def test_yaml_that_is_no_description_is_one_line(
    tmp_path: Path, content: str, message: str
) -> None:
    path = tmp_path / "s.yaml"
    path.write_bytes(content.encode("utf-8", "surrogatepass"))
    refused(read_yaml, path, message)


def test_aliases_that_write_out_to_very_many_values_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "s.yaml"
    # Each of the nine levels holds the one below nine times: 9 ** 9 values.
    levels = ["a0: &a0 [1,1,1,1,1,1,1,1,1]"]
    levels += [f"a{n}: &a{n} [{','.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 9)]
    path.write_text("\n".join(levels))
    refused(read_yaml, path, "more than 10,000 values")


def test_a_chain_of_aliases_is_as_deep_as_it_writes_out(tmp_path: Path) -> None:
    path = tmp_path / "s.yaml"
    levels = ["a0: &a0 [1]", *(f"a{n}: &a{n} [*a{n - 1}]" for n in range(1, 2000))]
    path.write_text("\n".join(levels))
    refused(read_yaml, path, "lists and mappings are nested more than 50 levels")
