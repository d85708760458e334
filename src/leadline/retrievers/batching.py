"""Batches of texts with about the same number of tokens, so that little of one is padding."""

from __future__ import annotations

from collections.abc import Callable, Sequence
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
    order = np.argsort(-_lengths(tokenizer, texts, most), kind="stable")
    parts = [order[start : start + size] for start in range(0, len(order), size)]
    found = np.concatenate([_array(encode([texts[place] for place in part])) for part in parts])
    vectors = np.empty_like(found)
    vectors[order] = found
    return vectors


def _lengths(tokenizer: Any, texts: Sequence[str], most: int | None) -> Any:
    cut = {"truncation": True, "max_length": most} if most else {}
    read = tokenizer(list(texts), **cut, return_attention_mask=False, return_token_type_ids=False)
    return np.array([len(ids) for ids in read["input_ids"]])


def _array(vectors: Any) -> Any:
    return vectors.float().cpu().numpy()
