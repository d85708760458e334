"""How often `leadline repair` recommends something: where nothing helps, and where one change does.

Seeded simulations, no speed. Each run tries proposals on one half of the topics and confirms on the
other. Three metrics are measured; a proposal changes the value of a topic by noise of a standard
deviation of `spread`, and in the planted runs the first proposal raises the first metric by `gain`.
Between a fault and its mend, Noticed of conditions has a spread of about 0.35. The last columns
are the rule of earlier versions, which corrected the p-values of all metrics on both halves.

    python benchmarks/repair_power.py [--runs 200] [--proposals 8]
"""

from __future__ import annotations

import argparse
import random

from leadline.metrics.differences import compare
from leadline.metrics.significance import holm
from leadline.repairing.proposals import Proposal
from leadline.repairing.trial import ALPHA, Effect, Trial, confirmed_by

METRICS = ("Noticed", "RBO@5", "nDCG@10")
CASES = ((0.0, 26), (0.0, 60), (0.2, 26), (0.2, 60), (0.3, 26))
"""Gain of the first proposal, and topics in each half."""
SPREAD = 0.35


def trial(number: int, gain: float, topics: int, rng: random.Random) -> Trial:
    """Return what one proposal changes on one half."""
    effects = []
    for place, metric in enumerate(METRICS):
        mean = gain if number == 0 and place == 0 else 0.0
        base = {f"q{n}": rng.random() for n in range(topics)}
        new = {unit: value + rng.gauss(mean, SPREAD) for unit, value in base.items()}
        seed = rng.randrange(10**6)
        effects.append(Effect("probe", compare(metric, ("new", "base"), new, base, seed=seed)))
    return Trial(Proposal("", (f"proposal {number}",)), tuple(effects), 0.0, 0.0)


def recommended(seed: int, proposals: int, gain: float, topics: int) -> tuple[str, str]:
    """Return what is recommended, by the rule and by the older one; empty for nothing."""
    rng = random.Random(seed)
    first = [trial(number, gain, topics, rng) for number in range(proposals)]
    second = [trial(number, gain, topics, rng) for number in range(proposals)]
    helping = [each.proposal for each in first if each.helps]
    tried = [each for each in second if each.proposal in helping]
    older = [each.proposal for each in _significant(first)]
    both = _significant([each for each in second if each.proposal in older])
    return _first(confirmed_by(tried, first)), _first(both)


def _significant(trials: list[Trial]) -> list[Trial]:
    """Return the trials that help, with a gain that is significant among all their metrics."""
    every = [effect for each in trials for effect in each.effects]
    corrected = holm([effect.difference.p for effect in every])
    sure = {id(each) for each, p in zip(every, corrected, strict=True) if p <= ALPHA}
    return [
        each
        for each in trials
        if each.helps and any(e.sure_gain and id(e) in sure for e in each.effects)
    ]


def _first(trials: list[Trial]) -> str:
    return trials[0].proposal.name if trials else ""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--proposals", type=int, default=8)
    given = parser.parse_args()
    print(f"{given.runs} runs, {given.proposals} proposals, {len(METRICS)} metrics")
    print("gain  topics a half  the mend  another  the mend, older rule  another, older rule")
    for gain, topics in CASES:
        found = [recommended(seed, given.proposals, gain, topics) for seed in range(given.runs)]
        shares = [
            sum(bool(each[rule]) and (each[rule] == "proposal 0") is mend for each in found)
            for rule in (0, 1)
            for mend in (True, False)
        ]
        told = "  ".join(f"{share / given.runs:.3f}" for share in shares)
        print(f"{gain:.1f}   {topics:3}            {told}", flush=True)


if __name__ == "__main__":
    main()
