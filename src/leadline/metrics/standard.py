"""Which metrics a kind of benchmark is measured by, and metrics by the names people type."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from leadline.errors import InputError, unknown
from leadline.metrics.coherence import RBO
from leadline.metrics.pairs import Adjacent, FlipRate, WinRate
from leadline.metrics.ranking import MAP, MRR, NDCG, Precision, Recall
from leadline.metrics.ranks import Ties
from leadline.metrics.topics import Where, by_topic, matching
from leadline.types import Metric, Query

MOST_CONDITIONS = 10

_ORIGINALS: Where = (("kind", "original"),)
_WITH_CUT_OFF = ("nDCG", "MRR", "MAP", "Recall", "P", "RBO")
_WITH_STYLE = ("WinRate", "Adjacent")
_NAME = re.compile(r"(?P<stem>[A-Za-z-]+)(@(?P<k>\d+))?(\[style=(?P<style>\w+)\])?")


def metrics_of(kind: str, names: Iterable[str] = ()) -> tuple[Metric, ...]:
    """Return the metrics of a kind of benchmark, or those with the given names.

    Raises InputError on an unknown kind or name.
    """
    if kind not in _KINDS:
        raise unknown("kind of benchmark", kind, _KINDS, f"Known: {', '.join(_KINDS)}.")
    given = tuple(names)
    if not given:
        return _KINDS[kind]
    ties: Ties = "stable" if kind == "implicit-facts" else "trec"
    where = _ORIGINALS if kind == "rephrasings" else ()
    return tuple(parse(name, ties=ties, where=where) for name in given)


def breakdowns_of(kind: str) -> tuple[str, ...]:
    """Return which metrics of a kind of benchmark are divided by which facet: `WinRate[edit]`."""
    return _BREAKDOWNS.get(kind, ())


def main_metrics_of(kind: str) -> tuple[str, ...]:
    """Return the names of the few metrics that a table of a kind of benchmark shows."""
    return _MAIN.get(kind, ())


def units_of(metric: Metric, queries: Iterable[Query]) -> list[str]:
    """Return the units that a metric is about: those without a value are what it leaves out."""
    if metric.unit == "topic":
        return list(by_topic(queries))
    return [query.id for query in matching(queries, getattr(metric, "where", ()))]


def parse(name: str, *, ties: Ties = "trec", where: Where = ()) -> Metric:
    """Return the metric that goes by a name: `nDCG@10`, `WinRate@3[style=prose]`.

    ties, where  how ranking metrics break ties, and which queries they are about

    Raises InputError when nothing goes by that name.
    """
    parts = _NAME.fullmatch(name)
    stem = parts["stem"] if parts else name
    k = int(parts["k"]) if parts and parts["k"] else None
    style = parts["style"] if parts else None
    if not parts or stem not in (*_WITH_CUT_OFF, *_WITH_STYLE, "FlipRate"):
        raise unknown("metric", name, _examples(), "See: leadline list metrics")
    if k == 0:
        raise InputError(f"k must be at least 1, got 0 in {name!r}.")
    if stem in _WITH_CUT_OFF and (k is None or style):
        raise InputError(f"The metric {stem!r} is written with its cut-off only, as '{stem}@10'.")
    if stem == "FlipRate" and (k or style):
        raise InputError(f"The metric 'FlipRate' is written alone, got {name!r}.")
    return _build(stem, k, style or "list", ties, where)


def _build(stem: str, k: int | None, style: str, ties: Ties, where: Where) -> Metric:
    at = k or 0
    builders: dict[str, Callable[[], Metric]] = {
        "nDCG": lambda: NDCG(at, ties, where),
        "MRR": lambda: MRR(at, ties, where),
        "MAP": lambda: MAP(at, ties, where),
        "Recall": lambda: Recall(at, ties, where),
        "P": lambda: Precision(at, ties, where),
        "RBO": lambda: RBO(at),
        "WinRate": lambda: WinRate(k, style),
        "Adjacent": lambda: Adjacent(k, style),
        "FlipRate": FlipRate,
    }
    return builders[stem]()


def _examples() -> list[str]:
    return list(dict.fromkeys(m.name for metrics in _KINDS.values() for m in metrics))


_KINDS: dict[str, tuple[Metric, ...]] = {
    "ranking": (NDCG(10), MRR(10), Recall(100), MAP(100)),
    "implicit-facts": (NDCG(10, "stable"), MRR(10, "stable"), Recall(10, "stable")),
    "conditions": (
        WinRate(),
        *(WinRate(k) for k in range(1, MOST_CONDITIONS + 1)),
        Adjacent(),
        *(Adjacent(k) for k in range(1, MOST_CONDITIONS + 1)),
        FlipRate(),
        WinRate(style="prose"),
        Adjacent(style="prose"),
    ),
    "rephrasings": (
        RBO(5),
        NDCG(10, where=_ORIGINALS),
        MRR(10, where=_ORIGINALS),
    ),
}

_BREAKDOWNS: dict[str, tuple[str, ...]] = {
    "conditions": ("WinRate[edit]",),
    "rephrasings": ("RBO@5[kind]", "nDCG@10[kind]"),
}

_MAIN: dict[str, tuple[str, ...]] = {
    "ranking": ("nDCG@10", "MRR@10", "Recall@100"),
    "implicit-facts": ("nDCG@10", "MRR@10", "Recall@10"),
    "conditions": ("WinRate", "Adjacent", "FlipRate"),
    "rephrasings": ("RBO@5", "nDCG@10", "MRR@10"),
}
