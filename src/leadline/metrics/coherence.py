"""Metrics of coherence: whether rephrasings retrieve the same documents in the same order.

A query that is not in the run counts as having retrieved nothing.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from statistics import correlation, fmean
from typing import Any, Literal, TypeAlias

from leadline.errors import InputError
from leadline.metrics.ranks import Ties, check_scores, checked_k, ordered
from leadline.metrics.record import Measure
from leadline.metrics.significance import FEWEST
from leadline.metrics.topics import by_topic, original_of
from leadline.types import Corpus, Qrels, Query, Reranker, Run

Variant: TypeAlias = Literal["ext", "truncated", "normalised", "average_overlap", "min"]
Pairs: TypeAlias = Literal["original", "all"]
Over: TypeAlias = Literal["union", "intersection"]
Members: TypeAlias = Literal["others", "all"]
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

    p        weight of depth: 0 uses the first rank only, 1 weighs all ranks equally (`ext` and
             `average_overlap` only)
    variant  `ext` extrapolates the last agreement beyond the lists (lengths may differ);
             `truncated` sums over the lists only, so identical lists give 1 - p^depth;
             `normalised` divides that by 1 - p^depth; `average_overlap` is the mean agreement;
             `min` is the lower bound. All but `ext` stop at the end of the shorter list.

    Two empty lists give 1, one empty list 0. Raises InputError if a list has duplicates.
    Source: Webber et al. 2010, eq. 7, 11, 23 and 32.
    """
    checked_k(depth)
    _check_weight(p, variant)
    a, b = a[:depth], b[:depth]
    _check_distinct(a, b)
    if not a or not b:
        return 1.0 if not a and not b else 0.0
    overlaps = _overlaps(a, b)
    if variant == "ext":
        return _extrapolated(overlaps, min(len(a), len(b)), p)
    return _up_to_shorter(overlaps[: min(len(a), len(b))], p, variant)


def spearman(
    a: Sequence[str],
    b: Sequence[str],
    *,
    depth: int = 5,
    over: Over = "union",
) -> float | None:
    """Spearman's rank correlation of two lists, cut to `depth` first; in [-1, 1].

    over     `union`: a document missing from a list has rank depth + 1, ties share their mean
             rank, and a union of one document gives 1; `intersection`: of the shared documents

    Returns None if it is undefined: fewer than two shared documents, or no order to correlate.
    Raises InputError if a list has duplicates.
    Source: Campese et al., Improving Document Retrieval Coherence, section 4, which leaves open
    how lists with different members are compared.
    """
    checked_k(depth)
    if over not in ("union", "intersection"):
        raise InputError(f"over must be 'union' or 'intersection', got {over!r}.")
    a, b = a[:depth], b[:depth]
    _check_distinct(a, b)
    ranks_a = {document_id: rank for rank, document_id in enumerate(a, 1)}
    ranks_b = {document_id: rank for rank, document_id in enumerate(b, 1)}
    if over == "union":
        compared_ids = list(dict.fromkeys([*a, *b]))
        if len(compared_ids) == 1:
            return 1.0
    else:
        compared_ids = [document_id for document_id in a if document_id in ranks_b]
    return _correlation(
        _shared_ranks([ranks_a.get(each, depth + 1) for each in compared_ids]),
        _shared_ranks([ranks_b.get(each, depth + 1) for each in compared_ids]),
    )


def best_reranked(
    retrieved: Sequence[str], reranker_scores: Mapping[str, float], k: int = 50
) -> str | None:
    """Return the document that a reranker puts first among the first k, or None if there are none.

    Of equal scores, the earlier rank wins. Raises InputError if a document has no score.
    """
    checked_k(k)
    for document_id in retrieved[:k]:
        if not math.isfinite(reranker_scores.get(document_id, math.nan)):
            raise InputError(f"The reranker gave document {document_id!r} no finite score.")
    return max(retrieved[:k], key=lambda each: reranker_scores[each], default=None)


def reranking_opportunity(
    retrieved: Sequence[Sequence[str]],
    reranker_scores: Mapping[str, float],
    *,
    k: int = 50,
    members: Members = "others",
) -> float | None:
    """Return how often rephrasings keep the best document within a reranker's reach, in [0, 1].

    The share of a topic's queries whose first k documents include the one that a reranker puts
    first for the original query.

    retrieved        document ids by query, best first; the original query first
    reranker_scores  of the documents of the original query
    members          `others` counts the rephrasings; `all` also the original, which always has it

    Returns None if it is undefined: no rephrasing, or nothing retrieved for the original.
    Source: Campese et al., Improving Document Retrieval Coherence, section 4.4.
    """
    if members not in ("others", "all"):
        raise InputError(f"members must be 'others' or 'all', got {members!r}.")
    best = best_reranked(retrieved[0], reranker_scores, k) if retrieved else None
    counted = retrieved[1:] if members == "others" else retrieved
    if best is None or not counted:
        return None
    return fmean(best in ids[:k] for ids in counted)


_PAIRS = ("original", "all")


@dataclass(frozen=True)
class _OfVariants(Measure):
    """The mean of a comparison over pairs of a topic's queries.

    Unit: topic. `pairs="original"` compares the original with each rephrasing, `pairs="all"`
    compares all pairs. Topics without a pair that has a value are left out.
    """

    k: int = 5
    pairs: Pairs = field(default="original", kw_only=True)
    ties: Ties = field(default="trec", kw_only=True)

    def __call__(self, queries: Sequence[Query], qrels: Qrels, run: Run) -> dict[str, float]:
        """Return the mean by topic."""
        values = {}
        for topic, variants in by_topic(queries).items():
            tops = {query.id: top(run, query, self.k, self.ties) for query in variants}
            pairs = compared(variants, self.pairs)
            found = [self._value(tops[a.id], tops[b.id]) for a, b in pairs]
            if defined := [value for value in found if value is not None]:
                values[topic] = fmean(defined)
        return values

    def _value(self, a: Sequence[str], b: Sequence[str]) -> float | None:
        raise NotImplementedError


@dataclass(frozen=True)
class RBO(_OfVariants):
    """Mean rank-biased overlap of the rankings of a topic's queries."""

    stem = "RBO"
    p: float = 0.9
    variant: Variant = "ext"

    def counts(self, queries: Sequence[Query], qrels: Qrels, run: Run) -> dict[str, Any]:
        """Count the first k results that a rephrasing changes, and by the form that changes most.

        Forms with fewer than `FEWEST` cases are not named.
        """
        forms: dict[str, list[int]] = {}
        for variants in by_topic(queries).values():
            tops = {query.id: set(top(run, query, self.k, self.ties)) for query in variants}
            for a, b in compared(variants, self.pairs):
                here, there = tops[a.id], tops[b.id]
                changed = max(len(here), len(there)) - len(here & there)
                forms.setdefault(b.facets.get("kind", "other"), []).append(changed)
        every = [changed for some in forms.values() for changed in some]
        means = {form: fmean(some) for form, some in forms.items() if len(some) >= FEWEST}
        if not means:
            return {}
        form = max(means, key=lambda each: means[each])
        return {
            "n": len(every), "k": self.k, "changed": fmean(every), "form": form, "most": means[form]
        }  # fmt: skip

    def _value(self, a: Sequence[str], b: Sequence[str]) -> float:
        return rbo(a, b, p=self.p, depth=self.k, variant=self.variant)


@dataclass(frozen=True)
class Spearman(_OfVariants):
    """Mean rank correlation of the rankings of a topic's queries, over pairs that have one."""

    stem = "Spearman"
    over: Over = "union"

    def _value(self, a: Sequence[str], b: Sequence[str]) -> float | None:
        return spearman(a, b, depth=self.k, over=self.over)


@dataclass(frozen=True)
class Opportunity(Measure):
    """How often rephrasings keep a reranker's best document in the first k.

    reranker  reorders the first k documents of every original query
    corpus    that was searched

    Unit: topic with an original that found something, and a rephrasing.
    """

    stem = "Opportunity"
    reranker: Reranker = field(repr=False, hash=False)
    corpus: Corpus = field(repr=False, hash=False)
    k: int = 50
    members: Members = "others"
    ties: Ties = "trec"

    def __call__(self, queries: Sequence[Query], qrels: Qrels, run: Run) -> dict[str, float]:
        """Return the share of rephrasings by topic."""
        topics = by_topic(queries)
        originals = {name: original_of(variants) for name, variants in topics.items()}
        tops = {query.id: top(run, query, self.k, self.ties) for query in queries}
        asked = [each for each in originals.values() if each is not None and tops[each.id]]
        candidates = {each.id: tops[each.id] for each in asked}
        reranked = self.reranker.rerank(asked, self.corpus, candidates) if asked else {}
        values = {}
        for topic, original in originals.items():
            if original is None or original.id not in reranked:
                continue
            others = [query for query in topics[topic] if query.id != original.id]
            retrieved = [tops[query.id] for query in (original, *others)]
            share = reranking_opportunity(
                retrieved, reranked[original.id], k=self.k, members=self.members
            )
            if share is not None:
                values[topic] = share
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
        raise InputError(f"p must be in [0, 1), got {p}. For p=1 use variant='average_overlap'.")


def _check_distinct(*lists: Sequence[str]) -> None:
    for ids in lists:
        if len(set(ids)) != len(ids):
            twice = next(each for each in ids if list(ids).count(each) > 1)
            raise InputError(f"Document {twice!r} occurs twice in one list.")


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


def _shared_ranks(ranks: Sequence[int]) -> list[float]:
    """Rank the values from 1. Equal values share their mean rank."""
    ascending = sorted(ranks)
    return [(2 * ascending.index(rank) + ascending.count(rank) + 1) / 2 for rank in ranks]


def _correlation(x: Sequence[float], y: Sequence[float]) -> float | None:
    if len(x) < 2 or len(set(x)) == 1 or len(set(y)) == 1:
        return None
    return correlation(x, y)
