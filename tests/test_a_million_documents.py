"""How much memory `leadline check -s bm25` takes of a million documents: minutes, and 4 GB of disk.

    pytest -m slow tests/test_a_million_documents.py -s

Prints the peaks of each phase. What is counted is memory of the process alone, above what Python
takes when it starts; pages of files that are mapped, which the system takes back when it needs
them, are not.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from shared import ROOT, shared_data

MIB = 1 << 20
DOCUMENTS = int(os.environ.get("LEADLINE_TEST_DOCUMENTS", "1000000"))

CHILD = """
import json, sys, threading, time
from pathlib import Path

def taken():
    fields = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines())
    return sum(int(fields[name].split()[0]) << 10 for name in ("RssAnon", "RssShmem"))

start, phase, peaks = taken(), ["reading"], {}

def watch():
    while True:
        peaks[phase[0]] = max(peaks.get(phase[0], 0), taken() - start)
        time.sleep(0.02)

def during(module, name, label):
    work = getattr(module, name)
    def watched(*given, **named):
        before, phase[0] = phase[0], label
        try:
            return work(*given, **named)
        finally:
            phase[0] = before
    setattr(module, name, watched)

threading.Thread(target=watch, daemon=True).start()
from leadline import checking
from leadline.retrievers import bm25
during(checking, "build_probes", "building")
during(checking, "measure", "searching")
during(bm25, "_indexed", "indexing")
checking.check(sys.argv[1], "bm25", out=sys.argv[2], limit=200)
print(json.dumps(peaks))
"""


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="reads memory from /proc")
def test_the_memory_of_a_check_of_a_million_documents(tmp_path: Path) -> None:
    shared_data("data", "trec_dl21_pool")
    corpus = tmp_path / "corpus.jsonl"
    made = "import scale, sys; scale.write_corpus(scale.Path(sys.argv[1]), int(sys.argv[2]))"
    command = [sys.executable, "-c", made, str(corpus), str(DOCUMENTS)]
    subprocess.run(command, cwd=ROOT / "studies" / "speed", check=True)
    size = corpus.stat().st_size
    command = [sys.executable, "-c", CHILD, str(corpus), str(tmp_path / "out")]
    environment = os.environ | {"PYTHONPATH": str(ROOT / "src")}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    peaks = json.loads(done.stdout)
    told = {name: f"{peak / MIB:.0f} MiB" for name, peak in peaks.items()}
    sys.stdout.write(f"{DOCUMENTS:,} documents, {size / MIB:.0f} MiB: {told}\n")
    assert max(peaks["reading"], peaks["building"], peaks["searching"]) <= 700 * MIB
    assert peaks["indexing"] <= 5 * size + 300 * MIB
