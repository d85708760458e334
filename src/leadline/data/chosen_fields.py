"""A corpus whose text and title stand in fields of other names."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from leadline.data.documents import csv_rows, read_corpus
from leadline.data.fields import Record, any_columns, as_document, names_of, written
from leadline.data.jsonl import read_records
from leadline.data.parquet import parquet_rows
from leadline.data.paths import is_file, is_folder
from leadline.errors import InputError
from leadline.types import Corpus, Document

_IN_FOLDERS = ("corpus.jsonl", "corpus.jsonl.gz", "records.jsonl", "records.jsonl.gz")


def read_with_fields(
    path: str | Path,
    *,
    text: str = "",
    title: str = "",
    metadata: bool = False,
    strict: bool = False,
) -> Corpus:
    """Return the documents of a table or of JSON lines, told where text and title stand.

    text, title       names of fields; "" leaves the usual ones. A list of strings is joined by
                      ", ".
    metadata, strict  as `read_corpus` takes them

    Every other field becomes a facet. Records whose text is missing, null or empty are left out.
    Where a field is named, the documents are held in memory.
    Raises InputError when no record has the field, or a folder has no such file.
    """
    if not text and not title:
        return read_corpus(path, metadata=metadata, strict=strict)
    file = _file_of(Path(path))
    documents: dict[str, Document] = {}
    seen: tuple[str, ...] = ()
    has_title = False
    for place, record in _records(file):
        seen = seen or tuple(map(str, record))
        has_title = has_title or title in record
        body = written(record.get(text or "text")) or ""
        if not body.strip():
            continue
        named = {**record, "text": body, "title": written(record.get(title or "title")) or ""}
        document = as_document(named, f"{file}:{place}", metadata=metadata, missing_id=place)
        if document.id in documents:
            raise InputError(
                f"{file}:{place}: document id {document.id!r} stands twice. Ids must differ."
            )
        documents[document.id] = document
    if not documents or (title and not has_title):
        missing = title if documents else text or "text"
        raise InputError(
            f"{file}: no record has a field {missing!r} with text; found {names_of(seen)}."
        )
    return documents


def _file_of(path: Path) -> Path:
    if not is_folder(path):
        return path
    for name in _IN_FOLDERS:
        if is_file(path / name):
            return path / name
    raise InputError(f"{path} holds no corpus.jsonl or records.jsonl whose fields could be named.")


def _records(path: Path) -> Iterator[tuple[str, Record]]:
    if path.suffix == ".csv":
        yield from csv_rows(path, any_columns)
    elif path.suffix == ".parquet":
        yield from parquet_rows(path, any_columns)
    else:
        for number, record in read_records(path):
            yield str(number), record
