"""What changed on every metric between two output folders, and the verdict of a gate."""

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
    """What one metric of one system changed by, from the first folder to the second.

    change     of the second minus the first; `p_holm` is corrected over all changes
    gain       the same, positive where it got better; 0 where the metric only describes
    constant   no unit changed, so that no test could tell: it is no part of the correction
    """

    benchmark: str
    system: str
    change: Difference
    constant: bool = False

    @property
    def gain(self) -> float:
        """By how much it got better, negative where it got worse."""
        better = record_of(self.change.metric).better
        sign = {"higher": 1, "lower": -1, "neither": 0}[better]
        return sign * self.change.difference

    @property
    def p_worse(self) -> float:
        """One-sided: how likely a loss as large is when nothing changed, over all changes.

        Half the two-sided value where it got worse, else 1.
        """
        return self.change.p_holm / 2 if self.gain < 0 else 1.0


TIMED = 100
"""Queries below which their p95 is not judged: it rests on fewer than five."""


@dataclass(frozen=True)
class Latency:
    """The p95 of what a query took in both folders, in seconds, over the n that both have."""

    benchmark: str
    system: str
    n: int
    base: float
    new: float


@dataclass(frozen=True)
class Comparison:
    """All changes between two folders.

    left_out    what could not be paired, in words
    unanswered  what a stage could not handle, such as queries that a service did not answer, in
                words: the figures count it as it is
    unjudged    what the second folder lacks so much of (beyond the first, more than 1 in 100) that
                it can pass no gate, in words; also what was left out of it alone
    latencies   of systems that both folders asked for one query at a time
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
    """Compare two output folders, paired by unit and clustered by source document.

    metrics      those to compare; none for the main ones of each kind
    base_system  which system of the first folder; empty pairs systems by name, or the only two
    new_system   which system of the second one

    Raises InputError when nothing can be paired.
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
        f"What a query of {b.benchmark} takes {b.system} is in one folder only"
        for a, b in pairs
        if bool(a.query_seconds) != bool(b.query_seconds)
    ]
    found = [change for a, b in pairs for change in _changes(a, b, metrics, seed)]
    if not found:
        raise InputError(
            f"{base} and {new} have nothing in common to compare"
            + (f" ({'; '.join(left_out)})" if left_out else "")
            + ". Were both made from the same documents, with the same --seed and --limit?"
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
    """Compare every two systems of one output folder; see `compare_folders`."""
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
    """Return the changes with Holm's correction over all that are not constant."""
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
    return f"{gap.benchmark} has no figures of {gap.system} in {folder}: {gap.why.rstrip('.')}"


def _same(
    names_a: list[str], names_b: list[str], base_system: str, new_system: str
) -> dict[str, str]:
    """Return system of the first folder -> that of the second: by name, or the two named."""
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
    """Pair reports on one benchmark; say what has no partner, unless it is a gap."""
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
        f"{system} on {', '.join(benchmarks)} is in one folder only"
        for system, benchmarks in alone.items()
    ]


def _systems(reports: Sequence[Report | NotMeasured]) -> list[str]:
    return list(dict.fromkeys(report.system for report in reports))


def _that_decide(a: Report, b: Report) -> list[str]:
    """Return the main metrics of a kind; where a folder of an older version lacks one, its stem."""
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
    """What a gate says of a comparison.

    failed    changes that got worse by more than `max_drop`, with one-sided significance `alpha`
              after Holm's correction over all changes that are not constant
    max_drop  in units of the metric, 0.01 being one point of nDCG
    slower    systems whose p95 rose by more than the share that passes
    too_few   those with too few queries to judge that
    """

    comparison: Comparison
    failed: tuple[Change, ...]
    max_drop: float
    alpha: float
    slower: tuple[Latency, ...] = ()
    too_few: tuple[Latency, ...] = ()

    @property
    def passed(self) -> bool:
        """Whether nothing failed, and enough was answered to tell."""
        return not self.failed and not self.slower and not self.comparison.unjudged


def judge(
    comparison: Comparison,
    *,
    max_drop: float = MAX_DROP,
    alpha: float = ALPHA,
    max_slower: float | None = None,
) -> Verdict:
    """Judge whether the second folder of a comparison is worse than the first.

    Raises InputError when a bound makes no sense, or nothing tells how slow a system is.
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
    if not max_slower >= 0:  # nor nan
        raise InputError(f"max_slower must be 0 or more, got {max_slower}.")
    if not comparison.latencies:
        raise InputError(
            f"{comparison.base} and {comparison.new} share no system that was asked for one query "
            "at a time, so nothing says what a query takes."
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
    """Judge whether an output folder is worse than another.

    Args:
        base: The output folder to compare with.
        new: The output folder that is judged.
        max_drop: The largest loss that passes, in units of the metric.
        alpha: How sure a loss must be to fail: one-sided, corrected.
        max_slower: The largest rise of the p95 of a query that passes, as a share; None: any.
        options: As `compare` has them.
    """
    found = compare_folders(base, new, **options)
    return judge(found, max_drop=max_drop, alpha=alpha, max_slower=max_slower)
