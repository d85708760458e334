"""Which format a file of queries has, told by its name and content, and the records in it.

JSON lines; TREC topics (`<top>` with `<num>` and `<title>`, or `<topic number="1">`); tables with
an id and a text (`.tsv`, `.csv`, or a `.txt` whose lines all begin with an id and a tab); and plain
text with a query a line.
"""

from __future__ import annotations

import csv
import html
import json
import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate
from pathlib import Path
from typing import Any, TypeAlias

from leadline.data.jsonl import read_records
from leadline.data.lines import numbered_lines
from leadline.errors import InputError

_Lines: TypeAlias = Sequence[tuple[int, str]]
_Records: TypeAlias = Iterator[tuple[int, Mapping[str, Any]]]

_IDS = ("_id", "id", "qid", "query_id", "query-id", "topic", "topic_id", "number", "num",
        "identifier")  # fmt: skip
_TEXTS = ("text", "title", "query", "question")
_TOPIC = re.compile(r"<top(?:ic)?\b([^<>]*)>", re.IGNORECASE)
_FIELD = re.compile(r"<([a-z]+)\b[^<>]*>((?:[^<]|<(?![/a-z]))*)", re.IGNORECASE)
_NUMBER = re.compile(r"\b(?:number|num|id|qid)\s*=\s*[\"']([^\"']*)", re.IGNORECASE)
_LABEL = re.compile(r"^\s*(?:number|topic|title)\s*:", re.IGNORECASE)
_CDATA = re.compile(r"<!\[CDATA\[|\]\]>")
_NUMBERED = re.compile(r"\d+:\s*[^\s\d]")


def query_records(path: Path) -> _Records:
    """Yield line number and record (`_id`, `text`, and what else JSON holds) of every query.

    The text of a TREC topic is its title, or its query; description and narrative are not read.
    In plain text the number of its line is the id of a query.

    Raises InputError that names the line of what cannot be read.
    """
    ending = path.name.lower().removesuffix(".gz").rpartition(".")[2]
    if ending.startswith("json"):
        return read_records(path)
    lines = list(numbered_lines(path))
    if ending == "xml" or any(_TOPIC.match(line.lstrip()) for _, line in lines):
        return _topics(path, lines)
    if lines and _is_object(lines[0][1]):
        return read_records(path)
    if ending in ("tsv", "csv"):
        return _table(path, lines, "," if ending == "csv" else "\t")
    cells = [line.split("\t") for _, line in lines]
    if cells and all(map(_begins_with_id, cells[bool(_header(cells[0])) :])):
        return _table(path, lines, "\t")
    if cells and all(_NUMBERED.match(line) for _, line in lines):
        return _table(path, [(number, line.replace(":", "\t", 1)) for number, line in lines], "\t")
    return ((number, {"_id": str(number), "text": line.strip()}) for number, line in lines)


def _is_object(line: str) -> bool:
    try:
        return isinstance(json.loads(line), dict)
    except ValueError:
        return False


def _begins_with_id(cells: Sequence[str]) -> bool:
    return len(cells) == 2 and len(cells[0].split()) == 1 and any(c.isdigit() for c in cells[0])


def _table(path: Path, lines: _Lines, mark: str) -> _Records:
    """Read a table with or without a line that names its columns."""
    rows = list(_rows(lines, mark))
    columns = _header(rows[0][1]) if rows else None
    if columns is None:
        columns, others = (0, 1), rows[1:]
        if (
            others
            and not _begins_with_id(rows[0][1])
            and all(_begins_with_id(r) for _, r in others)
        ):
            rows = others  # the first line names its columns in words of its own
    else:
        rows = rows[1:]
    for number, cells in rows:
        if len(cells) <= max(columns) or (columns == (0, 1) and len(cells) > 2):
            raise InputError(
                f"{path}:{number}: {len(cells)} columns. A table of queries has an id and a text, "
                "or a first line that names its columns (id, text)."
            )
        yield number, {"_id": cells[columns[0]], "text": cells[columns[1]]}


def _rows(lines: _Lines, mark: str) -> Iterator[tuple[int, list[str]]]:
    """Yield number and cells of each row; in a .csv a quoted cell may go over several lines."""
    numbers = []

    def fed() -> Iterator[str]:
        for number, line in lines:
            numbers.append(number)
            yield f"{line}\n"

    # In a .tsv a text may begin with a quote that nothing closes.
    quoting: Any = csv.QUOTE_NONE if mark == "\t" else csv.QUOTE_MINIMAL
    for row in csv.reader(fed(), delimiter=mark, quoting=quoting):
        cells = [_unquoted(cell.strip()) for cell in row]
        while len(cells) > 2 and not cells[-1]:
            cells.pop()
        yield numbers[-1], cells


def _header(cells: Sequence[str]) -> tuple[int, int] | None:
    """Return the places of id and text, where a line names them."""
    names = [cell.strip().casefold() for cell in cells]
    id, text = (
        next((names.index(each) for each in known if each in names), None)
        for known in (_IDS, _TEXTS)
    )
    return None if id is None or text is None else (id, text)


def _unquoted(cell: str) -> str:
    quoted = len(cell) > 1 and cell[0] == cell[-1] == '"'
    return cell[1:-1].replace('""', '"') if quoted else cell


def _topics(path: Path, lines: _Lines) -> _Records:
    """Read topics in SGML, where nothing need be closed, or in XML."""
    ends = list(accumulate(len(line) + 1 for _, line in lines))
    content = "\n".join(line for _, line in lines)
    heads = list(_TOPIC.finditer(content))
    if not heads:
        raise InputError(
            f"{path} holds no <top> or <topic>, as TREC topics do. Give queries as such topics, as "
            "JSON lines (_id, text), as a table (.tsv, .csv), or one a line (.txt)."
        )
    for head, end in zip(heads, [*(each.start() for each in heads[1:]), len(content)], strict=True):
        number = lines[bisect_right(ends, head.start())][0]
        yield number, _topic(head, content[head.end() : end], f"{path}:{number}")


def _topic(head: re.Match[str], content: str, place: str) -> Mapping[str, Any]:
    fields: dict[str, str] = {}
    for name, value in _FIELD.findall(_CDATA.sub("", content)):
        text = " ".join(html.unescape(_LABEL.sub("", value)).split())
        fields.setdefault(name.casefold(), text)
    number = _NUMBER.search(head[1])
    id = number[1].strip() if number else _first(fields, _IDS)
    text = _first(fields, _TEXTS[1:])
    if not id or not text:
        raise InputError(
            f"{place}: a TREC topic needs a number (<num>) and a title (<title> or <query>), got "
            f"{', '.join(fields) or 'neither'}."
        )
    return {"_id": id, "text": text}


def _first(fields: Mapping[str, str], names: Sequence[str]) -> str:
    return next((fields[each] for each in names if fields.get(each)), "")
