"""Train a retriever on rephrasings that a strong model wrote; ask it what people varied.

    python studies/learning/written_rephrasings.py --model minilm --seeds 2

It learns from 119 judged queries of Cranfield and NPL with the 463 forms in `written/`. They were
written and checked by hand in the place of two strong models (`leadline synthesize rephrasings
--queries FILE --llm ... --verify-model ...`). The other queries of NPL validate it. The test is the
queries of TREC-DL 2019 with the variations that people judged valid, on the judged passages of the
pool. Collections come from $LEADLINE_SHARED. What is finished is not done again.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
from collections.abc import Collection, Mapping
from pathlib import Path
from statistics import fmean

from leadline.data.folder import Folder, read_folder, write_folder
from leadline.metrics.significance import interval_of_differences

SHARED = Path(os.environ.get("LEADLINE_SHARED", "../shared")) / "data"
WRITTEN = Path(__file__).parent / "written"
LOSSES = ("mnr", "qa", "cr")
SETTINGS = [
    "--preset", "paper", "--batch-size", "16", "--steps", "40", "--evaluations", "2",
    "--learning-rate", "5e-5", "--max-length", "64", "--negatives", "1",
]  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--model", default="minilm")
    parser.add_argument("--seeds", type=int, default=2)
    parser.add_argument("--out", type=Path, default=Path("leadline-out/written"))
    given = parser.parse_args()
    folders = [part(name, given.out / name) for name in ("cranfield", "vaswani_npl")]
    validation = part("vaswani_npl", given.out / "validation", others=True)
    test = judged_passages(given.out / "trec-dl-2019")
    systems = {"untrained": given.model}
    for seed in range(given.seeds):
        for loss in LOSSES:
            out = given.out / f"{given.model.replace('/', '-')}-{loss}-{seed}"
            data = [word for folder in folders for word in ("--data", str(folder))]
            leadline(
                "train", "retriever", "--model", given.model, *data, "--validation",
                str(validation), *SETTINGS, "--loss", loss, "--seed", str(seed), "--out", str(out),
            )  # fmt: skip
            systems[f"{loss} {seed}"] = f"dense:{out}"
    report = given.out / f"report-{given.model.replace('/', '-')}"
    asked = [word for system in systems.values() for word in ("-s", system)]
    if not (report / "report.json").exists():
        leadline("evaluate", *asked, "-b", "rephrasings/trec-dl-2019", "--data", str(test),
                 "--out", str(report))  # fmt: skip
    show(report, systems, given.seeds)


def part(name: str, out: Path, *, others: bool = False) -> Path:
    """Write the queries of a collection that have written forms, or the others."""
    if out.exists():
        return out
    folder = read_folder(SHARED / name)
    lines = (WRITTEN / f"{name}.jsonl").read_text("utf-8")
    varied = {json.loads(line)["query_id"] for line in lines.splitlines()}
    queries = [query for query in folder.queries if (query.id in varied) != others]
    qrels = {query.id: folder.qrels[query.id] for query in queries if query.id in folder.qrels}
    corpus = dict(folder.corpus)
    if others:  # enough documents to go wrong among, few enough to be encoded often
        relevant = {id for grades in qrels.values() for id in grades}
        drawn = random.Random(0).sample(sorted(corpus), 500)
        corpus = {id: corpus[id] for id in sorted({*relevant, *drawn})}
    write_folder(out, Folder(corpus, queries, qrels))
    if not others:
        (out / "qrels" / "test.tsv").rename(out / "qrels" / "train.tsv")
        (out / "query_variations.jsonl").write_text(lines, "utf-8")
    return out


def judged_passages(out: Path) -> Path:
    if not out.exists():
        folder = read_folder(SHARED / "trec_dl19_pool")
        judged = {id for grades in folder.qrels.values() for id in grades}
        corpus = {id: each for id, each in folder.corpus.items() if id in judged}
        write_folder(out, Folder(corpus, folder.queries, folder.qrels))
        name = "query_variations.jsonl.gz"
        (out / name).write_bytes((SHARED / "trec_dl19_pool" / name).read_bytes())
    return out


def leadline(*words: str) -> None:
    print("leadline", *words, flush=True)
    subprocess.run([sys.executable, "-m", "leadline", *words], check=True)


def show(report: Path, systems: Mapping[str, str], seeds: int) -> None:
    """Print means over queries and seeds, with paired intervals over queries."""
    found: dict[str, dict[str, dict[str, float]]] = {}
    for file in sorted(report.glob("*/scores/*.json")):
        scores = json.loads(file.read_text("utf-8"))
        found[scores["system"]] = scores["scores"]

    def mean_of(names: Collection[str], metric: str) -> dict[str, float]:
        rows = [found[systems[name]][metric] for name in names]
        return {key: fmean(row[key] for row in rows) for key in rows[0]}

    groups = {"untrained": ["untrained"]}
    groups |= {loss: [f"{loss} {seed}" for seed in range(seeds)] for loss in LOSSES}
    print("| | metric | mean | against untrained | against mnr |\n|---|---|---:|---|---|")
    for metric in ("nDCG@10", "RBO@5"):
        for name, members in groups.items():
            own = mean_of(members, metric)
            cells = [name, metric, f"{fmean(own.values()):.3f}"]
            for base in ("untrained", "mnr"):
                other = mean_of(groups[base], metric)
                gains = [own[key] - other[key] for key in own]
                low, high = interval_of_differences(gains) if any(gains) else (0.0, 0.0)
                gain = f"{fmean(gains):+.3f} [{low:+.3f}, {high:+.3f}]"
                cells.append(gain if name != base else "")
            print("| " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main()
