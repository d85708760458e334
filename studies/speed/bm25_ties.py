"""How far our order of tied documents moves BM25's figures from plain bm25s, on the six pools.

Run: python studies/speed/bm25_ties.py [folder of the pools]
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import bm25s

from leadline.benchmark import Benchmark
from leadline.evaluation import evaluate, score
from leadline.kinds.implicit_facts.published import build
from leadline.systems.chains import load_system
from leadline.types import Run

SHARED = os.environ.get("LEADLINE_SHARED", Path(__file__).resolve().parents[2] / "shared")
DEPTHS = (10, 100, 750)


def plain(pool: Benchmark, k: int) -> Run:
    """Search with nothing but the library's own calls."""
    ids = list(pool.corpus)
    index = bm25s.BM25()
    texts = [document.content for document in pool.corpus.values()]
    index.index(bm25s.tokenize(texts, show_progress=False), show_progress=False)
    asked = bm25s.tokenize([query.text for query in pool.queries], show_progress=False)
    places, scores = index.retrieve(asked, k=min(k, len(ids)), show_progress=False)
    return {
        query.id: {ids[place]: float(s) for place, s in zip(row, values, strict=True)}
        for query, row, values in zip(pool.queries, places, scores, strict=True)
    }


def mean(values: dict[str, float]) -> float:
    return sum(values.values()) / len(values)


def main() -> None:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(SHARED) / "data" / "impliret"
    if not folder.is_dir():
        print(f"{folder} is not at hand (set LEADLINE_SHARED)")
        return
    system = load_system("bm25:cache=false")
    print(f"{'pool':28} {'metric':8} {'ours':>8}" + "".join(f"  k={k:<4}" for k in DEPTHS))
    for pool in build(data=folder):
        ours = evaluate(system, pool).scores
        theirs = [score(pool, plain(pool, k))[0] for k in DEPTHS]
        for name in ("nDCG@10", "MRR@10"):
            cells = "".join(f" {mean(dict(scores[name])):.5f}" for scores in theirs)
            part = pool.name.partition("/")[2]
            print(f"{part:28} {name:8} {mean(dict(ours[name])):.5f} {cells}")


if __name__ == "__main__":
    main()
