"""Rerankers that ask a language model for an order of several documents at a time."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, TypeVar

from leadline.llm.delimiting import without_marks
from leadline.llm.requests import ROOM, Answer, Failure, Request, answers_of
from leadline.llm.troubles import TOO_LONG, says_too_long
from leadline.text.thought import after_thought
from leadline.types import (
    LLM,
    Candidates,
    Corpus,
    Query,
    Reranker,
    Run,
    candidates_of,
    scores_of,
    shared_ranks,
)

NO_CALL = "no answer from the model"

_STEP = 0.75
_STEPS = 10
_ANSWER = 256
"""Tokens that hold an answer and some words around it, without a thought."""
_MARGIN = 64
"""Tokens that a chat template may put around the turns."""


@dataclass
class OrderReranker(Reranker):
    """A reranker on any language model. A document's score is 1/rank: an order gives no scores.

    What a model leaves open keeps its order and its ties.

    asked     questions put before the model so far
    failures  questions with nothing to go by in the answer, by kind
    """

    llm: LLM
    asked: int = field(default=0, init=False)
    failures: Counter[str] = field(default_factory=Counter, init=False)
    scores_are_ranks = True
    stage = ""

    @property
    def own(self) -> dict[str, Any]:
        """Settings beside those of the model."""
        raise NotImplementedError

    @property
    def name(self) -> str:
        """The stage and its model."""
        return f"{self.stage}:{self.llm.name}"

    @property
    def settings(self) -> dict[str, Any]:
        """Every setting."""
        model = getattr(self.llm, "settings", {"model": self.llm.name})
        return {**model, **self.own, "scores_are_ranks": True}

    def plain(self, text: str) -> str:
        """Break up what the model's tokenizer would take for a token: `<|im_end|>` ends no turn."""
        return without_marks(text, "", getattr(self.llm, "special_tokens", ()), neutral=False)

    @property
    def room_for_thought(self) -> int:
        """Tokens to leave for a thought; 0 for a model in this process that has none."""
        return ROOM if getattr(self.llm, "thinks", True) else 0

    def answers(self, count: int, request_of: Callable[[int, float], Request]) -> list[Answer]:
        """Return the answers to `count` requests; one too long for the model is made shorter.

        request_of  takes the number of a request and the share of each document's words to keep,
                    above 0 and at most 1. Its `expected_tokens` are what an answer without a
                    thought needs
        """
        self.asked += count
        return answers_that_fit(self.llm, count, request_of)

    def failed(self, answer: Answer) -> bool:
        """Tell whether a call failed, and count it."""
        if answer.failure:
            self.failures[f"{NO_CALL} ({answer.failure.kind})"] += 1
        return answer.failure is not None


def starting_orders(
    queries: Sequence[Query], corpus: Corpus, candidates: Candidates
) -> dict[str, list[str]]:
    """Return the candidates of each query in their order, each once."""
    return {
        query.id: list(dict.fromkeys(candidates_of(query, candidates, corpus))) for query in queries
    }


def as_run(
    orders: Mapping[str, Sequence[str]], candidates: Candidates, placed: Collection[tuple[str, str]]
) -> Run:
    """Return orders as a run: the score is 1/rank and says nothing but the rank.

    Neighbours that were a tie before share a rank, except for what an answer placed.

    candidates  what was ordered
    placed      (query id, document id) of what an answer named
    """
    run = {}
    for query_id, order in orders.items():
        before = scores_of(candidates.get(query_id, ()))
        # NaN equals nothing, so that what an answer placed shares no rank.
        levels = {id: math.nan if (query_id, id) in placed else before[id] for id in order}
        run[query_id] = {id: 1 / rank for id, rank in shared_ranks(levels).items()}
    return run


def first_words(text: str, limit: int) -> str:
    """Return the first words of a text, joined by single spaces."""
    return " ".join(text.split()[:limit])


def answers_that_fit(
    llm: LLM, count: int, request_of: Callable[[int, float], Request]
) -> list[Answer]:
    """Return the answers to requests, see `OrderReranker.answers`.

    A model in this process counts before it is asked; an endpoint refuses, and is asked again.
    Room for a thought goes first, then words of the documents. That room is given to a model that
    thinks: a weak one that never stops would fill it, and a local server takes minutes for that.
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


Reading = Literal["default", "strict", "rank_llm_0.12.8", "litsearch"]
T = TypeVar("T")

_LOOK_ALIKES = str.maketrans(
    "⁰¹²³⁴⁵⁶⁷⁸⁹₀₁₂₃₄₅₆₇₈₉①②③④⑤⑥⑦⑧⑨❶❷❸❹❺❻❼❽❾０１２３４５６７８９🄀🄁🄂🄃🄄🄅🄆🄇🄈🄉",
    "0123456789012345678912345678912345678901234567890123456789",
)
_BRACKETED = re.compile(r"\[\s*([0-9]+)\s*\]")
_IDENTIFIER = re.compile(r"\[([0-9]+)\]")


@dataclass(frozen=True, slots=True)
class Permutation:
    """An order of the positions of a window.

    order     positions from 0, best first; every position once
    repaired  whether the answer had to be completed or cleaned to be one
    failed    whether it held no ranking at all, so that the order is as before
    named     how many of the first positions the answer named; the others follow as before
    """

    order: tuple[int, ...]
    repaired: bool = False
    failed: bool = False
    named: int = field(default=0, compare=False)


def parse_permutation(response: str, n: int, mode: Reading = "default") -> Permutation:
    """Read the order of `n` documents, numbered from 1, out of what a model wrote.

    Repeated numbers count once, numbers out of range not at all, and what is missing follows in
    the order of before. An answer that cannot be read keeps the order.

    mode  `default` takes every run of digits after the thought as a number, digits that only look
          like digits included; `strict` only numbers in brackets.
          `rank_llm_0.12.8` and `litsearch` read as these programs did: thoughts
          too, and no look-alikes

    Source: castorini/rank_llm, clean_ranking_response and receive_permutation.
    """
    numbers = _numbers(response, mode)
    kept = list(dict.fromkeys(number - 1 for number in numbers if 1 <= number <= n))
    missing = [position for position in range(n) if position not in set(kept)]
    repaired = bool(missing) or len(kept) < len(numbers)
    return Permutation((*kept, *missing), repaired and bool(kept), not kept and n > 0, len(kept))


def windows(n: int, window: int, step: int, mode: Reading = "default") -> list[tuple[int, int]]:
    """Return the half-open windows over `n` candidates, from the bottom up.

    The first window is processed whatever `n` is; the last one starts at 0 and may be shorter.
    In the mode `rank_llm_0.12.8` nothing is processed when n = window - step, as was published.
    """
    if not 1 <= step <= window:
        raise ValueError(f"step must be between 1 and window, got {step=}, {window=}.")
    if n == 0 or (mode == "rank_llm_0.12.8" and n == window - step):
        return []
    start, end = max(0, n - window), n
    found = [(start, end)]
    while start > 0:
        start, end = max(0, start - step), end - step
        found.append((start, end))
    return found


def reordered(items: Sequence[T], order: Sequence[int]) -> list[T]:
    """Return the items of a window in the order of a permutation."""
    return [items[position] for position in order]


def mask_identifiers(text: str) -> str:
    """Rewrite `[12]` as `(12)`, so that a passage cannot be mistaken for another."""
    return _IDENTIFIER.sub(r"(\1)", text)


def _numbers(response: str, mode: Reading) -> list[int]:
    if mode in ("default", "strict"):
        response = after_thought(response).translate(_LOOK_ALIKES)
    if mode == "strict":
        digits = _BRACKETED.findall(response)
    else:
        digits = "".join(each if each.isdigit() else " " for each in response).split()
    try:
        return [_bounded(each) for each in digits]
    except ValueError:  # a sign such as `⒈` is a digit and no number
        if mode in ("default", "strict"):
            return []
        raise


def _bounded(digits: str) -> int:
    """Return the number, or -1 for one so long that it is no identifier."""
    return int(digits) if len(digits) <= 9 else -1
