"""Data classes of a report: passages, failing cases, means and figures."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from textwrap import shorten
from typing import TypeAlias

from leadline.metrics.significance import FEWEST


@dataclass(frozen=True)
class Passage:
    """A document in a failing case.

    Attributes:
        text: The whole text. The page cuts it around the differences.
        rank: Rank in the system's result, from 1; None if it was not retrieved.
        score: Score of the system; None if it has none.
        before: Rank before the stage that reasoned about it.
        trace: The reasoning, shortened.
    """

    id: str
    text: str = field(repr=False)
    title: str = ""
    rank: int | None = None
    score: float | None = None
    before: int | None = None
    trace: str = field(default="", repr=False)


@dataclass(frozen=True)
class Listed:
    """A document in the list that a system returned.

    title  its title, or the beginning of its text
    moved  its place in the other list: `stays`, `to 4`, `from 3`, `new`, `gone`
    """

    id: str
    title: str
    moved: str


@dataclass(frozen=True, repr=False)
class Case:
    """One failure of one system on one probe, with its evidence.

    Attributes:
        headline: One sentence: what went wrong.
        query: The query.
        expected: The document that should be first.
        retrieved: The document that was first.
        compared: The other form of the query, if two forms are compared.
        compared_label: The kind of that form, such as `typo`.
        facts: The origin of the case: source document, span, edit, ...
        rankings: label -> the first documents, if two lists are compared.
        badness: How bad it is. Larger is worse, comparable within a probe.
        causes: Name of each cause -> its evidence.
    """

    system: str
    probe: str
    headline: str
    query: str
    expected: Passage
    retrieved: Passage
    compared: str = ""
    compared_label: str = ""
    expected_label: str = "Expected"
    retrieved_label: str = "Retrieved"
    facts: Mapping[str, str] = field(default_factory=dict)
    rankings: Mapping[str, tuple[Listed, ...]] = field(default_factory=dict)
    badness: float = 0.0
    causes: Mapping[str, str] = field(default_factory=dict)

    def __repr__(self) -> str:
        """Return one line without the documents."""
        says, query = shorten(self.headline, 200), shorten(self.query, 200)
        ids = f"expected {self.expected.id!r}, retrieved {self.retrieved.id!r}"
        return f"<Case of {self.system} on {self.probe}: {says} Query {query!r}: {ids}>"


@dataclass(frozen=True)
class Mean:
    """A mean over units with its 95 % interval, see `significance.interval_of_mean`.

    Attributes:
        n: Units with a value; 0 if unknown.
        left_out: Units for which the metric is undefined.
    """

    mean: float
    low: float
    high: float
    n: int = 0
    left_out: int = 0

    @property
    def few(self) -> bool:
        """Whether it has too few units for an interval."""
        return 0 < self.n < FEWEST

    @property
    def drawn(self) -> tuple[float, float]:
        """The bounds to draw: none if there are too few units."""
        return (self.mean, self.mean) if self.few else (self.low, self.high)

    def __float__(self) -> float:
        return self.mean

    def __str__(self) -> str:
        """Return mean, interval (unless there are too few units) and n in one line."""
        between = f"{self.low:.3f} to {self.high:.3f}, n {self.n}"
        return f"{self.mean:.3f} ({f'n {self.n}, too few' if self.n < FEWEST else between})"


@dataclass(frozen=True, kw_only=True)
class _Figure:
    """The base of all figures.

    probe  the benchmark it belongs to, or an empty string
    """

    title: str
    note: str = ""
    probe: str = ""


@dataclass(frozen=True, kw_only=True)
class _OnScale(_Figure):
    """A figure on one scale.

    low, high  ends of the scale; in a heat map the lightest and the darkest shade
    """

    low: float = 0.0
    high: float = 1.0


@dataclass(frozen=True, kw_only=True)
class Curve(_Figure):
    """A line for each system over the same places on the x axis.

    x       places in ascending order
    lines   system -> one mean for each place, or None
    chance  the score of random guessing, drawn as a line; None for no line
    """

    x_label: str
    y_label: str
    x: tuple[int, ...]
    lines: Mapping[str, tuple[Mean | None, ...]]
    chance: float | None = None


@dataclass(frozen=True, kw_only=True)
class Bars(_OnScale):
    """A group for each slice, with a bar for each system.

    groups  slice -> system -> mean, or None
    chance  the score of random guessing; None for no line
    """

    value_label: str
    groups: Mapping[str, Mapping[str, Mean | None]]
    chance: float | None = None


@dataclass(frozen=True, kw_only=True)
class Radar(_OnScale):
    """A closed line for each system over at least three axes. Lines as in `Curve`, by axis."""

    value_label: str
    axes: tuple[str, ...]
    lines: Mapping[str, tuple[Mean | None, ...]]


@dataclass(frozen=True, kw_only=True)
class HeatMap(_OnScale):
    """Values over [row][column] as shaded cells, or None."""

    row_label: str
    column_label: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    values: tuple[tuple[float | None, ...], ...]


@dataclass(frozen=True, kw_only=True)
class Scatter(_Figure):
    """One point for each system over two measures.

    points  system -> (value on x, value on y)
    x, y    (low, high) ends of the scales
    """

    x_label: str
    y_label: str
    points: Mapping[str, tuple[float, float]]
    x: tuple[float, float] = (0.0, 1.0)
    y: tuple[float, float] = (0.0, 1.0)


Figure: TypeAlias = Curve | Bars | Radar | HeatMap | Scatter
