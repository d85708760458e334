"""Check what a typed path is, without errors for invalid paths."""

from __future__ import annotations

import os
from pathlib import Path

from leadline.errors import InputError


def is_file(path: str | Path) -> bool:
    """Return whether a file exists. An invalid path, such as a name too long, does not."""
    return os.path.isfile(path)  # noqa: PTH113 (Path.is_file raises for a name too long)


def is_folder(path: str | Path) -> bool:
    """Return whether a folder exists. An invalid path does not."""
    return os.path.isdir(path)  # noqa: PTH112


def exists(path: str | Path) -> bool:
    """Return whether a path exists. An invalid path does not."""
    return os.path.exists(path)  # noqa: PTH110


def user_path(path: str | Path) -> Path:
    """Return a path with `~` and `~user` expanded. Raises InputError for an unknown user."""
    try:
        return Path(path).expanduser()
    except RuntimeError as error:
        raise InputError(f"{str(path)[:200]}: there is no such user.") from error
