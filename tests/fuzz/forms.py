"""Every form of input that Leadline reads: a good example of each, and what reads it.

A reader gets the folder with the files of the example, one of which was changed.
"""

import contextlib
import gzip
import importlib
import io
import json
import os
import tempfile
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from random import Random
from typing import Any

from mutations import mutated

from leadline.errors import LeadlineError, ServiceError
from tables import yaml_of

os.environ["HF_HUB_OFFLINE"] = "1"  # no name that comes about is asked for anywhere

LONGEST_MESSAGE = 2000
Reader = Callable[[Path], Any]


class NotWellError(AssertionError):
    """An input that ended in anything but success or one line for its user."""


def good_files(form: str) -> dict[str, bytes]:
    """Return the files of the good example of a form."""
    if form == "parquet":
        return {"c.parquet": _parquet()}
    return {name: _bytes(name, held) for name, held in yaml_of(Path(__file__))[form].items()}


def attempt(form: str, folder: Path, random: Random) -> str:
    """Change one file of the form, read all, and say how it ended: `read` or `refused`."""
    files = good_files(form)
    name = random.choice(list(files))
    files[name] = mutated(files[name], random)
    write(folder, files)
    try:
        READERS[form](folder)
    except LeadlineError as error:
        message = str(error)
        if "\n" in message or len(message) > LONGEST_MESSAGE or not message:
            raise NotWellError(f"not one line: {message[:200]!r}") from error
        return "refused"
    return "read"


def write(folder: Path, files: dict[str, bytes]) -> None:
    for each, content in files.items():
        path = folder / each
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def _bytes(name: str, held: Any) -> bytes:
    records = held if isinstance(held, list) else []
    text = "".join(json.dumps(record) + "\n" for record in records)
    plain = (text or (held if isinstance(held, str) else json.dumps(held))).encode()
    return gzip.compress(plain) if name.endswith(".gz") else plain


@cache
def _parquet() -> bytes:
    import pyarrow
    import pyarrow.parquet

    day = pyarrow.array([0, 1, 2, 3], pyarrow.int32()).cast(pyarrow.date32())
    columns = {
        "id": ["a", "b", "c", "d"],
        "text": pyarrow.array(["one", "two", "one", ""]).dictionary_encode(),
        "day": day,
        "time": day.cast(pyarrow.timestamp("ns")),
        "n": [1.5, None, 3.0, 4.0],
        "tags": [["x", "y"], [], None, ["x"]],
        "metadata": [{"a": "b"}, None, {"a": None}, {"a": "b"}],
    }
    out = io.BytesIO()
    pyarrow.parquet.write_table(pyarrow.table(columns), out, compression="none")
    return out.getvalue()


def _corpus(name: str) -> Reader:
    def read(folder: Path) -> None:
        from leadline.data.documents import read_corpus

        corpus = read_corpus(folder / name if name else folder)
        for document in corpus.values():
            assert isinstance(document.text, str)
        read_corpus(folder / name if name else folder, metadata=True)

    return read


def _of_file(place: str, name: str, *more: Any, **named: Any) -> Reader:
    """Return what calls a function, `module:function`, with one file of the form."""

    def read(folder: Path) -> None:
        module, _, function = place.partition(":")
        found = getattr(importlib.import_module(module), function)(folder / name, *more, **named)
        if hasattr(found, "__next__"):
            list(found)

    return read


def _of_each(*readers: Reader) -> Reader:
    """Return what tries all readers and raises the first error of them."""

    def read(folder: Path) -> None:
        errors = []
        for each in readers:
            try:
                each(folder)
            except LeadlineError as error:
                errors.append(error)
        if errors:
            raise errors[0]

    return read


def _benchmarks(name: str) -> Reader:
    def read(folder: Path) -> None:
        from leadline.systems.benchmarks import load_benchmarks

        load_benchmarks(name, data=folder)

    return read


def _command(*words: str) -> Reader:
    """Run a command on the folder, whose place is `{}` in its words."""

    def read(folder: Path) -> None:
        from leadline.cli.main import app

        told = io.StringIO()
        try:
            with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(told):
                app([word.replace("{}", str(folder)) for word in words])
        except SystemExit as end:
            if end.code == 2:
                raise LeadlineError(told.getvalue().strip() or "no word") from end
            assert not end.code

    return read


def _evaluated(folder: Path) -> None:
    """Measure BM25 on a benchmark folder and write everything that `evaluate` writes."""
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
    for read in (lambda name: load_benchmarks(name, data=folder), parse, load_system):
        try:
            read(typed)
        except LeadlineError as error:
            if "\n" in str(error) or len(str(error)) > LONGEST_MESSAGE:
                raise


def _dump(folder: Path) -> None:
    from leadline_facts.wikidata import is_dump, places

    if is_dump(folder / "dump.json"):
        list(places(folder / "dump.json"))


def _gazetteer(name: str) -> Reader:
    def read(folder: Path) -> None:
        from leadline_facts.read.places.gazetteer import read_gazetteer

        list(read_gazetteer(folder / name).mentions("The Kode museum in Bergen"))

    return read


def _pairs(name: str, folder: Path) -> None:
    from leadline.kinds.reasoning.pairs import open_pairs

    list(open_pairs(str(folder / name), str(folder / "own documents")))


def _features(folder: Path) -> None:
    from leadline.kinds.conditions.as_in_paper import domain_of

    domain_of("", folder / "features.txt")


READERS: dict[str, Reader] = {
    "jsonl": _corpus("c.jsonl"),
    "jsonl.gz": _corpus("c.jsonl.gz"),
    "csv": _corpus("c.csv"),
    "parquet": _corpus("c.parquet"),
    "folder of texts": _corpus(""),
    "html": _corpus(""),
    "benchmark folder": _evaluated,
    "run": _of_file("leadline.data.trec:read_run", "r.trec"),
    "TREC qrels": _of_file("leadline.data.trec:read_qrels", "q.txt"),
    "system": _system,
    "service": _system,
    "answer of a service": _service,
    "names": _named,
    "names of systems": _named,
    "facts": _of_file("leadline_facts.records:read_facts", "facts.jsonl"),
    "dump of Wikidata": _dump,
    "places": _gazetteer("p.tsv"),
    "landmarks": _gazetteer("p.jsonl"),
    "table of places": _of_file("leadline.kinds.implicit_facts.places:read_places", "places.csv"),
    "training examples": _of_file("leadline.training.data:read_examples", "e.jsonl"),
    "scores": _of_file("leadline.report.folder:read_folder", ""),
    "prices": _of_file("leadline.llm.prices:Prices", "prices.yaml"),
    "queries and judgements": _of_each(
        _of_file("leadline.data.folder:read_queries", "queries.jsonl"),
        _of_file("leadline.data.folder:read_queries", "queries.txt"),
        _of_file("leadline.data.folder:read_beir_qrels", "test.tsv"),
    ),
    "records with fields": _of_file(
        "leadline.data.documents:read_with_fields", "c.jsonl", text="body", title="name"
    ),
    "judged pairs": _of_each(
        *(partial(_pairs, f"{each}.jsonl") for each in ("own", "rank1", "promptriever", "reasonir"))
    ),
    "features": _features,
    "personas": _of_file("leadline.kinds.reasoning.by_model:read_personas", "personas.txt"),
    "ladders": _benchmarks("conditions"),
    "sheets of readers": _command(
        "analyse", "agreement", "{}/one.csv", "{}/two.csv", "--data", "{}"
    ),
    "pools": _benchmarks("implicit-facts/temporal-multispeaker"),
    "variations": _benchmarks("rephrasings"),
    "published instructions": _benchmarks("instructions/audience"),
    "published reasoning": _benchmarks("bright/biology"),
    "multiple choice": _benchmarks("gpqa/diamond"),
    "record of a run": _command("show-run", "{}"),
    "log of a run": _command("show-run", "{}", "--log", "--record", "d1", "--audit", "{}/new.csv"),
    "audit of a log": _command("show-run", "{}", "--audited", "{}/sheet.csv"),
}
