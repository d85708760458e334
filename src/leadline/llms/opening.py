"""The model that a stage names: at an endpoint (vLLM's server is one), or in this process."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from leadline.errors import InputError
from leadline.llms import account
from leadline.types import LLM

Engine = Literal["transformers", "vllm"]
"""What runs a model in this process."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a model runs.

    model        its name at the endpoint, or on the hub, or a folder
    llm          address of an OpenAI-compatible endpoint; empty for this process
    llm_model    its name at the endpoint where it differs from `model`
    key_env      name of the environment variable that holds the endpoint's key
    cache        folder where answers are kept; None to keep none
    concurrency  calls to an endpoint under way at once
    timeout      seconds for one attempt of a call
    engine       what runs a model in this process; vllm takes neither device nor adapter, and
                 batches by itself
    device, dtype, max_length, batch_size, revision, adapter, trust_remote_code
                 of a model in this process, as llms/local.py explains them
    """

    model: str = ""
    llm: str = ""
    llm_model: str = ""
    key_env: str = ""
    cache: Path | None = None
    concurrency: int = 32
    timeout: float = 120.0
    engine: Engine = "transformers"
    device: str = ""
    dtype: str = "auto"
    max_length: int | None = None
    batch_size: int = 8
    revision: str = ""
    adapter: str = ""
    trust_remote_code: bool = False


def open_llm(stage: str, place: Place) -> LLM:
    """Return the model, nothing loaded or sent yet.

    stage  what asks for it, for the errors. One that names neither a model nor an address takes
           the endpoint of the account that is kept

    Raises InputError when no model is named or the endpoint does not fit, and MissingExtraError
    when a package is missing.
    """
    place = _with_default(place)
    model = place.llm_model or place.model
    if not model:
        raise InputError(
            f"{stage} needs a model: {stage}:NAME for one in this process, or "
            f"{stage}:NAME,llm=URL for one at an OpenAI-compatible endpoint, which --llm URL "
            "--llm-model NAME gives to every stage that names none."
        )
    if place.llm:
        return _at_endpoint(model, place)
    if place.engine == "vllm":
        return _kept(_by_vllm(model, place), place)
    from leadline.llms.local import LocalLLM

    local = LocalLLM(
        model,
        device=place.device,
        dtype=place.dtype,
        max_length=place.max_length,
        batch_size=place.batch_size,
        revision=place.revision,
        adapter=place.adapter,
        trust_remote_code=place.trust_remote_code,
    )
    return _kept(local, place)


def default_endpoint() -> account.Endpoint | None:
    """Return the endpoint of stages that name none, where the account that is kept has one."""
    kept = account.current()
    return kept.default if kept is not None else None


def _with_default(place: Place) -> Place:
    own = default_endpoint()
    if own is None or place.model or place.llm_model or place.llm:
        return place
    return replace(
        place,
        llm=own.url,
        llm_model=own.model,
        key_env=place.key_env or own.key_env,
        cache=place.cache or own.cache,
    )


def _at_endpoint(model: str, place: Place) -> LLM:
    from leadline.llms.connection import Limits
    from leadline.llms.openai import OpenAILLM

    limits = Limits(concurrency=place.concurrency, timeout=place.timeout)
    return _kept(OpenAILLM(place.llm, model, place.key_env, limits=limits), place)


def _by_vllm(model: str, place: Place) -> LLM:
    if place.device or place.adapter:
        raise InputError("engine=vllm takes no device and no adapter.")
    from leadline.llms.vllm import VLLM

    return VLLM(
        model,
        dtype=place.dtype,
        max_length=place.max_length,
        revision=place.revision,
        trust_remote_code=place.trust_remote_code,
    )


def _kept(llm: LLM, place: Place) -> LLM:
    from leadline.llms.cached import CachedLLM

    return CachedLLM(llm, place.cache / "answers.sqlite") if place.cache else llm
