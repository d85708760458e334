"""Spread shards of work over this process, several processes, or a Ray cluster.

Callers save each result when it arrives, so that an interrupted run can continue.
"""

from __future__ import annotations

import hashlib
import json
import logging
import multiprocessing
import os
import pickle
import socket
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any, Protocol, TypeVar

from leadline.data.digests import read_sealed, write_sealed
from leadline.data.jsonl import JsonlCorpus, Lines
from leadline.errors import InputError, needs
from leadline.progress import track
from leadline.types import Corpus, Document

S = TypeVar("S")
R = TypeVar("R")

_AHEAD = 2
"""Shards queued for each worker, so that none waits."""
_PATIENCE = 10.0
_THREADS = ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMBA_NUM_THREADS")


class Engine(Protocol):
    """Runs shards somewhere."""

    def run(self, work: Callable[[S], R], shards: Iterable[S]) -> Iterator[tuple[int, R]]:
        """Yield the number of each shard with its result, in the order of arrival.

        Raises what the work raises.
        """
        ...

    def close(self) -> None:
        """Stop the workers."""
        ...


_engine: Engine | None = None


def engine(workers: int = 1, ray: str = "") -> Engine | None:
    """Return the engine for `--workers` and `--ray`, or None for this process only.

    workers  processes of this machine, at least 1
    ray      address of a Ray cluster, `auto` for the one on this machine; overrides `workers`

    Raises InputError if a value is wrong or no cluster answers, and MissingExtraError without ray.
    """
    if workers < 1:
        raise InputError(f"--workers must be at least 1, got {workers}.")
    if ray:
        return RayEngine(ray)
    return None if workers == 1 else Processes(workers)


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
    """Return whether other processes work on shards."""
    return _engine is not None


def spread(work: Callable[[S], R], shards: Iterable[S]) -> Iterator[tuple[int, R]]:
    """Yield the number of each shard with its result, in the order of arrival.

    work  a function of a module, a method of an object that can be pickled, or a partial of one.
          Objects are unpickled once in each worker, so that models stay loaded
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


class Processes:
    """Processes of this machine, started on first use."""

    def __init__(self, workers: int) -> None:
        self._workers = workers
        self._pool: ProcessPoolExecutor | None = None

    def run(self, work: Callable[[Any], Any], shards: Iterable[Any]) -> Iterator[tuple[int, Any]]:
        """Yield the number of each shard with its result, in the order of arrival.

        Raises InputError when a worker dies.
        """
        if self._pool is None:
            # A fork of a process with threads, which torch and openai start, may hang.
            self._pool = ProcessPoolExecutor(
                self._workers,
                multiprocessing.get_context("spawn"),
                initializer=_share_cores,
                initargs=(self._workers,),
            )
        parcel = _packed(work)
        waiting: dict[Future[Any], int] = {}
        coming = iter(enumerate(shards))
        try:
            while True:
                while len(waiting) < self._workers * _AHEAD and (each := next(coming, None)):
                    waiting[self._pool.submit(_do, parcel, each[1])] = each[0]
                if not waiting:
                    return
                done, _ = wait(waiting, return_when=FIRST_COMPLETED)
                for future in done:
                    yield waiting.pop(future), future.result()
        except BrokenProcessPool:
            raise InputError(
                "A worker process died, probably because memory ran out. Use fewer --workers or a "
                "smaller batch_size. Finished work is saved."
            ) from None
        finally:
            for future in waiting:
                future.cancel()

    def close(self) -> None:
        """End the processes. Work that has not begun is dropped."""
        if self._pool is not None:
            self._pool.shutdown(wait=True, cancel_futures=True)
            self._pool = None


class RayEngine:
    """Tasks on a cluster. Work of a lost node is repeated on another one.

    Every node needs this version of Leadline.
    """

    def __init__(self, address: str) -> None:
        """Join a cluster. Raises InputError if none answers at the address."""
        with needs("ray"):
            # Ray would send usage statistics on every start.
            os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
            import ray
        self._ray = ray
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
        ray = self._ray
        parcel = ray.put(_packed(work))
        gpus = int(ray.cluster_resources().get("GPU", 0) >= 1)
        # Losing a node is not an error of the work, however often it happens.
        task = ray.remote(_do).options(num_cpus=1, num_gpus=gpus, max_retries=-1)
        waiting: dict[Any, int] = {}
        coming = iter(enumerate(shards))
        try:
            while True:
                most = _AHEAD * max(1, int(ray.cluster_resources().get("CPU", 1)))
                while len(waiting) < most and (each := next(coming, None)):
                    waiting[task.remote(parcel, each[1])] = each[0]
                if not waiting:
                    return
                done, _ = ray.wait(list(waiting))
                for reference in done:
                    yield waiting.pop(reference), self._result(reference)
        finally:
            for reference in waiting:
                ray.cancel(reference)

    def close(self) -> None:
        """Leave the cluster, if this engine joined it."""
        if self._own:
            self._ray.shutdown()

    def _result(self, reference: Any) -> Any:
        """Return a result, or raise what the work itself raised."""
        try:
            return self._ray.get(reference)
        except self._ray.exceptions.RayTaskError as error:
            if isinstance(error.cause, Exception):
                raise error.cause from None
            raise


_held: dict[str, Callable[[Any], Any]] = {}
"""In a worker: the last unpickled work, by its name."""


def _packed(work: Callable[[Any], Any]) -> tuple[str, bytes]:
    """Return a name and the bytes of the work. The same work has the same name."""
    content = pickle.dumps(work)
    return hashlib.sha256(content).hexdigest(), content


def _do(parcel: tuple[str, bytes], shard: Any) -> Any:
    """Do the work on one shard, in a worker."""
    name, content = parcel
    work = _held.get(name)
    if work is None:
        _held.clear()  # frees the model of an earlier step
        # The bytes come from the process that started this one.
        work = _held[name] = pickle.loads(content)
    return work(shard)


def _share_cores(workers: int) -> None:
    """Limit the numeric libraries of this process to its share of the cores."""
    threads = str(max(1, (os.cpu_count() or 1) // workers))
    for name in _THREADS:
        os.environ.setdefault(name, threads)


def _reach(address: str) -> None:
    """Fail at once if nothing listens; Ray itself would take minutes."""
    host, colon, port = address.removeprefix("ray://").rpartition(":")
    if colon and port.isdigit():
        socket.create_connection((host, int(port)), timeout=_PATIENCE).close()


DOCUMENTS = 2000
"""Documents of a part, or fewer if they are long."""

_BYTES = 8 << 20


def parts_of(
    corpus: Corpus, ids: Sequence[str] | None = None, most: int | None = None
) -> Iterator[Iterable[Document]]:
    """Yield the documents in parts, in order. Lines of a file are not parsed yet.

    ids   only these documents, in this order
    most  documents of a part, by default `DOCUMENTS`
    """
    size = _documents(corpus, most)
    if isinstance(corpus, JsonlCorpus):
        yield from corpus.parts(size, ids)
        return
    documents = iter(corpus.values()) if ids is None else (corpus[id] for id in ids)
    yield from iter(lambda: tuple(islice(documents, size)), ())


def that_may(match: Callable[[bytes], bool], documents: Iterable[Document]) -> Iterator[Document]:
    """Yield the documents of a part, except those that cannot match.

    match  tests case-folded text, or raw ASCII lines with placeholders for other characters and
           with more than the content; lines of a file are tested before they are parsed
    """
    if isinstance(documents, Lines):
        return documents.that_may(match)
    return (each for each in documents if match(each.content.casefold().encode("ascii", "replace")))


def _documents(corpus: Corpus, most: int | None = None) -> int:
    """Return how many documents a part has, so that a part of a file has at most some 8 MiB."""
    most = most or DOCUMENTS
    if not isinstance(corpus, JsonlCorpus):
        return most
    return max(1, min(most, _BYTES * len(corpus) // max(1, corpus.size)))


def over_parts(
    work: Callable[[Iterable[Document]], Any],
    corpus: Corpus,
    label: str,
    ids: Sequence[str] | None = None,
    most: int | None = None,
) -> Iterator[Any]:
    """Yield the result of the work on each part, in order, computed by the workers.

    work   as in `spread`
    label  label of the progress bar
    ids, most  as in `parts_of`
    """
    total = len(corpus if ids is None else ids)
    results = in_order(spread(work, parts_of(corpus, ids, most)))
    yield from track(results, label, total=total, step=_documents(corpus, most))


def kept_results(
    work: Callable[[Any], Any],
    shards: Iterable[Any],
    folder: Path,
    content: Callable[[Any], Any],
) -> Iterator[tuple[int, Any]]:
    """Yield the number of each shard with its result, in any order, from the cache if it has one.

    folder   cache folder for this work and these settings
    content  the part of a shard that determines its result, as JSON

    Results are stored as JSON with a digest. An altered one is computed again. Raises InputError if
    a result cannot be written.
    """
    missing: list[tuple[int, Path]] = []

    def not_kept() -> Iterator[Any]:
        for number, shard in enumerate(shards):
            path = folder / f"{_name(content(shard))}.json"
            result = read_sealed(path)
            if result is None:
                missing.append((number, path))
                yield shard
            else:
                kept.append((number, result))

    kept: list[tuple[int, Any]] = []
    for place, result in spread(work, not_kept()):
        number, path = missing[place]
        write_sealed(path, result)
        yield number, result
        while kept:
            yield kept.pop()
    yield from kept


def _name(content: Any) -> str:
    text = json.dumps(content, ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()[:32]
