"""Find kinds by name: our own, those of installed packages, and those in the user's files.

`implicit-facts` is `KIND` in kinds/implicit_facts/kind.py. A user's own kind is `KIND` in a file
that the command line names. Data may name a kind, but never a file.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from leadline.data.paths import is_file, user_path
from leadline.errors import InputError, unknown
from leadline.kinds.kind import Kind
from leadline.plugins import find, plugins
from leadline.types import Query

_added: dict[str, Kind] = {}
"""Kinds from files of the user, by name."""


def kind_named(name: str) -> Kind:
    """Return the kind of a name.

    Raises InputError when there is none.
    """
    if name in _added:
        return _added[name]
    if name not in plugins("kinds"):
        names = kind_names()
        hint = f"Known: {', '.join(names)}. One of your own: --kind ./mine.py."
        raise unknown("kind of benchmark", name, names, hint)
    plugin = plugins("kinds")[name]
    kind: Kind = plugin.load()
    return add_kind(kind) if plugin.owner else kind


def is_own(kind: Kind) -> bool:
    """Tell whether a kind is one of Leadline's and none of the user's."""
    return kind.name not in _added


def kind_or_ranking(name: str) -> Kind:
    """Return the kind of a name, and plain ranking for one that is not known here."""
    return kind_named(name if name in kind_names() else "ranking")


def kind_of(queries: Sequence[Query]) -> Kind:
    """Return the kind that queries which name none are of: plain ranking unless one says so."""
    return next(
        (kind for kind in kinds() if kind.recognises is not None and kind.recognises(queries)),
        kind_named("ranking"),
    )


def kind_names() -> list[str]:
    """Return the names of all kinds, those of the user last."""
    return list(dict.fromkeys((*plugins("kinds"), *_added)))


def kinds() -> list[Kind]:
    """Return all kinds, those of the user last."""
    return [kind_named(name) for name in kind_names()]


def by_name() -> dict[str, Kind]:
    """Return all kinds by their names."""
    return {kind.name: kind for kind in kinds()}


def add_kind(kind: Kind) -> Kind:
    """Make a kind known by its name, in this process; it may replace one of the same name."""
    if not isinstance(kind, Kind):
        raise InputError(f"KIND must be a leadline.Kind, got {type(kind).__name__}.")
    _added[kind.name] = kind
    return kind


def add_kind_at(path: str | Path) -> Kind:
    """Make the kind in a file known: its `KIND`. The file is run, so trust it.

    Raises InputError when there is no such file, or no kind in it.
    """
    path = user_path(path)
    if path.suffix != ".py" or not is_file(path):
        raise InputError(f"--kind {path}: there is no such Python file.")
    return add_kind(find("kinds", str(path)))
