"""Short names for a corpus and for the software, by which what is computed is kept."""

from __future__ import annotations

import hashlib
import re
import sys
from functools import cache
from importlib.metadata import PackageNotFoundError, requires
from pathlib import Path

from leadline.data.jsonl import JsonlCorpus
from leadline.types import Corpus


def fingerprint(corpus: Corpus) -> str:
    """Return 32 hex digits that change with any id, title or text, and with their order.

    Facets do not count: no system sees them. A corpus on disk goes by the bytes of its file
    instead, which costs nothing, so that the same documents in memory have another name.
    """
    return corpus.fingerprint if isinstance(corpus, JsonlCorpus) else _digest(corpus)


@cache
def software(*folders: Path) -> str:
    """Return 32 hex digits that change with Leadline's files, Python, and any installed package.

    folders  of a package that runs from its source, whose files count too

    What rules derive is kept by it: no list of what decides a result can be complete.
    """
    return _digest_of_software("", _installed(), folders)


@cache
def libraries(folder: str = "") -> str:
    """Return 32 hex digits that change with Leadline's files, Python, and the packages it names.

    It is for what takes long to compute, since other packages often change. It names packages as
    requirements, those of its extras among them.
    folder  count only the files of Leadline below it
    """
    try:
        named = {_normalised(re.split(r"[^\w.-]", each)[0]) for each in requires("leadline") or ()}
    except PackageNotFoundError:  # run from its source: nothing says what it names
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
    """Return name and version of every installed package, as its folder of metadata has them."""
    folders = (Path(entry) for entry in sys.path)
    found = (each for folder in folders for each in folder.glob("*-*.*-info"))
    return sorted({each.stem for each in found if each.suffix in (".dist-info", ".egg-info")})


def _normalised(name: str) -> str:
    return re.sub(r"[-_.]+", "_", name).lower()


def _digest(corpus: Corpus) -> str:
    digest = hashlib.blake2b(digest_size=16)
    for document in corpus.values():
        for part in (document.id, document.title, document.text):
            content = part.encode("utf-8", "surrogatepass")
            # The length in front keeps ("ab", "c") apart from ("a", "bc").
            digest.update(len(content).to_bytes(8, "little"))
            digest.update(content)
    return digest.hexdigest()
