"""What the name of a language model stands for: a provider's model, an address, or weights here."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import as_file, files

from leadline.data.addresses import without_keys
from leadline.data.paths import is_file, is_folder, user_path
from leadline.data.yaml_file import read_yaml
from leadline.errors import InputError, unknown

FORMS = (
    "openai:gpt-5-mini, ollama:qwen3:8b, http://HOST:8000/v1#NAME, ./model.gguf, hub:OWNER/NAME "
    "or a folder of weights"
)
_HUB = "hub"
_PATH = re.compile(r"[.~/\\]|[A-Za-z]:[\\/]")


@dataclass(frozen=True, slots=True)
class Provider:
    """A row of providers.yaml, which explains the fields."""

    name: str
    url: str
    keys: tuple[str, ...] = ()
    refuses: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Named:
    """What a name stands for.

    model    its name at the endpoint; in this process a file, a folder, or a name on the hub
    url      address of the endpoint; empty for this process
    key_env  environment variable that holds the endpoint's key
    """

    model: str
    url: str = ""
    key_env: str = ""


@cache
def providers() -> Mapping[str, Provider]:
    """Return the providers that Leadline knows, by name."""
    with as_file(files("leadline.llm") / "providers.yaml") as path:
        rows = read_yaml(path)
    return {
        row["name"]: Provider(
            row["name"], row["url"], tuple(row.get("keys", ())), tuple(row.get("refuses", ()))
        )
        for row in rows
    }


def refused_at(url: str) -> set[str]:
    """Return what the provider at an address is known to refuse."""
    return {each for row in providers().values() if row.url == url for each in row.refuses}


def is_address(name: str) -> bool:
    """Tell whether a name is the address of an endpoint, without a model."""
    return name.startswith(("http://", "https://")) and "#" not in name


def is_gguf(name: str) -> bool:
    """Tell whether a name is that of a GGUF file."""
    return name.lower().endswith(".gguf")


def named(name: str, key_env: str = "") -> Named | None:
    """Return what a name stands for by itself; None for one that only an endpoint can know.

    key_env  variable that holds the key, before that of the provider

    Raises InputError when a key, a file or the name of the model is missing.
    """
    if name.startswith(("http://", "https://")):
        url, _, model = name.partition("#")
        if not model:
            shown = without_keys(url)
            raise InputError(f"{shown} needs the name of a model there: {shown}#NAME.")
        return Named(model, url, key_env)
    first, colon, model = name.partition(":")
    provider = providers().get(first)
    if colon and not model and (provider or first == _HUB):
        raise InputError(f"{name!r} needs the name of a model after the colon.")
    if colon and provider:
        return Named(model, provider.url, key_env or _key_of(provider, name))
    if colon and first == _HUB:
        return Named(model)
    if is_gguf(name):
        if not is_file(user_path(name)):
            raise InputError(f"There is no model file {name}.")
        return Named(name)
    folder = user_path(name)
    if is_file(folder / "config.json") or (_PATH.match(name) and is_folder(folder)):
        return Named(name)
    if _PATH.match(name):
        raise InputError(f"There is no model at {name}: give a .gguf file or a folder of weights.")
    return None


def find(name: str, key_env: str = "") -> Named:
    """Return what a name stands for. Raises InputError also where it stands for nothing."""
    found = named(name, key_env)
    if found is None:
        rest = name.partition(":")[2] or name
        known = [f"{each}:{rest}" for each in (*providers(), _HUB)]
        raise unknown("language model", name, known, f"A model is named as {FORMS}.")
    return found


def _key_of(provider: Provider, name: str) -> str:
    """Return the variable that holds the key of a provider."""
    for variable in provider.keys:
        if os.environ.get(variable, "").strip():
            return variable
    if not provider.keys:
        return ""
    others = "".join(f" or {each}" for each in provider.keys[1:])
    raise InputError(
        f"{name} needs a key: put it into the environment variable {provider.keys[0]}{others}."
    )
