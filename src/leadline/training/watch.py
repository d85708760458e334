"""Measures a model while it is trained, and ends a run whose embeddings collapse."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from leadline import progress
from leadline.benchmark import Benchmark
from leadline.errors import needs
from leadline.training.validation import collapse, measured

with needs("train"):
    from sentence_transformers.base.evaluation import BaseEvaluator
    from transformers import TrainerCallback


class Watch:
    """Measures the model as it is trained, and ends the run when its embeddings collapse."""

    def __init__(self, validation: Benchmark, warnings: list[str]) -> None:
        self.validation = validation
        self.warnings = warnings
        self.start: dict[str, float] = {}
        self.best_ndcg = 0.0
        self.evaluator = _Evaluator(self)
        self.stopper = _Stopper(self)

    def begin(self, model: Any) -> None:
        """Measure the untrained model."""
        self.start = measured(model, self.validation)
        self.best_ndcg = self.start["nDCG@10"]

    def look(self, model: Any, step: int) -> dict[str, float]:
        """Measure the model; the score of a collapsed one is -1, so that it is never kept."""
        found = measured(model, self.validation)
        state = collapse(self.start, self.best_ndcg, found)
        self.best_ndcg = max(self.best_ndcg, found["nDCG@10"])
        if state:
            self._warn(state, found, step)
        if state == "collapsed":
            found["score"] = -1.0
        return found

    def _warn(self, state: str, found: Mapping[str, float], step: int) -> None:
        figures = (
            f"at step {step} two different queries have a cosine of {found['cosine']:.2f} "
            f"(untrained {self.start['cosine']:.2f}) and nDCG@10 is {found['nDCG@10']:.3f} "
            f"(best {self.best_ndcg:.3f})"
        )
        if state == "collapsed":
            text = (
                f"Query embeddings collapse: {figures}. Training stops; the best model before is "
                "kept. Lower alignment or margin, or the learning rate."
            )
        else:
            text = f"Query embeddings draw together: {figures}."
        self.warnings.append(text)
        progress.say(text)


class _Evaluator(BaseEvaluator):
    """What the trainer calls to have a model measured."""

    def __init__(self, watch: Watch) -> None:
        super().__init__()
        self.watch = watch

    def __call__(
        self, model: Any, output_path: str | None = None, epoch: float = -1, steps: int = -1
    ) -> dict[str, float]:
        """Return the figures of a model."""
        return self.watch.look(model, steps)


class _Stopper(TrainerCallback):
    """Stops the run after an evaluation that found a collapse."""

    def __init__(self, watch: Watch) -> None:
        super().__init__()
        self.watch = watch

    def on_train_begin(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        """Take up what a run that is resumed had reached."""
        reached = [each["eval_nDCG@10"] for each in state.log_history if "eval_nDCG@10" in each]
        self.watch.best_ndcg = max([self.watch.best_ndcg, *reached])

    def on_evaluate(self, args: Any, state: Any, control: Any, **kwargs: Any) -> Any:
        """Stop when the last look found one; of several processes the first alone looks."""
        control.should_training_stop |= kwargs["metrics"].get("eval_score", 0.0) < 0
        return control
