"""Whether a corpus fits on this machine, told before the work that would show it."""

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
    """Return about how many bytes of text a corpus holds."""
    if isinstance(corpus, JsonlCorpus):
        return corpus.size
    return sum(len(document.title) + len(document.text) for document in corpus.values())


def warn_beyond(doing: str, corpus: Corpus, *, memory: int, disk: int, folder: Path) -> None:
    """Print a line where the work needs more memory or disk than is free, and go on.

    doing         what needs it: "indexing for BM25"
    memory, disk  bytes that it is estimated to take
    folder        where it writes
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
            f"{len(corpus):,} documents may be beyond this machine: {doing} takes about "
            f"{' and '.join(short)}. Search in an engine, -s milvus:http://HOST:19530 or "
            "-s opensearch:https://HOST:9200, spread the work, --ray ADDRESS, or look at a part, "
            "check --sample N."
        )


def free_memory() -> int:
    """Return the bytes of memory that are free here, in a container those that it may take.

    All of the machine's if the system does not tell which are free; no end if it tells nothing.
    """
    found = [sys.maxsize]  # where the system tells nothing, as Windows here
    with suppress(AttributeError):
        found.append(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))
    with suppress(OSError, ValueError, StopIteration):
        lines = _MEMORY.read_text().splitlines()
        line = next(each for each in lines if each.startswith("MemAvailable:"))
        found.append(int(line.split()[1]) << 10)
    with suppress(OSError, ValueError):  # "max" where the container has no limit
        most = int((_CONTAINER / "memory.max").read_text())
        found.append(most - int((_CONTAINER / "memory.current").read_text()))
    return max(0, min(found))


def _told(size: int) -> str:
    unit, name = (1 << 30, "GiB") if size >= 1 << 30 else (1 << 20, "MiB")
    return f"{size / unit:,.1f} {name}"
