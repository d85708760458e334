"""How often the interval of `Noticed` holds zero where there is nothing to notice, by simulation.

No speed. Every topic has one case or several, of which a share differs from 0 and is won by the
edit or by the control with equal chance. 95 % are asked for: by the bootstrap alone, and by the
interval that Leadline reports.

    python studies/proofs/interval_coverage.py --topics 37
"""

from __future__ import annotations

import argparse
import random
from statistics import fmean

from leadline.metrics.significance import bootstrap_interval, interval_of_differences


def main() -> None:
    """Print the coverage of both intervals for several shares of cases that differ."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--topics", type=int, default=37)
    parser.add_argument("--runs", type=int, default=2_000)
    given = parser.parse_args()
    print(f"{given.topics} topics, {given.runs} runs: share that differs, cases, coverage")
    for share in (0.05, 0.1, 0.2, 0.4, 0.8):
        for most in (1, 3):
            rng = random.Random(f"{share} {most}")
            held = [0, 0]
            for run in range(given.runs):
                values = [_topic(rng, share, most) for _ in range(given.topics)]
                for place, interval in enumerate((bootstrap_interval, interval_of_differences)):
                    low, high = interval(values, run)
                    held[place] += low <= 0 <= high
            alone, reported = (each / given.runs for each in held)
            print(f"{share:4.2f}  1-{most}  bootstrap {alone:.3f}  reported {reported:.3f}")


def _topic(rng: random.Random, share: float, most: int) -> float:
    cases = rng.randint(1, most)
    return fmean(rng.choice((-1, 1)) if rng.random() < share else 0 for _ in range(cases))


if __name__ == "__main__":
    main()
