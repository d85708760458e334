"""The model of a name: at an endpoint, or in this process."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from functools import wraps
from typing import Any, Literal, TypeVar, get_type_hints

from leadline.data.cache import cache_folder
from leadline.errors import InputError
from leadline.llm import account, naming
from leadline.models.checkpoints import Dtype
from leadline.types import LLM

T = TypeVar("T")

_TIMEOUT, _CONCURRENCY = 120.0, 32
_TIMEOUT_HERE = 3600.0
"""Seconds for a call in this process: nothing is lost on its way, so that long answers may end."""
_SMALL = 4_000_000_000
"""Parameters below which a model gets one small question at a time."""
_UNITS = {"m": 1e6, "b": 1e9}
_SIZE = re.compile(r"(?<![\w.])(\d+(?:\.\d+)?)([bm])(?![a-z0-9])", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class ModelPlace:
    """Where a model runs, and how: the options of every stage that asks one.

    model        its name: any of `naming.FORMS`; at an address its name there; else a name on the
                 hub
    llm          address of an OpenAI-compatible endpoint, or any of `naming.FORMS`; empty for what
                 `model` says
    llm_model    its name at the endpoint where it differs from `model`
    key_env      name of the environment variable that holds the endpoint's key
    cache        keep answers on disk, so that a run that was broken off goes on from there
    concurrency  calls to an endpoint under way at once; 0 for that of the command, else 32
    timeout      seconds for one attempt of a call; 0 for that of the command, else 120, and an
                 hour in this process
    device, dtype, max_length, batch_size, revision, adapter, trust_remote_code
                 of a model in this process, as llm/local.py explains them
    """

    model: str = ""
    llm: str = ""
    llm_model: str = ""
    key_env: str = ""
    cache: bool = True
    concurrency: int = 0
    timeout: float = 0.0
    device: str = ""
    dtype: Dtype = "auto"
    max_length: int | None = None
    batch_size: int = 8
    revision: str = ""
    adapter: str = ""
    trust_remote_code: bool = False


def takes_model(build: Callable[..., T]) -> Callable[..., T]:
    """Give `build(place, *, ...)` the options of a `ModelPlace` in the place of its `place`.

    `build("NAME", llm=URL, window=20)` then puts name and address into the place, and so does
    `listwise:NAME,llm=URL,window=20` on the command line. An option that `build` has itself stays
    its own.
    """
    own = list(inspect.signature(build).parameters.values())[1:]
    taken = {each.name for each in own}
    options = [each.name for each in fields(ModelPlace) if each.name not in taken]

    @wraps(build)
    def built(*given: Any, **named: Any) -> T:
        arguments = signature.bind(*given, **named).arguments
        place = {name: arguments.pop(name) for name in options if name in arguments}
        return build(ModelPlace(**place), **arguments)

    hints = get_type_hints(build, include_extras=True)
    kinds = get_type_hints(ModelPlace)
    first = inspect.Parameter(
        "model", inspect.Parameter.POSITIONAL_OR_KEYWORD, default="", annotation=str
    )
    added = [
        inspect.Parameter(
            each.name,
            inspect.Parameter.KEYWORD_ONLY,
            default=each.default,
            annotation=kinds[each.name],
        )
        for each in fields(ModelPlace)
        if each.name in options and each.name != "model"
    ]
    typed = [each.replace(annotation=hints[each.name]) for each in own]
    signature = inspect.Signature([first, *typed, *added])
    vars(built)["__signature__"] = signature
    built.__annotations__ = {each.name: each.annotation for each in signature.parameters.values()}
    del vars(built)["__wrapped__"]  # whoever reads types must not look behind
    return built


def open_model(name: str, **options: Any) -> LLM:
    """Return the model of a name, its answers kept on disk; nothing is loaded or sent yet.

    name     `openai:gpt-5-mini`, `ollama:qwen3:8b`, `http://localhost:8000/v1#NAME`,
             `./model.gguf`, `hub:OWNER/NAME` or a folder of weights
    options  further fields of `ModelPlace`

    Raises InputError when the name stands for nothing or a key is missing, and MissingExtraError
    when a package is missing.
    """
    return open_llm(name, ModelPlace(llm=name, **options))


def open_llm(stage: str, place: ModelPlace) -> LLM:
    """Return the model, its answers kept where the place says so; nothing is loaded or sent yet.

    stage  what asks for it, for the errors. One that names neither a model nor an address takes
           the endpoint of the account that is kept

    Raises InputError when no model is named or the endpoint does not fit, and MissingExtraError
    when a package is missing.
    """
    return kept(open_uncached(stage, place), place)


def open_uncached(
    stage: str,
    place: ModelPlace,
    *,
    in_template: bool | None = None,
    extra: Mapping[str, Any] | None = None,
    patience: float = _TIMEOUT,
) -> Any:
    """Return the model as `open_llm` does, its answers not kept.

    in_template  whether a prompt goes into the model's chat template; by default at an endpoint
    extra        further fields of every call's body, at an endpoint or of a GGUF file
    patience     seconds for a call to an endpoint, where nobody says
    """
    place = with_default(place)
    model = place.llm_model or place.model
    if not model:
        raise InputError(
            f"{stage} needs a model: {stage}:NAME, or --llm NAME for every stage that names none. "
            f"A NAME is {naming.FORMS}."
        )
    if place.llm:
        return _at_endpoint(model, place, in_template is not False, extra, patience)
    if naming.is_gguf(model):
        return _of_file(model, place, in_template is not False, extra)
    from leadline.llm.local import LocalLLM

    return LocalLLM(
        model,
        device=place.device,
        dtype=place.dtype,
        max_length=place.max_length,
        batch_size=place.batch_size,
        revision=place.revision,
        adapter=place.adapter,
        trust_remote_code=place.trust_remote_code,
        chat=bool(in_template),
    )


def kept(llm: LLM, place: ModelPlace) -> LLM:
    """Return a model whose answers are kept on disk, where the place says so."""
    from leadline.llm.cached import CachedLLM

    if not place.cache:
        return llm
    own = default_endpoint()
    folder = own.cache if own is not None and own.cache is not None else cache_folder("llm")
    return CachedLLM(llm, folder / "answers.sqlite")


def default_endpoint() -> account.Endpoint | None:
    """Return the model of stages that name none, where the account that is kept has one."""
    current = account.current()
    return current.default if current is not None else None


def with_default(place: ModelPlace) -> ModelPlace:
    """Return the place of a stage with its name looked up: that of the command, if it has none.

    Raises InputError when a name stands for nothing, or its key is missing.
    """
    own = default_endpoint()
    if not (place.model or place.llm_model or place.llm):
        if own is None:
            return place
        key_env = place.key_env or own.key_env
        return replace(place, llm=own.url, model=own.model, key_env=key_env)
    if naming.is_address(place.llm):
        return place
    if place.llm:
        found: naming.Named | None = naming.find(place.llm, place.key_env)
    else:
        found = naming.named(place.llm_model or place.model, place.key_env)
    if found is None:
        return place
    return replace(place, model=found.model, llm_model="", llm=found.url, key_env=found.key_env)


def place_beside(name: str, url: str = "", key_env: str = "") -> ModelPlace:
    """Return the place of a second model: of a whole name, or a name at the endpoint of `--llm`.

    url  address of another endpoint. The key of one endpoint never goes to another

    Raises InputError when nothing says where the model is.
    """
    if url:
        return ModelPlace(name, url, key_env=key_env)
    if found := naming.named(name, key_env):
        return ModelPlace(found.model, found.url, key_env=found.key_env)
    own = default_endpoint()
    if own is None or not own.url:
        naming.find(name)
        raise InputError(f"Nothing says where the model {name} is: name it as {naming.FORMS}.")
    return ModelPlace(name, own.url, key_env=key_env or own.key_env)


def effort_of(llm: Any) -> account.Effort:
    """Return how much the model of `--llm` is asked at once.

    `--llm-effort` says, else what `leadline llm test` found, else the size of the model.
    """
    from leadline.llm.findings import findings_of

    current = account.current()
    if current is not None and current.effort:
        return current.effort
    place = with_default(ModelPlace())
    found = findings_of(place.llm, place.model)
    return found.effort if found is not None else effort_by_size(llm)


def effort_by_size(llm: Any) -> account.Effort:
    """Return low for a model that is small by its weights, or by its name (`qwen3:0.6b`)."""
    parameters = getattr(llm, "parameters", 0) or max(
        (float(count) * _UNITS[unit.lower()] for count, unit in _SIZE.findall(llm.name)),
        default=_SMALL,
    )
    return "low" if parameters < _SMALL else "high"


def _at_endpoint(
    model: str,
    place: ModelPlace,
    in_chat: bool,
    extra: Mapping[str, Any] | None,
    patience: float,
) -> LLM:
    from leadline.llm.findings import findings_of
    from leadline.llm.openai import OpenAILLM

    limits = _limits(place, _CONCURRENCY, patience)
    llm = OpenAILLM(
        place.llm, model, place.key_env, mode=_mode(in_chat), extra=extra, limits=limits
    )
    llm.quirks.update(naming.refused_at(llm.base_url))
    found = findings_of(place.llm, model) if place.cache else None
    if found is not None:
        llm.quirks.update(found.refused)
    return llm


def _of_file(model: str, place: ModelPlace, in_chat: bool, extra: Mapping[str, Any] | None) -> LLM:
    if place.device or place.adapter:
        raise InputError("A GGUF file takes no device and no adapter.")
    from leadline.llm.gguf import GGUF, SLOTS

    limits = _limits(place, SLOTS, _TIMEOUT_HERE)
    return GGUF(model, mode=_mode(in_chat), extra=extra, limits=limits, max_length=place.max_length)


def _limits(place: ModelPlace, concurrency: int, timeout: float) -> Any:
    """Return what the place or the command says, else the given numbers."""
    from leadline.llm.connection import Limits

    current = account.current()
    most, seconds = place.concurrency, place.timeout
    if current is not None:
        most, seconds = most or current.concurrency, seconds or current.timeout
    seconds = seconds or timeout
    return Limits(most or concurrency, seconds, call_deadline=max(900.0, 4 * seconds))


def _mode(in_chat: bool) -> Literal["chat", "completion"]:
    return "chat" if in_chat else "completion"
