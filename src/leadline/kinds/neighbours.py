"""Neighbours: whether conditions bring their document before the real ones near it.

Asked in place of conditions of a search that cannot be given edited documents.
"""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Mapping, Sequence

from leadline.benchmark import Benchmark
from leadline.kinds.kind import Kind, Probe
from leadline.kinds.uniqueness import MOST, Case, find_matches
from leadline.metrics.ranking import MRR, NDCG, Precision, Recall
from leadline.report import Report
from leadline.report.figures import bars_by_facet
from leadline.report.shapes import Figure
from leadline.text.tokens import content_tokens, tokens
from leadline.types import Corpus, Query


def _figures(benchmark: str, reports: Sequence[Report]) -> list[Figure]:
    bars = bars_by_facet("MRR@10", "k", benchmark, reports)
    return [] if bars is None else [bars]


KIND = Kind(
    name="neighbours",
    question="Do all conditions together bring their document before the real ones near it?",
    metrics=(Precision(1), MRR(10), NDCG(10), Recall(100)),
    main=("P@1", "MRR@10", "nDCG@10"),
    breakdowns=("P@1[k]", "MRR@10[k]"),
    strict=True,
    figures=_figures,
    probe=Probe(
        "leadline.kinds.neighbours:build",
        "the document that meets all conditions must come before the real ones near it. Asked in "
        "place of conditions where a search cannot be given edited documents.",
        by_default=False,
        caution="only the document that a query was made of counts as right. Others may meet all "
        "conditions in other words, so figures are lower bounds. Whether a broken condition is "
        "noticed is not measured",
    ),
)

_OF_EDITS = ("edit", "at", "position", "before", "after")
"""Facets of a query about an edit, which nothing here has."""


def build(corpus: Corpus, *, seed: int = 0, limit: int = 200, source: str = "") -> Benchmark:
    """Return the probe of a corpus; see `of_real_documents`. Options as for conditions."""
    from leadline.kinds.conditions import by_rules

    made = by_rules.build(corpus, seed=seed, limit=limit, source=source)
    return of_real_documents(made, corpus)


def of_real_documents(conditions: Benchmark, corpus: Corpus) -> Benchmark:
    """Return the queries of a probe of conditions, to be searched among the corpus itself.

    A query of the first k conditions has the document that they were taken from as the relevant
    one. The others are unlabelled: it is dropped where another document holds (nearly) all words
    of all k, so that each of those left lacks words of one condition at least.
    """
    asked = [query for query in conditions.queries if query.facets.get("style") == "list"]
    matches = _matches(asked, conditions, corpus)
    kept, dropped = [], Counter[str]()
    for query in asked:
        found = (matches[query.topic, each] for each in range(1, int(query.facets["k"]) + 1))
        others = [set(each) for each in found if len(each) < MOST]  # more than these may match
        if others and not set.intersection(*others):
            facets = {name: value for name, value in query.facets.items() if name not in _OF_EDITS}
            kept.append(dataclasses.replace(query, facets=facets))
        else:
            dropped["another document holds the words of all its conditions"] += 1
    return Benchmark(
        name=KIND.name,
        corpus=corpus,
        queries=kept,
        qrels={query.id: {query.topic: 1} for query in kept},
        source=conditions.source,
        built_by="rules",
        **KIND.measured(),
        built={
            "builder": __name__,
            "kept": len({query.topic for query in kept}),
            "dropped": dict(dropped) or dict(conditions.built.get("dropped", {})),
        },
    )


def _matches(
    asked: Sequence[Query], conditions: Benchmark, corpus: Corpus
) -> Mapping[tuple[str, int], list[str]]:
    """Return the other documents that hold the words of a topic's k-th condition."""
    cases = [
        Case(
            tuple(word for word in content_tokens(each.facets["condition"]) if word != "text"),
            each.topic,
        )
        for each in asked
    ]
    known = (set(tokens(each.content)) for each in conditions.corpus.values())
    frequency = Counter(word for words in known for word in words)
    found = find_matches(cases, corpus, frequency)
    return {
        (each.topic, int(each.facets["k"])): found.get(place, [])
        for place, each in enumerate(asked)
    }
