"""Tiny checkpoints that several files of tests share."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tiny_encoders import save_encoder


@pytest.fixture(scope="session")
def folder_of(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    made: dict[str, Path] = {}

    def folder(kind: str) -> Path:
        if kind not in made:
            made[kind] = save_encoder(kind, tmp_path_factory.mktemp(kind.replace(" ", "-")))
        return made[kind]

    return folder
