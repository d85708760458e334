"""An LLM orders a window of documents that slides up the candidates."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import Any

from leadline.errors import InputError
from leadline.llm.opening import ModelPlace, open_llm, takes_model
from leadline.llm.requests import Answer, Request, cut_off
from leadline.progress import track
from leadline.rerankers.orderings.orders import as_run, starting_orders, without_tokens
from leadline.rerankers.orderings.permutations import (
    Permutation,
    parse_permutation,
    reordered,
    windows,
)
from leadline.rerankers.orderings.prompts import (
    WORDS,
    Template,
    chat_template,
    conversation,
    prompt_hash,
)
from leadline.rerankers.orderings.shortening import answers_that_fit, room_for_thought
from leadline.types import LLM, Candidates, Corpus, Query, Reranker, Run

NO_CALL = "no answer from the model"
NO_RANKING = "no ranking in the answer"

_Span = tuple[int, int]


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
                 orderings/prompts.py
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
class Listwise(Reranker):
    """A reranker on any language model; `build` explains the options.

    A window whose answer is missing or holds no ranking keeps its order and its ties; so do the
    documents that an answer does not name. A document's score is 1/rank: a model that orders gives
    no scores.

    asked     windows put before the model so far
    repaired  answers that lacked, repeated or invented a number, so that they were completed
    failures  windows that kept their order because there was nothing to go by, by kind
    """

    llm: LLM
    window: int = 20
    step: int = 10
    passes: int = 1
    template: Template = "default"
    strict: bool = False
    words: int = WORDS
    max_tokens: int = 0
    asked: int = 0
    repaired: int = 0
    failures: Counter[str] = field(default_factory=Counter)
    scores_are_ranks = True

    def __post_init__(self) -> None:
        if not 1 <= self.step <= self.window or self.window < 2:
            raise InputError(
                "listwise takes window >= 2 and step between 1 and window, "
                f"got window={self.window}, step={self.step}."
            )
        if self.passes < 1 or self.words < 1 or self.max_tokens < 0:
            raise InputError(
                "listwise takes passes >= 1, words >= 1 and max_tokens >= 0, "
                f"got passes={self.passes}, words={self.words}, max_tokens={self.max_tokens}."
            )

    @property
    def name(self) -> str:
        """The stage and its model."""
        return f"listwise:{self.llm.name}"

    @property
    def settings(self) -> dict[str, Any]:
        """Every setting; scores of its runs are ranks."""
        return {
            **getattr(self.llm, "settings", {"model": self.llm.name}),
            "window": self.window,
            "step": self.step,
            "passes": self.passes,
            "template": self.template,
            "prompt": prompt_hash(self.template),
            "reading": "strict" if self.strict else "default",
            "words": self.words,
            "max_tokens": self.max_tokens,
            "scores_are_ranks": True,
        }

    def rerank(self, queries: Sequence[Query], corpus: Corpus, candidates: Candidates) -> Run:
        """Order the candidates of each query.

        The windows of one query follow each other, those of different queries go together.
        Raises InputError when a candidate is not in the corpus.
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
        due: Sequence[tuple[Query, _Span]],
        corpus: Corpus,
        orders: Mapping[str, list[str]],
        placed: set[tuple[str, str]],
    ) -> None:
        """Reorder one window of each query, in place, and note what the answers name."""
        texts = [
            [corpus[document_id].content for document_id in orders[query.id][slice(*span)]]
            for query, span in due
        ]
        answers = answers_that_fit(
            self.llm,
            len(due),
            lambda place, share: self._request(due[place][0], texts[place], share),
        )
        for (query, (start, end)), answer in zip(due, answers, strict=True):
            read = self._order_in(answer, end - start)
            window = reordered(orders[query.id][start:end], read.order)
            orders[query.id][start:end] = window
            placed.update((query.id, document_id) for document_id in window[: read.named])

    def _order_in(self, answer: Answer, n: int) -> Permutation:
        self.asked += 1
        if answer.failure:
            self.failures[f"{NO_CALL} ({answer.failure.kind})"] += 1
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
        tokens = getattr(self.llm, "special_tokens", ())
        asked, *shown = (without_tokens(text, tokens) for text in (query.content, *texts))
        turns = conversation(self.template, asked, shown, words=self.words * share)
        usual = _tokens_of_order(len(texts))
        most = self.max_tokens or max(usual, room_for_thought(self.llm))
        return Request(
            turns,
            most,
            chat_template=chat_template(self.template),
            expected_tokens=min(usual, most),
        )


def _tokens_of_order(n: int) -> int:
    """Return an upper bound of the tokens of `[1] > [2] > ... > [n]` in any tokenizer."""
    return len(" > ".join(f"[{rank}]" for rank in range(1, n + 1)))
