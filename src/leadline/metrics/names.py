"""Parse names of metrics, `Name@k[option=value,facet=value]`, and find the metric.

Options of the metric come first in the brackets. The first other key is a facet of queries, and
the rest, up to the last bracket, is the value of that facet.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cache
from importlib import import_module
from typing import Any

from leadline.errors import InputError, unknown
from leadline.metrics.ranking import RankingMetric
from leadline.metrics.ranks import Ties
from leadline.metrics.record import MEASURES, Record, written
from leadline.metrics.topics import Where
from leadline.plugins import find, plugins
from leadline.types import Metric

_HOMES = (
    "leadline.metrics.ranking",
    "leadline.metrics.pairs",
    "leadline.metrics.compliance",
    "leadline.metrics.coherence",
    "leadline.metrics.answers",
)
"""Modules with metrics that belong to no kind."""
_LABELS = {
    "Noticed[unseen=missed]": "Noticed, all cases",
    "Noticed": "Noticed, seen cases",
}


@dataclass(frozen=True)
class MetricName:
    """The parts of a name such as `WinRate@3[style=prose,edit=number]`.

    value  value of the facet; empty means "by that facet", as in `WinRate[edit]`
    """

    stem: str
    k: int | None = None
    options: Mapping[str, str] = field(default_factory=dict)
    facet: str = ""
    value: str = ""

    @property
    def plain(self) -> str:
        """The name without its facet: `WinRate@3[style=prose]`."""
        return written(self.base, self.options)

    @property
    def base(self) -> str:
        """The name without anything in brackets: `WinRate@3`."""
        return self.stem if self.k is None else f"{self.stem}@{self.k}"

    def __str__(self) -> str:
        facet = {self.facet: self.value} if self.facet else {}
        return written(self.base, {**self.options, **facet})


def read_name(name: str) -> MetricName:
    """Return the parts of a name. A name that does not parse becomes the stem."""
    found = _NAME.fullmatch(name)
    if not found:
        return MetricName(name)
    k = int(found["k"]) if found["k"] else None
    inside, options = found["inside"] or "", {}
    known = _modes(found["stem"])
    while (pair := _OPTION.match(inside)) and pair["key"] in known:
        options[pair["key"]] = pair["value"]
        inside = inside[pair.end() :]
    facet, _, value = inside.partition("=")
    return MetricName(found["stem"], k, options, facet, value)


def of_facet(name: str, facet: str, value: str) -> str:
    """Return the name of a measure over the queries that have a facet value."""
    parts = read_name(name)
    return str(MetricName(parts.stem, parts.k, parts.options, facet, value))


def parse(name: str, *, ties: Ties = "trec", where: Where = ()) -> Metric:
    """Return the metric with a name: `nDCG@10`, `WinRate@3[style=prose]`, `RBO@5[p=0.8]`.

    ties, where  how ranking metrics break ties, and the queries they apply to

    Raises InputError if the name or an option is unknown.
    """
    parts = read_name(name)
    stem, known = parts.stem, _modes(parts.stem)
    if stem not in _measures():
        raise unknown("metric", name, _examples(), "See: leadline list metrics")
    measure = _measures()[stem]
    if python := measure.records[0].python:
        raise InputError(f"The metric {stem!r} {python}")
    if parts.facet:
        hint = f"Its options: {', '.join(known)}." if known else "It has none."
        raise unknown(f"option of {stem}", parts.facet, known, hint)
    options: dict[str, Any] = {
        option: _value(name, stem, option, value) for option, value in parts.options.items()
    }
    if issubclass(measure, RankingMetric):
        options = {"ties": ties, "where": where, **options}
    metric: Metric = measure(**_cut_off(name, parts, measure), **options)
    return metric


def catalogue() -> tuple[Record, ...]:
    """Return the record of every metric. Those of loaded kinds come last."""
    return tuple(record for measure in _measures().values() for record in measure.records)


def add_measures(metrics: Iterable[Metric]) -> None:
    """Register metrics that have records under their names, in this process."""
    for each in metrics:
        if records := getattr(each, "records", ()):
            MEASURES.setdefault(records[0].stem, type(each))


def record_of(name: str) -> Record:
    """Return the record of a metric. An unknown metric gets a record with only its name."""
    stem = read_name(name).stem
    if stem not in _measures():
        return Record(stem, "", low=None, high=None, better="neither")
    record: Record = _measures()[stem].records[0]
    return record


def glossary(names: Iterable[str]) -> list[tuple[str, str]]:
    """Return (name, sentence) for each known metric among the names, once, in order."""
    stems = dict.fromkeys(read_name(name).stem for name in names)
    listed = {stem: [each.name for each in catalogue() if each.stem == stem] for stem in stems}
    return [
        (", ".join(known), record_of(stem).explained()) for stem, known in listed.items() if known
    ]


def label_of(name: str) -> str:
    """Return the name of a metric for tables, such as `Noticed, all cases`."""
    parts = read_name(name)
    if parts.plain not in _LABELS:
        return name
    return _LABELS[parts.plain] + (f" [{parts.facet}={parts.value}]" if parts.facet else "")


def is_better(name: str, value: float, other: float) -> bool:
    """Tell whether a value of the metric is strictly better than another."""
    better = record_of(name).better
    return better != "neither" and (value < other if better == "lower" else value > other)


def may_rank(name: str) -> bool:
    """Return whether a metric can rank systems: it has a better direction, and stands alone."""
    record = record_of(name)
    return record.better != "neither" and not record.qualifies


@cache
def _measures() -> dict[str, Any]:
    """Return stem -> class of every metric, including those of loaded kinds."""
    for name in _HOMES:
        import_module(name)
    for name in plugins("metrics"):
        MEASURES.setdefault(name, find("metrics", name))
    return MEASURES


def _modes(stem: str) -> Mapping[str, Sequence[str]]:
    found = MEASURES.get(stem) or _measures().get(stem)
    modes: Mapping[str, Sequence[str]] = found.records[0].modes if found else {}
    return modes


def _cut_off(name: str, parts: MetricName, measure: Any) -> dict[str, int]:
    stem, k = parts.stem, parts.k
    if k is None:
        if "@" in measure.records[0].name:
            raise InputError(f"The metric {stem!r} needs a cut-off, such as '{stem}@10'.")
        return {}
    if "k" in _modes(stem) or all(each.name != "k" for each in fields(measure)):
        raise InputError(f"The metric {stem!r} takes no cut-off, got {name!r}.")
    if k < 1:
        raise InputError(f"k must be at least 1, got {k} in {name!r}.")
    return {"k": k}


def _value(name: str, stem: str, option: str, value: str) -> Any:
    known = _modes(stem)[option]
    if not known:
        try:
            return int(value) if value.isdecimal() else float(value)
        except ValueError:
            raise InputError(f"{value!r} in {name!r} is not a number.") from None
    if value not in known:
        raise unknown(f"{option} of {stem}", value, known, f"In {name!r}.")
    return value


def _examples() -> list[str]:
    return [record.name.replace("@k", "@10") for record in catalogue()]


_NAME = re.compile(r"(?P<stem>[^@\[\]]+)(?:@(?P<k>\d{1,9}))?(?:\[(?P<inside>.+)\])?", re.DOTALL)
_OPTION = re.compile(r"(?P<key>[^=,\[\]]+)=(?P<value>[^,\[\]]*)(?:,|$)")
