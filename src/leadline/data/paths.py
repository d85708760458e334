"""What stands at a path that somebody typed: asking never fails, whatever was typed."""

from __future__ import annotations

import os
from pathlib import Path

from leadline.errors import InputError


def is_file(path: str | Path) -> bool:
    """Tell whether a file is there; what cannot be a path, such as a name too long, is none."""
    return os.path.isfile(path)  # noqa: PTH113 (Path.is_file raises for a name too long)


def is_folder(path: str | Path) -> bool:
    """Tell whether a folder is there; what cannot be a path is none."""
    return os.path.isdir(path)  # noqa: PTH112


def exists(path: str | Path) -> bool:
    """Tell whether anything is there; what cannot be a path is not."""
    return os.path.exists(path)  # noqa: PTH110


def user_path(path: str | Path) -> Path:
    """Return a path with `~` and `~user` written out. Raises InputError for an unknown user."""
    try:
        return Path(path).expanduser()
    except RuntimeError as error:
        raise InputError(f"{str(path)[:200]}: there is no such user's folder.") from error
