"""In what portions texts are encoded: small ones first, so that a bar soon knows how fast it is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeVar

T = TypeVar("T")

_FIRST = 32
"""As many as a batch usually has, so that batches are those of large portions."""


def growing(items: Sequence[T], most: int) -> Iterator[Sequence[T]]:
    """Yield the items in order, each portion twice as large as the last, up to `most`."""
    start, size = 0, min(_FIRST, most)
    while start < len(items):
        yield items[start : start + size]
        start, size = start + size, min(2 * size, most)
