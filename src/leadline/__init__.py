"""Leadline finds out where retrieval breaks on complex queries, says why, and repairs it.

The public names are resolved on first use, so that importing the package costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

_HOMES = {
    "Benchmark": "leadline.benchmark",
    "Document": "leadline.types",
    "Query": "leadline.types",
    "Report": "leadline.report",
    "System": "leadline.system",
    "TrainingExample": "leadline.training.data",
    "check": "leadline.checking",
    "evaluate": "leadline.checking",
}

if TYPE_CHECKING:
    from leadline.benchmark import Benchmark as Benchmark
    from leadline.checking import check as check
    from leadline.checking import evaluate as evaluate
    from leadline.report import Report as Report
    from leadline.system import System as System
    from leadline.training.data import TrainingExample as TrainingExample
    from leadline.types import Document as Document
    from leadline.types import Query as Query

__all__ = ["__version__", *sorted(_HOMES)]


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'leadline' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
