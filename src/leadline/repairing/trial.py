"""Try what may mend a system on one half of the sources, and confirm the best on the other."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from leadline.benchmark import Benchmark
from leadline.errors import InputError, LeadlineError
from leadline.evaluation import evaluate
from leadline.kinds.registry import kind_or_ranking
from leadline.metrics.names import may_rank
from leadline.metrics.significance import compare
from leadline.progress import track, warn
from leadline.repairing.halves import halves
from leadline.repairing.proposals import Proposal
from leadline.repairing.rules import (
    Effect,
    Trial,
    confirmed_by,
    lower_bound,
    with_losses_corrected,
)
from leadline.report import Report, unranked
from leadline.system import System

ORDINARY = "nDCG@10"
LIMIT = 600
"""Topics a probe: three times those of check, for one half of them must tell a gain from chance."""


@dataclass(frozen=True)
class Repair:
    """What came of trying.

    tried        every proposal on the first half, the best first
    confirmed    the chosen one on the second half; None where none helped on the first
    recommended  whether the second half confirms it
    others       further ones that helped on the first half, on the second one
    base_seconds of index and search of the system itself, on the first half
    base_bytes   of its largest index there; None where a stage cannot tell
    failed       proposals that could not run, and why
    """

    system: str
    tried: tuple[Trial, ...]
    confirmed: Trial | None
    base_seconds: tuple[float, float]
    topics: tuple[int, int]
    others: tuple[Trial, ...] = ()
    base_bytes: int | None = None
    failed: Mapping[str, str] = field(default_factory=dict)

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
    had no part in that, what a proposal gained in these is corrected for the number of proposals,
    so that on a system with nothing to mend chance is not mistaken for a gain. What a change costs
    ordinary queries is asked of both halves together. Of what is confirmed, another option is
    chosen before a further stage, for it costs nothing; then what gained most on the first half.
    A benchmark of which a half has no queries, or that the system cannot be asked, is left out, and
    told.

    Raises InputError when none is left, or a service left queries unanswered.
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
    # The first that the second half confirms; the first at all where it confirms none.
    chosen = next(iter(confirmed_by(confirming, tried)), None)
    confirmed = chosen or next(iter(confirming), None)
    others = tuple(trial for trial in confirming if trial is not confirmed)
    return Repair(
        system.name, tuple(tried), confirmed, _seconds(base), topics, others, _bytes(base), failed
    )


def _both_halves(
    benchmarks: Sequence[Benchmark], seed: int
) -> tuple[list[Benchmark], list[Benchmark]]:
    """Divide each benchmark; one of which a half has no queries is left out, and told."""
    split = [halves(each, seed) for each in benchmarks]
    both = [(a, b) for a, b in split if a.queries and b.queries]
    if not both:
        raise InputError(
            "Too few source documents to divide into two halves; raise --limit or add documents."
        )
    for each, _ in split:
        if each.name not in {a.name for a, _ in both}:
            warn(f"{each.name} is left out: too few source documents to divide into two halves.")
    return [a for a, _ in both], [b for _, b in both]


def _of_base(system: System, benchmarks: Sequence[Benchmark], seed: int) -> dict[str, Report]:
    """Evaluate the system itself where it can be asked; say where it cannot."""
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
    """Evaluate what may help; return also why some could not run, by name.

    A model that reads fewer tokens than it is asked to says so only here. What a service leaves
    unanswered is raised, for it may be as silent about the others.
    """
    reports, failed = {}, {}
    for proposal, built in track(candidates, "Trying what may help"):
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
    """Return the reports; queries that a service left unanswered would pass for a bad ranking."""
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
        if not unranked({**new[name].settings, **report.settings})
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
    """Return the benchmark with the metrics that decide, its kind's own, and ordinary ranking."""
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
    """Return the size of the largest index; None where one is not known."""
    sizes = [report.index_bytes for report in reports.values()]
    known = [size for size in sizes if size is not None]
    return max(known) if len(known) == len(sizes) else None
