"""The record log: a line of JSON for each draft, from which audits and statistics are made."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from leadline.data.lines import checked_file
from leadline.data.writing import cannot_write
from leadline.errors import InputError
from leadline.llm.run_record import LOG_FILE

_TEXTS = ("record", "part", "step", "model", "answer")
_PERHAPS = ("fault", "problem")


class LogFile:
    """A log under way: what is told of a record is there whole as soon as the record is done."""

    def __init__(self, handle: IO[str], path: Path) -> None:
        self._handle, self._path = handle, path

    @classmethod
    @contextmanager
    def open_in(cls, folder: str | Path) -> Iterator[LogFile]:
        """Yield the log of a run in a folder.

        It is written anew: answers of an earlier run are replayed from the cache, and their lines
        with them.

        Raises InputError when it cannot be written.
        """
        path = Path(folder) / LOG_FILE
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("w", encoding="utf-8", newline="\n") as handle:
                yield cls(handle, path)
        except OSError as error:
            raise cannot_write(path, error) from error

    def write(self, lines: Iterable[Mapping[str, Any]]) -> None:
        """Add the lines of one record."""
        self._handle.write(
            "".join(json.dumps(line, ensure_ascii=True, sort_keys=True) + "\n" for line in lines)
        )
        self._handle.flush()


def read_log(folder: str | Path) -> list[dict[str, Any]]:
    """Return the lines of a log; a last line that a kill cut off is left out.

    Raises InputError when there is none, or a line is no JSON.
    """
    path = Path(folder) / LOG_FILE
    try:
        checked_file(path)
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise InputError(f"There is no {LOG_FILE} in {folder} ({error.strerror}).") from error
    except UnicodeDecodeError as error:
        raise InputError(f"{path} is no record log: it is not UTF-8.") from error
    whole, _, _ = text.rpartition("\n")
    try:
        lines = [json.loads(line) for line in whole.splitlines()]
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path} is no record log: {error}.") from error
    for number, line in enumerate(lines, 1):
        if not (isinstance(line, dict) and _is_draft(line) and _is_judged(line.get("verdicts"))):
            raise InputError(f"{path}:{number} is no line of a record log.")
    return lines


def _is_draft(line: Mapping[str, Any]) -> bool:
    parents = line.get("parents")
    texts = [line.get(name) for name in _TEXTS] + [line.get(name, "") for name in _PERHAPS]
    return (
        isinstance(parents, list)
        and all(isinstance(each, str) for each in (*texts, *parents))
        and isinstance(line.get("attempt"), int)
        and isinstance(line.get("kept"), bool)
        and (line["kept"] or "fault" in line)
    )


def _is_judged(verdicts: Any) -> bool:
    return isinstance(verdicts, list) and all(
        isinstance(each, dict)
        and all(isinstance(each.get(name), str) for name in ("by", "step", "fault"))
        for each in verdicts
    )


def refusals(lines: Iterable[Mapping[str, Any]]) -> Counter[tuple[str, str, str]]:
    """Return how many drafts each judge refused: (step, who, reason) -> drafts."""
    counts: Counter[tuple[str, str, str]] = Counter()
    for line in lines:
        given = [each for each in line["verdicts"] if each["fault"]]
        if given:
            counts.update((line["step"], each["by"], each["fault"]) for each in given)
        elif not line["kept"]:
            counts[line["step"], "code", line["fault"]] += 1
    return counts
