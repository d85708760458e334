"""Read a corpus of any format as documents."""

from __future__ import annotations

import csv
import hashlib
import io
import random
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from shutil import rmtree
from typing import Any, TextIO
from uuid import uuid4

from leadline.data.cache import cache_folder
from leadline.data.fields import (
    ColumnCheck,
    Record,
    any_columns,
    as_document,
    check_columns,
    names_of,
    written,
)
from leadline.data.json_file import read_json
from leadline.data.jsonl import JsonlCorpus, read_records
from leadline.data.limits import LONGEST_LINE, UNPACKED_RATIO
from leadline.data.lines import numbered_lines, opened, too_long
from leadline.data.parquet import parquet_rows
from leadline.data.paths import exists, is_file, is_folder
from leadline.data.texts import TEXT_ENDINGS, is_bomb, read_texts
from leadline.errors import InputError
from leadline.types import Corpus, Document, Qrels, Query

_JSONL = (".jsonl", ".jsonl.gz")
_TABLES = (".csv", ".tsv", ".tsv.gz", ".parquet")
_FORMS = (
    "a folder with corpus.jsonl, a .jsonl, .jsonl.gz, .csv, .tsv or .parquet file, a folder of "
    f"{', '.join(TEXT_ENDINGS)} files, or a .zip of such a folder"
)
_NAMES = ("corpus", "records", "collection")
_IN_TSV = {2: ("_id", "text"), 3: ("_id", "title", "text"), 4: ("_id", "url", "title", "text")}
"""Columns of a .tsv without a header. MS MARCO has two or four."""


def read_corpus(path: str | Path, *, metadata: bool = False, strict: bool = False) -> Corpus:
    """Return the documents at `path`, in the order of the file.

    A folder with a file `corpus`, `records` or `collection` (.jsonl, .tsv, .csv, .parquet) is read
    as that file, a probe as the file it refers to, and any other folder as its texts, Markdown and
    HTML files. A `.jsonl` stays on disk and may be larger than memory. Other formats are held in
    memory. For fields see `as_document`. In a table without an id column the row number, from 1, is
    the id. A `.tsv` without a header has the columns id and text; id, title and text; or id,
    address, title and text.

    metadata  put the facets of each document before its text, so that systems see them
    strict    refuse a text file that cannot be read; else it is left out with a note

    Raises InputError, which names the problem and its place.
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
    raise InputError(f"{path} is not a corpus. A corpus is {_FORMS}.")


def corpus_file(folder: Path) -> Path | None:
    """Return the file with the documents of a folder, or None."""
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
            f"{path} has no corpus.jsonl. Give the file that is the corpus: {' or '.join(tables)}."
        )
    if not documents:
        other = f"; {ignored}" if ignored else ""
        raise InputError(
            f"{path} has no corpus.jsonl and no {', '.join(TEXT_ENDINGS)} file{other}."
        )
    return documents


def _collected(
    rows: Iterable[tuple[str, Record]],
    path: Path,
    metadata: bool,
    named: tuple[str, str] = ("", ""),
) -> dict[str, Document]:
    """Return the documents of rows with their places in the file.

    named  the fields for text and title, if given; then records without text are left out
    """
    documents: dict[str, Document] = {}
    places: dict[str, str] = {}
    text, title = (own or usual for own, usual in zip(named, ("text", "title"), strict=True))
    fields: tuple[str, ...] = ()
    missing = named[1]
    for number, (place, row) in enumerate(rows, start=1):
        where, own = f"{path}:{place}", str(number)
        if any(named):
            fields = fields or tuple(map(str, row))
            missing = missing if title not in row else ""
            body, own = written(row.get(text)) or "", place
            if not body.strip():
                continue
            row = {**row, "text": body, "title": written(row.get(title)) or ""}
        document = as_document(row, where, metadata=metadata, missing_id=own)
        if document.id in documents:
            raise InputError(
                f"{where}: document id {document.id!r} occurs twice, first at "
                f"{path}:{places[document.id]}. Ids must be unique."
            )
        documents[document.id] = document
        places[document.id] = place
    if any(named) and (missing or not documents):
        missing = missing if documents else text
        raise InputError(
            f"{path}: no record has text in a field {missing!r}. The fields are {names_of(fields)}."
        )
    if not documents:
        raise InputError(f"{path} has no documents.")
    return documents


def csv_rows(path: Path, check: ColumnCheck = check_columns) -> Iterator[tuple[str, Record]]:
    """Yield line number and fields of every row. Raises InputError if it is not CSV."""
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
            f"{place}: {len(row)} values for {len(columns)} columns. Put quotes around values "
            "with a comma."
        )
    return dict(zip(columns, row, strict=True))


def _tsv_rows(path: Path, check: ColumnCheck) -> Iterator[tuple[str, Record]]:
    """Yield line number and fields of every row. Quotes are part of a text."""
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
                f"{path}:{number}: expected {len(columns)} columns ({', '.join(columns)}), found "
                f"{len(cells)}. Separate them with tabs."
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
    """Return the documents of a table or JSON lines, with named fields for text and title.

    text, title       names of fields; "" for the usual ones. A list of strings is joined by ", ".
    metadata, strict  as in `read_corpus`

    Every other field becomes a facet. Records whose text is missing, null or empty are left out.
    With a named field, the documents are held in memory. Raises InputError if no record has the
    field, or a folder has no such file.
    """
    if not text and not title:
        return read_corpus(path, metadata=metadata, strict=strict)
    file = _file_of(Path(path))
    return _collected(_records(file), file, metadata, (text, title))


def _file_of(path: Path) -> Path:
    path = unzipped(path)
    if not is_folder(path):
        return path
    if file := corpus_file(path):
        return file
    raise InputError(
        f"{path} has no corpus.jsonl or records.jsonl, so --text-field and --title-field do not "
        "apply."
    )


def _records(path: Path) -> Iterator[tuple[str, Record]]:
    if path.name.endswith(_TABLES):
        yield from _table_rows(path, any_columns)
    else:
        for number, record in read_records(path):
            yield str(number), record


FIELD = "corpus_file"
LARGE = 16 << 20
"""Larger corpora, in bytes, are referred to and not copied."""


def reference_to(corpus: Corpus, folder: Path) -> dict[str, Any] | None:
    """Return the reference to a corpus file, or None if a copy should be written.

    A corpus is copied if it is small, not a JSON lines file, read with metadata in its texts, or in
    the folder itself.
    """
    if not isinstance(corpus, JsonlCorpus) or corpus.size < LARGE or corpus.metadata:
        return None
    path = corpus.path.resolve()
    if path.parent == folder.resolve():
        return None
    return {
        "path": str(path),
        "documents": len(corpus),
        "bytes": corpus.size,
        "digest": corpus.fingerprint,
    }


def referred_corpus(folder: Path, *, metadata: bool = False) -> JsonlCorpus | None:
    """Return the corpus that a folder refers to, or None.

    Raises InputError if that file is missing or has changed.
    """
    settings = folder / "benchmark.json"
    content = read_json(settings) if is_file(settings) else None
    told = content.get(FIELD) if isinstance(content, dict) else None
    if not isinstance(told, Mapping):
        return None
    path = told.get("path")
    if not isinstance(path, str) or not path.endswith((".jsonl", ".jsonl.gz")):
        raise InputError(f"{settings}: {FIELD!r} must have a 'path' to a .jsonl or .jsonl.gz.")
    if not is_file(path):
        raise InputError(
            f"{settings} refers to the corpus {path}, which does not exist. Put it back, or build "
            "the folder again. `leadline export` writes folders that include their corpus."
        )
    corpus = JsonlCorpus(path, metadata=metadata)
    same = (len(corpus), corpus.size) == (told.get("documents"), told.get("bytes"))
    if not same or (not metadata and corpus.fingerprint != told.get("digest")):
        raise InputError(
            f"{settings} refers to the corpus {path}, which has changed. Build the folder again, "
            "or restore the file."
        )
    return corpus


_MOST_FILES = 2_000_000


def unzipped(path: Path) -> Path:
    """Return the unpacked folder of a .zip; any other path unchanged.

    If all files are in one folder, as in those of BEIR, that folder is returned. Raises InputError
    for a damaged .zip, or one that unpacks to far more than its size.
    """
    if path.suffix.lower() != ".zip" or not is_file(path):
        return path
    about = path.stat()
    name = f"{path.resolve()} {about.st_size} {about.st_mtime_ns}"
    unpacked = cache_folder("unzipped") / hashlib.sha256(name.encode()).hexdigest()[:32]
    if not unpacked.exists():
        _unpack(path, unpacked)
    folder = unpacked / path.stem  # errors name this folder
    inside = [each for each in folder.iterdir() if each.name != "__MACOSX"]
    return inside[0] if len(inside) == 1 and inside[0].is_dir() else folder


def _unpack(path: Path, folder: Path) -> None:
    """Unpack next to the folder, and rename when it is complete."""
    part = folder.with_name(f".{folder.name}.{uuid4().hex[:8]}.part")
    try:
        with zipfile.ZipFile(path) as packed:
            if is_bomb(packed, path.stat().st_size) or len(packed.infolist()) > _MOST_FILES:
                raise InputError(
                    f"{path} unpacks to more than {UNPACKED_RATIO} times its size, which texts "
                    "never do. If you trust it, unpack it yourself."
                )
            packed.extractall(part / path.stem)  # no path leaves the folder, and no link is created
        part.rename(folder)
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError) as error:
        raise InputError(
            f"Cannot unpack {path} ({error}). Download it again, or unpack it yourself."
        ) from error
    except OSError as error:
        if not folder.exists():  # else another process was first
            raise InputError(
                f"Cannot unpack {path} into {folder.parent}: {error.strerror or error}. Set "
                "LEADLINE_CACHE to a folder with space that you may write to."
            ) from error
    finally:
        rmtree(part, ignore_errors=True)


def sampled(
    corpus: Corpus, count: int, seed: int, queries: Sequence[Query] = (), qrels: Qrels | None = None
) -> tuple[Corpus, Qrels | None]:
    """Return documents drawn at random, held in memory, and their judgements.

    count    number of documents; a smaller corpus is returned unchanged
    queries  the user's queries: documents that `qrels` call relevant are drawn first, so that a
             query keeps all its answers or none

    Documents keep the order of the corpus. Raises InputError if the count is below 1.
    """
    if count < 1:
        raise InputError(f"--sample must be at least 1, got {count}.")
    if len(corpus) <= count:
        return corpus, qrels
    rng = random.Random(f"{seed} sample")
    kept: set[str] = set()
    judged: dict[str, dict[str, int]] = {}
    asked = [query.id for query in queries if qrels and query.id in qrels]
    for query_id in rng.sample(asked, len(asked)):
        grades = qrels[query_id] if qrels else {}
        relevant = {id for id, grade in grades.items() if grade > 0 and id in corpus}
        if len(kept | relevant) <= count // 2 or not kept:
            kept |= relevant
    ids = list(corpus)
    others = [id for id in rng.sample(ids, len(ids)) if id not in kept]
    kept.update(others[: max(0, count - len(kept))])
    for query_id, grades in (qrels or {}).items():
        if all(id in kept for id, grade in grades.items() if grade > 0 and id in corpus):
            judged[query_id] = {id: grade for id, grade in grades.items() if id in kept}
    return {id: corpus[id] for id in ids if id in kept}, judged if qrels is not None else None
