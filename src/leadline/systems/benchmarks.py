"""Load benchmarks from a name, a folder, or the user's own file."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from leadline.benchmark import Benchmark
from leadline.data.paths import exists, is_file, is_folder, user_path
from leadline.errors import InputError, unknown
from leadline.plugins import find
from leadline.systems.catalog import benchmark_names, module_at
from leadline.systems.chains import call_with_options
from leadline.systems.spec import stage_of

_LONGEST = 5000
_SEE_BENCHMARKS = "`leadline list benchmarks` shows all; a benchmark folder is given by its path."


def load_benchmarks(name: str, data: str | Path | None = None, split: str = "") -> list[Benchmark]:
    """Load a benchmark by its name, its folder, or a file such as `./mine.py`.

    `name/part` loads one part. Options follow a colon: `name:option=value/part`,
    `folder:split=dev`. `ir_datasets:beir/scifact/test` is a data set of that package.

    Args:
        name: The name or path.
        data: Folder with a published benchmark in its published layout. Default: the hub.
        split: Which judgements of a folder to use. Default: `test`.

    Returns:
        The benchmarks, one for each part.

    Raises:
        InputError: There is no such benchmark, part or folder.
    """
    if len(name) > _LONGEST:
        raise InputError(
            f"Benchmark {name[:80]!r}... has {len(name):,} characters. {_SEE_BENCHMARKS}"
        )
    if name.startswith("ir_datasets:"):
        from leadline.kinds.ranking import from_ir_datasets

        path, options = _folder_of_name(name.removeprefix("ir_datasets:"))
        stage = replace(stage_of(f"ir_datasets:{options}"), name=name)
        return list(call_with_options(from_ir_datasets.build, stage, {"name": path.as_posix()}))
    if split:
        name += f"{',' if re.search(':[^:/]+=[^:/]*$', name) else ':'}split={split}"
    known = benchmark_names()
    base, part, options = _parts_of_name(name)
    if base in known:
        return _loaded(find("benchmarks", base), base, part, options, data)
    file, part, options = _parts_of_path(name)
    if is_file(file):
        return _loaded(module_at(file).build, str(file), part, options, data)
    path, options = _folder_of_name(name)
    if is_folder(path) or path.suffix.lower() == ".zip":
        from leadline.kinds import benchmark_folder

        stage = replace(stage_of(f"folder:{options}"), name=str(path))
        return list(call_with_options(benchmark_folder.build_parts, stage, {"path": path}))
    if exists(path):
        raise InputError(f"{name} is a file, but a benchmark is a folder. {_SEE_BENCHMARKS}")
    if "/" in name or name.startswith("."):
        raise InputError(f"There is no benchmark folder {name}. {_SEE_BENCHMARKS}")
    raise unknown("benchmark", name, known, _SEE_BENCHMARKS)


def _loaded(
    build: Callable[..., Any], name: str, part: str, options: str, data: str | Path | None
) -> list[Benchmark]:
    stage = stage_of(f"{name}:{options}")
    return list(call_with_options(build, stage, {"part": part or None, "data": data}))


def _parts_of_name(name: str) -> tuple[str, str, str]:
    """Split `name:options/part` and `name/part:options` into name, part and options."""
    base, _, part = name.partition("/")
    base, _, of_base = base.partition(":")
    part, _, of_part = part.partition(":")
    return base, part, ",".join(each for each in (of_base, of_part) if each)


def _folder_of_name(name: str) -> tuple[Path, str]:
    """Split `folder:options` into folder and options; a colon may also stand in a path."""
    before, colon, options = name.rpartition(":")
    if colon and "=" in options and not is_folder(Path(name)):
        return Path(before), options
    return Path(name), ""


def _parts_of_path(name: str) -> tuple[Path, str, str]:
    """Split `./mine.py:options/part` into file, part and options; no file where there is none."""
    before, suffix, rest = name.partition(".py")
    if not suffix or (rest and rest[0] not in "/:"):
        return Path(), "", ""
    _, part, options = _parts_of_name(f"x{rest}")
    return user_path(f"{before}.py"), part, options
