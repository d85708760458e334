"""Which cases a system could see at all: what its last stage reads of both documents and the query.

A case is a query of a ladder of conditions: the document that meets all k against the one that
misses one, or against a control. It is unseen when both are the same to the system (the edit
stands behind its cut, or in words that it drops), or when the query is cut before its end.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict

from leadline.benchmark import Benchmark
from leadline.kinds.conditions.causes import causes_of
from leadline.kinds.conditions.metrics import SEEN, YES, cases, pair_of
from leadline.kinds.kind import Examined, what_reasoning_changed
from leadline.system import Ranking, System
from leadline.text.letters import WORD
from leadline.types import Corpus, Qrels, Query, Reading, Reads

_WORD = re.compile(WORD)


def examine(benchmark: Benchmark, ranking: Ranking, system: System) -> Examined:
    """Mark the cases that the system could not see, and count why it fails."""
    queries = marked(benchmark.queries, benchmark.qrels, benchmark.corpus, system)
    causes = causes_of(cases(queries, benchmark.qrels, ranking.run))
    found = what_reasoning_changed(benchmark, ranking, system)
    return Examined(
        dataclasses.replace(benchmark, queries=queries),
        {**({"causes": [asdict(each) for each in causes]} if causes else {}), **found.examined},
        {each.id: each.facets[SEEN] for each in queries if each.facets.get(SEEN, YES) != YES},
    )


def marked(
    queries: Sequence[Query], qrels: Qrels, corpus: Corpus, system: Reads
) -> Sequence[Query]:
    """Return the queries, those that compare two documents with the facet `seen`.

    Unchanged where nothing is known of what the system reads, or nothing is compared.
    """
    pairs = {query.id: pair for query in queries if (pair := pair_of(query, qrels))}
    compared = [query for query in queries if query.id in pairs]
    if not compared:
        return queries
    asked = [query.content for query in compared for _ in range(2)]
    texts = [corpus[id].content for query in compared for id in pairs[query.id]]
    readings = system.read(asked, texts)
    if readings is None:
        return queries
    seen = {
        query.id: _verdict(query, one, other, system)
        for query, one, other in zip(compared, readings[::2], readings[1::2], strict=True)
    }
    return [
        dataclasses.replace(query, facets={**query.facets, SEEN: seen[query.id]})
        if query.id in seen
        else query
        for query in queries
    ]


def _verdict(query: Query, one: Reading, other: Reading, system: Reads) -> str:
    if one.query_cut:
        return f"query {one.query_cut}"
    if one.document != other.document:
        return YES
    if one.cut and other.cut:
        return one.cut
    return _dropped(query.facets, system)


def _dropped(facets: Mapping[str, str], system: Reads) -> str:
    """Say what kind of words an edit consists of that make no difference."""
    before, after = _WORD.findall(facets["before"]), _WORD.findall(facets["after"])
    words = sorted({*before} ^ {*after}, key=lambda word: -len(word))
    nothing = system.read([""], [""])
    for word in words:
        alone = system.read([""], [word])
        if alone is not None and nothing is not None and alone[0].document != nothing[0].document:
            continue
        return f"stop word: {word.lower()}" if len(word) > 1 else "one-letter word"
    return "same words in another order or form"
