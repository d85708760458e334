"""Find parts by name: our own files, those of installed packages, and the user's files.

A package adds a part with an entry point: `[project.entry-points."leadline.retrievers"]`, then
`mine = "my_package.mine:build"`. It is imported when it is first used.
"""

from __future__ import annotations

import importlib
import importlib.util
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from leadline.errors import InputError, LeadlineError, unknown

_PACKAGE = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Group:
    """A group of parts: the name that a module must define, and the folder of ours."""

    one: str
    attribute: str
    files: tuple[str, ...] = ()
    dashed: bool = False


GROUPS: Mapping[str, Group] = {
    "retrievers": Group("retriever", "build", ("retrievers/*.py",)),
    "rerankers": Group("reranker", "build", ("rerankers/*.py",)),
    "enrichers": Group("enricher", "build"),
    "benchmarks": Group("benchmark", "build", ("kinds/*/published*.py",), True),
    "kinds": Group("kind of benchmark", "KIND", ("kinds/*.py", "kinds/*/kind.py"), True),
    "metrics": Group("metric", "METRIC"),
    "places": Group("reader of places", "places_at"),
    "commands": Group("command", "command"),
}
"""`leadline.NAME` is the group of entry points."""

_OF_PACKAGES = {
    "leadline-facts": {
        "enrichers": ("by_llm", "facts", "places", "quantities", "temporal"),
        "retrievers": ("fact_lane",),
        "places": ("wikidata",),
        "commands": ("enrich",),
    }
}
"""Names that our other packages add, so that an error can name the package to install."""


@dataclass(frozen=True, slots=True)
class Plugin:
    """A named part that is not imported yet.

    path   its source file; None if only importing it would show that
    owner  the installed package that adds it; empty for one of ours
    """

    name: str
    module: str
    attribute: str
    path: Path | None
    owner: str = ""

    def load(self) -> Any:
        """Import it. Raises InputError if an installed package cannot be imported."""
        try:
            value = importlib.import_module(self.module)
            for part in self.attribute.split("."):
                value = getattr(value, part)
            return value
        except (LeadlineError, KeyboardInterrupt):
            raise
        except Exception as error:
            if not self.owner:
                raise
            raise InputError(
                f"Cannot import {self.name!r} of the package {self.owner}: "
                f"{type(error).__name__}: {error}"
            ) from error


def find(group: str, name: str) -> Any:
    """Return the part of a group with this name, or the one in a file such as `./mine.py`."""
    its = GROUPS[group]
    if name.endswith(".py"):
        module = module_of(Path(name))
        if not hasattr(module, its.attribute):
            raise InputError(
                f"{name} does not define {its.attribute}, which a {its.one} needs. See docs/how-to."
            )
        return getattr(module, its.attribute)
    known = plugins(group)
    if name not in known:
        check_installed(group, name)
        raise unknown(its.one, name, known)
    return known[name].load()


def check_installed(group: str, name: str) -> None:
    """Raise InputError, which names the package to install, if one of our packages has the name."""
    for package, names in _OF_PACKAGES.items():
        if name in names.get(group, ()) and name not in plugins(group):
            one = GROUPS[group].one
            raise InputError(f"The {one} {name!r} needs a package: pip install {package}")


@cache
def plugins(group: str) -> Mapping[str, Plugin]:
    """Return all parts of a group, ours first. Other packages cannot replace a name of ours."""
    found = {each.name: each for each in _own(GROUPS[group])}
    for each in installed(group).values():
        found.setdefault(each.name, each)
    return found


@cache
def installed(group: str) -> Mapping[str, Plugin]:
    """Return the parts that installed packages add to a group."""
    from importlib.metadata import entry_points

    found: dict[str, Plugin] = {}
    for entry in sorted(entry_points(group=f"leadline.{group}")):
        owner = entry.dist.name if entry.dist else entry.module.partition(".")[0]
        attribute = entry.attr or GROUPS[group].attribute
        found.setdefault(
            entry.name,
            Plugin(entry.name, entry.module, attribute, _source_of(entry.module), owner),
        )
    return found


def module_of(path: Path) -> Any:
    """Import a user's own file. This runs it, so pass only a file that the user named."""
    name = f"leadline_plugin_{path.stem}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise InputError(f"Cannot import {path}.")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # dataclasses look up their own module
    try:
        spec.loader.exec_module(module)
    except LeadlineError:
        raise
    except Exception as error:
        raise InputError(f"Cannot import {path}: {type(error).__name__}: {error}") from error
    return module


def _own(group: Group) -> list[Plugin]:
    """Return our own files that define a part of a group.

    `kind.py` and `published.py` are named after their folder, `published_mine.py` is `mine`.
    """
    holds = re.compile(rf"^(?:def )?{group.attribute}\b", re.MULTILINE)
    found = []
    for path in sorted(path for pattern in group.files for path in _PACKAGE.glob(pattern)):
        if holds.search(path.read_text(encoding="utf-8")):
            place = path.relative_to(_PACKAGE.parent).with_suffix("")
            stem = place.stem.removeprefix("published").removeprefix("_")
            name = place.parts[-2] if stem in ("kind", "") else stem
            name = name.replace("_", "-") if group.dashed else name
            found.append(Plugin(name, ".".join(place.parts), group.attribute, path))
    return sorted(found, key=lambda each: each.name)


def _source_of(module: str) -> Path | None:
    """Return the file of a module without importing its package."""
    top, *rest = module.split(".")
    spec = importlib.util.find_spec(top)
    if spec is None or not rest:
        return Path(spec.origin) if spec and spec.origin else None
    for folder in spec.submodule_search_locations or ():
        place = Path(folder, *rest)
        for path in (place.with_suffix(".py"), place / "__init__.py"):
            if path.is_file():
                return path
    return None
