"""Queries of 1 to 10 conditions, and documents that meet all, all but one, or j of them.

Source: Lu et al., MultiConIR: Towards Multi-Condition Information Retrieval.
"""

from __future__ import annotations

import csv
import dataclasses
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Literal, TypeAlias

from leadline.benchmark import Benchmark, quoted_results
from leadline.data.data_sets import downloaded_folder
from leadline.data.documents import read_corpus
from leadline.data.fields import identifier
from leadline.data.folder import read_queries
from leadline.data.jsonl import read_records
from leadline.data.paths import is_file
from leadline.data.trec import collected, integer
from leadline.errors import InputError, unknown
from leadline.kinds import benchmark_folder
from leadline.kinds.conditions import KIND
from leadline.kinds.conditions.ladders import Rungs, expand, read_ladders, third, whole_ladders
from leadline.metrics.pairs import ladder_of_columns
from leadline.progress import warn
from leadline.types import Document, Query

PARTS = ("people", "books", "movies", "medical", "legal")
Scope: TypeAlias = Literal["candidates", "corpus"]
Release: TypeAlias = Literal["v1", "v2"]
_Row: TypeAlias = Mapping[str, str]
HUB_NAMES = {"v1": "Lux1997/MultiConIR", "v2": "Lux1997/MultiConIR_v2"}

_PUBLISHED = "Lu et al., MultiConIR"
_FILES = {"people": "People", "books": "Books", "movies": "Movies", "medical": "Medical Case",
          "legal": "Legal Document"}  # fmt: skip
_EDITS = {"people": "dummy"}
_MOST = 10
_LAYOUTS = (
    "--data for conditions is a folder with ladders.jsonl, with the published tables "
    "('Task1/Books_Task1.csv', 'Task2_&_3/Books_Task2_&_3.csv', 'Task4/Books_512.csv'), with a "
    "folder for each domain ('Books') that holds corpus.jsonl, queries.jsonl and qrels.jsonl, or a "
    "benchmark folder of the kind."
)


def build(
    part: str | None = None,
    data: str | Path | None = None,
    words: int = 0,
    scope: Scope = "candidates",
    release: Release = "v1",
) -> list[Benchmark]:
    """Return one domain, or all.

    part     one of PARTS, or of the domains in `data`; None for all
    data     folder with `ladders.jsonl`, with the published tables or JSONL files, or a benchmark
             folder of the kind; None reads the hub
    words    length of every document, padded with sentences about nothing; 0 for as they are.
             The published tables have 512 and 1024
    scope    `candidates` ranks the documents of a ladder among themselves; `corpus` searches the
             ladders of all documents together, under the queries with all conditions
    release  of the two data sets on the hub: `v1` has tables, `v2` corpus, queries and qrels

    Raises InputError when a file is missing, or a row or an option does not fit.
    """
    if words < 0:
        raise InputError(f"words must be 0 or more, got {words}.")
    where, makes, domains = _read(part, None if data is None else Path(data), words, release)
    if part is not None and part not in domains:
        raise unknown("part of conditions", part, domains)
    chosen = [part] if part else list(domains)
    return [_benchmark(each, domains[each], words, scope, where, makes) for each in chosen]


def _benchmark(
    domain: str, rungs: Rungs, words: int, scope: Scope, where: str, makes: str
) -> Benchmark:
    options = {"words": str(words)} if words else {}
    options |= {"scope": scope} if scope == "corpus" else {}
    made = rungs.benchmark(
        name=benchmark_folder.with_options(f"conditions/{domain}", **options),
        metrics=_SEARCHED if scope == "corpus" else (), source=where, built_by=makes,
        built={"words": words, "scope": scope},
    )  # fmt: skip
    if makes == "published" and scope == "candidates":
        made = dataclasses.replace(made, quoted=quoted_results(__package__, made.name))
    return (_searched(made) if scope == "corpus" else made).validated()


_SEARCHED = (
    "Adjacent", *(f"Adjacent@{k}" for k in range(1, _MOST + 1)), "Adjacent[style=prose]",
    "FlipRate", "P@1", "nDCG@10", "Recall@10",
)  # fmt: skip


def _searched(benchmark: Benchmark) -> Benchmark:
    """Return what is left to search for when nobody says which documents to rank.

    Only whole ladders: a document of another one meets none of a query's conditions.
    """
    queries = whole_ladders(benchmark)
    if not queries:
        raise InputError(f"{benchmark.name!r} has no ladder, which scope=corpus needs.")
    chosen = benchmark.only(queries)
    kept = {id for grades in chosen.qrels.values() for id in grades}
    corpus = {id: document for id, document in benchmark.corpus.items() if id in kept}
    return dataclasses.replace(
        chosen, corpus=corpus, candidates=None, breakdowns=(), depth=len(corpus)
    )


def _read(
    part: str | None, given: Path | None, words: int, release: Release
) -> tuple[str, str, dict[str, Rungs]]:
    """Return where the ladders come from, what made them, and those of each domain."""
    source = HUB_NAMES[release] if given is None else given.name
    data = given or downloaded_folder(source, _LAYOUTS)
    for path in (data, data / "ladders.jsonl", data / "ladders.jsonl.gz"):
        if is_file(path):
            return _written(path, words)
    if benchmark_folder.has_queries(data):
        return _folder(data, words)
    present = [
        each
        for each in _of(part)
        if _table(data, each, words)
        or (not words and (_table(data, each, 0, task=1) or _judgements(data, each)))
    ]
    if not present:
        raise InputError(
            f"{data} has no ladders of {words or 'their original number of'} words. {_LAYOUTS}"
        )
    short = [each for each in _of(part) if each not in present and _table(data, each, 0)]
    if short:
        warn(f"{data} has no table of {words:,} words for {', '.join(short)}: left out.")
    found = {
        each: _judged(each, qrels)
        if (qrels := _judgements(data, each)) and not words
        else _published(each, data, words)
        for each in present
    }
    return f"{_PUBLISHED}; {source}", "published", found


def _of(part: str | None) -> Sequence[str]:
    if part is not None and part not in PARTS:
        raise unknown("part of conditions", part, PARTS)
    return [part] if part else PARTS


def _written(path: Path, words: int) -> tuple[str, str, dict[str, Rungs]]:
    """Return ladders that somebody wrote: a person, or a language model, which its lines tell."""
    domains: dict[str, Rungs] = {}
    makes = "own"
    for record in read_ladders(path):
        expand(record, domains.setdefault(record.domain, Rungs()), words=words)
        if isinstance(record.source, Mapping) and "made" in record.source:
            makes = "llm"
    if not domains:
        raise InputError(f"{path} has no ladder.")
    return f"{path.resolve().parent.name}/{path.name}", makes, domains


def _folder(data: Path, words: int) -> tuple[str, str, dict[str, Rungs]]:
    """Return the ladders of a benchmark folder, by the domain that its queries tell."""
    made = benchmark_folder.build(data)
    if made.kind != KIND.name:
        raise InputError(
            f"{data} is a benchmark of kind {made.kind!r}, not of conditions. {_LAYOUTS}"
        )
    if words:
        raise InputError(
            f"words={words} needs ladders.jsonl with separate sentences. {data} is a benchmark "
            "folder, whose documents cannot be padded."
        )
    domains: dict[str, Rungs] = {}
    for query in made.queries:
        grades = made.qrels[query.id]
        rungs = domains.setdefault(query.facets.get("domain") or made.name, Rungs())
        rungs.corpus.update((id, made.corpus[id]) for id in grades)
        rungs.judge(query, grades)
    return f"{made.source or data.name}", made.built_by, domains


def _published(domain: str, data: Path, words: int) -> Rungs:
    """Return the comparisons of a published domain: single edits (task 1), ladders (tasks 2, 3).

    Rows of both tables with the same positive are one topic; a row without its like stands alone.
    """
    rungs = Rungs()
    singles = [] if words else _rows(_table(data, domain, 0, task=1))
    ladders = _rows(_table(data, domain, words))
    waiting: dict[str, list[_Row]] = {}
    for row in singles:
        waiting.setdefault(_positive(row), []).append(row)
    alone, broken = 0, len(waiting.pop("", ()))
    for number, row in enumerate(ladders):
        same = waiting.get(_positive(row), [])
        alone += not same
        single = same.pop(0) if same else {}
        broken += not _add_row(f"{domain}{number:04}", domain, row, single, rungs, words)
    left = [row for rows in waiting.values() for row in rows]
    for number, row in enumerate(left):
        broken += not _add_row(f"{domain}-task1-{number:04}", domain, {}, row, rungs, words)
    counts = [_counts(row) for row in singles if _positive(row)]
    missing = sum(_MOST - len(each) for each in counts if each)
    notes = {
        f"Comparisons of task 1 that lack a query or its hard negative: {missing:,}.": missing,
        f"Rows left out, which lack Positive, queries or HN columns: {broken:,}.": broken,
        "There is no table of task 1, so there is no WinRate.": not singles and not words,
        "There is no table of task 2, so there is no Adjacent and no FlipRate.": not ladders,
        f"Rows whose Positive stands in one table only: {len(left):,} of {len(singles):,} of "
        f"task 1, {alone:,} of {len(ladders):,} of task 2. Each counts in its own task.": (
            singles and ladders and (alone or left)
        ),
    }
    rungs.notes.extend(note for note, holds in notes.items() if holds)
    return rungs


def _counts(row: _Row) -> list[int]:
    """Return the numbers of conditions for which a row of task 1 has a comparison."""
    return [k for k in range(1, _MOST + 1) if row.get(f"Query{k}") and row.get(f"HN{k}")]


def _positive(row: _Row) -> str:
    return " ".join(row.get("Positive", "").split())


def _add_row(id: str, domain: str, row: _Row, single: _Row, rungs: Rungs, words: int) -> bool:
    """Add a row of task 2 and the row of task 1 with the same positive; one of them may be empty.

    The facet `task` keeps win rates to the pairs of task 1, and ladders to task 2, as published.
    Returns whether there is anything to compare.
    """

    def add(name: str, text: str) -> str:
        facets = {"ladder": id, "variant": name, "domain": domain}
        rungs.corpus[f"{id}~{name}"] = Document(f"{id}~{name}", text, facets=facets)
        return f"{id}~{name}"

    counts = _counts(single)
    texts = ladder_of_columns(row, query="") if row else []
    n = len(texts) - 1 if row else max(counts, default=0)
    if not n or not _positive(row or single):
        return False
    ladder = [add(f"d{j}", text) for j, text in enumerate(texts)]
    best = ladder[n] if row else add(f"d{n}", single["Positive"])

    def ask(style: str, k: int, task: int, text: str, grades: Mapping[str, int]) -> None:
        facets = _facets(domain, style, k, n, best, task)
        facets |= {"words": str(words)} if words else {}
        name = f"{id}~{style}{k}" if task == 2 or k < n else f"{id}~pair{k}"
        rungs.judge(Query(name, text, id, facets=facets), grades)

    for k in counts:
        ask("list", k, 1, single[f"Query{k}"], {best: k, add(f"not{k}", single[f"HN{k}"]): k - 1})
    whole = {id: j for j, id in enumerate(ladder)}
    for style, column in (("list", f"Query{n}"), ("prose", f"Natural_Query{n}")):
        if row.get(column):
            ask(style, n, 2, row[column], whole)
    return True


def _facets(domain: str, style: str, k: int, n: int, best: str, task: int) -> dict[str, str]:
    return {
        "style": style, "k": str(k), "n": str(n), "domain": domain, "document": best,
        "edit": _EDITS.get(domain, "altered"), "position": third(k, n), "before": "", "after": "",
        "task": str(task),
    }  # fmt: skip


def _judged(domain: str, qrels: Path) -> Rungs:
    """Return the comparisons of a domain that comes as corpus, queries and qrels.

    The grade is the number of conditions met, or 1 and 0. Two judged documents are a pair of
    task 1, all grades from 0 on a ladder of tasks 2 and 3. A query without a numbered list is
    prose.
    """
    rungs, left = Rungs(corpus=dict(read_corpus(qrels.parent))), 0
    grades_of = collected(lambda: _judgement_rows(qrels), qrels)
    for query in read_queries(qrels.parent / "queries.jsonl"):
        grades = grades_of.get(query.id, {})
        ordered = sorted(grades, key=grades.__getitem__)
        numbers = [grades[id] for id in ordered]
        items = len(_ITEM.findall(query.text))
        is_ladder = len(numbers) > 2 and numbers == list(range(len(numbers)))
        if not is_ladder and (len(numbers) != 2 or numbers[1] - numbers[0] != 1):
            left += 1
            continue
        k = numbers[-1] if is_ladder or numbers[-1] > 1 else max(1, items)
        style = "prose" if k > 1 and items < 2 else "list"
        facets = _facets(domain, style, k, max(k, _MOST), ordered[-1], 2 if is_ladder else 1)
        met = {id: k - len(ordered) + 1 + place for place, id in enumerate(ordered)}
        rungs.judge(Query(query.id, query.text, ordered[-1], facets=facets), met)
    if left:
        rungs.notes.append(f"Queries whose judged documents are no pair and no ladder: {left:,}.")
    return rungs


_ITEM = re.compile(r"(?<![\w.])\(?\d{1,2}[.)]\s")


def _judgement_rows(path: Path) -> Iterator[tuple[int, str, str, int]]:
    for line, record in read_records(path):
        place = f"{path}:{line}"
        row = {key.replace("_", "-"): value for key, value in record.items()}
        query, document = (identifier(row, key, place) for key in ("query-id", "corpus-id"))
        yield line, query, document, integer(str(row.get("score")), place)


def _judgements(data: Path, domain: str) -> Path | None:
    """Return the qrels of a domain in a folder of its own; None where there is none."""
    path = data / _FILES[domain] / "qrels.jsonl"
    return path if is_file(path) else None


def _table(data: Path, domain: str, words: int, *, task: int = 2) -> Path | None:
    """Return the table of a domain; None where it is not there."""
    stem = _FILES[domain]
    if words:
        name = f"Task4/{stem}_{words}.csv"
    else:
        name = f"Task1/{stem}_Task1.csv" if task == 1 else f"Task2_&_3/{stem}_Task2_&_3.csv"
    places = (data / name, data / Path(name).name, data / "datasets" / name)
    return next((path for path in places if is_file(path)), None)


def _rows(path: Path | None) -> list[_Row]:
    if path is None:
        return []
    with path.open(encoding="utf-8-sig", newline="") as lines:
        rows: Iterable[_Row] = csv.DictReader(lines)
        return [{key: value or "" for key, value in row.items() if key} for row in rows]
