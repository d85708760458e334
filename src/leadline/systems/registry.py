"""The file is the registry: what can be named, told from source without importing any of it."""

from __future__ import annotations

import ast
import importlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from leadline.data.paths import is_file
from leadline.errors import InputError, unknown
from leadline.systems.catalog import ROWS
from leadline.user_files import module_of

_PACKAGE = Path(__file__).parent.parent
_FOLDERS = {"retrievers": "first stage", "rerankers": "reranker", "enrichers": "enricher"}
_TAKES = {"int": "NUMBER", "float": "NUMBER"}
_SEE_SYSTEMS = "`leadline list systems` shows all."


@dataclass(frozen=True, slots=True)
class Listing:
    """A line of `leadline list`.

    kind     `first stage`, `reranker`, `catalog` or `benchmark`
    parts    of a benchmark: each can be run alone as `name/part`
    options  of a benchmark: each value, `wording=question`, or what it takes, `words=NUMBER`
    """

    name: str
    kind: str
    about: str
    parts: tuple[str, ...] = ()
    options: tuple[str, ...] = ()


def systems() -> list[Listing]:
    """List every system that has a name, without importing any."""
    rows = [
        Listing(name, kind, _about(tree))
        for folder, kind in _FOLDERS.items()
        for name, tree in _plugins(folder).items()
    ]
    return rows + [Listing(row.name, "catalog", row.about) for row in ROWS.values()]


def benchmarks() -> list[Listing]:
    """List every benchmark that has a name."""
    return [
        Listing(name, "benchmark", _about(tree), _parts(module, tree), _choices(tree))
        for name, (module, tree) in _benchmarks().items()
    ]


def benchmark_names() -> dict[str, str]:
    """Return the module of every benchmark that has a name."""
    return {name: module for name, (module, _) in _benchmarks().items()}


def build_of(name: str) -> Callable[..., Any]:
    """Import the one file that a stage names."""
    for folder in _FOLDERS:
        path = _PACKAGE / folder / f"{name}.py"
        if name.isidentifier() and is_file(path) and _has_build(_source(path)):
            module = importlib.import_module(f"leadline.{folder}.{name}")
            build: Callable[..., Any] = module.build
            return build
    raise unknown("system", name, [row.name for row in systems()], _SEE_SYSTEMS)


def module_at(path: Path) -> Any:
    """Import a user's own file, which must have a function `build`. The file is run.

    Raises InputError when it cannot be imported or has none.
    """
    module = module_of(path)
    if not callable(getattr(module, "build", None)):
        raise InputError(f"{path} has no function build(**options).")
    return module


def _plugins(folder: str) -> dict[str, ast.Module]:
    """Return the source of every file in a folder that has a `build`, by its name."""
    sources = {path.stem: _source(path) for path in sorted((_PACKAGE / folder).glob("*.py"))}
    return {name: source for name, source in sources.items() if _has_build(source)}


def _benchmarks() -> dict[str, tuple[str, ast.Module]]:
    """Return module and source of every named benchmark.

    They are files of the room `benchmarks`, and in the folder of a kind `published.py`, which has
    the kind's name, or `published_NAME.py`.
    """
    found = {
        name: (f"leadline.benchmarks.{name}", source)
        for name, source in _plugins("benchmarks").items()
    }
    for path in (_PACKAGE / "kinds").glob("*/published*.py"):
        name = path.stem.removeprefix("published").removeprefix("_") or path.parent.name
        found[name] = (f"leadline.kinds.{path.parent.name}.{path.stem}", _source(path))
    return {_dashed(name): found[name] for name in sorted(found)}


def _source(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def _has_build(source: ast.Module) -> bool:
    return any(isinstance(node, ast.FunctionDef) and node.name == "build" for node in source.body)


def _about(tree: ast.Module) -> str:
    return (ast.get_docstring(tree) or "").partition("\n")[0]


def _parts(module: str, tree: ast.Module) -> tuple[str, ...]:
    """Return PARTS of a benchmark; its file is imported only when they are computed."""
    for node in tree.body:
        if isinstance(node, ast.Assign) and "PARTS" in {ast.unparse(t) for t in node.targets}:
            try:
                return tuple(ast.literal_eval(node.value))
            except ValueError:
                return tuple(importlib.import_module(module).PARTS)
    return ()


def _choices(tree: ast.Module) -> tuple[str, ...]:
    """Return the options of `build`: the values that a `Literal` lists, or what else it takes."""
    builds = (node for node in tree.body if isinstance(node, ast.FunctionDef))
    parameters = next(node.args.args for node in builds if node.name == "build")
    values = _literals(tree)
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("leadline.metrics."):
            imported = _PACKAGE.parent.joinpath(*(node.module or "").split(".")).with_suffix(".py")
            values = _literals(_source(imported)) | values
    return tuple(
        f"{each.arg}={value}"
        for each in parameters
        if each.arg not in ("part", "data") and each.annotation is not None
        for kind in [ast.unparse(each.annotation)]
        for value in values.get(kind, (_TAKES.get(kind, "TEXT"),))
    )


def _literals(tree: ast.Module) -> dict[str, tuple[str, ...]]:
    return {
        node.target.id: ast.literal_eval(node.value.slice)
        for node in tree.body
        if isinstance(node, ast.AnnAssign)
        and isinstance(node.target, ast.Name)
        and isinstance(node.value, ast.Subscript)
        and ast.unparse(node.value.value) == "Literal"
    }


def _dashed(name: str) -> str:
    return name.replace("_", "-")
