"""What runs in a worker: the work is unpickled once, and what it has loaded stays loaded."""

from __future__ import annotations

import hashlib
import os
import pickle
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

_THREADS = ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMBA_NUM_THREADS")

_held: dict[str, Callable[[Any], Any]] = {}


@dataclass(frozen=True, slots=True)
class Parcel:
    """Work as bytes, with a name that is the same for the same work."""

    name: str
    content: bytes


def packed(work: Callable[[Any], Any]) -> Parcel:
    """Return the work as it travels."""
    content = pickle.dumps(work)
    return Parcel(hashlib.sha256(content).hexdigest(), content)


def do(parcel: Parcel, shard: Any) -> Any:
    """Do the work on one shard."""
    work = _held.get(parcel.name)
    if work is None:
        _held.clear()  # the model of an earlier step would fill the memory
        # Our own bytes, from the process that started this one.
        work = _held[parcel.name] = pickle.loads(parcel.content)
    return work(shard)


def share_cores(workers: int) -> None:
    """Let the numeric libraries of this process take its share of the cores and no more."""
    threads = str(max(1, (os.cpu_count() or 1) // workers))
    for name in _THREADS:
        os.environ.setdefault(name, threads)
