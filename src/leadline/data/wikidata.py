"""The lines of a dump of Wikidata, and what of an entity is read: labels and statements.

A dump (`latest-all.json.gz`, `.bz2` or `.json`) is one array with one entity on each line.
"""

from __future__ import annotations

import bz2
import gzip
import json
import re
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import IO, Any

from leadline import progress
from leadline.data.limits import LONGEST_LINE, UNPACKED_RATIO, unpacked_limit
from leadline.data.lines import checked_file, too_long
from leadline.errors import InputError

Entity = Mapping[str, Any]

_ID = re.compile(rb'.{0,40}?"id":"Q(\d{1,10})"')
_NUMBER = re.compile(r"[0-9]{1,10}")
_MEBIBYTE = 1 << 20
_LARGEST_BLOCK = 1 << 26
_BYTES_PER_LINE = 128
_LANGUAGES = ("en", "mul", "en-gb")


def is_dump(path: str | Path) -> bool:
    """Tell whether a file is an array in JSON, plain or packed, as a dump of Wikidata is."""
    path = Path(path)
    if not path.name.endswith((".json", ".json.gz", ".json.bz2")) or not path.is_file():
        return False
    with _opened(path) as (handle, _):
        return handle.read(64).lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"[")


def entity_lines(path: str | Path, label: str) -> Iterator[tuple[int, bytes]]:
    """Yield number and bytes of each line that should hold an entity, without its comma.

    label  what the bar says, which moves by MiB of the file as it lies on disk

    Raises InputError for what is not there or not whole.
    """
    path = Path(path)
    size = path.stat().st_size // _MEBIBYTE + 1 if path.is_file() else 1
    for block in progress.track(_blocks(path), f"{label} (MiB)", size):
        yield from block


def parsed(line: bytes) -> Entity | None:
    """Return the entity of a line, None where the line holds none."""
    try:
        entity = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return entity if isinstance(entity, dict) and isinstance(entity.get("id"), str) else None


def number_of(line: bytes) -> int | None:
    """Return the number of an item as its line names it early on, None where it does not."""
    match = _ID.match(line)
    return int(match[1]) if match else None


def label_of(entity: Entity) -> str:
    """Return the English label, or the one for all languages; empty where there is neither."""
    return next((each for each in _texts(entity, "labels") if each), "")


def aliases_of(entity: Entity) -> list[str]:
    """Return the other English names."""
    return list(dict.fromkeys(_texts(entity, "aliases")))


def items(entity: Entity, of: str) -> list[int]:
    """Return the numbers of the items in the best statements of a property, as `wdt:` has them.

    Those are the preferred ones, where there are any, else the normal ones.
    """
    found: dict[int, None] = {}
    for value in _values(entity, of):
        if isinstance(value, dict):
            number = value.get("numeric-id") or str(value.get("id", "")).removeprefix("Q")
            if _NUMBER.fullmatch(str(number)) and int(number) < 1 << 32:
                found[int(number)] = None
    return list(found)


def text(entity: Entity, of: str) -> str:
    """Return the text of the first of the best statements of a property, empty without one."""
    return next((value for value in _values(entity, of) if isinstance(value, str)), "")


def _values(entity: Entity, of: str) -> list[Any]:
    claims = entity.get("claims")
    statements = claims.get(of) if isinstance(claims, dict) else None
    by_rank: dict[str, list[Any]] = {}
    for statement in statements if isinstance(statements, list) else ():
        try:
            value = statement["mainsnak"]["datavalue"]["value"]
        except (KeyError, TypeError):  # some value, or no value
            continue
        by_rank.setdefault(str(statement.get("rank", "normal")), []).append(value)
    return by_rank.get("preferred") or by_rank.get("normal") or []


def _texts(entity: Entity, what: str) -> Iterator[str]:
    given = entity.get(what)
    by_language = given if isinstance(given, dict) else {}
    for language in _LANGUAGES:
        found = by_language.get(language, ())
        for each in found if isinstance(found, list | tuple) else (found,):
            value = each.get("value") if isinstance(each, dict) else None
            if isinstance(value, str):
                yield " ".join(value.split())


def _blocks(path: Path) -> Iterator[list[tuple[int, bytes]]]:
    """Yield the lines in blocks, one for every MiB of the file that was read for them.

    Raises InputError for a line beyond the limit, and for a file that unpacks to more than one of
    its size can.
    """
    read = held = 0
    left = unpacked_limit(path.stat().st_size) if path.is_file() else 0
    block: list[tuple[int, bytes]] = []
    with _opened(path) as (handle, position):
        lines = iter(partial(handle.readline, LONGEST_LINE + 1), b"")
        for number, line in enumerate(lines, start=1):
            if len(line) > LONGEST_LINE:
                raise too_long(path, number)
            line = line.strip(b"\xef\xbb\xbf \t\r\n,")
            if line and line not in (b"[", b"]", b"[]"):
                block.append((number, line))
            held += len(line) + _BYTES_PER_LINE
            left -= len(line) + _BYTES_PER_LINE
            if left < 0:
                raise InputError(
                    f"{path} unpacks to more than {UNPACKED_RATIO} times its size, as no dump "
                    "does. Unpack it yourself, if you trust it."
                )
            while position() // _MEBIBYTE > read or held > _LARGEST_BLOCK:
                if held <= _LARGEST_BLOCK:
                    read += 1
                yield block
                block, held = [], 0
    yield block


@contextmanager
def _opened(path: Path) -> Iterator[tuple[IO[bytes], Callable[[], int]]]:
    """Yield the unpacked bytes, and what tells how much of the file was read for them."""
    try:
        checked_file(path)
        with path.open("rb") as packed:
            if path.suffix == ".gz":
                with gzip.open(packed) as handle:
                    yield handle, packed.tell  # type: ignore[misc]
            elif path.suffix == ".bz2":
                with bz2.open(packed) as handle:
                    yield handle, packed.tell
            else:
                yield packed, packed.tell
    except FileNotFoundError as error:
        raise InputError(f"There is no file {path}.") from error
    except (EOFError, OSError, zlib.error) as error:
        raise InputError(f"{path} cannot be read to its end ({error}). Fetch it again.") from error
