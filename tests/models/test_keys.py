"""Vectors and scores are found again only where everything that decides them is as it was."""

from __future__ import annotations

from dataclasses import fields, replace

import pytest

from leadline.models import encoder as encoders
from leadline.models.checkpoints import Checkpoint
from leadline.models.encoder import Encoder
from leadline.systems.chains import encoder_named


def test_every_setting_of_an_encoder_is_in_its_key_unless_it_changes_no_vector(tmp_path) -> None:
    minilm = encoder_named("minilm").encoders["document"]
    assert isinstance(minilm, Encoder)
    (tmp_path / "adapter_config.json").write_text("{}")
    others = {
        "device": "cpu:0",
        "adapter": str(tmp_path),
        "dtype": "bfloat16",
        "backend": "other",
        "padding": "left",
    }
    same = set()
    for each in fields(Encoder):
        if each.name in ("model", "parts"):  # the key holds the content of the one, not of both
            continue
        value = others.get(each.name, "other" if isinstance(getattr(minilm, each.name), str) else 7)
        if replace(minilm, **{each.name: value}).key() == minilm.key():
            same.add(each.name)
    assert same == {"batch_size", "revision"}  # a revision counts by its commit


def test_another_library_gives_vectors_another_key(monkeypatch: pytest.MonkeyPatch) -> None:
    minilm = encoder_named("minilm").encoders["document"]
    before = minilm.key()
    monkeypatch.setattr(encoders, "libraries", lambda folder: "another torch")
    assert minilm.key() != before


def test_code_that_comes_with_a_model_is_in_the_key_of_its_vectors(tmp_path) -> None:
    keys = {Checkpoint(str(tmp_path), "", "cpu", "auto", trust).key() for trust in (True, False)}
    assert len(keys) == 2
