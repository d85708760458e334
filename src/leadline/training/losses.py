"""Loss functions of a retriever, over embeddings.

Shapes: B rows (a query and its document), R rephrasings and N hard negatives a row, D dimensions.
If rows have fewer, a mask marks the filled places. Other places, even nan, affect neither value nor
gradient. Gradients flow to every input.
"""

from __future__ import annotations

from typing import Any, Literal

from leadline.errors import needs

with needs("train"):
    import torch
    from torch import Tensor
    from torch.nn import functional

Candidates = Literal["batch", "own"]
Divisor = Literal["cluster", "rephrasings"]
Reduction = Literal["sum", "mean"]

SCALE = 20.0
"""What cosines are multiplied by before the softmax, as sentence-transformers does."""


def coherence_ranking_loss(*embeddings: Any, **options: Any) -> Tensor:
    """Rank positives first, and place rephrasings of a query together: the sum of the terms.

    Takes what `coherence_terms` takes. Returns a scalar, the mean over B.
    """
    return torch.stack(list(coherence_terms(*embeddings, **options).values())).sum()


def coherence_terms(
    query: Tensor,
    rephrasings: Tensor,
    positive: Tensor,
    negatives: Tensor | None = None,
    *,
    alignment: float,
    margin: float,
    scale: float = SCALE,
    rephrasing_mask: Tensor | None = None,
    negative_mask: Tensor | None = None,
    excluded: Tensor | None = None,
    divisor: Divisor = "cluster",
    per_dimension: bool = False,
    normalize: bool = False,
    compared_with: Candidates = "own",
    reduction: Reduction = "sum",
    candidates: Candidates = "batch",
) -> dict[str, Tensor]:
    """Return the weighted terms of the loss by name; a weight of 0 leaves a term out.

    query        [B, D] embeddings
    rephrasings  [B, R, D] equivalents of each query
    positive     [B, D]
    negatives    [B, N, D] hard negatives
    alignment    weight >= 0 of `query_embedding_alignment`
    margin       weight >= 0 of `similarity_margin_consistency`
    others       as those functions and `multiple_negatives_ranking` have them

    Raises ValueError when shapes do not fit together or a weight is below 0.
    Source: Campese et al., Improving Document Retrieval Coherence, eq. 2.
    """
    if alignment < 0 or margin < 0:
        raise ValueError(f"Weights must be at least 0, got {alignment} and {margin}.")
    terms = {
        "ranking": multiple_negatives_ranking(
            query, positive, negatives,
            scale=scale, negative_mask=negative_mask, excluded=excluded, candidates=candidates,
        )
    }  # fmt: skip
    if alignment:
        terms["alignment"] = alignment * query_embedding_alignment(
            query, rephrasings,
            rephrasing_mask=rephrasing_mask, divisor=divisor, per_dimension=per_dimension,
            normalize=normalize,
        )  # fmt: skip
    if margin:
        terms["margin"] = margin * similarity_margin_consistency(
            query, rephrasings, positive, negatives,
            rephrasing_mask=rephrasing_mask, negative_mask=negative_mask, excluded=excluded,
            compared_with=compared_with, reduction=reduction,
        )  # fmt: skip
    return terms


def query_embedding_alignment(
    query: Tensor,
    rephrasings: Tensor,
    *,
    rephrasing_mask: Tensor | None = None,
    divisor: Divisor = "cluster",
    per_dimension: bool = False,
    normalize: bool = False,
) -> Tensor:
    """Squared distance of a query and its rephrasings, as mean over the cluster.

    divisor        `cluster` counts the query itself, as the formula does; `rephrasings` does not
    per_dimension  mean over dimensions, as the text says, not their sum, as the formula does
    normalize      of unit vectors

    A row without rephrasings adds 0. Returns a scalar, the mean over B.
    Source: Campese et al., Improving Document Retrieval Coherence, eq. 2, first term.
    """
    rephrasings, mask = _filled(query, rephrasings, rephrasing_mask, "rephrasings")
    if normalize:
        query, rephrasings = _unit(query), _unit(rephrasings)
    squares = (query[:, None] - rephrasings).square()
    distances = (squares.mean(-1) if per_dimension else squares.sum(-1)).masked_fill(~mask, 0.0)
    counts = mask.sum(1) + (1 if divisor == "cluster" else 0)
    return (distances.sum(1) / counts.clamp(min=1)).mean()


def similarity_margin_consistency(
    query: Tensor,
    rephrasings: Tensor,
    positive: Tensor,
    negatives: Tensor | None = None,
    *,
    rephrasing_mask: Tensor | None = None,
    negative_mask: Tensor | None = None,
    excluded: Tensor | None = None,
    compared_with: Candidates = "own",
    reduction: Reduction = "sum",
) -> Tensor:
    """Squared difference of the margins that a query and its rephrasings give the positive.

    A margin is the cosine with the positive minus that with a negative.

    compared_with  `own` hard negatives; `batch` adds every document of the other rows, those that
                   `excluded` marks left out
    reduction      `mean` divides a row by the sizes of its cluster, the query counted, and of its
                   negatives

    A row without rephrasings or negatives adds 0. Returns a scalar, the mean over B.
    Source: Campese et al., Improving Document Retrieval Coherence, eq. 2, second term.
    """
    rephrasings, mask = _filled(query, rephrasings, rephrasing_mask, "rephrasings")
    negatives, negative_mask = _filled(query, negatives, negative_mask, "negatives")
    _check("positive", positive, positive.shape == query.shape, list(query.shape))
    # m(q, d+, d) - m(q_i, d+, d) is the product of two differences, of queries and of documents.
    moved = _unit(query)[:, None] - _unit(rephrasings)
    to_positive = (moved * _unit(positive)[:, None]).sum(-1)
    to_negatives = torch.einsum("brd,bnd->brn", moved, _unit(negatives))
    compared = negative_mask
    if compared_with == "batch":
        documents, held = _all_documents(positive, negatives, negative_mask)
        to_negatives = torch.einsum("brd,md->brm", moved, _unit(documents))
        compared = _others(held, query.shape[0], excluded) | _own_places(negative_mask)
    differences = (to_positive[:, :, None] - to_negatives).square()
    differences = differences.masked_fill(~(mask[:, :, None] & compared[:, None, :]), 0.0)
    sums = differences.sum((1, 2))
    if reduction == "mean":
        sums = sums / ((mask.sum(1) + 1) * compared.sum(1).clamp(min=1))
    return sums.mean()


def multiple_negatives_ranking(
    query: Tensor,
    positive: Tensor,
    negatives: Tensor | None = None,
    *,
    scale: float = SCALE,
    negative_mask: Tensor | None = None,
    excluded: Tensor | None = None,
    candidates: Candidates = "batch",
) -> Tensor:
    """Cross-entropy of the positive among the documents of the batch, over scaled cosines.

    excluded    [B, B + B * N], True for a document that a row is not ranked against: first the
                positives of all rows, then their negatives, row by row. For documents that are
                relevant though they stand in another row. Never hides a row's own positive.
    candidates  `own` ranks the positive against the row's own negatives only

    Returns a scalar, the mean over B.
    Source: Henderson et al. 2017; MultipleNegativesRankingLoss of sentence-transformers.
    """
    negatives, negative_mask = _filled(query, negatives, negative_mask, "negatives")
    _check("positive", positive, positive.shape == query.shape, list(query.shape))
    rows = query.shape[0]
    documents, held = _all_documents(positive, negatives, negative_mask)
    scores = scale * _unit(query) @ _unit(documents).T
    ranked = held.expand(rows, -1)
    if candidates == "own":
        ranked = _own_places(negative_mask)
    if excluded is not None:
        ranked = ranked & ~excluded
    targets = torch.arange(rows, device=query.device)
    ranked = ranked | (torch.arange(documents.shape[0], device=query.device) == targets[:, None])
    return functional.cross_entropy(scores.masked_fill(~ranked, -torch.inf), targets)


def _all_documents(
    positive: Tensor, negatives: Tensor, negative_mask: Tensor
) -> tuple[Tensor, Tensor]:
    """Return positives and negatives of all rows [B + B * N, D], and which places are filled."""
    filled = torch.ones(positive.shape[0], dtype=torch.bool, device=positive.device)
    documents = torch.cat([positive, negatives.reshape(-1, positive.shape[1])])
    return documents, torch.cat([filled, negative_mask.reshape(-1)])


def _own_places(negative_mask: Tensor) -> Tensor:
    """Return [B, B + B * N], True at the negatives of the row itself."""
    rows, most = negative_mask.shape
    own = torch.eye(rows, dtype=torch.bool, device=negative_mask.device)
    negatives = (own[:, :, None] & negative_mask[None]).reshape(rows, rows * most)
    return torch.cat([torch.zeros_like(own), negatives], dim=1)


def _others(held: Tensor, rows: int, excluded: Tensor | None) -> Tensor:
    """Return [B, B + B * N], True at the documents of other rows."""
    per_row = (held.shape[0] - rows) // rows
    own = torch.eye(rows, dtype=torch.bool, device=held.device)
    theirs = ~torch.cat([own, own.repeat_interleave(per_row, dim=1)], dim=1)
    theirs = theirs & held
    return theirs if excluded is None else theirs & ~excluded


def _filled(
    query: Tensor, members: Tensor | None, mask: Tensor | None, name: str
) -> tuple[Tensor, Tensor]:
    """Return members [B, M, D] with zeros where nothing stands, and the mask [B, M]."""
    if members is None:
        members = query.new_zeros(query.shape[0], 0, query.shape[1])
    _check(name, members, members.dim() == 3 and len(members) == len(query),
           f"[{query.shape[0]}, any, {query.shape[1]}]")  # fmt: skip
    if mask is None:
        return members, members.new_ones(members.shape[:2], dtype=torch.bool)
    places = members.shape[:2]
    _check(f"mask of the {name}", mask, mask.shape == places, list(places))
    return members.masked_fill(~mask[:, :, None], 0.0), mask


def _check(name: str, got: Tensor, fits: bool, wanted: Any) -> None:
    if not fits:
        raise ValueError(f"{name} must have the shape {wanted}, got {list(got.shape)}.")


def _unit(vectors: Tensor) -> Tensor:
    return functional.normalize(vectors, dim=-1)
