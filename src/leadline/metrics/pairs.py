"""Does a document that meets more conditions score higher? Win rates, ladders, flips.

A ladder has the scores of one topic: `scores[j]` is that of the document that meets j conditions.
A tie is a loss. A NaN score raises InputError; with `nan="loss"` it counts as a loss.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Literal, TypeAlias

from leadline.errors import InputError
from leadline.metrics.ranks import check_scores, score_of
from leadline.metrics.record import Measure
from leadline.metrics.topics import by_topic, matching
from leadline.types import Qrels, Query, Run

NaN: TypeAlias = Literal["reject", "loss"]
Ladder: TypeAlias = Sequence[float]


def win_rate(better: Sequence[float], worse: Sequence[float], *, nan: NaN = "reject") -> float:
    """Return the share of pairs whose better document scores strictly higher, in [0, 1].

    Raises InputError if there is no pair, or the numbers of scores differ.
    Source: Lu et al., MultiConIR, task 1 (WR_k).
    """
    _check_pairs("win rate", better, worse, nan)
    return fmean(a > b for a, b in zip(better, worse, strict=True))


def mean_difference(better: Sequence[float], worse: Sequence[float]) -> float:
    """Return the mean of the better score minus the worse, in units of the score.

    Pairs with the same infinite score are left out. Raises InputError if no pair is left, or
    scores are infinite on both sides.
    Source: Lu et al., MultiConIR, task 1 (avg_diff_k).
    """
    _check_pairs("mean score difference", better, worse, "reject")
    every = (a - b for a, b in zip(better, worse, strict=True))
    differences = [each for each in every if not math.isnan(each)]
    if not differences or {math.inf, -math.inf} <= set(differences):
        raise InputError(
            "The mean score difference is undefined, because scores are infinite on both sides. "
            "Leave out documents without a score."
        )
    return fmean(differences)


def decline(win_rates: Sequence[float]) -> float:
    """Return the win rate of the first k minus that of the last; negative when it rises.

    Source: Lu et al., MultiConIR, task 1.
    """
    if not win_rates:
        raise InputError("decline() needs at least one win rate.")
    return win_rates[0] - win_rates[-1]


def ladder_of_columns(row: Mapping[str, str], query: str = "Query10") -> list[str]:
    """Return the ladder in a row of a published table, lowest first.

    query  prefix of the columns in a table of scores (`Query10_HN1`); empty for texts (`HN1`)

    The table counts violated conditions (`HN1` violates one), a ladder counts those met.
    Raises InputError if a column is missing.
    """
    before = f"{query}_" if query else ""
    stem = f"{before}HN"
    rests = [name.removeprefix(stem) for name in row if name.startswith(stem)]
    violated = sorted(int(rest) for rest in rests if rest.isdecimal())
    if f"{before}Positive" not in row or violated != list(range(1, len(violated) + 1)):
        raise InputError(
            f"A row needs the columns {before}Positive, {stem}1, {stem}2, ... without "
            f"gaps, got {', '.join(row)}."
        )
    return [row[f"{stem}{each}"] for each in reversed(violated)] + [row[f"{before}Positive"]]


def adjacent_win_rates(ladders: Sequence[Ladder], *, nan: NaN = "reject") -> list[float]:
    """Return the win rates of d_k over d_(k-1), k = 1..n, of ladders of n + 1 scores each.

    Raises InputError if there is no ladder or their lengths differ.
    Source: Lu et al., MultiConIR, task 2 (WR_{k,k-1}).
    """
    length = _length_of("adjacent win rates", ladders)
    columns = [[ladder[j] for ladder in ladders] for j in range(length)]
    return [win_rate(columns[k], columns[k - 1], nan=nan) for k in range(1, length)]


def flip_rate(
    ladders_a: Sequence[Ladder], ladders_b: Sequence[Ladder], *, nan: NaN = "reject"
) -> float:
    """Return the share of adjacent pairs won under one form of the query and not the other.

    Row i of both must be the same item. Raises InputError if there is no pair, or the shapes
    differ.
    Source: Lu et al., MultiConIR, task 3 (FR).
    """
    if len(ladders_a) != len(ladders_b):
        raise InputError(
            f"The flip rate needs two ladders for every item, got {len(ladders_a)} and "
            f"{len(ladders_b)}."
        )
    length = _length_of("flip rate", [*ladders_a, *ladders_b])
    _check_nan("flip rate", [s for ladder in (*ladders_a, *ladders_b) for s in ladder], nan)
    return fmean(
        (a[k] > a[k - 1]) != (b[k] > b[k - 1])
        for a, b in zip(ladders_a, ladders_b, strict=True)
        for k in range(1, length)
    )


@dataclass(frozen=True)
class _OfPairs(Measure):
    """A metric of the comparisons of WinRate. Unit: topic; without k, the mean over its k.

    It uses queries with the facets `style` and `k`, whose qrels have one document of grade k and
    one of grade k - 1. Queries of published tables for ladders (facet `task`: 2) are left out.
    """

    k: int | None = None
    style: str = "list"

    def __call__(self, queries: Sequence[Query], qrels: Qrels, run: Run) -> dict[str, float]:
        """Return the value by topic."""
        by_topic = pairs_by_topic(queries, qrels, run, self.style, self.k)
        found = {topic: self._value(pairs) for topic, pairs in by_topic.items()}
        return {topic: value for topic, value in found.items() if value is not None}

    def _value(self, pairs: Sequence[tuple[float, float]]) -> float | None:
        raise NotImplementedError


@dataclass(frozen=True)
class WinRate(_OfPairs):
    """How often, under q_k, the document that meets all k conditions beats one that misses one."""

    stem = "WinRate"

    def counts(self, queries: Sequence[Query], qrels: Qrels, run: Run) -> dict[str, int]:
        """Count the pairs, and those that are lost."""
        by_topic = pairs_by_topic(queries, qrels, run, self.style, self.k)
        lost = [not better > worse for pairs in by_topic.values() for better, worse in pairs]
        return {"n": len(lost), "lost": sum(lost)}

    def _value(self, pairs: Sequence[tuple[float, float]]) -> float:
        return fmean(better > worse for better, worse in pairs)


@dataclass(frozen=True)
class TieRate(_OfPairs):
    """The share of WinRate's comparisons that are ties."""

    stem = "TieRate"

    def _value(self, pairs: Sequence[tuple[float, float]]) -> float:
        return fmean(better == worse for better, worse in pairs)


@dataclass(frozen=True)
class ScoreDifference(_OfPairs):
    """Mean of the better score minus the worse, over pairs with both documents in the run."""

    stem = "ScoreDifference"

    def _value(self, pairs: Sequence[tuple[float, float]]) -> float | None:
        scored = [(a, b) for a, b in pairs if math.isfinite(a) and math.isfinite(b)]
        return mean_difference(*zip(*scored, strict=True)) if scored else None


@dataclass(frozen=True)
class Adjacent(Measure):
    """How often, under the query with all conditions, d_k beats d_(k-1).

    Unit: topic; without k, the mean over all pairs of its ladder. A ladder needs at least two
    conditions, and one document of every grade 0..k in the qrels.
    """

    stem = "Adjacent"
    k: int | None = None
    style: str = "list"

    def __call__(self, queries: Sequence[Query], qrels: Qrels, run: Run) -> dict[str, float]:
        """Return the share of won comparisons by topic."""
        values = {}
        for topic, ladder in ladders_by_topic(queries, qrels, run, self.style).items():
            wins = [ladder[k] > ladder[k - 1] for k in range(1, len(ladder))]
            if self.k is None:
                values[topic] = fmean(wins)
            elif self.k <= len(wins):
                values[topic] = float(wins[self.k - 1])
        return values


@dataclass(frozen=True)
class FlipRate(Measure):
    """The share of adjacent pairs won in list style and not in prose, or the reverse.

    Unit: topic with a full ladder in both styles.
    """

    stem = "FlipRate"

    def __call__(self, queries: Sequence[Query], qrels: Qrels, run: Run) -> dict[str, float]:
        """Return the share of flipped comparisons by topic."""
        lists = ladders_by_topic(queries, qrels, run, "list")
        prose = ladders_by_topic(queries, qrels, run, "prose")
        return {
            topic: flip_rate([lists[topic]], [prose[topic]])
            for topic in lists
            if topic in prose and len(lists[topic]) == len(prose[topic])
        }


def pairs_by_topic(
    queries: Iterable[Query], qrels: Qrels, run: Run, style: str, k: int | None = None
) -> dict[str, list[tuple[float, float]]]:
    """Return for each topic the scores of grade k and grade k - 1 under each of its q_k.

    A document that is not in the run scores below all others. Topics without a query of that
    style (and k) are absent. Raises InputError unless each grade has exactly one document.
    """
    topics: dict[str, list[tuple[float, float]]] = {}
    for topic, variants in by_topic(matching(queries, (("style", style),))).items():
        for query in variants:
            conditions = _conditions(query)
            if query.id not in qrels or k not in (None, conditions) or _task(query) == "2":
                continue
            grades = _by_grade(query, qrels)
            pair = tuple(_only(query, grades, each) for each in (conditions, conditions - 1))
            ranking = _ranking(query, run)
            better, worse = (score_of(ranking, document_id) for document_id in pair)
            topics.setdefault(topic, []).append((better, worse))
    return topics


def ladders_by_topic(
    queries: Iterable[Query], qrels: Qrels, run: Run, style: str
) -> dict[str, list[float]]:
    """Return for each topic the scores of d_0..d_n under its query with the most conditions.

    Topics without a full ladder of two or more conditions are absent. A document that is not in the
    run scores below all others.
    """
    ladders = {}
    asked = [query for query in matching(queries, (("style", style),)) if _task(query) != "1"]
    for topic, variants in by_topic(asked).items():
        longest = max(variants, key=_conditions)
        steps = _conditions(longest)
        grades = _by_grade(longest, qrels)
        if steps >= 2 and all(grade in grades for grade in range(steps + 1)):
            ranking = _ranking(longest, run)
            documents = [_only(longest, grades, grade) for grade in range(steps + 1)]
            ladders[topic] = [score_of(ranking, document_id) for document_id in documents]
    return ladders


def _task(query: Query) -> str:
    """Return the task of a query from a published table, or an empty string."""
    return query.facets.get("task", "")


def _conditions(query: Query) -> int:
    stated = query.facets.get("k", "")
    if not (stated.isascii() and stated.isdigit() and int(stated) >= 1):
        raise InputError(
            f"The facet 'k' of query {query.id!r} must be its number of conditions, got {stated!r}."
        )
    return int(stated)


def _by_grade(query: Query, qrels: Qrels) -> dict[int, list[str]]:
    grades: dict[int, list[str]] = {}
    for document_id, grade in qrels.get(query.id, {}).items():
        grades.setdefault(grade, []).append(document_id)
    return grades


def _only(query: Query, grades: Mapping[int, Sequence[str]], grade: int) -> str:
    documents = grades.get(grade, ())
    if len(documents) != 1:
        raise InputError(
            f"Query {query.id!r} needs one document of grade {grade} in its qrels, "
            f"got {len(documents)}. Keep documents of grade 0 in the qrels too."
        )
    return documents[0]


def _ranking(query: Query, run: Run) -> Mapping[str, float]:
    ranking = run.get(query.id, {})
    check_scores(query.id, ranking)
    return ranking


def _check_pairs(metric: str, better: Sequence[float], worse: Sequence[float], nan: NaN) -> None:
    if len(better) != len(worse):
        raise InputError(
            f"The {metric} needs equally many better and worse scores, got {len(better)} and "
            f"{len(worse)}."
        )
    if not better:
        raise InputError(f"The {metric} needs at least one pair.")
    _check_nan(metric, [*better, *worse], nan)


def _check_nan(metric: str, scores: Sequence[float], nan: NaN) -> None:
    if nan not in ("reject", "loss"):
        raise InputError(f"nan must be 'reject' or 'loss', got {nan!r}.")
    if nan == "reject" and any(map(math.isnan, scores)):
        raise InputError(
            f"The {metric} got a score that is not a number. Use nan='loss' to count it as a loss."
        )


def _length_of(metric: str, ladders: Sequence[Ladder]) -> int:
    lengths = {len(ladder) for ladder in ladders}
    if not lengths:
        raise InputError(f"The {metric} needs at least one ladder.")
    if len(lengths) > 1 or min(lengths) < 2:
        raise InputError(
            f"The {metric} needs ladders of equal length, at least 2, got {sorted(lengths)}."
        )
    return lengths.pop()
