"""What a service is sent when it is lent documents, and when they are taken back."""

from __future__ import annotations

import json
from typing import Any

import pytest

from leadline.errors import InputError
from leadline.retrievers import endpoint
from leadline.types import Document, Query
from loopback import Call, Reply, serving

CORPUS = {
    "mine": Document("mine", "a harbour", "Old"),
    "copy 1": Document("copy 1", 'no "harbour"', "Old"),
    "copy 2": Document("copy 2", "a port"),
}
QUERY = Query("q", "harbour")
BULK = {
    "ingest": {
        "url": "_bulk",
        "headers": {"Content-Type": "application/x-ndjson"},
        "body": [{"$each": [{"index": {"_id": "{id}"}}, {"title": "{title}", "text": "{text}"}]}],
        "errors": "errors",
    },
    "remove": {"url": "_doc/{id}"},
}


class Engine:
    """Speaks the bulk calls of Elasticsearch; what is written is searchable two searches later."""

    def __init__(self, errors: bool = False) -> None:
        self.errors = errors
        self.documents: dict[str, Any] = {"mine": {"title": "Old", "text": "a harbour"}}
        self.seen: list[str] = ["mine"]
        self.searches = 0
        self.calls: list[Call] = []

    def __call__(self, call: Call) -> Reply:
        self.calls.append(call)
        if call.path == "/i/_search":
            self.searches += 1
            if self.searches % 3 == 0:
                self.seen = list(self.documents)
            return Reply({"hits": {"hits": [{"_id": id, "_score": 1.0} for id in self.seen]}})
        if call.path == "/i/_bulk":
            lines = [json.loads(line) for line in call.body.decode().splitlines()]
            for head, document in zip(lines[::2], lines[1::2], strict=True):
                self.documents[head["index"]["_id"]] = document
            return Reply({"errors": self.errors, "items": [{"error": "read only"}]})
        del self.documents[call.path.rpartition("/")[2]]
        return Reply(b"", 204)


def lender(url: str, **more: Any) -> Any:
    content = {"url": f"{url}/i/_search", "template": "elasticsearch", "retries": 0, **BULK, **more}
    return endpoint.described(content, "s.yaml")


def test_documents_go_under_ids_of_their_own_and_come_back_under_those_of_the_corpus() -> None:
    engine = Engine()
    with serving(engine) as service:
        retriever = lender(service.url)
        with retriever.holding(CORPUS, ["copy 1", "copy 2"]):
            lent = [id for id in engine.documents if id != "mine"]
            assert [id.rpartition("-")[2] for id in lent] == ["0", "1"]
            assert engine.documents[lent[0]] == {"title": "Old", "text": 'no "harbour"'}
            run = retriever.index(CORPUS).search([QUERY], 5)
    assert list(run["q"]) == ["mine", "copy 1", "copy 2"]
    assert list(engine.documents) == engine.seen == ["mine"]


def test_what_is_refused_in_an_answer_is_an_error_and_taken_back() -> None:
    engine = Engine(errors=True)
    refused = pytest.raises(InputError, match=r"refused some: .*read only")
    with serving(engine) as service, refused, lender(service.url).holding(CORPUS, ["copy 1"]):
        raise AssertionError("nothing is searched")
    assert list(engine.documents) == ["mine"]


def test_a_service_that_lacks_nothing_is_sent_nothing() -> None:
    engine = Engine()
    with serving(engine) as service, lender(service.url).holding(CORPUS, []):
        pass
    assert engine.calls == []


def test_a_scratch_index_is_lent_the_whole_corpus() -> None:
    engine = Engine()
    with serving(engine) as service, lender(service.url, scratch=True).holding(CORPUS, []):
        assert len(engine.documents) == 1 + len(CORPUS)
    assert list(engine.documents) == ["mine"]
