"""A digest beside what is kept, so that what was altered or damaged since is made anew."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

from leadline.data.writing import atomic_file

_SEAL = "digest"


def seal(folder: Path) -> None:
    """Write the digest of every file of a folder beside them."""
    (folder / _SEAL).write_text(_digest(folder), encoding="ascii")


def is_whole(folder: Path) -> bool:
    """Tell whether the files of a folder are those that were sealed."""
    try:
        return (folder / _SEAL).read_text(encoding="ascii") == _digest(folder)
    except (OSError, ValueError):
        return False


def write_sealed(path: Path, value: Any) -> None:
    """Write a value as JSON, below a line with the digest of it.

    Raises InputError when it cannot be written.
    """
    text = json.dumps(value, ensure_ascii=True)
    with atomic_file(path) as handle:
        handle.write(f"{_digest_of_text(text)}\n{text}\n")


def read_sealed(path: Path) -> Any:
    """Return a value that `write_sealed` wrote; None where it is not there or was altered."""
    try:
        digest, _, text = path.read_text(encoding="ascii").removesuffix("\n").partition("\n")
        return json.loads(text) if digest == _digest_of_text(text) else None
    except (OSError, ValueError, RecursionError):
        return None


def seal_file(path: Path) -> None:
    """Write the digest of a file beside it."""
    with atomic_file(_beside(path)) as handle:
        handle.write(_digest_of_file(path))


def is_whole_file(path: Path) -> bool:
    """Tell whether a file is the one that was sealed."""
    try:
        return _beside(path).read_text(encoding="ascii") == _digest_of_file(path)
    except (OSError, ValueError):
        return False


def _beside(path: Path) -> Path:
    return path.with_name(f"{path.name}.{_SEAL}")


def _digest_of_text(text: str) -> str:
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


def _digest_of_file(path: Path) -> str:
    with path.open("rb") as handle:
        return hashlib.file_digest(handle, lambda: hashlib.blake2b(digest_size=16)).hexdigest()


def _digest(folder: Path) -> str:
    digest = hashlib.blake2b(digest_size=16)
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.name != _SEAL:
            name = path.relative_to(folder).as_posix().encode("utf-8", "surrogateescape")
            digest.update(len(name).to_bytes(8, "little") + name)
            digest.update(path.stat().st_size.to_bytes(8, "little"))
            with path.open("rb") as handle:
                while block := handle.read(1 << 20):
                    digest.update(block)
    return digest.hexdigest()
