"""Documents that meet some of a source's conditions, and the queries they are ranked for."""

from __future__ import annotations

import json
import random
from collections.abc import Container, Sequence
from dataclasses import dataclass

from leadline.synthesis.conditions.choice import Condition
from leadline.synthesis.conditions.wording import as_list, as_prose
from leadline.synthesis.perturb import apply_edits
from leadline.synthesis.pools import Pools
from leadline.types import Document, Query

STYLES = ("list", "prose")


@dataclass(frozen=True)
class Ladder:
    """A source document with its variants, queries, grades and candidates.

    documents  the source first, then d_0 .. d_(n-1), then those with one condition broken
    """

    documents: list[Document]
    queries: list[Query]
    qrels: dict[str, dict[str, int]]
    candidates: dict[str, list[str]]


def build_ladder(
    source: Document,
    conditions: Sequence[Condition],
    *,
    taken: Container[str],
    pools: Pools,
    rng: random.Random,
) -> Ladder:
    """Return everything that is made of one document and its n conditions, in document order.

    d_j meets the first j conditions, d_n is the source itself; `~not<k>` misses condition k only
    (for k = n that is d_(n-1)). A query of the first k conditions ranks d_n (grade k) against
    the one that misses k (grade k - 1); the query of all n ranks the whole ladder.
    taken  ids in use, which a variant's id avoids
    """
    n = len(conditions)
    mark = _free_mark(source.id, n, taken)
    steps = [_variant(source, f"{mark}d{j}", f"d{j}", conditions[j:]) for j in range(n)]
    singles = [
        _variant(source, f"{mark}not{k}", f"not{k}", conditions[k - 1 : k]) for k in range(1, n)
    ]
    missing_one = [*(document.id for document in singles), steps[-1].id]
    ladder = Ladder([source, *steps, *singles], [], {}, {})
    wordings = [condition.text for condition in conditions]
    by_style = {"list": as_list(wordings, rng), "prose": as_prose(wordings, pools, rng)}
    for style in STYLES:
        for k, text in enumerate(by_style[style], 1):
            query = _query(source, f"{mark}{style}~{k}", text, style, k, n, conditions[k - 1])
            grades = {source.id: k, missing_one[k - 1]: k - 1}
            if k == n:
                grades = {source.id: n, **{step.id: j for j, step in enumerate(steps)}}
            ladder.queries.append(query)
            ladder.qrels[query.id] = grades
            ladder.candidates[query.id] = rng.sample(sorted(grades), len(grades))
    return ladder


def _free_mark(source_id: str, n: int, taken: Container[str]) -> str:
    """Return the source's id with as many "~" as keep its variants apart from the corpus."""
    mark = f"{source_id}~"
    endings = [f"d{j}" for j in range(n)] + [f"not{k}" for k in range(1, n)]
    while any(f"{mark}{ending}" in taken for ending in endings):
        mark += "~"
    return mark


def _variant(
    source: Document, document_id: str, name: str, broken: Sequence[Condition]
) -> Document:
    edits = [condition.edit for condition in broken]
    record = [[e.start, e.end, e.kind, e.before, e.after] for e in edits]
    facets = {
        **source.facets,
        "source": source.id,
        "variant": name,
        "edits": json.dumps(record, ensure_ascii=False),
    }
    return Document(document_id, apply_edits(source.text, edits), source.title, facets)


def _query(
    source: Document, query_id: str, text: str, style: str, k: int, n: int, condition: Condition
) -> Query:
    facets = {
        "style": style,
        "k": str(k),
        "n": str(n),
        "edit": condition.edit.kind,
        "document": source.id,
        "span": f"{condition.start}-{condition.end}",
        "before": condition.edit.before,
        "after": condition.edit.after,
    }
    return Query(query_id, text, topic=source.id, facets=facets)
