import json
import os
import subprocess
import sys

import pytest

from leadline.data.digests import fingerprint
from leadline.data.jsonl import JsonlCorpus
from leadline.types import Document


def corpus_of(*documents):
    return {document.id: document for document in documents}


BASE = corpus_of(Document("1", "text", "title"), Document("2", "more"))


def test_text_title_id_and_order_all_count():
    others = [
        corpus_of(Document("1", "text!", "title"), Document("2", "more")),
        corpus_of(Document("1", "text", "titl"), Document("2", "more")),
        corpus_of(Document("1", "text", "title"), Document("3", "more")),
        corpus_of(Document("2", "more"), Document("1", "text", "title")),
        corpus_of(Document("1", "text", "title")),
    ]
    assert len({fingerprint(each) for each in [BASE, *others]}) == 6


def test_text_cannot_move_between_fields_unseen():
    assert fingerprint(corpus_of(Document("1", "bc", "a"))) != fingerprint(
        corpus_of(Document("1", "c", "ab"))
    )


def test_facets_do_not_count():
    with_facets = corpus_of(Document("1", "text", "title", {"a": "b"}), Document("2", "more"))
    assert fingerprint(with_facets) == fingerprint(BASE)


def on_disk(path, *texts, metadata=False):
    rows = [{"_id": str(number), "text": text} for number, text in enumerate(texts)]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return fingerprint(JsonlCorpus(path, metadata=metadata))


def test_a_corpus_on_disk_goes_by_its_content_and_not_by_its_name(tmp_path):
    first = on_disk(tmp_path / "a.jsonl", "one", "two")
    assert first == on_disk(tmp_path / "b.jsonl", "one", "two")
    assert first != on_disk(tmp_path / "c.jsonl", "one", "too")


def test_a_corpus_on_disk_read_with_its_metadata_is_another_one(tmp_path):
    path = tmp_path / "a.jsonl"
    assert on_disk(path, "one") != on_disk(path, "one", metadata=True)


@pytest.mark.parametrize(
    ("package", "changed"),
    [
        ("lingua_language_detector-99.0", [True, True]),  # of an extra
        ("rich-99.0", [True, True]),  # a dependency
        ("somebody_elses-1.0", [True, False]),  # Leadline does not name it
    ],
)
def test_a_package_that_is_installed_changes_what_results_are_kept_by(tmp_path, package, changed):
    asked = "from leadline.data.digests import libraries, software; print(software(), libraries())"

    def names(*folders):
        path = os.pathsep.join([*map(str, folders), os.environ.get("PYTHONPATH", "")])
        told = subprocess.run(
            [sys.executable, "-c", asked],
            env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True, check=True,
        )  # fmt: skip
        return told.stdout.split()

    (tmp_path / f"{package}.dist-info").mkdir()
    before, after = names(), names(tmp_path)
    assert [a != b for a, b in zip(before, after, strict=True)] == changed
