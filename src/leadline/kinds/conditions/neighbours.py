"""Conditions of a document against real documents near it: for a search that takes no others."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Mapping, Sequence

from leadline.benchmark import Benchmark
from leadline.kinds.conditions import by_rules
from leadline.kinds.neighbours import KIND
from leadline.kinds.uniqueness import MOST, Case, find_matches
from leadline.text.tokens import content_tokens, tokens
from leadline.types import Corpus, Query

_OF_EDITS = ("edit", "at", "position", "before", "after")
"""Facets of a query about an edit, which nothing here has."""


def build(corpus: Corpus, *, seed: int = 0, limit: int = 200, source: str = "") -> Benchmark:
    """Return the probe of a corpus; see `of_real_documents`. Options as for `by_rules.build`."""
    made = by_rules.build(corpus, seed=seed, limit=limit, source=source)
    return of_real_documents(made, corpus)


def of_real_documents(conditions: Benchmark, corpus: Corpus) -> Benchmark:
    """Return the queries of a probe of conditions, to be searched among the corpus itself.

    conditions  as `by_rules.build` makes it of the corpus

    A query of the first k conditions has the document that they were taken from as the relevant
    one. The others are unlabelled: it is dropped where another document holds (nearly) all words
    of all k, so that each of those left lacks words of one condition at least.
    """
    asked = [query for query in conditions.queries if query.facets.get("style") == "list"]
    matches = _matches(asked, conditions, corpus)
    kept, dropped = [], Counter[str]()
    for query in asked:
        k = int(query.facets["k"])
        others = [
            set(matches[query.topic, each])
            for each in range(1, k + 1)
            if len(matches[query.topic, each]) < MOST  # more than these may match
        ]
        if others and not set.intersection(*others):
            kept.append(_without_edit(query))
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
            "builder": "leadline.kinds.conditions.neighbours",
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


def _without_edit(query: Query) -> Query:
    facets = {name: value for name, value in query.facets.items() if name not in _OF_EDITS}
    return dataclasses.replace(query, facets=facets)
