"""One question of a step: filled, asked, read, and put once more where the answer is unreadable."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from time import perf_counter
from typing import Any

from leadline.llm.cached import meter_of
from leadline.llm.delimiting import delimited
from leadline.llm.desk import Desk
from leadline.llm.pipeline.steps import Asks, Fault, Provenance, Question, quoted
from leadline.llm.requests import Answer, Failure, Message, Request, settled
from leadline.llm.run_record import Step
from leadline.llm.structured import NoJsonError, asked_again, read_json
from leadline.llm.troubles import DRY_RUN, REFUSED_BY_MODEL
from leadline.prompt import Prompt

NEXT_SEED = 1_000_003
"""From one attempt to the next; far enough apart that seeds of users do not meet."""

_LONGEST_REASON = 120
_MOST_FAULTS = 10
"""Places of an answer that does not fit of which the model is told."""


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


@dataclass(slots=True)
class Asker:
    """Puts the questions of one step.

    seed  of the run
    book  where the step is counted
    """

    step: Asks[Any]
    desk: Desk
    seed: int
    book: Step
    _under_way: int = 0
    _since: float = 0.0

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
            seed=self.seed_of(attempt) if step.temperature > 0 else None,
            expected_tokens=step.usual_tokens,
            attempt=attempt,
            is_judged=not is_last,
        )

    def seed_of(self, attempt: int) -> int:
        """Return the seed of an attempt."""
        return self.seed + attempt * NEXT_SEED

    def provenance(self, question: Question, attempt: int) -> Provenance:
        """Return where an answer comes from."""
        prompt = self.step.prompt
        seed = self.seed_of(attempt)
        return Provenance(self.desk.llm.name, prompt.name, prompt.hash, seed, question.parents)

    async def read(self, request: Request) -> Reading:
        """Ask, and read the answer. JSON that does not fit is shown to the model, once."""
        digest = hashlib.sha256(request.fingerprint.encode()).hexdigest()[:12]
        reading = self._reading(await self._answered(request))
        if reading.fault and self.step.schema is not None and reading.answer.failure is None:
            self.book.asked_again += 1
            again = asked_again(request, reading.answer, reading.fault.problem)
            reading = self._reading(await self._answered(again))
        return replace(reading, digest=digest)

    async def _answered(self, request: Request) -> Answer:
        if not self._under_way:
            self._since = perf_counter()
        self._under_way += 1
        try:
            answer = await self.desk.answer(request)
        finally:
            self._under_way -= 1
            if not self._under_way:
                self.book.seconds += perf_counter() - self._since
        if answer.failure is None or answer.failure.kind in (DRY_RUN, REFUSED_BY_MODEL):
            meter = meter_of(self.desk.llm)
            self.book.book(answer, meter.line.price if meter else None)
        return answer

    def _reading(self, answer: Answer) -> Reading:
        answer = settled(answer)
        failure = answer.failure
        if failure is not None and failure.kind == DRY_RUN:
            fault = Fault(DRY_RUN) if self.step.usual is None else None
            return Reading(self.step.usual, answer, fault, is_planned=True)
        if failure is not None and failure.transient:
            return Reading(None, answer, failure=failure)
        if failure is not None:
            problem = f"There was none. {quoted(failure.detail)}" if failure.detail else ""
            return Reading(None, answer, Fault(f"no answer ({failure.kind})", problem))
        try:
            return Reading(self._value(answer), answer)
        except ValueError as error:
            problem = " ".join(str(error).split()) or "it cannot be used"
            return Reading(None, answer, Fault(_reason(answer, error, problem), problem))

    def _value(self, answer: Answer) -> Any:
        read: Any = self.step.read
        if self.step.schema is None:
            thought = [answer.reasoning] if self.step.takes_thought else []
            return read(answer.text.strip(), *thought)
        return _fitting(read, read_json(answer.text))


def _fitting(shape: Any, value: Any) -> Any:
    from pydantic import ValidationError

    try:
        return shape.model_validate(value)
    except ValidationError as error:
        faults = error.errors(include_url=False, include_input=False, include_context=False)
        raise UnfitError("; ".join(_told(each) for each in faults[:_MOST_FAULTS])) from None


class UnfitError(ValueError):
    """JSON of another shape."""


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
