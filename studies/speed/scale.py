"""How `leadline check` grows with the corpus: seconds, memory and bytes written.

    python studies/speed/scale.py                                      10,000 and 100,000 documents
    python studies/speed/scale.py --sizes 1000000                      a million: minutes, and 4 GB
    python studies/speed/scale.py --systems minilm:backend=openvino,dtype=int8 --sizes 10000
    python studies/speed/scale.py --workers 2

For every size a corpus is made by a seed: short documents of recombined sentences of
trec_dl21_pool, the numbers in them drawn anew, and a subject of rare words of their own, so that
there are names, numbers and dates to find and phrases that stand in one document only. Then
`leadline check` runs on it in fresh processes and with a cache of its own:

* first    nothing is kept yet
* second   the same command again
* probes   the same command without the probes that were kept, so that only the index is there

Peak memory is that of the largest process. CPU seconds hardly depend on what else runs on the
machine; seconds do. Nothing is judged here.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from time import perf_counter

ROOT = Path(__file__).resolve().parents[2]
DATA = Path(os.environ.get("LEADLINE_SHARED", ROOT.parent / "shared")) / "data" / "trec_dl21_pool"
SENTENCES_A_DOCUMENT = (2, 5)
MIB = 1 << 20


@dataclass(frozen=True)
class Cost:
    """What one run of a command took.

    cpu     seconds of all its processes
    memory  bytes of the largest one at its peak
    written bytes in the output folder
    """

    seconds: float
    cpu: float
    memory: int
    written: int


def main(arguments: Sequence[str] | None = None) -> int:
    options = _options(arguments)
    if not DATA.is_dir():
        print(f"Skipped: {DATA.name} is not at hand (set LEADLINE_SHARED).")
        return 0
    print(f"{'documents':>10} {'corpus':>9} {'system':8} {'run':7} {'seconds':>8} "
          f"{'CPU s':>8} {'peak':>9} {'written':>9}")  # fmt: skip
    found: dict[tuple[str, str], list[tuple[int, Cost]]] = {}
    with tempfile.TemporaryDirectory(dir=options.folder) as temporary:
        for size in options.sizes:
            corpus = Path(temporary) / f"{size}.jsonl"
            write_corpus(corpus, size)
            for system in options.systems:
                for run, cost in _runs(options, corpus, system, Path(temporary) / "work"):
                    _say(size, corpus.stat().st_size, system, run, cost)
                    found.setdefault((system, run), []).append((size, cost))
            corpus.unlink()
    _say_growth(found)
    return 0


def write_corpus(path: Path, size: int, seed: int = 0) -> None:
    """Write documents of recombined sentences; the first ones of a larger size are the same."""
    with path.open("w", encoding="utf-8") as file:
        for document in documents(size, seed):
            file.write(json.dumps(document, ensure_ascii=False) + "\n")


def documents(size: int, seed: int = 0) -> Iterator[dict[str, str]]:
    """Yield documents of sentences of trec_dl21_pool, each about a subject of its own."""
    sentences, words, names = _material()
    rng = random.Random(f"{seed} scale")
    for number in range(size):
        subject = f"{rng.choice(words)} {rng.choice(words)} {rng.choice(words)}"
        name = f"{rng.choice(names)} {rng.choice(names)}"
        drawn = [_redrawn(rng.choice(sentences), rng)
                 for _ in range(rng.randint(*SENTENCES_A_DOCUMENT))]  # fmt: skip
        about = (
            f"{name} studied the {subject} in {rng.randint(1950, 2023)} and found "
            f"{rng.randint(2, 900)} cases near the {rng.choice(words)} {rng.choice(words)}."
        )
        drawn.insert(rng.randrange(len(drawn) + 1), about)
        title = f"The {subject} of {rng.choice(words)}" if rng.random() < 0.5 else ""
        yield {"_id": f"d{number}", "title": title, "text": " ".join(drawn)}


def _material() -> tuple[list[str], list[str], list[str]]:
    """Return sentences, rare words in small letters and words written as names."""
    sentences: dict[str, None] = {}
    spelled: Counter[str] = Counter()
    with gzip.open(DATA / "corpus.jsonl.gz", "rt", encoding="utf-8") as lines:
        for line in lines:
            text = " ".join(json.loads(line)["text"].split())
            spelled.update(re.findall(r"[A-Za-z]+", text))
            found = re.split(r"(?<=[.!?])\s+(?=[A-Z])", text)
            sentences.update((each, None) for each in found if 30 < len(each) < 300)
    words = sorted(w for w, n in spelled.items() if w.islower() and len(w) > 4 and n < 20)
    names = sorted(
        w for w, n in spelled.items() if w.istitle() and len(w) > 3 and spelled[w.lower()] * 10 < n
    )
    return list(sentences), words, names


def _redrawn(sentence: str, rng: random.Random) -> str:
    """Draw every number anew: as many digits, years stay years of a century."""

    def other(found: re.Match[str]) -> str:
        number = found.group()
        if re.fullmatch(r"(19|20)\d\d", number):
            return f"{number[:2]}{rng.randint(0, 23):02}"
        return str(rng.randint(1, 9)) + "".join(str(rng.randint(0, 9)) for _ in number[1:])

    return re.sub(r"\d+", other, sentence)


def _runs(
    options: argparse.Namespace, corpus: Path, system: str, work: Path
) -> Iterator[tuple[str, Cost]]:
    cache = work / "cache"
    shutil.rmtree(work, ignore_errors=True)
    for run in ("first", "second", "probes"):
        if run == "probes":
            shutil.rmtree(cache / "probes", ignore_errors=True)
        out = work / run
        command = [
            sys.executable, "-m", "leadline", "check", str(corpus), "-s", system,
            "--limit", str(options.limit), "--out", str(out), "--quiet",
        ]  # fmt: skip
        if options.workers > 1:
            command += ["--workers", str(options.workers)]
        yield run, measured(command, out, cache)
        shutil.rmtree(out)
    shutil.rmtree(work)


def measured(command: Sequence[str], out: Path, cache: Path) -> Cost:
    """Run a command in a process of its own and return what it took."""
    environment = os.environ | {"LEADLINE_CACHE": str(cache)}
    environment["PYTHONPATH"] = str(ROOT / "src")
    started = perf_counter()
    child = subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL)
    _, status, used = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    seconds = perf_counter() - started
    if child.returncode:
        raise SystemExit(f"{' '.join(command)} ended with {child.returncode}")
    written = sum(each.stat().st_size for each in out.rglob("*") if each.is_file())
    unit = 1 if sys.platform == "darwin" else 1024
    return Cost(seconds, used.ru_utime + used.ru_stime, used.ru_maxrss * unit, written)


def _say(size: int, corpus: int, system: str, run: str, cost: Cost) -> None:
    print(
        f"{size:10,} {corpus / MIB:5.0f} MiB {system[:8]:8} {run:7} {cost.seconds:8.1f} "
        f"{cost.cpu:8.1f} {cost.memory / MIB:5.0f} MiB {cost.written / MIB:5.0f} MiB",
        flush=True,
    )


def _say_growth(found: dict[tuple[str, str], list[tuple[int, Cost]]]) -> None:
    """Print what each figure is multiplied by from one size to the next."""
    for (system, run), costs in found.items():
        for (size, cost), (larger, more) in pairwise(costs):
            print(
                f"{system} {run}: {larger / size:.0f} times the documents take "
                f"{more.cpu / cost.cpu:.1f} times the CPU seconds, "
                f"{more.memory / cost.memory:.1f} times the memory, "
                f"{more.written / max(1, cost.written):.1f} times the bytes written"
            )


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="What leadline check costs by size of the corpus.")
    parser.add_argument("--sizes", type=int, nargs="+", default=[10_000, 100_000])
    parser.add_argument("--systems", nargs="+", default=["bm25"])
    parser.add_argument("--limit", type=int, default=200)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--folder", help="where the corpora and caches are made")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
