"""Shards on several processes of this machine."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from typing import Any

from leadline.distribution.worker import Parcel, do, packed, share_cores
from leadline.errors import InputError

_AHEAD = 2
"""Shards in hand for each worker, so that none waits for the next."""

_DEATHS = 3
"""Times that workers may die with no shard done in between."""

_Waiting = dict[Future[Any], tuple[int, Any]]


class Processes:
    """Processes that are started when first needed, and again when one dies."""

    def __init__(self, workers: int) -> None:
        self._workers = workers
        self._pool: ProcessPoolExecutor | None = None

    def run(self, work: Callable[[Any], Any], shards: Iterable[Any]) -> Iterator[tuple[int, Any]]:
        """Yield the number of each shard with its result, in the order of arrival.

        Raises InputError when workers die again and again.
        """
        parcel = packed(work)
        coming = iter(enumerate(shards))
        again: list[tuple[int, Any]] = []
        waiting: _Waiting = {}
        deaths = 0
        try:
            while True:
                self._fill(parcel, waiting, again, coming)
                if not waiting and not again:
                    return
                done, _ = wait(waiting, return_when=FIRST_COMPLETED)
                for future in done:
                    number, shard = waiting.pop(future)
                    try:
                        result = future.result()
                    except BrokenProcessPool:
                        again.append((number, shard))
                        continue
                    deaths = 0
                    yield number, result
                if again:
                    deaths += 1
                    self._start_anew(waiting, again, deaths)
        finally:
            for future in waiting:
                future.cancel()

    def close(self) -> None:
        """End the processes; what has not begun is dropped."""
        if self._pool is not None:
            self._pool.shutdown(wait=True, cancel_futures=True)
            self._pool = None

    def _fill(
        self,
        parcel: Parcel,
        waiting: _Waiting,
        again: list[tuple[int, Any]],
        coming: Iterator[tuple[int, Any]],
    ) -> None:
        """Hand out shards until every worker has enough, or one is found to have died."""
        while len(waiting) < self._workers * _AHEAD:
            each = again.pop() if again else next(coming, None)
            if each is None:
                return
            try:
                future = self._opened().submit(do, parcel, each[1])
            except BrokenProcessPool:
                again.append(each)
                return
            waiting[future] = each

    def _opened(self) -> ProcessPoolExecutor:
        if self._pool is None:
            # A forked copy of a process with threads, which torch and openai start, may hang.
            self._pool = ProcessPoolExecutor(
                self._workers,
                multiprocessing.get_context("spawn"),
                initializer=share_cores,
                initargs=(self._workers,),
            )
        return self._pool

    def _start_anew(self, waiting: _Waiting, again: list[tuple[int, Any]], deaths: int) -> None:
        """Give up the processes after one died, and take back what they had in hand."""
        self.close()
        again += waiting.values()
        waiting.clear()
        if deaths > _DEATHS:
            raise InputError(
                "Worker processes die again and again, mostly for want of memory: try fewer "
                "--workers or a smaller batch_size. What was finished is kept."
            )
