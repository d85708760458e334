"""The cache folder, for results that can be computed again."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from leadline.data.paths import user_path
from leadline.errors import InputError


def cache_folder(kind: str) -> Path:
    """Return the folder for one kind of cached result, and create it if needed.

    It is below `$LEADLINE_CACHE`, else `$XDG_CACHE_HOME/leadline`, else `~/.cache/leadline`.
    Raises InputError if it cannot be created, or another user can write to it.
    """
    folder = _root() / kind
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(
            f"Cannot create the cache folder {folder}: {error.strerror or error}. Set "
            "LEADLINE_CACHE to a folder that you may write to."
        ) from error
    for each in (_root(), folder):
        _check_own(each)
    return folder


def _check_own(folder: Path) -> None:
    """Refuse a folder in which other users could place forged results."""
    try:
        import grp
        import pwd
    except ImportError:  # Windows: only the user can open a home folder
        return
    about = folder.stat()
    me = os.geteuid()
    why = ""
    if about.st_mode & stat.S_IWOTH:
        why = "any user can write to it"
    elif me not in (0, about.st_uid) and about.st_uid != 0:
        why = "it belongs to another user"
    elif about.st_mode & stat.S_IWGRP and about.st_gid != 0:
        try:
            others = set(grp.getgrgid(about.st_gid).gr_mem) - {pwd.getpwuid(me).pw_name}
        except KeyError:  # a group or user has no name, as in containers
            others = set()
        why = f"its group can write to it, with {', '.join(sorted(others))}" if others else ""
    if why:
        raise InputError(
            f"The cache folder {folder} is not safe: {why}, and could forge results. Run chmod "
            f"go-w {folder}, or set LEADLINE_CACHE to a folder of your own."
        )


def _root() -> Path:
    if own := os.environ.get("LEADLINE_CACHE"):
        return user_path(own)
    if shared := os.environ.get("XDG_CACHE_HOME"):
        return user_path(shared) / "leadline"
    return Path(os.path.expanduser("~")) / ".cache" / "leadline"  # noqa: PTH111 (never raises)
