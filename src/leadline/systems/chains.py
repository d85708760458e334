"""From a chain as typed to the system that runs.

`bm25` is `build()` in retrievers/bm25.py, `./mine.py` is `build()` in that file. Only the files
that a system names are imported.
"""

from __future__ import annotations

import dataclasses
import inspect
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from leadline.data.addresses import without_keys
from leadline.data.paths import is_file, is_folder, user_path
from leadline.errors import InputError
from leadline.plugins import find, module_of
from leadline.system import System
from leadline.systems.catalog import ROWS, Row
from leadline.systems.files import Build, Origin, deep, system_at
from leadline.systems.functions import function_at
from leadline.systems.options import Builders, called
from leadline.systems.planning import is_left_out, is_planning, tell_left_out
from leadline.systems.registry import build_of
from leadline.systems.spec import Stage, is_path, parse, stage_of
from leadline.types import Enricher, Reranker, Retriever, adopted

_DEPTH = re.compile(r"[1-9]\d{0,6}")
_YES = ("true", "yes", "1", "on", "t", "y")


def load_system(spec: str, *, depth: int = 100) -> System:
    """Build the system that a chain describes, under the name it was typed as.

    What may be a key in an address that was typed is a hash in the name.

    spec   stages joined by `+`: `bm25`, `bm25:k1=0.9`, `dense:MODEL`, `./mine.py`, `./system.yaml`;
           with `@20` at the end, a depth of its own: see `deep`
    depth  documents that the first stage finds; a YAML file may set its own

    Raises InputError when a stage or an option is unknown or does not fit, and MissingExtraError
    when a stage needs a package that is not installed.
    """
    chain, own = without_depth(spec)
    system = deep(_chain(chain, Origin(Path(), depth)), own)
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

    Raises InputError for a system of the catalog that turns no texts into vectors, and for
    options that do not fit.
    """
    from leadline.retrievers.vectors.named import embedder

    row = _row_of(typed)
    if row is None:
        return embedder(typed)
    if row.stage != "dense":
        raise InputError(f"encoder={row.name}: that is no encoder of texts into vectors.")
    return call_with_options(build_of(row.stage), stage_of(typed), row.options)


def enricher_named(typed: str) -> Enricher:
    """Build the enricher of a name, options behind a colon: `facts:places=places.tsv`.

    Raises InputError when it is none.
    """
    built = _built(stage_of(typed), Origin(Path(), 1))
    if not hasattr(built, "constraints"):
        raise InputError(f"{typed!r} is no enricher.")
    enricher: Enricher = built
    return enricher


def call_with_options(build: Callable[..., Any], stage: Stage, preset: Mapping[str, Any]) -> Any:
    """Call a `build` of a user or of ours, with the options of a stage.

    Raises InputError for an option that is unknown, missing or does not fit.
    """
    return called(build, stage, preset, _builders(Origin(Path(), 100)))


def _chain(spec: str, place: Origin) -> System:
    retriever: Retriever | None = None
    rerankers: list[Reranker] = []
    enrichers: list[Enricher] = []
    stages = parse(spec)
    for stage in stages:
        if is_left_out(stage):
            tell_left_out(Path(stage.name).name if is_path(stage.name) else "A search service")
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
                raise InputError(f"{stage.name!r} in {spec!r} is an enricher: it must stand first.")
            enrichers.append(built)
        elif retriever is None and not rerankers:
            retriever = built
        else:
            raise InputError(
                f"{stage.name!r} in {spec!r} is a first stage, so it must stand first. "
                "To search with several, join them in a YAML file: fusion: {systems: [...]}."
            )
    if enrichers:
        retriever = _enriched(enrichers, retriever, spec)
    fallback = None if retriever is not None else _built(Stage("bm25"), place)
    return System(retriever, rerankers, place.depth, spec, fallback)


def _enriched(enrichers: Sequence[Enricher], retriever: Retriever | None, spec: str) -> Retriever:
    """Return the first stage with the facts of the enrichers before it in a lane beside it."""
    if retriever is None:
        raise InputError(f"{spec!r} has no first stage to enrich. Put one behind: facts+bm25.")
    lane: Retriever = find("retrievers", "fact_lane")(retriever, enrichers)
    return lane


def _built(stage: Stage, place: Origin) -> Any:
    """Return the retriever, reranker or system of one stage."""
    if is_path(stage.name):
        path = place.folder / user_path(stage.name)
        if not is_file(path):
            raise InputError(f"There is no file {path}, which the system names.")
        if path.suffix == ".py":
            return _of_file(path, stage, place)
        return system_at(path, place, Build(_chain, encoder_named, is_planning))
    row = ROWS.get(stage.name)
    if row is not None and row.systems:
        return _fusion(row, stage, place)
    _check_trust(row, stage, place)
    build = build_of(row.stage if row else stage.name)
    return called(build, _beside(stage, place), row.options if row else {}, _builders(place))


def _beside(stage: Stage, place: Origin) -> Stage:
    """Return a stage of a system file with the model folder `./...` that lies beside the file."""
    path = place.folder / stage.model
    if place.files and stage.model.startswith("./") and is_folder(path):
        return dataclasses.replace(stage, model=str(path))
    return stage


def _of_file(path: Path, stage: Stage, place: Origin) -> Any:
    """Return what `build` of a user's file makes, or the stage that a function in it is."""
    module = module_of(path)
    build = getattr(module, "build", None)
    takes_model = callable(build) and "model" in inspect.signature(build).parameters
    if callable(build) and (takes_model or not callable(getattr(module, stage.model, None))):
        return _checked(called(build, stage, {}, _builders(place)), stage.name)
    if stage.options:
        raise InputError(f"A function in {stage.name} takes no options; build() does.")
    return function_at(path, module, stage.model)


def _check_trust(row: Row | None, stage: Stage, place: Origin) -> None:
    """See that whoever runs Python of the hub has asked for it on the command line."""
    allowed = stage.options.get("trust_remote_code", "").strip().lower() in _YES
    if allowed and place.files:
        raise InputError(
            f"{place.files[-1].name} asks for trust_remote_code in {stage.name!r}, which runs "
            "Python of the hub: no file can allow that. Type the stage on the command line."
        )
    if row is not None and row.runs and not stage.model and not allowed:
        raise InputError(
            f"{row.name} runs Python of {row.runs} on the hub (commit "
            f"{str(row.options['code_revision'])[:12]}). If you trust it, type it on the command "
            f"line: {row.name}:trust_remote_code=true"
        )


def _checked(built: Any, where: str) -> Any:
    """Return what a user's own file built when it is something that can run."""
    if not any(hasattr(built, each) for each in ("index", "rerank", "constraints")):
        raise InputError(
            f"build() in {where} returned {type(built).__name__}; it must return a retriever "
            "(with index), a reranker (with rerank), an enricher (with facts and "
            "constraints) or a System."
        )
    if not isinstance(getattr(built, "name", None), str):
        raise InputError(f"What build() in {where} returned has no `name`: give it one, a str.")
    if _is_index(built) and not callable(getattr(built, "score", None)):
        raise InputError(
            f"What build() in {where} returned has no score(queries, candidates), which it needs "
            "next to search(queries, k). A search alone can be a function: def search(query, k)."
        )
    if hasattr(built, "constraints"):
        return built
    return adopted(built, Reranker if hasattr(built, "rerank") else Retriever)


def _is_index(built: Any) -> bool:
    """Tell whether a first stage is its own index: `index` then returns it, after a long time."""
    search = getattr(built, "search", None)
    return inspect.ismethod(search) and next(iter(inspect.signature(search).parameters), "") == (
        "queries"
    )


def _fusion(row: Row, stage: Stage, place: Origin) -> Any:
    from leadline.retrievers.ordering.fusion import fuse

    retrievers = [_chain(chain, place) for chain in row.systems]

    def build(k: int = 60, depth: int = 100) -> Retriever:
        return fuse(retrievers, k=k, depth=depth)

    return called(build, stage, row.options, _builders(place))


def _builders(place: Origin) -> Builders:
    """Return what makes the stages that are options of a stage."""
    return Builders(
        retriever=lambda typed: _chain(typed, place),
        reranker=lambda typed: _reranker_of(_chain(typed, place), typed),
        enricher=enricher_named,
        encoder=encoder_named,
        model=_model,
    )


def _reranker_of(system: System, typed: str) -> Reranker:
    if system.retriever is not None or len(system.rerankers) != 1:
        raise InputError(f"{typed!r} is no reranker, which the option takes.")
    return system.rerankers[0]


def _model(typed: str) -> Any:
    """Return the model of a whole name, or of a name at the endpoint of `--llm`."""
    from leadline.llm.opening import open_llm, place_beside

    return open_llm(typed, place_beside(typed))


def _row_of(typed: Any) -> Row | None:
    return ROWS.get(stage_of(typed).name) if isinstance(typed, str) else None
