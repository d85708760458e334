"""Digests of cached files (to detect changes), of a corpus, and of the software."""

from __future__ import annotations

import hashlib
import json
import re
import sys
from functools import cache
from importlib.metadata import PackageNotFoundError, requires
from pathlib import Path
from typing import Any

from leadline.data.jsonl import JsonlCorpus
from leadline.data.writing import atomic_file
from leadline.types import Corpus

_SEAL = "digest"


def seal(path: Path) -> None:
    """Write the digest of a file next to it, or that of all files of a folder into it."""
    digest = _digest_of(path)  # before the digest file exists
    with atomic_file(_seal_of(path)) as handle:
        handle.write(digest)


def is_whole(path: Path) -> bool:
    """Return whether a file, or every file of a folder, is unchanged since `seal`."""
    try:
        return _seal_of(path).read_text(encoding="ascii") == _digest_of(path)
    except (OSError, ValueError):
        return False


def write_sealed(path: Path, value: Any) -> None:
    """Write a value as JSON, below a line with its digest.

    Raises InputError if it cannot be written.
    """
    text = json.dumps(value, ensure_ascii=True)
    with atomic_file(path) as handle:
        handle.write(f"{_digest_of_text(text)}\n{text}\n")


def read_sealed(path: Path) -> Any:
    """Return a value that `write_sealed` wrote, or None if it is missing or was altered."""
    try:
        digest, _, text = path.read_text(encoding="ascii").removesuffix("\n").partition("\n")
        return json.loads(text) if digest == _digest_of_text(text) else None
    except (OSError, ValueError, RecursionError):
        return None


def _seal_of(path: Path) -> Path:
    return path / _SEAL if path.is_dir() else path.with_name(f"{path.name}.{_SEAL}")


def _digest_of_text(text: str) -> str:
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


def _digest_of(path: Path) -> str:
    digest = hashlib.blake2b(digest_size=16)
    for file in sorted(path.rglob("*")) if path.is_dir() else [path]:
        if file.is_file() and file.name != _SEAL:
            name = file.relative_to(path).as_posix().encode("utf-8", "surrogateescape")
            digest.update(len(name).to_bytes(8, "little") + name)
            digest.update(file.stat().st_size.to_bytes(8, "little"))
            with file.open("rb") as handle:
                while block := handle.read(1 << 20):
                    digest.update(block)
    return digest.hexdigest()


def fingerprint(corpus: Corpus) -> str:
    """Return 32 hex digits that change with any id, title or text, and with their order.

    Facets do not count, because systems do not see them. For a corpus on disk the digest is that
    of the file, so the same documents in memory have a different one.
    """
    return corpus.fingerprint if isinstance(corpus, JsonlCorpus) else _digest_of_corpus(corpus)


@cache
def software(*folders: Path) -> str:
    """Return 32 hex digits that change with Leadline's files, Python, and any installed package.

    folders  folders of a package that runs from its source, whose files also count

    Results of rules are cached under it, because any package may affect them.
    """
    return _digest_of_software("", _installed(), folders)


@cache
def libraries(folder: str = "") -> str:
    """Return 32 hex digits that change with Leadline's files, Python, and its requirements.

    It is for results that take long to compute. The requirements include those of the extras.
    folder  count only the files of Leadline below it
    """
    try:
        named = {_normalised(re.split(r"[^\w.-]", each)[0]) for each in requires("leadline") or ()}
    except PackageNotFoundError:  # run from its source: there is no list of requirements
        return _digest_of_software(folder, _installed())
    return _digest_of_software(
        folder, [each for each in _installed() if _normalised(each.split("-")[0]) in named]
    )


def _digest_of_software(folder: str, packages: list[str], others: tuple[Path, ...] = ()) -> str:
    digest = hashlib.blake2b(repr([sys.version_info, packages]).encode(), digest_size=16)
    root = Path(__file__).parent.parent
    for top in (root / folder, *others):
        for path in sorted(top.rglob("*")):
            if not path.is_file() or "__pycache__" in path.parts:
                continue
            content = path.read_bytes()
            name = path.relative_to(top).as_posix()
            digest.update(f"{name} {len(content)}\n".encode() + content)
    return digest.hexdigest()


def _installed() -> list[str]:
    """Return the name and version of every installed package, from its metadata."""
    folders = (Path(entry) for entry in sys.path)
    found = (each for folder in folders for each in folder.glob("*-*.*-info"))
    return sorted({each.stem for each in found if each.suffix in (".dist-info", ".egg-info")})


def _normalised(name: str) -> str:
    return re.sub(r"[-_.]+", "_", name).lower()


def _digest_of_corpus(corpus: Corpus) -> str:
    digest = hashlib.blake2b(digest_size=16)
    for document in corpus.values():
        for part in (document.id, document.title, document.text):
            content = part.encode("utf-8", "surrogatepass")
            # The length in front makes ("ab", "c") differ from ("a", "bc").
            digest.update(len(content).to_bytes(8, "little"))
            digest.update(content)
    return digest.hexdigest()
