"""Open a language model by name: a provider's, at an address, or weights on this machine."""

from __future__ import annotations

import hashlib
import inspect
import json
import os
import re
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import asdict, dataclass, fields, replace
from functools import cache, wraps
from importlib.resources import as_file, files
from typing import Any, TypeVar, get_type_hints

from leadline.data.addresses import without_keys
from leadline.data.cache import cache_folder
from leadline.data.paths import exists, is_file, is_folder, user_path
from leadline.data.yaml_file import read_yaml
from leadline.errors import InputError, unknown
from leadline.llm import account
from leadline.llm.account import Endpoint
from leadline.llm.cached import CachedLLM, Store
from leadline.llm.connection import Limits
from leadline.models.checkpoints import Dtype
from leadline.types import LLM

T = TypeVar("T")

FORMS = (
    "openai:gpt-5-mini, ollama:qwen3:8b, http://HOST:8000/v1#NAME, ./model.gguf, hub:OWNER/NAME "
    "or a folder of weights"
)
_HUB = "hub"
_PATH = re.compile(r"[.~/\\]|[A-Za-z]:[\\/]")
_TIMEOUT, _CONCURRENCY = 120.0, 32
_TIMEOUT_HERE = 3600.0
"""Seconds for a call in this process: nothing is lost on its way, so that long answers may end."""
_SMALL = 4_000_000_000
"""Parameters below which a model gets one small question at a time."""
_UNITS = {"m": 1e6, "b": 1e9}
_SIZE = re.compile(r"(?<![\w.])(\d+(?:\.\d+)?)([bm])(?![a-z0-9])", re.IGNORECASE)
_HERE = ("device", "dtype", "max_length", "batch_size", "revision", "adapter", "trust_remote_code")


@dataclass(frozen=True, slots=True)
class ModelPlace:
    """Where a model runs, and how: the options of every stage that asks one.

    model        its name: any of `FORMS`; at an address its name there; else a name on the hub
    llm          address of an OpenAI-compatible endpoint, or any of `FORMS`; empty for what `model`
                 says
    llm_model    its name at the endpoint if it differs from `model`
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


@cache
def providers() -> Mapping[str, Mapping[str, Any]]:
    """Return the rows of providers.yaml, which explains their fields, by name."""
    with as_file(files(__package__) / "providers.yaml") as path:
        return {row["name"]: row for row in read_yaml(path)}


def is_address(name: str) -> bool:
    """Tell whether a name is the address of an endpoint, without a model."""
    return name.startswith(("http://", "https://")) and "#" not in name


def is_gguf(name: str) -> bool:
    """Tell whether a name is that of a GGUF file."""
    return name.lower().endswith(".gguf")


def named(name: str, key_env: str = "") -> Endpoint | None:
    """Return what a name stands for by itself; None for one that only an endpoint can know.

    key_env  variable that holds the key, before that of the provider

    Raises InputError when a key, a file or the name of the model is missing.
    """
    if name.startswith(("http://", "https://")):
        url, _, model = name.partition("#")
        if not model:
            shown = without_keys(url)
            raise InputError(f"{shown} needs the name of a model: {shown}#NAME.")
        return Endpoint(url, model, key_env)
    first, colon, model = name.partition(":")
    provider = providers().get(first)
    if colon and not model and (provider or first == _HUB):
        raise InputError(f"{name!r} needs the name of a model after the colon.")
    if colon and provider:
        return Endpoint(provider["url"], model, key_env or _key_of(provider, name))
    if colon and first == _HUB:
        return Endpoint("", model)
    folder = user_path(name)
    if is_gguf(name):
        if not is_file(folder):
            raise InputError(f"There is no model file {name}.")
        return Endpoint("", name)
    if is_file(folder / "config.json") or (_PATH.match(name) and is_folder(folder)):
        return Endpoint("", name)
    if _PATH.match(name):
        raise InputError(f"There is no model at {name}. Give a .gguf file or a folder of weights.")
    return None


def find_model(name: str, key_env: str = "") -> Endpoint:
    """Return what a name stands for. Raises InputError also if it stands for nothing."""
    found = named(name, key_env)
    if found is None:
        rest = name.partition(":")[2] or name
        known = [f"{each}:{rest}" for each in (*providers(), _HUB)]
        raise unknown(
            "language model",
            name,
            known,
            f"Write a model as {FORMS}. See docs/reference/language-models.md.",
        )
    return found


def _key_of(provider: Mapping[str, Any], name: str) -> str:
    variables: list[str] = provider.get("keys", [])
    for variable in variables:
        if os.environ.get(variable, "").strip():
            return variable
    if not variables:
        return ""
    raise InputError(
        f"{name} needs a key. Put it into the environment variable {' or '.join(variables)}."
    )


def takes_model(build: Callable[..., T]) -> Callable[..., T]:
    """Give `build(place, *, ...)` the options of a `ModelPlace` in the place of its `place`.

    `build("NAME", llm=URL, window=20)` then puts name and address into the place, and so does
    `listwise:NAME,llm=URL,window=20` on the command line. An option that `build` has itself stays
    its own.
    """
    own = list(inspect.signature(build).parameters.values())[1:]
    options = [each for each in fields(ModelPlace) if each.name not in {one.name for one in own}]

    @wraps(build)
    def built(*given: Any, **named: Any) -> T:
        arguments = signature.bind(*given, **named).arguments
        place = {each.name: arguments.pop(each.name) for each in options if each.name in arguments}
        return build(ModelPlace(**place), **arguments)

    hints, kinds = get_type_hints(build, include_extras=True), get_type_hints(ModelPlace)
    keyword = inspect.Parameter.KEYWORD_ONLY
    model, *added = [
        inspect.Parameter(each.name, keyword, default=each.default, annotation=kinds[each.name])
        for each in options
    ]
    typed = [each.replace(annotation=hints[each.name]) for each in own]
    first = model.replace(kind=inspect.Parameter.POSITIONAL_OR_KEYWORD)
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
    patience     seconds for a call to an endpoint, if nobody says
    """
    place = with_default(place)
    model = place.llm_model or place.model
    how: dict[str, Any] = {
        "mode": "completion" if in_template is False else "chat", "extra": extra,
    }  # fmt: skip
    if not model:
        raise InputError(
            f"{stage} needs a model. Write {stage}:NAME, or --llm NAME for all stages. A NAME is "
            f"{FORMS}."
        )
    if place.llm:
        from leadline.llm.openai import OpenAILLM

        limits = _limits(place, _CONCURRENCY, patience)
        llm = OpenAILLM(place.llm, model, place.key_env, limits=limits, **how)
        found = findings_of(place.llm, model) if place.cache else None
        rows = [row for row in providers().values() if row["url"] == llm.base_url]
        known = [each for row in rows for each in row.get("refuses", ())]
        llm.quirks.update(known, found.refused if found else ())
        return llm
    if is_gguf(model):
        if place.device or place.adapter:
            raise InputError("A GGUF file does not support device and adapter.")
        from leadline.llm.gguf import GGUF, SLOTS

        limits = _limits(place, SLOTS, _TIMEOUT_HERE)
        return GGUF(model, limits=limits, max_length=place.max_length, **how)
    from leadline.llm.local import LocalLLM

    options = {name: getattr(place, name) for name in _HERE}
    return LocalLLM(model, chat=bool(in_template), **options)


def kept(llm: LLM, place: ModelPlace) -> LLM:
    """Return a model whose answers are kept on disk, if the place says so."""
    return CachedLLM(llm, cache_folder("llm") / "answers.sqlite") if place.cache else llm


def default_endpoint() -> Endpoint | None:
    """Return the model of stages that name none, if the account that is kept has one."""
    current = account.current()
    return current.default if current is not None else None


def with_default(place: ModelPlace) -> ModelPlace:
    """Return the place of a stage with its name looked up: that of the command, if it has none.

    Raises InputError when a name stands for nothing, or its key is missing.
    """
    if is_address(place.llm):
        return place
    if place.llm:
        found: Endpoint | None = find_model(place.llm, place.key_env)
    elif place.model or place.llm_model:
        found = named(place.llm_model or place.model, place.key_env)
    else:
        found = default_endpoint()
        if found is not None and place.key_env:
            found = replace(found, key_env=place.key_env)
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
    if found := named(name, key_env):
        return ModelPlace(found.model, found.url, key_env=found.key_env)
    own = default_endpoint()
    if own is None or not own.url:
        find_model(name)
        raise InputError(f"Leadline does not know where the model {name} is. Write it as {FORMS}.")
    return ModelPlace(name, own.url, key_env=key_env or own.key_env)


def effort_of(llm: Any) -> account.Effort:
    """Return how much the model of `--llm` is asked at once.

    `--llm-effort` says, else what `leadline llm test` found, else the size of the model.
    """
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


@dataclass(frozen=True)
class Findings:
    """What `leadline llm test` found about a model, kept beside its answers for later runs.

    refused  settings that the server does not take, as llm/protocol.py names them
    """

    effort: account.Effort
    refused: tuple[str, ...] = ()


def findings_of(url: str, model: str) -> Findings | None:
    """Return what was found about the model at an address; None if it was never tested.

    url  empty for a model in this process
    """
    path, key = cache_folder("llm") / "answers.sqlite", _findings_key(url, model)
    if not path.exists():
        return None
    with closing(Store(path)) as store:
        text = store.read([key]).get(key)
    if text is None:
        return None
    found = json.loads(text)
    return Findings(found["effort"], tuple(found["refused"]))


def keep_findings(url: str, model: str, findings: Findings) -> None:
    """Keep what was found, in the place of what was found before."""
    with closing(Store(cache_folder("llm") / "answers.sqlite")) as store:
        store.write(_findings_key(url, model), json.dumps(asdict(findings)))


def _findings_key(url: str, model: str) -> bytes:
    if not url and exists(path := user_path(model)):
        model = str(path.resolve())
    return hashlib.sha256(f"findings of {model} at {url.rstrip('/')}".encode()).digest()


def _limits(place: ModelPlace, concurrency: int, timeout: float) -> Limits:
    """Return what the place or the command says, else the given numbers."""
    current = account.current()
    most, seconds = place.concurrency, place.timeout
    if current is not None:
        most, seconds = most or current.concurrency, seconds or current.timeout
    seconds = seconds or timeout
    return Limits(most or concurrency, seconds, call_deadline=max(900.0, 4 * seconds))
