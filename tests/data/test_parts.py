"""A corpus in parts that travel to workers."""

import json
import pickle
from pathlib import Path

import pytest

from leadline.data.jsonl import JsonlCorpus
from leadline.data.spreading import parts_of
from leadline.errors import InputError
from leadline.types import Document


@pytest.fixture(autouse=True)
def _small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("leadline.data.spreading.DOCUMENTS", 2)


def written(path: Path) -> JsonlCorpus:
    records = [{"_id": name, "text": f"text of {name}"} for name in "abcde"]
    path.write_text("\n\n".join(map(json.dumps, records)) + "\n", encoding="utf-8")
    return JsonlCorpus(path)


def test_parts_of_a_file_hold_its_documents_in_order_and_can_be_pickled(tmp_path: Path) -> None:
    found = [pickle.loads(pickle.dumps(part)) for part in parts_of(written(tmp_path / "c.jsonl"))]
    assert [[document.id for document in part] for part in found] == [["a", "b"], ["c", "d"], ["e"]]
    assert next(iter(found[2])).text == "text of e"


def test_only_the_documents_asked_for_are_read_in_the_order_asked_for(tmp_path: Path) -> None:
    corpus = written(tmp_path / "c.jsonl")
    found = parts_of(corpus, ["a", "c", "e"])
    assert [[document.id for document in part] for part in found] == [["a", "c"], ["e"]]


def test_a_corpus_in_memory_has_the_same_parts() -> None:
    corpus = {name: Document(name, "") for name in "abc"}
    assert [len(list(part)) for part in parts_of(corpus)] == [2, 1]
    assert [[d.id for d in part] for part in parts_of(corpus, ["c"])] == [["c"]]


def test_a_file_that_changed_since_is_not_read_as_other_documents(tmp_path: Path) -> None:
    corpus = written(tmp_path / "c.jsonl")
    path = tmp_path / "c.jsonl"
    path.write_text(path.read_text().replace('"a"', '"x"'))
    with pytest.raises(InputError, match="has changed while it was being read"):
        list(next(parts_of(corpus)))
