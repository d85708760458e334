"""What padding does to a system: the same ladders of conditions in longer and longer documents.

Source: Lu et al., MultiConIR (length study, 512 and 1024 words).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from leadline.analysis.narrowing import narrowed
from leadline.benchmark import Benchmark
from leadline.errors import InputError
from leadline.metrics.pairs import Adjacent
from leadline.metrics.significance import SHARE, Bounds
from leadline.progress import warn
from leadline.report import Report, interval_over
from leadline.report.evidence import Curve, Interval
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
    adjacent: Mapping[int, Interval]
    similarity: Mapping[int, Interval]
    unread: Mapping[int, Interval]

    def as_json(self) -> dict[str, Any]:
        """Return what a file tells of it."""
        return {
            "system": self.system,
            "lengths": [
                {
                    "words": words,
                    "Adjacent": dataclasses.asdict(value),
                    "similarity": dataclasses.asdict(self.similarity[words])
                    if words in self.similarity
                    else None,
                    "unread": dataclasses.asdict(self.unread[words])
                    if words in self.unread
                    else None,
                }
                for words, value in self.adjacent.items()
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
    return narrowed(benchmark, queries, [Adjacent(style=style)])


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
            narrowed(
                each, [q for q in each.queries if (_domain(each), q.text) in common], each.metrics
            )
            for each in parts
        ]
        found[words] = [each for each in narrow if each.queries]
    return found


def _domain(benchmark: Benchmark) -> str:
    return benchmark.name.rpartition("/")[2]


def study_length(
    system: str,
    by_words: Mapping[int, Sequence[tuple[Benchmark, Report]]],
    *,
    similar: bool,
    reader: Reads | None = None,
    seed: int = 0,
) -> LengthStudy:
    """Return how a system fares by length; all domains pooled, a ladder is a unit.

    by_words  words -> each benchmark of `only_ladders` with the system's report on it
    similar   whether its scores are similarities
    reader    tells what the system reads of documents
    """
    adjacent = {words: _adjacent(parts, seed) for words, parts in by_words.items()}
    scores = {words: _of_whole(parts, seed) for words, parts in by_words.items()} if similar else {}
    unread = {
        words: _interval(shares, seed, SHARE)
        for words, parts in by_words.items()
        if reader and (shares := [each for b, _ in parts for each in unread_shares(b, reader)])
    }
    return LengthStudy(system, adjacent, scores, unread)


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
    """Return the curves of both measures; similarity only where some system has it."""
    places = tuple(sorted(studies[0].adjacent))
    drawn = [
        Curve(
            title="Adjacent win rate by length",
            x_label="words of a document (0: as it is)",
            y_label="share of neighbours on the ladder in the right order",
            x=places,
            lines={each.system: tuple(map(each.adjacent.get, places)) for each in studies},
            chance=0.5,
        )
    ]
    if any(value.mean for each in studies for value in each.unread.values()):
        drawn.append(
            Curve(
                title="Unread by length",
                x_label="words of a document (0: as it is)",
                y_label="share of neighbours that differ behind the cut",
                x=places,
                lines={each.system: tuple(map(each.unread.get, places)) for each in studies},
                note="Such neighbours tie, and a tie is lost: no judgement of the system's.",
            )
        )
    similar = [each for each in studies if each.similarity]
    if similar:
        drawn.append(
            Curve(
                title="Similarity by length",
                x_label="words of a document (0: as it is)",
                y_label="score of the document that meets all conditions",
                x=places,
                lines={each.system: tuple(map(each.similarity.get, places)) for each in similar},
                note="Padding says nothing about the query; a similarity that falls was diluted, "
                "or what answers stands behind the cut.",
            )
        )
    return drawn


def _adjacent(parts: Sequence[tuple[Benchmark, Report]], seed: int) -> Interval:
    values = [
        value for _, report in parts for each in report.scores.values() for value in each.values()
    ]
    return _interval(values, seed, SHARE)


def _of_whole(parts: Sequence[tuple[Benchmark, Report]], seed: int) -> Interval:
    return _interval(
        [
            report.run[query.id][query.facets["document"]]
            for benchmark, report in parts
            for query in benchmark.queries
            if query.id in report.run
        ],
        seed,
        (None, None),
    )


def _interval(values: Sequence[float], seed: int, bounds: Bounds) -> Interval:
    if not values:
        raise InputError("No ladder of two conditions or more is there to be compared.")
    return interval_over(values, seed, bounds)
