"""From options as typed to the arguments of `build`, in the types that it declares.

An option whose type is a stage is given by the name people type, and built: `scorer=minilm`.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Union, get_args, get_origin, get_type_hints

from leadline.errors import InputError, unknown
from leadline.models.encoder import Embedder, Encoders
from leadline.systems.spec import Stage
from leadline.types import LLM, Enricher, Reranker, Retriever, TokenScorer


@dataclass(frozen=True, slots=True)
class Builders:
    """What makes a stage of the name that people type, by the type that an option declares."""

    retriever: Callable[[str], Retriever]
    reranker: Callable[[str], Reranker]
    enricher: Callable[[str], Enricher]
    encoder: Encoders
    model: Callable[[str], Any]

    def for_type(self, wanted: Any) -> Callable[[str], Any] | None:
        """Return what builds a stage of a type; None for a type that is no stage."""
        known: tuple[tuple[Any, Callable[[str], Any]], ...] = (
            (Embedder, self.encoder),
            (Retriever, self.retriever),
            (Reranker, self.reranker),
            (Enricher, self.enricher),
            (LLM, self.model),
            (TokenScorer, self.model),
        )
        among = _members(wanted)
        return next((build for stage, build in known if stage in among), None)


def called(
    build: Callable[..., Any], stage: Stage, preset: Mapping[str, Any], builders: Builders
) -> Any:
    """Call `build` with the options of a stage, turned into the types that it declares.

    preset    options that the name itself stands for
    builders  make the options that are stages themselves

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
    options |= _stages(hints, options, builders)
    config = ConfigDict(arbitrary_types_allowed=True, allow_inf_nan=False)
    checked = validate_call(config=config)(build)
    try:
        return checked(**options)
    except ValidationError as error:
        first = error.errors()[0]
        option = str(first["loc"][0]) if first["loc"] else "an option"
        raise InputError(
            f"{stage.name}: {option}={options.get(option)!r} does not fit. {first['msg']}."
        ) from error


def _stages(
    hints: Mapping[str, Any], options: Mapping[str, Any], builders: Builders
) -> dict[str, Any]:
    """Build the options that are stages, and hand over what makes encoders of names."""
    built: dict[str, Any] = {}
    for name, wanted in hints.items():
        if wanted == Encoders:
            built[name] = builders.encoder
        elif isinstance(options.get(name), str) and (make := builders.for_type(wanted)):
            built[name] = make(options[name])
    return built


def _hints(build: Callable[..., Any]) -> dict[str, Any]:
    """Return the type of every parameter, however its file writes annotations."""
    try:
        hints = get_type_hints(build)
    except NameError as error:
        raise InputError(
            f"build() of {build.__module__} has a type that cannot be looked up: {error}."
        ) from error
    return {name: hints.get(name, Any) for name in inspect.signature(build).parameters}


def _members(wanted: Any) -> tuple[Any, ...]:
    """Return the types of a union, or the one type alone."""
    import types

    is_union = get_origin(wanted) in (Union, types.UnionType)
    return get_args(wanted) if is_union else (wanted,)


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
        if option == "model" and stage.model and "model" not in names and not takes_any:
            raise InputError(f"{stage.name!r} takes no model, got {stage.model!r}. {its}")
        if option not in names and not takes_any:
            raise unknown(f"option of {stage.name!r}:", option, names, its)
    for parameter in named:
        if parameter.default is parameter.empty and parameter.name not in options:
            how = f"{stage.name}:{'' if parameter.name == 'model' else parameter.name + '='}..."
            raise InputError(f"{stage.name!r} needs a value for {parameter.name!r}: {how}")
