"""Encoders compiled for the processor give the vectors that torch gives."""

from __future__ import annotations

from collections.abc import Callable
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

SIDES = ("query", "document")


def both(name: str, folder: Path, side: str, **options: Any) -> tuple[np.ndarray, np.ndarray]:
    """Return what torch and OpenVINO in float32 make of texts."""
    fast = {"backend": "openvino", "dtype": "float32"}
    return (
        vectors(row(name, folder, **options), TEXTS, side),
        vectors(row(name, folder, **options, **fast), TEXTS, side),
    )


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("kind", [kind for kind in ROW_OF if kind not in UNFIT])
def test_float32_gives_the_vectors_of_torch(folder_of: Folder, kind: str, side: str) -> None:
    exact, fast = both(ROW_OF[kind], folder_of(kind), side)
    np.testing.assert_allclose(fast, exact, atol=1e-5)


@pytest.mark.parametrize("kind", UNFIT)
def test_what_comes_out_otherwise_is_refused(folder_of: Folder, kind: str) -> None:
    with pytest.raises(InputError, match=f"{kind}.* cannot be converted for OpenVINO"):
        vectors(row(ROW_OF[kind], folder_of(kind), backend="openvino"), TEXTS)


@pytest.mark.parametrize("pool_prompt", [True, False])
@pytest.mark.parametrize("pooling", ["mean", "cls", "max", "lasttoken"])
def test_tokens_are_pooled_as_torch_does(
    folder_of: Folder, pooling: str, pool_prompt: bool
) -> None:
    options = {"pooling": pooling, "pool_prompt": pool_prompt, "dimensions": 12}
    exact, fast = both("bge-large-en-v1.5", folder_of("bert"), "query", **options)
    assert fast.shape == (3, 12)
    np.testing.assert_allclose(fast, exact, atol=1e-5)


@pytest.mark.parametrize(("kind", "padding"), [("mistral", "right"), ("t5", "left")])
def test_neither_batch_nor_padding_changes_a_vector(
    folder_of: Folder, kind: str, padding: str
) -> None:
    folder, fast = folder_of(kind), {"backend": "openvino", "dtype": "float32"}
    expected = vectors(row(ROW_OF[kind], folder, batch_size=1, **fast), TEXTS)
    found = vectors(row(ROW_OF[kind], folder, padding=padding, **fast), TEXTS)
    np.testing.assert_allclose(found, expected, atol=1e-5)


@pytest.mark.parametrize(("dtype", "like"), [("auto", 0.999), ("bfloat16", 0.999), ("int8", 0.99)])
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
