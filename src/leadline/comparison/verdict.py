"""The change of every metric between two output folders, and the verdict of a gate."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path
from typing import Any

from leadline.errors import InputError, unknown
from leadline.evaluation import WHY_NOT
from leadline.kinds.registry import kind_or_ranking
from leadline.metrics.names import read_name, record_of
from leadline.metrics.significance import Difference, compare, holm
from leadline.report import NotMeasured, Report, percentiles
from leadline.report.folder import read_folder

_MOST_SILENT = 0.01


@dataclass(frozen=True)
class Change:
    """The change of one metric of one system, from the first folder to the second.

    Attributes:
        change: Second minus first. Its `p_holm` is corrected over all changes.
        gain: The change, positive if it got better. 0 if the metric has no better direction.
        constant: No unit changed, so the change is not tested and not part of the correction.
    """

    benchmark: str
    system: str
    change: Difference
    constant: bool = False

    @property
    def gain(self) -> float:
        """The improvement; negative if it got worse."""
        better = record_of(self.change.metric).better
        sign = {"higher": 1, "lower": -1, "neither": 0}[better]
        return sign * self.change.difference

    @property
    def p_worse(self) -> float:
        """The one-sided p-value of a loss, corrected over all changes.

        It is half the two-sided value if the metric got worse, else 1.
        """
        return self.change.p_holm / 2 if self.gain < 0 else 1.0


TIMED = 100
"""With fewer queries than this, p95 is not compared: it would rest on fewer than five."""


@dataclass(frozen=True)
class Latency:
    """The p95 time of a query in both folders, in seconds, over the n queries that both have."""

    benchmark: str
    system: str
    n: int
    base: float
    new: float


@dataclass(frozen=True)
class Comparison:
    """All changes between two folders.

    Attributes:
        left_out: Systems and benchmarks that have no partner, in words.
        unanswered: Queries that a stage failed on, in words. The figures count these failures.
        unjudged: Why the second folder cannot pass a gate, in words: it lacks over 1 % more
            answers than the first, or results that only the first one has.
        latencies: Query times of systems that both folders ran one query at a time.
    """

    base: str
    new: str
    changes: tuple[Change, ...]
    left_out: tuple[str, ...] = ()
    unanswered: tuple[str, ...] = ()
    unjudged: tuple[str, ...] = ()
    latencies: tuple[Latency, ...] = ()


def compare_folders(
    base: str | Path,
    new: str | Path,
    *,
    metrics: Sequence[str] = (),
    base_system: str = "",
    new_system: str = "",
    seed: int = 0,
) -> Comparison:
    """Compare two output folders, paired by query or topic, and clustered by source document.

    Args:
        base: The output folder to compare with.
        new: The output folder to judge.
        metrics: Metrics to compare. Default: the main ones of each kind.
        base_system: A system of the first folder. By default systems are paired by name;
            single systems are paired with each other.
        new_system: A system of the second folder.
        seed: Makes the bootstrap intervals and randomization tests repeatable.

    Returns:
        All changes, with 95 % intervals and p-values.

    Raises:
        InputError: A folder cannot be read, or the two have nothing in common.
    """
    (first, gaps), (second, new_gaps) = read_folder(base), read_folder(new)
    ours = _same(_systems([*first, *gaps]), _systems([*second, *new_gaps]), base_system, new_system)
    pairs, left_out = _pairs(first, second, ours, new_gaps)
    never = {each for each in gaps if each in new_gaps and each.why == WHY_NOT}
    left_out += [_told(each, base) for each in gaps if each.system in ours and each not in never]
    left_out += [
        _told(each, new) for each in new_gaps if each.system in ours.values() and each not in never
    ]
    left_out += [
        f"Only one folder has query times of {b.system} on {b.benchmark}"
        for a, b in pairs
        if bool(a.query_seconds) != bool(b.query_seconds)
    ]
    found = [change for a, b in pairs for change in _changes(a, b, metrics, seed)]
    if not found:
        raise InputError(
            f"{base} and {new} have nothing in common to compare"
            + (f" ({'; '.join(left_out)})" if left_out else "")
            + ". Are both made from the same documents, with the same --seed and --limit?"
        )
    unanswered = [
        *(told for report, _ in pairs for told in _unanswered(report, base)),
        *(told for _, report in pairs for told in _unanswered(report, new)),
    ]
    unjudged = [told for pair in pairs if _silent(*pair) for told in _unanswered(pair[1], new)]
    measured = {(ours.get(report.system), report.benchmark) for report in first}
    unjudged += [_told(each, new) for each in new_gaps if (each.system, each.benchmark) in measured]
    return Comparison(
        str(base), str(new), _corrected(found), tuple(left_out), tuple(unanswered), tuple(unjudged),
        tuple(_latency(*pair) for pair in pairs if _both_timed(*pair)),
    )  # fmt: skip


def compare_systems(
    folder: str | Path, *, metrics: Sequence[str] = (), seed: int = 0
) -> Comparison:
    """Compare every pair of systems in one output folder, as `compare_folders` does."""
    reports, _ = read_folder(folder)
    found = [
        replace(change, system=f"{b.system} against {a.system}")
        for a, b in combinations(reports, 2)
        if a.benchmark == b.benchmark
        for change in _changes(a, b, metrics, seed)
    ]
    if not found:
        raise InputError(f"{folder} has no benchmark with two systems to compare.")
    return Comparison(str(folder), str(folder), _corrected(found))


def _corrected(found: Sequence[Change]) -> tuple[Change, ...]:
    """Return the changes with Holm's correction over all non-constant ones."""
    p_values = iter(holm([each.change.p for each in found if not each.constant]))
    return tuple(
        each if each.constant else replace(each, change=replace(each.change, p_holm=next(p_values)))
        for each in found
    )


def _both_timed(a: Report, b: Report) -> list[str]:
    return [query for query in a.query_seconds if query in b.query_seconds]


def _latency(a: Report, b: Report) -> Latency:
    shared = _both_timed(a, b)
    before, after = (
        percentiles({query: each.query_seconds[query] for query in shared})["query_p95"]
        for each in (a, b)
    )
    return Latency(a.benchmark, b.system, len(shared), before, after)


def _silent(before: Report, after: Report) -> bool:
    more = sum(after.failures.values()) - sum(before.failures.values())
    return more > _MOST_SILENT * len(after.clusters)


def _unanswered(report: Report, folder: str | Path) -> list[str]:
    return [
        f"{report.system} on {report.benchmark} in {folder} got no answer {count:,} times "
        f"({reason})"
        for reason, count in report.failures.items()
    ]


def _told(gap: NotMeasured, folder: str | Path) -> str:
    return f"{folder} has no figures of {gap.system} on {gap.benchmark}: {gap.why.rstrip('.')}"


def _same(
    names_a: list[str], names_b: list[str], base_system: str, new_system: str
) -> dict[str, str]:
    """Return which system of the second folder each one of the first is compared with."""
    if base_system or new_system or (len(names_a) == len(names_b) == 1):
        a = base_system or new_system or names_a[0]
        b = new_system or base_system or names_b[0]
        for name, known in ((a, names_a), (b, names_b)):
            if name not in known:
                raise unknown("system", name, known, f"There are {', '.join(known)}.")
        return {a: b}
    return {name: name for name in names_a}


def _pairs(
    first: list[Report], second: list[Report], ours: dict[str, str], gaps: list[NotMeasured]
) -> tuple[list[tuple[Report, Report]], list[str]]:
    """Pair the reports on each benchmark, and return in words those without a partner."""
    known = {(each.benchmark, each.system) for each in gaps}
    others = {(report.benchmark, report.system): report for report in second}
    pairs = []
    alone: dict[str, list[str]] = {}
    for report in first:
        if report.system not in ours:
            continue
        other = others.get((report.benchmark, ours[report.system]))
        if other is not None:
            pairs.append((report, other))
        elif (report.benchmark, ours[report.system]) not in known:
            alone.setdefault(report.system, []).append(report.benchmark)
    return pairs, [
        f"only one folder has {system} on {', '.join(benchmarks)}"
        for system, benchmarks in alone.items()
    ]


def _systems(reports: Sequence[Report | NotMeasured]) -> list[str]:
    return list(dict.fromkeys(report.system for report in reports))


def _that_decide(a: Report, b: Report) -> list[str]:
    """Return the main metrics of a kind. If an older folder lacks one, return its stem instead."""
    return [
        name if name in a.scores and name in b.scores else read_name(name).base
        for name in kind_or_ranking(a.kind).main
        if record_of(name).better != "neither"
    ]


def _changes(a: Report, b: Report, metrics: Sequence[str], seed: int) -> list[Change]:
    wanted = metrics or _that_decide(a, b)
    return [
        Change(
            a.benchmark,
            b.system,
            compare(
                name, ("new", "base"), b.scores[name], a.scores[name],
                clusters=a.clusters, seed=seed,
            ),
            all(a.scores[name][unit] == b.scores[name][unit] for unit in both),
        )
        for name in wanted
        if (both := a.scores.get(name, {}).keys() & b.scores.get(name, {}).keys())
    ]  # fmt: skip


MAX_DROP = 0.01
ALPHA = 0.05


@dataclass(frozen=True)
class Verdict:
    """The decision of a gate.

    Attributes:
        failed: Changes worse by more than `max_drop`, significant at `alpha` (one-sided, with
            Holm's correction over all non-constant changes).
        max_drop: The largest loss that passes, in units of the metric.
        slower: Systems whose p95 time rose by more than the share that passes.
        too_few: Systems with too few queries to compare p95 times.
    """

    comparison: Comparison
    failed: tuple[Change, ...]
    max_drop: float
    alpha: float
    slower: tuple[Latency, ...] = ()
    too_few: tuple[Latency, ...] = ()

    @property
    def passed(self) -> bool:
        """Whether nothing failed, and enough queries were answered to decide."""
        return not self.failed and not self.slower and not self.comparison.unjudged


def judge(
    comparison: Comparison,
    *,
    max_drop: float = MAX_DROP,
    alpha: float = ALPHA,
    max_slower: float | None = None,
) -> Verdict:
    """Decide whether the second folder of a comparison is worse than the first.

    Raises InputError if a limit is out of range, or `max_slower` is given without query times.
    """
    if max_drop < 0:
        raise InputError(f"max_drop must be 0 or more, got {max_drop}.")
    if not 0 < alpha < 1:
        raise InputError(f"alpha must be between 0 and 1, got {alpha}.")
    failed = tuple(
        each for each in comparison.changes if -each.gain > max_drop and each.p_worse <= alpha
    )
    if max_slower is None:
        return Verdict(comparison, failed, max_drop, alpha)
    if not max_slower >= 0:  # also refuses nan
        raise InputError(f"max_slower must be 0 or more, got {max_slower}.")
    if not comparison.latencies:
        raise InputError(
            f"--max-slower needs query times, but {comparison.base} and {comparison.new} share no "
            "system that ran one query at a time. Only functions and services do."
        )
    few = tuple(each for each in comparison.latencies if each.n < TIMED)
    slower = tuple(
        each
        for each in comparison.latencies
        if each.n >= TIMED and each.new > each.base * (1 + max_slower)
    )
    return Verdict(comparison, failed, max_drop, alpha, slower, few)


def gate(
    base: str | Path,
    new: str | Path,
    *,
    max_drop: float = MAX_DROP,
    alpha: float = ALPHA,
    max_slower: float | None = None,
    **options: Any,
) -> Verdict:
    """Decide whether an output folder is significantly worse than another.

    `gate("main/", "branch/", max_drop=0.02).passed` is False after a loss of over 0.02.

    Args:
        base: The output folder to compare with.
        new: The output folder to judge.
        max_drop: The largest loss that passes, in units of the metric.
        alpha: Significance level of a loss: one-sided, corrected for the number of tests.
        max_slower: The largest rise of the p95 time that passes, as a share. None allows any.
        options: Options of `compare`.

    Returns:
        The verdict. It passes if nothing failed and enough queries were answered.

    Raises:
        InputError: A folder cannot be read, or a limit is out of range.
    """
    found = compare_folders(base, new, **options)
    return judge(found, max_drop=max_drop, alpha=alpha, max_slower=max_slower)
