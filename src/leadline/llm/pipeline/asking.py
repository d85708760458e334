"""One question of a step: filled, asked, and read."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from time import perf_counter
from typing import Any

from leadline.llm.cached import is_elsewhere, meter_of
from leadline.llm.delimiting import delimited
from leadline.llm.pipeline.steps import Asks, Fault, Provenance, Question, quoted
from leadline.llm.prompt import Prompt
from leadline.llm.requests import Answer, Failure, Message, Request, raw_answers_of, settled
from leadline.llm.run_record import Step
from leadline.llm.structured import NoJsonError, read_json
from leadline.llm.troubles import DRY_RUN, REFUSED_BY_MODEL
from leadline.types import LLM

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
        before = [step.system] if step.system else []
        if texts:
            marks = " and ".join(f"<{name}> and </{name}>" for name in texts)
            before.append(Prompt.load("leadline.llm", "texts_are_data").fill(marks=marks))
        turns = [Message("system", "\n\n".join(before))] if before else []
        return Request(
            (*turns, Message("user", filled)),
            step.max_tokens,
            step.temperature,
            schema=step.schema,
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
            meter = meter_of(self.model.llm)
            self.book.book(answer, meter.line.price if meter else None)
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
