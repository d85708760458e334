"""What `evaluate` with BM25 costs beside the bare calls of bm25s, on vaswani_npl.

11,429 documents and 93 queries. Both sides run in turns, each time in a fresh process and timed
after its imports:

* bare      read the gzipped files with json | bm25s.tokenize, BM25.index, BM25.retrieve(k=100)
* leadline  load_benchmarks | load_system("bm25") and evaluate: validation, fingerprint of the
            corpus, tokenising, indexing, keeping the index in an empty cache, searching to depth
            100, every metric
* warm      the same again, with the index in the cache

What stands before the bar counts in the part `with reading` only. The target is on `without
reading`: evaluate may take 1.3 times the bare calls. Ratios are medians of those of the rounds, in
each of which all sides run one after the other, so that what else runs on the machine meets them
alike; the script fails when the target is missed.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median

ROOT = Path(__file__).resolve().parent.parent
DATA = Path(os.environ.get("LEADLINE_SHARED", ROOT.parent / "shared")) / "data" / "vaswani_npl"
REPETITIONS = 7
ALLOWED = 1.3

BARE = """
import gzip, json, sys, time
import bm25s
folder = sys.argv[1]
started = time.perf_counter()
with gzip.open(folder + "/corpus.jsonl.gz", "rt", encoding="utf-8") as lines:
    documents = [json.loads(line) for line in lines]
with gzip.open(folder + "/queries.jsonl.gz", "rt", encoding="utf-8") as lines:
    queries = [json.loads(line)["text"] for line in lines]
texts = [f"{each.get('title', '')} {each['text']}".strip() for each in documents]
read = time.perf_counter()
index = bm25s.BM25()
index.index(bm25s.tokenize(texts, show_progress=False), show_progress=False)
index.retrieve(bm25s.tokenize(queries, show_progress=False), k=100, show_progress=False)
ended = time.perf_counter()
print(json.dumps({"with reading": ended - started, "without reading": ended - read}))
"""

LEADLINE = """
import json, sys, time
import bm25s, pydantic
import leadline.retrievers.bm25
from leadline import evaluate
from leadline.systems.chains import load_system
from leadline.systems.benchmarks import load_benchmarks
started = time.perf_counter()
(benchmark,) = load_benchmarks(sys.argv[1])
read = time.perf_counter()
evaluate(load_system("bm25"), benchmark)
ended = time.perf_counter()
print(json.dumps({"with reading": ended - started, "without reading": ended - read}))
"""


def main() -> int:
    if not DATA.is_dir():
        print(f"Skipped: {DATA.name} is not at hand (set LEADLINE_SHARED).")
        return 0
    seconds: dict[str, list[dict[str, float]]] = {"bare": [], "leadline": [], "warm": []}
    for _ in range(REPETITIONS):
        with tempfile.TemporaryDirectory() as cache:
            seconds["bare"].append(_run(BARE, cache))
            seconds["leadline"].append(_run(LEADLINE, cache))
            seconds["warm"].append(_run(LEADLINE, cache))
    ratios: dict[tuple[str, str], float] = {}
    for part in ("with reading", "without reading"):
        for side, runs in seconds.items():
            middle = median(run[part] for run in runs)
            ratios[part, side] = median(
                run[part] / bare[part] for run, bare in zip(runs, seconds["bare"], strict=True)
            )
            print(f"{part:15} {side:8} median {middle:.3f} s, {ratios[part, side]:.2f} x")
    target = ratios["without reading", "leadline"]
    print(f"evaluate / bare calls = {target:.2f} (allowed {ALLOWED})")
    return int(target > ALLOWED)


def _run(program: str, cache: str) -> dict[str, float]:
    environment = os.environ | {"LEADLINE_CACHE": cache, "PYTHONPATH": str(ROOT / "src")}
    ran = subprocess.run(
        [sys.executable, "-c", program, str(DATA)],
        env=environment, capture_output=True, text=True, check=True,
    )  # fmt: skip
    seconds: dict[str, float] = json.loads(ran.stdout)
    return seconds


if __name__ == "__main__":
    sys.exit(main())
