"""The position study, on rules that are worked by hand and on real tiny encoders."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from math import exp
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from leadline.cli.main import app
from leadline.errors import InputError
from leadline.kinds.conditions.studies import Condition, moved, smoothed, study_position
from leadline.types import Reading

RUN = CliRunner()


class Early:
    """An encoder of two numbers: how soon `cat` comes, and one. It reads `most` words."""

    def __init__(self, most: int = 1000) -> None:
        self.most = most
        self.encoders: Mapping[Any, Any] = {}
        self.settings: dict[str, Any] = {}

    def rows(self, texts: Sequence[str], side: str) -> Any:
        return list(texts)

    def vectors(self, rows: Any) -> Any:
        return np.array([[1 / (1 + text.split().index("cat")), 1.0] for text in rows])

    def read(self, queries: Sequence[str], documents: Sequence[str]) -> list[Reading]:
        def cut(text: str) -> str:
            return "cut" * (len(text.split()) > self.most)

        return [
            Reading(document, cut(document), cut(query))
            for query, document in zip(queries, documents, strict=True)
        ]


CAT = Condition("cat", "cat", "a")


def test_the_sentence_stands_at_its_place_and_filler_at_the_others() -> None:
    assert moved("a cat", 1, 3, "x", 2) == "x x a cat x x"


def test_smoothing_weighs_neighbours_and_passes_over_gaps() -> None:
    near, far = exp(-0.5), exp(-2)
    assert smoothed([1.0, None, 0.0]) == [
        pytest.approx(1 / (1 + far)), None, pytest.approx(far / (1 + far))
    ]  # fmt: skip
    assert smoothed([1.0, 0.0]) == [pytest.approx(1 / (1 + near)), pytest.approx(near / (1 + near))]


def test_similarity_is_the_cosine_at_each_place() -> None:
    study = study_position("early", Early(), [CAT], places=3, filler="x", repeat=1)
    expected = [(1 / (1 + p) + 1) / (2**0.5 * (1 / (1 + p) ** 2 + 1) ** 0.5) for p in range(3)]
    assert study.similarities[0] == pytest.approx(expected)


def test_the_filler_is_repeated_as_often_as_the_encoder_can_read() -> None:
    assert study_position("early", Early(), [CAT], places=3, filler="x").repeat == 10
    assert study_position("early", Early(9), [CAT], places=3, filler="x").repeat == 4
    with pytest.raises(InputError, match="early reads too little"):
        study_position("early", Early(2), [CAT], places=3, filler="x")


def test_what_is_not_read_is_counted_apart() -> None:
    study = study_position("early", Early(2), [CAT], places=3, filler="x", repeat=1)
    assert study.similarities[0][2] is None
    last = study.as_json()["positions"][2]
    assert (last["similarity"], last["n"], last["not read"]) == (None, 0, 1)


def test_the_condition_may_be_moved_through_the_query() -> None:
    # The document, where cat comes first, stays as it is: (1, 1). The query is (1 / (1 + p), 1).
    asked = Condition("cat", "cat sat", "a")
    study = study_position("early", Early(), [asked], places=3, filler="x", repeat=1, move="query")
    expected = [(1 / (1 + p) + 1) / (2**0.5 * (1 / (1 + p) ** 2 + 1) ** 0.5) for p in range(3)]
    assert study.similarities[0] == pytest.approx(expected)
    short = study_position("early", Early(2), [asked], places=3, filler="x", repeat=1, move="query")
    assert short.similarities[0][2] is None  # the query has three words, the document two


@pytest.mark.parametrize(
    ("kind", "options"),
    [("bert", ",pooling=mean"), ("qwen3", ",pooling=lasttoken"), ("latent attention", "")],
)
def test_encoders_of_every_pooling_are_studied(tmp_path: Path, kind: str, options: str) -> None:
    pytest.importorskip("sentence_transformers")
    from tiny_encoders import ROW_OF, save_encoder

    model = save_encoder(kind, tmp_path / "model")
    name = f"{ROW_OF[kind]}:{model},max_length=40{options},cache=false"
    typed = ["analyse", "position", "-s", name, "--condition", "a cat", "--filler", "star",
             "--places", "4", "--out", str(tmp_path / "out")]  # fmt: skip
    done = RUN.invoke(app, typed)
    assert done.exit_code == 0, done.output
    told = json.loads((tmp_path / "out" / "position.json").read_text())["results"][0]
    assert told["filler repeated"] > 1
    means = [each["similarity"] for each in told["positions"]]
    assert len(set(means)) > 1 and all(-1 <= each <= 1.0001 for each in means)
    page = (tmp_path / "out" / "position.html").read_text()
    assert "Similarity by the position of the condition" in page and "<polyline" in page


def test_a_system_without_vectors_is_refused(tmp_path: Path) -> None:
    typed = ["analyse", "position", "-s", "bm25", "--condition", "x", "--out", str(tmp_path / "o")]
    done = RUN.invoke(app, typed)
    assert done.exit_code == 2 and "needs one dense encoder" in done.stderr
