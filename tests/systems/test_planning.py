"""A dry run runs no code of a system file, and asks no search service."""

import json
from pathlib import Path

import pytest

from commands import run

POISON = """
from pathlib import Path
Path(__file__).with_name("ran").write_text("")
def build(): raise SystemExit(3)
"""
SYSTEMS = {
    "typed": "{folder}/mine.py",
    "a stage behind": "bm25+{folder}/mine.py",
    "named in a file": "{folder}/chain.yaml",
    "named in a fusion": "{folder}/fusion.yaml",
    "a service": "{folder}/service.yaml",
    "a service as typed": "http://127.0.0.1:9/search",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "mine.py").write_text(POISON)
    (tmp_path / "chain.yaml").write_text("chain: ./mine.py+listwise\n")
    (tmp_path / "fusion.yaml").write_text(
        "fusion: {systems: [bm25, ./mine.py, {url: 'http://127.0.0.1:9/x'}]}\n"
    )
    (tmp_path / "service.yaml").write_text(
        "url: http://127.0.0.1:9/x\nheaders: {K: '${NO_SUCH_VARIABLE}'}\n"
    )
    rows = [{"_id": f"d{n}", "text": f"The old mill of {n} farmers."} for n in range(4)]
    (tmp_path / "corpus.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return tmp_path


@pytest.mark.parametrize("name", SYSTEMS)
@pytest.mark.parametrize("command", ["check", "evaluate"])
def test_a_dry_run_neither_runs_nor_asks_what_a_system_names(
    folder: Path, name: str, command: str
) -> None:
    from leadline.benchmark import Benchmark
    from leadline.kinds.benchmark_folder import write
    from leadline.types import Document, Query

    system = SYSTEMS[name].format(folder=folder)
    corpus = {f"d{n}": Document(f"d{n}", f"The old mill of {n} farmers.") for n in range(4)}
    made = Benchmark("b", corpus, [Query("q", "old mill", "q")], {"q": {"d1": 1}}, ())
    write(folder / "bench", made)
    words = {"check": [str(folder / "corpus.jsonl"), "--probe", "rephrasings"],
             "evaluate": ["-b", str(folder / "bench")]}[command]  # fmt: skip
    own = ["--llm", "http://127.0.0.1:9/v1", "--llm-model", "toy", "--dry-run"]
    done = run(command, *words, "-s", system, *own)
    assert "not run in a dry run" in done.stderr
    assert not (folder / "ran").exists()
    if name == "named in a file" and command == "evaluate":
        assert "Would ask toy: 1 calls" in done.stderr  # of what bm25 finds
