"""The rows that each loss is trained on."""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Sequence

from leadline import progress
from leadline.errors import InputError
from leadline.training.batches import DOCUMENTS, QUERIES, Clusters
from leadline.training.data import TrainingExample
from leadline.training.settings import LossSettings


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
