"""What `leadline llm test` found about a model, kept beside its answers for later runs."""

from __future__ import annotations

import hashlib
import json
from contextlib import closing
from dataclasses import asdict, dataclass
from pathlib import Path

from leadline.data.cache import cache_folder
from leadline.data.paths import exists, user_path
from leadline.llm.account import Effort
from leadline.llm.store import Store


@dataclass(frozen=True)
class Findings:
    """What is known of a model and its server.

    refused  settings that the server does not take, as llm/wire.py names them
    """

    effort: Effort
    refused: tuple[str, ...] = ()


def findings_of(url: str, model: str) -> Findings | None:
    """Return what was found about the model at an address; None where it was never tested.

    url  empty for a model in this process
    """
    path, key = _path(), _key(url, model)
    if not path.exists():
        return None
    with closing(Store(path)) as store:
        text = store.read([key]).get(key)
    if text is None:
        return None
    found = json.loads(text)
    return Findings(found["effort"], tuple(found["refused"]))


def keep(url: str, model: str, findings: Findings) -> None:
    """Keep what was found, in the place of what was found before."""
    with closing(Store(_path())) as store:
        store.write(_key(url, model), json.dumps(asdict(findings)))


def _path() -> Path:
    return cache_folder("llm") / "answers.sqlite"


def _key(url: str, model: str) -> bytes:
    if not url and exists(path := user_path(model)):
        model = str(path.resolve())
    return hashlib.sha256(f"findings of {model} at {url.rstrip('/')}".encode()).digest()
