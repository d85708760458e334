"""How often `leadline repair` recommends something, and what that costs ordinary queries.

Seeded simulations, no speed. Each run tries proposals on one half of the topics and confirms on the
other. Three metrics are measured; a proposal changes the value of a topic by noise whose standard
deviation is `SPREADS`, and the first proposal, where one is planted, raises the first metric by
`gain` and lowers the last one by `loss`. Between a fault and its mend, Noticed of conditions has a
spread of about 0.35, nDCG@10 one of 0.2 and RBO@5 one of 0.1 (lisa, minilm cut at 64 tokens).

Three rules are judged on the same draws: every loss whose interval leaves out zero stops a change
(each), only losses that are significant after Holm's correction do (corrected), and the rule of
`repair`: corrected, and the bound of nDCG@10 over both halves must lie above -MARGIN (bounded).

    python benchmarks/repair_power.py [--runs 200] [--proposals 8] [--cases gain,loss,topics ...]
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Hashable, Sequence
from dataclasses import replace

from leadline.metrics.differences import compare
from leadline.repairing.proposals import Proposal
from leadline.repairing.rules import (
    Effect,
    Trial,
    confirmed_by,
    lower_bound,
    with_losses_corrected,
)

SPREADS = {"Noticed": 0.35, "RBO@5": 0.1, "nDCG@10": 0.2}
CASES = (
    *((0.0, 0.0, topics) for topics in (26, 60)),
    *((gain, 0.0, topics) for gain, topics in ((0.2, 26), (0.2, 60), (0.3, 26), (0.3, 60))),
    *((0.3, loss, topics) for topics in (26, 60, 100) for loss in (0.03, 0.05, 0.1)),
)
"""Gain of the first proposal, what it costs nDCG@10, and topics in each half."""
RULES = ("each", "corrected", "bounded")
Values = dict[Hashable, float]


def trial(
    number: int, means: Sequence[float], topics: int, rng: random.Random
) -> tuple[Trial, Values, Values]:
    """Return what one proposal changes on one half, and nDCG@10 of each topic after and before."""
    effects = []
    new: Values = {}
    base: Values = {}
    for mean, (metric, spread) in zip(means, SPREADS.items(), strict=True):
        base = {f"q{n}": rng.random() for n in range(topics)}
        new = {unit: value + rng.gauss(mean, spread) for unit, value in base.items()}
        seed = rng.randrange(10**6)
        effects.append(Effect("probe", compare(metric, ("new", "base"), new, base, seed=seed)))
    return Trial(Proposal("", (f"proposal {number}",)), tuple(effects), 0.0, 0.0), new, base


def recommended(seed: int, proposals: int, gain: float, loss: float, topics: int) -> dict[str, str]:
    """Return what each rule recommends; empty for nothing."""
    rng = random.Random(seed)
    nothing = (0.0, 0.0, 0.0)
    means = [(gain, 0.0, -loss) if number == 0 else nothing for number in range(proposals)]
    first = [trial(number, each, topics, rng) for number, each in enumerate(means)]
    tried = with_losses_corrected([each for each, _, _ in first])
    helping = [number for number, each in enumerate(tried) if each.helps]
    second, bounded = [], []
    for number in helping:
        found, new, base = trial(number, means[number], topics, rng)
        both = _together(new, first[number][1]), _together(base, first[number][2])
        second.append(found)
        bounded.append(replace(found, ordinary_low=lower_bound(*both)))
    # Uncorrected, p_holm is p: an interval that leaves out zero is a loss.
    strict = [each for each, _, _ in first if each.helps]
    kept = {each.proposal for each in strict}
    return {
        "each": _first(confirmed_by([each for each in second if each.proposal in kept], strict)),
        "corrected": _first(confirmed_by(with_losses_corrected(second), tried)),
        "bounded": _first(confirmed_by(with_losses_corrected(bounded), tried)),
    }


def _together(one: Values, other: Values) -> Values:
    return {**one, **{("first half", unit): value for unit, value in other.items()}}


def _first(trials: list[Trial]) -> str:
    return trials[0].proposal.name if trials else ""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--proposals", type=int, default=8)
    parser.add_argument("--cases", nargs="*", help="gain,loss,topics of each half")
    given = parser.parse_args()
    cases = CASES
    if given.cases:
        cases = tuple(
            (float(gain), float(loss), int(topics))
            for gain, loss, topics in (case.split(",") for case in given.cases)
        )
    print(f"{given.runs} runs, {given.proposals} proposals, spreads {SPREADS}")
    print("share of runs in which the planted change / another one is recommended")
    print(f"{'gain':>5} {'loss':>5} {'topics':>7}" + "".join(f"{rule:>16}" for rule in RULES))
    for gain, loss, topics in cases:
        found = [
            recommended(seed, given.proposals, gain, loss, topics) for seed in range(given.runs)
        ]
        cells = []
        for rule in RULES:
            mend = sum(each[rule] == "proposal 0" for each in found) / given.runs
            other = sum(each[rule] not in ("", "proposal 0") for each in found) / given.runs
            cells.append(f"{mend:.3f} / {other:.3f}")
        print(f"{gain:5.2f} {loss:5.2f} {topics:7}" + "".join(f"{cell:>16}" for cell in cells),
              flush=True)  # fmt: skip


if __name__ == "__main__":
    main()
