"""Arithmetic and texts of asking a model whether a document is relevant."""

from __future__ import annotations

import math

from leadline.errors import InputError
from leadline.llm.prompt import Prompt
from leadline.types import Query

QUERY_PLACE = "FILL_QUERY_HERE"
_SENTENCE_ENDS = (".", "!", "?")


def true_false_score(true: float, false: float) -> float:
    """Return the share of the positive answer: exp(true) / (exp(true) + exp(false)).

    true, false  logits or log-probabilities of the two answers

    Returns a number in [0, 1].
    Source: Weller et al., Rank1; Weller et al., FollowIR.
    """
    return sigmoid(true - false)


def sigmoid(x: float) -> float:
    """Return 1 / (1 + exp(-x)) in double precision, for any x."""
    if x >= 0:
        return 1.0 / (1.0 + math.exp(-x))
    return math.exp(x) / (1.0 + math.exp(x))


def forced_answer_prompt(prompt: str, generated: str) -> str:
    """Return the prompt that makes a model answer whose reasoning did not come to an end.

    The reasoning is cut behind its last complete sentence, and closed.

    Source: Weller et al., Rank1, released code.
    """
    text = generated.rstrip()
    last = max(text.rfind(end) for end in _SENTENCE_ENDS)
    if not text.endswith(_SENTENCE_ENDS) and last >= 0:
        text = text[: last + 1]
    return f"{prompt}\n{text.strip()}\n</think>"


def query_text(query: Query, query_prompt: str = "") -> str:
    """Return a query with its instruction, put into the prompt that a data set has for it.

    A query that equals its instruction stands there once.

    query_prompt  a text with FILL_QUERY_HERE, every one of which becomes the query; empty for the
                  query's facet `prompt`, where it has one

    Source: Weller et al., Rank1, released code.
    """
    text = query.text
    if query.instruction:
        same = text.strip() == query.instruction.strip()
        text = text.strip() if same else f"{text} {query.instruction}".strip()
    frame = query_prompt or query.facets.get("prompt", "")
    return frame.replace(QUERY_PLACE, text) if frame else text


def judging_prompt(template: str) -> Prompt:
    """Return a prompt of this package by its name, or a user's own by its .txt file.

    Raises InputError when it has not $query and $document once each, and nothing else.
    """
    own = template.endswith(".txt")
    prompt = Prompt.read(template) if own else Prompt.load("leadline.rerankers", template)
    if set(prompt.fields) != {"query", "document"}:
        has = ", ".join(f"${field}" for field in prompt.fields) or "none"
        raise InputError(f"{prompt.name}: the fields must be $query and $document, got {has}.")
    prompt.around("query", document="")
    prompt.around("document", query="")
    return prompt
