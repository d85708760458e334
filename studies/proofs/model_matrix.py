"""What becomes of every command that asks a model, with real models: prints a table.

    python studies/proofs/model_matrix.py small.gguf larger.gguf [--way xllamacpp] [--command check]

Each model runs in several ways:

* xllamacpp         the server of llama.cpp, from the package xllamacpp
* llama-cpp-python  its own server: --llama-cpp-python names a Python that has it
* transformers      `transformers serve`, on a folder of weights
* gguf, folder      in this process: the file, and the folder with transformers

The folder of a model stands next to its file and is named like it, without .gguf. A way whose
program or folder is missing is left out, with a line that says so.

A cell reads `usable answers / calls, seconds, exit code`. It is BAD where a command ends in a
traceback, takes longer than --timeout, loses a record, gives every document one score without
a word, or accepts a case that breaks a rule of its kind. The script then exits with 1. Below the
table stands the last line of every command.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path

from leadline.errors import LeadlineError
from leadline.kinds.benchmark_folder import build_parts

TOWN = Path(__file__).resolve().parents[2] / "examples" / "harbour_town"
POOL = "temporal-multispeaker"
POOLS = Path(os.environ.get("LEADLINE_SHARED", "../shared")).resolve() / "data" / "impliret"

XLLAMACPP = """
import sys, time, xllamacpp
given = xllamacpp.CommonParams()
given.model.path, given.hostnames, given.port = sys.argv[1], ["127.0.0.1"], int(sys.argv[2])
given.n_ctx, given.n_parallel, given.cpuparams.n_threads = 4096, 1, int(sys.argv[3])
server = xllamacpp.Server(given)
while True:
    time.sleep(9)
"""

MADE = ["--limit", "2", "--attempts", "2", "--max-tokens", "400"]
RUN = ["-b", "TOWN", "--limit", "2"]
COMMANDS = {
    "check": ["check", "CORPUS", "-s", "bm25", "--limit", "2", "--max-tokens", "400"],
    "conditions": ["synthesize", "conditions", "CORPUS", *MADE],
    "questions": ["synthesize", "questions", "CORPUS", *MADE],
    "rephrasings": ["synthesize", "rephrasings", "CORPUS", *MADE],
    "instructions": ["synthesize", "instructions", "CORPUS", *MADE],
    "implied facts": ["synthesize", "implicit-facts", "CORPUS", *MADE],
    "implicit-facts": [
        "synthesize", "implicit-facts", "--pool", POOL, "--sets", "1", "--tuples", "2",
        "--attempts", "2", "--max-tokens", "400",
    ],
    "reasoning": ["synthesize", "reasoning", "CORPUS", "--style", "daily", *MADE],
    "listwise": ["evaluate", "-s", "bm25+listwise:max_tokens=64@3", *RUN],
    "setwise": ["evaluate", "-s", "bm25+setwise:k=1,template=label,max_tokens=16@3", *RUN],
    "true_false": ["evaluate", "-s", "bm25+true_false@3", *RUN],
    "by_condition": ["evaluate", "-s", "bm25+by_condition:scorer=bm25,llm=MODEL@3", *RUN],
    "by_attribute": ["evaluate", "-s", "bm25+by_attribute:llm=MODEL@3", *RUN],
    "read": [
        "read", "-b", f"implicit-facts/{POOL}", "--data", "POOLS", "-k", "2", "--limit", "2",
        "--max-tokens", "64",
    ],
    "diagnose": ["diagnose", "-s", "bm25+true_false@3", *RUN],
}  # fmt: skip
"""The words of each command; CORPUS, TOWN and POOLS stand for what `prepared` returns, MODEL for
the name of the model."""

_ASKED = re.compile(r": ([\d,]+) calls, ")


@dataclass(frozen=True)
class Cell:
    """What one command did.

    calls, usable  calls, and answers of which something was made
    bad            why it must not end like this; empty where it may
    """

    calls: int = 0
    usable: int = 0
    seconds: float = 0.0
    code: int = -1
    last: str = ""
    bad: Sequence[str] = field(default=())

    def __str__(self) -> str:
        bad = f"BAD ({'; '.join(self.bad)}) " if self.bad else ""
        return f"{bad}{self.usable}/{self.calls}, {self.seconds:.0f} s, exit {self.code}"


def prepared(folder: Path, each: int = 2) -> dict[str, str]:
    """Return what the commands read: documents of so many texts `each`, a town, pools."""
    rows = [json.loads(line) for line in (TOWN / "corpus.jsonl").open(encoding="utf-8")]
    corpus = folder / "corpus.jsonl"
    made = [
        {**rows[n], "text": " ".join(row["text"] for row in rows[n : n + each])}
        for n in range(0, 3 * each, each)
    ]
    corpus.write_text("".join(json.dumps(row) + "\n" for row in made), encoding="utf-8")
    return {"CORPUS": str(corpus), "TOWN": str(TOWN), "POOLS": str(POOLS)}


def leadline(words: Sequence[str]) -> list[str]:
    return [sys.executable, "-m", "leadline", *words]


def filled(
    name: str, places: dict[str, str], model: Sequence[str], out: Path, is_short: bool = False
) -> list[str]:
    """Return the words of a command."""
    named = model[model.index("--llm-model" if "--llm-model" in model else "--llm") + 1]
    words = [places.get(word, word).replace("MODEL", named) for word in COMMANDS[name]]
    if is_short:
        for option in ("--limit", "--attempts", "--tuples"):
            if option in words:
                words[words.index(option) + 1] = "1"
    return [*words, "--out", str(out), *model]


def cell(words: Sequence[str], out: Path, timeout: float) -> Cell:
    """Run a command and judge what it left in its folder."""
    started = time.monotonic()
    environment = {**os.environ, "LEADLINE_CACHE": str(out.parent / f"{out.name}-cache")}
    try:
        ran = subprocess.run(
            leadline(words), capture_output=True, text=True, timeout=timeout, env=environment
        )
    except subprocess.TimeoutExpired:
        return Cell(seconds=timeout, bad=["no end"])
    return judged(ran.returncode, ran.stderr, out, time.monotonic() - started)


def judged(code: int, said: str, out: Path, seconds: float = 0.0) -> Cell:
    """Judge a command by its exit code, what it said on standard error, and its folder."""
    bad = ["traceback"] if "Traceback" in said or code not in (0, 1, 2) else []
    bad += ["the server is gone"] if "Nothing answers for" in said else []
    bad += [*lost_records(out), *silent_scores(out), *broken_rules(out)]
    asked = sum(int(count.replace(",", "")) for count in _ASKED.findall(said))
    counted, failed = answers(out)
    calls = max(asked, counted)
    last = said.strip().splitlines()[-1] if said.strip() else ""
    return Cell(calls, max(0, calls - failed), seconds, code, last, bad)


def answers(out: Path) -> tuple[int, int]:
    """Return how many answers the records count, and of how many nothing could be made."""
    steps = [step for run in _read(out, "run.json") for step in run["steps"]]
    results = [each for report in _read(out, "report.json") for each in report["results"]]
    calls = sum(step["calls"] for step in steps)
    asked = sum(sum(each["asked"].values()) for each in results)
    failed = sum(sum(each["failures"].values()) for each in results)
    for step in steps:
        failed += step["asked_again"] + sum(step["dropped"].values())
        failed += sum(step["unanswered"].values())
    return calls + asked, failed


def lost_records(out: Path) -> Iterator[str]:
    """Yield the steps of builders that took more records than they account for."""
    for run in _read(out, "run.json"):
        for step in [] if run["stopped"] else run["steps"]:
            left = sum(step["dropped"].values()) + sum(step["unanswered"].values())
            if step["came_in"] > step["went_out"] + left:
                yield f"{step['name']} lost {step['came_in'] - step['went_out'] - left} records"


def silent_scores(out: Path) -> Iterator[str]:
    """Yield the systems whose reranker gives one score to all, and reports no failure."""
    for report in _read(out, "report.json"):
        for result in report["results"]:
            if not sum(result["asked"].values()) or sum(result["failures"].values()):
                continue
            file = re.sub(r"[^\w.]+", "-", result["system"]).strip("-")
            for path in out.rglob(f"{file}-*.trec"):
                if result["benchmark"] in (path.parts[-3], "/".join(path.parts[-4:-2])):
                    rows = [line.split() for line in path.read_text().splitlines()]
                    scores: dict[str, list[str]] = {}
                    for row in rows:
                        scores.setdefault(row[0], []).append(row[4])
                    most = [each[:2] for each in scores.values() if len(each) > 1]
                    if most and all(len(set(each)) == 1 for each in most):
                        yield f"{result['system']} gives one score to all"


def broken_rules(out: Path) -> Iterator[str]:
    """Yield what the benchmarks that a model made must not hold."""
    made = {path.parent for path in out.rglob("benchmark.json")}
    for folder in sorted(made):
        if json.loads((folder / "benchmark.json").read_text()).get("built_by") != "llm":
            continue
        try:
            parts = build_parts(folder)
        except LeadlineError as error:
            yield f"{folder.name} cannot be read: {error}"
            continue
        for part in parts:
            yield from sorted({f"{part.kind}: {each}" for each in _faults(part)})


def _faults(benchmark) -> Iterator[str]:
    seen = set()
    for query in benchmark.queries:
        text = " ".join(f"{query.text} {query.instruction}".casefold().split())
        if not query.text.strip():
            yield "an empty query"
        same = (query.topic or query.id, text, query.facets.get("style"))
        if same in seen and benchmark.kind == "rephrasings":
            yield "two equal rephrasings"
        seen.add(same)
        grades = benchmark.qrels.get(query.id, {})
        if grades and max(grades.values()) <= 0:
            yield "a query without a relevant document"
        texts = [benchmark.corpus[each].text for each in grades if each in benchmark.corpus]
        if not all(each.strip() for each in texts):
            yield "an empty document"
        if benchmark.kind != "rephrasings" and len(set(texts)) < len(texts):
            yield "two judged documents of one text"
        if benchmark.kind == "implicit-facts" and re.fullmatch(r"[€$£]?[\d.,]+", query.answer):
            held = [benchmark.corpus[each].text for each, grade in grades.items() if grade > 0]
            if any(re.search(rf"(?<!\d){re.escape(query.answer)}(?!\d)", each) for each in held):
                yield "a document that states its implied amount"


def _read(out: Path, name: str) -> list[dict]:
    return [json.loads(path.read_text(encoding="utf-8")) for path in sorted(out.rglob(name))]


def free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return taken.getsockname()[1]


@contextmanager
def serving(
    words: Sequence[str], port: int, threads: int, patience: float = 300.0
) -> Iterator[str]:
    """Start a server, wait until it answers, and yield its address."""
    url = f"http://127.0.0.1:{port}/v1"
    with tempfile.TemporaryFile() as said:
        environment = {**os.environ, "OMP_NUM_THREADS": str(threads)}
        server = subprocess.Popen(words, stdout=said, stderr=said, env=environment)
        try:
            until = time.monotonic() + patience
            while True:
                try:
                    urllib.request.urlopen(f"{url}/models", timeout=9).close()
                    break
                except OSError as error:
                    if getattr(error, "code", 503) != 503:
                        break  # transformers answers 500 where no hub has ever been asked
                    if server.poll() is not None or time.monotonic() > until:
                        said.seek(0)
                        tail = said.read().decode(errors="replace").strip()[-300:]
                        raise RuntimeError(f"the server did not start: {tail}") from None
                    time.sleep(0.2)
            yield url
        finally:
            server.terminate()
            try:
                server.wait(20)
            except subprocess.TimeoutExpired:
                server.kill()


@contextmanager
def opened(way: str, file: Path, given: argparse.Namespace) -> Iterator[list[str]]:
    """Yield the options that name the model, run in this way. Raises RuntimeError if it cannot."""
    folder, port, threads = file.with_suffix(""), str(free_port()), str(given.threads)
    served = file.stem
    if way == "gguf":
        yield ["--llm", str(file)]
        return
    if way in ("folder", "transformers") and not (folder / "config.json").exists():
        raise RuntimeError(f"there is no folder of weights at {folder}")
    if way == "folder":
        yield ["--llm", str(folder)]
        return
    if way == "xllamacpp":
        words = [sys.executable, "-c", XLLAMACPP, str(file), port, threads]
    elif way == "llama-cpp-python":
        if not given.llama_cpp_python:
            raise RuntimeError("give --llama-cpp-python PYTHON")
        words = [given.llama_cpp_python, "-m", "llama_cpp.server", "--model", str(file)]
        words += ["--port", port, "--n_ctx", "4096", "--n_threads", threads]
    else:
        program = shutil.which("transformers", path=Path(sys.executable).parent)
        if program is None:
            raise RuntimeError("transformers is not installed next to this Python")
        words, served = [program, "serve", str(folder), "--port", port], str(folder)
    with serving(words, int(port), given.threads) as url:
        patience = ["--llm-timeout", str(given.timeout / 4), "--llm-concurrency", "1"]
        yield ["--llm", url, "--llm-model", served, *patience]


WAYS = ["xllamacpp", "llama-cpp-python", "transformers", "gguf", "folder"]


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("models", nargs="+", type=Path, help="GGUF files")
    parser.add_argument("--way", action="append", choices=WAYS)
    parser.add_argument("--command", action="append", choices=list(COMMANDS))
    parser.add_argument("--timeout", type=float, default=600.0, help="seconds of one command")
    parser.add_argument("--threads", type=int, default=max(1, (os.cpu_count() or 2) - 1))
    parser.add_argument("--short", action="store_true", help="one record a command, not two")
    parser.add_argument("--llama-cpp-python", default=os.environ.get("LLAMA_CPP_PYTHON", ""))
    parser.add_argument(
        "--out", type=Path, help="keep what is written; cells that ended are not run again"
    )
    given = parser.parse_args()
    names = given.command or list(COMMANDS)
    table, notes, is_bad = [], [], False
    with tempfile.TemporaryDirectory() as temporary:
        root = given.out or Path(temporary)
        root.mkdir(parents=True, exist_ok=True)
        places = prepared(root)
        for file in given.models:
            for way in given.way or WAYS:
                row = f"{file.stem}, {way}"
                cells = {}
                try:
                    for name in names:
                        out = root / f"{file.stem}-{way}-{name}"
                        done = out.with_name(f"{out.name}.json")
                        if done.exists():
                            cells[name] = Cell(**json.loads(done.read_text()))
                            continue
                        shutil.rmtree(out, ignore_errors=True)
                        shutil.rmtree(f"{out}-cache", ignore_errors=True)
                        with opened(way, file, given) as model:
                            words = filled(name, places, model, out, given.short)
                            cells[name] = cell(words, out, given.timeout)
                        done.write_text(json.dumps(asdict(cells[name])))
                        print(f"{row}, {name}: {cells[name]}", file=sys.stderr, flush=True)
                except RuntimeError as error:
                    notes.append(f"- {row}: left out, {error}")
                    continue
                table.append(f"| {row} | {' | '.join(map(str, cells.values()))} |")
                notes += [f"- {row}, {name}: {each.last}" for name, each in cells.items()]
                is_bad |= any(each.bad for each in cells.values())
    print(f"| model | {' | '.join(names)} |\n|{'---|' * (len(names) + 1)}")
    print("\n".join([*table, "", *notes]))
    return int(is_bad)


if __name__ == "__main__":
    sys.exit(main())
