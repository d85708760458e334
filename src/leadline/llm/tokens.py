"""How many tokens a text has, guessed without the tokenizer of a model that is elsewhere."""

from __future__ import annotations

import json
import re

from leadline.llm.requests import Request

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
