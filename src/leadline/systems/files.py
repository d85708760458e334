"""Systems described in YAML files: a chain, a fusion of any chains, or a search service."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

from leadline.data.yaml_file import read_yaml
from leadline.errors import InputError
from leadline.system import System
from leadline.systems.planning import tell_left_out
from leadline.types import Retriever


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a chain stands: paths in it start at `folder`, and `files` are open around it."""

    folder: Path
    depth: int
    files: tuple[Path, ...] = ()


@dataclass(frozen=True, slots=True)
class Build:
    """Builds what is named in a file: the system of a chain, and an encoder.

    is_planning  whether no service is to be asked
    """

    chain: Callable[[str, Origin], System]
    encoder: Callable[[str], Any]
    is_planning: Callable[[], bool] = lambda: False


def system_at(path: Path, place: Origin, build: Build) -> System:
    """Build the system that a YAML file describes.

    place  of the chain that names the file
    build  builds the chains and encoders that stand in it

    Raises InputError, with file and line, for what cannot be read or does not fit.
    """
    resolved = path.resolve()
    if resolved in place.files:
        raise InputError(f"{path} names itself, directly or through another file.")
    content = read_yaml(path)
    inside = Origin(path.parent, place.depth, (*place.files, resolved))
    return _defined(content, str(path), inside, build)


@dataclass(frozen=True, kw_only=True)
class _Fusion:
    __pydantic_config__: ClassVar = {"extra": "forbid", "allow_inf_nan": False}
    systems: list[Any]
    k: int = 60
    depth: int = 100
    weights: list[float] = field(default_factory=list)


@dataclass(frozen=True, kw_only=True)
class _Definition:
    """What a system file may hold that is no service: one of `chain` and `fusion`, and a depth."""

    __pydantic_config__: ClassVar = {"extra": "forbid"}
    chain: str = ""
    fusion: _Fusion | None = None
    depth: int | None = None


def _defined(content: Any, where: str, place: Origin, build: Build) -> System:
    """Build what a mapping in a system file defines."""
    from leadline.retrievers.ordering.fusion import fuse

    if isinstance(content, Mapping) and ("url" in content or "endpoint" in content):
        return _service(content, where, place, build)
    definition = _validated(content, where)
    if definition.fusion is None:
        return deep(build.chain(definition.chain, place), definition.depth)
    depth = place.depth if definition.depth is None else definition.depth
    fusion = definition.fusion
    members: list[Retriever] = []
    for number, each in enumerate(fusion.systems):
        its = f"{where}: fusion.systems[{number}]"
        chain = isinstance(each, str)
        members.append(build.chain(each, place) if chain else _defined(each, its, place, build))
    fused = fuse(members, k=fusion.k, depth=fusion.depth, weights=fusion.weights)
    return System(fused, depth=depth)


def deep(system: System, depth: int | None) -> System:
    """Return the system with a depth of its own: what rerankers see, or else what it finds."""
    if depth is None:
        return system
    if not system.rerankers:
        return dataclasses.replace(system, depth=depth)
    return dataclasses.replace(system, depth=max(system.depth, depth), reranked=depth)


def members_in(path: Path) -> tuple[list[str], int | None]:
    """Return the chains that a system file searches with, as the file has them, and its depth.

    One where it holds a chain, several where it joins chains; none where it describes a service, or
    a fusion with more than chains in it (weights, a k or a depth of its own, further mappings).

    Raises InputError, with file and line, for what cannot be read or does not fit.
    """
    content = read_yaml(path)
    if isinstance(content, Mapping) and ("url" in content or "endpoint" in content):
        return [], None
    definition = _validated(content, str(path))
    if definition.fusion is None:
        return [definition.chain], definition.depth
    plain = _Fusion(systems=definition.fusion.systems) == definition.fusion
    chains = [each for each in definition.fusion.systems if isinstance(each, str)]
    whole = plain and len(chains) == len(definition.fusion.systems)
    return chains if whole else [], definition.depth


def _service(content: Mapping[Any, Any], where: str, place: Origin, build: Build) -> System:
    """Build a search service: its description, bare or under `endpoint`, and perhaps a depth."""
    from leadline.retrievers import endpoint

    depth = content.get("depth", place.depth)
    if not isinstance(depth, int):
        raise InputError(f"{where}: depth: must be a whole number, got {depth!r}.")
    description = {key: value for key, value in content.items() if key != "depth"}
    if build.is_planning():
        tell_left_out(f"The search service of {Path(where).name}")
        return build.chain("bm25", dataclasses.replace(place, depth=depth))
    return System(endpoint.described(description, where, build.encoder), depth=depth)


def _validated(content: Any, where: str) -> _Definition:
    from pydantic import TypeAdapter, ValidationError

    if not isinstance(content, dict):
        raise InputError(f"{where}: must be a mapping with `chain`, `fusion`, `endpoint` or `url`.")
    try:
        definition = TypeAdapter(_Definition).validate_python(content)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        raise InputError(f"{where}: {place}: {first['msg']}.") from error
    if bool(definition.chain) == bool(definition.fusion):
        raise InputError(f"{where}: give one of `chain`, `fusion`, `endpoint` and `url`.")
    return definition
