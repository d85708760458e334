"""What padding does to a system: the same ladders of conditions in longer and longer documents.

Source: Lu et al., MultiConIR (length study, 512 and 1024 words).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from leadline.benchmark import Benchmark
from leadline.errors import InputError
from leadline.metrics.pairs import Adjacent
from leadline.metrics.significance import SHARE, Bounds
from leadline.models.encoder import Embedder
from leadline.progress import warn
from leadline.report import Report, interval_over
from leadline.report.shapes import Curve, Mean
from leadline.system import System
from leadline.types import Reads


@dataclass(frozen=True)
class LengthStudy:
    """One system, by words of a document; 0 stands for documents as they are.

    adjacent    words -> share of neighbours on the ladder that stand in the right order
    similarity  words -> score of the document that meets all conditions; empty for a system whose
                scores are no similarities
    unread      words -> share of neighbours that are the same to the system, since what differs
                stands behind its cut; empty where nothing is known of what it reads
    """

    system: str
    adjacent: dict[int, Mean]
    similarity: dict[int, Mean]
    unread: dict[int, Mean]

    def as_json(self) -> dict[str, Any]:
        """Return what a file tells of it."""

        def told(values: Mapping[int, Mean], words: int) -> dict[str, Any] | None:
            return dataclasses.asdict(values[words]) if words in values else None

        return {
            "system": self.system,
            "lengths": [
                {
                    "words": words,
                    "Adjacent": told(self.adjacent, words),
                    "similarity": told(self.similarity, words),
                    "unread": told(self.unread, words),
                }
                for words in self.adjacent
            ],
        }


def only_ladders(benchmark: Benchmark, style: str) -> Benchmark:
    """Return the queries with all conditions, in one style, and the metric of their ladders.

    Raises InputError when there is none.
    """
    queries = [
        each
        for each in benchmark.queries
        if each.facets.get("style") == style
        and each.facets.get("k") == each.facets.get("n")
        and each.facets.get("task") != "1"
    ]
    if not queries:
        raise InputError(f"{benchmark.name!r} has no query with all conditions in style {style!r}.")
    metrics = [Adjacent(style=style)]
    return dataclasses.replace(benchmark.only(queries), metrics=metrics, breakdowns=())


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
        raise InputError("No ladder is there at every length.")
    if len(common) < len(every):
        warn(f"Compared: {len(common):,} ladders of {len(every):,}. The others lack a length.")
    found: dict[int, list[Benchmark]] = {}
    for words, parts in by_words.items():
        narrow = [
            each.only([q for q in each.queries if (_domain(each), q.text) in common])
            for each in parts
        ]
        found[words] = [each for each in narrow if each.queries]
    return found


def _domain(benchmark: Benchmark) -> str:
    return benchmark.name.rpartition("/")[2]


def study_length(
    system: System,
    by_words: Mapping[int, Sequence[tuple[Benchmark, Report]]],
    *,
    seed: int = 0,
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
        same = [a.document == b.document for a, b in pairwise(read)]
        shares.append(sum(same) / len(same))
    return shares


def figures(studies: Sequence[LengthStudy]) -> list[Curve]:
    """Return the curves of the measures, each only where some system has it."""
    places = tuple(sorted(studies[0].adjacent))

    def curve(title: str, y_label: str, values: str, **more: Any) -> Curve:
        lines = {
            each.system: tuple(map(getattr(each, values).get, places))
            for each in studies
            if getattr(each, values)
        }
        x_label = "words of a document (0: as it is)"
        return Curve(
            title=f"{title} by length",
            x_label=x_label,
            y_label=y_label,
            x=places,
            lines=lines,
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


def _interval(values: Sequence[float], seed: int, bounds: Bounds) -> Mean:
    if not values:
        raise InputError("No ladder of two conditions or more is there to be compared.")
    return interval_over(values, seed, bounds)
