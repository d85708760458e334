"""Read ladders of conditions, and make their documents and queries.

A line of `ladders.jsonl` has n conditions (sentences of a source), each with a short form that a
user would type, and a negative sentence that makes it false. Document d_j has conditions 1..j and
the negatives of the others. `not<k>` is d_n with only condition k replaced.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from leadline.benchmark import Benchmark
from leadline.data.jsonl import read_records, write_records
from leadline.errors import InputError
from leadline.kinds.conditions import KIND
from leadline.types import Document, Query, shuffled

OPENING = "Find a document that meets all of these conditions:"

FILLERS = (
    "The grass is green.",
    "The sky is blue.",
    "The sun is yellow.",
    "Here we go.",
    "There and back again.",
)
"""What documents are padded with. Source: Lu et al., MultiConIR, appendix F.2."""


@dataclass(frozen=True)
class LadderRecord:
    """One document's conditions.

    conditions, short, negatives, edits   n each, in the order of the document
    queries   k -> list-style query where one was written; others are the short forms, numbered
    prose     k -> query in flowing sentences, for some k
    """

    id: str
    domain: str
    conditions: Sequence[str]
    short: Sequence[str]
    negatives: Sequence[str]
    edits: Sequence[str]
    prose: Mapping[int, str] = field(default_factory=dict)
    queries: Mapping[int, str] = field(default_factory=dict)
    source: Any = None


@dataclass(frozen=True)
class Rungs:
    """What ladders give a benchmark; `notes` say what of their source could not be used."""

    corpus: dict[str, Document] = field(default_factory=dict)
    queries: list[Query] = field(default_factory=list)
    qrels: dict[str, dict[str, int]] = field(default_factory=dict)
    candidates: dict[str, Sequence[str]] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    def benchmark(self, *, metrics: Sequence[str] = (), **more: Any) -> Benchmark:
        """Return them as a benchmark; `metrics` names others than those of the kind."""
        given: dict[str, Any] = {"name": KIND.name, **KIND.measured(metrics), **more}
        return Benchmark(
            corpus=self.corpus, queries=self.queries, qrels=self.qrels,
            candidates=self.candidates, notes=tuple(self.notes), **given,
        )  # fmt: skip

    def judge(self, query: Query, grades: Mapping[str, int]) -> None:
        """Add a query with its graded candidates, in an order that says nothing of them."""
        self.queries.append(query)
        self.qrels[query.id] = dict(grades)
        self.candidates.update(shuffled([query], {query.id: list(grades)}, seed=0))


def whole_ladders(benchmark: Benchmark) -> list[Query]:
    """Return the queries with all conditions of a ladder."""
    return [
        each
        for each in benchmark.queries
        if each.facets.get("k") == each.facets.get("n") and each.facets.get("task") != "1"
    ]


def read_ladders(path: str | Path) -> Iterator[LadderRecord]:
    """Yield the ladders of a `ladders.jsonl[.gz]`.

    Raises InputError that names file and line where a field is missing or the lists do not fit.
    """
    seen: set[str] = set()
    for line, row in read_records(path):
        record = _record(row, f"{path}:{line}")
        if record.id in seen:
            raise InputError(f"{path}:{line}: id {record.id!r} occurs twice.")
        seen.add(record.id)
        yield record


def write_ladders(path: str | Path, records: Sequence[LadderRecord]) -> None:
    """Write ladders so that `read_ladders` reads them again; the same ladders, the same bytes."""
    write_records(path, map(_row, records))


def expand(record: LadderRecord, rungs: Rungs, *, words: int = 0) -> None:
    """Add the documents and queries of one ladder.

    words  pad every document with filler sentences between its own until d_n has so many; 0 for
           none. Variants get the same fillers in the same places, so that neighbours still differ
           in one sentence

    Query q_k (k < n) ranks d_n (grade k) against `not<k>` (k - 1); q_n ranks d_0..d_n.
    """
    n = len(record.conditions)
    fillers = _fillers(record.conditions, words)

    def add(name: str, sentences: Sequence[str]) -> str:
        id = f"{record.id}~{name}"
        facets = {"ladder": record.id, "variant": name, "domain": record.domain}
        rungs.corpus[id] = Document(id, " ".join(_woven(sentences, fillers)), facets=facets)
        return id

    ladder = [add(f"d{j}", [*record.conditions[:j], *record.negatives[j:]]) for j in range(n + 1)]
    for k in range(1, n + 1):
        grades = {id: j for j, id in enumerate(ladder)}
        if k < n:
            broken = [*record.conditions]
            broken[k - 1] = record.negatives[k - 1]
            grades = {ladder[n]: k, add(f"not{k}", broken): k - 1}
        texts = {"list": record.queries.get(k) or as_list(record.short[:k])}
        if k in record.prose:
            texts["prose"] = record.prose[k]
        for style, text in texts.items():
            facets = {
                "style": style, "k": str(k), "n": str(n), "edit": record.edits[k - 1],
                "position": third(k, n), "domain": record.domain, "document": ladder[n],
                "before": record.conditions[k - 1], "after": record.negatives[k - 1],
                **({"words": str(words)} if words else {}),
            }  # fmt: skip
            rungs.judge(Query(f"{record.id}~{style}{k}", text, record.id, facets=facets), grades)


def as_list(short: Sequence[str]) -> str:
    """Return a list-style query: `Find ... conditions: 1. First. 2. Second.`."""
    items = (f"{k}. {text.strip().rstrip('.')}." for k, text in enumerate(short, 1))
    return " ".join([OPENING, *items])


def padded(sentences: Sequence[str], words: int) -> list[str]:
    """Return the sentences with fillers spread between them until there are so many words."""
    return _woven(sentences, _fillers(sentences, words))


def _fillers(sentences: Sequence[str], words: int) -> list[list[str]]:
    """Return the fillers that follow each sentence: as evenly as may be, none after the last."""
    gaps: list[list[str]] = [[] for _ in sentences]
    places = max(1, len(sentences) - 1)
    chosen: list[str] = []
    missing = words - sum(len(each.split()) for each in sentences)
    while missing > 0:
        chosen.append(FILLERS[len(chosen) % len(FILLERS)])
        missing -= len(chosen[-1].split())
    for number, filler in enumerate(chosen):
        gaps[number * places // len(chosen)].append(filler)
    return gaps


def _woven(sentences: Sequence[str], fillers: Sequence[Sequence[str]]) -> list[str]:
    return [
        each
        for sentence, after in zip(sentences, fillers, strict=True)
        for each in (sentence, *after)
    ]


def third(k: int, n: int) -> str:
    """Say in which third of its document condition k of n stands: `start`, `middle`, `end`."""
    return ("start", "middle", "end")[(k - 1) * 3 // n]


_LISTS = ("conditions", "short", "negatives", "edit")


def _record(row: Mapping[str, Any], where: str) -> LadderRecord:
    missing = [name for name in ("id", *_LISTS[:3]) if name not in row]
    if missing:
        raise InputError(
            f"{where}: no field {', '.join(missing)} (found: {', '.join(row)}). A ladder has id, "
            "domain, conditions, short, negatives, edit and prose."
        )
    count = len(row["conditions"]) if isinstance(row["conditions"], list) else 0
    given = {**row, "edit": row.get("edit") or ["other"] * count}
    for name in _LISTS:
        if not isinstance(given[name], list) or not all(
            isinstance(each, str) and each.strip() for each in given[name]
        ):
            raise InputError(f"{where}: {name!r} must be a list of non-empty texts.")
    lengths = {name: len(given[name]) for name in _LISTS}
    if len(set(lengths.values())) > 1 or not lengths["conditions"]:
        found = ", ".join(f"{count} {name}" for name, count in lengths.items())
        raise InputError(
            f"{where}: every condition needs a short form and a negative, got {found}."
        )
    return LadderRecord(
        id=str(row["id"]),
        domain=str(row.get("domain") or "other"),
        conditions=tuple(given["conditions"]),
        short=tuple(given["short"]),
        negatives=tuple(given["negatives"]),
        edits=tuple(given["edit"]),
        prose=_by_count(row.get("prose") or {}, "prose", lengths["conditions"], where),
        queries=_by_count(row.get("queries") or {}, "queries", lengths["conditions"], where),
        source=row.get("source"),
    )


def _by_count(given: Any, name: str, most: int, where: str) -> dict[int, str]:
    if not isinstance(given, Mapping):
        raise InputError(
            f"{where}: {name!r} must be an object that maps numbers of conditions to texts."
        )
    texts = {}
    for k, text in given.items():
        if not (k.isascii() and k.isdigit() and 1 <= int(k) <= most) or not isinstance(text, str):
            raise InputError(
                f"{where}: {name!r} has {k!r}: {text!r}, but k must be from 1 to {most}."
            )
        texts[int(k)] = text
    return texts


def _row(record: LadderRecord) -> dict[str, Any]:
    queries = {str(k): text for k, text in record.queries.items()}
    return {
        **{name: getattr(record, name) for name in ("id", "domain", "source")},
        **{name: list(getattr(record, name)) for name in _LISTS[:3]},
        "edit": list(record.edits),
        **({"queries": queries} if queries else {}),
        "prose": {str(k): text for k, text in record.prose.items()},
    }
