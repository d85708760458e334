"""Matrices that are too small to share are multiplied in one thread.

A library of linear algebra takes every core for each of thousands of small products, and its
threads wait for each other by spinning: the same result for up to twice the CPU time.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from importlib import import_module
from typing import Any


@contextmanager
def one_thread() -> Iterator[None]:
    """Let numpy multiply in one thread inside the block, which costs some microseconds."""
    with _libraries().limit(limits=1, user_api="blas"):
        yield


@lru_cache(maxsize=1)
def _libraries() -> Any:
    """Return what limits the threads of the libraries that numpy has loaded."""
    import_module("numpy")
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()
