"""Tables that people open in a spreadsheet, which may take no text for a formula."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from leadline.data.documents import csv_rows
from leadline.data.fields import Record, any_columns
from leadline.data.writing import atomic_file

_FORMULA = re.compile("'*[=+\\-@\t\r\n\uff1d\uff0b\uff0d\uff20]")
"""How a formula begins, also where East Asian widths are typed; `'` may stand before it already."""


def write_sheet(path: str | Path, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> int:
    """Write a `.csv` and return the number of its rows. `'` goes before a text like a formula.

    Raises InputError when the file cannot be written.
    """
    cells = [[guarded(str(cell)) for cell in row] for row in rows]
    with atomic_file(path) as handle:
        # All are quoted, or a carriage return in a text would end its row.
        writer = csv.writer(handle, lineterminator="\n", quoting=csv.QUOTE_ALL)
        writer.writerow(columns)
        writer.writerows(cells)
    return len(cells)


def read_sheet(path: str | Path) -> list[Record]:
    """Return the rows of a sheet by column, with the texts as they were before they were written.

    Raises InputError when it cannot be read.
    """
    rows = [row for _, row in csv_rows(Path(path), any_columns)]
    return [{name: _as_it_was(cell) for name, cell in row.items()} for row in rows]


def guarded(cell: str) -> str:
    """Return a text that no spreadsheet takes for a formula."""
    return f"'{cell}" if _FORMULA.match(cell) else cell


def _as_it_was(cell: object) -> object:
    is_guarded = isinstance(cell, str) and cell.startswith("'") and _FORMULA.match(cell)
    return cell[1:] if isinstance(cell, str) and is_guarded else cell
