"""Published questions whose documents only reasoning can recognise: 12 tasks.

Source: Su et al., BRIGHT: A Realistic and Challenging Benchmark for Reasoning-Intensive Retrieval.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal, TypeAlias

from leadline.benchmark import Benchmark, quoted_results
from leadline.data.data_sets import rows_of
from leadline.data.folder import query_records, read_beir_qrels, read_queries
from leadline.data.paths import is_file, is_folder
from leadline.errors import InputError, unknown
from leadline.kinds.reasoned import size_name
from leadline.kinds.reasoning import KIND
from leadline.progress import warn
from leadline.types import Corpus, Document, Qrels, Query

PARTS = (
    "biology", "earth-science", "economics", "psychology", "robotics", "stackoverflow",
    "sustainable-living", "leetcode", "pony", "aops", "theoremqa-questions", "theoremqa-theorems",
)  # fmt: skip
Judgements: TypeAlias = Literal["original", "fixed"]
HUB_NAME = "xlangai/BRIGHT"
PLACE = "FILL_QUERY_HERE"

_PUBLISHED = "Su et al., BRIGHT"
_WITH_EXCLUSIONS = ("leetcode", "aops", "theoremqa-questions", "theoremqa-theorems")


def build(
    part: str | None = None,
    data: str | Path | None = None,
    qrels: Judgements = "original",
    prompts: str = "",
) -> list[Benchmark]:
    """Return one task, or all.

    part     one of PARTS, None for all
    data     folder with `documents/<task>` and `examples/<task>` in parquet or JSON lines, as on
             the hub; or with `<task>.queries.jsonl`, `<task>.qrels.tsv` (and
             `<task>.qrels_fixed.tsv`) beside `documents/<task>`, whose queries may have
             `excluded_ids`, or beside `examples/<task>`, which has them; None reads the hub
    qrels    `fixed` takes the judgements that were mended after publication, from files
    prompts  a JSON file, task -> text in which FILL_QUERY_HERE stands for the query; `*` for
             every other task. The facet `prompt` of each query takes it to `true_false`; first
             stages and other rerankers see the plain query, as in the released runs

    Documents that a query excludes are removed from every ranking before it is scored.
    Raises InputError when a file is missing or a row does not fit.
    """
    if part is not None and part not in PARTS:
        raise unknown("part of bright", part, PARTS)
    frames = _prompts(prompts)
    folder = None if data is None else Path(data)
    return [_task(each, folder, qrels, frames) for each in ([part] if part else PARTS)]


def _task(
    part: str, data: Path | None, judgements: Judgements, frames: Mapping[str, str]
) -> Benchmark:
    asked = _from_topics(part, data, judgements) or _from_examples(part, data, judgements)
    queries, qrels, excluded = asked
    frame = frames.get(part, frames.get("*", PLACE))
    prompt = {"prompt": frame} if frame != PLACE else {}
    options = [f"qrels={judgements}"] * (judgements != "original")
    name = "/".join([":".join(["bright", *options]), part])
    return Benchmark(
        name=name,
        quoted=quoted_results(__package__, name),
        corpus=_documents(part, data),
        queries=[
            Query(id, text, topic=id, facets=_facets(part, qrels[id]) | prompt)
            for id, text in queries.items()
        ],
        qrels=qrels,
        source=f"{_PUBLISHED}; judgements: {judgements}",
        built_by="published",
        excluded=excluded,
        built=prompt,
        **KIND.measured(),
    ).validated()


def _facets(part: str, grades: Mapping[str, int]) -> dict[str, str]:
    size = size_name(sum(grade > 0 for grade in grades.values()))
    return {"task": part} | ({"relevant": size} if size else {})


def _documents(part: str, data: Path | None) -> Corpus:
    rows = rows_of(HUB_NAME, f"documents/{part.replace('-', '_')}", data)
    corpus = {}
    for row in rows:
        if not isinstance(row.get("id"), str) or not isinstance(row.get("content"), str):
            raise InputError(f"documents/{part}: a row needs `id` and `content`, got {list(row)}.")
        corpus[row["id"]] = Document(row["id"], row["content"])
    return corpus


_Asked: TypeAlias = tuple[dict[str, str], Qrels, dict[str, tuple[str, ...]]]


def _from_topics(part: str, data: Path | None, judgements: Judgements) -> _Asked | None:
    """Read queries and judgements from files of their own, where they lie in the folder."""
    if data is None:
        return None
    name = "qrels_fixed" if judgements == "fixed" else "qrels"
    queries = [data / f"{part}.queries.jsonl{end}" for end in ("", ".gz")]
    found = next((path for path in queries if is_file(path)), None)
    if found is None:
        return None
    rows = [record for _, record in query_records(found)]
    if is_folder(data / "examples"):
        rows += rows_of(HUB_NAME, f"examples/{part.replace('-', '_')}", data)
    excluded = {id: ids for row in rows for id, ids in _excluded(row).items()}
    if part in _WITH_EXCLUSIONS and not excluded:
        warn(
            f"{found} names no documents that a query excludes, and {part} has some: they are "
            f"ranked here, and not in published figures. Put the published examples/{part} beside "
            "it, which name them."
        )
    qrels = read_beir_qrels(data / f"{part}.{name}.tsv")
    texts = {query.id: query.text for query in read_queries(found)}
    return {id: text for id, text in texts.items() if id in qrels}, qrels, excluded


def _from_examples(part: str, data: Path | None, judgements: Judgements) -> _Asked:
    if judgements == "fixed":
        raise InputError(
            "qrels=fixed needs --data DIR with <task>.queries.jsonl and <task>.qrels_fixed.tsv. "
            "The published examples have only the original judgements."
        )
    queries, qrels = {}, {}
    excluded: dict[str, tuple[str, ...]] = {}
    for row in rows_of(HUB_NAME, f"examples/{part.replace('-', '_')}", data):
        try:
            id, gold = str(row["id"]), [str(each) for each in row["gold_ids"]]
            queries[id], qrels[id] = str(row["query"]), dict.fromkeys(gold, 1)
        except (KeyError, TypeError) as error:
            raise InputError(
                f"examples/{part}: a row needs `id`, `query` and `gold_ids`, got {list(row)}."
            ) from error
        excluded |= _excluded(row)
    return queries, qrels, excluded


def _excluded(row: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
    """Return the documents that a query goes without, by its id; empty for none."""
    ids = tuple(str(each) for each in row.get("excluded_ids") or () if each != "N/A")
    return {str(row.get("_id") or row["id"]): ids} if ids else {}


def _prompts(path: str) -> Mapping[str, str]:
    if not path:
        return {}
    try:
        frames = json.loads(Path(path).expanduser().read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InputError(f"prompts={path} is not a JSON file ({error}).") from error
    if not isinstance(frames, dict) or not all(PLACE in str(text) for text in frames.values()):
        raise InputError(f"prompts={path} must map tasks to texts that contain {PLACE}.")
    return {str(name): str(text) for name, text in frames.items()}
