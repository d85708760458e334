"""Read a small YAML file of a user: data of limited size, without tags that create objects."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from leadline.data.limits import (
    DEEPEST_DESCRIPTION,
    LARGEST_DESCRIPTION,
    MOST_NODES,
    mebibytes,
)
from leadline.data.lines import opened
from leadline.errors import InputError


def read_yaml(path: Path) -> Any:
    """Return the value in a YAML file.

    Raises InputError, which names the file and if possible the line, if it cannot be read, is not
    YAML, has an invalid value (a 13th month), or is too large or too deeply nested.
    """
    import yaml

    try:
        with opened(path) as handle:
            content = handle.read(LARGEST_DESCRIPTION + 1)
        if len(content) > LARGEST_DESCRIPTION:
            raise InputError(f"{path} is larger than {mebibytes(LARGEST_DESCRIPTION)}.")
        text = content.decode("utf-8-sig")
        _check_depth(yaml.parse(text, yaml.SafeLoader), path)
        loader = yaml.SafeLoader(text)
        try:
            node = loader.get_single_node()
            _Sizes(path).of(node)
            return loader.construct_document(node) if node is not None else None
        finally:
            loader.dispose()
    except InputError:
        raise
    except UnicodeDecodeError as error:
        raise InputError(f"{path} is not UTF-8 text.") from error
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        raise InputError(f"{path}:{line}: not YAML: {error.problem}.") from error
    except yaml.YAMLError as error:
        raise InputError(f"{path}: not YAML: {' '.join(str(error).split())}") from error
    except (ValueError, ArithmeticError, AttributeError, TypeError, KeyError) as error:
        # The library raises these for invalid numbers and dates.
        reason = " ".join(str(error).split())[:200] or type(error).__name__
        raise InputError(f"{path}: not YAML: {reason}.") from error
    except OSError as error:
        raise InputError(f"Cannot read {path}: {error.strerror or error}.") from error


def _check_depth(events: Iterable[Any], path: Path) -> None:
    """Stop at the first value that is nested too deeply, before the library reads it."""
    depth = 0
    for event in events:
        depth += event.__class__.__name__.endswith("StartEvent")
        depth -= event.__class__.__name__.endswith("EndEvent")
        if depth > DEEPEST_DESCRIPTION + 2:  # the stream and the document start, too
            raise _too_deep(path)


class _Sizes:
    """The number of values in a node and its depth, with aliases expanded."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._known: dict[int, tuple[int, int]] = {}
        self._above: set[int] = set()

    def of(self, node: Any) -> tuple[int, int]:
        if node is None or isinstance(node.value, str):
            return 1, 0
        key = id(node)
        if key in self._above:
            raise InputError(f"{self._path}:{node.start_mark.line + 1}: an alias contains itself.")
        if key not in self._known:
            self._above.add(key)
            pairs = (each if isinstance(each, tuple) else (each,) for each in node.value)
            within = [self.of(inner) for pair in pairs for inner in pair]
            self._above.discard(key)
            size = 1 + sum(each for each, _ in within)
            depth = 1 + max((each for _, each in within), default=0)
            if size > MOST_NODES:
                raise InputError(
                    f"{self._path}: more than {MOST_NODES:,} values, with aliases expanded."
                )
            if depth > DEEPEST_DESCRIPTION:
                raise _too_deep(self._path)
            self._known[key] = size, depth
        return self._known[key]


def _too_deep(path: Path) -> InputError:
    return InputError(
        f"{path}: lists and mappings are nested more than {DEEPEST_DESCRIPTION} levels deep."
    )
