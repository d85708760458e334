"""Spread shards of work over whatever the command was given: nothing, processes, a cluster.

A shard that is lost with its worker is done again elsewhere. What a caller keeps of each result
as it arrives (vectors, answers, scores) is what an interrupted run goes on from.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, Protocol, TypeVar

from leadline.errors import InputError

S = TypeVar("S")
R = TypeVar("R")


class Engine(Protocol):
    """Runs shards somewhere."""

    def run(self, work: Callable[[S], R], shards: Iterable[S]) -> Iterator[tuple[int, R]]:
        """Yield the number of each shard with its result, in the order of arrival.

        Raises what the work raises.
        """
        ...

    def close(self) -> None:
        """Let go of the workers."""
        ...


_engine: Engine | None = None


def engine(workers: int = 1, ray: str = "") -> Engine | None:
    """Return what `--workers` and `--ray` ask for, None for this process alone.

    workers  processes of this machine, >= 1
    ray      address of a Ray cluster, `auto` for the one on this machine; goes before `workers`

    Raises InputError when a value does not fit or no cluster answers, and MissingExtraError
    without ray.
    """
    if workers < 1:
        raise InputError(f"--workers must be at least 1, got {workers}.")
    if ray:
        from leadline.distribution.on_ray import RayEngine

        return RayEngine(ray)
    if workers == 1:
        return None
    from leadline.distribution.processes import Processes

    return Processes(workers)


@contextmanager
def spreading_over(chosen: Engine | None) -> Iterator[None]:
    """Spread the heavy steps inside the block over an engine, and close it at the end."""
    global _engine
    before, _engine = _engine, chosen
    try:
        yield
    finally:
        _engine = before
        if chosen is not None:
            chosen.close()


def is_spreading() -> bool:
    """Return whether shards go anywhere but to this process."""
    return _engine is not None


def spread(work: Callable[[S], R], shards: Iterable[S]) -> Iterator[tuple[int, R]]:
    """Yield the number of each shard with its result, in the order of arrival.

    work  a module's function, a method of an object that can be pickled, or a partial of either.
          Objects are unpickled once in each worker, so that a model stays loaded there
    """
    if _engine is not None:
        yield from _engine.run(work, shards)
        return
    for number, shard in enumerate(shards):
        yield number, work(shard)


def in_order(arriving: Iterable[tuple[int, Any]]) -> Iterator[Any]:
    """Yield the results of all shards in the order of the shards."""
    early: dict[int, Any] = {}
    due = 0
    for number, result in arriving:
        early[number] = result
        while due in early:
            yield early.pop(due)
            due += 1
