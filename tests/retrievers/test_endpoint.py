"""A search service over HTTP, against a real server on the loopback interface."""

import json
import threading
from pathlib import Path
from typing import Any

import pytest

from leadline.errors import InputError, ServiceError
from leadline.retrievers import endpoint
from leadline.retrievers.parts import service as endpoint_calls
from leadline.types import Document, Query
from loopback import Call, Reply, serving
from tables import each_row

CORPUS = {f"d{n}": Document(id=f"d{n}", text=f"text {n}", title="T") for n in range(1, 7)}
QUERIES = [Query(id="q1", text="first"), Query(id="q2", text="second", instruction="only new")]


def hits(*pairs: tuple[str, float]) -> Reply:
    return Reply({"hits": [{"id": id, "score": score} for id, score in pairs]})


def asked(url: str, content: dict[str, Any] | None = None, **options: Any) -> Any:
    return endpoint.described({"url": url, "backoff": 0, **(content or {})}, "s.yaml", **options)


def test_an_address_alone_is_sent_query_and_k_by_post() -> None:
    with serving(lambda _: hits(("d2", 3.5), ("d1", 1.0))) as service:
        run = endpoint.build(service.url + "/search").index(CORPUS).search(QUERIES, 5)
    assert run == {"q1": {"d2": 3.5, "d1": 1.0}, "q2": {"d2": 3.5, "d1": 1.0}}
    bodies = sorted((call.json["query"], call.json["k"]) for call in service.calls)
    assert bodies == [("first", 5), ("second only new", 5)]
    assert {(call.method, call.path) for call in service.calls} == {("POST", "/search")}


def test_an_address_that_holds_the_query_is_called_by_get() -> None:
    odd = "a&b=c #ü {k} ${HOME}"
    with serving(lambda _: hits(("d1", 1.0))) as service:
        retriever = endpoint.build(service.url + "/s?q={query}&n={k}")
        retriever.index(CORPUS).search([Query(id="q", text=odd)], 3)
    (call,) = service.calls
    assert (call.method, call.parameters, call.body) == ("GET", {"q": odd, "n": "3"}, b"")


def test_fields_are_filled_in_body_headers_and_address() -> None:
    description = {
        "body": {"filter": [{"text": "about {query}"}], "size": {"k": None}, "all": True},
        "headers": {"X-Query": "{query}"},
        "answer": {"hits": "result.0.found", "id": "doc.key", "score": "doc.s.v"},
    }
    found = [{"doc": {"key": "d3", "s.v": "0.5"}}, {"doc": {"key": "d1", "s": {"v": 0.25}}}]
    with serving(lambda _: Reply({"result": [{"found": found}]})) as service:
        run = asked(service.url + "/{k}/{query}", description).index(CORPUS).search(QUERIES[:1], 2)
    assert run == {"q1": {"d3": 0.5, "d1": 0.25}}
    (call,) = service.calls
    # A field that is the whole value keeps its type; `{k}` without quotes is a mapping in YAML.
    assert call.json == {"filter": [{"text": "about first"}], "size": 2, "all": True}
    assert (call.headers["x-query"], call.path) == ("first", "/2/first")


def test_a_line_break_in_a_query_makes_no_header_of_its_own() -> None:
    with serving(lambda _: hits(("d1", 1.0))) as service:
        retriever = asked(service.url + "/{k}", {"headers": {"X-Query": "{query}"}})
        retriever.index(CORPUS).search([Query(id="q", text="a\r\nX-Admin: 1\ud800")], 1)
    (call,) = service.calls
    assert "x-admin" not in call.headers
    assert call.headers["x-query"] == "a%0D%0AX-Admin: 1?"


def test_a_key_comes_from_the_environment_and_is_told_nowhere(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("SEARCH_KEY", "s3cret/k+y")
    path = tmp_path / "system.yaml"

    def answer(call: Call) -> Reply:
        # A service that repeats the key when it refuses it, as it came and within an address.
        told = f"bad key {call.headers['authorization']} or s3cret%2Fk%2By"
        return Reply({"error": told}, 401)

    with serving(answer) as service:
        path.write_text(
            f"url: {service.url}/search?page=1\n"
            'headers: {Authorization: "Bearer ${SEARCH_KEY}"}\n'
            'body: {query: "{query}", api_key: literal, deep: [{token: "${SEARCH_KEY}"}]}\n'
        )
        retriever: Any = endpoint.build(str(path))
        with pytest.raises(ServiceError, match="status 401") as caught:
            retriever.index(CORPUS).search(QUERIES, 5)
    assert service.calls[0].headers["authorization"] == "Bearer s3cret/k+y"
    assert len(service.calls) == 2  # a refusal does not pass by asking again
    told = str(caught.value) + str(retriever.settings) + retriever.name
    assert "s3cret" not in told
    assert "literal" not in told
    assert "page=1" not in told
    assert retriever.settings["headers"] == ["Authorization"]


def test_an_address_with_a_password_is_refused_without_telling_it() -> None:
    with pytest.raises(InputError, match="user name or password") as caught:
        endpoint.build("https://me:hunter2@host/search")
    assert "hunter2" not in str(caught.value)
    with pytest.raises(InputError, match="has a value for 'api_key'") as caught:
        endpoint.build("https://host/search?api_key=hunter2&q={query}")
    assert "hunter2" not in str(caught.value)


def test_a_redirect_is_not_followed_with_the_key() -> None:
    with serving(lambda _: hits(("d1", 1.0))) as other:
        moved = Reply({}, 302, {"Location": other.url + "/new?x=1"})
        with (
            serving(lambda _: moved) as service,
            pytest.raises(ServiceError, match=r"moved to .*/new"),
        ):
            asked(service.url).index(CORPUS).search(QUERIES, 5)
    assert other.calls == []


def test_pages_are_asked_for_until_there_are_enough() -> None:
    ids = list(CORPUS)

    def answer(call: Call) -> Reply:
        start, size = call.json["from"], call.json["size"]
        return hits(*((id, 9.0 - ids.index(id)) for id in ids[start : start + size]))

    description = {"body": {"q": "{query}", "from": "{offset}", "size": "{k}"}, "page_size": 2}
    with serving(answer) as service:
        index = asked(service.url, description).index(CORPUS)
        assert list(index.search(QUERIES[:1], 5)["q1"]) == ids[:5]
        assert [(c.json["from"], c.json["size"]) for c in service.calls] == [(0, 2), (2, 2), (4, 1)]
        assert list(index.search(QUERIES[:1], 50)["q1"]) == ids


def test_a_service_that_ignores_the_offset_is_not_asked_for_ever() -> None:
    description = {"body": {"q": "{query}", "from": "{offset}"}, "page_size": 2}
    with serving(lambda _: hits(("d1", 2.0), ("d2", 1.0))) as service:
        run = asked(service.url, description).index(CORPUS).search(QUERIES[:1], 100)
    assert run == {"q1": {"d1": 2.0, "d2": 1.0}}
    assert len(service.calls) == 2


@pytest.mark.parametrize("found", [["d3", "d1"], [{"id": "d3"}, {"id": "d1", "score": None}]])
def test_ranks_without_scores_become_one_over_the_rank(found: list[Any]) -> None:
    with serving(lambda _: Reply({"hits": found})) as service:
        retriever = asked(service.url)
        run = retriever.index(CORPUS).search(QUERIES[:1], 5)
    assert run == {"q1": {"d3": 1.0, "d1": 0.5}}
    assert retriever.settings["scores"] == "1/rank"


def test_the_order_of_the_service_stands_where_its_scores_contradict_it() -> None:
    with serving(lambda _: hits(("d3", 0.1), ("d1", 0.9))) as service:
        retriever = asked(service.url)
        assert retriever.index(CORPUS).search(QUERIES[:1], 5) == {"q1": {"d3": 1.0, "d1": 0.5}}
        assert retriever.settings["out_of_order"] == 1
        distances = asked(service.url, {"answer": {"lower_is_better": True}})
        assert distances.index(CORPUS).search(QUERIES[:1], 5) == {"q1": {"d3": -0.1, "d1": -0.9}}


def test_a_service_that_is_busy_is_asked_again() -> None:
    replies = iter([Reply({}, 429, {"Retry-After": "0"}), Reply({}, 503), Reply(b"<html>"), None])
    with serving(lambda _: next(replies) or hits(("d1", 1.0))) as service:
        retriever = asked(service.url)
        assert retriever.index(CORPUS).search(QUERIES[:1], 5) == {"q1": {"d1": 1.0}}
    assert (len(service.calls), retriever.failures) == (4, {})


def test_a_failed_query_is_counted_and_the_others_stand() -> None:
    def answer(call: Call) -> Reply:
        return Reply({"why": "too long"}, 400) if call.json["query"] == "first" else hits(("d1", 1))

    with serving(answer) as service:
        retriever = asked(service.url)
        run = retriever.index(CORPUS).search(QUERIES, 5)
    assert run == {"q1": {}, "q2": {"d1": 1.0}}
    assert retriever.query_seconds.keys() == {"q2"}
    assert retriever.failures == {"status 400": 1}
    assert retriever.settings["failures"] == 1
    assert retriever.settings["first_failure"] == 'status 400: {"why": "too long"}'


def test_a_slow_service_fails_within_its_timeout() -> None:
    done = threading.Event()

    def answer(call: Call) -> Reply:
        if call.json["query"] == "first":
            done.wait(20)
        return hits(("d1", 1.0))

    with serving(answer) as service:
        retriever = asked(service.url, timeout=1, retries=0)
        run = retriever.index(CORPUS).search(QUERIES, 5)
        done.set()
    assert run == {"q1": {}, "q2": {"d1": 1.0}}
    assert retriever.settings["first_failure"] == "no complete answer within 1 s"


def test_a_service_that_dies_half_way_is_not_asked_for_the_rest() -> None:
    queries = [Query(id=f"q{n}", text=str(n)) for n in range(200)]
    alive = iter(range(10))
    with serving(
        lambda _: hits(("d1", 1.0)) if next(alive, None) is not None else Reply({}, 500)
    ) as s:
        retriever = asked(s.url, retries=0, concurrency=2)
        run = retriever.index(CORPUS).search(queries, 5)
    assert (len(run), sum(retriever.failures.values())) == (200, 190)
    # The last answer may reach its thread after failures that the other one counted; the count
    # then begins again, once at most.
    assert len(s.calls) <= 10 + 2 * endpoint_calls.GIVE_UP_AFTER


def test_nobody_there_is_one_clear_line() -> None:
    with serving(lambda _: hits()) as service:
        url = service.url
    with pytest.raises(
        ServiceError, match=r"answered none of 2 queries. The first: Connection ref"
    ):
        asked(url, retries=0).index(CORPUS).search(QUERIES, 5)


def test_documents_outside_the_corpus_are_dropped_and_counted() -> None:
    with serving(lambda _: hits(("x9", 5.0), ("d1", 4.0), ("d1", 3.0))) as service:
        retriever = asked(service.url)
        assert retriever.index(CORPUS).search(QUERIES[:1], 5) == {"q1": {"d1": 4.0}}
    assert retriever.settings["outside_corpus"] == 1


def test_ids_that_are_all_foreign_are_an_error() -> None:
    with (
        serving(lambda _: hits(("x9", 5.0))) as service,
        pytest.raises(InputError, match=r"none is in the corpus. Its first id is 'x9'.*'d1'"),
    ):
        asked(service.url).index(CORPUS).search(QUERIES, 5)


def test_a_document_is_found_by_its_text_where_there_is_no_id() -> None:
    found = [{"passage": "text\n 2"}, {"passage": "T text 1"}]
    with serving(lambda _: Reply(found)) as service:
        retriever = asked(service.url, {"answer": {"hits": "", "id": "", "text": "passage"}})
        assert list(retriever.index(CORPUS).search(QUERIES[:1], 5)["q1"]) == ["d2", "d1"]


def test_scores_of_candidates_come_from_a_deep_search() -> None:
    with serving(lambda _: hits(("d2", 3.0), ("d4", 2.0), ("d1", 1.0))) as service:
        retriever = asked(service.url, candidate_depth=500)
        index = retriever.index(CORPUS)
        assert index.score(QUERIES[:1], {"q1": ["d1", "d5", "d2"]}) == {
            "q1": {"d2": 3.0, "d1": 1.0}
        }
    assert service.calls[0].json["k"] == 500
    assert retriever.settings["unscored"] == 1


@pytest.mark.parametrize("template", ["elasticsearch", "opensearch"])
def test_the_template_of_an_engine_speaks_its_search(template: str) -> None:
    found = [{"_id": "d2", "_score": 7.5, "_source": {"text": "text 2"}}]
    with serving(lambda _: Reply({"hits": {"hits": found}})) as service:
        retriever = asked(service.url + "/i/_search", {"template": template})
        assert retriever.index(CORPUS).search(QUERIES[:1], 9) == {"q1": {"d2": 7.5}}
    assert service.calls[0].json == {
        "query": {"multi_match": {"query": "first", "fields": ["title", "text"]}},
        "size": 9,
    }


@each_row
def test_a_description_that_does_not_fit_is_told(content: Any, message: str) -> None:
    with pytest.raises(InputError) as caught:
        endpoint.described(content, "s.yaml")
    assert message in str(caught.value)


BULK = {
    "template": "elasticsearch",
    "scratch": True,
    "ingest": {
        "url": "_bulk",
        "headers": {"Content-Type": "application/x-ndjson"},
        "body": [{"$each": [{"index": {"_id": "{id}"}}, {"title": "{title}", "text": "{text}"}]}],
        "batch_size": 4,
        "errors": "errors",
    },
    "remove": {"url": "_doc/{id}"},
}


class Engine:
    """Speaks the bulk calls of Elasticsearch; what is written is searchable two searches later."""

    def __init__(self, errors: bool = False) -> None:
        self.errors = errors
        self.documents: dict[str, Any] = {}
        self.searches = 0

    def __call__(self, call: Call) -> Reply:
        if call.path == "/i/_search":
            self.searches += 1
            seen = list(self.documents) if self.searches > 2 else []
            return Reply({"hits": {"hits": [{"_id": id, "_score": 1.0} for id in seen]}})
        if call.path == "/i/_bulk":
            lines = [json.loads(line) for line in call.body.decode().splitlines()]
            for head, document in zip(lines[::2], lines[1::2], strict=True):
                self.documents[head["index"]["_id"]] = document
            return Reply({"errors": self.errors, "items": [{"error": "read only"}]})
        self.documents.pop(call.path.rpartition("/")[2], None)  # refused before it was given
        return Reply(b"", 204)


def test_a_scratch_index_is_given_the_corpus_and_is_empty_again_afterwards() -> None:
    engine = Engine()
    with serving(engine) as service:
        retriever = asked(service.url + "/i/_search", BULK)
        assert not retriever.own_corpus
        index = retriever.index(CORPUS)
        run = index.search(QUERIES[:1], 9)
        assert {"title": "T", "text": "text 1"} in engine.documents.values()
        assert len([each for each in service.calls if each.path == "/i/_bulk"]) == 2
        index.close()
    assert set(run["q1"]) == set(CORPUS) and engine.documents == {}
    assert retriever.settings["given_documents"] == len(CORPUS)


def test_a_scratch_index_that_refuses_documents_is_emptied() -> None:
    engine = Engine(errors=True)
    refused = pytest.raises(ServiceError, match=r"rejected some: .*read only")
    with serving(engine) as service, refused:
        asked(service.url + "/i/_search", BULK).index(CORPUS).search(QUERIES, 5)
    assert engine.documents == {}


def test_a_scratch_index_that_never_finds_what_it_was_given_is_told_of() -> None:
    own = {"answer": {"id": "_type"}, "wait": 5}
    with serving(Engine()) as service, pytest.raises(ServiceError, match="hit 1 has no '_type'"):
        asked(service.url + "/i/_search", {**BULK, **own}).index(CORPUS).search(QUERIES, 5)
    own = {"url": "_bulk", "body": [{"$each": [{"index": {"_id": "x{id}"}}, {"t": "{text}"}]}]}
    lost = {**BULK, "ingest": {**BULK["ingest"], **own}, "remove": {"url": "_doc/x{id}"}}
    engine = Engine()
    engine.searches = 2  # what is written is searchable at once
    with (
        serving(engine) as service,
        pytest.raises(
            ServiceError,
            match=r"after 0.3 s a search for their own words finds none of them.*but others",
        ),
    ):
        content = {**lost, "wait": 0.3, "retries": 0}
        asked(service.url + "/i/_search", content).index(CORPUS).search(QUERIES, 5)
