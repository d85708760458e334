"""One step alone: ask a language model a question a record, keep what fits, count the rest.

Nothing of an answer is executed or evaluated. Texts of a corpus stand between marks that they
cannot close, and the model is told to take them for data. What has several steps is a pipeline:
`llm/pipeline/`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeVar

from leadline.llm.pipeline.record import Record
from leadline.llm.pipeline.running import Pipeline, run
from leadline.llm.pipeline.steps import WRITER, Asks, Made, Question
from leadline.llm.prompt import Prompt
from leadline.llm.run_record import RunRecord, Step
from leadline.types import LLM

if TYPE_CHECKING:
    from pydantic import BaseModel

    S = TypeVar("S", bound=BaseModel)

T = TypeVar("T")

__all__ = ["Asking", "Made", "Question", "ask", "ask_text"]


@dataclass(frozen=True, slots=True)
class Asking:
    """How a step asks.

    temperature  0 for the likeliest answer
    seed         of sampling; another seed gives other samples, also from a cache
    system       an instruction that stands before the prompt
    """

    max_tokens: int
    temperature: float = 0.0
    seed: int = 0
    system: str = ""


def ask(
    llm: LLM,
    prompt: Prompt,
    questions: Iterable[Question],
    shape: type[S],
    asking: Asking,
    step: Step,
    *,
    example: S | None = None,
) -> Iterator[Made[S]]:
    """Yield what the model answers to each question and fits a shape, in the order of questions.

    An answer that does not fit is shown to the model once with what is wrong, then dropped and
    counted in the step, as is a question that got no answer.

    shape    pydantic model of the answer; its closed JSON schema goes to servers that enforce it
    example  what a dry run goes on with in the place of every answer

    Raises InputError when values and fields of the prompt do not match.
    """
    return _asked(llm, prompt, questions, shape, asking, step, example)


def ask_text(
    llm: LLM,
    prompt: Prompt,
    questions: Iterable[Question],
    read: Callable[[str], T],
    asking: Asking,
    step: Step,
    *,
    example: T | None = None,
) -> Iterator[Made[T]]:
    """Yield what `read` makes of the answer to each question, in the order of questions.

    read  turns the answer, spaces around it removed, into the value, or raises ValueError with
          few words on what is wrong: the answer is then dropped and counted in the step

    Otherwise as `ask`; nothing is asked twice.
    """
    return _asked(llm, prompt, questions, read, asking, step, example)


def _asked(
    llm: LLM,
    prompt: Prompt,
    questions: Iterable[Question],
    read: Any,
    asking: Asking,
    book: Step,
    example: Any,
) -> Iterator[Made[Any]]:
    step: Asks[Any] = Asks(
        book.name, prompt, read, example, asking.max_tokens,
        temperature=asking.temperature, system=asking.system,
    )  # fmt: skip

    async def make(record: Record, question: Question) -> Made[Any]:
        return await record.make(step, question)

    into = RunRecord(book.name, given=book)
    pipeline = Pipeline("", (step,), make)
    sources = ((str(number), question) for number, question in enumerate(questions))
    for outcome in run(pipeline, sources, {WRITER: llm}, into, seed=asking.seed, attempts=1):
        if outcome.value is not None:
            yield replace(outcome.value, source=outcome.source.source)
