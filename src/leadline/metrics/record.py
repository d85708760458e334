"""The record of a metric, which describes it, and the base class that computes it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cache
from typing import Any, ClassVar, Literal

from leadline.text.words import table
from leadline.types import Metric, Qrels, Query, Run

MEASURES: dict[str, Any] = {}
"""Stem -> class of every imported metric."""

Better = Literal["higher", "lower", "neither"]


@dataclass(frozen=True)
class Record:
    """The description of a metric, as `leadline list metrics` shows it.

    name     its name, with `@k` for a cut-off
    meaning  the question it answers, in one line
    source   the paper or tool that defines it
    low, high  bounds of a value, or None
    better   `higher`, `lower`, or `neither` if it only describes
    formula  formula in plain text
    unit     `query` or `topic`: the unit of a value
    modes    option -> values, the default first; no values for a number
    sentence for readers of a report, if they need more than the meaning
    in_words describes a mean of one run, with the counts of the metric as `{fields}`
    chance   the value of random guessing; None if that depends on the corpus
    qualifies  the metric that it explains; it then never ranks systems
    python   how to compute it, if it has no name on the command line
    """

    name: str
    meaning: str
    source: str = ""
    low: float | None = 0
    high: float | None = 1
    better: Better = "higher"
    formula: str = ""
    unit: str = "query"
    modes: Mapping[str, Sequence[str]] = field(default_factory=dict)
    sentence: str = ""
    in_words: str = ""
    chance: float | None = None
    qualifies: str = ""
    python: str = ""

    @property
    def stem(self) -> str:
        """The name without `@k`."""
        return self.name.partition("@")[0]

    @property
    def range(self) -> str:
        """The bounds as people write them: `0..1`, `1..`, `any`."""
        if self.low is None and self.high is None:
            return "any"
        low, high = ("" if each is None else f"{each:g}" for each in (self.low, self.high))
        return f"{low}..{high}"

    @property
    def options(self) -> str:
        """The modes as people write them: `mode=paper|code_head`."""
        return " ".join(f"{key}={'|'.join(each) or '...'}" for key, each in self.modes.items())

    @property
    def bounds(self) -> tuple[float | None, float | None]:
        """The smallest and the largest value."""
        return self.low, self.high

    @property
    def span(self) -> tuple[float, float] | None:
        """The bounds, if there are both, as a scale needs."""
        return None if self.low is None or self.high is None else (self.low, self.high)

    def explained(self) -> str:
        """Return its explanation, as a sentence."""
        return self.sentence or f"{self.meaning[:1].upper()}{self.meaning[1:]}."


class _Rows:
    """The records of a class: its rows in `metrics.yaml` beside its module."""

    def __get__(self, instance: object, owner: Any) -> tuple[Record, ...]:
        return _read(owner.__module__.rpartition(".")[0])[owner.stem]


@cache
def _read(package: str) -> dict[str, tuple[Record, ...]]:
    rows = table(package, "metrics")
    return {stem: tuple(Record(**each) for each in some) for stem, some in rows.items()}


class Recorded:
    """A frozen dataclass of options, with a record.

    stem     the name without `@k`, its key in `metrics.yaml`
    records  its entries in the list: one, or one without and one with a cut-off
    """

    stem: ClassVar[str]
    records: ClassVar[Any] = _Rows()

    def __init_subclass__(cls) -> None:
        if "stem" in vars(cls):
            MEASURES.setdefault(cls.stem, cls)
        elif "records" in vars(cls):
            MEASURES.setdefault(cls.records[0].stem, cls)

    @property
    def unit(self) -> str:
        """Return `query` or `topic`."""
        return str(self.records[0].unit)

    @property
    def name(self) -> str:
        """Return the name, with the options that are not the default."""
        record: Record = self.records[0]
        own: Any = self
        defaults = {each.name: each.default for each in fields(own)}
        k = None if "k" in record.modes else getattr(self, "k", None)
        given = {key: getattr(self, key) for key in record.modes if key != "ties"}
        return written(
            record.stem if k is None else f"{record.stem}@{k}",
            {key: value for key, value in given.items() if value != defaults[key]},
        )


class Measure(Recorded, Metric):
    """The base class of Leadline's metrics."""

    def in_words(self, queries: Sequence[Query], qrels: Qrels, run: Run) -> str:
        """Fill the words of its record with counts. Empty without words or cases."""
        words: str = self.records[0].in_words
        counts = self.counts(queries, qrels, run) if words else {}
        return words.format(**counts) if counts.get("n") else ""

    def counts(self, queries: Sequence[Query], qrels: Qrels, run: Run) -> Mapping[str, Any]:
        """Return the counts that the words of its record use, and `n` cases."""
        values = self(queries, qrels, run).values()
        above, below = sum(each > 0 for each in values), sum(each < 0 for each in values)
        return {"n": len(values), "above": above, "below": below}


def written(name: str, pairs: Mapping[str, Any]) -> str:
    """Return the name with the pairs in brackets, `name[key=value,key]`, if there are any."""
    inside = ",".join(f"{key}={value}" if value != "" else key for key, value in pairs.items())
    return f"{name}[{inside}]" if inside else name
