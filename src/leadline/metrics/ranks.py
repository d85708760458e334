"""Ranks and scores in one ranking, with rules for ties, missing documents and bad scores."""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterable, Mapping
from typing import Literal, TypeAlias

from leadline.errors import InputError

Ties: TypeAlias = Literal["trec", "stable", "id"]
"""The order of equal scores.

trec    scores as 32-bit floats; equal ones by document id, descending, as trec_eval does
stable  equal 64-bit scores keep the order of the run
id      equal 64-bit scores by document id, ascending, as the MS MARCO script does
"""

TIES: tuple[Ties, ...] = ("trec", "stable", "id")


def checked_k(k: int | None) -> int | None:
    """Return a valid cut-off, where None means none. Raises InputError if k is below 1."""
    if k is not None and k < 1:
        raise InputError(f"k must be at least 1, got {k}.")
    return k


def checked_ties(ties: Ties) -> Ties:
    """Return a known tie policy. Raises InputError for any other."""
    if ties not in TIES:
        raise InputError(f"ties must be one of {', '.join(TIES)}, got {ties!r}.")
    return ties


def check_scores(query_id: str, ranking: Mapping[str, float]) -> None:
    """Raise InputError, which names query, document and score, if a score is not finite."""
    if math.isfinite(sum(ranking.values())):
        return
    for document_id, score in ranking.items():
        if not math.isfinite(score):
            raise InputError(
                f"Query {query_id!r}: document {document_id!r} has the score {float(score)!r}. "
                "Scores must be finite numbers. Leave out documents without a score."
            )


def ordered(ranking: Mapping[str, float], ties: Ties) -> list[str]:
    """Return the document ids of a ranking, best first."""
    if checked_ties(ties) == "trec":
        pairs = sorted(zip(array("f", ranking.values()), ranking, strict=True), reverse=True)
        return [document_id for _, document_id in pairs]
    if ties == "id":
        return sorted(ranking, key=lambda document_id: (-ranking[document_id], document_id))
    return sorted(ranking, key=ranking.__getitem__, reverse=True)


def ranks_of(
    ranking: Mapping[str, float], document_ids: Iterable[str], ties: Ties
) -> dict[str, int]:
    """Return the rank, from 1, of the documents that the ranking has."""
    wanted = {id for id in document_ids if id in ranking}
    if not wanted:
        return {}
    return {id: rank for rank, id in enumerate(ordered(ranking, ties), 1) if id in wanted}


def rank_of(ranking: Mapping[str, float], document_id: str, ties: Ties = "stable") -> int:
    """Return the rank of a document. A missing one has the rank after the last."""
    return ranks_of(ranking, (document_id,), ties).get(document_id, len(ranking) + 1)


def score_of(ranking: Mapping[str, float], document_id: str) -> float:
    """Return the score of a document. A missing one has -infinity."""
    return ranking.get(document_id, -math.inf)
