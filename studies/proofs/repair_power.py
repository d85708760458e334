"""How often `leadline repair` recommends something, and what that costs ordinary queries.

Seeded simulations, no speed. Each run tries proposals on one half of the topics and confirms on the
other. Three metrics are measured; a proposal changes the value of a topic by noise whose standard
deviation is `SPREADS`, and the first proposals, mostly one, change what a `Case` says. Between a
fault and its mend, Noticed of conditions has a spread of about 0.35, nDCG@10 one of 0.2 and RBO@5
one of 0.1 (lisa, minilm cut at 64 tokens).

Rules that are judged on the same draws differ in what the second half is asked of a proposal that
gained surely on the first, with p at most 0.05 after Holm's correction:

surest    the metric that gained most surely on the first half, corrected for the proposals
pairs     any metric that gained surely there, corrected for all such pairs of proposal and metric
changes   these metrics together (Simes), corrected for the proposals: the rule of `repair`
no bound  changes, without the bound of nDCG@10 over both halves

    python studies/proofs/repair_power.py [--runs 200] [--proposals 8] [--cases N,D,L,M,T ...]
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Hashable, Sequence
from dataclasses import astuple, dataclass, replace

from leadline.metrics.significance import compare, holm
from leadline.repairing.proposals import Proposal
from leadline.repairing.trial import (
    ALPHA,
    Effect,
    Trial,
    confirmed_by,
    lower_bound,
    p_values,
    promised,
    with_losses_corrected,
)

SPREADS = {"Noticed": 0.35, "RBO@5": 0.1, "nDCG@10": 0.2}
RULES = ("surest", "pairs", "changes", "no bound")
Values = dict[Hashable, float]


@dataclass(frozen=True)
class Case:
    """What the first proposals truly change.

    luck    added to Noticed on the first half alone: a promise by chance
    mends   proposals that change it
    topics  in each half
    """

    noticed: float = 0.0
    ndcg: float = 0.0
    luck: float = 0.0
    mends: int = 1
    topics: int = 60


CASES = (
    *(Case(mends=0, topics=topics) for topics in (26, 60, 100)),
    *(Case(gain, topics=topics) for topics in (26, 60) for gain in (0.2, 0.3)),
    *(Case(0.2, 0.08, topics=topics) for topics in (26, 60)),
    *(Case(0.2, 0.08, mends=8, topics=topics) for topics in (26, 60)),
    *(Case(0.0, 0.08, topics=topics) for topics in (26, 60, 100)),
    *(Case(0.0, 0.08, 0.2, topics=topics) for topics in (26, 60, 100)),
    *(Case(0.3, -loss, topics=topics) for topics in (26, 60, 100) for loss in (0.03, 0.05, 0.1)),
)


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
    return Trial(Proposal("", (str(number),)), tuple(effects), 0.0, 0.0), new, base


def confirmed(seed: int, proposals: int, case: Case) -> dict[str, list[int]]:
    """Return the numbers of the proposals that each rule confirms."""
    rng = random.Random(seed)
    planted = (case.noticed, 0.0, case.ndcg)
    lucky = (case.noticed + case.luck, 0.0, case.ndcg)
    nothing = (0.0, 0.0, 0.0)
    mends = range(case.mends)
    first = [trial(n, lucky if n in mends else nothing, case.topics, rng) for n in range(proposals)]
    tried = with_losses_corrected([each for each, _, _ in first])
    unbounded, second = [], []
    for number in (number for number, each in enumerate(tried) if each.helps):
        found, new, base = trial(number, planted if number in mends else nothing, case.topics, rng)
        both = _together(new, first[number][1]), _together(base, first[number][2])
        unbounded.append(found)
        second.append(replace(found, ordinary_low=lower_bound(*both)))
    unbounded, second = with_losses_corrected(unbounded), with_losses_corrected(second)
    return {
        "surest": _numbers(surest(second, tried)),
        "pairs": _numbers(pairs(second, tried)),
        "changes": _numbers(confirmed_by(second, tried)),
        "no bound": _numbers(confirmed_by(unbounded, tried)),
    }


def surest(second: Sequence[Trial], first: Sequence[Trial]) -> list[Trial]:
    """Ask of each proposal the one metric that gained most surely on the first half."""
    best = {
        each.proposal: min(
            (effect for effect in each.effects if effect.sure_gain),
            key=lambda effect: effect.difference.p,
        ).difference.metric
        for each in first
        if each.helps
    }
    corrected = holm([p_values(each, {("probe", best[each.proposal])})[0] for each in second])
    return [each for each, p in zip(second, corrected, strict=True) if _passes(each, p)]


def pairs(second: Sequence[Trial], first: Sequence[Trial]) -> list[Trial]:
    """Ask any metric that gained surely on the first half, corrected for all such pairs."""
    asked = promised(first)
    listed = [(each, p) for each in second for p in p_values(each, asked[each.proposal])]
    corrected = holm([p for _, p in listed])
    sure = [each for (each, _), p in zip(listed, corrected, strict=True) if _passes(each, p)]
    return [each for each in second if each in sure]


def _passes(each: Trial, p: float) -> bool:
    return each.helps and each.keeps_ordinary and p <= ALPHA


def _together(one: Values, other: Values) -> Values:
    return {**one, **{("first half", unit): value for unit, value in other.items()}}


def _numbers(trials: list[Trial]) -> list[int]:
    return [int(each.proposal.name) for each in trials]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--proposals", type=int, default=8)
    parser.add_argument(
        "--cases", nargs="*", help="gain of Noticed, of nDCG@10, luck, mends, topics of each half"
    )
    given = parser.parse_args()
    cases = CASES
    if given.cases:
        cases = tuple(
            Case(float(noticed), float(ndcg), float(luck), int(mends), int(topics))
            for noticed, ndcg, luck, mends, topics in (case.split(",") for case in given.cases)
        )
    print(f"{given.runs} runs, {given.proposals} proposals, spreads {SPREADS}")
    print("share of mends that are confirmed / of runs in which what changes nothing is confirmed")
    print("| Noticed | nDCG@10 | luck | mends | topics | " + " | ".join(RULES) + " |")
    print("|---" * (5 + len(RULES)) + "|")
    for case in cases:
        found = [confirmed(seed, given.proposals, case) for seed in range(given.runs)]
        cells = [_cell([each[rule] for each in found], case.mends) for rule in RULES]
        print("| " + " | ".join([*map(str, astuple(case)), *cells]) + " |", flush=True)


def _cell(found: Sequence[Sequence[int]], mends: int) -> str:
    """Return what is confirmed as a cell of the table."""
    right = sum(number < mends for each in found for number in each) / max(1, mends * len(found))
    wrong = sum(any(number >= mends for number in each) for each in found) / len(found)
    return f"{right:.3f} / {wrong:.3f}" if mends else f"{wrong:.3f}"


if __name__ == "__main__":
    main()
