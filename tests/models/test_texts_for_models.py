"""Texts on their way into a model: cut, in batches, their prompts told apart."""

import logging
from typing import Any

import pytest

from tables import each_row

pytest.importorskip("transformers")

import torch

import tiny_models
from leadline.llm.local import prompt_ids
from leadline.llm.requests import Request
from leadline.models.cutting import cut, fit
from leadline.models.loading import in_token_batches, shared_beginning


class Words:
    """A tokenizer whose tokens are words."""

    def __call__(
        self, texts: list[str], truncation: bool = False, max_length: int = 10**6, **_: Any
    ) -> dict[str, list[list[int]]]:
        return {"input_ids": [[0] * min(len(text.split()), max_length) for text in texts]}


TEXTS = ["one", "a b c", "extraordinarily", "a b"]
TOKENS = {"one": 1.0, "a b c": 3.0, "extraordinarily": 1.0, "a b": 2.0}


def batched(size: int, tokenizer: Any = None, most: int | None = None) -> tuple[Any, list[Any]]:
    """Return the vectors, which hold the number of tokens, and the batches they came in."""
    seen: list[list[str]] = []

    def encode(texts: list[str]) -> Any:
        seen.append(texts)
        return torch.tensor([[TOKENS[text]] for text in texts])

    return in_token_batches(encode, TEXTS, tokenizer, most, size), seen


def test_texts_of_like_many_tokens_share_a_batch_and_vectors_keep_their_order() -> None:
    vectors, seen = batched(2, Words())
    assert seen == [["a b c", "a b"], ["one", "extraordinarily"]]
    assert vectors.tolist() == [[1.0], [3.0], [1.0], [2.0]]


@each_row
def test_a_prompt_ends_where_its_tokens_alone_and_in_the_text_part(
    prompt: list[int], ids: list[int], expected: int
) -> None:
    assert shared_beginning(prompt, ids) == expected


def test_a_tokenizer_does_not_warn_of_a_text_that_is_cut() -> None:
    tokenizer = tiny_models.space_tokenizer(model_max_length=6)
    text = "the old mill quartet played far away"
    told: list[str] = []
    listener = logging.Handler()
    listener.emit = lambda record: told.append(record.getMessage())  # type: ignore[method-assign]
    logger = logging.getLogger("transformers")
    logger.addHandler(listener)
    try:
        assert fit(tokenizer, "query ", text, " relevant", 6) == "the old mill"
        assert cut(tokenizer, text, 2) == "the old"
        assert len(prompt_ids(tokenizer, Request(text, 1))) > 6
        assert told == []
        tokenizer(text)  # what it would have said
        assert len(told) == 1
    finally:
        logger.removeHandler(listener)
