"""Published questions of researchers, with the papers that answer them.

Source: Ajith et al., LitSearch: A Retrieval Benchmark for Scientific Literature Search.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, TypeAlias

from leadline.benchmark import Benchmark, quoted_results
from leadline.data.data_sets import rows_of
from leadline.errors import InputError, unknown
from leadline.kinds.reasoning import KIND
from leadline.types import Document, Query

PARTS = ("specific", "broad")
Texts: TypeAlias = Literal["abstract", "title"]
HUB_NAME = "princeton-nlp/LitSearch"

_METRICS = {"specific": ("Recall@5", "Recall@20", "nDCG@10"), "broad": ("Recall@20", "nDCG@10")}


def build(
    part: str | None = None, data: str | Path | None = None, texts: Texts = "abstract"
) -> list[Benchmark]:
    """Return the specific questions, the broad ones, or both.

    part   one of PARTS, None for both
    data   folder with the tables `query/full` and `corpus_clean/full`, in parquet or JSON lines;
           None reads the hub
    texts  what of a paper is searched: its title and abstract, or its title alone

    A paper that is named twice as an answer counts once.
    Raises InputError when a file is missing or a row does not fit.
    """
    if part is not None and part not in PARTS:
        raise unknown("part of litsearch", part, PARTS)
    folder = None if data is None else Path(data)
    corpus = {}
    for row in rows_of(HUB_NAME, "corpus_clean/full", folder):
        id = str(row.get("corpusid", ""))
        abstract = str(row.get("abstract") or "") if texts == "abstract" else ""
        corpus[id] = Document(id, abstract, title=str(row.get("title") or ""))
    asked = list(rows_of(HUB_NAME, "query/full", folder))
    return [_part(each, asked, corpus) for each in ([part] if part else PARTS)]


def _part(
    part: str, rows: Sequence[Mapping[str, Any]], corpus: Mapping[str, Document]
) -> Benchmark:
    queries, qrels = [], {}
    for number, row in enumerate(rows):
        if not {"query", "corpusids", "specificity"} <= row.keys():
            raise InputError("query/full: a row needs `query`, `corpusids` and `specificity`.")
        if bool(row["specificity"]) != (part == "specific"):
            continue
        id = f"q{number}"
        facets = {
            name: str(row[name]) for name in ("query_set", "quality") if row.get(name) is not None
        }
        queries.append(Query(id, str(row["query"]), topic=id, facets=facets))
        qrels[id] = {str(each): 1 for each in row["corpusids"] if str(each) in corpus}
    return Benchmark(
        name=f"litsearch/{part}",
        quoted=quoted_results(__package__, f"litsearch/{part}"),
        corpus=corpus,
        queries=[query for query in queries if qrels[query.id]],
        qrels={id: grades for id, grades in qrels.items() if grades},
        source="Ajith et al., LitSearch",
        built_by="published",
        **KIND.measured(_METRICS[part]),
    ).validated()
