"""What a report shows as evidence: documents, failing cases, figures. Nouns only."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from textwrap import shorten
from typing import TypeAlias

from leadline.metrics.significance import FEWEST


@dataclass(frozen=True)
class Passage:
    """A document as evidence.

    text    any length; the page cuts it around what differs
    rank    place in the system's result, from 1; None when it was not retrieved
    score   what the system gave it; None when it gave none
    before  place in the result of the stage before one that reasoned about it
    trace   the reasoning, cut to what is shown
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

    title  its title, or how its text begins
    moved  what became of it in the other list: `stays`, `to 4`, `from 3`, `new`, `gone`
    """

    id: str
    title: str
    moved: str


@dataclass(frozen=True, repr=False)
class Case:
    """One failure of one system on one probe, with its evidence.

    headline        one sentence: what went wrong
    query           what the system was asked
    expected        what it should have put first
    retrieved       what it put first instead
    compared        the other form of the query, where two forms are compared
    compared_label  what kind of form that is, for example `typo`
    facts           where the case came from: source document, span, edit, ...
    rankings        label -> the first documents under it, where two lists are compared
    badness         how bad it is; larger is worse, comparable within a probe
    causes          name of each cause that was found -> what shows it
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
    """A mean over units with its 95 % interval: see `significance.interval_of_mean`.

    n         units with a value; 0 where that is unknown
    left_out  units for which the metric is undefined
    """

    mean: float
    low: float
    high: float
    n: int = 0
    left_out: int = 0

    @property
    def few(self) -> bool:
        """Whether it is of too few units to have an interval."""
        return 0 < self.n < FEWEST

    @property
    def drawn(self) -> tuple[float, float]:
        """The bounds as a figure draws them: none where there are too few units."""
        return (self.mean, self.mean) if self.few else (self.low, self.high)

    def __float__(self) -> float:
        return self.mean

    def __str__(self) -> str:
        """Return mean, interval and n in one line; no interval of too few units."""
        between = f"{self.low:.3f} to {self.high:.3f}, n {self.n}"
        return f"{self.mean:.3f} ({f'n {self.n}, too few' if self.n < FEWEST else between})"


@dataclass(frozen=True, kw_only=True)
class _Figure:
    """What all figures have.

    probe  the benchmark it belongs to; empty for a figure about none in particular
    """

    title: str
    note: str = ""
    probe: str = ""


@dataclass(frozen=True, kw_only=True)
class _OnScale(_Figure):
    """A figure on one scale.

    low, high  ends of the scale; of a heat map the lightest and the darkest shade
    """

    low: float = 0.0
    high: float = 1.0


@dataclass(frozen=True, kw_only=True)
class Curve(_Figure):
    """A line for each system over the same places on the x axis.

    x       ascending places
    lines   system -> one mean for each place, None where there is no value
    chance  what a coin would score, drawn as a line of its own; None for no such line
    """

    x_label: str
    y_label: str
    x: tuple[int, ...]
    lines: Mapping[str, tuple[Mean | None, ...]]
    chance: float | None = None


@dataclass(frozen=True, kw_only=True)
class Bars(_OnScale):
    """Means side by side: a group for each slice, in it a bar for each system.

    groups  slice -> system -> mean, None where there is no value
    chance  what a coin would score; None for no such line
    """

    value_label: str
    groups: Mapping[str, Mapping[str, Mean | None]]
    chance: float | None = None


@dataclass(frozen=True, kw_only=True)
class Radar(_OnScale):
    """A closed line for each system over three axes or more; lines as in `Curve`, by axis."""

    value_label: str
    axes: tuple[str, ...]
    lines: Mapping[str, tuple[Mean | None, ...]]


@dataclass(frozen=True, kw_only=True)
class HeatMap(_OnScale):
    """Values over [row][column] as shaded cells; None where there is no value."""

    row_label: str
    column_label: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    values: tuple[tuple[float | None, ...], ...]


@dataclass(frozen=True, kw_only=True)
class Scatter(_Figure):
    """One point for each system, over two measures.

    points  system -> (value on x, value on y)
    x, y    (low, high) ends of the scales
    """

    x_label: str
    y_label: str
    points: Mapping[str, tuple[float, float]]
    x: tuple[float, float] = (0.0, 1.0)
    y: tuple[float, float] = (0.0, 1.0)


Figure: TypeAlias = Curve | Bars | Radar | HeatMap | Scatter
