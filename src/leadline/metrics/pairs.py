"""Does a document that meets more conditions score higher? Win rates, ladders, flips.

A ladder is the scores of one topic: `scores[j]` of the document that meets j conditions. A tie is
a loss. A NaN score raises InputError unless `nan="loss"`, which counts its comparisons as losses.
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
    """Share of the pairs whose better document scores strictly higher, in [0, 1].

    Raises InputError when there is no pair, or when the numbers of scores differ.
    Source: Lu et al., MultiConIR, task 1 (WR_k).
    """
    _check_pairs("win rate", better, worse, nan)
    return fmean(a > b for a, b in zip(better, worse, strict=True))


def mean_difference(better: Sequence[float], worse: Sequence[float]) -> float:
    """Mean of the better score minus the worse, in units of the score.

    Two scores that are the same infinity have no difference: the pair is left out.
    Raises InputError when no pair is left, or when differences of both infinities meet.
    Source: Lu et al., MultiConIR, task 1 (avg_diff_k).
    """
    _check_pairs("mean score difference", better, worse, "reject")
    every = (a - b for a, b in zip(better, worse, strict=True))
    differences = [each for each in every if not math.isnan(each)]
    if not differences or {math.inf, -math.inf} <= set(differences):
        raise InputError(
            "The mean score difference is undefined: scores are infinite on both sides. "
            "Compare raw scores, or leave out documents that were not scored."
        )
    return fmean(differences)


def decline(win_rates: Sequence[float]) -> float:
    """Return the win rate of the first k minus that of the last; negative when it rises.

    Source: Lu et al., MultiConIR, task 1.
    """
    if not win_rates:
        raise InputError("The decline of no win rate at all is undefined.")
    return win_rates[0] - win_rates[-1]


def ladder_of_columns(row: Mapping[str, str], query: str = "Query10") -> list[str]:
    """Return the ladder in a row of a published table, lowest first.

    query  before the columns of a table of scores (`Query10_HN1`); empty for the texts (`HN1`)

    The table counts violated conditions (`HN1` violates one), a ladder those met.
    Raises InputError when a column is missing.
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
    """Win rates of d_k over d_(k-1), k = 1..n, of ladders of n + 1 scores each.

    Raises InputError when there is no ladder or their lengths differ.
    Source: Lu et al., MultiConIR, task 2 (WR_{k,k-1}).
    """
    length = _length_of("adjacent win rates", ladders)
    columns = [[ladder[j] for ladder in ladders] for j in range(length)]
    return [win_rate(columns[k], columns[k - 1], nan=nan) for k in range(1, length)]


def flip_rate(
    ladders_a: Sequence[Ladder], ladders_b: Sequence[Ladder], *, nan: NaN = "reject"
) -> float:
    """Share of the adjacent pairs won under one form of the query and not under the other.

    Row i of both must be the same item; the pairs of all items are pooled.
    Raises InputError when there is no pair, or when the shapes differ.
    Source: Lu et al., MultiConIR, task 3 (FR).
    """
    if len(ladders_a) != len(ladders_b):
        raise InputError(
            f"The flip rate compares the same items twice, got {len(ladders_a)} and "
            f"{len(ladders_b)} ladders."
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
    """What is made of the comparisons of WinRate. Unit: topic; without k, the mean over its k.

    Reads queries with the facets `style` and `k`, whose qrels have one document of grade k and one
    of grade k - 1; not those of published tables that are for ladders (facet `task`: 2).
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
    """Under q_k, the document that meets all k conditions beats the one that misses one."""

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
    """The comparisons of WinRate that are ties: losses that are no reversals."""

    stem = "TieRate"

    def _value(self, pairs: Sequence[tuple[float, float]]) -> float:
        return fmean(better == worse for better, worse in pairs)


@dataclass(frozen=True)
class ScoreDifference(_OfPairs):
    """Mean of the better score minus the worse, of pairs with both documents in the run."""

    stem = "ScoreDifference"

    def _value(self, pairs: Sequence[tuple[float, float]]) -> float | None:
        scored = [(a, b) for a, b in pairs if math.isfinite(a) and math.isfinite(b)]
        return mean_difference(*zip(*scored, strict=True)) if scored else None


@dataclass(frozen=True)
class Adjacent(Measure):
    """Under the query with all conditions, d_k beats d_(k-1).

    Unit: topic; without k, the mean over all pairs of its ladder. Only a query of two or more
    conditions whose qrels have one document of every grade 0..k has a ladder.
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
    """Adjacent pairs that are won in list style and not in prose, or the reverse.

    Unit: topic that has its full ladder in both styles.
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
    """Return, for each topic, the scores of grade k and of grade k - 1 under each of its q_k.

    A document that is missing from the run scores below every other. Topics without a query of
    that style (and k) are absent. Raises InputError when a grade has no or several documents.
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
    """Return, for each topic, the scores of d_0..d_n under its query with the most conditions.

    Topics whose query has no full ladder are absent; so is a ladder of one condition, whose only
    pair is a win rate's. A document that is missing from the run scores below every other.
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
    """Return the task of a published table that a query belongs to; empty for any other query."""
    return query.facets.get("task", "")


def _conditions(query: Query) -> int:
    stated = query.facets.get("k", "")
    if not (stated.isascii() and stated.isdigit() and int(stated) >= 1):
        raise InputError(
            f"Query {query.id!r} must say in its facet 'k' how many conditions it states, "
            f"got {stated!r}."
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
        raise InputError(f"The {metric} compares pairs, got {len(better)} and {len(worse)} scores.")
    if not better:
        raise InputError(f"The {metric} of no pair at all is undefined.")
    _check_nan(metric, [*better, *worse], nan)


def _check_nan(metric: str, scores: Sequence[float], nan: NaN) -> None:
    if nan not in ("reject", "loss"):
        raise InputError(f"nan must be 'reject' or 'loss', got {nan!r}.")
    if nan == "reject" and any(map(math.isnan, scores)):
        raise InputError(f"The {metric} met a score that is not a number; nan='loss' counts it.")


def _length_of(metric: str, ladders: Sequence[Ladder]) -> int:
    lengths = {len(ladder) for ladder in ladders}
    if not lengths:
        raise InputError(f"The {metric} of no ladder at all is undefined.")
    if len(lengths) > 1 or min(lengths) < 2:
        raise InputError(
            f"The {metric} needs ladders of one length, at least 2, got {sorted(lengths)}."
        )
    return lengths.pop()
