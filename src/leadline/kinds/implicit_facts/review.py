"""A sheet for people who read a sample of the documents."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from leadline.data import sheets
from leadline.types import Document, Query, Retriever

QUESTIONS, FROM_TOP, FROM_BOTTOM, ENDS = 2, 3, 3, 20
"""In each pool: questions, documents from each end of their ranking, and how long the ends are."""

_TO_FILL = ("fluent (y/n)", "implies the answer (y/n)", "states it outright (y/n)", "remarks")


def write_sheet(
    path: str | Path,
    pools: Mapping[str, Sequence[Mapping[str, Any]]],
    retriever: Retriever,
    *,
    seed: int = 0,
) -> int:
    """Write a stratified sample of documents as `.csv`, with columns to fill in; return its size.

    Two questions are drawn from each pool; for each, three documents from the top 20 and three
    from the bottom 20 of the retriever's ranking: 72 rows for six pools. A document is shown
    with its own question and answer, and without its rank, so that readers are not led.

    pools  name -> rows in the published layout

    Raises InputError when the file cannot be written.
    Source: ImpliRet, appendix A.5.
    """
    rows = [row for name in pools for row in _sampled(name, pools[name], retriever, seed)]
    keys = ("pool", "id", "question", "answer", "pos_document")
    empty = [""] * len(_TO_FILL)
    return sheets.write_sheet(
        path,
        ["pool", "id", "question", "answer", "document", *_TO_FILL],
        ([*(row[key] for key in keys), *empty] for row in rows),
    )


def _sampled(
    name: str, rows: Sequence[Mapping[str, Any]], retriever: Retriever, seed: int
) -> Iterator[Mapping[str, Any]]:
    rng = random.Random(f"{seed} {name} review")
    corpus = {str(row["id"]): Document(str(row["id"]), row["pos_document"]) for row in rows}
    asked = rng.sample(list(rows), min(QUESTIONS, len(rows)))
    queries = [Query(str(row["id"]), row["question"], str(row["id"])) for row in asked]
    run = retriever.index(corpus).score(queries, {query.id: list(corpus) for query in queries})
    by_id = {str(row["id"]): row for row in rows}
    seen: set[str] = set()
    for query in queries:
        ranking = list(run[query.id])
        for end, wanted in ((ranking[:ENDS], FROM_TOP), (ranking[-ENDS:], FROM_BOTTOM)):
            fresh = [id for id in end if id not in seen]
            for id in rng.sample(fresh, min(wanted, len(fresh))):
                seen.add(id)
                yield by_id[id]
