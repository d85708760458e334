"""Read rows of a parquet file, which may unpack to far more than its size."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, Any

from leadline.data.fields import ColumnCheck, Record, check_columns
from leadline.data.limits import BYTES_PER_ROW, UNPACKED_RATIO, unpacked_limit
from leadline.data.lines import opened
from leadline.errors import InputError, needs

_MOST_ROWS = 4096
_AT_ONCE = 1 << 29
"""Bytes that rows which are read at once may take, were each as long as all dictionaries."""
_LARGEST_DICTIONARIES = 1 << 23
"""Bytes of texts that rows may share; those who write parquet stop at 1 or 2 MiB a column."""
_PORTION = 1 << 26
"""Bytes of texts that are written out at once."""
_DICTIONARY = 2
"""Type of a page that holds what the values of a column are numbers of."""


def parquet_rows(path: Path, check: ColumnCheck = check_columns) -> Iterator[tuple[str, Record]]:
    """Yield place and fields of every row.

    check  raises InputError for wrong columns

    A column whose rows share texts of more than the usual size is decoded to the dictionary in
    which these lie, and counted before each is written out where it stands, so that a small file
    cannot fill the memory.

    Raises InputError if it is not a parquet file, or unpacks to too much for its size.
    """
    with needs("parquet"):
        import pyarrow
        import pyarrow.parquet
    try:
        opened(path).close()  # a pipe would block
        schema = pyarrow.parquet.read_schema(path)
        schema = pyarrow.schema([(each.name, _plain(each.type)) for each in schema])
        shared, rows = _plan(path)
        with pyarrow.parquet.ParquetFile(path, read_dictionary=shared) as table:
            check(schema.names, path)
            # Threads would cost more than they save, as each batch is small.
            batches = table.iter_batches(rows, use_threads=False)
            for number, row in enumerate(_rows_of(batches, schema, path), start=1):
                yield f"row {number}", row
    except InputError:
        raise
    except (pyarrow.ArrowException, ValueError, ArithmeticError, MemoryError, KeyError) as error:
        reason = (str(error) or type(error).__name__).splitlines()[0][:200]
        raise InputError(f"{path} is not a readable parquet file ({reason}).") from error
    except OSError as error:
        reason = (error.strerror or str(error)).splitlines()[0][:200]
        raise InputError(f"Cannot read {path}: {reason}.") from error


def _plan(path: Path) -> tuple[list[str], int]:
    """Return the columns that are read as dictionaries, and how many rows are read at once.

    Raises InputError if the file declares too much content.
    """
    import pyarrow.parquet

    limit = unpacked_limit(path.stat().st_size)
    metadata = pyarrow.parquet.read_metadata(path)
    if metadata.num_rows * BYTES_PER_ROW > limit:
        raise _too_much(path)
    size = values = 0
    dictionaries: dict[str, float] = {}
    with path.open("rb") as handle:
        for group in range(metadata.num_row_groups):
            for place in range(metadata.num_columns):
                column = metadata.row_group(group).column(place)
                size += max(0, column.total_uncompressed_size)
                values += max(0, column.num_values)
                if column.physical_type != "BYTE_ARRAY":
                    continue
                is_list = metadata.schema.column(place).max_repetition_level > 0
                held = _dictionary_size(handle, column)
                if held * column.num_values <= _AT_ONCE // 8:
                    held = 0  # little, wherever it stands
                elif is_list:
                    held = math.inf  # no number of rows says how many of it
                name = column.path_in_schema
                dictionaries[name] = max(held, dictionaries.get(name, 0))
            if size > limit or values * 8 > limit * metadata.num_columns:
                raise _too_much(path)
    together = 1.0
    shared = []
    for name, held in sorted(dictionaries.items(), key=lambda item: item[1]):
        if together + held > _LARGEST_DICTIONARIES:
            shared.append(name)
        else:
            together += held
    return shared, min(_MOST_ROWS, int(_AT_ONCE // together))


def _dictionary_size(handle: IO[bytes], column: Any) -> float:
    """Return the bytes that the texts of a dictionary take; infinite when that cannot be told.

    The library does not tell it. A page begins with its type and its unpacked size, each as the
    byte 0x15 and a number of seven bits a byte whose last bit is the sign.
    Source: Apache Parquet, Thrift definition of PageHeader, compact protocol.
    """
    first = column.data_page_offset
    if column.dictionary_page_offset:
        first = min(first, column.dictionary_page_offset)  # where the library begins to read
    handle.seek(max(0, first))
    content = iter(handle.read(16))
    numbers: list[int] = []
    for byte in content:
        if byte != 0x15:
            return math.inf
        number = shift = 0
        for part in content:
            number |= (part & 0x7F) << shift
            shift += 7
            if part < 0x80:
                break
        numbers.append(number >> 1)
        if len(numbers) == 2:
            page, size = numbers
            return size if page == _DICTIONARY else 0
    return math.inf


def _rows_of(batches: Iterable[Any], schema: Any, path: Path) -> Iterator[dict[str, Any]]:
    """Yield the rows, until they exceed what a file of that size plausibly has."""
    left = unpacked_limit(path.stat().st_size)
    for batch in batches:
        for part, size in _portions(batch, schema):
            left -= BYTES_PER_ROW * part.num_rows + size
            if left < 0:
                raise _too_much(path)
            yield from _written_out(part, schema)


def _portions(batch: Any, schema: Any) -> Iterator[tuple[Any, int]]:
    """Yield a batch in portions small enough to expand, with at least one row each."""
    size = batch.nbytes if batch.schema.types == schema.types else _size_of_all(batch.columns)
    if batch.num_rows <= 1 or size <= _PORTION:
        yield batch, size
        return
    half = batch.num_rows // 2
    yield from _portions(batch.slice(0, half), schema)
    yield from _portions(batch.slice(half), schema)


def _written_out(batch: Any, schema: Any) -> list[dict[str, Any]]:
    if batch.schema.types == schema.types:
        try:
            rows: list[dict[str, Any]] = batch.to_pylist()
            return rows
        except (ValueError, OverflowError):
            pass  # a value that Python has no type for
    columns = map(_values, batch.columns, schema.types)
    return [dict(zip(schema.names, values, strict=True)) for values in zip(*columns, strict=True)]


def _size_of_all(arrays: Iterable[Any]) -> int:
    return sum(map(_size, arrays))


def _size(array: Any) -> int:
    """Return the bytes of an array if each text is expanded."""
    import pyarrow
    from pyarrow import compute

    kind = array.type
    if pyarrow.types.is_dictionary(kind):
        lengths = compute.take(compute.binary_length(array.dictionary), array.indices)
        return (compute.sum(lengths).as_py() or 0) + 8 * len(array)
    if pyarrow.types.is_struct(kind):
        return _size_of_all(array.flatten())
    if pyarrow.types.is_map(kind):
        return _size_of_all((array.keys, array.items))
    if pyarrow.types.is_list(kind) or pyarrow.types.is_large_list(kind):
        return _size(array.flatten()) + 8 * len(array)
    size: int = array.nbytes
    return size


def _plain(kind: Any) -> Any:
    """Return a type without dictionaries, which some tools declare in the file."""
    import pyarrow

    types = pyarrow.types
    if types.is_dictionary(kind):
        return _plain(kind.value_type)
    if types.is_list(kind) or types.is_large_list(kind):
        made = pyarrow.large_list if types.is_large_list(kind) else pyarrow.list_
        return made(kind.value_field.with_type(_plain(kind.value_type)))
    if types.is_struct(kind):
        fields = [kind.field(place) for place in range(kind.num_fields)]
        return pyarrow.struct([field.with_type(_plain(field.type)) for field in fields])
    if types.is_map(kind):
        return pyarrow.map_(_plain(kind.key_type), _plain(kind.item_type))
    return kind


def _values(array: Any, kind: Any) -> list[Any]:
    import pyarrow

    if array.type != kind:
        array = array.cast(kind)  # texts out of their dictionary
    try:
        values: list[Any] = array.to_pylist()
    except (ValueError, OverflowError):  # a date that Python cannot represent stays text
        values = array.cast(pyarrow.string()).to_pylist()
    return values


def _too_much(path: Path) -> InputError:
    return InputError(
        f"{path} unpacks to more than {UNPACKED_RATIO} times its size, which a table of texts "
        "never does. If you trust it, convert it to .jsonl first."
    )
