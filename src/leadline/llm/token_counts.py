"""How many tokens a text has, guessed without the tokenizer of a model that is elsewhere."""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import dataclass, field, replace

from leadline.llm.requests import Answer, Request

_ABOUT_SCHEMA = 120
"""Bytes of the words that stand before a schema."""
_TURN = 4
"""Tokens that a chat template puts around one turn."""

_PIECE = re.compile(r"[^\W\d_]+|\d+|[^\w\s]|_+", re.UNICODE)
_USUAL_WORD = 9
"""Letters of a word that vocabularies of 30,000 to 200,000 entries mostly hold whole."""
_REST = 4
"""Letters of each further piece of a longer word."""
_DIGITS = 3


def estimated_tokens(text: str) -> int:
    """Return about how many tokens a text has, >= 0.

    Words of usual length count as one token, longer ones and numbers as several, every mark as
    one, and letters of scripts written without spaces one by one.
    """
    return sum(_tokens_of(piece) for piece in _PIECE.findall(text))


def estimated_prompt_tokens(request: Request) -> int:
    """Return about how many tokens the prompt of a call has, chat template included."""
    return sum(_TURN + estimated_tokens(turn.content) for turn in request.messages)


def most_prompt_tokens(request: Request) -> int:
    """Return more tokens than the prompt can have: no tokenizer makes two of one byte.

    A schema may be put before it, or stand in it in words.
    """
    schema = "" if request.schema is None else json.dumps(request.schema) + " " * _ABOUT_SCHEMA
    texts = [schema, *(turn.content for turn in request.messages)]
    length = sum(len(each.encode("utf-8", "replace")) for each in texts)
    return length + _TURN * 8 * len(request.messages)


def _tokens_of(piece: str) -> int:
    if piece.isascii():
        if piece[0].isdigit():
            return -(-len(piece) // _DIGITS)
        return 1 + max(0, -(-(len(piece) - _USUAL_WORD) // _REST))
    if "\u2e80" <= piece[0] <= "\ud7ff":  # Chinese, Japanese, Korean
        return len(piece)
    return 1 + len(piece) // _REST


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
