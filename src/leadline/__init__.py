"""Leadline finds out where retrieval breaks on complex queries, says why, and repairs it.

The public names are resolved on first use, so that importing the package costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.2.0"

_HOMES = {
    "check": "checking:check",
    "evaluate": "checking:evaluate",
    "compare": "comparison.verdict:compare_folders",
    "gate": "comparison.verdict:gate",
    "repair": "repairing.repair:repair",
    "synthesize": "checking:synthesize",
    "as_system": "systems.adapters:as_system",
    "load_benchmarks": "systems.benchmarks:load_benchmarks",
    "Document": "types:Document",
    "Query": "types:Query",
    "Benchmark": "benchmark:Benchmark",
    "System": "system:System",
    "Kind": "kinds.kind:Kind",
    "Report": "report:Report",
    "Retriever": "types:Retriever",
    "Index": "types:Index",
    "Reranker": "types:Reranker",
    "Metric": "types:Metric",
    "LeadlineError": "errors:LeadlineError",
    "InputError": "errors:InputError",
    "ServiceError": "errors:ServiceError",
    "ModelError": "errors:ModelError",
    "MissingExtraError": "errors:MissingExtraError",
}

if TYPE_CHECKING:
    from leadline.benchmark import Benchmark as Benchmark
    from leadline.checking import check as check
    from leadline.checking import evaluate as evaluate
    from leadline.checking import synthesize as synthesize
    from leadline.comparison.verdict import compare_folders
    from leadline.comparison.verdict import gate as gate
    from leadline.errors import InputError as InputError
    from leadline.errors import LeadlineError as LeadlineError
    from leadline.errors import MissingExtraError as MissingExtraError
    from leadline.errors import ModelError as ModelError
    from leadline.errors import ServiceError as ServiceError
    from leadline.kinds.kind import Kind as Kind
    from leadline.repairing.repair import repair as repair
    from leadline.report import Report as Report
    from leadline.system import System as System
    from leadline.systems.adapters import as_system as as_system
    from leadline.systems.benchmarks import load_benchmarks as load_benchmarks
    from leadline.types import Document as Document
    from leadline.types import Index as Index
    from leadline.types import Metric as Metric
    from leadline.types import Query as Query
    from leadline.types import Reranker as Reranker
    from leadline.types import Retriever as Retriever

    compare = compare_folders

__all__ = ["__version__", *sorted(_HOMES)]


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        module, _, attribute = _HOMES[name].partition(":")
        return getattr(import_module(f"leadline.{module}"), attribute)
    raise AttributeError(f"module 'leadline' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
