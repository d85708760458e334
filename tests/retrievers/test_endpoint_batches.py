"""A search service that takes several queries in a call, against a real server."""

from __future__ import annotations

from typing import Any

import pytest

from leadline.errors import InputError
from leadline.retrievers import endpoint
from leadline.types import Document, Query
from loopback import Call, Reply, serving

CORPUS = {f"d{n}": Document(id=f"d{n}", text=f"text {n}") for n in range(1, 7)}
QUERIES = [Query(id=f"q{n}", text=str(n)) for n in range(1, 6)]
BODY = {"searches": {"$each": {"query": "{query}", "limit": "{k}"}}, "all": True}
ANSWER = {"results": "responses", "hits": "items"}


def found(query: str) -> dict[str, Any]:
    return {"items": [{"id": f"d{query}", "score": 1.0}]}


def answer(call: Call) -> Reply:
    return Reply({"responses": [found(each["query"]) for each in call.json["searches"]]})


def asked(url: str, **options: Any) -> Any:
    content = {"url": url, "body": BODY, "answer": ANSWER, "retries": 0, **options}
    return endpoint.described(content, "s.yaml")


def test_several_queries_go_in_a_call_and_each_has_its_own_answer() -> None:
    with serving(answer) as service:
        run = asked(service.url, batch_size=2).index(CORPUS).search(QUERIES, 3)
    assert run == {f"q{n}": {f"d{n}": 1.0} for n in range(1, 6)}
    assert sorted(len(call.json["searches"]) for call in service.calls) == [1, 2, 2]
    first = next(c for c in service.calls if c.json["searches"][0]["query"] == "1")
    # One query of the batch, filled: a field that is the whole value keeps its type.
    assert first.json == {
        "searches": [{"query": "1", "limit": 3}, {"query": "2", "limit": 3}],
        "all": True,
    }


def test_queries_of_a_call_that_failed_are_asked_for_one_by_one() -> None:
    def poisoned(call: Call) -> Reply:
        if any(each["query"] == "2" for each in call.json["searches"]):
            return Reply({"error": "bad query"}, status=400)
        return answer(call)

    with serving(poisoned) as service:
        retriever = asked(service.url, batch_size=3)
        run = retriever.index(CORPUS).search(QUERIES, 3)
    assert run == {"q1": {"d1": 1.0}, "q2": {}, **{f"q{n}": {f"d{n}": 1.0} for n in (3, 4, 5)}}
    assert retriever.failures == 1


def test_an_answer_with_too_few_results_is_not_believed() -> None:
    def short(call: Call) -> Reply:
        return Reply({"responses": [found("1")]})  # whatever was asked

    with serving(short) as service:
        run = asked(service.url, batch_size=5).index(CORPUS).search(QUERIES, 3)
    # Asked alone, one result is what was asked for.
    assert run == {query.id: {"d1": 1.0} for query in QUERIES}
    assert len(service.calls) == 6


def test_no_queries_are_no_call() -> None:
    with serving(answer) as service:
        assert asked(service.url).index(CORPUS).search([], 3) == {}
    assert service.calls == []


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({"a": {"$each": "{k}"}, "b": "{query}"}, "with {query} or {vector} in it"),
        ({"a": {"$each": "{query}"}, "b": {"$each": "{query}"}}, "stands once"),
        ({"a": {"$each": "{query}"}, "from": "{offset}"}, "takes no {offset}"),
        ({"a": {"$each": "{query}"}, "b": "{query}"}, "only {k} can stand elsewhere"),
    ],
)
def test_a_batch_that_cannot_be_filled_is_refused(body: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        asked("http://localhost:1/", body=body)
