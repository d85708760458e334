"""Build a system from a typed chain or a YAML file.

`bm25` calls `build()` in retrievers/bm25.py, `./mine.py` calls `build()` in that file. Only the
named files are imported. A YAML file has a chain, a fusion of chains, or the description of a
search service.
"""

from __future__ import annotations

import dataclasses
import inspect
import re
import types
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, Union, get_args, get_origin, get_type_hints

from leadline.data.addresses import without_keys
from leadline.data.paths import is_file, is_folder, user_path
from leadline.data.yaml_file import read_yaml
from leadline.errors import InputError, unknown
from leadline.llm.account import current
from leadline.models.encoder import Embedder, Encoders
from leadline.plugins import find, module_of
from leadline.progress import say
from leadline.system import System
from leadline.systems.adapters import function_at
from leadline.systems.catalog import ROWS, Row, build_of
from leadline.systems.chunks import Chunks, in_documents
from leadline.systems.spec import Stage, is_path, parse, stage_of
from leadline.types import LLM, Enricher, Reranker, Retriever, TokenScorer, adopted

_DEPTH = re.compile(r"[1-9]\d{0,6}")
_YES = ("true", "yes", "1", "on", "t", "y")


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a chain stands: paths in it start at `folder`, and `files` are open around it.

    chunks  of what documents an index of the user's own holds chunks, see `in_documents`
    """

    folder: Path = Path()
    depth: int = 100
    files: tuple[Path, ...] = ()
    chunks: Chunks | None = None


def load_system(spec: str, *, depth: int = 100, chunks: Chunks | None = None) -> System:
    """Build the system that a chain describes, under the name it was typed as.

    What may be a key in an address that was typed is a hash in the name.

    spec   stages joined by `+`: `bm25`, `bm25:k1=0.9`, `dense:MODEL`, `./mine.py`, `./system.yaml`;
           with `@20` at the end, a depth of its own: see `_deep`
    depth  documents that the first stage finds; a YAML file may set its own
    chunks how ids of chunks that files, services and runs give are those of documents

    Raises InputError when a stage or an option is unknown or does not fit, and MissingExtraError
    when a stage needs a package that is not installed.
    """
    chain, own = without_depth(spec)
    system = _deep(_chain(chain, Origin(depth=depth, chunks=chunks)), own)
    return dataclasses.replace(system, name=without_keys(spec))


def without_depth(spec: str) -> tuple[str, int | None]:
    """Split `bm25+cross_encoder:MODEL@20` into the chain and the depth behind it, if any."""
    chain, _, depth = spec.rpartition("@")
    if not chain or not _DEPTH.fullmatch(depth):
        return spec, None
    return chain, int(depth)


def encoder_named(typed: str) -> Any:
    """Build the encoder that a name stands for, options behind a colon: `minilm:dtype=bfloat16`.

    What the catalog does not know is a name on the hub or a folder.
    """
    from leadline.retrievers.parts.store import embedder

    row = ROWS.get(stage_of(typed).name)
    if row is None:
        return embedder(typed)
    if row.stage != "dense":
        raise InputError(
            f"encoder={row.name} is not an encoder. Name one from `leadline list systems`."
        )
    return call_with_options(build_of(row.stage), stage_of(typed), row.options)


def enricher_named(typed: str) -> Enricher:
    """Build the enricher of a name, options behind a colon: `facts:places=places.tsv`."""
    built: Enricher = _built(stage_of(typed), Origin())
    if not hasattr(built, "constraints"):
        raise InputError(f"{typed!r} is not an enricher.")
    return built


def _chain(spec: str, place: Origin) -> System:
    retriever: Retriever | None = None
    rerankers: list[Reranker] = []
    enrichers: list[Enricher] = []
    stages = parse(spec)
    for stage in stages:
        is_service = stage.name == "endpoint"
        if (is_service or stage.name.endswith(".py")) and _is_planned(
            "A search service" if is_service else Path(stage.name).name
        ):
            retriever = retriever or (None if rerankers else _built(Stage("bm25"), place))
            continue
        built = _built(stage, place)
        if isinstance(built, System) and len(stages) == 1:
            return built
        if isinstance(built, System) and built.retriever is None:
            rerankers += built.rerankers
        elif hasattr(built, "rerank"):
            rerankers.append(built)
        elif hasattr(built, "constraints"):
            if retriever is not None or rerankers:
                raise InputError(
                    f"{stage.name!r} in {spec!r} is an enricher, so it must come first."
                )
            enrichers.append(built)
        elif retriever is None and not rerankers:
            retriever = built
        else:
            raise InputError(
                f"{stage.name!r} in {spec!r} is a first stage, so it must come first. To combine "
                "several, write a YAML file: fusion: {systems: [...]}. See "
                "docs/reference/systems.md."
            )
    if enrichers and retriever is None:
        raise InputError(f"{spec!r} has no first stage to enrich. Add one after it: facts+bm25.")
    if enrichers:  # their facts stand in a lane beside the first stage
        retriever = find("retrievers", "fact_lane")(retriever, enrichers)
    fallback = None if retriever is not None else _built(Stage("bm25"), place)
    return System(retriever, rerankers, place.depth, spec, fallback)


def _built(stage: Stage, place: Origin) -> Any:
    if is_path(stage.name):
        path = place.folder / user_path(stage.name)
        if not is_file(path):
            raise InputError(f"The system names the file {path}, which does not exist.")
        if path.suffix == ".py":
            return in_documents(_of_python(path, stage, place), place.chunks)
        return _of_yaml(path, stage, place)
    row = ROWS.get(stage.name)
    if row is not None and row.systems:
        return _fusion(row, stage, place)
    _check_trust(row, stage, place)
    beside = place.folder / stage.model
    if place.files and stage.model.startswith("./") and is_folder(beside):
        stage = dataclasses.replace(stage, model=str(beside))
    build = build_of(row.stage if row else stage.name)
    built = call_with_options(build, stage, row.options if row else {}, place)
    return in_documents(built, place.chunks) if stage.name in ("endpoint", "run") else built


def _fusion(row: Row, stage: Stage, place: Origin) -> Any:
    from leadline.retrievers.parts.rankings import fuse

    retrievers = [_chain(chain, place) for chain in row.systems]

    def build(k: int = 60, depth: int = 100) -> Retriever:
        return fuse(retrievers, k=k, depth=depth)

    return call_with_options(build, stage, row.options, place)


def _check_trust(row: Row | None, stage: Stage, place: Origin) -> None:
    """See that whoever runs Python of the hub has asked for it on the command line."""
    allowed = stage.options.get("trust_remote_code", "").strip().lower() in _YES
    if allowed and place.files:
        raise InputError(
            f"{place.files[-1].name} sets trust_remote_code in {stage.name!r}, which runs Python "
            "code from the hub. A file may not allow that. Type the stage on the command line."
        )
    if row is not None and row.runs and not stage.model and not allowed:
        raise InputError(
            f"{row.name} runs Python code of {row.runs} on the hub (commit "
            f"{str(row.options['code_revision'])[:12]}). If you trust it, add "
            f"{row.name}:trust_remote_code=true on the command line."
        )


# Python files


def _of_python(path: Path, stage: Stage, place: Origin) -> Any:
    """Return what `build` of a user's file makes, or the stage that a function in it is."""
    module = module_of(path)
    build = getattr(module, "build", None)
    takes_model = callable(build) and "model" in inspect.signature(build).parameters
    if callable(build) and (takes_model or not callable(getattr(module, stage.model, None))):
        return _checked(call_with_options(build, stage, {}, place), stage.name)
    if stage.options:
        raise InputError(f"A function in {stage.name} takes no options. Use build() for options.")
    return function_at(path, module, stage.model)


def _checked(built: Any, where: str) -> Any:
    """Return what a user's own file built when it is something that can run."""
    if not any(hasattr(built, each) for each in ("index", "search", "rerank", "constraints")):
        raise InputError(
            f"build() in {where} returned {type(built).__name__}, but it must return a retriever "
            "(with index), a reranker (with rerank), an enricher (with facts and constraints) or "
            "a System."
        )
    if not isinstance(getattr(built, "name", None), str):
        raise InputError(
            f"The object that build() in {where} returned needs an attribute `name`, a str."
        )
    if hasattr(built, "constraints"):
        return built
    return adopted(built, Reranker if hasattr(built, "rerank") else Retriever)


# YAML files


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


def _of_yaml(path: Path, stage: Stage, place: Origin) -> System:
    resolved = path.resolve()
    if resolved in place.files:
        raise InputError(f"{path} refers to itself, directly or through another file.")
    inside = dataclasses.replace(place, folder=path.parent, files=(*place.files, resolved))
    return _defined(read_yaml(path), str(path), inside)


def _defined(content: Any, where: str, place: Origin) -> System:
    from leadline.retrievers.parts.rankings import fuse

    if _is_service(content):
        return _service(content, where, place)
    definition = _validated(content, where)
    fusion = definition.fusion
    if fusion is None:
        return _deep(_chain(definition.chain, place), definition.depth)
    members: list[Retriever] = [
        _chain(each, place)
        if isinstance(each, str)
        else _defined(each, f"{where}: fusion.systems[{number}]", place)
        for number, each in enumerate(fusion.systems)
    ]
    fused = fuse(members, k=fusion.k, depth=fusion.depth, weights=fusion.weights)
    return System(fused, depth=place.depth if definition.depth is None else definition.depth)


def _deep(system: System, depth: int | None) -> System:
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
    """
    content = read_yaml(path)
    if _is_service(content):
        return [], None
    definition = _validated(content, str(path))
    if definition.fusion is None:
        return [definition.chain], definition.depth
    chains = [each for each in definition.fusion.systems if isinstance(each, str)]
    plain = _Fusion(systems=list(chains)) == definition.fusion
    return chains if plain else [], definition.depth


def _is_service(content: Any) -> bool:
    return isinstance(content, Mapping) and ("url" in content or "endpoint" in content)


def _service(content: Mapping[Any, Any], where: str, place: Origin) -> System:
    """Build a search service: its description, bare or under `endpoint`, and perhaps a depth."""
    from leadline.retrievers import endpoint

    depth = content.get("depth", place.depth)
    if not isinstance(depth, int):
        raise InputError(f"{where}: depth must be an integer, got {depth!r}.")
    if _is_planned(f"The search service of {Path(where).name}"):
        return _chain("bm25", dataclasses.replace(place, depth=depth))
    description = {key: value for key, value in content.items() if key != "depth"}
    service = endpoint.described(description, where, encoder_named)
    return System(in_documents(service, place.chunks), depth=depth)


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
        raise InputError(f"{where}: give only one of `chain`, `fusion`, `endpoint` and `url`.")
    return definition


def _is_planned(what: str) -> bool:
    """Tell whether this is a dry run, which touches neither Python files nor search services."""
    kept = current()
    is_planned = kept is not None and kept.dry_run
    if is_planned:
        say(f"{what} is not run in a dry run; as a first stage, bm25 stands in for it.")
    return is_planned


# Options


def call_with_options(
    build: Callable[..., Any], stage: Stage, preset: Mapping[str, Any], place: Origin | None = None
) -> Any:
    """Call a `build` with the options of a stage, turned into the types that it declares.

    An option whose type is a stage is given by the name people type, and built: `scorer=minilm`.

    preset  options that the name itself stands for

    Raises InputError for an option that is unknown, missing or does not fit.
    """
    from pydantic import ConfigDict, ValidationError, validate_call

    options = {**preset, **stage.options}
    if stage.model:
        options["model"] = stage.model
        if "revision" not in stage.options:
            options.pop("revision", None)  # of the model that the row names
    hints = _hints(build)
    _check_options(build, stage, options, hints)
    here = place or Origin()
    makers: tuple[tuple[Any, Callable[[str], Any]], ...] = (
        (Embedder, encoder_named),
        (Retriever, lambda typed: _chain(typed, here)),
        (Reranker, lambda typed: _reranker_of(_chain(typed, here), typed)),
        (Enricher, enricher_named),
        (LLM, _model),
        (TokenScorer, _model),
    )
    for name, wanted in hints.items():
        if wanted == Encoders:
            options[name] = encoder_named
        elif isinstance(options.get(name), str):
            is_union = get_origin(wanted) in (Union, types.UnionType)
            among = get_args(wanted) if is_union else (wanted,)
            make = next((make for kind, make in makers if kind in among), None)
            options[name] = make(options[name]) if make else options[name]
    config = ConfigDict(arbitrary_types_allowed=True, allow_inf_nan=False)
    try:
        return validate_call(config=config)(build)(**options)
    except ValidationError as error:
        first = error.errors()[0]
        option = str(first["loc"][0]) if first["loc"] else "an option"
        raise InputError(
            f"{stage.name}: {option}={options.get(option)!r} does not fit. {first['msg']}."
        ) from error


def _reranker_of(system: System, typed: str) -> Reranker:
    if system.retriever is not None or len(system.rerankers) != 1:
        raise InputError(f"{typed!r} is not a reranker, which the option needs.")
    return system.rerankers[0]


def _model(typed: str) -> Any:
    """Return the model of a whole name, or of a name at the endpoint of `--llm`."""
    from leadline.llm.opening import open_llm, place_beside

    return open_llm(typed, place_beside(typed))


def _hints(build: Callable[..., Any]) -> dict[str, Any]:
    """Return the type of every parameter, however its file writes annotations."""
    try:
        hints = get_type_hints(build)
    except NameError as error:
        where = build.__module__
        raise InputError(f"build() of {where} has an unknown type: {error}.") from error
    return {name: hints.get(name, Any) for name in inspect.signature(build).parameters}


def _check_options(
    build: Callable[..., Any], stage: Stage, options: Mapping[str, Any], hints: Mapping[str, Any]
) -> None:
    every = inspect.signature(build).parameters.values()
    parameters = [p for p in every if hints[p.name] != Encoders]  # those are nothing to type
    named = [p for p in parameters if p.kind in (p.KEYWORD_ONLY, p.POSITIONAL_OR_KEYWORD)]
    names = [p.name for p in named]
    takes_any = any(p.kind is p.VAR_KEYWORD for p in parameters)
    its = f"Its options: {', '.join(names)}." if names else "It has no options."
    for option in options:
        if option in names or takes_any:
            continue
        if option == "model" and stage.model:
            raise InputError(f"{stage.name!r} takes no model, got {stage.model!r}. {its}")
        raise unknown(f"option of {stage.name!r}:", option, names, its)
    for parameter in named:
        if parameter.default is parameter.empty and parameter.name not in options:
            how = f"{stage.name}:{'' if parameter.name == 'model' else parameter.name + '='}..."
            raise InputError(f"{stage.name!r} needs a value for {parameter.name!r}: {how}")
