"""A folder that refers to its corpus is read as if it held it, and says when it cannot be."""

import json
from pathlib import Path

import pytest

from commands import run
from leadline.data.documents import read_corpus
from leadline.data.folder import Folder, read_folder, write_corpus, write_folder
from leadline.errors import InputError
from leadline.kinds import benchmark_folder
from leadline.types import Document, Query

DOCUMENTS = {id: Document(id, f"The {id} boat", facets={"n": id}) for id in ("red", "blue")}


@pytest.fixture
def corpus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr("leadline.data.documents.LARGE", 10)
    write_corpus(tmp_path / "notes.jsonl", DOCUMENTS)
    return tmp_path / "notes.jsonl"


def content(corpus: Path) -> Folder:
    settings = {"name": "boats", "kind": "ranking", "metrics": ["nDCG@10"]}
    return Folder(
        read_corpus(corpus), [Query("q", "red boat", "q")], {"q": {"red": 1}}, None, settings
    )


def written(corpus: Path) -> Path:
    folder = corpus.parent / "out" / "boats"
    write_folder(folder, content(corpus), refer=True)
    return folder


def test_a_folder_refers_to_a_large_corpus_and_loads(corpus: Path) -> None:
    folder = written(corpus)
    assert not (folder / "corpus.jsonl").exists()
    read = read_folder(folder)
    assert dict(read.corpus) == DOCUMENTS == dict(read_corpus(folder))
    assert read.settings == content(corpus).settings
    assert list(benchmark_folder.build(folder).corpus) == ["red", "blue"]
    assert read_folder(folder, metadata=True).corpus["red"].text == "n: red\nThe red boat"


def test_an_exported_folder_holds_everything(corpus: Path) -> None:
    written(corpus)
    out = corpus.parent / "export"
    run("export", corpus.parent / "out", "--out", out)
    corpus.unlink()
    assert dict(read_folder(out / "boats").corpus) == DOCUMENTS
    assert "notes" not in (out / "boats" / "benchmark.json").read_text()


def test_a_copy_is_written_of_what_is_small_or_in_memory(
    corpus: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = corpus.parent / "copies"
    write_folder(out / "memory", Folder(DOCUMENTS, [Query("q", "red", "q")]), refer=True)
    write_folder(out / "asked", content(corpus))
    monkeypatch.setattr("leadline.data.documents.LARGE", 10_000)
    write_folder(out / "small", content(corpus), refer=True)
    for name in ("memory", "asked", "small"):
        assert (out / name / "corpus.jsonl").is_file()


def test_a_copy_takes_the_place_of_a_reference_and_the_other_way(corpus: Path) -> None:
    folder = written(corpus)
    write_folder(folder, content(corpus))
    assert (folder / "corpus.jsonl").is_file()
    assert "corpus_file" not in json.loads((folder / "benchmark.json").read_text())
    written(corpus)
    assert not (folder / "corpus.jsonl").exists()


def test_a_corpus_in_the_folder_itself_stays_there(corpus: Path) -> None:
    write_folder(corpus.parent, content(corpus), refer=True)
    assert dict(read_folder(corpus.parent).corpus) == DOCUMENTS
    again = Folder(read_corpus(corpus.parent / "corpus.jsonl"), [Query("q", "red", "q")])
    write_folder(corpus.parent, again, refer=True)
    assert dict(read_folder(corpus.parent).corpus) == DOCUMENTS


def test_a_corpus_that_went_or_changed_is_told(corpus: Path) -> None:
    folder = written(corpus)
    corpus.write_text(corpus.read_text().replace("boat", "coat"))
    with pytest.raises(InputError, match=r"notes\.jsonl, which has changed"):
        read_folder(folder)
    corpus.unlink()
    with pytest.raises(InputError, match="which does not exist"):
        read_folder(folder)


@pytest.mark.parametrize("path", [None, 5, "/etc/passwd", "\0.jsonl"])
def test_a_reference_to_no_corpus_is_told(corpus: Path, path: object) -> None:
    folder = written(corpus)
    (folder / "benchmark.json").write_text(json.dumps({"corpus_file": {"path": path}}))
    with pytest.raises(InputError, match=r"benchmark\.json"):
        read_folder(folder)
