"""Requests to a language model, and its answers.

This protocol is richer than `LLM.complete`: it has conversations, log-probabilities, and answers as
soon as they arrive. `answers_of` also works with models that only complete.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Protocol, TypeVar, runtime_checkable

from leadline.llm.cleaning import whole
from leadline.text.thought import parted
from leadline.types import LLM

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Message:
    """One turn of a conversation.

    role  `system`, `user` or `assistant`
    """

    role: str
    content: str


@dataclass(frozen=True, slots=True)
class Request:
    """One call.

    prompt       a text, or the turns of a conversation
    max_tokens   length at which the answer is cut off, reasoning included
    temperature  0 for the likeliest answer
    stop         texts that end the answer; they are not part of it
    top          number of most likely tokens whose log-probabilities come with each token
                 of the answer; 0 for none
    schema       JSON schema that the answer must follow, where the server can enforce it
    seed         of sampling, for servers that take one; None leaves it to the server
    attempt      which try at this answer it is, from 0. Each try has an answer of its own, in a
                 cache too
    is_judged    whether the asker judges each try by itself: a cache then gives it back also an
                 answer that is empty or was cut off. It decides nothing
    expected_tokens
                 length of a usual answer, for estimates; 0 for `max_tokens`. It decides no answer
    chat_template
                 how a model in this process writes a conversation (Jinja) where its tokenizer has
                 no template. With it a conversation begins with the token that begins any text
    """

    prompt: str | tuple[Message, ...]
    max_tokens: int
    temperature: float = 0.0
    stop: tuple[str, ...] = ()
    top: int = 0
    schema: Mapping[str, Any] | None = None
    seed: int | None = None
    expected_tokens: int = 0
    attempt: int = 0
    is_judged: bool = False
    chat_template: str = ""

    @property
    def messages(self) -> tuple[Message, ...]:
        """The prompt as a conversation; a text is one turn of the user."""
        return (Message("user", self.prompt),) if isinstance(self.prompt, str) else self.prompt

    @property
    def text(self) -> str:
        """The prompt as one text; turns are joined by blank lines."""
        if isinstance(self.prompt, str):
            return self.prompt
        return "\n\n".join(message.content for message in self.prompt)

    @property
    def fingerprint(self) -> str:
        """Everything that decides the answer, as one line of JSON."""
        prompt: Any = self.prompt
        if not isinstance(prompt, str):
            prompt = [[message.role, message.content] for message in prompt]
        schema = None if self.schema is None else dict(self.schema)
        fields = [prompt, self.max_tokens, self.temperature, self.stop, self.top, schema]
        if self.seed is not None or self.attempt:
            fields.append(self.seed)
        if self.attempt:
            fields.append(self.attempt)
        if self.chat_template:
            fields.append(self.chat_template)
        return json.dumps(fields, ensure_ascii=True, sort_keys=True)


@dataclass(frozen=True, slots=True)
class Failure:
    """Why there is no answer.

    kind       few words, the same for the same trouble, by which failures are counted
    status     of HTTP; 0 where the server gave none
    transient  whether the same call may succeed later; what is not is the fault of the prompt
    detail     what else is known, such as what the server said
    """

    kind: str
    status: int = 0
    transient: bool = False
    detail: str = ""

    @property
    def is_refusal(self) -> bool:
        """Whether the server did not take the prompt or its settings."""
        return 400 <= self.status < 600 and not self.transient

    def __str__(self) -> str:
        """Return kind and detail as one line."""
        return f"{self.kind}: {self.detail}" if self.detail else self.kind


@dataclass(frozen=True, slots=True)
class Answer:
    """What a model answered, or why it did not.

    text                what it wrote, without its reasoning
    reasoning           what a reasoning model thought first, where the server tells
    failure             why there is no answer; None when there is one
    finish              `stop`, or `length` when it was cut off at `max_tokens`
    log_probabilities   for each token of the answer the most likely tokens there with their
                        log-probabilities (natural logarithm); empty unless asked for
    prompt_tokens       length of the prompt as the server counts it
    completion_tokens   length of the answer, reasoning included
    is_estimated        whether both lengths are guessed, since the server does not tell them or
                        they cannot be true
    """

    text: str
    reasoning: str = ""
    failure: Failure | None = None
    finish: str = ""
    log_probabilities: tuple[Mapping[str, float], ...] = ()
    prompt_tokens: int = 0
    completion_tokens: int = 0
    is_estimated: bool = False

    @property
    def completion(self) -> str:
        """The text, or a `NoCompletion`."""
        return NoCompletion(self.failure) if self.failure else self.text

    @property
    def is_usable(self) -> bool:
        """Whether there is an answer, neither empty nor cut off."""
        return self.failure is None and bool(self.text.strip()) and self.finish != "length"

    def to_json(self) -> str:
        """Write the answer as one line of JSON."""
        return json.dumps({key: value for key, value in asdict(self).items() if value})

    @classmethod
    def from_json(cls, line: str) -> Answer:
        """Read what `to_json` wrote."""
        fields = json.loads(line)
        fields["log_probabilities"] = tuple(fields.get("log_probabilities", ()))
        if failure := fields.get("failure"):
            fields["failure"] = Failure(**failure)
        fields["text"] = whole(fields.get("text", ""))
        return cls(**fields)


class NoCompletion(str):
    """A completion that never came: an empty text that knows why.

    `complete` puts it in the place of the answer, so that one failed call stops no other.
    """

    failure: Failure

    def __new__(cls, failure: Failure) -> NoCompletion:
        """Make an empty text with a reason."""
        text = super().__new__(cls, "")
        text.failure = failure
        return text

    def __repr__(self) -> str:
        return f"NoCompletion({self.failure!r})"


@runtime_checkable
class Answering(Protocol):
    """A language model that takes requests and gives each answer as soon as it is there."""

    @property
    def name(self) -> str:
        """What reports call it."""
        ...

    def answers(self, requests: Sequence[Request]) -> Iterator[tuple[int, Answer]]:
        """Yield the position of a request with its answer, in the order of arrival.

        Every request is answered once; what fails for good is an `Answer` with a `failure`.
        """
        ...


class Completing:
    """`complete` and `log_probabilities` for a model that gives each answer as it comes."""

    def complete(
        self, prompts: Sequence[str], *, max_tokens: int, temperature: float = 0.0
    ) -> list[str]:
        """Return one completion for each prompt, in order; a `Failure` if there is none."""
        requests = [Request(prompt, max_tokens, temperature) for prompt in prompts]
        return [answer.completion for answer in in_places(self.answers(requests))]

    def log_probabilities(self, prompts: Sequence[str], tokens: Sequence[str]) -> list[list[float]]:
        """Return, for each prompt, the log-probability of each token as the next one."""
        return in_places(self.log_probability_rows(prompts, tokens))

    def answers(self, requests: Sequence[Request]) -> Iterator[tuple[int, Answer]]:
        """Yield the position of a request with its answer, in the order of arrival."""
        raise NotImplementedError

    def log_probability_rows(
        self, prompts: Sequence[str], tokens: Sequence[str]
    ) -> Iterator[tuple[int, list[float]]]:
        """Yield the position of a prompt with its row of `log_probabilities` as it comes."""
        raise NotImplementedError


def in_places(arriving: Iterable[tuple[int, T]]) -> list[T]:
    """Return what arrived with its position, in order of the positions."""
    return [each for _, each in sorted(arriving, key=lambda pair: pair[0])]


def settled(answer: Answer) -> Answer:
    """Return an answer without its thought, or with the failure that there is only a thought.

    An answer that is blank without a thought stays as it is, unless it was cut off.
    """
    if answer.failure:
        return answer
    is_cut = answer.finish == "length"
    text, thought = parted(answer.text, is_cut=is_cut)
    thought = answer.reasoning or thought
    if (text or "").strip() or not (thought or is_cut):
        return replace(answer, text=text or "", reasoning=thought)
    if not is_cut:
        return replace(answer, failure=Failure(THOUGHT_ONLY))
    return replace(answer, failure=Failure(cut_off(answer, _THINKING if thought else _BEFORE)))


THOUGHT_ONLY = "it thought and gave no answer"
_THINKING, _BEFORE = " while it thought", " before it answered"
ROOM = 4096
"""Tokens that hold most thoughts."""
_TOGETHER = 32
"""Prompts that go together to a model that cannot tell of each answer as it comes."""


def cut_off(answer: Answer, when: str = "") -> str:
    """Say where an answer was cut off, and which option gives it more room."""
    length = 0 if answer.is_estimated else answer.completion_tokens
    at = f", at {length:,} tokens" if length > 0 else ""
    return f"cut off{when}{at}: max_tokens={max(ROOM, 4 * length)}"


def answers_of(llm: LLM, requests: Sequence[Request]) -> list[Answer]:
    """Return one answer for each request, in order, from any language model, without thoughts."""
    return [settled(answer) for answer in raw_answers_of(llm, requests)]


def raw_answers_of(llm: LLM, requests: Sequence[Request]) -> list[Answer]:
    """Return one answer for each request, in order, as the model wrote it."""
    return in_places(arriving(llm, requests))


def arriving(llm: LLM, requests: Sequence[Request]) -> Iterator[tuple[int, Answer]]:
    """Yield the position of each request with its answer, from any language model.

    A model that only completes is given conversations as text, and no stop texts; requests of
    equal length and temperature go together.
    """
    if isinstance(llm, Answering):
        yield from llm.answers(requests)
        return
    groups: dict[tuple[int, float], list[int]] = {}
    for position, request in enumerate(requests):
        groups.setdefault((request.max_tokens, request.temperature), []).append(position)
    for (max_tokens, temperature), members in groups.items():
        for start in range(0, len(members), _TOGETHER):
            some = members[start : start + _TOGETHER]
            texts = [requests[position].text for position in some]
            completions = llm.complete(texts, max_tokens=max_tokens, temperature=temperature)
            for position, text in zip(some, completions, strict=True):
                failure = text.failure if isinstance(text, NoCompletion) else None
                yield position, Answer(str(text), failure=failure)
