"""From examples to a loss: rows, batches in which each distinct text is encoded once, and terms."""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from leadline import progress
from leadline.errors import InputError, needs
from leadline.training.data import TrainingExample
from leadline.training.losses import (
    multiple_negatives_ranking,
    query_embedding_alignment,
    similarity_margin_consistency,
)
from leadline.training.settings import LossSettings, process, processes

with needs("train"):
    import torch
    from sentence_transformers.base.losses.gradcache import CachedLossMixin
    from torch import distributed

DOCUMENTS = "query_document"
"""Examples of a query and its document."""

QUERIES = "query_query"
"""Examples of a query and an equivalent of it, in the place of the document."""


class Clusters:
    """Queries that are equivalents of each other, and what answers any of them.

    Examples that share a query or a rephrasing are of one cluster. Its texts and the positives of
    all its examples are never negatives of one of its queries.
    """

    def __init__(self, examples: Iterable[TrainingExample]) -> None:
        self._next: dict[str, str] = {}
        examples = list(examples)
        for each in examples:
            for text in each.rephrasings:
                self._next[self._first(text)] = self._first(each.query)
        self._members: dict[str, set[str]] = {}
        self._answers: dict[str, set[str]] = {}
        for each in examples:
            first = self._first(each.query)
            self._members.setdefault(first, set()).update((each.query, *each.rephrasings))
            self._answers.setdefault(first, set()).add(each.positive)

    def equivalents(self, query: str) -> set[str]:
        """Return the queries of its cluster."""
        return self._members.get(self._first(query), {query})

    def answers(self, query: str) -> set[str]:
        """Return the documents that answer a query of its cluster."""
        return self._answers.get(self._first(query), set())

    def _first(self, text: str) -> str:
        """Return the text that stands for its cluster, by the shortest way next time."""
        first = text
        while (follows := self._next.get(first, first)) != first:
            first = follows
        while text != first:
            self._next[text], text = first, self._next.get(text, first)
        return first


def example_sets(
    examples: Sequence[TrainingExample], loss: LossSettings, seed: int = 0
) -> dict[str, list[TrainingExample]]:
    """Return the rows that a loss is trained on, by the name of their set.

    With augmentation every rephrasing is a query with the positive and the negatives of its
    original, and the rest of the cluster as rephrasings. A negative that answers the query or an
    equivalent of it by another example is left out. For `qq` the second set has, for each
    example with rephrasings, a pair of two queries of its cluster, drawn by the seed.

    Raises InputError when there are no examples, or none with rephrasings where the
    loss needs them.
    """
    if len(examples) < 2:
        raise InputError(f"Training needs at least 2 examples, got {len(examples)}.")
    with_rephrasings = [each for each in examples if each.rephrasings]
    if loss.loss != "mnr" and not with_rephrasings:
        raise InputError(
            f"The loss {loss.loss!r} needs rephrasings, and no example has any. Take --loss mnr, "
            "or examples with rephrasings."
        )
    clusters = Clusters(examples)
    rows = [_without_answers(each, clusters.answers(each.query)) for each in examples]
    left_out = sum(len(one.negatives) - len(other.negatives)
                   for one, other in zip(examples, rows, strict=True))  # fmt: skip
    if left_out:
        progress.say(f"{left_out:,} hard negatives left out: they answer the same query.")
    if loss.augments:
        rows = [row for each in rows for row in _cluster_rows(each)]
    if loss.loss != "qq":
        return {DOCUMENTS: rows}
    rng = random.Random(f"{seed} query pairs")
    repeats = -(-len(rows) // len(with_rephrasings))  # as many batches of either kind
    pairs = [_pair(each, rng) for each in (with_rephrasings * repeats)[: len(rows)]]
    return {DOCUMENTS: rows, QUERIES: pairs}


def _without_answers(example: TrainingExample, answers: set[str]) -> TrainingExample:
    if answers.isdisjoint(example.negatives):
        return example
    kept = tuple(text for text in example.negatives if text not in answers)
    return dataclasses.replace(example, negatives=kept)


def _pair(example: TrainingExample, rng: random.Random) -> TrainingExample:
    one, other = rng.sample([example.query, *example.rephrasings], 2)
    return TrainingExample(one, other)


def _cluster_rows(example: TrainingExample) -> list[TrainingExample]:
    cluster = [example.query, *example.rephrasings]
    return [
        TrainingExample(
            query, example.positive, example.negatives, (*cluster[:place], *cluster[place + 1 :])
        )
        for place, query in enumerate(cluster)
    ]


@dataclass(frozen=True)
class Collator:
    """Turns rows into the features of two sides, and tells where the texts of each row stand.

    examples          by name of the set; a row is the number of an example of its set
    preprocess        tokenises texts, with a prompt
    prompts           what stands before the texts of `query` and of `document`
    with_rephrasings  encode the rephrasings too

    A batch holds `query_*` and `document_*`, and under `label` three tables of places, -1 where a
    row has no more: `queries` [B, 1 + R], the query first; `documents` [B, 1 + N], the positive
    first; and `answers` [B, any], documents of the batch that the cluster of the row's query holds
    for right. Of several processes each encodes its part of the texts; places count all of them.
    """

    examples: Mapping[str, Sequence[TrainingExample]]
    preprocess: Callable[..., dict[str, Any]]
    prompts: Mapping[str, str]
    with_rephrasings: bool
    valid_label_columns: tuple[str, ...] = ("label",)

    def __call__(self, rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
        """Return the batch of these rows."""
        name = str(rows[0].get("dataset_name", DOCUMENTS))
        examples = [self.examples[name][row["row"]] for row in rows]
        queries, query_places = _placed(
            [each.query, *(each.rephrasings if self.with_rephrasings else ())] for each in examples
        )
        documents, document_places = _placed([each.positive, *each.negatives] for each in examples)
        other_side = "query" if name == QUERIES else "document"
        sides = {"query": (queries, "query"), "document": (documents, other_side)}
        batch: dict[str, Any] = {
            f"{column}_{key}": value
            for column, (texts, side) in sides.items()
            for key, value in self._tokens(texts, side).items()
        }
        right = self.clusters.equivalents if name == QUERIES else self.clusters.answers
        known = set(documents)
        _, answers = _placed([right(each.query) & known for each in examples], documents)
        batch["label"] = {
            "queries": query_places, "documents": document_places, "answers": answers,
        }  # fmt: skip
        if "dataset_name" in rows[0]:
            batch["dataset_name"] = name
        return batch

    @cached_property
    def clusters(self) -> Clusters:
        """The clusters of all examples, not just of those of a batch."""
        return Clusters(self.examples[DOCUMENTS])

    def _tokens(self, texts: list[str], side: str) -> dict[str, Any]:
        own = texts[process() :: processes()] or texts[:1]  # one at least; see `gathered`
        readable = [text.encode("utf-8", "replace").decode("utf-8") for text in own]
        return self.preprocess(readable, prompt=self.prompts[side] or None)


def prompts_of(model: Any) -> dict[str, str]:
    """Return what a model puts before queries and before documents, empty for nothing."""
    default = model.prompts.get(model.default_prompt_name or "", "") or ""
    names = {"query": ("query",), "document": ("document", "passage", "corpus")}
    return {
        side: next((model.prompts[name] for name in known if model.prompts.get(name)), default)
        for side, known in names.items()
    }


def _placed(groups: Any, known: Sequence[str] = ()) -> tuple[list[str], torch.Tensor]:
    """Return the distinct texts, those known first, and the place [groups, most] of each, or -1."""
    places = {text: place for place, text in enumerate(known)}
    rows = [[places.setdefault(text, len(places)) for text in texts] for texts in groups]
    table = torch.full((len(rows), max(map(len, rows))), -1)
    for row, numbers in zip(table, rows, strict=True):
        row[: len(numbers)] = torch.tensor(numbers)
    return list(places), table


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
