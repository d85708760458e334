"""Queries with an instruction on what documents are like, and with its reverse.

Source: Zhou et al., Beyond Content Relevance: Evaluating Instruction Following in Retrieval Models.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, TypeAlias

from leadline.benchmark import Benchmark
from leadline.data.paths import is_file, is_folder
from leadline.errors import InputError, unknown
from leadline.kinds import benchmark_folder
from leadline.kinds.instructions import DEPTH, KIND, is_instructed, metrics_of, released
from leadline.metrics.compliance import MODES, WISEMode
from leadline.metrics.topics import by_topic, values_of
from leadline.types import Query

PARTS = ("audience", "keyword", "format", "language", "length", "source")

RELEASED_DEPTH = 1000
"""Documents that the released code keeps of a first stage."""

_PUBLISHED = "Zhou et al., InfoSearch"
_NAMES = {"keyword": "Clarity"}
"""Part -> what the published data call it, where that is another name."""

_LAYOUTS = (
    "--data for instructions is a folder with corpus.jsonl, queries.jsonl (topic, instruction, "
    "facets) and qrels/test.tsv, or one with a folder for each dimension (audience or Audience-v1, "
    "...) that holds corpus.jsonl, queries.jsonl (instruction_changed, instruction_reversed) and "
    "qrels_og, qrels_changed, qrels_reversed."
)

_Sets: TypeAlias = Mapping[str, Benchmark]


def build(
    part: str | None = None,
    data: str | Path | None = None,
    mode: WISEMode = "paper",
    depth: int = DEPTH,
) -> list[Benchmark]:
    """Return one dimension, or all.

    part   one of PARTS, or of the dimensions in `data`; None for all
    data   benchmark folder whose queries have the facets `mode` and `dimension`, or folder of
           published dimensions; None reads the hub
    mode   WISE and SICR as the paper has them, or as a release of its code
    depth  rank to which the three modes are compared, where a document that is missing has the
           rank after it; 0 takes every ranking as it is, as the released code does: a first stage
           is searched to rank 1,000, and a reranker's ranking ends with what it reordered

    Raises InputError when a file is missing, or a row or an option does not fit.
    """
    if depth < 0:
        raise InputError(f"depth must be 0 or more, got {depth}.")
    sets = _read(part, None if data is None else Path(data))
    if part is not None and part not in sets:
        raise unknown("part of instructions", part, sets)
    chosen = [part] if part else list(sets)
    return [_measured(each, sets[each], mode, depth) for each in chosen]


def _measured(part: str, made: Benchmark, mode: WISEMode, depth: int) -> Benchmark:
    options = [f"mode={mode}"] * (mode != "paper") + [f"depth={depth}"] * (depth != DEPTH)
    whole = ":".join(["instructions", *([",".join(options)] if options else [])])
    metrics = metrics_of(mode, depth)
    return dataclasses.replace(
        made,
        name=f"{whole}/{part}",
        kind=KIND.name,
        metrics=metrics,
        breakdowns=KIND.breakdowns_of(metrics),
        depth=depth or RELEASED_DEPTH,
        rerankers_end=not depth,
        built={**made.built, "mode": mode, "compared to rank": depth},
    ).validated()


def _read(part: str | None, data: Path | None) -> _Sets:
    if data is None:
        return {
            each: _released(each, f"jianqunZ/{_name(each)}-v1")
            for each in ([part] if part in PARTS else PARTS)
        }
    if any(is_file(data / f"queries.jsonl{gz}") for gz in ("", ".gz")):
        if is_folder(data / "qrels_changed"):
            return {part or data.name.lower().removesuffix("-v1"): _released(part or "", data)}
        return _of_folder(data)
    found = {each: path for each in PARTS if (path := _folder_of(data, each)) is not None}
    if not found:
        raise InputError(f"{data} holds no dimension of instructions. {_LAYOUTS}")
    return {each: _released(each, path) for each, path in found.items()}


def _name(part: str) -> str:
    return _NAMES.get(part, part.capitalize())


def _folder_of(data: Path, part: str) -> Path | None:
    names = (part, _name(part), f"{_name(part)}-v1", f"{part.capitalize()}-v1")
    return next((data / name for name in names if is_file(data / name / "queries.jsonl")), None)


def _released(part: str, where: str | Path) -> Benchmark:
    read = released.read(where)
    facets = {"dimension": part} if part else {}
    queries = [
        dataclasses.replace(query, facets={**query.facets, **facets}) for query in read.queries
    ]
    return Benchmark(
        name="instructions",
        corpus=read.corpus,
        queries=queries,
        qrels=read.qrels,
        metrics=(),
        source=f"{_PUBLISHED}; {Path(where).name if isinstance(where, Path) else where}",
        built_by="published",
    )


def _of_folder(data: Path) -> _Sets:
    """Return a benchmark folder by dimension; every one searches the whole corpus."""
    made = benchmark_folder.build(data)
    if not is_instructed(made.queries):
        raise InputError(
            f"{data / 'queries.jsonl'}: no topic is asked in each of the modes "
            f"{', '.join(MODES)} (facet 'mode'). {_LAYOUTS}"
        )
    dimensions = values_of(made.queries, "dimension")
    if not dimensions:
        return {"all": made}
    topics = by_topic(made.queries)
    return {
        each: _part(made, [q for qs in topics.values() if _is_of(qs, each) for q in qs])
        for each in dimensions
    }


def _is_of(variants: Iterable[Query], dimension: str) -> bool:
    return any(query.facets.get("dimension") == dimension for query in variants)


def _part(made: Benchmark, queries: list[Query]) -> Benchmark:
    kept = {query.id for query in queries}
    chosen: dict[str, Any] = {
        "queries": queries,
        "qrels": {id: grades for id, grades in made.qrels.items() if id in kept},
    }
    if made.candidates is not None:
        chosen["candidates"] = {id: ids for id, ids in made.candidates.items() if id in kept}
    return dataclasses.replace(made, **chosen)
