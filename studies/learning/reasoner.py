"""Train small rerankers to reason on pairs that strong models wrote, and rank other collections.

    python studies/learning/reasoner.py ./SmolLM2-135M-Instruct --seeds 3

The 158 pairs of `written/pairs.jsonl.gz` were written and judged by hand in the place of two strong
models, from 10 of 12 seed queries of our own (`leadline synthesize reasoning --queries FILE --style
both --traces short --llm ... --verify-model ...`). A model learns them with traces, and again the
answers alone. Each ranks the first 10 of BM25 for 20 queries of each collection: after reasoning,
and at once (its thought is closed before it begins). Collections come from $LEADLINE_SHARED. What
is finished is not done again.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean

from leadline.data.folder import read_folder
from leadline.metrics.significance import bootstrap_interval, interval_of_differences

SHARED = Path(os.environ.get("LEADLINE_SHARED", "../shared")) / "data"
WRITTEN = Path(__file__).parent / "written"
SETTINGS = [
    "--batch-size", "4", "--accumulation", "1", "--learning-rate", "3e-4", "--embeddings", "added",
    "--max-length", "352", "--precision", "bfloat16", "--held-out", "0", "--evaluations", "2",
]  # fmt: skip
WHERE = "max_length=512,dtype=bfloat16,batch_size=32"
DEPTH = 10


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("model")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--steps", default="60", help="of 4 pairs")
    parser.add_argument("--collections", nargs="+", default=["trec_dl19_pool", "lisa"])
    parser.add_argument("--limit", default="20", help="queries of a collection")
    parser.add_argument("--show", action="store_true", help="of what is finished")
    parser.add_argument("--out", type=Path, default=Path("leadline-out/reasoner"))
    given = parser.parse_args()
    models = {"untrained": given.model}
    for seed in range(1, given.seeds + 1):
        for name, more in (("traces", []), ("answers", ["--without-traces"])):
            out = given.out / f"small-{name}-{seed}"
            models[out.name] = str(out)
            if not given.show:
                leadline("train", "reasoner", "--pairs", str(WRITTEN / "pairs.jsonl.gz"), "--model",
                         given.model, "--out", str(out), "--seed", str(seed), "--steps",
                         given.steps, *SETTINGS, *more)  # fmt: skip
    for collection in given.collections:
        for name, model in models.items():
            out = given.out / f"eval-{name}-{collection}"
            if given.show or (out / "report.json").exists():
                continue
            at_once = (f"template={WRITTEN / 'answer_at_once.txt'},positive= true,"
                       f"negative= false,{WHERE}")  # fmt: skip
            ways = [at_once]
            if "answers" not in name:  # which never reason
                ways.append(f"reasoning=true,max_tokens=64,{WHERE}")
            systems = [f"bm25+true_false:{model},{way}@{DEPTH}" for way in ways]
            asked = [word for system in ("bm25", *systems) for word in ("-s", system)]
            leadline("evaluate", *asked, "-b", str(SHARED / collection), "--limit", given.limit,
                     "--out", str(out), "--quiet")  # fmt: skip
        show(given.out, collection, list(models))


def leadline(*words: str) -> None:
    print("leadline", *words, flush=True)
    subprocess.run([sys.executable, "-m", "leadline", *words], check=True)


@dataclass
class Found:
    """What the runs of a row of the table reached, by query or by pair."""

    ndcg: list[Mapping[str, float]] = field(default_factory=list)
    right: list[Mapping[tuple[str, str], float]] = field(default_factory=list)
    true: list[bool] = field(default_factory=list)
    tokens: list[int] = field(default_factory=list)


def show(folder: Path, collection: str, models: Sequence[str]) -> None:
    """Print a row for each kind of model, with intervals over queries of the means over seeds."""
    qrels = read_folder(SHARED / collection).qrels
    least = 2 if "dl19" in collection else 1
    rows: dict[str, Found] = {}
    for model in models:
        where = folder / f"eval-{model}-{collection}"
        for file in sorted(where.glob("*/scores/*.json")):
            scored = json.loads(file.read_text("utf-8"))
            way = "" if scored["system"] == "bm25" else (
                ", reasoned" if "reasoning=true" in scored["system"] else ", at once"
            )  # fmt: skip
            name = model.removeprefix("small-").rstrip("-0123456789") + way if way else "bm25"
            if name == "bm25" and "bm25" in rows:
                continue
            row = rows.setdefault(name, Found())
            row.ndcg.append(scored["scores"]["nDCG@10"])
            if not way:
                continue
            run = file.parent.parent / "runs" / f"{file.stem}.trec"
            first = [line.split() for line in run.read_text("utf-8").splitlines()]
            row.right.append({
                (query, document): float(
                    (float(score) > 0.5) == (qrels.get(query, {}).get(document, 0) >= least)
                )
                for query, _, document, rank, score, _ in first if int(rank) <= DEPTH
            })  # fmt: skip
            row.true += [float(line[4]) > 0.5 for line in first if int(line[3]) <= DEPTH]
            traces = file.parent.parent / "traces" / f"{file.stem}.jsonl"
            if traces.exists():
                lines = traces.read_text("utf-8").splitlines()
                row.tokens += [json.loads(line)["tokens"] for line in lines]
    print(f"\n{collection}\n")
    print("| | seeds | nDCG@10 | against bm25 | accuracy | judged true | tokens of a trace |")
    print("|---|---:|---|---|---|---:|---:|")
    base = rows["bm25"].ndcg[0]
    for name, row in rows.items():
        own = {key: fmean(each[key] for each in row.ndcg) for key in base}
        gains = [own[key] - base[key] for key in base]
        cells = [name, str(len(row.ndcg)), with_interval(list(own.values()))]
        low, high = interval_of_differences(gains) if any(gains) else (0.0, 0.0)
        cells.append(f"{fmean(gains):+.3f} [{low:+.3f}, {high:+.3f}]" if any(gains) else "")
        pairs = list(row.right[0]) if row.right else []
        right = [fmean(each[pair] for each in row.right) for pair in pairs]
        cells.append(with_interval(right, [query for query, _ in pairs]) if pairs else "")
        cells.append(f"{fmean(row.true):.2f}" if pairs else "")
        cells.append(f"{fmean(row.tokens):.0f}" if row.tokens else "")
        print("| " + " | ".join(cells) + " |")
    share = fmean(
        qrels.get(query, {}).get(document, 0) >= least
        for query, document in next(row.right[0] for row in rows.values() if row.right)
    )
    print(f"\nRelevant: {share:.2f} of the pairs.")


def with_interval(values: list[float], clusters: list[str] | None = None) -> str:
    low, high = bootstrap_interval(values, clusters=clusters)
    return f"{fmean(values):.3f} [{low:.3f}, {high:.3f}]"


if __name__ == "__main__":
    main()
