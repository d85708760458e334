"""Studies on ladders of conditions: the length of documents, and positions.

Source: Lu et al., MultiConIR (512 and 1024 words; one condition at each of ten places, filler at
the others).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from itertools import pairwise
from math import exp
from statistics import fmean
from typing import Any

import numpy as np

from leadline.benchmark import Benchmark
from leadline.errors import InputError
from leadline.kinds.conditions.ladders import whole_ladders
from leadline.metrics.pairs import Adjacent
from leadline.metrics.significance import SHARE, Bounds
from leadline.models.encoder import Embedder, Side, embed
from leadline.progress import warn
from leadline.report import Report, interval_over
from leadline.report.shapes import Curve, HeatMap, Mean
from leadline.system import System
from leadline.types import Reads


@dataclass(frozen=True)
class LengthStudy:
    """One system, by words of a document; 0 stands for documents as they are.

    adjacent    words -> share of neighbours on the ladder that stand in the right order
    similarity  words -> score of the document that meets all conditions; empty for a system whose
                scores are no similarities
    unread      words -> share of neighbours that are the same to the system, since what differs
                stands after its cut; empty where nothing is known of what it reads
    """

    system: str
    adjacent: dict[int, Mean]
    similarity: dict[int, Mean]
    unread: dict[int, Mean]

    def as_json(self) -> dict[str, Any]:
        """Return what a file reports of it."""
        measures = {
            "Adjacent": self.adjacent, "similarity": self.similarity, "unread": self.unread,
        }  # fmt: skip
        return {
            "system": self.system,
            "lengths": [
                {"words": words}
                | {
                    name: asdict(values[words]) if words in values else None
                    for name, values in measures.items()
                }
                for words in self.adjacent
            ],
        }


def only_ladders(benchmark: Benchmark, style: str) -> Benchmark:
    """Return the queries with all conditions, in one style, and the metric of their ladders.

    Raises InputError when there is none.
    """
    queries = [each for each in whole_ladders(benchmark) if each.facets.get("style") == style]
    if not queries:
        raise InputError(
            f"{benchmark.name!r} has no query with all conditions in the style {style!r}."
        )
    return replace(benchmark.only(queries), metrics=[Adjacent(style=style)], breakdowns=())


def in_common(by_words: Mapping[int, Sequence[Benchmark]]) -> dict[int, list[Benchmark]]:
    """Return the ladders that are there at every length: others would change what is compared.

    by_words  words -> each benchmark of `only_ladders`; ladders go by domain and query

    Raises InputError when there is none.
    """
    asked = [
        {(_domain(each), query.text) for each in parts for query in each.queries}
        for parts in by_words.values()
    ]
    common, every = set.intersection(*asked), set.union(*asked)
    if not common:
        raise InputError("No ladder exists at every length.")
    if len(common) < len(every):
        warn(f"Compared: {len(common):,} ladders of {len(every):,}. The others lack a length.")
    narrow = {
        words: [each.only([q for q in each.queries if (_domain(each), q.text) in common])
                for each in parts]
        for words, parts in by_words.items()
    }  # fmt: skip
    return {words: [each for each in parts if each.queries] for words, parts in narrow.items()}


def _domain(benchmark: Benchmark) -> str:
    return benchmark.name.rpartition("/")[2]


def study_length(
    system: System, by_words: Mapping[int, Sequence[tuple[Benchmark, Report]]], *, seed: int = 0
) -> LengthStudy:
    """Return how a system fares by length; all domains pooled, a ladder is a unit.

    by_words  words -> each benchmark of `only_ladders`, and the system's report on it
    """
    encoder: object = system.retriever
    similar = isinstance(encoder, Embedder) and not system.rerankers
    study = LengthStudy(system.name, {}, {}, {})
    for words, parts in by_words.items():
        ordered = [value for _, report in parts for each in report.scores.values()
                   for value in each.values()]  # fmt: skip
        study.adjacent[words] = _interval(ordered, seed, SHARE)
        if similar:
            wholes = [
                report.run[query.id][query.facets["document"]]
                for part, report in parts
                for query in part.queries
                if query.id in report.run
            ]
            study.similarity[words] = _interval(wholes, seed, (None, None))
        if unread := [share for each, _ in parts for share in unread_shares(each, system)]:
            study.unread[words] = _interval(unread, seed, SHARE)
    return study


def _interval(values: Sequence[float], seed: int, bounds: Bounds) -> Mean:
    if not values:
        raise InputError("The comparison needs a ladder with at least two conditions.")
    return interval_over(values, seed, bounds)


def unread_shares(benchmark: Benchmark, reader: Reads) -> list[float]:
    """Return for each ladder the share of neighbours that are the same to a system.

    Empty where nothing is known of what the system reads.
    """
    shares = []
    for query in benchmark.queries:
        grades = benchmark.qrels[query.id]
        steps = [benchmark.corpus[id].content for id in sorted(grades, key=lambda id: grades[id])]
        read = reader.read([query.content] * len(steps), steps)
        if read is None:
            return []
        shares.append(fmean(a.document == b.document for a, b in pairwise(read)))
    return shares


def length_figures(studies: Sequence[LengthStudy]) -> list[Curve]:
    """Return the curves of the measures, each only where some system has it."""
    places = tuple(sorted(studies[0].adjacent))

    def curve(title: str, y_label: str, values: str, **more: Any) -> Curve:
        return Curve(
            title=f"{title} by length",
            x_label="words of a document (0: as it is)",
            y_label=y_label,
            x=places,
            lines={
                each.system: tuple(map(getattr(each, values).get, places))
                for each in studies
                if getattr(each, values)
            },
            **more,
        )

    drawn = [
        curve("Adjacent win rate", "share of neighbours on the ladder in the right order",
              "adjacent", chance=0.5)
    ]  # fmt: skip
    if any(value.mean for each in studies for value in each.unread.values()):
        note = "Such neighbours tie, and a tie is lost: no judgement of the system's."
        drawn.append(
            curve("Unread", "share of neighbours that differ behind the cut", "unread", note=note)
        )
    if any(each.similarity for each in studies):
        note = (
            "Padding says nothing about the query; a similarity that falls was diluted, or what "
            "answers stands behind the cut."
        )
        drawn.append(
            curve("Similarity", "score of the document that meets all conditions", "similarity",
                  note=note)
        )  # fmt: skip
    return drawn


FILLER = "[unused0]"
MOST = 10
"""How often the filler stands at a place. Source: Lu et al., MultiConIR."""


@dataclass(frozen=True)
class Condition:
    """What a searcher asks for, and what meets it; one of the two is moved among filler.

    source  what conditions of one document share; intervals resample these
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
        """Return what a file reports of it."""
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
    move: Side = "document",
    seed: int = 0,
) -> PositionStudy:
    """Move each condition through all places of one text and compare it with the other.

    move    `document` moves what meets the condition; `query` moves what is asked for, as the paper
            does (section 5.2)
    filler  what stands at the other places
    repeat  how often it stands there; None for as often as the encoder can read, at most `MOST`

    Raises InputError when there is nothing to move, or not one filler fits.
    """
    if not conditions:
        raise InputError("Found no condition to move.")
    queries, sentences = [c.query for c in conditions], [c.sentence for c in conditions]
    still: Side = "document" if move == "query" else "query"
    moving, others = (queries, sentences) if move == "query" else (sentences, queries)
    times = repeat or _fitting(name, encoder, moving, places, filler, move)
    rows = []
    for sentence, other in zip(moving, _units(embed(encoder, others, still)), strict=True):
        texts = [moved(sentence, place, places, filler, times) for place in range(places)]
        cosines = (_units(embed(encoder, texts, move)) @ other).tolist()
        ends = [_up_to(sentence, place, filler, times) for place in range(places)]
        whole = _whole(encoder, ends, move)
        rows.append(tuple(c if read else None for c, read in zip(cosines, whole, strict=True)))
    sources = tuple(each.source for each in conditions)
    return PositionStudy(name, times, tuple(rows), sources, dict(encoder.settings), seed)


def moved(sentence: str, place: int, places: int, filler: str, times: int) -> str:
    """Return a text with the sentence at a place, from 0, and filler at all others."""
    behind = [filler] * (times * (places - 1 - place))
    return " ".join([_up_to(sentence, place, filler, times), *behind])


def _up_to(sentence: str, place: int, filler: str, times: int) -> str:
    return " ".join([*[filler] * (times * place), sentence])


def position_figures(studies: Sequence[PositionStudy]) -> list[Curve | HeatMap]:
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
            note="A missing point: the encoder cuts the text before the condition ends.",
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
    name: str, encoder: Embedder, moving: Sequence[str], places: int, filler: str, side: Side
) -> int:
    """Return how often the filler may stand at a place for nothing to be cut."""
    for times in range(MOST, 0, -1):
        last = [_up_to(each, places - 1, filler, times) for each in moving]
        if all(_whole(encoder, last, side)):
            return times
    raise InputError(
        f"{name} cannot read {places} places with the filler {filler!r}. Use fewer places or a "
        "shorter filler."
    )


def _whole(encoder: Embedder, texts: Sequence[str], side: Side) -> list[bool]:
    """Say of each text whether it is read to its end; an encoder that cannot tell reads all."""
    none = [""] * len(texts)
    pair = (texts, none) if side == "query" else (none, texts)
    read = encoder.read(*pair) if isinstance(encoder, Reads) else None
    if read is None:
        return [True] * len(texts)
    return [not (each.query_cut if side == "query" else each.cut) for each in read]


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
