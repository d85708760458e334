"""Read rows of a data set (parquet, CSV or JSON) from a file, a folder or a hub."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from leadline.data.documents import csv_rows
from leadline.data.fields import any_columns
from leadline.data.json_file import check_depth
from leadline.data.jsonl import read_records
from leadline.data.lines import opened
from leadline.data.parquet import parquet_rows
from leadline.data.paths import exists, is_file, is_folder, user_path
from leadline.errors import InputError, needs

_ENDINGS = (".jsonl", ".jsonl.gz", ".parquet", ".csv", ".json")
_ON_HUB = re.compile(r"(?P<repository>[\w.-]+/[\w.-]+)(?::(?P<table>[\w./-]+))?")


def rows_of(repository: str, table: str, data: Path | None) -> Iterator[Mapping[str, Any]]:
    """Yield the rows of a table such as `documents/biology`.

    repository  the data set on the hub, used if `data` is None
    table       beginning of its file names; `documents/biology-00000-of-00001.parquet` and
                `documents/biology.jsonl` both belong to it
    data        folder with the files, or a single file

    Raises InputError if there is no such file, and MissingExtraError if no reader is installed.
    """
    paths = _on_hub(repository, table) if data is None else _in_folder(data, table)
    if not paths:
        where = data if data is not None else f"{repository} on the hub"
        raise InputError(
            f"{where} has no {table}.parquet, {table}.jsonl or {table}-*.parquet. The data set "
            f"{repository} on the hub has them. Read a copy of it with --data DIR."
        )
    for path in paths:
        yield from rows_in(path)


def rows_at(source: str) -> Iterator[Mapping[str, Any]]:
    """Yield the rows of a file, of every data file of a folder, or of a data set on the hub.

    source  a path; or `OWNER/NAME`, of which `OWNER/NAME:FOLDER` reads one folder, such as
            `reasonir/reasonir-data:hq`

    Raises InputError if there is no such file, and MissingExtraError if no reader is installed.
    """
    paths = _files_at(source)
    if not paths:
        raise InputError(f"{source} has no file that ends in {', '.join(_ENDINGS)}.")
    for path in paths:
        yield from rows_in(path)


def rows_in(path: Path) -> Iterator[Mapping[str, Any]]:
    """Yield the rows of a `.jsonl`, `.jsonl.gz`, `.json` (one array), `.csv` or `.parquet`."""
    if path.suffix == ".parquet":
        yield from (row for _, row in parquet_rows(path, any_columns))
    elif path.suffix == ".csv":
        yield from (row for _, row in csv_rows(path, any_columns))
    elif path.suffix == ".json":
        yield from _array_rows(path)
    else:
        for _, record in read_records(path):
            yield record


def _files_at(source: str) -> list[Path]:
    path = user_path(source)
    if is_folder(path):
        return sorted(each for each in path.rglob("*") if each.name.endswith(_ENDINGS))
    named = _ON_HUB.fullmatch(source)
    if exists(path) or named is None or source.endswith(_ENDINGS):
        return [path]
    return _on_hub(named["repository"], f"{named['table'] or ''}/**")


def _in_folder(data: Path, table: str) -> list[Path]:
    if is_file(data):
        return [data]
    if not is_folder(data):
        raise InputError(f"There is no folder {data}.")
    folder, _, stem = table.rpartition("/")
    return sorted(path for path in (data / folder).glob(f"{stem}*") if _belongs(path.name, stem))


def _belongs(name: str, stem: str) -> bool:
    rest = name.removeprefix(stem)
    return rest in _ENDINGS or (rest.startswith("-") and rest.endswith(_ENDINGS))


def _is_wanted(name: str, table: str) -> bool:
    """Return whether a file on the hub belongs to a table. `FOLDER/**` is all below a folder."""
    if table.endswith("/**"):
        return name.endswith(_ENDINGS) and name.startswith(table[:-2].lstrip("/"))
    folder, _, stem = table.rpartition("/")
    parent = Path(name).parent.as_posix()
    return parent == (folder or ".") and _belongs(Path(name).name, stem)


def _on_hub(repository: str, table: str) -> list[Path]:
    way_out = "You can also give the path of a copy."
    wanted = [name for name in names_in(repository, way_out) if _is_wanted(name, table)]
    return [downloaded(repository, name, way_out) for name in wanted]


def _array_rows(path: Path) -> Iterator[Mapping[str, Any]]:
    """Yield the objects of a JSON array."""
    try:
        with opened(path) as handle:
            rows = json.loads(handle.read().decode("utf-8-sig"))
    except (OSError, ValueError, RecursionError) as error:
        raise InputError(f"{path} is not JSON in UTF-8 ({error}).") from error
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise InputError(f"{path} must be an array of objects.")
    check_depth(rows, str(path))
    yield from rows


def downloaded(repository: str, name: str, way_out: str) -> Path:
    """Return the local copy of a file of a data set on the hub, downloaded if needed.

    way_out  what to do without the hub, for the error

    Raises InputError if it cannot be read, and MissingExtraError without huggingface_hub.
    """
    what = f"{name} of {repository}"
    return Path(_from_hub(what, way_out, lambda hub: hub.hf_hub_download(
        repository, name, repo_type="dataset"
    )))  # fmt: skip


def downloaded_folder(repository: str, way_out: str) -> Path:
    """Return the local copy of a whole data set. Raises what `downloaded` does."""
    return Path(_from_hub(repository, way_out, lambda hub: hub.snapshot_download(
        repository, repo_type="dataset"
    )))  # fmt: skip


def names_in(repository: str, way_out: str) -> list[str]:
    """Return the names of all files of a data set, sorted. Raises what `downloaded` does."""
    return sorted(_from_hub(repository, way_out, lambda hub: hub.HfApi().list_repo_files(
        repository, repo_type="dataset"
    )))  # fmt: skip


def _from_hub(what: str, way_out: str, ask: Callable[[Any], Any]) -> Any:
    with needs("hub"):
        import huggingface_hub
    try:
        return ask(huggingface_hub)
    except (OSError, ValueError, ImportError) as error:
        reason = (str(error) or type(error).__name__).strip().splitlines()[0]
        raise InputError(
            f"Cannot read {what} from the hub ({reason}). Check your connection. {way_out}"
        ) from error
