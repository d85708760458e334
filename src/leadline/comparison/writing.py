"""Write a comparison as JSON, JUnit XML, or Markdown for a pull request."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any
from xml.etree import ElementTree

from leadline.comparison.verdict import Change, Comparison, Latency, Verdict
from leadline.metrics.names import label_of, record_of
from leadline.metrics.significance import FEWEST, NOTICED, Difference, least_noticed
from leadline.report.wording import latency


def as_json(comparison: Comparison, verdict: Verdict | None = None) -> dict[str, Any]:
    """Return the comparison as JSON, with the verdict of a gate if there is one."""
    changes = [
        {"benchmark": each.benchmark, "system": each.system, **asdict(each.change)}
        | {"gain": each.gain, "least_noticed": least}
        | ({"failed": each in verdict.failed} if verdict else {})
        for each, least in _least_noticed(comparison, verdict)
    ]
    told: dict[str, Any] = {"base": comparison.base, "new": comparison.new, "changes": changes}
    if comparison.latencies:
        told["query_p95"] = [asdict(each) for each in comparison.latencies]
    if verdict:
        told |= {"passed": verdict.passed, "max_drop": verdict.max_drop, "alpha": verdict.alpha}
        told["slower"] = [asdict(each) for each in verdict.slower]
    return told | {
        "left_out": list(comparison.left_out),
        "unanswered": list(comparison.unanswered),
        "too_few": too_few(comparison, verdict),
    }


def as_junit(verdict: Verdict) -> str:
    """Return the verdict as JUnit XML, with a test case for every change."""
    changes = verdict.comparison.changes
    suite = ElementTree.Element(
        "testsuite",
        name="leadline gate",
        tests=str(len(changes) + len(verdict.slower)),
        failures=str(len(verdict.failed) + len(verdict.slower)),
        errors="0",
        skipped="0",
    )
    for each in changes:
        name = _printable(f"{each.benchmark}: {each.change.metric}")
        case = ElementTree.SubElement(
            suite, "testcase", classname=_printable(each.system), name=name
        )
        if each in verdict.failed:
            ElementTree.SubElement(case, "failure", message=in_words(each))
    for slow in verdict.slower:
        name = _printable(f"{slow.benchmark}: p95 of a query")
        case = ElementTree.SubElement(
            suite, "testcase", classname=_printable(slow.system), name=name
        )
        ElementTree.SubElement(case, "failure", message=latency_in_words(slow))
    return '<?xml version="1.0" encoding="utf-8"?>\n' + ElementTree.tostring(
        suite, encoding="unicode"
    )


def as_markdown(comparison: Comparison, verdict: Verdict | None = None) -> str:
    """Return a table for a comment on a pull request."""
    failed: Sequence[Change] = verdict.failed if verdict else ()
    lines = []
    if verdict:
        lines += [f"**Retrieval gate: {'passed' if verdict.passed else 'FAILED'}** "
                  f"(largest drop allowed {verdict.max_drop:g})", ""]  # fmt: skip
    lines += [
        "| benchmark | system | metric | n | base | new | change | 95 % interval | p (Holm) | |",
        "|---|---|---|---:|---:|---:|---:|---|---:|---|",
    ]
    for each in comparison.changes:
        it = each.change
        mark = "worse" if each in failed else ""
        lines.append(
            f"| {_cell(each.benchmark)} | {_cell(each.system)} | {_cell(label_of(it.metric))} | "
            f"{it.n:,} | {it.mean_b:.3f} | {it.mean_a:.3f} | {it.difference:+.3f} | "
            f"{interval_in_words(it)} | {it.p_holm:.3f} | {mark} |"
        )
    lines += ["", *(f"{_cell(latency_in_words(each))}." for each in comparison.latencies)]
    lines += ["", *(f"Left out: {_cell(each)}" for each in comparison.left_out)]
    lines += [f"{_cell(each)}." for each in comparison.unanswered]
    lines += [_cell(each) for each in too_few(comparison, verdict)]
    return "\n".join(lines).rstrip() + "\n"


def too_few(comparison: Comparison, verdict: Verdict | None = None) -> list[str]:
    """Return a note for systems with too few cases to detect a change of 0.05."""
    found: dict[tuple[str, str, int], list[str]] = {}
    for each, least in _least_noticed(comparison, verdict):
        it = each.change
        low, high = record_of(it.metric).span or (0.0, math.inf)
        none = it.n < FEWEST or least >= high - low
        if none or (least > NOTICED and high < math.inf):
            size = "of any size" if none else f"below {least:.2f}"
            told = found.setdefault((each.system, each.benchmark, it.n), [])
            told.append(f"{size} ({label_of(it.metric)})")
    return [
        f"{system} on {benchmark}: {n:,} cases are too few to detect a change {', '.join(sizes)}."
        for (system, benchmark, n), sizes in found.items()
    ]


def _least_noticed(comparison: Comparison, verdict: Verdict | None) -> list[tuple[Change, float]]:
    """Return the smallest change of each metric that is detectable at the gate's level, or 5 %."""
    tests = sum(not each.constant for each in comparison.changes) or 1
    alpha = min(2 * verdict.alpha, 1.0) if verdict else 0.05
    return [
        (each, least_noticed(each.change.low, each.change.high, tests=tests, alpha=alpha))
        for each in comparison.changes
    ]


def in_words(change: Change) -> str:
    """Return a change in one line."""
    it = change.change
    interval = interval_in_words(it) if it.n < FEWEST else f"95 % interval {interval_in_words(it)}"
    return _printable(
        f"{change.system} on {change.benchmark}: {it.metric} {it.mean_b:.3f} -> {it.mean_a:.3f} "
        f"({it.difference:+.3f}, {interval}, "
        f"p {it.p_holm:.3f} after correction, n {it.n})"
    )


def latency_in_words(it: Latency) -> str:
    """Return the change of a query time in one line."""
    before, after = (latency({"": value}).partition(" / ")[0] for value in (it.base, it.new))
    return _printable(
        f"{it.system} on {it.benchmark}: p95 of a query {before} -> {after} "
        f"({it.new / (it.base or 1e-9) - 1:+.0%}, n {it.n:,})"
    )


def interval_in_words(it: Difference) -> str:
    """Return the interval of a difference, or that there are too few units for one."""
    return "too few" if it.n < FEWEST else f"{it.low:+.3f} to {it.high:+.3f}"


def _cell(text: str) -> str:
    """Return text for one cell of a Markdown table, with markup escaped."""
    escaped = "".join(f"\\{c}" if c in "\\|*_`[]<>#&!" else c for c in _printable(text))
    return escaped.replace("\n", " ")


def _printable(text: str) -> str:
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text)
