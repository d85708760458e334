"""What a token costs, read from a dated file that a user's own goes before."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from leadline.data.yaml_file import read_yaml
from leadline.errors import InputError

_MILLION = 1_000_000


@dataclass(frozen=True, slots=True)
class Price:
    """US dollars for a million tokens, >= 0.

    read  day on which the price was looked up; empty where the file does not say
    """

    prompt: float
    answer: float
    read: str = ""

    def of(self, prompt_tokens: int, answer_tokens: int) -> float:
        """Return what a call costs, in US dollars."""
        return (prompt_tokens * self.prompt + answer_tokens * self.answer) / _MILLION


class Prices:
    """Prices by host and model; one that is not there is unknown, which is not free."""

    def __init__(self, own: str | Path | None = None) -> None:
        """Read the package's prices, and before them the user's own.

        own  YAML or JSON: a list of objects with `model`, `prompt`, `answer`, perhaps `host` and
             `read`. Without a host a price holds wherever the model runs

        Raises InputError when the file cannot be read or has another form.
        """
        with as_file(files("leadline.llm") / "prices.yaml") as packaged:
            self._rows = _rows(packaged)
        if own is not None:
            self._rows |= _rows(Path(own))

    def of(self, model: str, url: str) -> Price | None:
        """Return the price of a model at an address, None where it is unknown."""
        host = urlsplit(url).hostname or ""
        return self._rows.get(("", model)) or self._rows.get((host, model))


def _rows(path: Path) -> dict[tuple[str, str], Price]:
    rows = read_yaml(path)
    if not isinstance(rows, list):
        raise InputError(f"{path} must be a list: - {{model: NAME, prompt: USD, answer: USD}}.")
    return dict(_row(row, f"{path}, entry {number}") for number, row in enumerate(rows, start=1))


def _row(row: Any, where: str) -> tuple[tuple[str, str], Price]:
    if not isinstance(row, Mapping) or not isinstance(row.get("model"), str):
        raise InputError(f"{where} must be an object with `model`, `prompt` and `answer`.")
    prompt, answer = (_amount(row.get(name), f"{where}: {name}") for name in ("prompt", "answer"))
    return (str(row.get("host", "")), row["model"]), Price(prompt, answer, str(row.get("read", "")))


def _amount(value: Any, what: str) -> float:
    if type(value) in (int, float) and 0 <= value < math.inf:
        return float(value)
    raise InputError(f"{what} must be US dollars for a million tokens, got {value!r}.")
