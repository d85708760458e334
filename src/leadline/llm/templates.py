"""A request as the tokens that a causal model reads: in its chat template, or as it stands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from leadline.errors import InputError
from leadline.llm.requests import Request
from leadline.models.cutting import readable


def prompt_ids(tokenizer: Any, request: Request, *, chat: bool = False) -> list[int]:
    """Return the tokens of a prompt.

    A conversation goes into the chat template, where the tokenizer has one; a text does with
    `chat`. What is in no template gets the special tokens that the tokenizer itself adds.

    Raises InputError when `chat` asks for a template that is not there.
    """
    own = tokenizer.chat_template
    if (chat or not isinstance(request.prompt, str)) and (own or request.chat_template):
        turns = [{"role": turn.role, "content": turn.content} for turn in request.messages]
        text = tokenizer.apply_chat_template(
            turns,
            tokenize=False,
            add_generation_prompt=True,
            chat_template=None if own else request.chat_template,
        )
        ids = tokenizer(readable(text), add_special_tokens=False, verbose=False)["input_ids"]
        return [*_beginning(tokenizer, ids), *ids] if request.chat_template else list(ids)
    if chat:
        raise InputError(f"The model {tokenizer.name_or_path!r} has no chat template.")
    return list(tokenizer(readable(request.text), verbose=False)["input_ids"])


def _beginning(tokenizer: Any, ids: Sequence[int]) -> list[int]:
    """Return the token that the tokenizer puts before any text, where it is not there yet."""
    begins = tokenizer.bos_token_id
    puts_it = begins is not None and tokenizer("a")["input_ids"][0] == begins
    return [begins] if puts_it and ids[0] != begins else []
