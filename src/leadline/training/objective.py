"""A loss of `losses` as the module that the sentence-transformers trainer calls."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from leadline.errors import needs
from leadline.training.losses import (
    multiple_negatives_ranking,
    query_embedding_alignment,
    similarity_margin_consistency,
)
from leadline.training.settings import LossSettings

with needs("train"):
    import torch
    from sentence_transformers.base.losses.gradcache import CachedLossMixin
    from torch import distributed


def gathered(own: torch.Tensor, count: int) -> torch.Tensor:
    """Return the embeddings [count, D] of the texts of all processes, in their order.

    own  of every so manieth text, as `Collator` divides them

    Every process then has the loss of the whole batch. Gradients flow to its own texts alone,
    times the number of processes, of which the trainer takes the mean: those of a single process.
    """
    if not (distributed.is_available() and distributed.is_initialized()):
        return own
    world = distributed.get_world_size()
    missing = -(-count // world) - len(own)
    own = torch.cat([own, own.new_zeros(missing, own.shape[1])])
    every = [torch.empty_like(own) for _ in range(world)]
    distributed.all_gather(every, own.detach().contiguous())
    every[distributed.get_rank()] = own + (world - 1) * (own - own.detach())
    return torch.stack(every).transpose(0, 1).reshape(-1, own.shape[1])[:count]


class Objective(CachedLossMixin, torch.nn.Module):
    """The loss of a batch as `Collator` makes it; weights of 0 leave terms out.

    mini_batch_size  texts whose activations are in memory at a time, by gradient caching; 0 for
                     all of the batch
    """

    def __init__(self, model: Any, loss: LossSettings, *, mini_batch_size: int = 0) -> None:
        super().__init__()
        self.model = model
        self.loss: Any = loss
        self.mini_batch_size = mini_batch_size
        self.uses_gradient_cache = mini_batch_size > 0

    def forward(self, sentence_features: Iterable[dict[str, Any]], labels: Any) -> Any:
        """Return the terms by name; with gradient caching their sum."""
        features = list(sentence_features)
        if self.uses_gradient_cache:
            return self.forward_cached(features, labels)
        return self.terms([self.model(each)["sentence_embedding"] for each in features], labels)

    def calculate_loss(self, reps: Any, labels: Any = None, *, with_backward: bool = False) -> Any:
        """Return the sum of the terms, for gradient caching."""
        terms = self.terms([torch.cat(each) for each in reps], labels)
        loss = torch.stack(list(terms.values())).sum()
        if with_backward:
            loss.backward()
            return loss.detach()
        return loss

    def terms(self, embeddings: list[torch.Tensor], places: dict[str, torch.Tensor]) -> Any:
        """Return the weighted terms of the loss by name.

        embeddings  of the distinct queries [Q, D] and of the distinct documents [P, D], or of this
                    process's part of them
        """
        queries, documents = (
            gathered(own, int(places[side].max()) + 1)
            for own, side in zip(embeddings, ("queries", "documents"), strict=True)
        )
        queries, query_mask = _rows(queries, places["queries"])
        documents, document_mask = _rows(documents, places["documents"])
        query, rephrasings, mask = queries[:, 0], queries[:, 1:], query_mask[:, 1:]
        positive, negatives = documents[:, 0], documents[:, 1:]
        negative_mask, excluded = document_mask[:, 1:], _excluded(places)
        alignment, margin = self.loss.weights
        terms = {
            "ranking": multiple_negatives_ranking(
                query, positive, negatives,
                scale=self.loss.scale, negative_mask=negative_mask, excluded=excluded,
                candidates=self.loss.candidates,
            )
        }  # fmt: skip
        if alignment:
            terms["alignment"] = alignment * query_embedding_alignment(
                query, rephrasings, rephrasing_mask=mask, divisor=self.loss.divisor,
                per_dimension=self.loss.per_dimension, normalize=self.loss.normalize,
            )  # fmt: skip
        if margin:
            terms["margin"] = margin * similarity_margin_consistency(
                query, rephrasings, positive, negatives,
                rephrasing_mask=mask, negative_mask=negative_mask, excluded=excluded,
                compared_with=self.loss.compared_with, reduction=self.loss.reduction,
            )  # fmt: skip
        return terms


def _rows(embeddings: torch.Tensor, places: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Return [B, M, D], with some other text's embedding where a row has none, and the mask."""
    return embeddings[places.clamp(min=0)], places >= 0


def _excluded(places: dict[str, torch.Tensor]) -> torch.Tensor:
    """Return [B, B + B * N], True where a document is right for the cluster of the row's query."""
    documents = places["documents"]
    candidates = torch.cat([documents[:, 0], documents[:, 1:].reshape(-1)])
    none = int(documents.max()) + 1
    right = torch.zeros(len(documents), none + 1, dtype=torch.bool, device=documents.device)
    answers = places["answers"]
    right.scatter_(1, answers.where(answers >= 0, none), True)
    return right[:, candidates.clamp(min=0)]
