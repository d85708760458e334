"""What a language model ranks in one go, and how its answer is read."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeVar

from leadline.text.thought import after_thought

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

    Raises ValueError in the two published modes for a character such as `²`, as they did.
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

    Raises ValueError unless 1 <= step <= window.
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
    """Return the items of a window in the order of a permutation.

    Published runs leave first-stage scores at their positions: there only the documents of a
    window are reordered, so a score says nothing about the document that stands beside it.
    """
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
