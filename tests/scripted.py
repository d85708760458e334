"""A language model that answers from a list or a function: for tests and dry runs."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from leadline.errors import InputError
from leadline.llm.requests import Answer, Failure, NoCompletion, Request

Scores = Callable[[str, str], float]


@dataclass(slots=True)
class ScriptedLLM:
    """Answers in order from a list, or whatever a function makes of the prompt.

    script   the answers, or prompt -> answer; a `Failure` stands for a call that failed
    scores   (prompt, token) -> log-probability, for `log_probabilities`
    name     what reports call it
    asked    every prompt so far
    """

    script: Sequence[str | Failure] | Callable[[str], str | Failure] = ()
    scores: Scores | None = None
    name: str = "scripted"
    asked: list[str] = field(default_factory=list)
    _given: int = 0

    def complete(
        self, prompts: Sequence[str], *, max_tokens: int, temperature: float = 0.0
    ) -> list[str]:
        """Return one answer for each prompt. Raises InputError when the list is used up."""
        return [self._answer(prompt) for prompt in prompts]

    def answers(self, requests: Sequence[Request]) -> Iterator[tuple[int, Answer]]:
        """Yield the answers in order; turns of a conversation are joined by blank lines."""
        for position, request in enumerate(requests):
            text = self._answer(request.text)
            failure = text.failure if isinstance(text, NoCompletion) else None
            yield position, Answer(str(text), failure=failure)

    def log_probabilities(self, prompts: Sequence[str], tokens: Sequence[str]) -> list[list[float]]:
        """Return what `scores` gives. Raises InputError when there is none."""
        if self.scores is None:
            raise InputError(f"{self.name} has no `scores` to take log-probabilities from.")
        self.asked += prompts
        return [[self.scores(prompt, token) for token in tokens] for prompt in prompts]

    def _answer(self, prompt: str) -> str:
        said = self._next(prompt)
        return NoCompletion(said) if isinstance(said, Failure) else said

    def _next(self, prompt: str) -> str | Failure:
        self.asked.append(prompt)
        if not isinstance(self.script, Sequence):
            return self.script(prompt)
        if self._given == len(self.script):
            raise InputError(f"{self.name} has {len(self.script)} answers, and all are given.")
        self._given += 1
        return self.script[self._given - 1]
