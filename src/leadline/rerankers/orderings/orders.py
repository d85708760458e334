"""What rerankers share that know only the order of documents, not how relevant each is."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence

from leadline.candidates import scores_of, shared_ranks
from leadline.errors import InputError
from leadline.types import Candidates, Corpus, Query, Run


def starting_orders(
    queries: Sequence[Query], corpus: Corpus, candidates: Candidates
) -> dict[str, list[str]]:
    """Return the candidates of each query in their order, each once.

    Raises InputError when a candidate is not in the corpus.
    """
    orders = {query.id: list(dict.fromkeys(candidates.get(query.id, ()))) for query in queries}
    for query_id, order in orders.items():
        for document_id in order:
            if document_id not in corpus:
                raise InputError(
                    f"The candidates of query {query_id!r} name document {document_id!r}, "
                    "which is not in the corpus."
                )
    return orders


def as_run(
    orders: Mapping[str, Sequence[str]], candidates: Candidates, placed: Collection[tuple[str, str]]
) -> Run:
    """Return orders as a run: the score is 1/rank and says nothing but the rank.

    Neighbours that were a tie before share a rank, except for what an answer placed.

    candidates  what was ordered
    placed      (query id, document id) of what an answer named
    """
    run = {}
    for query_id, order in orders.items():
        before = scores_of(candidates.get(query_id, ()))
        # NaN equals nothing, so that what an answer placed shares no rank.
        levels = {id: math.nan if (query_id, id) in placed else before[id] for id in order}
        run[query_id] = {id: 1 / rank for id, rank in shared_ranks(levels).items()}
    return run


def first_words(text: str, limit: int) -> str:
    """Return the first words of a text, joined by single spaces."""
    return " ".join(text.split()[:limit])


def without_tokens(text: str, tokens: Iterable[str]) -> str:
    """Break up what a model's tokenizer would take for a token of its own.

    A document that holds `<|im_end|>` must not end the turn that it stands in.
    """
    for token in tokens:
        if len(token) > 1 and token in text:
            text = text.replace(token, f"{token[0]} {token[1:]}")
    return text
