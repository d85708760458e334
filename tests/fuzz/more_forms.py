"""Further forms: what commands read beside a corpus, in our own layouts and published ones."""

from __future__ import annotations

import contextlib
import io
import json
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from leadline.errors import LeadlineError


def rows(*records: Any) -> bytes:
    return "".join(json.dumps(record) + "\n" for record in records).encode()


def _benchmarks(name: str) -> Callable[[Path], Any]:
    def read(folder: Path) -> None:
        from leadline.systems.benchmarks import load_benchmarks

        load_benchmarks(name, data=folder)

    return read


def _command(*words: str) -> Callable[[Path], Any]:
    """Run a command on the folder, whose place is `{}` in its words."""

    def read(folder: Path) -> None:
        from leadline.cli.main import app

        given = [word.replace("{}", str(folder)) for word in words]
        told = io.StringIO()
        try:
            with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(told):
                app(given)
        except SystemExit as end:
            if end.code == 2:
                raise LeadlineError(told.getvalue().strip() or "no word") from end
            assert not end.code

    return read


def _prices(folder: Path) -> None:
    from leadline.llm.prices import Prices

    Prices(folder / "prices.yaml").of("m", "http://host/v1")


def _queries(folder: Path) -> None:
    from leadline.data.folder import read_beir_qrels, read_queries

    errors = []
    for read in (
        lambda: read_queries(folder / "queries.jsonl"),
        lambda: read_queries(folder / "queries.txt"),
        lambda: read_beir_qrels(folder / "test.tsv"),
    ):
        try:
            read()
        except LeadlineError as error:
            errors.append(error)
    if errors:
        raise errors[0]


def _fields(folder: Path) -> None:
    from leadline.data.documents import read_with_fields

    read_with_fields(folder / "c.jsonl", text="body", title="name")


def _pairs(folder: Path) -> None:
    from leadline.kinds.reasoning.pairs import open_pairs

    errors = []
    for name in ("own.jsonl", "rank1.jsonl", "promptriever.jsonl", "reasonir.jsonl"):
        try:
            list(open_pairs(str(folder / name), str(folder / "own documents")))
        except LeadlineError as error:
            errors.append(error)
    if errors:
        raise errors[0]


def _features(folder: Path) -> None:
    from leadline.kinds.conditions.as_in_paper import domain_of

    domain_of("", folder / "features.txt")


def _personas(folder: Path) -> None:
    from leadline.kinds.reasoning.by_model import read_personas

    read_personas(folder / "personas.txt")


DRAFT = {
    "record": "d1", "part": "", "step": "write", "attempt": 0, "model": "m", "parents": ["d1"],
    "answer": "text", "verdicts": [{"by": "m", "step": "verify", "fault": "wrong"}], "kept": False,
    "fault": "wrong", "problem": "it is wrong",
}  # fmt: skip
RUN = {
    "name": "conditions", "settings": {"seed": 1}, "created": "2026-01-01T00:00:00+00:00",
    "steps": [{"name": "write", "came_in": 2, "went_out": 1, "dropped": {"bad": 1},
               "unanswered": {}, "asked_again": 0, "calls": 3, "prompt_tokens": 9,
               "completion_tokens": 4, "cost": 0.5, "seconds": 1.5}],
    "seconds": 2.0, "stopped": "", "cost": 0.5, "measured": {"drift": 0.1},
}  # fmt: skip
LADDER = {
    "id": "l1", "domain": "books",
    "conditions": [f"The mill number {n} is red." for n in range(10)],
    "short": [f"red mill {n}" for n in range(10)],
    "negatives": [f"The mill number {n} is blue." for n in range(10)],
    "edits": ["thing"] * 10, "prose": {"10": "All mills."}, "queries": {"2": "two"}, "source": "x",
}  # fmt: skip
POOL = [
    {"id": n, "tuple_set_id": n // 2, "answer": "Ann", "pos_document": f"Ann painted fence {n}.",
     "question": "Who painted it?", "forum_question": "Who has painted?"}
    for n in range(4)
]  # fmt: skip
PAIR = {"query": "a", "document": "b", "relevant": True, "trace": "so", "facets": {"style": "x"}}


@cache
def _sheet(answer: str) -> bytes:
    from leadline.kinds.conditions.ladders import read_ladders
    from leadline.kinds.conditions.sheet import ANSWER, items_of

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "ladders.jsonl"
        path.write_bytes(rows(LADDER))
        items = [item.id for item in items_of(list(read_ladders(path)))]
    return "\n".join([f"item,{ANSWER}", *(f"{id},{answer}" for id in items), ""]).encode()


FILES: dict[str, tuple[Callable[[], dict[str, bytes]], Callable[[Path], Any]]] = {
    "prices": (
        lambda: {
            "prices.yaml": b"- {model: m, prompt: 1.5, answer: 2, host: h, read: 2026-01-01}\n"
            b"- &a {model: n, prompt: 0, answer: 0}\n- *a\n"
        },
        _prices,
    ),
    "queries and judgements": (
        lambda: {
            "queries.jsonl": rows(
                {"_id": "q", "text": "ferry", "topic": "t", "facets": {"k": "1"}}
            ),
            "queries.txt": b"one query\nanother\n",
            "test.tsv": b"query-id\tcorpus-id\tscore\nq\ta\t1\n",
        },
        _queries,
    ),
    "records with fields": (
        lambda: {"c.jsonl": rows({"id": 1, "name": "n", "body": ["a", "b"], "year": 1999})},
        _fields,
    ),
    "judged pairs": (
        lambda: {
            "own.jsonl": rows(PAIR, {**PAIR, "relevant": False}),
            "rank1.jsonl": rows(
                {"instruction": "Query: a\nPassage: b", "output": "<think>so</think> true"}
            ),
            "promptriever.jsonl": rows(
                {"query_id": "1", "query": "a", "only_instruction": "short",
                 "positive_passages": [{"title": "t", "text": "x"}],
                 "negative_passages": [{"title": "-", "text": "y"}],
                 "new_negatives": [{"text": "z"}]}
            ),
            "reasonir.jsonl": rows(
                {"query": ["ask", "a"], "pos": [["", "doc_1"]], "neg": [["", "a text of it"]]}
            ),
            "own documents/documents/biology.jsonl": rows({"id": "doc_1", "content": "text"}),
        },
        _pairs,
    ),
    "features": (lambda: {"features.txt": b"author\nyear\n"}, _features),
    "personas": (lambda: {"personas.txt": b"# people\na miller\n"}, _personas),
    "ladders": (lambda: {"ladders.jsonl": rows(LADDER)}, _benchmarks("conditions")),
    "sheets of readers": (
        lambda: {
            "ladders.jsonl": rows(LADDER),
            "one.csv": _sheet("3"),
            "two.csv": _sheet("4"),
        },
        _command("analyse", "agreement", "{}/one.csv", "{}/two.csv", "--data", "{}"),
    ),
    "pools": (
        lambda: {
            "temporal_multispeaker.jsonl": rows(*POOL), "benchmark.json": b'{"built_by": "llm"}',
        },
        _benchmarks("implicit-facts/temporal-multispeaker"),
    ),
    "variations": (
        lambda: {
            "corpus.jsonl": rows({"_id": "a", "text": "t"}),
            "queries.jsonl": rows({"_id": "q", "text": "ferry"}),
            "qrels/test.tsv": b"query-id\tcorpus-id\tscore\nq\ta\t1\n",
            "query_variations.jsonl": rows(
                {"query_id": "q", "text": "boat", "kind": "synonym", "method": "m", "valid": True}
            ),
        },
        _benchmarks("rephrasings"),
    ),
    "published instructions": (
        lambda: {
            "audience/corpus.jsonl": rows({"_id": "a", "text": "t"}, {"_id": "b", "text": "u"}),
            "audience/queries.jsonl": rows(
                {"_id": "q", "text": "ferry", "instruction_og": "",
                 "instruction_changed": "plain",
                 "instruction_reversed": "not plain"}
            ),
            "audience/qrels_og/test.tsv": b"query-id\tcorpus-id\tscore\nq\ta\t1\nq\tb\t1\n",
            "audience/qrels_changed/test.tsv": b"query-id\tcorpus-id\tscore\nq\ta\t1\n",
            "audience/qrels_reversed/test.tsv": b"query-id\tcorpus-id\tscore\nq\tb\t1\n",
        },
        _benchmarks("instructions/audience"),
    ),
    "published reasoning": (
        lambda: {
            "documents/biology.jsonl": rows({"id": "a", "content": "t"}),
            "examples/biology.jsonl": rows(
                {"id": "1", "query": "why", "gold_ids": ["a"], "excluded_ids": ["N/A"]}
            ),
        },
        _benchmarks("bright/biology"),
    ),
    "multiple choice": (
        lambda: {
            "gpqa_diamond.csv": b"Question,Correct Answer,Incorrect Answer 1,Incorrect Answer 2,"
            b"Incorrect Answer 3,Record ID\nWhy?,a,b,c,d,r1\n"
        },
        _benchmarks("gpqa/diamond"),
    ),
    "record of a run": (
        lambda: {"run.json": json.dumps(RUN).encode()},
        _command("show-run", "{}"),
    ),
    "log of a run": (
        lambda: {
            "run.json": json.dumps(RUN).encode(),
            "log.jsonl": rows(DRAFT, {**DRAFT, "kept": True, "verdicts": []}),
            "sheet.csv": b"line,step\n1,write\n",
        },
        _command("show-run", "{}", "--log", "--record", "d1", "--audit", "{}/new.csv"),
    ),
    "audit of a log": (
        lambda: {
            "log.jsonl": rows(DRAFT),
            "sheet.csv": b"line,record,step,rightly (y/n)\n1,d1,write,y\n",
        },
        _command("show-run", "{}", "--audited", "{}/sheet.csv"),
    ),
}  # fmt: skip
