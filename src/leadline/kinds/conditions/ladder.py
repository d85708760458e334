"""Documents that meet some of a source's conditions, and the queries they are ranked for."""

from __future__ import annotations

import json
import random
from collections.abc import Container, Sequence
from dataclasses import dataclass
from itertools import chain

from leadline.kinds.conditions.choosing import Condition
from leadline.kinds.conditions.edits import CONTROL, Edit, apply_edits
from leadline.kinds.conditions.wording import as_list, as_prose
from leadline.text.tokens import stretch_of
from leadline.types import Document, Query

STYLES = ("list", "prose")
POSITIONS = (64, 128, 256, 512)
"""Bounds, in words of a document, of the stretches in which an edit may stand."""


@dataclass(frozen=True)
class Ladder:
    """A source document with its variants, queries, grades and candidates.

    documents  the source first, then d_0 .. d_(n-1), those with one condition broken, and those
               with a change that breaks none
    """

    documents: list[Document]
    queries: list[Query]
    qrels: dict[str, dict[str, int]]
    candidates: dict[str, list[str]]


def build_ladder(
    source: Document,
    conditions: Sequence[Condition],
    *,
    about: str = "",
    taken: Container[str],
    rng: random.Random,
) -> Ladder:
    """Return everything that is made of one document and its n conditions, in their order.

    d_j meets the first j conditions, d_n is the source itself; `~not<k>` misses condition k only
    (for k = n that is d_(n-1)). A query of the first k conditions ranks d_n (grade k) against
    the one that misses k (grade k - 1); the query of all n ranks the whole ladder. Its twin of
    the style `control` has the same words, and `~same<k>`, which meets all n conditions after a
    change of the same size, in the place of the document that misses k.
    about  the topic of the source, which its queries name
    taken  ids in use, which a variant's id avoids
    """
    n = len(conditions)
    mark = _free_mark(source.id, n, taken)
    edits = [condition.edits for condition in conditions]
    steps = [_variant(source, f"{mark}d{j}", f"d{j}", [*chain(*edits[j:])]) for j in range(n)]
    singles = [_variant(source, f"{mark}not{k}", f"not{k}", edits[k - 1]) for k in range(1, n)]
    same = [
        _variant(source, f"{mark}same{k}", f"same{k}", condition.controls[:1])
        for k, condition in enumerate(conditions, 1)
    ]
    missing_one = [*(document.id for document in singles), steps[-1].id]
    ladder = Ladder([source, *steps, *singles, *same], [], {}, {})
    by_style = {
        "list": as_list(conditions, rng, about), "prose": as_prose(conditions, rng, about)
    }  # fmt: skip
    for style in STYLES:
        for k, text in enumerate(by_style[style], 1):
            grades = {source.id: k, missing_one[k - 1]: k - 1}
            if k == n:
                grades = {source.id: n, **{step.id: j for j, step in enumerate(steps)}}
            condition = conditions[k - 1]
            query = _query(source, f"{mark}{style}~{k}", text, style, k, n, condition)
            candidates = rng.sample(sorted(grades), len(grades))
            _add(ladder, query, grades, candidates)
            if style == "list":
                twin = _query(source, f"{mark}{CONTROL}~{k}", text, CONTROL, k, n, condition)
                control = same[k - 1].id
                broken = missing_one[k - 1]
                _add(
                    ladder,
                    twin,
                    {control if id == broken else id: k if id == broken else grade
                     for id, grade in grades.items()},
                    [control if id == broken else id for id in candidates],
                )  # fmt: skip
    return ladder


def position_of(source: Document, edit: Edit) -> str:
    """Return in which stretch of words of a document an edit stands: "1-64", ..., "513-"."""
    return stretch_of(word_of(source, edit), POSITIONS)


def word_of(source: Document, edit: Edit) -> int:
    """Return at which word of title and text an edit stands, from 1."""
    return len(f"{source.title} {source.text[: edit.start]}".split()) + 1


def _add(ladder: Ladder, query: Query, grades: dict[str, int], candidates: list[str]) -> None:
    ladder.queries.append(query)
    ladder.qrels[query.id] = grades
    ladder.candidates[query.id] = candidates


def _free_mark(source_id: str, n: int, taken: Container[str]) -> str:
    """Return the source's id with as many "~" as keep its variants apart from the corpus."""
    mark = f"{source_id}~"
    endings = [f"d{j}" for j in range(n)]
    endings += [f"{name}{k}" for name in ("not", "same") for k in range(1, n + 1)]
    while any(f"{mark}{ending}" in taken for ending in endings):
        mark += "~"
    return mark


def _variant(source: Document, document_id: str, name: str, edits: Sequence[Edit]) -> Document:
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
    changed = condition.controls[0] if style == CONTROL else condition.edit
    facets = {
        "style": style,
        "k": str(k),
        "n": str(n),
        "edit": condition.edit.kind,
        "at": str(word_of(source, changed)),
        "position": position_of(source, condition.edit),
        "document": source.id,
        "span": f"{condition.start}-{condition.end}",
        "condition": condition.text,
        "before": changed.before,
        "after": changed.after,
    }
    return Query(query_id, text, topic=source.id, facets=facets)
