"""Do the rephrasings of a query retrieve the same documents? Rank-biased overlap."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from statistics import fmean
from typing import Literal, TypeAlias

from leadline.errors import InputError
from leadline.metrics.ranks import Ties, check_scores, checked_k, ordered
from leadline.metrics.topics import by_topic, original_of
from leadline.types import Qrels, Query, Run

Variant: TypeAlias = Literal["ext", "truncated", "normalised", "average_overlap", "min"]
Pairs: TypeAlias = Literal["original", "all"]
VARIANTS: tuple[Variant, ...] = ("ext", "truncated", "normalised", "average_overlap", "min")


def rbo(
    a: Sequence[str],
    b: Sequence[str],
    *,
    p: float = 0.9,
    depth: int = 5,
    variant: Variant = "ext",
) -> float:
    """Rank-biased overlap of two lists of document ids, cut to `depth` first; in [0, 1].

    p        weight of depth: 0 looks at the first rank only, 1 at all alike (`ext` and
             `average_overlap` only)
    variant  `ext` extrapolates the last agreement beyond the lists (lengths may differ);
             `truncated` sums what is seen, so that identical lists give 1 - p^depth;
             `normalised` divides that by 1 - p^depth; `average_overlap` is the mean agreement;
             `min` is the lower bound. All but `ext` stop at the end of the shorter list.

    Two empty lists give 1, one empty list 0. Raises InputError on duplicates.
    Source: Webber et al. 2010, eq. 7, 11, 23 and 32.
    """
    checked_k(depth)
    _check_weight(p, variant)
    a, b = a[:depth], b[:depth]
    for ids in (a, b):
        if len(set(ids)) != len(ids):
            twice = next(each for each in ids if list(ids).count(each) > 1)
            raise InputError(f"Document {twice!r} stands twice in one list; RBO needs each once.")
    if not a or not b:
        return 1.0 if not a and not b else 0.0
    overlaps = _overlaps(a, b)
    if variant == "ext":
        return _extrapolated(overlaps, min(len(a), len(b)), p)
    return _up_to_shorter(overlaps[: min(len(a), len(b))], p, variant)


@dataclass(frozen=True)
class RBO:
    """Mean rank-biased overlap of the rankings of a topic's queries.

    Unit: topic with an original and at least one rephrasing (`pairs="original"`: the original
    against each), or with at least two queries (`pairs="all"`).
    """

    k: int = 5
    p: float = 0.9
    variant: Variant = "ext"
    pairs: Pairs = "original"
    ties: Ties = "trec"
    unit: str = field(default="topic", init=False)

    @property
    def name(self) -> str:
        """`RBO@5`."""
        return f"RBO@{self.k}"

    def __call__(self, queries: Sequence[Query], qrels: Qrels, run: Run) -> dict[str, float]:
        """Return the mean overlap by topic; a query that is not in the run retrieved nothing."""
        values = {}
        for topic, variants in by_topic(queries).items():
            tops = {query.id: top(run, query, self.k, self.ties) for query in variants}
            overlaps = [
                rbo(tops[a.id], tops[b.id], p=self.p, depth=self.k, variant=self.variant)
                for a, b in compared(variants, self.pairs)
            ]
            if overlaps:
                values[topic] = fmean(overlaps)
        return values


def compared(variants: Sequence[Query], pairs: Pairs) -> Iterator[tuple[Query, Query]]:
    """Yield the queries of a topic that are compared: the original with each, or all pairs."""
    if pairs not in ("original", "all"):
        raise InputError(f"pairs must be 'original' or 'all', got {pairs!r}.")
    if pairs == "all":
        yield from combinations(variants, 2)
        return
    original = original_of(variants)
    if original is not None:
        yield from ((original, query) for query in variants if query.id != original.id)


def top(run: Run, query: Query, k: int, ties: Ties) -> list[str]:
    """Return the first k document ids that a query retrieved."""
    ranking = run.get(query.id, {})
    check_scores(query.id, ranking)
    return ordered(ranking, ties)[:k]


def _check_weight(p: float, variant: str) -> None:
    if variant not in VARIANTS:
        raise InputError(f"variant must be one of {', '.join(VARIANTS)}, got {variant!r}.")
    highest_is_fine = variant in ("ext", "average_overlap")
    if not (0 <= p < 1 or (p == 1 and highest_is_fine)):
        raise InputError(f"p must lie in [0, 1), got {p}. At p=1 take variant='average_overlap'.")


def _overlaps(a: Sequence[str], b: Sequence[str]) -> list[int]:
    """Return how many ids the lists share at each depth, to the end of the longer one."""
    seen_a: set[str] = set()
    seen_b: set[str] = set()
    shared, overlaps = 0, []
    for depth in range(max(len(a), len(b))):
        if depth < len(a):
            seen_a.add(a[depth])
            shared += a[depth] in seen_b
        if depth < len(b):
            seen_b.add(b[depth])
            shared += b[depth] in seen_a
        overlaps.append(shared)
    return overlaps


def _extrapolated(overlaps: Sequence[int], shorter: int, p: float) -> float:
    longer = len(overlaps)
    at_shorter, at_longer = overlaps[shorter - 1], overlaps[-1]
    total = sum(p ** (d - 1) * x / d for d, x in enumerate(overlaps, 1))
    total += sum(
        p ** (d - 1) * at_shorter * (d - shorter) / (shorter * d)
        for d in range(shorter + 1, longer + 1)
    )
    tail = (at_longer - at_shorter) / longer + at_shorter / shorter
    return (1 - p) * total + p**longer * tail


def _up_to_shorter(overlaps: Sequence[int], p: float, variant: Variant) -> float:
    depth = len(overlaps)
    agreements = [x / d for d, x in enumerate(overlaps, 1)]
    if variant == "average_overlap":
        return fmean(agreements)
    if variant == "min":
        return _lower_bound(overlaps, p)
    truncated = (1 - p) * sum(p ** (d - 1) * a for d, a in enumerate(agreements, 1))
    return truncated / (1 - p**depth) if variant == "normalised" else truncated


def _lower_bound(overlaps: Sequence[int], p: float) -> float:
    if p == 0:
        return float(overlaps[0])
    last = overlaps[-1]
    seen = sum((x - last) * p**d / d for d, x in enumerate(overlaps, 1))
    return (1 - p) / p * (seen - last * math.log1p(-p))
