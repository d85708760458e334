"""Read and write tables for spreadsheets, with texts guarded so that they never run as formulas."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from leadline.data.documents import csv_rows
from leadline.data.fields import Record, any_columns
from leadline.data.writing import atomic_file

_FORMULA = re.compile("'*[=+\\-@\t\r\n\uff1d\uff0b\uff0d\uff20]")
"""How a formula begins, also in East Asian widths, and after a `'`."""


def write_sheet(path: str | Path, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> int:
    """Write a `.csv` and return its number of rows. A `'` is put before texts like formulas.

    Raises InputError if the file cannot be written.
    """
    cells = [[guarded(str(cell)) for cell in row] for row in rows]
    with atomic_file(path) as handle:
        # All cells are quoted, because a carriage return would otherwise end a row.
        writer = csv.writer(handle, lineterminator="\n", quoting=csv.QUOTE_ALL)
        writer.writerow(columns)
        writer.writerows(cells)
    return len(cells)


def read_sheet(path: str | Path) -> list[Record]:
    """Return the rows of a sheet by column, without the guards of `write_sheet`.

    Raises InputError if it cannot be read.
    """
    rows = [row for _, row in csv_rows(Path(path), any_columns)]
    return [{name: _as_it_was(cell) for name, cell in row.items()} for row in rows]


def guarded(cell: str) -> str:
    """Return a text that a spreadsheet never runs as a formula."""
    return f"'{cell}" if _FORMULA.match(cell) else cell


def _as_it_was(cell: object) -> object:
    is_guarded = isinstance(cell, str) and cell.startswith("'") and _FORMULA.match(cell)
    return cell[1:] if isinstance(cell, str) and is_guarded else cell
