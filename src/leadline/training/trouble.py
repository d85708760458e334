"""What can go wrong while a model is trained, told in one line."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType
from typing import Any

from leadline.errors import InputError, needs

_MEMORY = ("out of memory", "can't allocate memory", "not enough memory")


@contextmanager
def enough_memory(way_out: str) -> Iterator[None]:
    """Turn what the libraries say when memory runs out into InputError with the way out."""
    with needs("train"):
        import torch
    try:
        yield
    except (MemoryError, torch.OutOfMemoryError, RuntimeError) as error:
        of_memory = not isinstance(error, RuntimeError) or isinstance(error, torch.OutOfMemoryError)
        if not of_memory and not any(words in str(error).lower() for words in _MEMORY):
            raise
        raise InputError(
            f"Memory ran out while training. {way_out} Checkpoints are kept: what is finished is "
            "not done again with the same settings."
        ) from error


def wait_for_all() -> None:
    """Wait until every process that trains has come here."""
    from torch import distributed

    if distributed.is_available() and distributed.is_initialized():
        distributed.barrier()


def check_alike(what: str, digest: str) -> None:
    """Check that every process that trains has the same material.

    Raises InputError where one has other.
    """
    from torch import distributed

    if not (distributed.is_available() and distributed.is_initialized()):
        return
    found: list[Any] = [None] * distributed.get_world_size()
    distributed.all_gather_object(found, digest)
    if len(set(found)) > 1:
        raise InputError(f"The processes have different {what}: they must read the same files.")


@dataclass
class Stop:
    """Whether somebody asked the run to stop."""

    asked: bool = False

    def asked_anywhere(self) -> bool:
        """Tell whether it was asked of any process, so that all stop after the same step."""
        from torch import distributed

        if distributed.is_available() and distributed.is_initialized():
            found: list[Any] = [None] * distributed.get_world_size()
            distributed.all_gather_object(found, self.asked)
            self.asked = any(found)
        return self.asked


@contextmanager
def stopping_after_a_step() -> Iterator[Stop]:
    """Let the first interruption end the step at hand and save it; a second one ends at once."""
    stop = Stop()
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
