"""What released evaluation code computes beside our metrics: quirks, further scores, averages."""

from collections.abc import Hashable, Mapping, Sequence
from itertools import pairwise
from statistics import fmean

from leadline.metrics.answers import _recall, _words, joined
from leadline.metrics.compliance import p_mrr
from leadline.metrics.ranks import rank_of
from leadline.types import Run


def recall_of_list(retrieved: Sequence[Hashable], relevant: Sequence[Hashable], k: int) -> float:
    """Recall at k divided by the length of the list of relevant ids, duplicates and all.

    Source: princeton-nlp/LitSearch, utils.calculate_recall on the first k ids.
    """
    found = len(set(retrieved[:k]) & set(relevant))
    return found / len(relevant) if relevant else 0.0


def ndcg_by_reciprocal_rank(
    retrieved: Sequence[Hashable], relevant: Sequence[Hashable], k: int
) -> float:
    """NDCG at k that discounts by the rank itself, over an ideal that is not cut at k.

    Source: princeton-nlp/LitSearch, utils.calculate_ndcg on the first k ids.
    """
    gained = sum(1 / rank for rank, each in enumerate(retrieved[:k], 1) if each in relevant)
    ideal = sum(1 / rank for rank in range(1, len(relevant) + 1))
    return gained / ideal if relevant else 0.0


def follows_from_cells(printed: str, cells: Sequence[str]) -> bool:
    """Tell whether a printed average can be the mean of the printed cells.

    Every number stands for all those that round to it: the mean of the cells may be off by half
    a unit of their last digit, and the average by half a unit of its own.
    """
    slack = sum(_half_unit(cell) for cell in cells) / len(cells) + _half_unit(printed)
    mean = sum(map(float, cells)) / len(cells)
    return abs(mean - float(printed)) <= slack * (1 + 1e-9)


def _half_unit(number: str) -> float:
    decimals = len(number.partition(".")[2])
    return 0.5 * 10.0**-decimals


def rouge2_recall(output: str, gold: str | Sequence[str]) -> float:
    """Share of the word pairs of the gold answer that the output holds, stemmed."""
    found, wanted = _words(output, True), _words(joined(gold), True)
    return _recall(list(pairwise(found)), list(pairwise(wanted)))


def rouge_l_recall(output: str, gold: str | Sequence[str]) -> float:
    """Length of the longest common subsequence of words over that of the gold, stemmed."""
    found, wanted = _words(output, True), _words(joined(gold), True)
    return _longest_common(found, wanted) / len(wanted) if wanted else 0.0


def _longest_common(a: Sequence[str], b: Sequence[str]) -> int:
    row = [0] * (len(b) + 1)
    for word in a:
        previous = row
        row = [0]
        for j, other in enumerate(b):
            row.append(previous[j] + 1 if word == other else max(row[j], previous[j + 1]))
    return row[-1]


def p_mrr_of_runs(
    original: Run, changed: Run, documents: Mapping[str, Sequence[str]]
) -> dict[str, float]:
    """Mean p-MRR, for each query in both runs, of the documents that became non-relevant."""
    return {
        id: fmean(p_mrr(rank_of(original[id], d), rank_of(changed[id], d)) for d in documents[id])
        for id in documents
        if id in original and id in changed and documents[id]
    }
