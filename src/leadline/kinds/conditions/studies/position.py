"""How similar a document is to a query, by where in it the one sentence stands that answers it.

Source: Lu et al., MultiConIR (one condition at each of ten places, filler at the others).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import exp
from statistics import fmean
from typing import Any

import numpy as np

from leadline.errors import InputError
from leadline.models.encoder import Embedder, embed
from leadline.report import interval_over
from leadline.report.shapes import Curve, HeatMap, Mean
from leadline.types import Reads

FILLER = "[unused0]"
MOST = 10
"""How often the filler stands at a place. Source: Lu et al., MultiConIR."""


@dataclass(frozen=True)
class Condition:
    """A sentence that is moved through a document, and what a searcher asks for it.

    source  what sentences of one document share; intervals resample these
    """

    query: str
    sentence: str
    source: str


@dataclass(frozen=True)
class PositionStudy:
    """What one encoder does.

    repeat        how often the filler stands at each of the other places
    similarities  [condition][place], cosines; None where the encoder does not read so far
    sources       of each condition
    """

    system: str
    repeat: int
    similarities: tuple[tuple[float | None, ...], ...]
    sources: tuple[str, ...]
    settings: dict[str, Any] = field(default_factory=dict)
    seed: int = 0

    def curve(self, *, smooth: bool = True) -> list[Mean | None]:
        """Return the mean at each place; None where no condition was read."""
        rows = [smoothed(row) if smooth else row for row in self.similarities]
        return [self._interval(column) for column in zip(*rows, strict=True)]

    def _interval(self, column: Sequence[float | None]) -> Mean | None:
        values = [value for value in column if value is not None]
        clusters = [self.sources[n] for n, value in enumerate(column) if value is not None]
        return interval_over(values, self.seed, (-1.0, 1.0), clusters) if values else None

    def as_json(self) -> dict[str, Any]:
        """Return what a file tells of it."""
        smooth, raw = self.curve(), self.curve(smooth=False)
        return {
            "system": self.system,
            "settings": self.settings,
            "filler repeated": self.repeat,
            "positions": [
                {
                    "position": place,
                    "similarity": each and each.mean,
                    "smoothed": even and even.mean,
                    "low": None if even is None or even.few else even.low,
                    "high": None if even is None or even.few else even.high,
                    "n": each.n if each else 0,
                    "not read": len(self.sources) - (each.n if each else 0),
                }
                for place, (each, even) in enumerate(zip(raw, smooth, strict=True), 1)
            ],
        }


def study_position(
    name: str,
    encoder: Embedder,
    conditions: Sequence[Condition],
    *,
    places: int = 10,
    filler: str = FILLER,
    repeat: int | None = None,
    seed: int = 0,
) -> PositionStudy:
    """Move each condition through all places and compare the documents with its query.

    filler  what stands at the other places
    repeat  how often it stands there; None for as often as the encoder can read, at most `MOST`

    Raises InputError when there is nothing to move, or not one filler fits.
    """
    if not conditions:
        raise InputError("There is no condition to move.")
    times = repeat or _fitting(name, encoder, conditions, places, filler)
    queries = _units(embed(encoder, [each.query for each in conditions], "query"))
    rows = []
    for condition, query in zip(conditions, queries, strict=True):
        texts = [moved(condition.sentence, place, places, filler, times) for place in range(places)]
        cosines = (_units(embed(encoder, texts, "document")) @ query).tolist()
        ends = [_up_to(condition.sentence, place, filler, times) for place in range(places)]
        whole = _whole(encoder, ends)
        rows.append(tuple(c if read else None for c, read in zip(cosines, whole, strict=True)))
    sources = tuple(each.source for each in conditions)
    return PositionStudy(name, times, tuple(rows), sources, dict(encoder.settings), seed)


def moved(sentence: str, place: int, places: int, filler: str, times: int) -> str:
    """Return a document with the sentence at a place, from 0, and filler at all others."""
    behind = [filler] * (times * (places - 1 - place))
    return " ".join([_up_to(sentence, place, filler, times), *behind])


def _up_to(sentence: str, place: int, filler: str, times: int) -> str:
    return " ".join([*[filler] * (times * place), sentence])


def figures(studies: Sequence[PositionStudy]) -> list[Curve | HeatMap]:
    """Return the smoothed curves, and how far each place is from the mean of its system."""
    places = len(studies[0].similarities[0])
    curves = {study.system: tuple(study.curve()) for study in studies}
    differences = {name: _against_mean(curve) for name, curve in curves.items()}
    most = max((abs(v) for row in differences.values() for v in row if v is not None), default=0.0)
    return [
        Curve(
            title="Similarity by the position of the condition",
            x_label="position of the condition",
            y_label="cosine of query and document, smoothed by a Gaussian kernel of width 1",
            x=tuple(range(1, places + 1)),
            lines=curves,
            note="A missing point: the encoder cuts the document before the condition ends.",
        ),
        HeatMap(
            title="Similarity against the system's own mean over positions",
            row_label="system",
            column_label="position of the condition",
            rows=tuple(differences),
            columns=tuple(str(place) for place in range(1, places + 1)),
            values=tuple(differences.values()),
            low=-most,
            high=most,
        ),
    ]


def _against_mean(curve: Sequence[Mean | None]) -> tuple[float | None, ...]:
    mean = fmean([each.mean for each in curve if each] or [0.0])
    return tuple(each.mean - mean if each else None for each in curve)


def _fitting(
    name: str, encoder: Embedder, conditions: Sequence[Condition], places: int, filler: str
) -> int:
    """Return how often the filler may stand at a place for nothing to be cut."""
    for times in range(MOST, 0, -1):
        last = [_up_to(each.sentence, places - 1, filler, times) for each in conditions]
        if all(_whole(encoder, last)):
            return times
    raise InputError(
        f"{name} reads too little for {places} places with the filler {filler!r}; give fewer "
        "places or a shorter filler."
    )


def _whole(encoder: Embedder, texts: Sequence[str]) -> list[bool]:
    """Say of each document whether it is read to its end; an encoder that cannot tell reads all."""
    read = encoder.read([""] * len(texts), texts) if isinstance(encoder, Reads) else None
    return [True] * len(texts) if read is None else [not each.cut for each in read]


def _units(vectors: Any) -> Any:
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return vectors / np.maximum(lengths, np.finfo(np.float32).tiny)


def smoothed(values: Sequence[float | None], width: float = 1.0) -> list[float | None]:
    """Return each value as the mean of all, weighted by a Gaussian kernel of their distance.

    width  standard deviation of the kernel, in places

    What is missing stays missing and weighs nothing, and so does what lies beyond the ends.
    """
    known = [(place, value) for place, value in enumerate(values) if value is not None]
    found: list[float | None] = [None] * len(values)
    for place, _ in known:
        weights = [exp(-0.5 * ((place - other) / width) ** 2) for other, _ in known]
        total = sum(weight * each for weight, (_, each) in zip(weights, known, strict=True))
        found[place] = total / sum(weights)
    return found
