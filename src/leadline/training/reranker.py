"""Train a cross-encoder on groups: a query, a document that answers it, and hard negatives."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from statistics import fmean, pstdev
from typing import Any, Literal, TypeAlias

from leadline import __version__, progress
from leadline.data.holding import holding
from leadline.data.writing import atomic_file
from leadline.errors import InputError, needs
from leadline.metrics.ranking import ndcg
from leadline.models.checkpoints import loading
from leadline.models.cutting import check_length, positions_of
from leadline.training.callbacks import LogFile, Progress, Seals, StopWhenAsked
from leadline.training.checkpoints import begin, last_whole
from leadline.training.retriever import quiet
from leadline.training.saving import model_card, save_model
from leadline.training.settings import Settings, processes
from leadline.training.trouble import enough_memory, stopping_after_a_step
from leadline.types import TrainingExample

with needs("train"):
    import datasets
    import torch
    from sentence_transformers import CrossEncoder
    from sentence_transformers.base.evaluation import BaseEvaluator
    from sentence_transformers.cross_encoder import (
        CrossEncoderTrainer,
        CrossEncoderTrainingArguments,
        losses,
    )
    from transformers import EarlyStoppingCallback, PrinterCallback, set_seed

RerankerLoss: TypeAlias = Literal["listwise", "binary", "distilled"]

MAX_LENGTH = 256
_SHARPNESS = 2.0
_LOG, _FIGURES, _CHECKPOINTS = "log.jsonl", "figures.json", "checkpoints"
_LOWER = "Lower batch_size or max_length, or take fewer negatives."


@dataclass(frozen=True)
class TrainedReranker:
    """A finished run.

    start, end  nDCG@10 over the held-out groups, of the untrained and of the trained model
    steps       that were made
    """

    folder: Path
    start: Mapping[str, float]
    end: Mapping[str, float]
    steps: int
    seconds: float


@holding()
def train_reranker(
    model: str,
    examples: Sequence[TrainingExample],
    held_out: Sequence[TrainingExample],
    out: str | Path,
    *,
    loss: RerankerLoss = "listwise",
    settings: Settings | None = None,
    data: Mapping[str, Any] | None = None,
) -> TrainedReranker:
    """Train a cross-encoder from the weights of an encoder or of a cross-encoder, and save it.

    model     folder of weights, or name on the hub
    held_out  groups whose nDCG@10 decides when to stop and which evaluation is kept
    out       also holds checkpoints while the run lasts; the same call goes on from them
    loss      `listwise` compares the documents of a query with each other (LambdaLoss); `binary`
              judges each; `distilled` learns the distribution over them that the `scores` of a
              teacher give (ListNet), in which the positive is never below a negative
    data      what the examples are, for the card

    Examples without negatives teach a reranker nothing and are left out.
    A folder that holds the finished model of this training is left as it is.
    Raises InputError without examples, for a folder that holds another training, and when memory
    runs out.
    """
    settings, out = settings or Settings(), Path(out)
    groups = [each for each in examples if each.negatives]
    if loss == "distilled" and not all(each.scores for each in groups):
        raise InputError("The loss 'distilled' needs scores of a teacher: name one by --teacher.")
    judged = [each for each in held_out if each.negatives]
    if not groups or not judged:
        raise InputError(
            "A reranker learns from hard negatives, and there are none "
            f"({len(groups)} groups to train on, {len(judged)} held out). Raise --negatives."
        )
    if processes() > 1:
        raise InputError("A reranker trains in one process. Start it without torchrun.")
    set_seed(settings.seed)
    with enough_memory(_LOWER), quiet():
        begin(
            out,
            {
                "base": model,
                "loss": loss,
                "settings": asdict(settings),
                "examples": _digest([asdict(each) for each in groups]),
                "held out": _digest([asdict(each) for each in judged]),
            },
        )
        if (out / _FIGURES).exists():
            progress.say(f"{out} holds the model of this training already.")
            return TrainedReranker(out, **json.loads((out / _FIGURES).read_text("utf-8")))
        length = settings.max_length or MAX_LENGTH
        with loading(model, "cross-encoder", takes_new_head=True) as lacking:
            opened = CrossEncoder(model, num_labels=1, max_length=length, device=_device())
        check_length(model, settings.max_length, positions_of(opened.model))
        if lacking.names:
            new = ", ".join(lacking.names)
            progress.say(f"{model} has no head that scores pairs: training starts one ({new}).")
        return _Run(opened, model, groups, judged, out, loss, settings, dict(data or {})).finish()


@dataclass
class _Run:
    """One run of the trainer."""

    model: Any
    base: str
    groups: Sequence[TrainingExample]
    held_out: Sequence[TrainingExample]
    out: Path
    loss: RerankerLoss
    settings: Settings
    data: dict[str, Any]
    start: dict[str, float] = field(default_factory=dict)

    def finish(self) -> TrainedReranker:
        """Train from where an earlier run stopped, save, and tell what was reached."""
        self.start = _measured(self.model, self.held_out)
        with stopping_after_a_step() as stop:
            trainer = self._trainer()
            trainer.add_callback(StopWhenAsked(stop))
            checkpoint, damaged = last_whole(self.out / _CHECKPOINTS)
            for each in damaged:
                progress.say(f"{each} is damaged or was never finished: it is left out.")
                shutil.rmtree(each, ignore_errors=True)
            if checkpoint is not None:
                progress.say(f"Going on from {checkpoint}.")
            result = trainer.train(resume_from_checkpoint=str(checkpoint) if checkpoint else None)
        if stop.asked and trainer.state.global_step < trainer.state.max_steps:
            raise KeyboardInterrupt
        end = _measured(self.model, self.held_out)
        seconds = float(result.metrics.get("train_runtime", 0.0))
        done = TrainedReranker(self.out, self.start, end, trainer.state.global_step, seconds)
        if end["nDCG@10"] <= self.start["nDCG@10"]:
            progress.say(
                f"No evaluation beat the untrained model: {end['nDCG@10']:.3f} where it has "
                f"{self.start['nDCG@10']:.3f} (nDCG@10 of held-out groups)."
            )
        self._save(done)
        return done

    def _trainer(self) -> Any:
        objective, rows = {
            "listwise": (losses.LambdaLoss, _listwise),
            "binary": (losses.BinaryCrossEntropyLoss, _pairs),
            "distilled": (losses.ListNetLoss, _distilled),
        }[self.loss]
        trainer = CrossEncoderTrainer(
            model=self.model,
            args=CrossEncoderTrainingArguments(
                output_dir=str(self.out / _CHECKPOINTS),
                metric_for_best_model="eval_nDCG@10",
                dataloader_pin_memory=torch.cuda.is_available(),
                **self.settings.arguments(self._steps()),
            ),
            train_dataset=rows(self.groups),
            loss=objective(self.model),
            evaluator=_Evaluator(self.held_out),
            callbacks=[
                Progress("Training the reranker"),
                LogFile(self.out / _LOG),
                Seals(),
                EarlyStoppingCallback(self.settings.patience),
            ],
        )
        trainer.remove_callback(PrinterCallback)
        return trainer

    def _steps(self) -> int:
        if self.settings.steps is not None:
            return self.settings.steps
        rows = len(self.groups)
        if self.loss == "binary":
            rows += sum(len(each.negatives) for each in self.groups)
        return max(1, int(-(-rows // self.settings.batch_size) * self.settings.epochs))

    def _save(self, done: TrainedReranker) -> None:
        card = model_card(
            self.out.resolve().name,
            f"A cross-encoder made from {self.base} by `leadline train reranker` (Leadline "
            f"{__version__}), loss `{self.loss}`.",
            "Use it as a stage of Leadline, `bm25+cross_encoder:FOLDER`, or with "
            'sentence-transformers: `CrossEncoder("FOLDER")`.',
            library="sentence-transformers",
            tags=["sentence-transformers", "cross-encoder", "reranker", "leadline"],
            base=self.base,
            figures={"untrained": done.start, "trained": done.end},
            settings={"loss": self.loss, **asdict(self.settings), "steps made": done.steps},
            data={"groups": len(self.groups), "held-out groups": len(self.held_out), **self.data},
        )
        save_model(self.out, lambda folder: self.model.save_pretrained(str(folder)), card)
        with atomic_file(self.out / _FIGURES) as handle:
            json.dump(
                {key: value for key, value in asdict(done).items() if key != "folder"}, handle
            )
        shutil.rmtree(self.out / _CHECKPOINTS, ignore_errors=True)


class _Evaluator(BaseEvaluator):
    """What the trainer calls to have a model measured."""

    def __init__(self, held_out: Sequence[TrainingExample]) -> None:
        super().__init__()
        self.held_out = held_out

    def __call__(
        self, model: Any, output_path: str | None = None, epoch: float = -1, steps: int = -1
    ) -> dict[str, float]:
        """Return the figures of a model."""
        return _measured(model, self.held_out)


def _measured(model: Any, held_out: Sequence[TrainingExample]) -> dict[str, float]:
    """Return nDCG@10 of the positive among its own negatives, a mean over groups.

    Negatives come before the positive where scores tie.
    """
    pairs = [(each.query, text) for each in held_out for text in (*each.negatives, each.positive)]
    scores = iter(model.predict(pairs, batch_size=32, show_progress_bar=False).tolist())
    run = {
        str(place): {
            f"{number:04}": next(scores) for number in reversed(range(len(each.negatives) + 1))
        }
        for place, each in enumerate(held_out)
    }
    qrels = {query: {"0000": 1} for query in run}
    return {"nDCG@10": fmean(ndcg(run, qrels, 10).values())}


def _listwise(groups: Sequence[TrainingExample]) -> Any:
    return _lists(groups, [[1.0, *[0.0] * len(each.negatives)] for each in groups])


def _distilled(groups: Sequence[TrainingExample]) -> Any:
    return _lists(groups, [_targets(each.scores) for each in groups])


def _targets(scores: Sequence[float]) -> list[float]:
    """Return a teacher's scores with deviation `_SHARPNESS`, the positive's at least the best."""
    raised = [max(scores), *scores[1:]]
    spread = pstdev(raised)
    return [(value - fmean(raised)) / spread * _SHARPNESS if spread else 0.0 for value in raised]


def _lists(groups: Sequence[TrainingExample], labels: Sequence[Sequence[float]]) -> Any:
    return datasets.Dataset.from_dict(
        {
            "query": [each.query for each in groups],
            "docs": [[each.positive, *each.negatives] for each in groups],
            "labels": labels,
        }
    )


def _pairs(groups: Sequence[TrainingExample]) -> Any:
    rows = [
        (each.query, text, float(text is each.positive))
        for each in groups
        for text in (each.positive, *each.negatives)
    ]
    return datasets.Dataset.from_dict(
        {
            "query": [query for query, _, _ in rows],
            "document": [text for _, text, _ in rows],
            "label": [label for _, _, label in rows],
        }
    )


def _device() -> str:
    return "cuda" if torch.cuda.is_available() else "cpu"


def _digest(content: Any) -> str:
    text = json.dumps(content, sort_keys=True)
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
