"""What happens beside the steps of a training run: a bar, a log, seals, stopping."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from leadline import progress
from leadline.errors import needs
from leadline.training.checkpoints import seal
from leadline.training.trouble import Stop, wait_for_all

with needs("train"):
    from transformers import TrainerCallback

_SHOWN = ("loss", "nDCG@10", "RBO@5")


class Progress(TrainerCallback):
    """A bar over the steps, with the last loss and the last scores behind it."""

    def __init__(self, label: str) -> None:
        self.label = label
        self.last: dict[str, float] = {}
        self._bar: Iterator[int] = iter(())

    def on_train_begin(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        """Show the bar, at the step that a resumed run begins with."""
        steps = range(state.max_steps + 1)
        self._bar = iter(progress.track(steps, self.label, state.max_steps, note=self._note))
        for _ in range(state.global_step + 1):
            next(self._bar, None)

    def on_step_end(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        """Move the bar on."""
        next(self._bar, None)

    def on_log(self, args: Any, state: Any, control: Any, logs: Any = None, **kwargs: Any) -> None:
        """Take the newest figures."""
        found = {key.removeprefix("eval_"): value for key, value in (logs or {}).items()}
        self.last.update({key: found[key] for key in _SHOWN if key in found})

    def _note(self) -> str:
        return "  ".join(f"{key} {value:.3f}" for key, value in self.last.items())


class LogFile(TrainerCallback):
    """Every figure as a line of JSON; lines after the step that a run resumes at are dropped."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def on_train_begin(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        """Keep what belongs to the steps that are done."""
        if not state.is_world_process_zero or not self.path.exists():
            return
        lines = self.path.read_text("utf-8").splitlines()
        kept = [line for line in lines if _step_of(line) <= state.global_step]
        self.path.write_text("".join(line + "\n" for line in kept), "utf-8")

    def on_log(self, args: Any, state: Any, control: Any, logs: Any = None, **kwargs: Any) -> None:
        """Add a line."""
        if state.is_world_process_zero and logs:
            with self.path.open("a", encoding="utf-8") as handle:
                handle.write(json.dumps({"step": state.global_step, **logs}) + "\n")


class Seals(TrainerCallback):
    """Seals every checkpoint once it is written."""

    def on_save(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        """Seal the newest, once every process has written its part."""
        wait_for_all()
        if state.is_world_process_zero:
            seal(Path(args.output_dir) / f"checkpoint-{state.global_step}")


class StopWhenAsked(TrainerCallback):
    """Ends the run after a step, with a checkpoint, when somebody asked for it."""

    def __init__(self, stop: Stop) -> None:
        self.stop = stop

    def on_step_end(self, args: Any, state: Any, control: Any, **kwargs: Any) -> Any:
        """Save and stop."""
        if self.stop.asked_anywhere():
            control.should_save = True
            control.should_training_stop = True
        return control


def _step_of(line: str) -> int:
    try:
        return int(json.loads(line)["step"])
    except (ValueError, KeyError, TypeError):
        return 1 << 62
