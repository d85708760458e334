"""Batches of texts with about the same number of tokens, so that little of one is padding."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np


def in_batches(
    encode: Callable[[list[str]], Any],
    texts: Sequence[str],
    tokenizer: Any,
    most: int | None,
    size: int,
) -> Any:
    """Return what `encode` gives for the texts, float32 [len(texts), D], in their order.

    tokenizer  counts tokens; None encodes the texts as they come
    most       tokens that are read of a text; None for all
    size       texts of a batch

    sentence-transformers orders texts by characters, by which a fifth of a batch of mixed texts
    was padding.
    """
    if tokenizer is None or len(texts) <= size:
        return _array(encode(list(texts)))
    options = {"return_attention_mask": False, "return_token_type_ids": False}
    parts = [*batches(tokenized(tokenizer, texts, most, **options), size)]
    found = [_array(encode([texts[place] for place in part])) for part in parts]
    return in_order(parts, found)


def tokenized(tokenizer: Any, texts: Sequence[str], most: int | None, **options: Any) -> Any:
    """Return what a tokenizer makes of the texts: lists of numbers by name, `input_ids` too."""
    cut = {"truncation": True, "max_length": most} if most else {}
    return tokenizer(list(texts), **cut, **options)


def batches(read: Any, size: int) -> Iterator[Any]:
    """Yield the places of the texts of each batch, those with the most tokens first."""
    lengths = np.array([len(ids) for ids in read["input_ids"]])
    order = np.argsort(-lengths, kind="stable")
    return (order[start : start + size] for start in range(0, len(order), size))


def in_order(parts: Sequence[Any], found: Sequence[Any]) -> Any:
    """Return the vectors of batches, [n, D] each, as one array in the order of the texts."""
    joined = np.concatenate(found)
    vectors = np.empty_like(joined)
    vectors[np.concatenate(parts)] = joined
    return vectors


def _array(vectors: Any) -> Any:
    return vectors.float().cpu().numpy()
