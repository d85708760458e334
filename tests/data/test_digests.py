"""What was altered on disk is made anew, never used: answers, facts, scores, vectors, places."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from leadline.data.digests import (
    fingerprint,
    is_whole,
    libraries,
    read_sealed,
    seal,
    software,
    write_sealed,
)
from leadline.data.jsonl import JsonlCorpus
from leadline.data.spreading import kept_results
from leadline.llm.cached import CachedLLM, Store
from leadline.types import Document
from scripted import ScriptedLLM
from tables import each_row


def altered(path: Path, statement: str, *values: object) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(statement, values)


def test_an_altered_answer_is_asked_for_again(tmp_path: Path) -> None:
    path = tmp_path / "a.sqlite"
    CachedLLM(ScriptedLLM(lambda _: "the truth"), path).complete(["a", "b"], max_tokens=9)
    altered(path, "UPDATE answers SET value = replace(value, 'the truth', 'a lie') "
                  "WHERE rowid = 1")  # fmt: skip
    again = CachedLLM(ScriptedLLM(lambda _: "the truth"), path)
    assert again.complete(["a", "b"], max_tokens=9) == ["the truth"] * 2
    assert (again.hits, again.misses) == (1, 1)


def test_a_text_put_under_another_key_is_not_found(tmp_path: Path) -> None:
    path = tmp_path / "a.sqlite"
    Store(path).write(b"one", "text")
    altered(path, "UPDATE answers SET key = ?", b"two")
    assert Store(path).read([b"one", b"two"]) == {}


def test_altered_scores_of_a_block_are_made_again(tmp_path: Path) -> None:
    done: list[int] = []

    def work(shard: int) -> list[float]:
        done.append(shard)
        return [shard * 1.5]

    def results() -> dict[int, list[float]]:
        return dict(kept_results(work, [1, 2], tmp_path, lambda shard: shard))

    assert results() == {0: [1.5], 1: [3.0]} == results()
    assert done == [1, 2]
    for path in tmp_path.glob("*.json"):
        path.write_text(path.read_text().replace("[1.5]", "[9.5]"))
    assert results() == {0: [1.5], 1: [3.0]}
    assert done == [1, 2, 1]


@pytest.mark.parametrize("text", ["", "{}", "x\n{}", "[" * 90_000, "\udcff"])
def test_what_no_digest_fits_is_not_there(tmp_path: Path, text: str) -> None:
    path = tmp_path / "kept.json"
    write_sealed(path, {"a": "ü"})
    assert read_sealed(path) == {"a": "ü"}
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    assert read_sealed(path) is None


def test_a_sealed_file_that_grew_is_not_whole(tmp_path: Path) -> None:
    path = tmp_path / "places.jsonl"
    path.write_text("{}\n")
    assert not is_whole(path)
    seal(path)
    assert is_whole(path)
    path.write_text("{}\n{}\n")
    assert not is_whole(path)


def test_altered_facts_are_derived_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from leadline.types import Document
    from leadline_facts.facts import build

    monkeypatch.setenv("LEADLINE_CACHE", str(tmp_path))
    document = Document("d", "The old mill was rebuilt on 3 May 1931.")

    def derived() -> list:
        return [each for _, facts in build().facts([document]) for each in facts]

    facts = derived()
    assert facts
    for path in (tmp_path / "facts").glob("*.sqlite"):
        altered(path, "UPDATE answers SET value = ?", json.dumps([]))
    assert derived() == facts


def corpus_of(*documents):
    return {document.id: document for document in documents}


BASE = corpus_of(Document("1", "text", "title"), Document("2", "more"))


def test_text_title_id_and_order_all_count_and_facets_do_not():
    others = [
        corpus_of(Document("1", "text!", "title"), Document("2", "more")),
        corpus_of(Document("1", "text", "titl"), Document("2", "more")),
        corpus_of(Document("1", "text", "title"), Document("3", "more")),
        corpus_of(Document("2", "more"), Document("1", "text", "title")),
        corpus_of(Document("1", "text", "title")),
        corpus_of(Document("1", "ext", "titlet"), Document("2", "more")),
    ]
    assert len({fingerprint(each) for each in [BASE, *others]}) == 7
    with_facets = corpus_of(Document("1", "text", "title", {"a": "b"}), Document("2", "more"))
    assert fingerprint(with_facets) == fingerprint(BASE)


def test_a_corpus_on_disk_goes_by_its_content_and_how_it_is_read(tmp_path):
    def on_disk(name, *texts, metadata=False):
        rows = [{"_id": str(number), "text": text} for number, text in enumerate(texts)]
        (tmp_path / name).write_text("".join(json.dumps(row) + "\n" for row in rows))
        return fingerprint(JsonlCorpus(tmp_path / name, metadata=metadata))

    first = on_disk("a.jsonl", "one", "two")
    assert first == on_disk("b.jsonl", "one", "two")
    assert first != on_disk("c.jsonl", "one", "too")
    assert first != on_disk("a.jsonl", "one", "two", metadata=True)


@each_row
def test_a_package_that_is_installed_changes_what_results_are_kept_by(
    tmp_path, monkeypatch, package, changed
):
    def names():
        return [each.__wrapped__() for each in (software, libraries)]

    before = names()
    (tmp_path / f"{package}.dist-info").mkdir()
    monkeypatch.syspath_prepend(tmp_path)
    assert [a != b for a, b in zip(before, names(), strict=True)] == changed
