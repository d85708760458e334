"""Published numbers: quirks of released evaluation code, and averages that tables print."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

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


def with_rounded_scores(run: Run, decimals: int = 4) -> Run:
    """Return a run whose scores are rounded before ranking, which makes ties.

    Source: Taghavi et al., ImpliRet, the released index files.
    """
    return {
        query_id: {document_id: round(score, decimals) for document_id, score in ranking.items()}
        for query_id, ranking in run.items()
    }


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
