"""Checkpoints that are known to be whole, so that a run goes on from one that is."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

from leadline.data.writing import atomic_file, output_folder
from leadline.errors import InputError
from leadline.training.settings import process

_SEAL = "seal.json"


def seal(checkpoint: Path) -> None:
    """Write down what a finished checkpoint holds; one without a seal is not whole."""
    with atomic_file(checkpoint / _SEAL) as handle:
        json.dump(_digests(checkpoint), handle)


def is_whole(checkpoint: Path) -> bool:
    """Tell whether a checkpoint is as it was sealed."""
    try:
        noted = json.loads((checkpoint / _SEAL).read_text("utf-8"))
        return bool(noted == _digests(checkpoint))
    except (OSError, ValueError):
        return False


def last_whole(folder: Path) -> tuple[Path | None, list[Path]]:
    """Return the newest whole checkpoint, and those after it that are damaged or unfinished.

    folder  holds `checkpoint-N`, N the step
    """
    damaged: list[Path] = []
    for checkpoint in sorted(folder.glob("checkpoint-*"), key=_step, reverse=True):
        if is_whole(checkpoint):
            return checkpoint, damaged
        damaged.append(checkpoint)
    return None, damaged


def begin(out: Path, plan: dict[str, Any]) -> None:
    """Take a folder for a training, and check that it holds no other one.

    Of several processes the first does so for all.

    Raises InputError for a folder of another training, or one that another run writes into.
    """
    if process() == 0:
        output_folder(out)
        check_same(out / "training.json", plan)


def check_same(path: Path, plan: dict[str, Any]) -> None:
    """Check that a run that is gone on with is the one that was begun, or write its plan down.

    path  where the plan lies

    Raises InputError that names what differs.
    """
    plan = json.loads(json.dumps(plan))
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
            f"{path.parent} holds a training with other settings ({changes}). Choose another "
            "--out folder, or start with those settings to go on."
        )


def _digests(checkpoint: Path) -> dict[str, str]:
    found = {}
    for path in sorted(checkpoint.rglob("*")):
        if path.is_file() and path.name != _SEAL:
            with path.open("rb") as handle:
                digest = hashlib.file_digest(handle, lambda: hashlib.blake2b(digest_size=16))
            found[path.relative_to(checkpoint).as_posix()] = digest.hexdigest()
    return found


def _step(checkpoint: Path) -> int:
    number = checkpoint.name.rpartition("-")[2]
    return int(number) if number.isdigit() else -1
