"""Run the steps of a pipeline on one record: ask, check, verify, and ask again."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from time import perf_counter
from typing import Any, TypeVar

from leadline.errors import InputError
from leadline.llm.cached import is_elsewhere, line_in
from leadline.llm.delimiting import delimited
from leadline.llm.pipeline.steps import (
    Asks,
    Fault,
    Made,
    Provenance,
    Question,
    Refusal,
    RejectedError,
    UnansweredError,
    Verify,
    quoted,
    shown,
)
from leadline.llm.prompt import Prompt
from leadline.llm.requests import Answer, Failure, Message, Request, raw_answers_of, settled
from leadline.llm.run_record import Step
from leadline.llm.structured import NoJsonError, asked_again, read_json
from leadline.llm.troubles import DRY_RUN, REFUSED_BY_MODEL
from leadline.types import LLM

S = TypeVar("S")
T = TypeVar("T")
V = TypeVar("V")

Asking = Callable[[Refusal | None], Question]
Check = Callable[[S], S | Fault]

CODE = "code"
"""Who gave a verdict, where no model did."""


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
    """

    id: str
    bench: Bench
    part: str = ""
    lines: list[dict[str, Any]] = field(default_factory=list)
    parts: list[Record] = field(default_factory=list)

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
            reading = await self._read(asker, asked, first + tried, is_last=is_last)
            draft = self._checked(asker, reading, first + tried, check)
            for each in verifiers if draft.fault is None else ():
                draft = await self._verified(draft, each)
                if draft.fault is not None:
                    break
            self._log(draft, asker, asked)
            if draft.fault is None:
                origin = asker.provenance(asked, draft.attempt)
                names = [self.bench.asker(each.step).name for each in verifiers]
                origin = replace(origin, verified_by=", ".join(names))
                return Made(draft.reading.value, origin)
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
        check: Check[Any] | None,
    ) -> _Draft:
        """Return what was read as a draft that passed the check, or with what is wrong with it."""
        said = shown(reading.value) if reading.fault is None else reading.answer.text
        draft = _Draft(attempt, reading, said, reading.fault)
        if reading.fault is None and check is not None and not reading.is_planned:
            checked = check(reading.value)
            if isinstance(checked, Fault):
                draft.fault = checked
            else:
                draft.reading = replace(reading, value=checked)
                draft.said = shown(checked)
            draft.verdicts.append(_verdict(CODE, asker.step.name, draft.fault))
        _count(asker, draft.fault)
        return draft

    async def _verified(self, draft: _Draft, verify: Verify[Any, Any]) -> _Draft:
        """Have a draft read; a reader that gives no usable answer is asked again."""
        asker = self.bench.asker(verify.step)
        asked = verify.question(draft.reading.value)
        count = self.bench.attempts
        first = draft.attempt * count
        for attempt in range(first, first + count):
            is_last = attempt + 1 == first + count
            reading = await self._read(asker, asked, attempt, is_last=is_last)
            fault = reading.fault
            if fault is None and not reading.is_planned:
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
    """One draft, with what is said of it."""

    attempt: int
    reading: Reading
    said: str
    fault: Fault | None = None
    verdicts: list[dict[str, Any]] = field(default_factory=list)


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


NEXT_SEED = 1_000_003
"""From one attempt to the next; far enough apart that seeds of users do not meet."""

_LONGEST_REASON = 120
_MOST_FAULTS = 10
"""Places of an answer that does not fit of which the model is told."""
_GATHERING = 0.005
"""Seconds in which questions to a model in this process come together."""
_MOST_TOGETHER = 256


@dataclass(frozen=True, slots=True)
class Reading:
    """What became of one question.

    value    what was read; None where there is a fault or a failure
    fault    why the answer cannot be used
    answer   the last answer
    failure  why there is no answer, where another run may get one
    digest   12 hex digits of the SHA-256 of what the model was sent first
    """

    value: Any
    answer: Answer
    fault: Fault | None = None
    failure: Failure | None = None
    is_planned: bool = False
    digest: str = ""


class Model:
    """A model of a run, asked for one thing at a time. All methods belong to one event loop.

    What a model in this process is asked within a moment goes to it together.
    """

    def __init__(self, llm: LLM) -> None:
        self.llm: Any = llm
        self.is_elsewhere = is_elsewhere(llm)
        self._waiting: list[tuple[Request, asyncio.Future[Answer]]] = []

    async def together(self, request: Request) -> Answer:
        """Return the answer of a model in this process."""
        loop = asyncio.get_running_loop()
        promise: asyncio.Future[Answer] = loop.create_future()
        self._waiting.append((request, promise))
        if len(self._waiting) == 1:
            loop.call_later(_GATHERING, self._ask)
        return await promise

    def _ask(self) -> None:
        together = self._waiting[:_MOST_TOGETHER]
        self._waiting = self._waiting[_MOST_TOGETHER:]
        if self._waiting:
            asyncio.get_running_loop().call_soon(self._ask)
        try:
            answers = raw_answers_of(self.llm, [request for request, _ in together])
        except BaseException as error:
            for _, promise in together:
                promise.set_exception(error)
            return
        for (_, promise), answer in zip(together, answers, strict=True):
            promise.set_result(answer)

    def stop(self) -> None:
        """Start no further attempt of what is asked now; calls under way are finished."""
        if self.is_elsewhere:
            self.llm.stop()


@dataclass(slots=True)
class Asker:
    """Puts the questions of one step.

    seed  of the run
    book  where the step is counted
    """

    step: Asks[Any]
    model: Model
    seed: int
    book: Step
    _under_way: int = 0
    _since: float = 0.0

    @property
    def name(self) -> str:
        """The name of the model."""
        return str(self.model.llm.name)

    def request(self, question: Question, attempt: int, *, is_last: bool = False) -> Request:
        """Return what the model is sent.

        is_last  whether no further attempt follows, so that an answer which is kept, and is empty
                 or was cut off, is asked for again
        """
        step = self.step
        texts = {name: delimited(text, name) for name, text in question.texts.items()}
        filled = step.prompt.fill(**question.values, **texts)
        turns = [Message("user", filled)]
        if texts:
            marks = " and ".join(f"<{name}> and </{name}>" for name in texts)
            notice = Prompt.load("leadline.llm", "texts_are_data").fill(marks=marks)
            turns.insert(0, Message("system", notice))
        return Request(
            tuple(turns),
            step.max_tokens,
            step.temperature,
            schema=question.schema or step.schema,
            seed=self._seed_of(attempt) if step.temperature > 0 else None,
            expected_tokens=step.usual_tokens,
            attempt=attempt,
            is_judged=not is_last,
        )

    def provenance(self, question: Question, attempt: int) -> Provenance:
        """Return where an answer comes from."""
        prompt = self.step.prompt
        return Provenance(
            self.name, prompt.name, prompt.hash, self._seed_of(attempt), question.parents
        )

    def _seed_of(self, attempt: int) -> int:
        return self.seed + attempt * NEXT_SEED

    async def answer(self, request: Request) -> Answer:
        """Return what the model answers, and count it in the step.

        Raises what the model raises when no call can succeed.
        """
        if not self._under_way:
            self._since = perf_counter()
        self._under_way += 1
        try:
            if self.model.is_elsewhere:
                answer: Answer = await asyncio.wrap_future(self.model.llm.submit(request))
            else:
                answer = await self.model.together(request)
        finally:
            self._under_way -= 1
            if not self._under_way:
                self.book.seconds += perf_counter() - self._since
        if answer.failure is None or answer.failure.kind in (DRY_RUN, REFUSED_BY_MODEL):
            line = line_in(self.model.llm)
            self.book.book(answer, line.price if line else None)
        return answer

    def reading(self, answer: Answer, first: Request) -> Reading:
        """Read an answer.

        first  what the model was sent first
        """
        digest = hashlib.sha256(first.fingerprint.encode()).hexdigest()[:12]
        answer = settled(answer)
        failure = answer.failure
        if failure is not None and failure.kind == DRY_RUN:
            fault = Fault(DRY_RUN) if self.step.usual is None else None
            return Reading(self.step.usual, answer, fault, is_planned=True, digest=digest)
        if failure is not None and failure.transient:
            return Reading(None, answer, failure=failure, digest=digest)
        if failure is not None:
            problem = f"There was none. {quoted(failure.detail)}" if failure.detail else ""
            fault = Fault(f"no answer ({failure.kind})", problem)
            return Reading(None, answer, fault, digest=digest)
        try:
            return Reading(self._value(answer), answer, digest=digest)
        except ValueError as error:
            problem = " ".join(str(error).split()) or "it cannot be used"
            fault = Fault(_reason(answer, error, problem), problem)
            return Reading(None, answer, fault, digest=digest)

    def _value(self, answer: Answer) -> Any:
        from pydantic import ValidationError

        read: Any = self.step.read
        if self.step.schema is None:
            thought = [answer.reasoning] if self.step.takes_thought else []
            return read(answer.text.strip(), *thought)
        value = read_json(answer.text, is_cut=answer.finish == "length")
        try:
            return read.model_validate(value)
        except ValidationError as error:
            faults = error.errors(include_url=False, include_input=False, include_context=False)
            raise ValueError("; ".join(_told(each) for each in faults[:_MOST_FAULTS])) from None


def _told(fault: Mapping[str, Any]) -> str:
    if fault["type"] == "extra_forbidden":  # its place is a word of the model
        return "there is a field that was not asked for"
    place = ".".join(str(each) for each in fault["loc"])
    return f"{place}: {fault['msg']}" if place else str(fault["msg"])


def _reason(answer: Answer, error: ValueError, problem: str) -> str:
    """Return why an answer cannot be used, the same words for the same fault."""
    if answer.finish == "length":
        return "the answer was cut off"
    if not answer.text.strip():
        return "the answer is empty"
    if isinstance(error, NoJsonError):
        return "the answer is no JSON"
    return f"the answer does not fit: {problem}"[:_LONGEST_REASON]
