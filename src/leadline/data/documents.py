"""Any corpus that a user has, read as documents."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TextIO

from leadline.data.corpus_reference import referred_corpus
from leadline.data.fields import (
    ColumnCheck,
    Record,
    any_columns,
    as_document,
    check_columns,
    names_of,
    written,
)
from leadline.data.jsonl import JsonlCorpus, read_records
from leadline.data.limits import LONGEST_LINE
from leadline.data.lines import numbered_lines, opened, too_long
from leadline.data.parquet import parquet_rows
from leadline.data.paths import exists, is_file, is_folder
from leadline.data.texts import TEXT_ENDINGS, read_texts
from leadline.data.zipped import unzipped
from leadline.errors import InputError
from leadline.types import Corpus, Document

_JSONL = (".jsonl", ".jsonl.gz")
_TABLES = (".csv", ".tsv", ".tsv.gz", ".parquet")
_FORMS = (
    "a folder with corpus.jsonl, a .jsonl, .jsonl.gz, .csv, .tsv or .parquet file, a folder of "
    f"{', '.join(TEXT_ENDINGS)} files, or a .zip of such a folder"
)
_NAMES = ("corpus", "records", "collection")
_IN_TSV = {2: ("_id", "text"), 3: ("_id", "title", "text"), 4: ("_id", "url", "title", "text")}
"""Columns of a .tsv that does not name them; with two and with four it is one of MS MARCO's."""


def read_corpus(path: str | Path, *, metadata: bool = False, strict: bool = False) -> Corpus:
    """Return the documents at `path`, in the order in which they stand there.

    A folder with a file `corpus`, `records` or `collection` (.jsonl, .tsv, .csv, .parquet) is read
    as that file, a probe as the file that it refers to; any other folder as its texts, Markdown and
    HTML files. A `.jsonl` is read from disk when a document is asked for and may be larger than
    memory, the other forms are held in memory. Fields: see `as_document`; a row of a table without
    an id column has its number, from 1, as id. A `.tsv` may do without a first line that names its
    columns: then they are id and text; id, title and text; or id, address, title and text.

    metadata  put the facets of each document before its text, so that systems see them
    strict    of a folder of texts, refuse a file that cannot be read; else it is left out and told

    Raises InputError that names what is not as it should be, and where.
    """
    path = unzipped(Path(path))
    if is_folder(path):
        return _read_folder(path, metadata, strict)
    if not exists(path):
        raise InputError(f"There is no corpus at {str(path)[:500]}. A corpus is {_FORMS}.")
    if path.name.endswith(_JSONL):
        return JsonlCorpus(path, metadata=metadata)
    if path.name.endswith(_TABLES):
        return _collected(_table_rows(path, check_columns), path, metadata)
    raise InputError(f"{path} is no corpus that can be read. A corpus is {_FORMS}.")


def corpus_file(folder: Path) -> Path | None:
    """Return the file of a folder that holds its documents; None where it has none."""
    names = (folder / f"{name}{end}" for name in _NAMES for end in (*_JSONL, *_TABLES))
    return next((path for path in names if is_file(path)), None)


def _read_folder(path: Path, metadata: bool, strict: bool) -> Corpus:
    if file := corpus_file(path):
        return read_corpus(file, metadata=metadata)
    if referred := referred_corpus(path, metadata=metadata):
        return referred
    documents, ignored = read_texts(path, strict=strict)
    tables = sorted(str(each) for each in path.iterdir() if each.name.endswith((*_JSONL, *_TABLES)))
    if tables and all(Path(each).stem.lower() == "readme" for each in documents):
        raise InputError(
            f"{path} holds no corpus.jsonl. Which file is the corpus: {' or '.join(tables)}?"
        )
    if not documents:
        other = f"; {ignored}" if ignored else ""
        raise InputError(
            f"{path} holds no corpus.jsonl and no {', '.join(TEXT_ENDINGS)} file{other}."
        )
    return documents


def _collected(
    rows: Iterable[tuple[str, Record]], path: Path, metadata: bool
) -> dict[str, Document]:
    documents: dict[str, Document] = {}
    places: dict[str, str] = {}
    for number, (place, row) in enumerate(rows, start=1):
        where = f"{path}:{place}"
        document = as_document(row, where, metadata=metadata, missing_id=str(number))
        if document.id in documents:
            raise InputError(
                f"{where}: document id {document.id!r} stands twice, first at "
                f"{path}:{places[document.id]}. Ids must differ."
            )
        documents[document.id] = document
        places[document.id] = place
    if not documents:
        raise InputError(f"{path} holds no documents.")
    return documents


def csv_rows(path: Path, check: ColumnCheck = check_columns) -> Iterator[tuple[str, Record]]:
    """Yield number of the line and fields of every row. Raises InputError for what is no CSV."""
    csv.field_size_limit(LONGEST_LINE)
    try:
        with opened(path) as content:
            handle = io.TextIOWrapper(content, encoding="utf-8-sig", newline="")
            reader = csv.reader(_lines(handle, path), strict=True)
            columns = next(reader, [])
            check(columns, path)
            while True:
                line = reader.line_num + 1
                row = next(reader, None)
                if row is None:
                    return
                if row:
                    yield str(line), _csv_row(columns, row, f"{path}:{line}")
    except UnicodeDecodeError as error:
        raise InputError(
            f"{path}: not UTF-8 after line {reader.line_num}. Save the file as UTF-8, or check "
            "that it is text."
        ) from error
    except csv.Error as error:
        raise InputError(f"{path}:{reader.line_num}: not CSV ({error}).") from error
    except OSError as error:
        raise InputError(f"Cannot read {path}: {error.strerror or error}.") from error


def _lines(handle: TextIO, path: Path) -> Iterator[str]:
    """Yield the lines of a file with their ends, none longer than any that is read."""
    lines = iter(partial(handle.readline, LONGEST_LINE + 1), "")
    for number, line in enumerate(lines, start=1):
        if len(line) > LONGEST_LINE:
            raise too_long(path, number)
        yield line


def _csv_row(columns: list[str], row: list[str], place: str) -> Record:
    if len(row) != len(columns):
        raise InputError(
            f"{place}: {len(row)} values for {len(columns)} columns. Does a value with a comma "
            "lack its quotes?"
        )
    return dict(zip(columns, row, strict=True))


def _tsv_rows(path: Path, check: ColumnCheck) -> Iterator[tuple[str, Record]]:
    """Yield number of the line and fields of every row; quotes are part of a text."""
    columns: Sequence[str] = ()
    for number, line in numbered_lines(path):
        cells = line.split("\t")
        if not columns:
            named = [cell.strip() for cell in cells]
            columns = named if "text" in named else _IN_TSV.get(len(cells), named)
            check(columns, path)
            if columns is named:
                continue
        if len(cells) != len(columns):
            raise InputError(
                f"{path}:{number}: {len(cells)} columns where {len(columns)} are needed, divided "
                f"by tabs ({', '.join(columns)})."
            )
        yield str(number), dict(zip(columns, cells, strict=True))


def _table_rows(path: Path, check: ColumnCheck) -> Iterator[tuple[str, Record]]:
    if path.suffix == ".parquet":
        return parquet_rows(path, check)
    return csv_rows(path, check) if path.suffix == ".csv" else _tsv_rows(path, check)


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
    path = unzipped(path)
    if not is_folder(path):
        return path
    if file := corpus_file(path):
        return file
    raise InputError(f"{path} holds no corpus.jsonl or records.jsonl whose fields could be named.")


def _records(path: Path) -> Iterator[tuple[str, Record]]:
    if path.name.endswith(_TABLES):
        yield from _table_rows(path, any_columns)
    else:
        for number, record in read_records(path):
            yield str(number), record
