"""Read and write runs and qrels in TREC format."""

from __future__ import annotations

import gzip
import io
import math
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TypeVar
from urllib.parse import quote, unquote

from leadline.data.limits import LARGEST_GRADE
from leadline.data.lines import decoded, opened, raw_lines
from leadline.data.writing import atomic_file
from leadline.errors import InputError
from leadline.types import Qrels, Run

ENCODED = "percent-encoded:"
"""Prefix of the tag of a run with percent-encoded ids."""

_BYTE_ORDER_MARK = "\ufeff"


def read_run(path: str | Path) -> Run:
    """Return a run (`query Q0 document rank score tag`; plain or `.gz`) in the order of the file.

    If only the compressed file exists (`bm25.trec.gz` for `bm25.trec`), that one is read. The rank
    column is ignored; ties keep the order of the file. Columns are separated by ASCII blanks. Ids
    are decoded if the tag of their line begins with `percent-encoded:`.

    Raises InputError, which names the line of a problem, and both lines of a document that occurs
    twice for one query.
    """
    path = Path(path)
    packed = _packed(path)
    if not path.exists() and packed.exists():
        path = packed
    return collected(lambda: _run_rows(path), path)


def write_run(path: str | Path, run: Run, tag: str = "leadline") -> None:
    """Write a run, with ranks from 1 in the order of the mapping and scores as `repr` prints them.

    A name that ends in `.gz` is written compressed, with the same bytes each time.

    If an id or the tag has blanks, all ids and the tag are percent-encoded, and the tag begins with
    `percent-encoded:`, so that `read_run` restores them. Queries without documents are not written.

    Raises InputError for a score that is not a number or an empty id, and if the file cannot be
    written.
    """
    encode = _needs_encoding(run, tag)
    written_tag = ENCODED + _encoded(tag) if encode else tag
    written = _encoded if encode else str
    path = Path(path)
    with _text_file(path) as handle:
        for query_id, scores in run.items():
            query = written(query_id)
            for rank, (document_id, score) in enumerate(scores.items(), start=1):
                _check_score(path, query_id, document_id, score)
                document = written(document_id)
                handle.write(f"{query} Q0 {document} {rank} {float(score)!r} {written_tag}\n")


def read_qrels(path: str | Path) -> Qrels:
    """Return qrels (`query iteration document grade`; plain or `.gz`), in the order of the file.

    Raises InputError, which names the line of a problem, and both lines if a document has two
    grades for one query.
    """
    path = Path(path)
    return collected(lambda: trec_rows(path), path, repeats=True)


def is_trec(line: str) -> bool:
    """Return whether a line of qrels has the four columns of TREC."""
    columns = line.split()
    return len(columns) == 4 and is_number(columns[3])


def _packed(path: Path) -> Path:
    return path.with_name(f"{path.name}.gz")


@contextmanager
def _text_file(path: Path) -> Iterator[IO[str]]:
    """Yield a handle for text, compressed if the name ends in `.gz`."""
    if path.suffix != ".gz":
        with atomic_file(path) as handle:
            yield handle
        return
    with (
        atomic_file(path, "wb") as file,
        gzip.GzipFile("", "wb", fileobj=file, mtime=0) as packed,
        io.TextIOWrapper(packed, encoding="utf-8", newline="\n") as text,
    ):
        yield text


def _run_rows(path: Path) -> Iterator[tuple[int, str, str, float]]:
    for number, columns in _columns(path, 6, "query Q0 document rank score tag"):
        query_id, _, document_id, _, written, tag = columns
        try:
            score = float(written)
        except ValueError:
            score = math.nan
        if math.isnan(score):
            raise InputError(
                f"{path}:{number}: the score must be a number, got {written[:60]!r} "
                f"(query {query_id[:80]!r}, document {document_id[:80]!r})."
            )
        if tag.startswith(ENCODED):
            query_id, document_id = unquote(query_id), unquote(document_id)
        yield number, query_id, document_id, score


def trec_rows(path: Path) -> Iterator[tuple[int, str, str, int]]:
    """Yield line number, query, document and grade of qrels in TREC format."""
    for number, columns in _columns(path, 4, "query iteration document grade"):
        query_id, _, document_id, grade = columns
        yield number, query_id, document_id, integer(grade, f"{path}:{number}")


def _columns(path: Path, count: int, names: str) -> Iterator[tuple[int, list[str]]]:
    with opened(path) as handle:
        for number, _, line in raw_lines(handle, path):
            decoded(line, path, number)
            columns = [column.decode() for column in line.split()]
            if len(columns) != count:
                raise InputError(
                    f"{path}:{number}: expected {count} columns ({names}), found {len(columns)}."
                )
            yield number, columns


def _needs_encoding(run: Run, tag: str) -> bool:
    if tag.startswith(ENCODED) or not _is_plain(tag):
        return True
    return not all(
        _is_plain(query_id) and all(map(_is_plain, scores)) for query_id, scores in run.items()
    )


def _is_plain(name: str) -> bool:
    return name.split() == [name] and _BYTE_ORDER_MARK not in name


def _encoded(name: str) -> str:
    return "".join(
        quote(each, safe="") if each.isspace() or each in ("%", _BYTE_ORDER_MARK) else each
        for each in name
    )


def _check_score(path: str | Path, query_id: str, document_id: str, score: float) -> None:
    if math.isnan(score):
        raise InputError(
            f"{path}: the score of document {document_id!r} for query {query_id!r} is not a number."
        )
    if not query_id or not document_id:
        raise InputError(f"{path}: a run cannot have an empty id (query {query_id!r}).")


V = TypeVar("V", int, float)


def collected(
    rows: Callable[[], Iterable[tuple[int, str, str, V]]], path: Path, *, repeats: bool = False
) -> dict[str, dict[str, V]]:
    """Return the values of all rows in the order of the file.

    rows     yields line number, query id, document id and value; called again to find a problem
    repeats  allow a line that repeats an earlier one

    Raises InputError, which names both lines, if a document occurs twice for one query.
    """
    values: dict[str, dict[str, V]] = {}
    for number, query_id, document_id, value in rows():
        of_query = values.setdefault(query_id, {})
        if document_id not in of_query:
            of_query[document_id] = value
        elif not repeats or of_query[document_id] != value:
            first = next(row[0] for row in rows() if row[1:3] == (query_id, document_id))
            raise InputError(
                f"{path}:{number}: document {document_id[:80]!r} occurs twice for query "
                f"{query_id[:80]!r}, first at {path}:{first}. Remove one of the lines."
            )
    return values


def integer(text: str, place: str) -> int:
    """Return a grade, which may be written `1.0`.

    Raises InputError, which names the place, if it is not an integer.
    """
    try:
        grade = int(text)
    except ValueError:
        grade = _whole(text, place)
    if abs(grade) > LARGEST_GRADE:
        raise InputError(f"{place}: the grade {text[:60]} is larger than {LARGEST_GRADE}.")
    return grade


def _whole(text: str, place: str) -> int:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not value.is_integer():
        raise InputError(f"{place}: the grade must be an integer, got {text[:60]!r}.")
    return int(value)


def is_number(text: str) -> bool:
    """Return whether a column is a number, including `nan` and `inf`."""
    try:
        float(text)
    except ValueError:
        return any(each.isdigit() for each in text)
    return True
