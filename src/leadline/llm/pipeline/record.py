"""The hand of a pipeline at work on one record: it asks, checks, has verified, and asks again."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from leadline.errors import InputError
from leadline.llm.account import current
from leadline.llm.pipeline.asking import Asker, Reading
from leadline.llm.pipeline.steps import (
    Asks,
    Fault,
    Made,
    Question,
    Refusal,
    RejectedError,
    UnansweredError,
    Verify,
    shown,
)
from leadline.llm.requests import Failure
from leadline.llm.structured import asked_again

S = TypeVar("S")
T = TypeVar("T")
V = TypeVar("V")

Asking = Callable[[Refusal | None], Question]
Check = Callable[[S], S | Fault]

CODE = "code"
"""Who gave a verdict, where no model did."""

OVER_BUDGET = "budget of the step"
_REFUSED = Fault("refused (assumed)", "It does not say what the facts say, so that it is refused.")


class StoppedError(Exception):
    """The run ends before this record is done."""


@dataclass(frozen=True)
class Bench:
    """What all records of a run share.

    askers    by name of the step
    attempts  drafts of one value before it is given up
    is_stopping  whether nothing more is to be asked
    """

    askers: Mapping[str, Asker]
    attempts: int
    is_stopping: Callable[[], bool]
    put: dict[str, int] = field(default_factory=dict)

    def asker(self, step: Asks[Any]) -> Asker:
        """Return what puts the questions of a step, which must be declared."""
        if step.name not in self.askers:
            raise InputError(
                f"The step {step.name!r} is not declared: its pipeline has "
                f"{', '.join(self.askers) or 'none'}."
            )
        return self.askers[step.name]


@dataclass(eq=False)
class Record:
    """One record under way, or a part of one.

    id     of what it is made from
    lines  of the log, in the order of the work; those of parts follow
    tries  most drafts that any of its values took
    """

    id: str
    bench: Bench
    part: str = ""
    lines: list[dict[str, Any]] = field(default_factory=list)
    parts: list[Record] = field(default_factory=list)
    tries: int = 1

    async def make(
        self,
        step: Asks[S],
        question: Asking | Question,
        *,
        check: Check[S] | None = None,
        verify: Sequence[Verify[S, Any]] | Verify[S, Any] = (),
        attempts: int | None = None,
        first: int = 0,
    ) -> Made[S]:
        """Generate a value, check it, have it verified, and generate again until it passes.

        question  what the prompt is filled with; as a function it is told why the draft before was
                  refused, None at first
        check     takes a value and returns the one to go on with, or what is wrong with it
        verify    read by other models, one after the other, once the check has passed
        attempts  drafts before it is given up; by default those of the run
        first     number of the first attempt, above 0 where the same question has been put before

        Raises RejectedError when no draft passes, and UnansweredError when a call gets no answer.
        """
        asker = self.bench.asker(step)
        verifiers = [verify] if isinstance(verify, Verify) else list(verify)
        count = self.bench.attempts if attempts is None else attempts
        refusal: Refusal | None = None
        fault = Fault("never asked")
        for tried in range(count):
            is_last = tried + 1 == count
            asked = question if isinstance(question, Question) else question(refusal)
            self.tries = max(self.tries, tried + 1)
            reading = await self._read(asker, asked, first + tried, is_last=is_last)
            draft = self._checked(asker, reading, first + tried, is_last, check)
            for each in verifiers if draft.fault is None and not draft.is_unread else ():
                draft = await self._verified(draft, each, is_last)
                if draft.fault is not None:
                    break
            self._log(draft, asker, asked)
            if draft.fault is None:
                origin = asker.provenance(asked, draft.attempt)
                names = [self.bench.asker(each.step).name for each in verifiers]
                origin = replace(origin, verified_by=", ".join(names))
                return Made(draft.reading.value, origin, tried + 1)
            fault = draft.fault
            refusal = Refusal(fault.problem or fault.reason, draft.said)
        raise RejectedError(fault)

    async def ask(
        self,
        step: Asks[S],
        question: Asking | Question,
        *,
        check: Check[S] | None = None,
        attempts: int | None = None,
        first: int = 0,
    ) -> S:
        """Return one answer that passes a check: `make` without verifiers."""
        made = await self.make(step, question, check=check, attempts=attempts, first=first)
        return made.value

    async def each(
        self, items: Iterable[V], work: Callable[[Record, V], Awaitable[T]]
    ) -> list[T | Fault]:
        """Do the same work on several things at once, each in a part of the record.

        Returns in order what the work gave, or the fault for which a part was rejected.

        Raises UnansweredError when a part got no answer.
        """
        things = list(items)
        parts = [self._part(str(number)) for number in range(len(things))]
        pairs = zip(parts, things, strict=True)
        results = await asyncio.gather(
            *(work(part, thing) for part, thing in pairs), return_exceptions=True
        )
        found: list[T | Fault] = []
        for result in results:
            if isinstance(result, RejectedError):
                found.append(result.fault)
            elif isinstance(result, BaseException):
                raise result
            else:
                found.append(result)
        self.tries = max([self.tries, *(part.tries for part in parts)])
        return found

    def every_line(self) -> list[dict[str, Any]]:
        """Return the lines of the log, those of parts behind their own."""
        return [*self.lines, *(line for part in self.parts for line in part.every_line())]

    def _part(self, name: str) -> Record:
        part = Record(self.id, self.bench, f"{self.part}/{name}" if self.part else name)
        self.parts.append(part)
        return part

    def _checked(
        self,
        asker: Asker,
        reading: Reading,
        attempt: int,
        is_last: bool,
        check: Check[Any] | None,
    ) -> _Draft:
        """Return what was read as a draft that passed the check, or with what is wrong with it."""
        said = shown(reading.value) if reading.fault is None else reading.answer.text
        draft = _Draft(attempt, reading, said, reading.fault)
        if reading.is_planned:
            assumed = self._assumed(asker.step, attempt)
            draft.fault = reading.fault or (None if is_last else assumed)
            draft.is_unread = assumed is not None
        elif reading.fault is None and check is not None:
            checked = check(reading.value)
            if isinstance(checked, Fault):
                draft.fault = checked
            else:
                draft.reading = replace(reading, value=checked)
                draft.said = shown(checked)
            draft.verdicts.append(_verdict(CODE, asker.step.name, draft.fault))
        _count(asker, draft.fault)
        return draft

    async def _verified(self, draft: _Draft, verify: Verify[Any, Any], is_final: bool) -> _Draft:
        """Have a draft read; a reader that gives no usable answer is asked again."""
        asker = self.bench.asker(verify.step)
        asked = verify.question(draft.reading.value)
        count = self.bench.attempts
        first = draft.attempt * count
        for attempt in range(first, first + count):
            is_last = attempt + 1 == first + count
            reading = await self._read(asker, asked, attempt, is_last=is_last)
            fault = reading.fault
            if reading.is_planned:
                fault = None if is_final else self._assumed(asker.step, draft.attempt)
            elif fault is None:
                fault = verify.compare(reading.value, draft.reading.value)
            _count(asker, fault)
            verdict = _verdict(asker.name, asker.step.name, fault)
            draft.verdicts.append(verdict | _answered(asker, asked, attempt, reading))
            if reading.fault is None or reading.is_planned:
                draft.fault = fault
                return draft
        draft.fault = Fault("the verifier gave no usable answer", "It could not be understood.")
        return draft

    async def _read(self, asker: Asker, asked: Question, attempt: int, *, is_last: bool) -> Reading:
        """Ask, and read the answer. JSON that does not fit is shown to the model, once."""
        step = asker.step
        if self.bench.is_stopping():
            raise StoppedError
        asker.book.came_in += 1
        put = self.bench.put[step.name] = self.bench.put.get(step.name, 0) + 1
        if step.max_calls is not None and put > step.max_calls:
            asker.book.leave(OVER_BUDGET)
            raise UnansweredError(Failure(OVER_BUDGET, transient=True))
        request = asker.request(asked, attempt, is_last=is_last)
        reading = asker.reading(await asker.answer(request), request)
        if reading.fault and step.schema is not None and reading.answer.failure is None:
            asker.book.asked_again += 1
            again = asked_again(request, reading.answer, reading.fault.problem)
            reading = asker.reading(await asker.answer(again), request)
        if reading.failure is not None:
            asker.book.leave(reading.failure.kind)
            raise UnansweredError(reading.failure)
        return reading

    def _assumed(self, step: Asks[Any], attempt: int) -> Fault | None:
        """Return whether a dry run takes an answer for refused, the same in each run."""
        drawn = random.Random(f"{self.id} {self.part} {step.name} {attempt}").random()
        kept = current()
        share = step.refused if kept is None or kept.refused is None else kept.refused
        return _REFUSED if drawn < share else None

    def _log(self, draft: _Draft, asker: Asker, asked: Question) -> None:
        if draft.reading.is_planned:
            return
        line = {
            "record": self.id,
            "part": self.part,
            "step": asker.step.name,
            **_answered(asker, asked, draft.attempt, draft.reading),
            "verdicts": draft.verdicts,
            "kept": draft.fault is None,
        }
        if draft.fault is not None:
            line |= {"fault": draft.fault.reason, "problem": draft.fault.problem}
        self.lines.append(line)


@dataclass(eq=False)
class _Draft:
    """One draft; `is_unread` in a dry run, where its check would have refused it."""

    attempt: int
    reading: Reading
    said: str
    fault: Fault | None = None
    verdicts: list[dict[str, Any]] = field(default_factory=list)
    is_unread: bool = False


def _count(asker: Asker, fault: Fault | None) -> None:
    book = asker.book
    if fault is None:
        book.went_out += 1
    else:
        book.drop(fault.reason)


def _verdict(by: str, step: str, fault: Fault | None) -> dict[str, Any]:
    problem = {"problem": fault.problem} if fault is not None and fault.problem else {}
    return {"by": by, "step": step, "fault": fault.reason if fault else "", **problem}


def _answered(asker: Asker, asked: Question, attempt: int, reading: Reading) -> dict[str, Any]:
    origin, answer = asker.provenance(asked, attempt), reading.answer
    return {
        "attempt": attempt,
        "model": origin.model,
        "prompt": origin.prompt,
        "prompt_hash": origin.prompt_hash,
        "seed": origin.seed,
        "parents": list(origin.parents),
        "asked": reading.digest,
        "answer": answer.text,
        "finish": answer.finish,
        "prompt_tokens": answer.prompt_tokens,
        "completion_tokens": answer.completion_tokens,
    }
