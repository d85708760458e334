"""What services were given, kept on disk until it is given back."""

from __future__ import annotations

import json

from leadline.data.cache import cache_folder
from leadline.retrievers.services.ledger import Entry, abandoned, entered

ENTRY = Entry("http://127.0.0.1:1/documents/{id}", "leadline-0123abcd", 7)


def test_what_a_living_run_has_given_is_not_abandoned() -> None:
    with entered(ENTRY):
        assert list(abandoned(ENTRY.place)) == []
    ((entry, settle),) = abandoned(ENTRY.place)
    assert entry == ENTRY
    settle()
    assert list(abandoned(ENTRY.place)) == []


def test_what_was_given_back_is_not_abandoned() -> None:
    with entered(ENTRY) as settle:
        settle()
    assert list(abandoned(ENTRY.place)) == []


def test_another_service_has_other_entries() -> None:
    with entered(ENTRY):
        pass
    assert list(abandoned("http://127.0.0.1:2/documents/{id}")) == []


def test_a_file_that_was_altered_names_no_documents_of_a_user() -> None:
    with entered(ENTRY):
        pass
    (path,) = cache_folder("lent").iterdir()
    for content in ({"mark": "invoice"}, {"documents": -1}, {"place": "http://other"}):
        path.write_text(json.dumps({**json.loads(path.read_text()), **content}))
        assert list(abandoned(ENTRY.place)) == []
    path.write_text("no JSON")
    assert list(abandoned(ENTRY.place)) == []
