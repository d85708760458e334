"""The scheduler of a pipeline: records run in parallel and are returned in order."""

from __future__ import annotations

import asyncio
import threading
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from queue import SimpleQueue
from typing import Any, Generic, TypeVar

from leadline.errors import InputError, ModelError
from leadline.llm.pipeline.record import Asker, Bench, Model, Record, StoppedError
from leadline.llm.pipeline.steps import (
    VERIFIER,
    WRITER,
    Asks,
    Fault,
    Models,
    RejectedError,
    UnansweredError,
)
from leadline.llm.requests import Failure
from leadline.llm.run_record import LogFile, RunRecord
from leadline.types import LLM

R = TypeVar("R")
T = TypeVar("T")

ATTEMPTS = 3
_RECORDS_A_CALL = 8
"""Records under way for each call that may be: most wait for a step, some for a check."""
_FEWEST_RECORDS = 64


class IncompleteError(ModelError):
    """Records are missing for which a call got no answer; what is there is kept."""


@dataclass(frozen=True)
class Pipeline(Generic[R, T]):
    """What is made, by which steps, and how they follow each other.

    name   before the names of steps in the record of the run; may be empty
    steps  every step that asks a model, in the order in which they are told
    make   makes one record from one source
    """

    name: str
    steps: tuple[Asks[Any], ...]
    make: Callable[[Record, R], Awaitable[T]]

    def __post_init__(self) -> None:
        twice = [name for name, n in Counter(each.name for each in self.steps).items() if n > 1]
        if twice:
            raise InputError(f"The pipeline {self.name!r} has two steps {twice[0]!r}.")


@dataclass(frozen=True, slots=True)
class Outcome(Generic[R, T]):
    """What became of one record: a value, or a fault, or a failure.

    fault    why it was rejected
    failure  why it got no answer, and may get one in another run
    """

    id: str
    source: R
    value: T | None = None
    fault: Fault | None = None
    failure: Failure | None = None

    @property
    def is_kept(self) -> bool:
        """Whether there is a value."""
        return self.fault is None and self.failure is None

    @property
    def reason(self) -> str:
        """Why there is no value; empty where there is one."""
        if self.failure is not None:
            return f"no answer yet: {self.failure.kind}"
        return self.fault.reason if self.fault is not None else ""


def run(
    pipeline: Pipeline[R, T],
    sources: Iterable[tuple[str, R]],
    models: Mapping[str, LLM],
    into: RunRecord,
    *,
    seed: int = 0,
    attempts: int = ATTEMPTS,
    log: LogFile | None = None,
) -> Iterator[Outcome[R, T]]:
    """Yield what becomes of each source, in their order, as soon as all before it are done.

    sources   id and source of each record; ids are unique
    models    by the names that steps use, `writer` and `verifier` mostly
    into      where steps are counted
    attempts  drafts of a value before it is given up
    log       gets a line for each draft; None for no log

    Raises what ends a run: a budget that is reached, a server that is given up, an interruption.
    Calls under way are finished and kept first; another run goes on from there.
    """
    at_work = _Run(pipeline, sources, models, into, seed, attempts)
    into.at_end(at_work.stop)
    try:
        for outcome, record in at_work.arriving():
            into.note(outcome.id, outcome.reason)
            if log is not None:
                log.write(record.every_line())
            yield outcome
    finally:
        at_work.stop()


def complete(outcomes: Iterable[Outcome[R, T]], into: RunRecord) -> list[Outcome[R, T]]:
    """Return all outcomes of a run in which every record got its answers.

    Raises IncompleteError when some did not.
    """
    found = list(outcomes)
    failures = [each.failure for each in found if each.failure is not None]
    if failures:
        missing = Counter(each.kind for each in failures)
        said = next((each.detail for each in failures if each.detail and each.status), "")
        raise unanswered(into.name, "records", missing, len(found), said)
    return found


def finish(
    pipeline: Pipeline[R, T],
    sources: Iterable[tuple[str, R]],
    models: Models,
    into: RunRecord,
    *,
    seed: int = 0,
    log: LogFile | None = None,
) -> list[Outcome[R, T]]:
    """Run a pipeline of a writer and a reader to its end; see `run` and `complete`."""
    asked = {WRITER: models.writer, VERIFIER: models.verifier}
    attempts = models.attempts
    outcomes = run(pipeline, sources, asked, into, seed=seed, attempts=attempts, log=log)
    return complete(outcomes, into)


def unanswered(
    what: str, records: str, missing: Mapping[str, int], asked: int, said: str = ""
) -> IncompleteError:
    """Return the one line for records that lack an answer.

    missing  how many, by kind of failure
    said     what the server said of the first, where it said something
    """
    kinds = ", ".join(f"{count:,} {kind}" for kind, count in sorted(missing.items()))
    return IncompleteError(
        f"{what}: {sum(missing.values()):,} of {asked:,} {records} got no answer ({kinds}). "
        f"{f'The server said: {said}. ' if said else ''}All answers are cached. Run the same "
        "command again to continue."
    )


@dataclass(eq=False)
class _Run(Generic[R, T]):
    pipeline: Pipeline[R, T]
    sources: Iterable[tuple[str, R]]
    models: Mapping[str, LLM]
    into: RunRecord
    seed: int
    attempts: int
    _done: SimpleQueue[tuple[int, Outcome[R, T], Record] | None] = field(
        default_factory=SimpleQueue
    )
    _error: BaseException | None = None
    _is_stopping: bool = False

    def __post_init__(self) -> None:
        models = {name: Model(llm) for name, llm in self.models.items()}
        for step in self.pipeline.steps:
            if step.model not in models:
                raise InputError(f"The step {step.name!r} uses the unknown model {step.model!r}.")
        prefix = f"{self.pipeline.name}: " if self.pipeline.name else ""
        askers = {
            step.name: Asker(
                step, models[step.model], self.seed, self.into.step(prefix + step.name)
            )
            for step in self.pipeline.steps
        }
        self._models = models.values()
        self._bench = Bench(askers, self.attempts, lambda: self._is_stopping)
        limits = (getattr(llm, "limits", None) for llm in self.models.values())
        calls = max((each.concurrency for each in limits if each is not None), default=0)
        self._most = max(_FEWEST_RECORDS, _RECORDS_A_CALL * calls)
        self._thread = threading.Thread(target=self._work, name="engine", daemon=True)

    def arriving(self) -> Iterator[tuple[Outcome[R, T], Record]]:
        """Yield outcomes in order of their sources."""
        self._thread.start()
        early: dict[int, tuple[Outcome[R, T], Record]] = {}
        due = 0
        while (arrival := self._done.get()) is not None:
            early[arrival[0]] = arrival[1:]
            while due in early:
                yield early.pop(due)
                due += 1
        if self._error is not None:
            raise self._error

    def stop(self) -> None:
        """Ask nothing more, and wait for what is under way."""
        self._is_stopping = True
        if self._thread.is_alive() and threading.current_thread() is not self._thread:
            for model in self._models:
                model.stop()
            self._thread.join()

    def _work(self) -> None:
        try:
            asyncio.run(self._all())
        except BaseException as error:
            self._error = self._error or error
        finally:
            self._done.put(None)

    async def _all(self) -> None:
        room = asyncio.Semaphore(self._most)
        tasks: set[asyncio.Task[None]] = set()
        for number, (id, source) in enumerate(self.sources):
            await room.acquire()
            if self._is_stopping:
                break
            task = asyncio.create_task(self._one(number, id, source))
            tasks.add(task)
            task.add_done_callback(tasks.discard)
            task.add_done_callback(lambda _: room.release())
        while tasks:
            await asyncio.wait(tasks)

    async def _one(self, number: int, id: str, source: R) -> None:
        record = Record(id, self._bench)
        value: T | None = None
        fault: Fault | None = None
        failure: Failure | None = None
        try:
            value = await self.pipeline.make(record, source)
        except RejectedError as error:
            fault = error.fault
        except UnansweredError as error:
            failure = error.failure
        except StoppedError:
            return
        except BaseException as error:
            self._error = self._error or error
            self._is_stopping = True
            for model in self._models:
                model.stop()
            return
        outcome = Outcome(id, source, value, fault, failure)
        self._done.put((number, outcome, record))
