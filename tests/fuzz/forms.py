"""Every form of input that Leadline reads: a good example of each, and what reads it.

A reader gets the folder with the files of the example, one of which was changed.
"""

from __future__ import annotations

import gzip
import io
import json
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from more_forms import FILES
from mutations import mutated

from leadline.errors import LeadlineError, ServiceError

os.environ["HF_HUB_OFFLINE"] = "1"  # no name that comes about is asked for anywhere

LONGEST_MESSAGE = 2000


class NotWellError(AssertionError):
    """An input that ended in anything but success or one line for its user."""


@dataclass(frozen=True)
class Form:
    files: Callable[[], Mapping[str, bytes]]
    read: Callable[[Path], Any]


def lines(*records: Any) -> bytes:
    return "".join(json.dumps(record) + "\n" for record in records).encode()


def attempt(form: Form, folder: Path, random: Random) -> str:
    """Change one file of the form, read all, and say how it ended: `read` or `refused`."""
    files = dict(form.files())
    name = random.choice(list(files))
    files[name] = mutated(files[name], random)
    for each, content in files.items():
        path = folder / each
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return outcome(form.read, folder)


def outcome(read: Callable[[Path], Any], folder: Path) -> str:
    try:
        read(folder)
    except LeadlineError as error:
        message = str(error)
        if "\n" in message or len(message) > LONGEST_MESSAGE or not message:
            raise NotWellError(f"not one line: {message[:200]!r}") from error
        return "refused"
    return "read"


def _corpus(name: str) -> Callable[[Path], Any]:
    def read(folder: Path) -> None:
        from leadline.data.documents import read_corpus

        corpus = read_corpus(folder / name if name else folder)
        for document in corpus.values():
            assert isinstance(document.text, str)
        read_corpus(folder / name if name else folder, metadata=True)

    return read


DOCUMENTS = [
    {"_id": "a", "title": "One", "text": "The ferry leaves at 07:40.", "metadata": {"year": 1999}},
    {"_id": 2, "text": "The b\u00f6iler \u2028 was repaired.", "tags": ["x", "y"], "n": 1.5},
    {"id": "c", "text": "", "title": None, "metadata": {"deep": [{"a": [1, 2]}], "none": None}},
]
QUERIES = [
    {"_id": "q1", "text": "ferry", "topic": "t", "facets": {"style": "list", "k": "1"}},
    {"_id": "q2", "text": "boiler", "instruction": "briefly", "answer": "07:40", "topic": "t"},
]


def _html() -> bytes:
    return (
        b"<!doctype html><html><head><title>A &amp; B</title><style>p {}</style></head><body>"
        b"<h1>Head</h1><p>One <b>two</b>&nbsp;three<br>four</p><ul><li>x<li>y</ul><!-- no -->"
        b"<table><tr><td>1<td>2</table><script>if (1 < 2) {}</script></body></html>"
    )


@cache
def _parquet() -> bytes:
    import pyarrow
    import pyarrow.parquet

    day = pyarrow.array([0, 1, 2, 3], pyarrow.int32()).cast(pyarrow.date32())
    table = pyarrow.table(
        {
            "id": ["a", "b", "c", "d"],
            "text": pyarrow.array(["one", "two", "one", ""]).dictionary_encode(),
            "day": day,
            "time": day.cast(pyarrow.timestamp("ns")),
            "n": [1.5, None, 3.0, 4.0],
            "tags": [["x", "y"], [], None, ["x"]],
            "metadata": [{"a": "b"}, None, {"a": None}, {"a": "b"}],
        }
    )
    out = io.BytesIO()
    pyarrow.parquet.write_table(table, out, compression="none")
    return out.getvalue()


def _benchmark() -> dict[str, bytes]:
    return {
        "corpus.jsonl": lines(*DOCUMENTS),
        "queries.jsonl": lines(*QUERIES),
        "qrels/test.tsv": b"query-id\tcorpus-id\tscore\nq1\ta\t1\nq2\t2\t2\n",
        "candidates.jsonl": lines(
            {"query-id": "q1", "corpus-ids": ["a", "2"]}, {"query-id": "q2", "corpus-ids": ["c"]}
        ),
        "benchmark.json": json.dumps(
            {
                "name": "mine",
                "kind": "ranking",
                "built_by": "rules",
                "metrics": ["nDCG@10"],
                "source": "us",
                "seed": 0,
                "considered": 3,
                "kept": 2,
                "dropped": {"too short": 1},
            }
        ).encode(),
    }


def _evaluated(folder: Path) -> None:
    """Measure BM25 on a benchmark folder and write everything that `evaluate` writes."""
    import tempfile

    from leadline.evaluation import measure
    from leadline.report.page import write_report
    from leadline.systems.benchmarks import load_benchmarks
    from leadline.systems.chains import load_system

    with tempfile.TemporaryDirectory() as out:
        parts = load_benchmarks(str(folder))
        within = Path(out) / "out"
        outcome = measure([load_system("bm25:cache=no")], parts, out=within, seed=0)
        write_report(within, outcome, title="t", command="c", facts={})
        assert list(Path(out).iterdir()) == [within]


def _system(folder: Path) -> None:
    from leadline.systems.chains import load_system

    load_system(str(folder / "s.yaml"))


def _service(folder: Path) -> None:
    from leadline.retrievers.parts.http import Patience, Service
    from leadline.retrievers.parts.service import Asking, read

    description = read({"url": "http://127.0.0.1:9/", "answer": {"hits": "result.items"}}, "s")
    asking = Asking(description, description, 10, Service(Patience()))
    try:
        content = json.loads((folder / "answer.json").read_bytes())
    except (ValueError, RecursionError):
        return
    try:
        asking.read(content)
    except ServiceError as error:
        assert "\n" not in asking.service.told(str(error))


def _named(folder: Path) -> None:
    """Read what was changed as what a user typed: a system, a benchmark, a metric."""
    from leadline.metrics.names import parse
    from leadline.systems.benchmarks import load_benchmarks
    from leadline.systems.chains import load_system

    typed = (folder / "typed.txt").read_bytes().decode("utf-8", "replace")
    outcomes = []
    for read in (lambda name: load_benchmarks(name, data=folder), parse, load_system):
        try:
            read(typed)
        except LeadlineError as error:
            outcomes.append(error)
    for error in outcomes:
        if "\n" in str(error) or len(str(error)) > LONGEST_MESSAGE:
            raise error


def _facts(folder: Path) -> None:
    from leadline_facts.records import read_facts

    list(read_facts(folder / "facts.jsonl"))


def _entities() -> bytes:
    def item(number: int, label: str, **claims: list[Any]) -> str:
        statements = {
            of: [
                {"rank": "normal", "mainsnak": {"datavalue": {"value": value}}} for value in values
            ]
            for of, values in claims.items()
        }
        entity = {
            "id": f"Q{number}",
            "labels": {"en": {"value": label}},
            "aliases": {"en": [{"value": "The " + label}]},
            "claims": statements,
            "sitelinks": {"enwiki": {}},
        }
        return json.dumps(entity, separators=(",", ":"))

    rows = [
        item(38, "Norway", P297=["NO"]),
        item(9, "art museum", P279=[{"numeric-id": 33506}]),
        item(10, "Kode", P31=[{"numeric-id": 9}], P17=[{"id": "Q38"}], P131=[{"id": "Q11"}]),
        item(11, "Bergen", P31=[{"numeric-id": 515}], P17=[{"id": "Q38"}]),
    ]
    return ("[\n" + ",\n".join(rows) + "\n]\n").encode()


def _dump(folder: Path) -> None:
    from leadline_facts.wikidata import is_dump, places

    if is_dump(folder / "dump.json"):
        list(places(folder / "dump.json"))


def _gazetteer(name: str) -> Callable[[Path], Any]:
    def read(folder: Path) -> None:
        from leadline_facts.read.places.gazetteer import read_gazetteer

        list(read_gazetteer(folder / name).mentions("The Kode museum in Bergen"))

    return read


def _table(folder: Path) -> None:
    from leadline.kinds.implicit_facts.places import read_places

    read_places(folder / "places.csv")


def _lines_read(module: str, function: str, name: str) -> Callable[[Path], Any]:
    def read(folder: Path) -> None:
        import importlib

        found = getattr(importlib.import_module(module), function)(folder / name)
        if hasattr(found, "__next__"):
            list(found)

    return read


LANDMARK = {
    "itemQ": "Q10",
    "itemLabel": "Kode",
    "countryLabel": "Norway",
    "code": "NO",
    "instanceOf": ["museum"],
    "aliases": ["Kode Art Museum"],
    "city": "Bergen",
    "region": "",
}
SYSTEM = b"""depth: 50
fusion:
  systems: &both [bm25, "bm25:k1=0.9"]
  k: 60
  weights: [1.0, 0.5]
"""
SERVICE = b"""url: http://127.0.0.1:9/search
headers: {Accept: application/json, Expires: "2020-01-01"}
body: {query: "{query}", size: "{k}", nested: &n [1, 2.5, {a: null}], again: *n}
answer: {hits: result.items, id: document.id, score: relevance}
timeout: 30
"""
FACT = {
    "kind": "time",
    "value": {"year": 1999},
    "evidence": ["1999"],
    "about": "it",
    "role": "stated",
    "confidence": 0.5,
    "derivation": "",
    "provider": "rules",
    "spans": [[0, 4]],
}
HITS = {"result": {"items": [{"id": "a", "score": 1.5, "text": "x"}, {"id": 2, "score": 1}, "c"]}}

FORMS: dict[str, Form] = {
    "jsonl": Form(lambda: {"c.jsonl": lines(*DOCUMENTS)}, _corpus("c.jsonl")),
    "jsonl.gz": Form(
        lambda: {"c.jsonl.gz": gzip.compress(lines(*DOCUMENTS))}, _corpus("c.jsonl.gz")
    ),
    "csv": Form(
        lambda: {
            "c.csv": b'id,title,text,n\n1,One,"The ferry, at 07:40",5\n2,,"b\xc3\xb6il\n""er""",\n'
        },
        _corpus("c.csv"),
    ),
    "parquet": Form(lambda: {"c.parquet": _parquet()}, _corpus("c.parquet")),
    "folder of texts": Form(
        lambda: {
            "a.txt": b"The ferry leaves at 07:40.\r\nOn time.\n",
            "b/c.md": b"# Heading *of* it ##\n\nText\n\n## Next\n",
            "b/d.html": _html(),
        },
        _corpus(""),
    ),
    "html": Form(lambda: {"a.html": _html()}, _corpus("")),
    "benchmark folder": Form(_benchmark, _evaluated),
    "run": Form(
        lambda: {"r.trec": b"q1 Q0 a 1 2.5 t\nq1 Q0 b 2 1e-3 t\nq2 Q0 a 1 0 percent-encoded:t\n"},
        _lines_read("leadline.data.trec", "read_run", "r.trec"),
    ),
    "TREC qrels": Form(
        lambda: {"q.txt": b"q1 0 a 1\nq1 0 b 0\nq2 0 a 3\n"},
        _lines_read("leadline.data.trec", "read_qrels", "q.txt"),
    ),
    "system": Form(lambda: {"s.yaml": SYSTEM}, _system),
    "service": Form(lambda: {"s.yaml": SERVICE}, _system),
    "answer of a service": Form(lambda: {"answer.json": json.dumps(HITS).encode()}, _service),
    "names": Form(lambda: {"typed.txt": b"conditions:words=512/medical"}, _named),
    "names of systems": Form(lambda: {"typed.txt": b"bm25:k1=0.9,b=0.4+bm25"}, _named),
    "facts": Form(lambda: {"facts.jsonl": lines({"id": "a", "facts": [FACT, FACT]})}, _facts),
    "dump of Wikidata": Form(lambda: {"dump.json": _entities()}, _dump),
    "places": Form(
        lambda: {"p.tsv": b"name\tkind\tcode\nKode\tmuseum\tNO\tBergen\tV\nAskim\tcity\tno\n"},
        _gazetteer("p.tsv"),
    ),
    "landmarks": Form(lambda: {"p.jsonl": lines(LANDMARK, LANDMARK)}, _gazetteer("p.jsonl")),
    "table of places": Form(
        lambda: {"places.csv": b"itemLabel,countryLabel,instanceOf\nKode,Norway,museum\n"},
        _table,
    ),
    "training examples": Form(
        lambda: {"e.jsonl": lines({"query": "a", "positive": "b", "negatives": ["c"]})},
        _lines_read("leadline.training.data", "read_examples", "e.jsonl"),
    ),
    "scores": Form(
        lambda: {
            "x/scores/s.json": json.dumps(
                {"system": "s", "benchmark": "x", "scores": {"P@1": {"q": 1.0}}, "left_out": {}}
            ).encode()
        },
        _lines_read("leadline.report.folder", "read_folder", ""),
    ),
}

FORMS |= {name: Form(files, read) for name, (files, read) in FILES.items()}
