"""Read a file that is one JSON value."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from leadline.data.limits import DEEPEST_JSON, LARGEST_SETTINGS, mebibytes
from leadline.data.lines import opened
from leadline.errors import InputError


def read_json(path: Path) -> Any:
    """Return the value in a JSON file.

    Raises InputError, which names the file, if it cannot be read, is not JSON in UTF-8, or is too
    large or too deeply nested.
    """
    try:
        with opened(path) as handle:
            content = handle.read(LARGEST_SETTINGS + 1)
        if len(content) > LARGEST_SETTINGS:
            raise InputError(
                f"{path} is larger than {mebibytes(LARGEST_SETTINGS)}. Is it the right file?"
            )
        value = json.loads(content.decode("utf-8-sig"))
        json.dumps(value, ensure_ascii=False).encode()
    except InputError:
        raise
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path} is not JSON in UTF-8 ({error}).") from error
    except OSError as error:
        raise InputError(f"Cannot read {path}: {error.strerror or error}.") from error
    check_depth(value, str(path))
    return value


def may_be_deep(source: bytes) -> bool:
    """Return whether JSON has enough brackets to be too deep. Most files need no closer look."""
    return source.count(b"[") + source.count(b"{") > DEEPEST_JSON


def check_depth(value: Any, place: str) -> None:
    """Raise InputError, which names the place, if lists and objects are nested too deeply."""
    level = [value]
    for _ in range(DEEPEST_JSON):
        level = [inner for each in level for inner in _within(each)]
        if not level:
            return
    raise InputError(f"{place}: lists and objects are nested more than {DEEPEST_JSON} levels deep.")


def _within(value: Any) -> list[Any]:
    held = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [each for each in held if isinstance(each, dict | list)]
