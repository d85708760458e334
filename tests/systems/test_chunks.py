"""An index that holds chunks, judged on documents."""

import json
from collections.abc import Sequence
from pathlib import Path

from typer.testing import CliRunner

from commands import run
from leadline.cli.main import app
from leadline.data.documents import read_corpus
from leadline.data.folder import Folder, write_folder
from leadline.repairing.proposals import Proposal
from leadline.retrievers import bm25
from leadline.systems.adapters import as_system
from leadline.types import Corpus, Document, Index, Query, Retriever, Run
from notes import NOTES

CORPUS = {id: Document(id, text) for id, (_, text) in NOTES.items()}
"""Five sentences each."""
QUERIES = [Query("q1", "sugar added to the loaf"), Query("q2", "kroner")]


def sentences(corpus: Corpus) -> dict[str, Document]:
    return {
        f"{id}#{number}": Document(f"{id}#{number}", each)
        for id, document in corpus.items()
        for number, each in enumerate(document.text.split(". "))
    }


class ByChunks:
    """Searches sentences by BM25, asked as a function; remembers how many it was asked for."""

    def __init__(self) -> None:
        self.index = bm25.build().index(sentences(CORPUS))
        self.depths: list[int] = []

    def __call__(self, query: str, k: int) -> dict[str, float]:
        self.depths.append(k)
        return dict(self.index.search([Query("q", query)], k)["q"])


def search_in(function: ByChunks, queries: Sequence[Query] = QUERIES, depth: int = 100) -> Run:
    def search(query: str, k: int) -> dict[str, float]:
        return function(query, k)

    return as_system(search, chunks="#", depth=depth).run(CORPUS, queries).run


def test_the_best_chunk_of_a_document_counts() -> None:
    function = ByChunks()
    best: dict[str, float] = {}
    for id, score in function("sugar added to the loaf", 1000).items():
        best.setdefault(id.partition("#")[0], score)
    assert search_in(function)["q1"] == best
    assert next(iter(best)) == "bread"


def test_k_results_are_k_documents() -> None:
    many = {f"loud#{number}": 100.0 - number for number in range(40)} | {
        "ferry": 1.0,
        "film#0": 0.5,
    }
    asked: list[int] = []

    def search(query: str, k: int) -> list[tuple[str, float]]:
        asked.append(k)
        return list(many.items())[:k]

    corpus = CORPUS | {"loud": Document("loud", "loud")}
    system = as_system(search, chunks="#", depth=5)
    assert system.run(corpus, QUERIES[:1]).run["q1"] == {"loud": 100.0, "ferry": 1.0, "film": 0.5}
    assert asked == [15, 45]  # 3 * 5, of one document; 9 * 5, when the engine had no more
    asked.clear()
    assert list(as_system(search, chunks="#", depth=2).run(corpus, QUERIES[:1]).run["q1"]) == [
        "loud"
    ]
    assert asked == [6, 18, 20]  # at most ten times as many


def test_a_document_may_be_found_whole_and_a_function_may_say_what_a_chunk_is_of() -> None:
    numbers = {"17": "ferry", "18": "ferry", "19": "film"}
    system = as_system(lambda query: ["bread", "19", "17", "18"], chunks=lambda id: numbers[id])
    assert list(system.run(CORPUS, QUERIES[:1]).run["q1"]) == ["bread", "film", "ferry"]


class Chunked(Retriever):
    """A class of a user's that cuts what it is given."""

    name = "chunked"

    def index(self, corpus: Corpus) -> Index:
        return bm25.build().index(sentences(corpus))


def test_given_documents_have_the_score_of_their_best_chunk() -> None:
    system = as_system(Chunked(), chunks="#")
    run = system.run(CORPUS, QUERIES, {"q1": ["ferry", "bread"], "q2": ["museum", "ferry"]}).run
    whole = system.run(CORPUS, QUERIES).run
    assert run["q1"]["bread"] == whole["q1"]["bread"]
    assert not system.own_corpus


def test_a_run_of_chunks_is_scored_and_its_failures_show_the_chunk(tmp_path: Path) -> None:
    bench = tmp_path / "bench"
    write_folder(bench, Folder(CORPUS, [Query("q1", "sugar")], {"q1": {"bread": 1}}))
    (tmp_path / "r.trec").write_text(
        "q1 Q0 ferry#4 1 9 x\nq1 Q0 ferry#1 2 8 x\nq1 Q0 bread#5 3 7 x\n"
    )
    out = tmp_path / "out"
    command = ["evaluate", "-s", f"run:{tmp_path / 'r.trec'}", "-b", str(bench), "--chunks", "#"]
    run(*command, "--out", out, "-q")
    assert "ferry#4" in (page := (out / "report.html").read_text())
    assert "bread#5" in page
    result = json.loads((out / "report.json").read_text())["results"][0]
    assert result["metrics"]["MRR@10"]["mean"] == 0.5


MINE = """
import json
from leadline.retrievers import bm25
from leadline.types import Document, Query

NOTES = [json.loads(line) for line in open({path!r})]
CHUNKS = {{
    f"{{each['_id']}}#{{n}}": Document("", part)
    for each in NOTES for n, part in enumerate(each["text"].split(". "))
}}
INDEX = bm25.build().index(CHUNKS)

def search(query, k):
    return INDEX.search([Query("q", query)], k)["q"]
"""


def long_notes(folder: Path) -> Path:
    """Write six documents of five notes each."""
    texts = [f"{title} is the matter here. {text}" for title, text in NOTES.values()]
    path = folder / "corpus.jsonl"
    with path.open("w") as file:
        for number in range(len(texts) // 5):
            text = "\n\n".join(texts[number * 5 : number * 5 + 5])
            file.write(json.dumps({"_id": f"n{number}", "text": text}) + "\n")
    return path


def test_an_index_of_chunks_is_searched_and_what_may_mend_it_knows_chunks(tmp_path: Path) -> None:
    corpus, mine = long_notes(tmp_path), tmp_path / "mine.py"
    mine.write_text(MINE.format(path=str(corpus)))
    command = ["search", str(corpus), "rye flour", "-s", str(mine), "--chunks", "#", "--json"]
    done = CliRunner().invoke(app, command)
    assert json.loads(done.stdout.splitlines()[0])["id"] == "n0"
    documents = read_corpus(corpus)
    for chains in ((f"{mine}+by_attribute",), (str(mine), "bm25")):
        system = Proposal("may help", chains).system("#")
        assert next(iter(system.run(documents, QUERIES[:1]).run["q1"])) == "n0"
