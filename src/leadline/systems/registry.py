"""Systems and benchmarks that have a name, read from source without importing any of it."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from leadline.errors import InputError, unknown
from leadline.plugins import Plugin, check_installed, module_of, plugins
from leadline.systems.catalog import ROWS

_PACKAGE = Path(__file__).parent.parent
_GROUPS = {"retrievers": "first stage", "rerankers": "reranker", "enrichers": "enricher"}
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
        Listing(each.name, kind, _about(each))
        for group, kind in _GROUPS.items()
        for each in plugins(group).values()
    ]
    return rows + [Listing(row.name, "catalog", row.about) for row in ROWS.values()]


def benchmarks() -> list[Listing]:
    """List every benchmark that has a name."""
    return [
        Listing(each.name, "benchmark", _about(each), _parts(each), _choices(_source(each.path)))
        for each in plugins("benchmarks").values()
    ]


def benchmark_names() -> list[str]:
    """Return the name of every benchmark that has one."""
    return list(plugins("benchmarks"))


def build_of(name: str) -> Callable[..., Any]:
    """Import the one file that a stage names."""
    for group in _GROUPS:
        if name in plugins(group):
            build: Callable[..., Any] = plugins(group)[name].load()
            return build
        check_installed(group, name)
    raise unknown("system", name, [row.name for row in systems()], _SEE_SYSTEMS)


def module_at(path: Path) -> Any:
    """Import a user's own file, which must have a function `build`. The file is run.

    Raises InputError when it cannot be imported or has none.
    """
    module = module_of(path)
    if not callable(getattr(module, "build", None)):
        raise InputError(f"{path} has no function build(**options).")
    return module


def _source(path: Path | None) -> ast.Module:
    return ast.parse("" if path is None else path.read_text(encoding="utf-8"))


def _about(plugin: Plugin) -> str:
    about = ast.get_docstring(_source(plugin.path)) or (plugin.owner and f"of {plugin.owner}")
    return about.partition("\n")[0]


def _parts(plugin: Plugin) -> tuple[str, ...]:
    """Return PARTS of a benchmark; its file is imported only when they are computed."""
    for node in _source(plugin.path).body:
        if isinstance(node, ast.Assign) and "PARTS" in {ast.unparse(t) for t in node.targets}:
            try:
                return tuple(ast.literal_eval(node.value))
            except ValueError:
                return tuple(replace(plugin, attribute="PARTS").load())
    return ()


def _choices(tree: ast.Module) -> tuple[str, ...]:
    """Return the options of `build`: the values that a `Literal` lists, or what else it takes."""
    builds = (node for node in tree.body if isinstance(node, ast.FunctionDef))
    parameters = next((node.args.args for node in builds if node.name == "build"), [])
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
