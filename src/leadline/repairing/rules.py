"""When a change counts as a gain or a loss, and which changes are recommended."""

from __future__ import annotations

import dataclasses
from collections.abc import Hashable, Mapping, Sequence, Set
from dataclasses import dataclass

from leadline.metrics.names import record_of
from leadline.metrics.significance import FEWEST, Difference, bootstrap_interval, holm, simes
from leadline.repairing.proposals import Proposal

ALPHA = 0.05
MARGIN = 0.05
"""Of nDCG@10: what a change may cost ordinary queries at most."""
RISK = 0.1
"""How often a change that costs ordinary queries just the margin may pass that bound."""


@dataclass(frozen=True)
class Effect:
    """What a proposal changes in one metric of one benchmark, on paired units.

    gain  positive where it got better
    """

    benchmark: str
    difference: Difference

    @property
    def gain(self) -> float:
        """By how much it got better."""
        sign = -1 if record_of(self.difference.metric).better == "lower" else 1
        return sign * self.difference.difference

    @property
    def sure_gain(self) -> bool:
        """Whether the whole interval is on the better side of zero."""
        low, high = self.difference.low, self.difference.high
        return self.gain > 0 and (low > 0 or high < 0)

    @property
    def likely_loss(self) -> bool:
        """Whether the whole interval is on the worse side of zero."""
        low, high = self.difference.low, self.difference.high
        return self.gain < 0 and (low > 0 or high < 0)

    @property
    def sure_loss(self) -> bool:
        """Whether that is significant too, corrected for all losses of all trials on the half."""
        return self.likely_loss and self.difference.p_holm <= ALPHA


@dataclass(frozen=True)
class Trial:
    """One proposal on one half.

    search_seconds  of wall clock for all queries of the half; what it took before is in the first
                    trial, that of the system itself
    index_bytes     of the largest index of the half; None where a stage cannot tell
    ordinary_low    lower bound of the change in nDCG@10 on both halves together; None on the
                    first half, and where no probe has that metric
    """

    proposal: Proposal
    effects: tuple[Effect, ...]
    index_seconds: float
    search_seconds: float
    index_bytes: int | None = None
    ordinary_low: float | None = None

    @property
    def helps(self) -> bool:
        """Whether something surely got better, and nothing surely worse."""
        gains = any(effect.sure_gain for effect in self.effects)
        return gains and not any(effect.sure_loss for effect in self.effects)

    @property
    def keeps_ordinary(self) -> bool:
        """Whether ordinary queries surely lose less than the margin."""
        return self.ordinary_low is None or self.ordinary_low > -MARGIN

    @property
    def mean_gain(self) -> float:
        """Mean gain over benchmarks and metrics."""
        return sum(effect.gain for effect in self.effects) / max(1, len(self.effects))


def lower_bound(
    new: Mapping[Hashable, float],
    base: Mapping[Hashable, float],
    *,
    clusters: Mapping[Hashable, Hashable] | None = None,
    seed: int = 0,
) -> float | None:
    """Return the one-sided lower bound (1 - `RISK`) of the mean change of a metric.

    new, base  unit -> value; None is returned where they share too few units to tell
    clusters   unit -> source document or topic; a unit that is not named is one of its own
    """
    units = [unit for unit in new if unit in base]
    labels = [(clusters or {}).get(unit, unit) for unit in units]
    if len(set(labels)) < FEWEST:
        return None
    differences = [new[unit] - base[unit] for unit in units]
    return bootstrap_interval(differences, seed, clusters=labels, level=2 * RISK)[0]


def with_losses_corrected(trials: Sequence[Trial]) -> list[Trial]:
    """Return the trials of a half with the p-values of what got worse corrected (Holm) over all.

    Of many metrics of many proposals, some fall by chance: one such must not stop a mend.
    """
    fallen = [
        (place, number)
        for place, trial in enumerate(trials)
        for number, effect in enumerate(trial.effects)
        if effect.gain < 0
    ]
    raw = [trials[place].effects[number].difference.p for place, number in fallen]
    corrected = dict(zip(fallen, holm(raw), strict=True))
    return [
        dataclasses.replace(
            trial,
            effects=tuple(
                dataclasses.replace(
                    effect,
                    difference=dataclasses.replace(effect.difference, p_holm=corrected[place, n]),
                )
                if (place, n) in corrected
                else effect
                for n, effect in enumerate(trial.effects)
            ),
        )
        for place, trial in enumerate(trials)
    ]


def confirmed_by(second: Sequence[Trial], first: Sequence[Trial]) -> list[Trial]:
    """Return the trials on the second half that confirm what the first half promised, in order.

    One does that where it helps, the metrics that surely gained on the first half are significant
    together (Simes), corrected for the number of proposals (Holm), and ordinary queries surely lose
    less than the margin. Other data chose these metrics.
    """
    asked = promised(first)
    tested = [trial for trial in second if trial.proposal in asked]
    corrected = holm([simes(p_values(trial, asked[trial.proposal])) for trial in tested])
    return [
        trial
        for trial, p in zip(tested, corrected, strict=True)
        if trial.helps and trial.keeps_ordinary and p <= ALPHA
    ]


Promises = Set[tuple[str, str]]
"""(benchmark, metric) of every sure gain of a proposal on the first half."""


def promised(first: Sequence[Trial]) -> dict[Proposal, Promises]:
    """Return what the first half promises of each proposal that surely gained something."""
    found = {
        trial.proposal: frozenset(
            (effect.benchmark, effect.difference.metric)
            for effect in trial.effects
            if effect.sure_gain
        )
        for trial in first
    }
    return {proposal: gains for proposal, gains in found.items() if gains}


def p_values(trial: Trial, asked: Promises) -> list[float]:
    """Return the p-value of each metric that is asked for; 1 where it did not surely gain."""
    sure = {
        (effect.benchmark, effect.difference.metric): effect.difference.p
        for effect in trial.effects
        if effect.sure_gain
    }
    return [sure.get(each, 1.0) for each in asked]
