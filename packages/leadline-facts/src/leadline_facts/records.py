"""Facts on disk: one JSON line for each document."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from leadline.data.jsonl import read_records, write_records
from leadline.errors import InputError
from leadline.types import FACT_ROLES, Document, Fact


def write_facts(path: str | Path, documents: Iterable[tuple[Document, tuple[Fact, ...]]]) -> None:
    """Write `{"id", "facts": [...]}` for every document; all or nothing.

    Raises InputError when the file cannot be written.
    """
    write_records(
        path,
        (
            {"id": document.id, "facts": [as_record(fact, document.content) for fact in facts]}
            for document, facts in documents
        ),
    )


def read_facts(path: str | Path) -> Iterator[tuple[str, tuple[Fact, ...]]]:
    """Yield document id and facts of every line.

    Raises InputError that names file and line where a line has not that form.
    """
    for number, record in read_records(path):
        try:
            yield str(record["id"]), tuple(as_fact(each) for each in record["facts"])
        except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
            raise InputError(
                f'{path}:{number} is not a record of facts ({error!r}). Expected {{"id": ..., '
                '"facts": [{"kind": ..., "value": ...}]}, as `leadline enrich` writes.'
            ) from error


def as_record(fact: Fact, text: str) -> dict[str, Any]:
    """Return a fact as JSON; `evidence` are the words of `text` at its spans."""
    return {
        "kind": fact.kind,
        "value": fact.value,
        "evidence": [text[start:end] for start, end in fact.spans],
        "about": fact.about,
        "role": fact.role,
        "confidence": fact.confidence,
        "derivation": fact.derivation,
        "provider": fact.provider,
        "spans": [list(span) for span in fact.spans],
    }


def as_fact(record: Mapping[str, Any]) -> Fact:
    """Return the fact of a record; only `kind` and `value` must be there.

    Raises KeyError, TypeError or ValueError where the record is none.
    """
    role = record.get("role", "derived")
    if role not in FACT_ROLES:
        raise ValueError(f"role {role!r} is not one of {', '.join(FACT_ROLES)}")
    return Fact(
        kind=str(record["kind"]),
        value=record["value"],
        about=str(record.get("about", "")),
        role=role,
        confidence=float(record.get("confidence", 1.0)),
        spans=tuple((int(start), int(end)) for start, end in record.get("spans", ())),
        derivation=str(record.get("derivation", "")),
        provider=str(record.get("provider", "")),
    )
