"""How a window of documents is put before a model that orders it."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Literal

from leadline.llm.prompt import Prompt
from leadline.llm.requests import Message
from leadline.rerankers.orderings.orders import first_words
from leadline.rerankers.orderings.permutations import mask_identifiers

Template = Literal["default", "zephyr", "vicuna", "zephyr-2025", "vicuna-2025", "turns"]
WORDS = 300
"""Words of each passage when there are 20 of them."""

_PACKAGE = "leadline.rerankers"
_FILES: dict[str, tuple[str, ...]] = {
    "default": ("listwise_system", "listwise"),
    "zephyr": ("listwise_zephyr_system", "listwise_zephyr"),
    "vicuna": ("listwise_vicuna",),
    "zephyr-2025": ("listwise_zephyr_system", "listwise_zephyr_2025"),
    "vicuna-2025": ("listwise_zephyr_2025",),
    "turns": (
        "listwise_turns_system",
        "listwise_turns_start",
        "listwise_turns_started",
        "listwise_turns_passage",
        "listwise_turns_received",
        "listwise_turns_end",
    ),
}
_CHATS = {"zephyr": "chat_zephyr", "vicuna": "chat_vicuna"}
"""How a conversation is written for a model of the kind whose tokenizer says nothing of it."""


def conversation(
    template: Template, query: str, passages: Sequence[str], *, words: float = WORDS
) -> tuple[Message, ...]:
    """Return the turns that ask for an order of the passages, numbered from 1.

    Each passage is cut to `words * 20 / len(passages)` words, and numbers in brackets in it are
    put in parentheses.

    template  `default`: a system message and one turn; `zephyr` and `vicuna`: the words in which
              published runs asked models of these names, `vicuna` without a system message;
              `zephyr-2025` and `vicuna-2025`: the later words of the same code; `turns`: a turn
              for each passage, as for chat models
    Source: Table 8 of Zhou et al., Beyond Content Relevance: Evaluating Instruction Following in
    Retrieval Models (`default`); castorini/rank_llm, rank_listwise_os_llm.py of version 0.12.8
    (`zephyr`, `vicuna`), rank_zephyr_template.yaml at cdc43ed (`-2025`) and
    rank_gpt_template.yaml at 4a8c684 (`turns`).
    """
    limit = int(words * 20 / len(passages))
    query = mask_identifiers(query)
    shown = [mask_identifiers(first_words(passage, limit)) for passage in passages]
    if template == "turns":
        return tuple(_turn_by_turn(query, shown))
    *system, user = (Prompt.load(_PACKAGE, name) for name in _FILES[template])
    numbered = "\n".join(f"[{rank}] {passage}" for rank, passage in enumerate(shown, 1))
    text = user.fill(num=str(len(shown)), query=query, passages=numbered)
    return (*(Message("system", each.fill()) for each in system), Message("user", text))


def chat_template(template: Template) -> str:
    """Return how turns are written for a model whose tokenizer has no chat template, or nothing.

    Source: lm-sys/FastChat, fastchat/conversation.py at 2e7855b, `vicuna_v1.1` and `zephyr`.
    """
    name = _CHATS.get(template.partition("-")[0])
    return Prompt.load(_PACKAGE, name).text if name else ""


def prompt_hash(template: Template) -> str:
    """Return 12 hex digits that stand for the texts of a template."""
    chat = _CHATS.get(template.partition("-")[0])
    names = (*_FILES[template], *((chat,) if chat else ()))
    texts = [Prompt.load(_PACKAGE, name).hash for name in names]
    return hashlib.sha256(" ".join(texts).encode()).hexdigest()[:12]


def _turn_by_turn(query: str, passages: Sequence[str]) -> list[Message]:
    system, start, started, passage, received, end = (
        Prompt.load(_PACKAGE, name) for name in _FILES["turns"]
    )
    num = str(len(passages))
    turns = [
        Message("system", system.fill()),
        Message("user", start.fill(num=num, query=query)),
        Message("assistant", started.fill()),
    ]
    for rank, text in enumerate(passages, 1):
        turns.append(Message("user", passage.fill(rank=str(rank), passage=text)))
        turns.append(Message("assistant", received.fill(rank=str(rank))))
    return [*turns, Message("user", end.fill(num=num, query=query))]
