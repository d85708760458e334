"""Warn before slow work if a corpus may not fit on this machine."""

from __future__ import annotations

import os
import shutil
import sys
from contextlib import suppress
from pathlib import Path

from leadline.data.jsonl import JsonlCorpus
from leadline.progress import warn
from leadline.types import Corpus

_MEMORY = Path("/proc/meminfo")
_CONTAINER = Path("/sys/fs/cgroup")


def bytes_of(corpus: Corpus) -> int:
    """Return the estimated bytes of text in a corpus."""
    if isinstance(corpus, JsonlCorpus):
        return corpus.size
    return sum(len(document.title) + len(document.text) for document in corpus.values())


def warn_beyond(doing: str, corpus: Corpus, *, memory: int, disk: int, folder: Path) -> None:
    """Print a warning if the work needs more memory or disk than is free, and continue.

    doing         the work: "indexing for BM25"
    memory, disk  estimated bytes
    folder        folder that it writes to
    """
    free_disk = shutil.disk_usage(folder).free
    free = free_memory()
    short = [
        f"{_told(needed)} of {what} ({_told(there)} free)"
        for what, needed, there in (("memory", memory, free), ("disk", disk, free_disk))
        if needed > there
    ]
    if short:
        warn(
            f"{len(corpus):,} documents may be too many for this machine: {doing} needs about "
            f"{' and '.join(short)}. Search in an engine (-s milvus:http://HOST:19530 or -s "
            "opensearch:https://HOST:9200), spread the work (--ray ADDRESS), or use a sample "
            "(check --sample N). See docs/how-to/search-large-corpora.md."
        )


def free_memory() -> int:
    """Return the free bytes of memory, in a container up to its limit.

    If the system does not report free memory, return all of it; if it reports nothing, infinity.
    """
    found = [sys.maxsize]  # the system reports nothing, as on Windows
    with suppress(AttributeError):
        found.append(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))
    with suppress(OSError, ValueError, StopIteration):
        lines = _MEMORY.read_text().splitlines()
        line = next(each for each in lines if each.startswith("MemAvailable:"))
        found.append(int(line.split()[1]) << 10)
    with suppress(OSError, ValueError):  # "max" if the container has no limit
        most = int((_CONTAINER / "memory.max").read_text())
        found.append(most - int((_CONTAINER / "memory.current").read_text()))
    return max(0, min(found))


def _told(size: int) -> str:
    unit, name = (1 << 30, "GiB") if size >= 1 << 30 else (1 << 20, "MiB")
    return f"{size / unit:,.1f} {name}"
