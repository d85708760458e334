"""Which cases a system could see at all: what its last stage reads of both documents and the query.

A case is a query of a ladder of conditions: the document that meets all k against the one that
misses one, or against a control. It is unseen when both are the same to the system (the edit
stands behind its cut, or in words that it drops), or when the query is cut before its end.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping, Sequence

from leadline.text.letters import WORD
from leadline.types import Corpus, Qrels, Query, Reading, Reads

CONTROL = "control"
SEEN = "seen"
"""Facet of a marked query: `yes`, or why the system could not see its case."""

YES = "yes"
_STATES_CONDITION = frozenset({"k", "style", "document", "before", "after"})
_WORD = re.compile(WORD)


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


def pair_of(query: Query, qrels: Qrels) -> tuple[str, str] | None:
    """Return the document that meets all conditions of a query, and the one it is compared with.

    None for a query that compares no two documents.
    """
    facets = query.facets
    if not facets.keys() >= _STATES_CONDITION:
        return None
    k, source, grades = int(facets["k"]), facets["document"], qrels.get(query.id, {})
    wanted = k if facets["style"] == CONTROL else k - 1
    others = [id for id, grade in grades.items() if grade == wanted and id != source]
    return (source, others[0]) if source in grades and len(others) == 1 else None


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
