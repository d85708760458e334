"""Describe what reasoning changed, in sentences and tables for the page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from leadline.report import Report

Table = tuple[str, tuple[str, ...], tuple[tuple[str, ...], ...]]


@dataclass(frozen=True)
class Reasoned:
    """What reasoning changed for one system on one probe.

    tables  title, names of the columns, and rows
    """

    probe: str
    system: str
    reasoning: Mapping[str, Any]
    sentences: tuple[str, ...]
    facts: tuple[tuple[str, str], ...]
    tables: tuple[Table, ...]


def reasoned(reports: Iterable[Report]) -> Iterator[Reasoned]:
    """Yield what the page shows of every report with reasoning."""
    for report in reports:
        if told := report.examined.get("reasoning"):
            yield _shown(report, told)


def _shown(report: Report, told: Mapping[str, Any]) -> Reasoned:
    tokens = told["tokens"]
    facts = (
        ("pairs reasoned about", f"{told['pairs']:,}"),
        ("tokens of a trace", f"median {tokens['median']:,.0f}, mean {tokens['mean']:,.0f}"),
        ("the longest", f"90 % within {tokens['90 %']:,.0f}, at most {tokens['most']:,.0f}"),
        ("tokens written", f"{tokens['total']:,.0f}, {tokens['by query']:,.0f} a query"),
        ("tokens of prompts", f"{tokens['asked']:,.0f}"),
    )
    return Reasoned(
        report.benchmark,
        report.system,
        told,
        (_change(told), *remarks(told)),
        facts,
        (_answers(told), _endings(told), *_slices(told)),
    )


def _change(told: Mapping[str, Any]) -> str:
    counts = told["queries"]
    return (
        f"{told['stage']} changes nDCG@10 from {told['before']:.3f} to {told['after']:.3f}. "
        f"Queries helped: {counts['helped']:,}, hurt: {counts['hurt']:,}, unchanged: "
        f"{counts['unchanged']:,}."
    )


def _answers(told: Mapping[str, Any]) -> Table:
    rows = tuple(
        (
            f"{each['said'] or 'no answer'}, {'relevant' if each['relevant'] else 'not relevant'}",
            f"{each['count']:,}",
            f"{each['tokens']:,.0f}",
        )
        for each in told["judgements"]
    )
    return "Its answers, and the judgements", ("answer", "pairs", "median tokens"), rows


def _endings(told: Mapping[str, Any]) -> Table:
    rows = tuple((ending, f"{count:,}") for ending, count in told["endings"].items())
    return "How traces ended", ("ending", "pairs"), rows


def _slices(told: Mapping[str, Any]) -> Iterator[Table]:
    yield (
        "nDCG@10 by the number of relevant documents",
        ("relevant documents", "queries", "before", "after"),
        tuple(map(_row, told["slices"])),
    )
    yield (
        "Relevant documents among the first 10, by grade",
        ("relevance", "documents", "before", "after"),
        tuple(map(_row, told["relations"])),
    )


def _row(each: Mapping[str, Any]) -> tuple[str, ...]:
    return each["name"], f"{each['count']:,}", f"{each['before']:.3f}", f"{each['after']:.3f}"


def remarks(told: Mapping[str, Any]) -> list[str]:
    """Return warnings about the scores of a stage that reasons."""
    said = {
        word: sum(each["count"] for each in told["judgements"] if each["said"] == word)
        for word in ("true", "false", "")
    }
    found = [
        f"The model never answered {word}: all {said[other]:,} answers are {other}."
        for word, other in (("true", "false"), ("false", "true"))
        if not said[word] and said[other]
    ]
    if said[""]:
        found.append(
            f"{said['']:,} of {told['pairs']:,} pairs have no answer. Each gets a score of 0.5."
        )
    forced = sum(count for ending, count in told["endings"].items() if "forced" in ending)
    if forced:
        found.append(
            f"{forced:,} of {told['pairs']:,} answers were forced, because the reasoning did not "
            "end in a readable answer."
        )
    return found
