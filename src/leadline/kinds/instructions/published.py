"""Published queries with an instruction about documents, and with its reverse.

Source: Zhou et al., Beyond Content Relevance: Evaluating Instruction Following in Retrieval Models.

A data set has `corpus`, `queries` (`_id`, `text`, `instruction_og`, `instruction_changed`, and for
a third mode `instruction_reversed`), `qrels_og`, `qrels_changed`, `qrels_reversed`, and if it
reranks `top_ranked` (`qid`, `pid`): parts of a data set on the hub, or files `corpus.jsonl`,
`queries.jsonl`, `qrels_og/test.tsv`, ..., `top_ranked.jsonl` in a folder.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from leadline.benchmark import Benchmark, quoted_results
from leadline.data.documents import read_corpus
from leadline.data.fields import Record, identifier, optional_string, required_string
from leadline.data.folder import read_beir_qrels
from leadline.data.jsonl import read_records
from leadline.data.paths import is_file, is_folder
from leadline.data.trec import integer
from leadline.errors import InputError, needs, unknown
from leadline.kinds import benchmark_folder
from leadline.kinds.instructions.kind import DEPTH, KIND, is_instructed, metrics_of
from leadline.metrics.compliance import MODES, WISEMode
from leadline.metrics.topics import by_topic, values_of
from leadline.types import Corpus, Document, Qrels, Query

PARTS = ("audience", "keyword", "format", "language", "length", "source")
RELEASED_DEPTH = 1000
"""Documents that the released code keeps of a first stage."""

_NAMES = {"keyword": "Clarity"}
"""Part -> what the published data call it, where that is another name."""
_SUFFIXES = {"original": "og", "instructed": "changed", "reversed": "reversed"}
_LAYOUTS = (
    "--data for instructions is a folder with corpus.jsonl, queries.jsonl (topic, instruction, "
    "facets) and qrels/test.tsv, or one with a folder for each dimension (audience or Audience-v1, "
    "...) that holds corpus.jsonl, queries.jsonl (instruction_changed, instruction_reversed) and "
    "qrels_og, qrels_changed, qrels_reversed."
)


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
    options = [f"mode={mode}"] * (mode != "paper") + [f"depth={depth}"] * (depth != DEPTH)
    whole = ":".join(["instructions", *([",".join(options)] if options else [])])
    metrics = metrics_of(mode, depth)
    return [
        replace(
            sets[each],
            name=f"{whole}/{each}",
            quoted=quoted_results(__package__, f"instructions/{each}")
            if sets[each].built_by == "published"
            else (),
            kind=KIND.name,
            metrics=metrics,
            breakdowns=KIND.breakdowns_of(metrics),
            depth=depth or RELEASED_DEPTH,
            rerankers_end=not depth,
            built={**sets[each].built, "mode": mode, "compared to rank": depth},
        ).validated()
        for each in ([part] if part else sets)
    ]


def _read(part: str | None, data: Path | None) -> Mapping[str, Benchmark]:
    if data is None:
        chosen = [part] if part in PARTS else PARTS
        return {each: _released(each, f"jianqunZ/{_name(each)}-v1") for each in chosen}
    if _lines_of(data, "queries"):
        if is_folder(data / "qrels_changed"):
            return {part or data.name.lower().removesuffix("-v1"): _released(part or "", data)}
        return _of_folder(data)
    found = {
        each: _released(each, path)
        for each in PARTS
        for name in (each, _name(each), f"{_name(each)}-v1", f"{each.capitalize()}-v1")
        if is_file((path := data / name) / "queries.jsonl")
    }
    if not found:
        raise InputError(f"{data} has no dimension of instructions. {_LAYOUTS}")
    return found


def _name(part: str) -> str:
    return _NAMES.get(part, part.capitalize())


def _released(part: str, where: str | Path) -> Benchmark:
    name = where.name if isinstance(where, Path) else where
    return read_set(where, f"Zhou et al., InfoSearch; {name}", {"dimension": part} if part else {})


def _of_folder(data: Path) -> Mapping[str, Benchmark]:
    """Return a benchmark folder by dimension; every one searches the whole corpus."""
    made = benchmark_folder.build(data)
    if not is_instructed(made.queries):
        raise InputError(
            f"{data / 'queries.jsonl'}: no topic has a query in each of the modes "
            f"{', '.join(MODES)} (facet 'mode'). {_LAYOUTS}"
        )
    parts = {}
    for dimension in values_of(made.queries, "dimension"):
        queries = [
            query
            for variants in by_topic(made.queries).values()
            if any(each.facets.get("dimension") == dimension for each in variants)
            for query in variants
        ]
        kept = {query.id for query in queries}
        parts[dimension] = replace(
            made,
            queries=queries,
            qrels={id: grades for id, grades in made.qrels.items() if id in kept},
            candidates=made.candidates
            and {id: ids for id, ids in made.candidates.items() if id in kept},
        )
    return parts or {"all": made}


def read_set(where: str | Path, source: str, facets: Mapping[str, str] | None = None) -> Benchmark:
    """Read a folder, or a data set of the hub by its name, without a name and metrics.

    A query id with its instruction is a topic, and each mode a query, `ID-og`, `ID-changed`, ...;
    queries with the same text are one core query. The third mode, and its qrels, may be missing.

    facets  of every query

    Raises InputError when a file or a field is missing.
    """
    rows = list(_rows(where, "queries"))
    if not rows:
        raise InputError(f"{where} has no queries.")
    modes = [mode for mode, name in _SUFFIXES.items() if f"instruction_{name}" in rows[0][1]]
    if "original" not in modes:
        raise InputError(f"{rows[0][0]}: no field 'instruction_og'.")
    judged = {mode: _qrels(where, _SUFFIXES[mode]) for mode in modes}
    queries: list[Query] = []
    qrels: dict[str, Mapping[str, int]] = {}
    for place, row in rows:
        topic = identifier(row, "_id" if "_id" in row else "id", place)
        for mode in modes if topic in judged["original"] else ():
            query = _query(row, topic, mode, place)
            queries.append(replace(query, facets={**query.facets, **(facets or {})}))
            if topic in judged[mode]:
                qrels[query.id] = judged[mode][topic]
    first = _top_ranked(where)
    return Benchmark(
        name="",
        corpus=_corpus(where),
        queries=queries,
        qrels=qrels,
        candidates=None if first is None else {q.id: first.get(q.topic, ()) for q in queries},
        metrics=(),
        source=source,
        built_by="published",
    )


def _query(row: Record, topic: str, mode: str, place: str) -> Query:
    text = required_string(row, "text", place).strip()
    more = ("condition", "keywords", "short_query")
    instruction = optional_string(row, f"instruction_{_SUFFIXES[mode]}", place).strip()
    return Query(
        id=f"{topic}-{_SUFFIXES[mode]}",
        text=text,
        topic=topic,
        instruction="" if instruction == text else instruction,
        facets={"mode": mode, "core": text, **{n: str(row[n]) for n in more if row.get(n)}},
    )


def _rows(where: str | Path, part: str) -> Iterator[tuple[str, Record]]:
    """Yield the rows of a file, or of a part of a data set, each with its place."""
    if isinstance(where, str):
        yield from ((f"{where}/{part}:{n}", row) for n, row in enumerate(_hub(where, part), 1))
        return
    path = _lines_of(where, part)
    if path is None:
        raise InputError(f"{where} has no {part}.jsonl.")
    yield from ((f"{path}:{number}", row) for number, row in read_records(path))


def _lines_of(folder: Path, part: str) -> Path | None:
    paths = (folder / f"{part}.jsonl{packed}" for packed in ("", ".gz"))
    return next((path for path in paths if is_file(path)), None)


def _corpus(where: str | Path) -> Corpus:
    if isinstance(where, Path):
        return read_corpus(where)
    return {
        str(row["_id"]): Document(str(row["_id"]), row["text"], row.get("title") or "")
        for row in _hub(where, "corpus")
    }


def _qrels(where: str | Path, mode: str) -> Qrels:
    if isinstance(where, Path):
        path = where / f"qrels_{mode}" / "test.tsv"
        return {} if mode == "reversed" and not path.is_file() else read_beir_qrels(path)
    grades: dict[str, dict[str, int]] = {}
    for place, row in _rows(where, f"qrels_{mode}"):
        of_query = grades.setdefault(str(row["query-id"]), {})
        of_query[str(row["corpus-id"])] = integer(str(row["score"]), place)
    return grades


def _top_ranked(where: str | Path) -> Mapping[str, tuple[str, ...]] | None:
    known = _datasets().get_dataset_config_names(where) if isinstance(where, str) else ()
    if not (_lines_of(where, "top_ranked") if isinstance(where, Path) else "top_ranked" in known):
        return None
    found: dict[str, list[str]] = {}
    for place, row in _rows(where, "top_ranked"):
        found.setdefault(identifier(row, "qid", place), []).append(identifier(row, "pid", place))
    return {topic: tuple(ids) for topic, ids in found.items()}


def _datasets() -> Any:
    with needs("hub"):
        import datasets
    return datasets


def _hub(name: str, part: str) -> Iterable[Mapping[str, Any]]:
    try:
        splits = _datasets().load_dataset(name, part)
    except (OSError, ValueError) as error:
        reason = (str(error) or type(error).__name__).strip().splitlines()[0]
        raise InputError(
            f"Cannot read {part} of {name} from the hub ({reason}). Check your connection, or "
            "read local files in the published layout with --data DIR."
        ) from error
    rows: Iterable[Mapping[str, Any]] = next(iter(splits.values()))
    return rows
