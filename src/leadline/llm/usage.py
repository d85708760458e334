"""What a server was asked, and the tokens of a call: its count if it can be true, or ours."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace

from leadline.llm.requests import Answer, Request
from leadline.llm.tokens import estimated_prompt_tokens, estimated_tokens, most_prompt_tokens

_LONGEST_TOKEN = 128
"""Bytes; longer entries of a vocabulary are not known to us."""

_HIDDEN_PROMPT = 4_000
"""Tokens that a server may put before a prompt by itself."""


@dataclass(slots=True)
class Tally:
    """What a server was asked so far.

    answered  requests that have an answer
    kept      requests whose answer of an earlier call was found in a cache
    failures  requests that failed for good, by kind of trouble
    refused   what the server said of the first that it did not answer well, by kind of trouble
    """

    answered: int = 0
    kept: int = 0
    failures: Counter[str] = field(default_factory=Counter)
    refused: dict[str, str] = field(default_factory=dict)

    def add(self, answer: Answer) -> None:
        """Count an answer, or a request that failed for good."""
        if failure := answer.failure:
            self.failures[failure.kind] += 1
            if failure.status and failure.detail:
                self.refused.setdefault(failure.kind, failure.detail)
        else:
            self.answered += 1


def plausible(answer: Answer, request: Request) -> Answer:
    """Return an answer with counts of tokens that can be true.

    A count is not believed that is missing or negative, that has fewer tokens than the text could
    be cut into, or more than it has bytes (a prompt with what a server puts before it, an answer
    with its greatest length for reasoning that is not shown).
    """
    shown = answer.text + answer.reasoning
    length = len(shown.encode("utf-8", "replace"))
    most = most_prompt_tokens(request)
    can_be = (
        max(1, most // _LONGEST_TOKEN // 2) <= answer.prompt_tokens <= most + _HIDDEN_PROMPT
        and -(-length // _LONGEST_TOKEN) <= answer.completion_tokens
        and answer.completion_tokens <= max(request.max_tokens, length) + 1
    )
    if can_be:
        return answer
    return replace(
        answer,
        prompt_tokens=estimated_prompt_tokens(request),
        completion_tokens=estimated_tokens(shown),
        is_estimated=True,
    )
