import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from commands import run
from leadline.benchmark import Benchmark
from leadline.cli.main import app
from leadline.kinds.statistics import Size, sizes_of
from leadline.rerankers.parts.restrictions import dimensions_of
from leadline.types import Document, Query

RUN = CliRunner()


def test_relevant_documents_others_and_queries_are_counted_apart_and_once() -> None:
    corpus = {id: Document(id, text) for id, text in {
        "a": "one two three", "b": "one", "same": "one", "c": "four words are here",
    }.items()}  # fmt: skip
    queries = [
        Query("q1", "where is it", facets={"style": "list"}),
        Query("q2", "where is it", facets={"style": "list"}),
        Query("q3", "it", facets={"style": "prose"}),
    ]
    qrels = {"q1": {"a": 2, "b": 1, "c": 0}, "q2": {"a": 2}, "q3": {"a": 1, "b": 0}}
    found = list(sizes_of(Benchmark("x", corpus, queries, qrels, ()), lambda text: len(text)))
    assert found == [
        Size("x", "relevant documents", 1, 3.0, 13),
        Size("x", "other documents", 2, 2.5, 3 + 19),  # "one" stands twice
        Size("x", "queries, style list", 1, 3.0, 11),
        Size("x", "queries, style prose", 1, 1.0, 2),
    ]


def test_the_share_of_dimensions_reads_instructions_that_state_none() -> None:
    instructed = {"mode": "instructed"}
    queries = [
        Query("a", "mills", instruction="Please answer in a single sentence.", facets=instructed),
        Query("b", "mills", instruction="I restore old buildings.", facets=instructed),
        Query("c", "mills", instruction="x", facets={**instructed, "dimension": "source"}),
        Query("d", "mills", instruction="Not a single sentence.", facets={"mode": "reversed"}),
        Query("e", "mills"),
    ]
    third = pytest.approx(1 / 3)
    assert dimensions_of(queries) == {"length": third, "topic only": third, "source": third}
    assert dimensions_of(queries[-1:]) == {}


def instructir(folder: Path) -> None:
    """InstructIR as its repository has it: kaistAI/InstructIR, INSTRUCTIR/ at 4e6fb79.

    A BEIR folder whose qrels are headed `qid pid score`; a query is instruction, [SEP], query.
    """
    (folder / "qrels").mkdir()
    rows = {
        "corpus": [{"_id": "7_1", "title": "", "text": "A cabinet."}],
        "queries": [{"_id": "1_1", "text": "I prefer blog posts. [SEP] wine cabinets",
                     "metadata": {"origin_query": "wine cabinets"}}],
    }  # fmt: skip
    for name, lines in rows.items():
        (folder / f"{name}.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in lines))
    (folder / "qrels" / "test.tsv").write_text("qid\tpid\tscore\n1_1\t7_1\t1\n")


def test_instructir_is_read_as_a_folder(tmp_path: Path) -> None:
    instructir(tmp_path)
    done = run("analyse", "statistics", "-b", tmp_path, "--json")
    told = json.loads(done.stdout)
    assert [(each["what"], each["texts"]) for each in told["sizes"]] == [
        ("relevant documents", 1), ("queries", 1)
    ]  # fmt: skip
    assert list(told["asked for"].values()) == [{"source": 1.0}]
    done = RUN.invoke(app, ["analyse", "statistics", "-b", str(tmp_path)])
    assert "what instructions ask for: source 100.0%" in done.stdout


def test_tokens_are_those_of_a_tokenizer(tmp_path: Path) -> None:
    transformers = pytest.importorskip("transformers")
    tokenizers = pytest.importorskip("tokenizers")
    words = tokenizers.Tokenizer(tokenizers.models.WordLevel({"?": 0}, unk_token="?"))
    words.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    model = tmp_path / "model"
    transformers.PreTrainedTokenizerFast(tokenizer_object=words).save_pretrained(model)
    (tmp_path / "set").mkdir()
    instructir(tmp_path / "set")
    typed = ["analyse", "statistics", "-b", str(tmp_path / "set"), "--tokenizer", str(model)]
    done = run(*typed, "--json")
    assert json.loads(done.stdout)["sizes"][0]["tokens"] == 3  # A, cabinet, full stop
    done = run(*typed[:-1], tmp_path / "none", code=2)
    assert "Cannot load the model" in done.stderr
