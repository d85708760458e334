"""Code that all training runs share: the folder, resuming, stopping, the log, the saved model."""

from __future__ import annotations

import hashlib
import json
import logging
import shutil
import signal
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from types import FrameType
from typing import Any

from leadline import progress
from leadline.data.writing import atomic_file, atomic_folder, output_folder
from leadline.errors import InputError, needs
from leadline.training.settings import process

with needs("train"):
    import datasets
    import torch
    from torch import distributed
    from transformers import PrinterCallback, TrainerCallback

CHECKPOINTS = "checkpoints"
_LOG, _FIGURES, _PLAN = "log.jsonl", "figures.json", "training.json"
_LAST = "modules.json"
"""Moved into place last: a folder without it is not taken for a model."""

_MEMORY = ("out of memory", "can't allocate memory", "not enough memory")
_SHOWN = ("loss", "nDCG@10", "RBO@5")


def digest(content: Any) -> str:
    """Return 32 hex digits of what a training reads."""
    text = json.dumps(content, default=asdict, sort_keys=True)
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def begin(out: Path, plan: Mapping[str, Any]) -> dict[str, Any] | None:
    """Take a folder for a training; return the figures of one that ended there already.

    Raises InputError for a folder of another training, with what differs.
    """
    if process() == 0:
        output_folder(out)
        _check_same(out / _PLAN, json.loads(json.dumps(plan)))
    path = out / _FIGURES
    if not path.exists():
        return None
    progress.say(f"{out} holds the model of this training already.")
    found: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return found


def _check_same(path: Path, plan: Mapping[str, Any]) -> None:
    if not path.exists():
        with atomic_file(path) as handle:
            handle.write(json.dumps(plan, indent=1, ensure_ascii=False) + "\n")
        return
    try:
        begun = json.loads(path.read_text("utf-8"))
    except ValueError as error:
        raise InputError(f"{path} is damaged ({error}). Choose another --out folder.") from error
    different = sorted(key for key in {*plan, *begun} if plan.get(key) != begun.get(key))
    if different:
        changes = ", ".join(f"{key} was {begun.get(key)!r}" for key in different[:3])
        raise InputError(
            f"{path.parent} has a training run with other settings ({changes}). Choose another "
            "--out folder, or use those settings to continue it."
        )


@contextmanager
def training(way_out: str) -> Iterator[None]:
    """Keep the libraries quiet, and turn what they say when memory runs out into InputError.

    way_out  what to lower then
    """
    loggers = [
        logging.getLogger(name)
        for name in ("sentence_transformers", "transformers", "accelerate", "datasets")
    ]
    levels = [each.level for each in loggers]
    datasets.disable_progress_bars()
    for each in loggers:
        each.setLevel(logging.ERROR)
    try:
        yield
    except (MemoryError, torch.OutOfMemoryError, RuntimeError) as error:
        of_memory = isinstance(error, MemoryError | torch.OutOfMemoryError)
        if not of_memory and not any(words in str(error).lower() for words in _MEMORY):
            raise
        raise InputError(
            f"Memory ran out while training. {way_out} Checkpoints are saved. Run it again with "
            "the same settings to continue."
        ) from error
    finally:
        for each, level in zip(loggers, levels, strict=True):
            each.setLevel(level)


def fit(trainer: Any, out: Path, label: str, material: str) -> float:
    """Train from where an earlier run stopped; return the seconds that it took.

    label     what the progress bar says
    material  hash of the data that is learnt from, the same in all processes

    Raises KeyboardInterrupt after a step, with a checkpoint, when the run was interrupted.
    """
    trainer.remove_callback(PrinterCallback)
    trainer.add_callback(_Progress(label))
    trainer.add_callback(_LogFile(out / _LOG))
    with _stopping_after_a_step() as stop:
        trainer.add_callback(stop)
        if len(set(_of_all(material))) > 1:
            raise InputError("The processes have different data. Give all of them the same files.")
        checkpoint = _last_whole(out / CHECKPOINTS)
        result = trainer.train(resume_from_checkpoint=checkpoint and str(checkpoint))
    if stop.asked and trainer.state.global_step < trainer.state.max_steps:
        raise KeyboardInterrupt
    return float(result.metrics.get("train_runtime", 0.0))


def save(out: Path, write: Callable[[Path], Any], card: str, done: Any) -> None:
    """Put a model, its card and its figures into the folder of a run, and drop its checkpoints.

    write  writes the model into an empty folder
    done   a dataclass; its `folder` is not written
    """
    staged = out / "model.part"
    shutil.rmtree(staged, ignore_errors=True)
    with atomic_folder(staged) as folder:
        write(folder)
        (folder / "README.md").write_text(card, "utf-8")
    for path in sorted(staged.iterdir(), key=lambda each: each.name == _LAST):
        target = out / path.name
        if target.is_dir():
            shutil.rmtree(target)
        path.replace(target)
    staged.rmdir()
    with atomic_file(out / _FIGURES) as handle:
        json.dump(figures_of(done), handle)
    shutil.rmtree(out / CHECKPOINTS, ignore_errors=True)


def figures_of(done: Any) -> dict[str, Any]:
    """Return what a finished run reached, as JSON holds it."""
    return {key: value for key, value in asdict(done).items() if key != "folder"}


def wait_for_all() -> None:
    """Wait until every process that trains has come here."""
    if distributed.is_available() and distributed.is_initialized():
        distributed.barrier()


def on_one_device(arguments: Any) -> Any:
    """Keep a process to one accelerator: with several, batches would grow with their number."""
    arguments._n_gpu = min(arguments.n_gpu, 1)
    return arguments


def model_card(
    title: str,
    about: str,
    use: str,
    *,
    library: str,
    tags: Sequence[str],
    base: str,
    figures: Mapping[str, Mapping[str, float]],
    settings: Mapping[str, Any],
    data: Mapping[str, Any],
) -> str:
    """Return a model card in Markdown, with the front matter that hubs read.

    figures   row -> column -> value, such as "untrained" -> "nDCG@10"
    settings, data  what it was trained with and on
    """
    columns = list(dict.fromkeys(name for row in figures.values() for name in row))
    rows = [
        [name, *(f"{row[each]:.4f}" if each in row else "" for each in columns)]
        for name, row in figures.items()
    ]
    table = ["|---|" + "---:|" * len(columns), *(f"| {' | '.join(row)} |" for row in rows)]
    front = ["---", f"library_name: {library}", "tags:", *(f"- {tag}" for tag in tags)]
    front += [f"base_model: {json.dumps(base)}", "---"]
    parts = ["\n".join(front), f"# {title}", about, use, "## Figures on validation queries"]
    parts += ["\n".join([f"| | {' | '.join(columns)} |", *table])]
    parts += ["## Settings", _listed(settings), "## Data", _listed(data)]
    return "\n\n".join(parts) + "\n"


def _listed(values: Mapping[str, Any]) -> str:
    lines = []
    for name, value in values.items():
        told = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        lines.append(f"- {name}: `{' '.join(told.replace('`', chr(39)).split())}`")
    return "\n".join(lines) or "- nothing noted"


def _last_whole(folder: Path) -> Path | None:
    """Return the newest checkpoint that was written to its end; those after it are removed."""

    def step(checkpoint: Path) -> int:
        number = checkpoint.name.rpartition("-")[2]
        return int(number) if number.isdigit() else -1

    for checkpoint in sorted(folder.glob("checkpoint-*"), key=step, reverse=True):
        try:
            json.loads((checkpoint / "trainer_state.json").read_text("utf-8"))  # written last
            progress.say(f"Going on from {checkpoint}.")
            return checkpoint
        except (OSError, ValueError):
            if process() == 0:
                progress.say(f"{checkpoint} was never finished: it is left out.")
                shutil.rmtree(checkpoint, ignore_errors=True)
    return None


def _of_all(value: Any) -> list[Any]:
    """Return what every process that trains has for a value."""
    if not (distributed.is_available() and distributed.is_initialized()):
        return [value]
    found: list[Any] = [None] * distributed.get_world_size()
    distributed.all_gather_object(found, value)
    return found


@dataclass
class _Stop(TrainerCallback):
    """Ends the run after a step, with a checkpoint, when somebody asked any process for it."""

    asked: bool = False

    def on_step_end(self, args: Any, state: Any, control: Any, **kwargs: Any) -> Any:
        self.asked = any(_of_all(self.asked))
        if self.asked:
            control.should_save = True
            control.should_training_stop = True
        return control


@contextmanager
def _stopping_after_a_step() -> Iterator[_Stop]:
    """Let the first interruption end the step at hand and save it; a second one ends at once."""
    stop = _Stop()
    if threading.current_thread() is not threading.main_thread():
        yield stop
        return

    def ask(number: int, frame: FrameType | None) -> None:
        if stop.asked:
            raise KeyboardInterrupt
        stop.asked = True

    before = {number: signal.signal(number, ask) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


class _Progress(TrainerCallback):
    """A bar over the steps, with the last loss and the last scores after it."""

    def __init__(self, label: str) -> None:
        self.label = label
        self.last: dict[str, float] = {}
        self._bar: Iterator[int] = iter(())

    def on_train_begin(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        steps = range(state.max_steps + 1)
        self._bar = iter(progress.track(steps, self.label, state.max_steps, note=self._note))
        for _ in range(state.global_step + 1):  # a resumed run begins there
            next(self._bar, None)

    def on_step_end(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        next(self._bar, None)

    def on_log(self, args: Any, state: Any, control: Any, logs: Any = None, **kwargs: Any) -> None:
        found = {key.removeprefix("eval_"): value for key, value in (logs or {}).items()}
        self.last.update({key: found[key] for key in _SHOWN if key in found})

    def _note(self) -> str:
        return "  ".join(f"{key} {value:.3f}" for key, value in self.last.items())


class _LogFile(TrainerCallback):
    """Every figure as a line of JSON, those before a run was resumed included."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def on_log(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        if state.is_world_process_zero:
            self.path.write_text("".join(f"{json.dumps(row)}\n" for row in state.log_history))
