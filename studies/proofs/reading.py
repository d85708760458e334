"""What the limits on hostile input cost where input is good: reading documents, before and after.

    git worktree add --detach ../before 015c656
    python studies/proofs/reading.py --before ../before

Both read the same files in turns, each time in a fresh process, and go through all documents. Told
is the processor time of reading in the median of the rounds, imports left out. The target: at most
1.05 times what it was for all forms together; the script fails when it is missed.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median

ALLOWED = 1.05
FORMS = ("jsonl", "jsonl.gz", "csv", "parquet", "txt", "md", "html")
READ = """
import sys, time
import numpy, lxml.html
try:
    import pyarrow.parquet
except ModuleNotFoundError:
    pass
from leadline.data.documents import read_corpus
started = time.process_time()
size = sum(len(each.text) for each in read_corpus(sys.argv[1]).values())
print(time.process_time() - started, size)
"""
HERE = Path(__file__).resolve().parents[2]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--before", type=Path, required=True, help="a checkout of the commit before"
    )
    parser.add_argument("--documents", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--form", choices=FORMS, action="append")
    options = parser.parse_args()
    before_all = after_all = 0.0
    with tempfile.TemporaryDirectory() as folder:
        for form in options.form or FORMS:
            path = written(Path(folder), form, options.documents)
            times: dict[Path, list[float]] = {options.before: [], HERE: []}
            for number in range(options.rounds):
                for tree in (options.before, HERE) if number % 2 else (HERE, options.before):
                    times[tree].append(seconds(tree, path))
            before, after = median(times[options.before]), median(times[HERE])
            before_all, after_all = before_all + before, after_all + after
            print(f"{form:8} before {before:6.2f} s, now {after:6.2f} s: {after / before:.2f} x")
    ratio = after_all / before_all
    print(f"together {ratio:.3f} x (allowed {ALLOWED})")
    return int(ratio > ALLOWED)


def seconds(tree: Path, path: Path) -> float:
    """Return the processor time in which the code of a checkout reads a corpus."""
    env = os.environ | {"PYTHONPATH": str(tree / "src")}
    command = [sys.executable, "-c", READ, str(path)]
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=True)
    return float(done.stdout.split()[0])


def written(folder: Path, form: str, documents: int) -> Path:
    """Write documents of 40 to 160 words in one form."""
    rng = random.Random(0)
    words = [f"word{number}" for number in range(2000)]
    texts = [" ".join(rng.choices(words, k=rng.randint(40, 160))) for _ in range(documents)]
    rows = [
        {"_id": f"d{number}", "title": text[:20], "text": text, "metadata": {"year": number % 50}}
        for number, text in enumerate(texts)
    ]
    path = folder / f"corpus.{form}"
    if form in ("jsonl", "jsonl.gz"):
        content = "".join(json.dumps(row) + "\n" for row in rows).encode()
        path.write_bytes(gzip.compress(content, 6) if form == "jsonl.gz" else content)
    elif form == "csv":
        lines = (f'{row["_id"]},{row["title"]},"{row["text"]}"\n' for row in rows)
        path.write_text("id,title,text\n" + "".join(lines))
    elif form == "parquet":
        import pyarrow
        import pyarrow.parquet

        columns = {name: [row[name] for row in rows] for name in ("_id", "title", "text")}
        pyarrow.parquet.write_table(pyarrow.table(columns), path)
    else:
        for number, text in enumerate(texts):
            file = path / str(number % 100) / f"{number}.{form}"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(_marked(text, form))
    return path


def _marked(text: str, form: str) -> str:
    if form == "md":
        return f"# {text[:20]}\n\n{text}\n"
    if form == "txt":
        return text + "\n"
    half = len(text) // 2
    return (
        f"<!doctype html><html><head><title>{text[:20]}</title></head><body><h1>{text[:20]}</h1>"
        f"<p>{text[:half]}</p><ul><li>{text[half:]}</li></ul></body></html>"
    )


if __name__ == "__main__":
    sys.exit(main())
