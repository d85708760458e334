"""Prompts of many documents that fit the model: documents get shorter until they do."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from leadline.llm.requests import ROOM, Answer, Failure, Request, answers_of
from leadline.llm.troubles import TOO_LONG, says_too_long
from leadline.types import LLM

_STEP = 0.75
_STEPS = 10
_ANSWER = 256
"""Tokens that hold an answer and some words around it, without a thought."""
_MARGIN = 64
"""Tokens that a chat template may put around the turns."""


def answers_that_fit(
    llm: LLM, count: int, request_of: Callable[[int, float], Request]
) -> list[Answer]:
    """Return the answers to `count` requests; one too long for the model is made shorter.

    A model in this process counts before it is asked; an endpoint refuses, and is asked again.
    Room for a thought goes first, then words of the documents. That room is given to a model that
    thinks: a weak one that never stops would fill it, and a local server takes minutes for that.

    request_of  takes the number of a request and the share of each document's words to keep,
                above 0 and at most 1. Its `expected_tokens` are what an answer without a thought
                needs
    """
    found: dict[int, Answer] = {}
    share, open_ = 1.0, list(range(count))
    for step in range(_STEPS + 1):
        requests = [request_of(number, share) for number in open_]
        if step:
            requests = [replace(each, max_tokens=each.expected_tokens) for each in requests]
        fitting = [place for place, request in enumerate(requests) if _fits(llm, request)]
        answers = _answers(llm, [requests[place] for place in fitting])
        found.update(dict.fromkeys(open_, Answer("", failure=Failure(TOO_LONG))))
        found.update((open_[place], each) for place, each in zip(fitting, answers, strict=True))
        open_ = [each for each in open_ if _is_too_long(found[each])]
        if not open_:
            break
        if step or not any(each.max_tokens > each.expected_tokens for each in requests):
            share *= _STEP
    return [found[number] for number in range(count)]


def room_for_thought(llm: Any) -> int:
    """Return the tokens to leave for a thought; 0 for a model in this process that has none."""
    return ROOM if getattr(llm, "thinks", True) else 0


def _answers(llm: Any, requests: list[Request]) -> list[Answer]:
    """Ask for short answers; where one is cut off in a thought, ask again with all the room."""
    if getattr(llm, "thinks", False):
        return answers_of(llm, requests)
    short = [
        replace(each, max_tokens=min(each.max_tokens, max(each.expected_tokens, _ANSWER)))
        for each in requests
    ]
    answers = answers_of(llm, short)
    cut = [
        place
        for place, answer in enumerate(answers)
        if answer.failure and answer.finish == "length" and short[place] != requests[place]
    ]
    if not cut:
        return answers
    if not hasattr(llm, "thinks"):
        llm.thinks = True
    for place, answer in zip(cut, answers_of(llm, [requests[i] for i in cut]), strict=True):
        answers[place] = answer
    return answers


def _is_too_long(answer: Answer) -> bool:
    failure = answer.failure
    if failure is None:
        return False
    return failure.kind == TOO_LONG or (failure.is_refusal and says_too_long(failure.detail))


def _fits(llm: Any, request: Request) -> bool:
    if not hasattr(llm, "fit"):
        return True
    room = request.max_tokens + _MARGIN
    return bool(llm.fit("", request.text, "", answer=room) == request.text)
