"""Try what may mend a system on one half of the sources, and confirm the best on the other."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from leadline.benchmark import Benchmark
from leadline.errors import InputError
from leadline.evaluation import evaluate
from leadline.kinds.registry import kind_or_ranking
from leadline.metrics.differences import Difference, compare
from leadline.metrics.meanings import meaning_of
from leadline.metrics.significance import holm
from leadline.progress import track, warn
from leadline.repairing.halves import halves
from leadline.repairing.proposals import Proposal
from leadline.report import Report
from leadline.system import System

ALPHA = 0.05
ORDINARY = "nDCG@10"


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
        sign = -1 if meaning_of(self.difference.metric).better == "lower" else 1
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
    """

    proposal: Proposal
    effects: tuple[Effect, ...]
    index_seconds: float
    search_seconds: float

    @property
    def helps(self) -> bool:
        """Whether something surely got better, and nothing surely worse."""
        gains = any(effect.sure_gain for effect in self.effects)
        return gains and not any(effect.sure_loss for effect in self.effects)

    @property
    def mean_gain(self) -> float:
        """Mean gain over benchmarks and metrics."""
        return sum(effect.gain for effect in self.effects) / max(1, len(self.effects))


@dataclass(frozen=True)
class Repair:
    """What came of trying.

    tried        every proposal on the first half, the best first
    confirmed    the chosen one on the second half; None where none helped on the first
    recommended  whether the second half confirms it
    others       further ones that helped on the first half, on the second one
    base_seconds of index and search of the system itself, on the first half
    """

    system: str
    tried: tuple[Trial, ...]
    confirmed: Trial | None
    base_seconds: tuple[float, float]
    topics: tuple[int, int]
    others: tuple[Trial, ...] = ()

    @property
    def recommended(self) -> bool:
        """Whether the chosen proposal helps on the half that did not choose it."""
        return self.confirmed in confirmed_by(self.second, self.tried)

    @property
    def also(self) -> tuple[Trial, ...]:
        """Return the others that help on the second half too."""
        confirmed = confirmed_by(self.second, self.tried)
        return tuple(each for each in self.others if each in confirmed)

    @property
    def second(self) -> list[Trial]:
        """Every trial on the second half, the chosen one first."""
        return [*([self.confirmed] if self.confirmed else []), *self.others]


def repair(
    system: System,
    candidates: Sequence[tuple[Proposal, System]],
    benchmarks: Sequence[Benchmark],
    *,
    seed: int = 0,
) -> Repair:
    """Try every candidate on one half of the source documents; confirm what helps on the other.

    The first half only chooses what to confirm: gains of proposals in metrics. On the second, which
    had no part in that, p-values are corrected for the number of those, so that on a system with
    nothing to mend chance is not mistaken for a gain. Of what it confirms, another option is
    chosen before a further stage, for it costs nothing; then what gained most on the first half.
    A benchmark of which a half has no queries is left out, and told.

    Raises InputError when none is left, or a service left queries unanswered.
    """
    split = [halves(each, seed) for each in benchmarks]
    both = [(a, b) for a, b in split if a.queries and b.queries]
    if not both:
        raise InputError(
            "Too few source documents to divide into two halves; raise --limit or add documents."
        )
    for each, _ in split:
        if each.name not in {a.name for a, _ in both}:
            warn(f"{each.name} is left out: too few source documents to divide into two halves.")
    first, second = [a for a, _ in both], [b for _, b in both]
    topics = tuple(sum(len(each.queries) for each in half) for half in (first, second))
    base = _reports(system, first, seed)
    tried = with_losses_corrected([
        _trial(proposal, _reports(built, first, seed), base, seed)
        for proposal, built in track(candidates, "Trying what may help")
    ])  # fmt: skip
    tried.sort(key=lambda trial: (not trial.helps, -trial.mean_gain))
    good = [trial.proposal for trial in tried if trial.helps]
    systems = {id(proposal): built for proposal, built in candidates}
    before = _reports(system, second, seed) if good else {}
    second_trials = with_losses_corrected([
        _trial(proposal, _reports(systems[id(proposal)], second, seed), before, seed)
        for proposal in track(sorted(good, key=lambda each: not each.cheap), "Confirming")
    ])  # fmt: skip
    # The first that the second half confirms; the first at all where it confirms none.
    chosen = next(iter(confirmed_by(second_trials, tried)), None)
    confirmed = chosen or next(iter(second_trials), None)
    others = tuple(trial for trial in second_trials if trial is not confirmed)
    seconds = _seconds(base)
    return Repair(system.name, tuple(tried), confirmed, seconds, (topics[0], topics[1]), others)


def _reports(system: System, benchmarks: Sequence[Benchmark], seed: int) -> dict[str, Report]:
    """Evaluate a system; queries that a service left unanswered would pass for a bad ranking."""
    reports = {each.name: evaluate(system, _judging(each), seed=seed) for each in benchmarks}
    failures = [each for report in reports.values() for each in report.failures.items()]
    if failures and system.own_corpus:
        reason = failures[0][0]
        raise InputError(
            f"{system.name}: {sum(count for _, count in failures)} queries got no answer "
            f"({reason}), so there is no fair comparison. Run it again when the service answers; "
            "`timeout` and `retries` in its description say how patient Leadline is."
        )
    return reports


def _trial(
    proposal: Proposal, new: Mapping[str, Report], base: Mapping[str, Report], seed: int
) -> Trial:
    effects = [
        Effect(
            name,
            compare(
                metric, ("new", "base"), new[name].scores[metric], report.scores[metric],
                clusters=report.clusters, seed=seed,
            ),
        )
        for name, report in base.items()
        for metric in report.scores
        if report.scores[metric].keys() & new[name].scores.get(metric, {}).keys()
    ]  # fmt: skip
    return Trial(proposal, tuple(effects), *_seconds(new))


def _judging(benchmark: Benchmark) -> Benchmark:
    """Return the benchmark with the metrics that decide, its kind's own, and ordinary ranking."""
    kind = kind_or_ranking(benchmark.kind)
    metrics = list(kind.decides)
    if not metrics:
        by_name = {metric.name: metric for metric in benchmark.metrics}
        names = dict.fromkeys([*kind.main[:1], ORDINARY])
        metrics = [by_name[name] for name in names if name in by_name]
    return dataclasses.replace(benchmark, metrics=metrics, breakdowns=())


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

    One does that where it helps, and its gain in the metric that gained most surely on the first
    half is significant, corrected for the number of proposals. Other data chose these metrics.
    """
    promised = {
        (trial.proposal, best.benchmark, best.difference.metric)
        for trial in first
        if (gains := [effect for effect in trial.effects if effect.sure_gain])
        for best in [min(gains, key=lambda effect: effect.difference.p)]
    }
    asked = [
        (trial, effect)
        for trial in second
        for effect in trial.effects
        if (trial.proposal, effect.benchmark, effect.difference.metric) in promised
    ]
    corrected = holm([effect.difference.p for _, effect in asked])
    sure = [
        trial
        for (trial, effect), p in zip(asked, corrected, strict=True)
        if trial.helps and effect.sure_gain and p <= ALPHA
    ]
    return [trial for trial in second if trial in sure]


def _seconds(reports: Mapping[str, Report]) -> tuple[float, float]:
    index = sum(report.seconds.get("index", 0.0) for report in reports.values())
    total = sum(sum(report.seconds.values()) for report in reports.values())
    return index, total - index
