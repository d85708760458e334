"""Shards on a Ray cluster."""

from __future__ import annotations

import logging
import os
import socket
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from leadline.distribution.worker import do, packed
from leadline.errors import InputError, needs

with needs("ray"):
    # Ray would tell its makers of every start.
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    import ray
    from ray.exceptions import RayTaskError

_PATIENCE = 10.0
_AHEAD = 2
"""Shards in hand for each processor of the cluster."""


class RayEngine:
    """Tasks of a cluster; what a lost node had in hand is done again on another.

    Leadline must be installed on every node, in the version of this one.
    """

    def __init__(self, address: str) -> None:
        """Join a cluster. Raises InputError when none answers at the address."""
        self._own = not ray.is_initialized()
        if self._own:
            try:
                _reach(address)
                ray.init(address=address, log_to_driver=False, logging_level=logging.ERROR)
            except (OSError, ValueError, RuntimeError) as error:
                reason = " ".join(str(error).split())
                raise InputError(f"No Ray cluster answers at {address!r}: {reason}") from error

    def run(self, work: Callable[[Any], Any], shards: Iterable[Any]) -> Iterator[tuple[int, Any]]:
        """Yield the number of each shard with its result, in the order of arrival."""
        parcel = ray.put(packed(work))
        # A node that is lost is no fault of the work, however often it happens.
        task = ray.remote(do).options(num_cpus=1, num_gpus=_accelerators(), max_retries=-1)
        coming = iter(enumerate(shards))
        waiting: dict[Any, int] = {}
        try:
            while True:
                while len(waiting) < _processors() * _AHEAD:
                    each = next(coming, None)
                    if each is None:
                        break
                    waiting[task.remote(parcel, each[1])] = each[0]
                if not waiting:
                    return
                done, _ = ray.wait(list(waiting))
                for reference in done:
                    yield waiting.pop(reference), _result(reference)
        finally:
            for reference in waiting:
                ray.cancel(reference)

    def close(self) -> None:
        """Leave the cluster, if this engine joined it."""
        if self._own:
            ray.shutdown()


def _reach(address: str) -> None:
    """Fail at once where nothing listens, for which Ray itself takes minutes."""
    host, colon, port = address.removeprefix("ray://").rpartition(":")
    if colon and port.isdigit():
        socket.create_connection((host, int(port)), timeout=_PATIENCE).close()


def _result(reference: Any) -> Any:
    """Return a result, or raise what the work itself raised."""
    try:
        return ray.get(reference)
    except RayTaskError as error:
        if isinstance(error.cause, Exception):
            raise error.cause from None
        raise


def _processors() -> int:
    return max(1, int(ray.cluster_resources().get("CPU", 1)))


def _accelerators() -> int:
    """Return how many accelerators a task takes: one where the cluster has any."""
    return int(ray.cluster_resources().get("GPU", 0) >= 1)
