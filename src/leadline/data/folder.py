"""Benchmark folders: corpus.jsonl, queries.jsonl and qrels/test.tsv as in BEIR, and more."""

from __future__ import annotations

import csv
import html
import json
import operator
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from pathlib import Path
from typing import Any, TypeAlias

from leadline.data.documents import (
    FIELD,
    corpus_file,
    read_corpus,
    reference_to,
    referred_corpus,
    unzipped,
)
from leadline.data.fields import (
    Record,
    identifier,
    optional_string,
    required_string,
    string_mapping,
)
from leadline.data.json_file import read_json
from leadline.data.jsonl import read_records, write_records
from leadline.data.lines import numbered_lines
from leadline.data.paths import exists, is_file, is_folder
from leadline.data.trec import collected, integer, is_number, is_trec, trec_rows
from leadline.data.writing import atomic_file, made_folder, remove_file
from leadline.errors import InputError
from leadline.types import Candidates, Corpus, Document, Qrels, Query

_HEADER = ("query-id", "corpus-id", "score")
_QUERIES = ("queries", "topics")
_QUERY_FORMATS = ("jsonl", "tsv", "csv", "txt", "trec", "xml")
_QREL_FORMATS = ("tsv", "txt", "trec", "csv", "qrels")


@dataclass(frozen=True)
class Folder:
    """The content of a benchmark folder. `settings` is the content of benchmark.json."""

    corpus: Corpus
    queries: Sequence[Query]
    qrels: Qrels = field(default_factory=dict)
    candidates: Candidates | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)


def read_folder(path: str | Path, split: str = "test", *, metadata: bool = False) -> Folder:
    """Read any BEIR or benchmark folder, or the files of another collection in one folder.

    Documents may also be in collection.tsv, corpus.tsv, .csv or .parquet, queries in `queries.*` or
    `topics.*` of any supported format (queries.dev.tsv for the split dev), and judgements in
    `qrels.*` (qrels.dev.tsv).

    A query that only another split judges is left out, with the unjudged variants of its topic.
    Without any judgements, the qrels are empty.

    split     name of the file in `qrels`, without `.tsv`
    metadata  put the facets of each document before its text

    Raises InputError, which names the file and the line of the problem.
    """
    path = unzipped(Path(path))
    if not is_folder(path):
        raise InputError(f"There is no benchmark folder {str(path)[:500]}.")
    qrels = _read_split(path, split)
    file = queries_file(path, split)
    if file is None:
        raise _missing(path, "queries.jsonl")
    queries = read_queries(file)
    others = [each for name, each in qrels_files(path).items() if name != split]
    kept = _of_split(queries, qrels, others)
    candidates = None
    if exists(path / "candidates.jsonl"):
        left_out = {query.id for query in queries} - {query.id for query in kept}
        candidates = {
            query_id: document_ids
            for query_id, document_ids in read_candidates(path / "candidates.jsonl").items()
            if query_id not in left_out
        }
    settings = _read_settings(path / "benchmark.json")
    corpus: Corpus | None = None
    documents = corpus_file(path)
    if settings.pop(FIELD, None) and documents is None:
        corpus = referred_corpus(path, metadata=metadata)
    if corpus is None:
        if documents is None:
            raise _missing(path, "corpus.jsonl")
        corpus = read_corpus(documents, metadata=metadata)
    return Folder(corpus, kept, qrels, candidates, settings)


def write_folder(path: str | Path, folder: Folder, *, refer: bool = False) -> None:
    """Write a benchmark folder. The same content gives the same bytes.

    refer  refer to the file of a large corpus instead of copying it

    Old files that do not belong to it (such as candidates.jsonl) are removed. Raises InputError if
    the format cannot represent an id, or a file cannot be written.
    """
    path = made_folder(path)
    # Queries are removed first and written last, so that an unfinished folder is not valid.
    for name in ("queries.jsonl", "queries.jsonl.gz", "candidates.jsonl", "benchmark.json"):
        remove_file(path / name)
    settings = dict(folder.settings)
    if refer and (reference := reference_to(folder.corpus, path)):
        settings[FIELD] = reference
        for name in ("corpus.jsonl", "corpus.jsonl.gz"):
            remove_file(path / name)
    else:
        write_corpus(path / "corpus.jsonl", folder.corpus)
    write_beir_qrels(path / "qrels" / "test.tsv", folder.qrels)
    if folder.candidates is not None:
        write_candidates(path / "candidates.jsonl", folder.candidates)
    if settings:
        with atomic_file(path / "benchmark.json") as handle:
            handle.write(json.dumps(settings, ensure_ascii=False, indent=2) + "\n")
    write_queries(path / "queries.jsonl", folder.queries)


def write_corpus(path: str | Path, corpus: Corpus) -> None:
    """Write a corpus as `.jsonl`, with facets as `metadata`, one document at a time."""
    write_records(path, (_document_record(document) for document in corpus.values()))


def read_queries(path: str | Path) -> list[Query]:
    """Return the queries of a file in any supported format, plain or `.gz`.

    Fields of JSON lines: `_id` (or `id`), `text`, and optionally `topic` (default: the id),
    `instruction`, `facets`, `answer` and `accepted` (other forms of the answer). In a file with one
    query a line, the line number is the id.

    Raises InputError, which names the line of a problem, and both lines of a repeated id.
    """
    queries: list[Query] = []
    numbers: dict[str, int] = {}
    for number, record in query_records(Path(path)):
        place = f"{path}:{number}"
        query = _query(record, place)
        if query.id in numbers:
            raise InputError(
                f"{place}: query id {query.id!r} occurs twice, first at "
                f"{path}:{numbers[query.id]}. Ids must be unique."
            )
        numbers[query.id] = number
        queries.append(query)
    if not queries:
        raise InputError(f"{path} has no queries.")
    return queries


def write_queries(path: str | Path, queries: Iterable[Query]) -> None:
    """Write queries as `.jsonl`, each with its non-empty fields."""
    write_records(path, map(_query_record, queries))


def read_beir_qrels(path: str | Path) -> Qrels:
    """Return the qrels of a `.tsv` or `.csv` with the columns query id, document id, grade.

    The header is optional, ids may be quoted, and a grade of 1.0 is 1. Qrels in TREC format
    (`query iteration document grade`) are read too.

    Raises InputError, which names the line of a problem, and both lines if a document has two
    grades for one query.
    """
    path = Path(path)
    return collected(lambda: _qrels_rows(path), path, repeats=True)


def write_beir_qrels(path: str | Path, qrels: Qrels) -> None:
    """Write qrels in BEIR format. Raises InputError if the format cannot represent an id."""
    with atomic_file(path) as handle:
        handle.write("\t".join(_HEADER) + "\n")
        for query_id, grades in qrels.items():
            _check_id(path, "query", query_id)
            for document_id, grade in grades.items():
                _check_id(path, "document", document_id)
                handle.write(f"{query_id}\t{document_id}\t{operator.index(grade)}\n")


def read_candidates(path: str | Path) -> Candidates:
    """Return the candidates of a `.jsonl` with the fields `query-id` and `corpus-ids`.

    Raises InputError, which names the line of a problem or of a repeated query.
    """
    candidates: dict[str, tuple[str, ...]] = {}
    for number, record in read_records(path):
        place = f"{path}:{number}"
        query_id = identifier(record, "query-id", place)
        if query_id in candidates:
            raise InputError(f"{place}: query {query_id!r} occurs twice. Join the two lines.")
        candidates[query_id] = _document_ids(record, place)
    return candidates


def write_candidates(path: str | Path, candidates: Candidates) -> None:
    """Write candidates as `.jsonl`, in their order."""
    write_records(
        path,
        (
            {"query-id": query_id, "corpus-ids": list(document_ids)}
            for query_id, document_ids in candidates.items()
        ),
    )


def queries_file(folder: Path, split: str = "test") -> Path | None:
    """Return the file with the queries of a folder, or None."""
    names = (
        folder / f"{name}{part}.{ending}{packed}"
        for name in _QUERIES
        for part in (f".{split}", "")
        for ending in _QUERY_FORMATS
        for packed in ("", ".gz")
    )
    return next((path for path in names if is_file(path)), None)


def query_files(folder: Path) -> list[Path]:
    """Return the files with the queries of a folder, of all splits."""
    found = (queries_file(folder, split) for split in ("test", *qrels_files(folder)))
    return list(dict.fromkeys(path for path in found if path is not None))


def _missing(folder: Path, name: str) -> InputError:
    return InputError(
        f"{folder} has no {name} or {name}.gz. A benchmark folder needs corpus.jsonl, "
        "queries.jsonl and qrels/test.tsv. See docs/reference/files.md."
    )


def qrels_files(folder: Path) -> dict[str, Path]:
    """Return the qrels files by split: qrels/dev.tsv or qrels.dev.tsv; qrels.tsv is test."""
    found = {path.stem: path for path in sorted((folder / "qrels").glob("*.tsv"))}
    for path in [] if found else sorted(folder.glob("qrels*")):
        name, _, ending = path.name.removesuffix(".gz").rpartition(".")
        if ending in _QREL_FORMATS and is_file(path):
            found.setdefault(name.removeprefix("qrels").lstrip("._-") or "test", path)
    return found


def _read_split(folder: Path, split: str) -> Qrels:
    splits = qrels_files(folder)
    if splits and split not in splits:
        raise InputError(
            f"{folder} has no qrels for the split {split!r}. It has: {', '.join(splits)}. Name "
            f"one with --split {next(iter(splits))}, or with -b "
            f"{folder}:split={next(iter(splits))}."
        )
    return read_beir_qrels(splits[split]) if splits else {}


def _of_split(queries: list[Query], qrels: Qrels, others: list[Path]) -> list[Query]:
    """Leave out queries that only another split judges, and their variants."""
    if not others:
        return queries
    judged_elsewhere = {
        query_id for path in others for _, query_id, _, _ in _qrels_rows(path)
    } - qrels.keys()
    topics = {query.topic for query in queries if query.id in qrels}
    topics_elsewhere = {query.topic for query in queries if query.id in judged_elsewhere} - topics
    return [
        query
        for query in queries
        if query.id not in judged_elsewhere and query.topic not in topics_elsewhere
    ]


def _read_settings(path: Path) -> dict[str, Any]:
    if not exists(path):
        return {}
    settings = read_json(path)
    if not isinstance(settings, dict):
        raise InputError(f"{path} must be one JSON object.")
    return settings


def _query(record: Record, place: str) -> Query:
    query_id = identifier(record, "_id" if "_id" in record else "id", place)
    return Query(
        id=query_id,
        text=required_string(record, "text", place),
        topic=optional_string(record, "topic", place) or query_id,
        instruction=optional_string(record, "instruction", place),
        facets=string_mapping(record, "facets", place),
        answer=optional_string(record, "answer", place),
        accepted=_strings(record, "accepted", place),
    )


def _strings(record: Record, name: str, place: str) -> tuple[str, ...]:
    values = record.get(name) or []
    if not isinstance(values, list) or not all(isinstance(each, str) for each in values):
        raise InputError(f"{place}: {name!r} must be a list of texts.")
    return tuple(values)


def _query_record(query: Query) -> Record:
    optional = {
        "topic": query.topic if query.topic != query.id else "",
        "instruction": query.instruction,
        "facets": dict(query.facets),
        "answer": query.answer,
        "accepted": list(query.accepted),
    }
    return {
        "_id": query.id,
        "text": query.text,
        **{name: value for name, value in optional.items() if value},
    }


def _document_record(document: Document) -> Record:
    record: dict[str, Any] = {"_id": document.id, "title": document.title, "text": document.text}
    if document.facets:
        record["metadata"] = dict(document.facets)
    return record


def _qrels_rows(path: Path) -> Iterator[tuple[int, str, str, int]]:
    mark = "," if path.name.removesuffix(".gz").endswith(".csv") else "\t"
    for place, (number, line) in enumerate(numbered_lines(path)):
        columns = _columns(line, mark)
        if len(columns) != len(_HEADER):
            if place == 0 and is_trec(line):
                yield from trec_rows(path)
                return
            raise InputError(
                f"{path}:{number}: expected 3 columns (query-id corpus-id score), found "
                f"{len(columns)}. Separate them with {'commas' if mark == ',' else 'tabs'}."
            )
        query_id, document_id, grade = columns
        if place == 0 and not is_number(grade):
            continue  # the header, whatever its column names
        yield number, query_id, document_id, integer(grade, f"{path}:{number}")


def _columns(line: str, mark: str) -> list[str]:
    """Return the columns of a line, unquoted as in BEIR, without empty ones at the end."""
    columns = next(csv.reader([line], delimiter=mark)) if '"' in line else line.split(mark)
    while len(columns) > len(_HEADER) and not columns[-1].strip():
        columns.pop()
    return columns


def _document_ids(record: Record, place: str) -> tuple[str, ...]:
    values = record.get("corpus-ids")
    if not isinstance(values, list):
        raise InputError(f"{place}: 'corpus-ids' must be a list of document ids.")
    document_ids = tuple(identifier({"corpus-ids": each}, "corpus-ids", place) for each in values)
    if len(set(document_ids)) < len(document_ids):
        twice = next(each for each, count in Counter(document_ids).items() if count > 1)
        raise InputError(f"{place}: document {twice!r} occurs twice in 'corpus-ids'.")
    return document_ids


def _check_id(path: str | Path, what: str, name: str) -> None:
    # The csv reader of BEIR tools would remove a leading quote.
    if not name or name.startswith('"') or any(each in name for each in "\t\n\r"):
        raise InputError(
            f"{path}: qrels cannot represent the {what} id {name!r}: it is empty, begins with a "
            "quote, or contains a tab or line break. Use another id."
        )


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
    """Yield line number and record (`_id`, `text`, and other JSON fields) of every query.

    The text of a TREC topic is its title or query, without description and narrative. In plain text
    the line number is the id.

    Raises InputError, which names the line of a problem.
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
    """Read a table with or without a header."""
    rows = list(_rows(lines, mark))
    columns = _header(rows[0][1]) if rows else None
    if columns is None:
        columns, others = (0, 1), rows[1:]
        if (
            others
            and not _begins_with_id(rows[0][1])
            and all(_begins_with_id(r) for _, r in others)
        ):
            rows = others  # the header has other names
    else:
        rows = rows[1:]
    for number, cells in rows:
        if len(cells) <= max(columns) or (columns == (0, 1) and len(cells) > 2):
            raise InputError(
                f"{path}:{number}: {len(cells)} columns. A table of queries needs two columns, id "
                "and text, or a header with these names."
            )
        yield number, {"_id": cells[columns[0]], "text": cells[columns[1]]}


def _rows(lines: _Lines, mark: str) -> Iterator[tuple[int, list[str]]]:
    """Yield number and cells of each row. In a .csv a quoted cell may span several lines."""
    numbers = []

    def fed() -> Iterator[str]:
        for number, line in lines:
            numbers.append(number)
            yield f"{line}\n"

    # In a .tsv a text may begin with an unclosed quote.
    quoting: Any = csv.QUOTE_NONE if mark == "\t" else csv.QUOTE_MINIMAL
    for row in csv.reader(fed(), delimiter=mark, quoting=quoting):
        cells = [_unquoted(cell.strip()) for cell in row]
        while len(cells) > 2 and not cells[-1]:
            cells.pop()
        yield numbers[-1], cells


def _header(cells: Sequence[str]) -> tuple[int, int] | None:
    """Return the columns of id and text, if the line is a header."""
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
    """Read topics in SGML, where elements may stay open, or in XML."""
    ends = list(accumulate(len(line) + 1 for _, line in lines))
    content = "\n".join(line for _, line in lines)
    heads = list(_TOPIC.finditer(content))
    if not heads:
        raise InputError(
            f"{path} has no <top> or <topic>. Give queries as TREC topics, as JSON lines (_id, "
            "text), as a table (.tsv, .csv), or one query a line (.txt). See "
            "docs/how-to/bring-your-own-queries.md."
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
