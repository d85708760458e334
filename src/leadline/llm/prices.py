"""Estimate the cost of a call: tokens without a tokenizer, and prices from a dated file."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from leadline.data.yaml_file import read_yaml
from leadline.errors import InputError
from leadline.llm.requests import Answer, Request

_MILLION = 1_000_000


@dataclass(frozen=True, slots=True)
class Price:
    """US dollars for a million tokens, >= 0.

    read  day on which the price was looked up; empty where the file does not say
    """

    prompt: float
    answer: float
    read: str = ""

    def of(self, prompt_tokens: int, answer_tokens: int) -> float:
        """Return what a call costs, in US dollars."""
        return (prompt_tokens * self.prompt + answer_tokens * self.answer) / _MILLION


class Prices:
    """Prices by host and model; one that is not there is unknown, which is not free."""

    def __init__(self, own: str | Path | None = None) -> None:
        """Read the package's prices, and before them the user's own.

        own  YAML or JSON: a list of objects with `model`, `prompt`, `answer`, perhaps `host` and
             `read`. Without a host a price holds wherever the model runs

        Raises InputError when the file cannot be read or has another form.
        """
        self._rows = _packaged() | (_rows(Path(own)) if own is not None else {})

    def of(self, model: str, url: str) -> Price | None:
        """Return the price of a model at an address, None where it is unknown."""
        host = urlsplit(url).hostname or ""
        return self._rows.get(("", model)) or self._rows.get((host, model))


@cache
def _packaged() -> dict[tuple[str, str], Price]:
    with as_file(files(__package__) / "prices.yaml") as path:
        return _rows(path)


def _rows(path: Path) -> dict[tuple[str, str], Price]:
    rows = read_yaml(path)
    if not isinstance(rows, list):
        raise InputError(f"{path} must be a list: - {{model: NAME, prompt: USD, answer: USD}}.")
    found = {}
    for number, row in enumerate(rows, start=1):
        where = f"{path}, entry {number}"
        if not isinstance(row, Mapping) or not isinstance(row.get("model"), str):
            raise InputError(f"{where} must be an object with `model`, `prompt` and `answer`.")
        for name in ("prompt", "answer"):
            value: Any = row.get(name)
            if type(value) not in (int, float) or not 0 <= value < math.inf:
                raise InputError(
                    f"{where}: {name} must be US dollars for a million tokens, got {value!r}."
                )
        price = Price(float(row["prompt"]), float(row["answer"]), str(row.get("read", "")))
        found[str(row.get("host", "")), row["model"]] = price
    return found


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
