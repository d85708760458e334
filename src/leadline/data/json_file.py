"""A file that is one value in JSON."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from leadline.data.limits import DEEPEST_JSON, LARGEST_SETTINGS, mebibytes
from leadline.data.lines import opened
from leadline.errors import InputError


def read_json(path: Path) -> Any:
    """Return what a file in JSON holds, which must be there.

    Raises InputError that names the file when it cannot be read, is not JSON in UTF-8, or is
    larger or deeper than any that is read.
    """
    try:
        with opened(path) as handle:
            content = handle.read(LARGEST_SETTINGS + 1)
        if len(content) > LARGEST_SETTINGS:
            raise InputError(f"{path} is larger than {mebibytes(LARGEST_SETTINGS)}. Is it the one?")
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
    """Tell whether JSON has brackets enough to be too deep: most need not be looked through."""
    return source.count(b"[") + source.count(b"{") > DEEPEST_JSON


def check_depth(value: Any, place: str) -> None:
    """Raise InputError that names the place when lists and objects lie too deep in each other."""
    level = [value]
    for _ in range(DEEPEST_JSON):
        level = [inner for each in level for inner in _within(each)]
        if not level:
            return
    raise InputError(
        f"{place}: lists and objects lie more than {DEEPEST_JSON} deep in each other. Is it data?"
    )


def _within(value: Any) -> list[Any]:
    held = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [each for each in held if isinstance(each, dict | list)]
