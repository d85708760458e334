"""Batches of texts with about the same number of tokens."""

from __future__ import annotations

from typing import Any

import torch

from leadline.models.loading import in_token_batches


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


def test_tokens_that_are_cut_off_do_not_count() -> None:
    _, seen = batched(2, Words(), most=1)  # every text is read to its first token: corpus order
    assert seen == [["one", "a b c"], ["extraordinarily", "a b"]]


def test_texts_of_one_batch_go_as_they_come() -> None:
    _, seen = batched(4, Words())
    assert seen == [TEXTS]


def test_a_model_without_a_tokenizer_takes_texts_as_they_come() -> None:
    _, seen = batched(2)
    assert seen == [TEXTS]
