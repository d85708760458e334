"""Encoders compiled for the processor give the vectors that torch gives."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("sentence_transformers")
pytest.importorskip("openvino")

import openvino

from leadline.errors import InputError
from leadline.models.openvino import quantize_weights
from tiny_encoders import ROW_OF, TEXTS, row, vectors

Folder = Callable[[str], Path]

UNFIT = ("modernbert", "qwen3")
"""Kinds whose padding makes OpenVINO divide nothing by nothing."""

SLOWLY = ("xlm-roberta", "llama", "mistral", "gemma2", "qwen3")
"""Kinds that others stand for in the fast tests: converting one takes seconds."""


def kinds(names: Iterable[str]) -> list[Any]:
    return [
        pytest.param(name, marks=[pytest.mark.slow] if name in SLOWLY else []) for name in names
    ]


@pytest.mark.parametrize("kind", kinds(kind for kind in ROW_OF if kind not in UNFIT))
def test_float32_gives_the_vectors_of_torch(folder_of: Folder, kind: str) -> None:
    exact = row(ROW_OF[kind], folder_of(kind))
    fast = row(ROW_OF[kind], folder_of(kind), backend="openvino", dtype="float32")
    for side in ("query", "document"):
        np.testing.assert_allclose(
            vectors(fast, TEXTS, side), vectors(exact, TEXTS, side), atol=1e-5
        )


@pytest.mark.parametrize("kind", kinds(UNFIT))
def test_what_comes_out_otherwise_is_refused(folder_of: Folder, kind: str) -> None:
    with pytest.raises(InputError, match=f"Cannot convert a model of type '{kind}"):
        vectors(row(ROW_OF[kind], folder_of(kind), backend="openvino"), TEXTS)


@pytest.mark.parametrize(("dtype", "like"), [("auto", 0.999), ("int8", 0.99)])
def test_coarser_formats_round_vectors_but_a_little(
    folder_of: Folder, dtype: str, like: float
) -> None:
    exact = vectors(row("bge-large-en-v1.5", folder_of("bert")), TEXTS)
    fast = vectors(
        row("bge-large-en-v1.5", folder_of("bert"), backend="openvino", dtype=dtype), TEXTS
    )
    assert (exact * fast).sum(1).min() > like
    if dtype == "int8":
        assert not np.allclose(fast, exact, atol=1e-5)


def product(weights: np.ndarray) -> openvino.CompiledModel:
    """A model that multiplies its input with the weights, in float32 throughout."""
    from openvino import opset13 as operations

    given = operations.parameter([-1, weights.shape[1]], np.float32)
    result = operations.matmul(given, operations.constant(weights), False, True)
    model = openvino.Model([result], [given])
    quantize_weights(model)
    exact = {"INFERENCE_PRECISION_HINT": "f32", "DYNAMIC_QUANTIZATION_GROUP_SIZE": "0"}
    return openvino.Core().compile_model(model, "CPU", exact)
