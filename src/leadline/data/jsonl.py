"""JSON lines: read and write records, and a corpus on disk that is read by offset."""

from __future__ import annotations

import hashlib
import json
import os
import re
import weakref
from array import array
from bisect import bisect_right
from collections.abc import Callable, ItemsView, Iterable, Iterator, Mapping, Sequence, ValuesView
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from threading import Lock
from typing import IO, Any

from leadline.data.fields import Record, as_document
from leadline.data.json_file import check_depth, may_be_deep
from leadline.data.lines import decoded, opened, raw_lines, unpacked
from leadline.data.writing import atomic_file
from leadline.errors import InputError
from leadline.types import Document

_BLOCK = 1 << 20
_decode = json.JSONDecoder().decode
_ESCAPE = re.compile(rb"\\.")
_NUMBER_FOR_TITLE = re.compile(rb'"title"\s*:\s*[-0-9IN]')
_ESCAPED_SURROGATE = re.compile(rb"\\u[dD][89a-fA-F]")


def read_records(path: str | Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield line number (from 1) and object of every line of a `.jsonl` or `.jsonl.gz`.

    Blank lines and a byte order mark are skipped.
    Raises InputError, which names file and line, if a line is not a JSON object in UTF-8.
    """
    path = Path(path)
    with opened(path) as handle:
        for number, _, line in raw_lines(handle, path):
            yield number, _parsed(line, path, number)


def write_records(path: str | Path, records: Iterable[Record]) -> None:
    """Write one JSON object a line, with keys in the given order and readable Unicode.

    The file appears complete or not at all. Raises InputError if it cannot be written, or a record
    has half a surrogate pair.
    """
    with atomic_file(path) as handle:
        for number, record in enumerate(records, start=1):
            try:
                handle.write(json.dumps(record, ensure_ascii=False) + "\n")
            except UnicodeEncodeError as error:
                raise _half_pair(f"{path}:{number}") from error


class JsonlCorpus(Mapping[str, Document]):
    """A corpus in a `.jsonl` or `.jsonl.gz`, read from disk document by document.

    Memory has only ids and offsets (about 200 bytes a document). The whole file is checked when it
    is opened. `values()` and `items()` read it in order, in large blocks; `corpus[id]` reads one
    line. Threads and forked processes may share it. A pickled one opens the file again.

    metadata     put the facets before each text, as in `as_document`
    fingerprint  digest of the file and of `metadata`

    Raises InputError, which names the line of a problem, both lines of a repeated id, or the file
    if it has no documents.
    """

    def __init__(self, path: str | Path, *, metadata: bool = False) -> None:
        self.path = Path(path)
        self.metadata = metadata
        self._handle = unpacked(self.path)
        weakref.finalize(self, self._handle.close)
        self._lock = Lock()
        digest = hashlib.blake2b(str(metadata).encode(), digest_size=16)
        self._positions, self._starts = _scanned(self._handle, self.path, digest)
        self.fingerprint = digest.hexdigest()

    def __getitem__(self, document_id: str) -> Document:
        position = self._positions[document_id]
        return self._document(
            document_id, self._bytes(self._starts[position], self._starts[position + 1])
        )

    def __contains__(self, document_id: object) -> bool:
        return document_id in self._positions

    def __iter__(self) -> Iterator[str]:
        return iter(self._positions)

    def __len__(self) -> int:
        return len(self._positions)

    def __repr__(self) -> str:
        return f"JsonlCorpus({str(self.path)!r}, {len(self):,} documents)"

    def __reduce__(self) -> tuple[Any, ...]:
        return _reopened, (self.path, self.metadata)

    @property
    def size(self) -> int:
        """Bytes of all lines, unpacked."""
        return self._starts[-1]

    def values(self) -> ValuesView[Document]:
        """Return all documents, read in order and in large blocks."""
        return _Documents(self)

    def items(self) -> ItemsView[str, Document]:
        """Return ids and documents, read in order and in large blocks."""
        return _Items(self)

    def parts(self, size: int, ids: Sequence[str] | None = None) -> Iterator[Lines]:
        """Yield the documents as unparsed lines, `size` at a time.

        ids  yield only these documents, in this order
        """
        names = iter(self._positions if ids is None else ids)
        for part in iter(lambda: tuple(islice(names, size)), ()):
            places = [self._positions[name] for name in part]
            yield Lines(str(self.path), self.metadata, part, self._lines(places))

    def _lines(self, places: Sequence[int]) -> tuple[bytes, ...]:
        starts, first = self._starts, places[0]
        if places[-1] - first != len(places) - 1:
            return tuple(self._bytes(starts[each], starts[each + 1]) for each in places)
        begin = starts[first]
        block = memoryview(self._bytes(begin, starts[places[-1] + 1]))
        return tuple(
            bytes(block[starts[each] - begin : starts[each + 1] - begin]) for each in places
        )

    def _stream(self) -> Iterator[Document]:
        ids, starts, first = iter(self._positions), self._starts, 0
        while first < len(self):
            last = max(first + 1, bisect_right(starts, starts[first] + _BLOCK) - 1)
            for line in self._lines(range(first, last)):
                yield self._document(next(ids), line)
            first = last

    def _document(self, document_id: str, line: bytes) -> Document:
        return _document_of(document_id, line, str(self.path), self.metadata)

    def _bytes(self, start: int, end: int) -> bytes:
        if hasattr(os, "pread"):  # needs no common position, so forked readers cannot collide
            return os.pread(self._handle.fileno(), end - start, start)
        with self._lock:
            self._handle.seek(start)
            return self._handle.read(end - start)


@dataclass(frozen=True, slots=True)
class Lines:
    """Some documents of a file, parsed on iteration. It can be pickled."""

    path: str
    metadata: bool
    ids: tuple[str, ...]
    lines: tuple[bytes, ...]

    def __iter__(self) -> Iterator[Document]:
        for document_id, line in zip(self.ids, self.lines, strict=True):
            yield _document_of(document_id, line, self.path, self.metadata)

    def that_may(self, match: Callable[[bytes], bool]) -> Iterator[Document]:
        """Yield the documents, except those whose lines cannot match.

        match  see `data.spreading.that_may`
        """
        for document_id, line in zip(self.ids, self.lines, strict=True):
            text = None if self.metadata else _plain(line)
            if text is None or match(text):
                yield _document_of(document_id, line, self.path, self.metadata)


def _plain(line: bytes) -> bytes | None:
    """Return a line with all letters and digits of its document, or None if that needs a parser.

    Escapes become spaces.
    """
    if b"\\u" in line or _NUMBER_FOR_TITLE.search(line):
        return None
    if b"\\" in line:
        line = _ESCAPE.sub(b"  ", line)
    if line.isascii():
        return line
    return line.decode(errors="replace").casefold().encode("ascii", "replace")


def _document_of(document_id: str, line: bytes, path: str, metadata: bool) -> Document:
    try:
        record = _decode(line.decode().strip())
        document: Document | None = as_document(record, path, metadata=metadata)
    except (InputError, ValueError, AttributeError, TypeError):
        document = None
    if document is None or document.id != document_id:
        raise InputError(
            f"{path} has changed while it was being read (document {document_id!r}). Start again, "
            "and leave the file unchanged during the run."
        )
    return document


class _Documents(ValuesView[Document]):
    _mapping: JsonlCorpus

    def __iter__(self) -> Iterator[Document]:
        return self._mapping._stream()


class _Items(ItemsView[str, Document]):
    _mapping: JsonlCorpus

    def __iter__(self) -> Iterator[tuple[str, Document]]:
        return ((document.id, document) for document in self._mapping._stream())


def _reopened(path: Path, metadata: bool) -> JsonlCorpus:
    return JsonlCorpus(path, metadata=metadata)


def _scanned(handle: IO[bytes], path: Path, digest: Any) -> tuple[dict[str, int], array[int]]:
    """Check every line, and return id -> position, and the offset of each line and of the end."""
    positions: dict[str, int] = {}
    starts, numbers = array("Q"), array("Q")
    end, name = 0, str(path)
    for number, start, line in raw_lines(handle, path):
        place = f"{name}:{number}"
        document_id = as_document(_parsed(line, path, number), place).id
        position = positions.setdefault(document_id, len(positions))
        if position < len(numbers):
            raise InputError(
                f"{place}: document id {document_id!r} occurs twice, first at "
                f"{path}:{numbers[position]}. Ids must be unique."
            )
        starts.append(start)
        numbers.append(number)
        end = start + len(line)
        digest.update(line)
    if not positions:
        raise InputError(f"{path} has no documents.")
    starts.append(end)
    return positions, starts


def _parsed(line: bytes, path: Path, number: int) -> dict[str, Any]:
    text = decoded(line, path, number)
    try:
        record = _decode(text)
    except json.JSONDecodeError as error:
        reason = f"{error.msg} at column {error.colno}"
        raise InputError(f"{path}:{number}: not JSON ({reason}). {_EXPECTED}") from error
    except (ValueError, RecursionError) as error:  # a number is too large, or nesting too deep
        raise InputError(f"{path}:{number}: not JSON ({error}). {_EXPECTED}") from error
    if not isinstance(record, dict):
        raise InputError(f"{path}:{number}: not a JSON object. {_EXPECTED}")
    if may_be_deep(line):
        check_depth(record, f"{path}:{number}")
    if _ESCAPED_SURROGATE.search(line):
        try:
            json.dumps(record, ensure_ascii=False).encode()
        except UnicodeEncodeError as error:
            raise _half_pair(f"{path}:{number}") from error
    return record


_EXPECTED = 'Each line must be one object, like {"_id": "1", "text": "..."}.'


def _half_pair(place: str) -> InputError:
    return InputError(
        f"{place}: half of a surrogate pair (\\ud800-\\udfff), which is not valid Unicode. "
        "Remove or replace it."
    )
