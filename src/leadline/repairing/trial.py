"""Try changes to a system on one half of the documents, and confirm the best on the other."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from leadline import __version__
from leadline.benchmark import Benchmark
from leadline.errors import InputError, LeadlineError
from leadline.evaluation import evaluate
from leadline.kinds.registry import kind_or_ranking
from leadline.metrics.names import may_rank, record_of
from leadline.metrics.significance import (
    FEWEST,
    Difference,
    bootstrap_interval,
    compare,
    holm,
    simes,
)
from leadline.metrics.topics import topic_of
from leadline.progress import track, warn
from leadline.repairing.proposals import Proposal
from leadline.report import Report
from leadline.system import System
from leadline.types import Query

ORDINARY = "nDCG@10"
LIMIT = 600
"""Topics of a probe: three times as many as in check, because each half must detect a gain."""
ALPHA = 0.05
MARGIN = 0.05
"""The largest loss that a change may cause in a metric, and to ordinary queries in nDCG@10."""
RISK = 0.1
"""Error rate of that bound for a change that costs exactly the margin."""


@dataclass(frozen=True)
class Effect:
    """The effect of a proposal on one metric of one benchmark, on paired units.

    gain  positive if it got better
    """

    benchmark: str
    difference: Difference

    @property
    def gain(self) -> float:
        """The improvement."""
        return self._sign * self.difference.difference

    @property
    def sure_gain(self) -> bool:
        """Whether the whole interval is on the better side of zero."""
        return self.gain > 0 and self._is_clear

    @property
    def likely_loss(self) -> bool:
        """Whether the whole interval is on the worse side of zero."""
        return self.gain < 0 and self._is_clear

    @property
    def sure_loss(self) -> bool:
        """Whether the loss is significant, and may be as large as the margin.

        Its p-value is corrected for all losses of all trials on the half.
        """
        worst = min(self._sign * self.difference.low, self._sign * self.difference.high)
        return self.likely_loss and self.difference.p_holm <= ALPHA and worst <= -MARGIN

    @property
    def _sign(self) -> int:
        return -1 if record_of(self.difference.metric).better == "lower" else 1

    @property
    def _is_clear(self) -> bool:
        return self.difference.low > 0 or self.difference.high < 0

    def as_json(self) -> dict[str, Any]:
        """Return its part of repair.json."""
        it = self.difference
        return {
            "benchmark": self.benchmark,
            "metric": it.metric,
            "before": it.mean_b,
            "after": it.mean_a,
            "change": it.difference,
            "low": it.low,
            "high": it.high,
            "p": it.p,
            "n": it.n,
        }


@dataclass(frozen=True)
class Trial:
    """The trial of one proposal on one half.

    search_seconds  wall-clock seconds for all queries of the half
    index_bytes     size of the largest index of the half; None if unknown
    ordinary_low    lower bound of the change in nDCG@10 on both halves together; None on the
                    first half, or if no probe has that metric
    """

    proposal: Proposal
    effects: tuple[Effect, ...]
    index_seconds: float
    search_seconds: float
    index_bytes: int | None = None
    ordinary_low: float | None = None

    @property
    def helps(self) -> bool:
        """Whether some metric got significantly better, and none significantly worse.

        nDCG@10 of ordinary queries is judged on both halves together, if that is known.
        """
        losses = [
            effect
            for effect in self.effects
            if effect.sure_loss
            and (self.ordinary_low is None or effect.difference.metric != ORDINARY)
        ]
        return not losses and any(effect.sure_gain for effect in self.effects)

    @property
    def keeps_ordinary(self) -> bool:
        """Whether ordinary queries lose significantly less than the margin."""
        return self.ordinary_low is None or self.ordinary_low > -MARGIN

    @property
    def mean_gain(self) -> float:
        """Mean gain over benchmarks and metrics."""
        return sum(effect.gain for effect in self.effects) / max(1, len(self.effects))

    def as_json(self) -> dict[str, Any]:
        """Return its part of repair.json."""
        return {
            "proposal": self.proposal.name,
            "why": self.proposal.why,
            "helps": self.helps,
            "mean gain": self.mean_gain,
            "seconds": {"index": self.index_seconds, "search": self.search_seconds},
            "index bytes": self.index_bytes,
            "nDCG@10 of both halves, lower bound": self.ordinary_low,
            "effects": [each.as_json() for each in self.effects],
        }


def lower_bound(
    new: Mapping[Hashable, float],
    base: Mapping[Hashable, float],
    *,
    clusters: Mapping[Hashable, Hashable] | None = None,
    seed: int = 0,
) -> float | None:
    """Return the one-sided lower bound (1 - `RISK`) of the mean change, or None with few units.

    new, base  unit -> value
    clusters   unit -> source document or topic; a missing unit is its own cluster
    """
    units = [unit for unit in new if unit in base]
    labels = [(clusters or {}).get(unit, unit) for unit in units]
    if len(set(labels)) < FEWEST:
        return None
    differences = [new[unit] - base[unit] for unit in units]
    return bootstrap_interval(differences, seed, clusters=labels, level=2 * RISK)[0]


def with_losses_corrected(trials: Sequence[Trial]) -> list[Trial]:
    """Return the trials of a half with Holm's correction of all losses.

    Among many metrics and proposals some fall by chance. That should not stop a repair.
    """
    fallen = [each for trial in trials for each in trial.effects if each.gain < 0]
    corrected = iter(holm([each.difference.p for each in fallen]))

    def judged(effect: Effect) -> Effect:
        if effect.gain >= 0:
            return effect
        return replace(effect, difference=replace(effect.difference, p_holm=next(corrected)))

    return [replace(trial, effects=tuple(map(judged, trial.effects))) for trial in trials]


def confirmed_by(second: Sequence[Trial], first: Sequence[Trial]) -> list[Trial]:
    """Return the trials on the second half that confirm the gains of the first, in order.

    A trial confirms if it helps, the metrics that gained on the first half are significant together
    (Simes), with a correction for the number of proposals (Holm), and ordinary queries lose
    significantly less than the margin.
    """
    asked = promised(first)
    tested = [trial for trial in second if trial.proposal in asked]
    corrected = holm([simes(p_values(trial, asked[trial.proposal])) for trial in tested])
    return [
        trial
        for trial, p in zip(tested, corrected, strict=True)
        if trial.helps and trial.keeps_ordinary and p <= ALPHA
    ]


def promised(first: Sequence[Trial]) -> dict[Proposal, set[tuple[str, str]]]:
    """Return (benchmark, metric) of the significant gains on the first half, by proposal."""
    found = {trial.proposal: set(_sure(trial)) for trial in first}
    return {proposal: gains for proposal, gains in found.items() if gains}


def p_values(trial: Trial, asked: Collection[tuple[str, str]]) -> list[float]:
    """Return the p-value of each requested metric, or 1 if it did not gain significantly."""
    sure = _sure(trial)
    return [sure.get(each, 1.0) for each in asked]


def _sure(trial: Trial) -> dict[tuple[str, str], float]:
    return {
        (each.benchmark, each.difference.metric): each.difference.p
        for each in trial.effects
        if each.sure_gain
    }


@dataclass(frozen=True)
class Repair:
    """The result of `repair`.

    Attributes:
        tried: Every proposal on the first half, the best first.
        confirmed: The chosen proposal on the second half, or None if none helped on the first.
        recommended: Whether the second half confirms it.
        others: Other proposals that helped on the first half, on the second half.
        base_seconds: Seconds that the unchanged system takes to index and search the first half.
        base_bytes: Size of its largest index there, or None if unknown.
        not_tried: Proposals that could not run, and why.
    """

    system: str
    tried: tuple[Trial, ...]
    confirmed: Trial | None
    base_seconds: tuple[float, float]
    topics: tuple[int, int]
    others: tuple[Trial, ...] = ()
    base_bytes: int | None = None
    not_tried: Mapping[str, str] = field(default_factory=dict)

    @property
    def recommended(self) -> bool:
        """Whether the second half confirms the chosen proposal."""
        return self.confirmed in confirmed_by(self.second, self.tried)

    @property
    def also(self) -> tuple[Trial, ...]:
        """Return the other proposals that help on the second half too."""
        confirmed = confirmed_by(self.second, self.tried)
        return tuple(each for each in self.others if each in confirmed)

    @property
    def second(self) -> list[Trial]:
        """Every trial on the second half, the chosen one first."""
        return [*([self.confirmed] if self.confirmed else []), *self.others]

    def as_json(self) -> dict[str, Any]:
        """Return repair.json."""
        confirmed = self.confirmed
        return {
            "leadline": __version__,
            "system": self.system,
            "recommended": confirmed.proposal.name if confirmed and self.recommended else None,
            "queries": {"tried on": self.topics[0], "confirmed on": self.topics[1]},
            "seconds": {"index": self.base_seconds[0], "search": self.base_seconds[1]},
            "index bytes": self.base_bytes,
            "ordinary queries may lose": MARGIN,
            "confirmed": confirmed and confirmed.as_json(),
            "also helps": [each.as_json() for each in self.also],
            "tried on the other half": [each.as_json() for each in self.second],
            "tried": [each.as_json() for each in self.tried],
            "not tried": dict(self.not_tried),
        }


def tried_on_halves(
    system: System,
    candidates: Sequence[tuple[Proposal, System]],
    benchmarks: Sequence[Benchmark],
    *,
    lacking: Mapping[str, str] | None = None,
    seed: int = 0,
) -> Repair:
    """Try every candidate on one half of the source documents, and confirm gains on the other.

    The first half chooses which gains of which proposals to confirm. The second half confirms them,
    with a correction for the number of proposals, so that chance is not mistaken for a gain. The
    loss of ordinary queries is measured on both halves together. Among confirmed proposals, another
    option is chosen before a further stage, then the largest gain on the first half. A benchmark is
    left out, with a note, if a half has no queries or the system cannot run it.

    lacking  proposals that cannot be built here, and why

    Raises InputError if no benchmark is left, or a service left queries unanswered.
    """
    first, second = _both_halves(benchmarks, seed)
    base = _of_base(system, first, seed)
    first, second = ([each for each in half if each.name in base] for half in (first, second))
    topics = sum(len(each.queries) for each in first), sum(len(each.queries) for each in second)
    reports, failed = _all_reports(candidates, first, seed)
    tried = with_losses_corrected(
        [_trial(each, found, base, seed) for each, found in reports.items()]
    )
    tried.sort(key=lambda trial: (not trial.helps, -trial.mean_gain))
    good = [trial.proposal for trial in tried if trial.helps]
    systems = dict(candidates)
    before = _reports(system, second, seed) if good else {}
    confirming = []
    for each in track(sorted(good, key=lambda each: each.cost), "Confirming"):
        after = _reports(systems[each], second, seed)
        low = _ordinary_low([(reports[each], base), (after, before)], seed)
        confirming.append(replace(_trial(each, after, before, seed), ordinary_low=low))
    confirming = with_losses_corrected(confirming)
    # The first confirmed trial, or the first trial if none is confirmed.
    chosen = next(iter(confirmed_by(confirming, tried)), None)
    confirmed = chosen or next(iter(confirming), None)
    others = tuple(trial for trial in confirming if trial is not confirmed)
    return Repair(
        system.name,
        tuple(tried),
        confirmed,
        _seconds(base),
        topics,
        others,
        _bytes(base),
        {**(lacking or {}), **failed},
    )


def halves(benchmark: Benchmark, seed: int = 0) -> tuple[Benchmark, Benchmark]:
    """Divide the queries by source document. Both halves keep the whole corpus.

    The source is the facet `document`, or else the topic. Its name and the seed decide the half.
    """

    def is_first(query: Query) -> bool:
        source = query.facets.get("document") or topic_of(query)
        text = f"{seed}/{source}".encode("utf-8", "surrogatepass")
        return hashlib.blake2b(text, digest_size=8).digest()[0] % 2 == 0

    first = [query for query in benchmark.queries if is_first(query)]
    others = [query for query in benchmark.queries if not is_first(query)]
    return benchmark.only(first), benchmark.only(others)


def _both_halves(
    benchmarks: Sequence[Benchmark], seed: int
) -> tuple[list[Benchmark], list[Benchmark]]:
    """Divide each benchmark. If a half has no queries, leave it out and print why."""
    split = [halves(each, seed) for each in benchmarks]
    both = [(a, b) for a, b in split if a.queries and b.queries]
    if not both:
        raise InputError(
            "Too few source documents to divide into two halves. Raise --limit or add documents."
        )
    for each, _ in split:
        if each.name not in {a.name for a, _ in both}:
            warn(f"{each.name} is left out: too few source documents to divide into two halves.")
    return [a for a, _ in both], [b for _, b in both]


def _of_base(system: System, benchmarks: Sequence[Benchmark], seed: int) -> dict[str, Report]:
    """Evaluate the unchanged system, and print which benchmarks it cannot run."""
    reports: dict[str, Report] = {}
    errors: list[LeadlineError] = []
    for each in benchmarks:
        try:
            reports[each.name] = evaluate(system, _judging(each), seed=seed)
        except LeadlineError as error:
            errors.append(error)
            warn(f"{each.name} is left out: {error}")
    if errors and not reports:
        raise errors[0]
    return _fair(system, reports)


def _all_reports(
    candidates: Sequence[tuple[Proposal, System]], benchmarks: Sequence[Benchmark], seed: int
) -> tuple[dict[Proposal, dict[str, Report]], dict[str, str]]:
    """Evaluate the proposals. Also return why some could not run, by name.

    A model that cannot read as many tokens as requested fails only here. Unanswered queries of a
    service are raised, because it may fail for the other proposals too.
    """
    reports, failed = {}, {}
    for proposal, built in track(candidates, "Trying changes"):
        try:
            reports[proposal] = _reports(built, benchmarks, seed)
        except LeadlineError as error:
            if built.own_corpus:
                raise
            failed[proposal.name] = str(error)
    return reports, failed


def _reports(system: System, benchmarks: Sequence[Benchmark], seed: int) -> dict[str, Report]:
    reports = {each.name: evaluate(system, _judging(each), seed=seed) for each in benchmarks}
    return _fair(system, reports)


def _fair(system: System, reports: dict[str, Report]) -> dict[str, Report]:
    """Return the reports. Raise InputError if a service left queries unanswered."""
    failures = [each for report in reports.values() for each in report.failures.items()]
    if failures and system.own_corpus:
        reason = failures[0][0]
        raise InputError(
            f"{system.name}: {sum(count for _, count in failures)} queries got no answer "
            f"({reason}), so a comparison would not be fair. Run it again when the service "
            "answers, or raise `timeout` and `retries` in its description."
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
    return Trial(proposal, tuple(effects), *_seconds(new), _bytes(new))


def _ordinary_low(
    halves: Sequence[tuple[Mapping[str, Report], Mapping[str, Report]]], seed: int
) -> float | None:
    """Return the lower bound of the change in nDCG@10 over all queries of both halves.

    halves  (reports of the changed system, of the system itself), by the name of the benchmark
    """
    values: tuple[dict[Hashable, float], dict[Hashable, float]] = ({}, {})
    clusters: dict[Hashable, Hashable] = {}
    for pair in halves:
        for into, reports in zip(values, pair, strict=True):
            for name, report in reports.items():
                for unit, value in report.scores.get(ORDINARY, {}).items():
                    into[name, unit] = value
                    clusters[name, unit] = report.clusters.get(unit, unit)
    return lower_bound(*values, clusters=clusters, seed=seed)


def _judging(benchmark: Benchmark) -> Benchmark:
    """Return the benchmark with the metrics that decide: its kind's own, and ordinary ranking."""
    kind = kind_or_ranking(benchmark.kind)
    metrics = list(kind.decides)
    if not metrics:
        by_name = {metric.name: metric for metric in benchmark.metrics}
        names = dict.fromkeys([*list(filter(may_rank, kind.main))[:1], ORDINARY])
        metrics = [by_name[name] for name in names if name in by_name]
    return replace(benchmark, metrics=metrics, breakdowns=())


def _seconds(reports: Mapping[str, Report]) -> tuple[float, float]:
    index = sum(report.seconds.get("index", 0.0) for report in reports.values())
    total = sum(sum(report.seconds.values()) for report in reports.values())
    return index, total - index


def _bytes(reports: Mapping[str, Report]) -> int | None:
    """Return the size of the largest index, or None if one is unknown."""
    sizes = [report.index_bytes for report in reports.values()]
    known = [size for size in sizes if size is not None]
    return max(known) if len(known) == len(sizes) else None
