"""Time a training step with the coherence-ranking loss against one with plain ranking.

    python studies/speed/losses.py [--model minilm] [--steps 5]

Three kinds of step on the same texts, in turn, median of each: ranking; ranking with the
rephrasings encoded but not used; the whole loss. Printed: what the terms cost beyond encoding,
which is to stay below 1.3 times the ranking step plus the cost of encoding the rephrasings.
"""

from __future__ import annotations

import argparse
import statistics
import time
from typing import Any

import torch

from leadline.systems.chains import encoder_named
from leadline.training.data import TrainingExample
from leadline.training.retriever import Collator, Objective, prompts_of
from leadline.training.settings import LossSettings

QUERY = "how does the pressure change along a thin wing at {} times the speed of sound"
PASSAGE = "The flow over the wing was measured in tunnel {0}, then in tunnel {0} again. " * 3


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--model", default="minilm")
    parser.add_argument("--steps", type=int, default=5)
    parser.add_argument("--batch", type=int, default=8)
    parser.add_argument("--rephrasings", type=int, default=4)
    parser.add_argument("--negatives", type=int, default=2)
    given = parser.parse_args()
    model = encoder_named(given.model).encoders["document"].opened().train()
    ways = {
        "ranking": (False, 0.0),
        "ranking, rephrasings encoded": (True, 0.0),
        "coherence ranking": (True, 1.0),
    }
    seconds: dict[str, list[float]] = {name: [] for name in ways}
    for step in range(given.steps + 1):
        for name, (encoded, weight) in ways.items():
            taken = timed(model, rows(given), encoded, weight)
            if step:  # the first of each warms up
                seconds[name].append(taken)
    medians = {name: statistics.median(values) for name, values in seconds.items()}
    for name, value in medians.items():
        print(f"{name:<32} {value:.3f} s a step")
    ranking, encoding, whole = medians.values()
    allowed = 1.3 * ranking + (encoding - ranking)
    print(f"whole / ranking with rephrasings encoded: {whole / encoding:.3f}")
    print(
        f"allowed {allowed:.3f} s, taken {whole:.3f} s: {'kept' if whole <= allowed else 'MISSED'}"
    )


def rows(given: argparse.Namespace) -> list[TrainingExample]:
    return [
        TrainingExample(
            QUERY.format(row), PASSAGE.format(row),
            tuple(PASSAGE.format(f"{row} {n}") for n in range(given.negatives)),
            tuple(f"tell me {QUERY.format(row)} {n}" for n in range(given.rephrasings)),
        )
        for row in range(given.batch)
    ]  # fmt: skip


def timed(model: Any, examples: list[TrainingExample], encoded: bool, weight: float) -> float:
    """Return the seconds of one forward and backward pass, tokens ready."""
    collator = Collator({"query_document": examples}, model.preprocess, prompts_of(model), encoded)
    batch = collator([{"row": row} for row in range(len(examples))])
    features = [
        {key.removeprefix(side): value for key, value in batch.items() if key.startswith(side)}
        for side in ("query_", "document_")
    ]
    objective = Objective(model, LossSettings("cr", weight, weight))
    model.zero_grad()
    start = time.perf_counter()
    terms = objective(features, batch["label"])
    torch.stack(list(terms.values())).sum().backward()
    return time.perf_counter() - start


if __name__ == "__main__":
    main()
