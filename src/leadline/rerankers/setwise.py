"""Rerank with an LLM that repeatedly picks the best of a few documents."""

from __future__ import annotations

import re
from collections.abc import Generator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

from leadline.errors import InputError
from leadline.llm.opening import ModelPlace, open_llm, takes_model
from leadline.llm.prompt import Prompt
from leadline.llm.requests import Answer, Message, Request
from leadline.rerankers.parts.orders import (
    OrderReranker,
    as_run,
    first_words,
    mask_identifiers,
    starting_orders,
)
from leadline.text.thought import after_thought
from leadline.types import Candidates, Corpus, Query, Reranker, Run

Template = Literal["reasoning", "label"]

NO_LABEL = "no label in the answer"

_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVW"
_PROMPTS = {
    "reasoning": ("setwise_reasoning_system", "setwise_reasoning"),
    "label": ("setwise_label",),
}
_CHILDREN = {"reasoning": 19, "label": 3}
_TOKENS = {"reasoning": 2048, "label": 16}
_ANSWER = re.compile(r"<answer>(.*?)</answer>", re.DOTALL)
_NUMBER = re.compile(r"\[\s*([0-9]{1,4})\s*\]")
_LABEL = re.compile(r"Passage ([A-W])(?= ?[:：])")
_LETTER = re.compile(r"\A(?:passage\W*([A-W])\b|\W*([A-W])\W*\Z)", re.IGNORECASE)


T = TypeVar("T")

Selection = Generator[list[T], int, list[T]]
"""Yields items, is sent the place of the best of them, and returns the k best, best first.

Many can so be run side by side.
"""


@takes_model
def build(
    place: ModelPlace,
    *,
    k: int = 10,
    children: int = 0,
    template: Template = "reasoning",
    words: int = 400,
    query_tokens: int = 0,
    document_tokens: int = 0,
    max_tokens: int = 0,
    neutral: bool = True,
) -> Reranker:
    """Return a reranker that finds the best k by asking which of a few documents is best.

    place       where the model runs: the options of `ModelPlace`
    k            documents that are found; the others follow in their order
    children     documents that one is compared with at once; 0 for what the template was made
                 for: 19 with reasoning, 3 with a label
    template     `reasoning`: the model thinks, then answers; `label`: it answers at once
    words        words of each document
    query_tokens, document_tokens
                 tokens of the query and of each document, of a model in this process; 0 for the
                 whole query, and for `words`
    neutral      put labels that a document holds itself (`[2]`, `Passage B:`) in parentheses, so
                 that it cannot pass for another; False for the published prompt to the letter
    max_tokens   longest answer; 0 for 2048 with reasoning, 16 with a label, or 4,096 for a
                 model that may think

    Raises InputError when a value is out of range or there is no model.
    Source: Zhuang et al., Rank-R1: Enhancing Reasoning in LLM-based Document Rerankers via
    Reinforcement Learning; prompts of ielab/llm-rankers.
    """
    return Setwise(
        open_llm("setwise", place),
        k,
        children,
        template,
        words,
        max_tokens,
        query_tokens,
        document_tokens,
        neutral=neutral,
    )


@dataclass
class Setwise(OrderReranker):
    """A reranker on any language model; `build` explains the options.

    Where an answer is missing or names no document, the one that the stage before has first stays
    first, and ties stay ties.
    """

    k: int = 10
    children: int = 0
    template: Template = "reasoning"
    words: int = 400
    max_tokens: int = 0
    query_tokens: int = 0
    document_tokens: int = 0
    neutral: bool = True
    stage = "setwise"

    def __post_init__(self) -> None:
        self.children = self.children or _CHILDREN[self.template]
        self._has_room = self.template == "label" and not self.max_tokens
        self.max_tokens = self.max_tokens or _TOKENS[self.template]
        most = len(_LETTERS) - 1 if self.template == "label" else 99
        if self.query_tokens < 0 or self.document_tokens < 0:
            raise InputError(
                "setwise needs query_tokens and document_tokens >= 0, got "
                f"query_tokens={self.query_tokens}, document_tokens={self.document_tokens}."
            )
        if self.k < 1 or self.words < 1 or self.max_tokens < 1 or not 1 <= self.children <= most:
            raise InputError(
                f"setwise needs k, words and max_tokens >= 1 and children between 1 and {most}, "
                f"got k={self.k}, words={self.words}, max_tokens={self.max_tokens}, "
                f"children={self.children}."
            )

    @property
    def own(self) -> dict[str, Any]:
        """Settings beside those of the model."""
        return {
            **({} if self.neutral else {"neutral": False}),
            "k": self.k,
            "children": self.children,
            "template": self.template,
            "prompt": "-".join(_prompt(name).hash for name in _PROMPTS[self.template]),
            "words": self.words,
            "query_tokens": self.query_tokens,
            "document_tokens": self.document_tokens,
            "max_tokens": self.max_tokens,
        }

    def rerank(self, queries: Sequence[Query], corpus: Corpus, candidates: Candidates) -> Run:
        """Find the best k candidates of each query; the others follow in their order.

        The comparisons of one query follow each other, those of different queries go together.
        """
        orders = starting_orders(queries, corpus, candidates)
        searches = [
            _Search(query, heap_select(orders[query.id], self.k, self.children))
            for query in {query.id: query for query in queries}.values()
        ]
        placed: set[tuple[str, str]] = set()
        while open_ := [search for search in searches if search.asked]:

            def request_of(number: int, share: float, some: Sequence[_Search] = open_) -> Request:
                return self._request(some[number], corpus, share)

            answers = self.answers(len(open_), request_of)
            for search, answer in zip(open_, answers, strict=True):
                query_id, asked = search.query.id, search.asked
                best = self._best_in(answer, len(asked))
                if best is None:
                    best = asked.index(min(asked, key=orders[query_id].index))
                else:
                    placed.add((query_id, asked[best]))
                search.go_on(best)
        for search in searches:
            query_id, chosen = search.query.id, set(search.best)
            rest = [each for each in orders[query_id] if each not in chosen]
            placed.difference_update((query_id, each) for each in rest)
            orders[query_id] = [*search.best, *rest]
        return as_run(orders, candidates, placed)

    def _request(self, search: _Search, corpus: Corpus, share: float) -> Request:
        texts = [self._shown(corpus[each].content, share) for each in search.asked]
        if self.template == "reasoning":
            shown = "\n".join(f"[{number}] {text}" for number, text in enumerate(texts, 1))
        else:
            pairs = zip(_LETTERS, texts, strict=False)
            shown = "\n\n".join(f'Passage {letter}: "{text}"' for letter, text in pairs)
        *system, user = (_prompt(name) for name in _PROMPTS[self.template])
        asked = self._cut(search.query.content, self.query_tokens)
        text = user.fill(query=self.plain(asked), documents=shown)
        turns = (*(Message("system", each.fill()) for each in system), Message("user", text))
        room = self.room_for_thought if self._has_room else 0
        most = max(self.max_tokens, room)
        return Request(turns, most, expected_tokens=self.max_tokens)

    def _shown(self, text: str, share: float) -> str:
        """Return a share of a document, in which nothing passes for the label of another."""
        if self.document_tokens and hasattr(self.llm, "cut"):
            text = self._cut(text, max(1, int(self.document_tokens * share)))
        else:
            text = first_words(text, max(1, int(self.words * share)))
        text = self.plain(text)
        return _LABEL.sub(r"Passage (\1)", mask_identifiers(text)) if self.neutral else text

    def _cut(self, text: str, tokens: int) -> str:
        llm: Any = self.llm
        return llm.cut(text, tokens) if tokens and hasattr(llm, "cut") else text

    def _best_in(self, answer: Answer, n: int) -> int | None:
        if self.failed(answer):
            return None
        place = parse_label(answer.text, self.template)
        if place is None or place >= n:
            self.failures[NO_LABEL] += 1
            return None
        return place


def parse_label(response: str, template: Template) -> int | None:
    """Return the position, from 0, of the document that an answer names; None where it names none.

    template  `reasoning` reads a number in brackets between the last `<answer>` tags, or what is
              left after the thought when that is one bracketed number and nothing else; `label`
              reads a letter that stands alone or after `Passage`
    """
    text = after_thought(response).strip()
    if template == "label":
        letter = _LETTER.match(text)
        return _LETTERS.index((letter[1] or letter[2]).upper()) if letter else None
    answers = _ANSWER.findall(text)
    number = _NUMBER.search(answers[-1]) if answers else _NUMBER.fullmatch(text)
    return int(number[1]) - 1 if number and int(number[1]) > 0 else None


class _Search:
    """The selection for one query: what it asks now, and in the end what is best."""

    def __init__(self, query: Query, selection: Selection[str]) -> None:
        self.query = query
        self.asked: list[str] = []
        self.best: list[str] = []
        self._selection = selection
        self.go_on(None)

    def go_on(self, best: int | None) -> None:
        try:
            self.asked = self._selection.send(best)  # type: ignore[arg-type]
        except StopIteration as end:
            self.asked, self.best = [], end.value


def heap_select(items: Sequence[T], k: int, children: int) -> Selection[T]:
    """Select by a heap in which every parent has up to `children` children.

    Asks for the best of a parent and its children: children + 1 items at most.
    Source: Zhuang et al., A Setwise Approach for Effective and Highly Efficient Zero-shot
    Ranking with Large Language Models; ielab/llm-rankers.
    """
    heap = list(items)
    for parent in range(len(heap) // children, -1, -1):
        yield from _sift(heap, len(heap), parent, children)
    chosen: list[T] = []
    for last in range(len(heap) - 1, -1, -1):
        if len(chosen) == k:
            break
        chosen.append(heap[0])
        heap[0] = heap[last]
        if len(chosen) < k:
            yield from _sift(heap, last, 0, children)
    return chosen


def _sift(heap: list[T], size: int, parent: int, children: int) -> Generator[list[T], int, None]:
    while (first := children * parent + 1) < size:
        places = [parent, *range(first, min(first + children, size))]
        best = places[(yield [heap[place] for place in places])]
        if best == parent:
            return
        heap[parent], heap[best] = heap[best], heap[parent]
        parent = best


def _prompt(name: str) -> Prompt:
    return Prompt.load("leadline.rerankers", name)
