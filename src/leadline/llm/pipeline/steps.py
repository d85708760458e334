"""The declaration of a pipeline: its steps, their questions, and faults of answers."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from leadline.llm.account import Effort
from leadline.llm.cleaning import printable
from leadline.llm.delimiting import delimited
from leadline.llm.prices import estimated_tokens
from leadline.llm.prompt import Prompt
from leadline.llm.requests import Failure
from leadline.types import LLM

if TYPE_CHECKING:
    from pydantic import BaseModel

S = TypeVar("S")
V = TypeVar("V")

WRITER, VERIFIER = "writer", "verifier"
_LONGEST_DRAFT, _LONGEST_QUOTATION = 8_000, 160
"""Characters that a model is shown of a refused draft, and of words that a fault quotes."""


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong with an answer.

    reason   the same words for the same fault, for counts
    problem  what the model is told, when it is asked again: an instruction, outside of all marks.
             Words of a document, a model or a server may only stand in it as `quoted` gives them
    """

    reason: str
    problem: str = ""


def quoted(text: str) -> str:
    """Return words that are not our own so that a fault may hold them: short, between marks."""
    words = " ".join(printable(text).split())
    if len(words) > _LONGEST_QUOTATION:
        words = f"{words[:_LONGEST_QUOTATION]} ..."
    return delimited(words, "quoted")


def all_of(faults: Iterable[Fault]) -> Fault | None:
    """Return one fault that names them all, so that the next draft can avoid each; None for none.

    It counts as the first of them.
    """
    found = list(dict.fromkeys(faults))
    if len(found) < 2:
        return found[0] if found else None
    return Fault(found[0].reason, "\n".join(f"- {each.problem or each.reason}" for each in found))


@dataclass(frozen=True, slots=True)
class Question:
    """What one prompt is filled with.

    values   by field: our own words, which go into the prompt as they stand
    texts    by field: words of a corpus, a user or a model, which go in between marks
    parents  ids of the records and documents that the answer is made from
    schema   of this one answer, where it can say more than that of the step
    """

    values: Mapping[str, str] = field(default_factory=dict)
    texts: Mapping[str, str] = field(default_factory=dict)
    parents: tuple[str, ...] = ()
    schema: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Refusal:
    """The draft before, which could not be used: what a writer is told.

    problem  what was wrong with it
    draft    the draft as JSON, or what stood there instead
    """

    problem: str
    draft: str


@dataclass(frozen=True, eq=False)
class Asks(Generic[S]):
    """A step that asks a model.

    name         as `run.json` and the log call it
    prompt       the template
    read         shape of the answer, a pydantic model, whose closed JSON schema goes to servers
                 that enforce one; or what turns a text into the value, raising ValueError with few
                 words on what is wrong
    usual        a usual answer: for estimates, and what a dry run goes on with; None to count
                 with the longest, and to end there
    model        which of the models of the run it asks
    temperature  0 for the likeliest answer
    takes_thought
                 whether `read` is a function that also takes what the model thought before it
                 answered
    """

    name: str
    prompt: Prompt
    read: type[BaseModel] | Callable[..., S]
    usual: S | None
    max_tokens: int
    model: str = WRITER
    temperature: float = 0.0
    takes_thought: bool = False

    @cached_property
    def schema(self) -> Mapping[str, Any] | None:
        """The JSON schema of the answer; None where it is no JSON."""
        if not isinstance(self.read, type) or not hasattr(self.read, "model_json_schema"):
            return None
        return closed(self.read.model_json_schema())

    @cached_property
    def usual_tokens(self) -> int:
        """Length of a usual answer; 0 where it is not known."""
        if self.usual is None:
            return 0
        return min(self.max_tokens, estimated_tokens(shown(self.usual)))


def question_after(
    refusal: Refusal | None,
    values: Mapping[str, str],
    texts: Mapping[str, str],
    parents: tuple[str, ...] = (),
) -> Question:
    """Return a question whose field `refused` says why the draft before it was refused.

    What was wrong is an instruction; the draft itself stands between marks.

    refusal  None for the first draft
    """
    told = ""
    if refusal is not None:
        draft = delimited(refusal.draft[:_LONGEST_DRAFT] or "(nothing)", "draft")
        filled = Prompt.load("leadline.llm", "refused").fill(problem=refusal.problem, draft=draft)
        told = f"\n{filled}\n"
    return Question({**values, "refused": told}, texts, parents)


@dataclass(frozen=True)
class Verify(Generic[S, V]):
    """Another model reads what was made, and its reading is compared with what was meant.

    step      asks the other model
    question  what it is shown of a value
    compare   (reading, value) -> what is wrong with the value; None where nothing is
    """

    step: Asks[V]
    question: Callable[[S], Question]
    compare: Callable[[V, S], Fault | None]


@dataclass(frozen=True, slots=True)
class Provenance:
    """Where a record comes from.

    prompt, prompt_hash  name of the template, and 12 hex digits of its SHA-256
    """

    model: str
    prompt: str
    prompt_hash: str
    seed: int
    parents: tuple[str, ...] = ()
    verified_by: str = ""

    def as_json(self) -> dict[str, Any]:
        """Return it as an object of JSON; who verified it is left out where nobody did."""
        fields = {**asdict(self), "parents": list(self.parents)}
        return {name: value for name, value in fields.items() if value or name != "verified_by"}


@dataclass(frozen=True, slots=True)
class Made(Generic[S]):
    """A value that passed all checks, and where it comes from."""

    value: S
    provenance: Provenance


class RejectedError(Exception):
    """A record cannot be made: what was answered does not pass."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.reason)
        self.fault = fault


class UnansweredError(Exception):
    """A record is not made yet: a call got no answer, and may get one in another run."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(str(failure))
        self.failure = failure


def closed(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return a JSON schema in which every object has the fields that are named, all of them.

    Servers that enforce schemas strictly take no other; for those that know none, pydantic passes
    over further fields.
    """

    def close(part: Any) -> Any:
        if isinstance(part, Mapping):
            inside = {name: close(each) for name, each in part.items()}
            properties = inside.get("properties")
            if inside.get("type") == "object" and isinstance(properties, Mapping):
                inside |= {"additionalProperties": False, "required": list(properties)}
            return inside
        if isinstance(part, Sequence) and not isinstance(part, str):
            return [close(each) for each in part]
        return part

    result: dict[str, Any] = close(schema)
    return result


def shown(value: Any) -> str:
    """Return a value as the text that a model would write."""
    if hasattr(value, "model_dump_json"):
        return str(value.model_dump_json())
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)


@dataclass(frozen=True)
class Models:
    """Who writes, who reads, and how.

    attempts     drafts before something is given up
    max_tokens   length of an answer, the reasoning of a model included
    temperature  of the writer; the verifier has 0
    effort       low: one small question at a time, for weak models
    reads        False where the verifier was tried and is unfit: code judges alone
    """

    writer: LLM
    verifier: LLM
    attempts: int = 3
    max_tokens: int = 3_000
    temperature: float = 0.8
    effort: Effort = "high"
    reads: bool = True
