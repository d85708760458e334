"""Train a dense retriever on queries, documents and rephrasings."""

from __future__ import annotations

import hashlib
import json
import logging
import shutil
from collections.abc import Callable, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from leadline import __version__, progress
from leadline.benchmark import Benchmark
from leadline.data.holding import holding
from leadline.data.writing import atomic_file
from leadline.errors import InputError, needs
from leadline.models.cutting import check_length, positions_of
from leadline.training.batches import DOCUMENTS, Collator, prompts_of
from leadline.training.callbacks import LogFile, Progress, Seals, StopWhenAsked
from leadline.training.checkpoints import begin, last_whole
from leadline.training.data import TrainingExample
from leadline.training.objective import Objective
from leadline.training.rows import example_sets
from leadline.training.saving import model_card, save_model
from leadline.training.settings import LossSettings, Settings, process, processes
from leadline.training.trouble import (
    check_alike,
    enough_memory,
    stopping_after_a_step,
    wait_for_all,
)
from leadline.training.validation import measured
from leadline.training.watch import Watch

with needs("train"):
    import datasets
    import torch
    from accelerate.data_loader import prepare_data_loader
    from sentence_transformers import (
        SentenceTransformerTrainer,
        SentenceTransformerTrainingArguments,
    )
    from transformers import EarlyStoppingCallback, PrinterCallback, set_seed

_LOG, _FIGURES = "log.jsonl", "figures.json"
_CHECKPOINTS = "checkpoints"
_LOWER = "Lower batch_size, or set gradient_cache to 8 (slower, same result) or max_length."


@dataclass(frozen=True)
class Trained:
    """A finished run.

    start, end  what the untrained and the trained model reach on the validation set; the trained
                one is that of the best evaluation
    steps       that were made
    warnings    what the run told
    """

    folder: Path
    start: Mapping[str, float]
    end: Mapping[str, float]
    steps: int
    seconds: float
    warnings: Sequence[str] = ()


@holding()
def train(
    open_model: Callable[[], Any],
    examples: Sequence[TrainingExample],
    validation: Benchmark,
    out: str | Path,
    *,
    base: str,
    loss: LossSettings | None = None,
    settings: Settings | None = None,
    data: Mapping[str, Any] | None = None,
) -> Trained:
    """Train a sentence-transformers model and save it, with a card, as one.

    open_model  gives the model, untrained, each time the same
    validation  of kind `rephrasings`: decides when to stop and which evaluation is kept
    out         also holds checkpoints while the run lasts; the same call goes on from them, and
                gives the weights that an uninterrupted run gives
    base        what the model is called, for the card
    data        what the examples are, for the card

    A folder that holds the finished model of this training is left as it is.

    The run stops early when the score gets no better, and at once when query embeddings
    collapse; the model kept is never one of a collapse.
    Raises InputError for examples that do not fit the loss, for a folder that holds another
    training, and when memory runs out.
    """
    loss, settings, out = loss or LossSettings(), settings or Settings(), Path(out)
    sets = example_sets(examples, loss, settings.seed)
    set_seed(settings.seed)
    with enough_memory(_LOWER), quiet():
        model = open_model()
        _check_model(model, settings)
        plan = {
            "base": base,
            "loss": asdict(loss),
            "settings": asdict(settings),
            "examples": _digest(sets),
            "validation": _digest([[each.text for each in validation.queries]]),
        }
        begin(out, plan)
        if is_finished(out):
            return _finished(out)
        return _Run(model, sets, validation, out, base, loss, settings, dict(data or {})).finish()


@dataclass
class _Run:
    """One run of the trainer."""

    model: Any
    sets: Mapping[str, Sequence[TrainingExample]]
    validation: Benchmark
    out: Path
    base: str
    loss: LossSettings
    settings: Settings
    data: dict[str, Any]
    warnings: list[str] = field(default_factory=list)

    def finish(self) -> Trained:
        """Train from where an earlier run stopped, save, and tell what was reached."""
        own_length, length = self.model.max_seq_length, self.settings.max_length
        cut = length is not None and length != own_length
        if cut:
            check_length(self.base, length, positions_of(getattr(self.model[0], "model", None)))
            self.model.max_seq_length = length
        watch = Watch(self.validation, self.warnings)
        with stopping_after_a_step() as stop:
            trainer = self._trainer(watch)
            trainer.add_callback(StopWhenAsked(stop))
            check_alike("examples", _digest(self.sets))
            checkpoint = self._checkpoint()
            watch.begin(self.model)
            result = trainer.train(resume_from_checkpoint=str(checkpoint) if checkpoint else None)
        if stop.asked and trainer.state.global_step < trainer.state.max_steps:
            raise KeyboardInterrupt
        if trainer.state.best_metric is not None and trainer.state.best_metric < 0:
            raise InputError(" ".join(["No model is kept.", *self.warnings[-1:]]))
        end = measured(self.model, self.validation)
        if cut:
            self.model.max_seq_length = own_length
        steps = trainer.state.global_step
        if end["score"] <= watch.start["score"]:
            self._warn_of_no_gain(watch.start, end)
        seconds = float(result.metrics.get("train_runtime", 0.0))
        done = Trained(self.out, watch.start, end, steps, seconds, tuple(self.warnings))
        if trainer.is_world_process_zero():
            self._save(done)
        wait_for_all()
        return done

    def _trainer(self, watch: Watch) -> Any:
        objective = Objective(self.model, self.loss, mini_batch_size=self.settings.gradient_cache)
        collator = Collator(
            self.sets, self.model.preprocess, prompts_of(self.model), any(self.loss.weights),
            process(), processes(),
        )  # fmt: skip
        rows = {
            name: datasets.Dataset.from_dict({"row": list(range(len(examples)))})
            for name, examples in self.sets.items()
        }
        several = len(rows) > 1
        trainer = _Trainer(
            model=self.model,
            args=self._arguments(),
            train_dataset=rows if several else rows[DOCUMENTS],
            loss=dict.fromkeys(rows, objective) if several else objective,
            evaluator=watch.evaluator,
            data_collator=collator,
            callbacks=[
                Progress(f"Training {self.loss.loss}"),
                LogFile(self.out / _LOG),
                Seals(),
                EarlyStoppingCallback(self.settings.patience),
                watch.stopper,
            ],
        )
        trainer.remove_callback(PrinterCallback)
        return trainer

    def _arguments(self) -> Any:
        made = SentenceTransformerTrainingArguments(
            output_dir=str(self.out / _CHECKPOINTS),
            metric_for_best_model="eval_score",
            multi_dataset_batch_sampler="round_robin",
            dataloader_pin_memory=torch.cuda.is_available(),
            use_cpu=processes() > 1 and not torch.cuda.is_available(),
            **self.settings.arguments(self._steps()),
        )
        made.dataloader_drop_last = False  # set with several processes, which all have each batch
        return on_one_device(made)

    def _steps(self) -> int:
        """How many steps the run has, if nothing stops it."""
        if self.settings.steps is not None:
            return self.settings.steps
        batches = sum(-(-len(rows) // self.settings.batch_size) for rows in self.sets.values())
        return max(1, int(batches * self.settings.epochs))

    def _checkpoint(self) -> Path | None:
        checkpoint, damaged = last_whole(self.out / _CHECKPOINTS)
        for each in damaged if process() == 0 else ():
            progress.say(f"{each} is damaged or was never finished: it is left out.")
            shutil.rmtree(each, ignore_errors=True)
        if checkpoint is not None:
            progress.say(f"Going on from {checkpoint}.")
        return checkpoint

    def _warn_of_no_gain(self, start: Mapping[str, float], end: Mapping[str, float]) -> None:
        text = (
            f"No evaluation beat the untrained model: {end['score']:.3f} where it has "
            f"{start['score']:.3f} (mean of nDCG@10 and RBO@5). Other settings or more examples "
            "may."
        )
        self.warnings.append(text)
        progress.say(text)

    def _save(self, done: Trained) -> None:
        card = model_card(
            self.out.resolve().name,
            f"A sentence-transformers model made from {self.base} by `leadline train retriever` "
            f"(Leadline {__version__}), loss `{self.loss.loss}`.",
            "Use it as a system of Leadline, `dense:FOLDER`, or with sentence-transformers: "
            '`SentenceTransformer("FOLDER")`.',
            library="sentence-transformers",
            tags=["sentence-transformers", "sentence-similarity", "dense-retrieval", "leadline"],
            base=self.base,
            figures={"untrained": done.start, "trained": done.end},
            settings={**asdict(self.loss), **asdict(self.settings), "steps made": done.steps},
            data={
                **{f"rows ({name})": len(rows) for name, rows in self.sets.items()},
                "validation queries": len({each.topic for each in self.validation.queries}),
                **self.data,
                **({"warnings": " ".join(self.warnings)} if self.warnings else {}),
            },
        )
        save_model(
            self.out,
            lambda folder: self.model.save_pretrained(str(folder), create_model_card=False),
            card,
        )
        with atomic_file(self.out / _FIGURES) as handle:
            json.dump(
                {key: value for key, value in asdict(done).items() if key != "folder"}, handle
            )
        shutil.rmtree(self.out / _CHECKPOINTS, ignore_errors=True)


class _Trainer(SentenceTransformerTrainer):
    """The trainer, without the model card that it would make of rows of numbers."""

    def add_model_card_callback(self, default_args_dict: dict[str, Any]) -> None:
        """Leave it out: `save_model` writes ours."""

    def get_train_dataloader(self) -> Any:
        """Give each process every batch whole: its texts are divided by `Collator`."""
        if processes() == 1:
            return super().get_train_dataloader()
        loader = self._build_dataloader(
            self.train_dataset, self.args.train_batch_size, dataset_kind="train"
        )
        return prepare_data_loader(
            loader, self.args.device, 1, 0, put_on_device=True,
            use_seedable_sampler=self.accelerator.use_seedable_sampler,
        )  # fmt: skip


def is_finished(out: str | Path) -> bool:
    """Tell whether a folder holds a model whose training ended."""
    return (Path(out) / _FIGURES).exists()


def _finished(out: Path) -> Trained:
    progress.say(f"{out} holds the model of this training already.")
    figures = json.loads((out / _FIGURES).read_text("utf-8"))
    return Trained(out, **figures)


def _check_model(model: Any, settings: Settings) -> None:
    from sentence_transformers.base.losses.gradcache import has_static_embedding_input

    if settings.gradient_cache and has_static_embedding_input(model):
        raise InputError("A static embedding needs no gradient_cache: leave it at 0.")


def _digest(content: Any) -> str:
    text = json.dumps(content, default=asdict, sort_keys=True)
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def on_one_device(arguments: Any) -> Any:
    """Keep a process to one accelerator: with several, batches would grow with their number."""
    if arguments.n_gpu > 1:
        arguments._n_gpu = 1
    return arguments


@contextmanager
def quiet() -> Any:
    """Keep back what the libraries log, warnings aside."""
    names = ("sentence_transformers", "transformers", "accelerate", "datasets")
    levels = {name: logging.getLogger(name).level for name in names}
    datasets.disable_progress_bars()
    for name in names:
        logging.getLogger(name).setLevel(logging.ERROR)
    try:
        yield
    finally:
        for name, level in levels.items():
            logging.getLogger(name).setLevel(level)
