"""How often `leadline gate` fails: where nothing changed, and where a system got worse by 0.05.

Seeded simulations, no speed. Each run has three probes of 200 topics with two main metrics. The two
folders hold one system whose score of a topic varies from run to run by `spread` (standard
deviation of the difference); the second is lowered by `drop` on average. Spreads between variants
of BM25 on Cranfield are about 0.1, between BM25 and an encoder about 0.3.

    python studies/proofs/gate_power.py [--runs 200] [--topics 200]
"""

from __future__ import annotations

import argparse
import random

from leadline.comparison.verdict import Change, Comparison, judge
from leadline.metrics.significance import compare, holm

PROBES = ("conditions", "rephrasings", "ranking")
METRICS = ("nDCG@10", "MRR@10")


def main() -> None:
    """Print the share of runs in which the gate failed."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--topics", type=int, default=200)
    given = parser.parse_args()
    print(f"{given.runs} runs, {given.topics} topics a probe, --max-drop 0.01")
    print("drop  spread  failed")
    for drop, spread in ((0.0, 0.1), (0.0, 0.3), (0.05, 0.1), (0.05, 0.2), (0.05, 0.3)):
        failed = sum(_fails(seed, given.topics, drop, spread) for seed in range(given.runs))
        print(f"{drop:.2f}  {spread:.1f}     {failed / given.runs:.3f}")


def _fails(seed: int, topics: int, drop: float, spread: float) -> bool:
    rng = random.Random(seed)
    changes = []
    for probe in PROBES:
        base = {f"q{n}": rng.betavariate(2, 1) for n in range(topics)}
        lowered = {unit: rng.gauss(value - drop, spread) for unit, value in base.items()}
        for metric in METRICS:
            noise = {unit: rng.gauss(value, 0.02) for unit, value in lowered.items()}
            changes.append(
                Change(probe, "system", compare(metric, ("new", "base"), noise, base, seed=seed))
            )
    corrected = holm([each.change.p for each in changes])
    return not judge(Comparison("a", "b", tuple(_with(changes, corrected)))).passed


def _with(changes: list[Change], corrected: list[float]) -> list[Change]:
    from dataclasses import replace

    return [
        replace(each, change=replace(each.change, p_holm=p))
        for each, p in zip(changes, corrected, strict=True)
    ]


if __name__ == "__main__":
    main()
