"""Rerank with an LLM that orders a window of documents, which slides up the candidates."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import Any, Literal

from leadline.errors import InputError
from leadline.llm.opening import ModelPlace, open_llm, takes_model
from leadline.llm.prompt import Prompt
from leadline.llm.requests import Answer, Message, Request, cut_off
from leadline.progress import track
from leadline.rerankers.parts.orders import (
    NO_CALL,
    OrderReranker,
    Permutation,
    as_run,
    first_words,
    mask_identifiers,
    parse_permutation,
    reordered,
    starting_orders,
    windows,
)
from leadline.types import Candidates, Corpus, Query, Reranker, Run

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

NO_RANKING = "no ranking in the answer"


@takes_model
def build(
    place: ModelPlace,
    *,
    window: int = 20,
    step: int = 10,
    passes: int = 1,
    template: Template = "default",
    strict: bool = False,
    words: int = WORDS,
    max_tokens: int = 0,
) -> Reranker:
    """Return a reranker that has a language model order windows of documents, bottom up.

    place       where the model runs: the options of `ModelPlace`
    window       documents that the model sees at once
    step         documents by which the window moves up, at most `window`
    passes       times the window goes from bottom to top
    template     `default`, `zephyr`, `vicuna`, `zephyr-2025`, `vicuna-2025` or `turns`, see
                 `conversation`
    strict       read only numbers in brackets
    words        words of each document in a window of 20; fewer in a larger one
    max_tokens   longest answer; 0 for what an order needs, or 4,096 for a model that may think

    Raises InputError when a value is out of range or there is no model.
    Source: Sun et al., Is ChatGPT Good at Search?; castorini/rank_llm.
    """
    return Listwise(
        open_llm("listwise", place), window, step, passes, template, strict, words, max_tokens
    )


@dataclass
class Listwise(OrderReranker):
    """A reranker on any language model; `build` explains the options.

    A window whose answer is missing or holds no ranking keeps its order and its ties; so do the
    documents that an answer does not name.

    repaired  answers that lacked, repeated or invented a number, so that they were completed
    """

    window: int = 20
    step: int = 10
    passes: int = 1
    template: Template = "default"
    strict: bool = False
    words: int = WORDS
    max_tokens: int = 0
    repaired: int = field(default=0, init=False)
    stage = "listwise"

    def __post_init__(self) -> None:
        if not 1 <= self.step <= self.window or self.window < 2:
            raise InputError(
                "listwise needs window >= 2 and step between 1 and window, got "
                f"window={self.window}, step={self.step}."
            )
        if self.passes < 1 or self.words < 1 or self.max_tokens < 0:
            raise InputError(
                "listwise needs passes >= 1, words >= 1 and max_tokens >= 0, got "
                f"passes={self.passes}, words={self.words}, max_tokens={self.max_tokens}."
            )

    @property
    def own(self) -> dict[str, Any]:
        """Settings beside those of the model."""
        names = ("window", "step", "passes", "template", "words", "max_tokens")
        own = {name: getattr(self, name) for name in names}
        reading = "strict" if self.strict else "default"
        return {**own, "prompt": prompt_hash(self.template), "reading": reading}

    def rerank(self, queries: Sequence[Query], corpus: Corpus, candidates: Candidates) -> Run:
        """Order the candidates of each query.

        The windows of one query follow each other, those of different queries go together.
        """
        orders = starting_orders(queries, corpus, candidates)
        spans = {
            query.id: windows(len(orders[query.id]), self.window, self.step) * self.passes
            for query in queries
        }
        placed: set[tuple[str, str]] = set()
        rounds = list(zip_longest(*spans.values()))
        for round_ in track(rounds, "Ordering windows"):
            due = {
                query.id: (query, span)
                for query, span in zip(queries, round_, strict=True)
                if span is not None and span[1] - span[0] > 1
            }
            self._order(list(due.values()), corpus, orders, placed)
        return as_run(orders, candidates, placed)

    def _order(
        self,
        due: Sequence[tuple[Query, tuple[int, int]]],
        corpus: Corpus,
        orders: Mapping[str, list[str]],
        placed: set[tuple[str, str]],
    ) -> None:
        """Reorder one window of each query, in place, and note what the answers name."""
        shown = [
            [corpus[id].content for id in orders[query.id][slice(*span)]] for query, span in due
        ]
        answers = self.answers(
            len(due), lambda place, share: self._request(due[place][0], shown[place], share)
        )
        for (query, (start, end)), answer in zip(due, answers, strict=True):
            read = self._order_in(answer, end - start)
            window = reordered(orders[query.id][start:end], read.order)
            orders[query.id][start:end] = window
            placed.update((query.id, id) for id in window[: read.named])

    def _order_in(self, answer: Answer, n: int) -> Permutation:
        if self.failed(answer):
            return Permutation(tuple(range(n)), failed=True)
        read = parse_permutation(answer.text, n, "strict" if self.strict else "default")
        if read.named < n and answer.finish == "length":
            self.failures[f"{NO_CALL} ({cut_off(answer, ' with documents missing')})"] += 1
            return Permutation(tuple(range(n)), failed=True)
        self.repaired += read.repaired
        if read.failed:
            self.failures[NO_RANKING] += 1
        return read

    def _request(self, query: Query, texts: Sequence[str], share: float) -> Request:
        asked, *shown = map(self.plain, (query.content, *texts))
        turns = conversation(self.template, asked, shown, words=self.words * share)
        usual = _tokens_of_order(len(texts))
        most = self.max_tokens or max(usual, self.room_for_thought)
        return Request(
            turns,
            most,
            chat_template=chat_template(self.template),
            expected_tokens=min(usual, most),
        )


def _tokens_of_order(n: int) -> int:
    """Return an upper bound of the tokens of `[1] > [2] > ... > [n]` in any tokenizer."""
    return len(" > ".join(f"[{rank}]" for rank in range(1, n + 1)))


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
