"""Other wordings of queries in files: `query_variations.jsonl[.gz]`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from leadline.data.fields import identifier, optional_string, required_string
from leadline.data.jsonl import read_records, write_records
from leadline.errors import InputError
from leadline.types import Query

FILE = "query_variations.jsonl"


def variations_file(folder: Path) -> Path | None:
    """Return the file of variations of a folder, packed or not; None where there is none."""
    return next((path for path in (folder / FILE, folder / f"{FILE}.gz") if path.is_file()), None)


def with_variations(
    queries: Sequence[Query], path: str | Path
) -> tuple[list[Query], dict[str, int]]:
    """Return every query as an original, its variations behind it, and what was left out and why.

    A line has `query_id`, `text` and optionally `kind` (`rephrasing` where it is missing),
    `method` and `valid`: false, a reader's verdict that the meaning changed, leaves it out.
    A text that equals the original's or an earlier variation's, apart from case and spaces, is
    left out too.

    Raises InputError that names the line that is broken or varies a query that is not there.
    """
    by_query: dict[str, list[Query]] = {query.id: [_original(query)] for query in queries}
    seen = {query.id: {_plain(query.text)} for query in queries}
    dropped: Counter[str] = Counter()
    for number, record in read_records(path):
        place = f"{path}:{number}"
        query_id = identifier(record, "query_id", place)
        if query_id not in by_query:
            dropped["of a query that is not asked here"] += 1
            continue
        text = required_string(record, "text", place).strip()
        if record.get("valid") is False:
            dropped["judged to change the meaning"] += 1
        elif not text or _plain(text) in seen[query_id]:
            dropped["same text as another"] += 1
        else:
            seen[query_id].add(_plain(text))
            kind = optional_string(record, "kind", place) or "rephrasing"
            if kind == "original":
                raise InputError(f"{place}: a variation cannot be of the kind 'original'.")
            original = by_query[query_id][0]
            facets = {"kind": kind, "method": optional_string(record, "method", place)}
            by_query[query_id].append(
                Query(
                    f"{query_id}~{len(by_query[query_id])}",
                    text,
                    query_id,
                    original.instruction,
                    {**original.facets, **facets},
                    original.answer,
                )
            )
    return [each for found in by_query.values() for each in found], dict(sorted(dropped.items()))


def write_variations(path: str | Path, queries: Sequence[Query]) -> None:
    """Write the variations of a topic's original, as `with_variations` reads them."""
    write_records(
        path,
        (
            {"query_id": query.topic, "text": query.text, "kind": query.facets["kind"]}
            for query in queries
            if query.facets.get("kind", "original") != "original"
        ),
    )


def _original(query: Query) -> Query:
    facets = {**query.facets, "kind": "original"}
    return Query(query.id, query.text, query.id, query.instruction, facets, query.answer)


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())
