"""Weights as 8-bit integers, each group with a scale of its own."""

from __future__ import annotations

import numpy as np
import pytest

openvino = pytest.importorskip("openvino")

from leadline.models.openvino import GROUP, quantize_weights  # noqa: E402


def product(weights: np.ndarray) -> openvino.CompiledModel:
    """A model that multiplies its input with the weights, in float32 throughout."""
    from openvino import opset13 as operations

    given = operations.parameter([-1, weights.shape[1]], np.float32)
    result = operations.matmul(given, operations.constant(weights), False, True)
    model = openvino.Model([result], [given])
    quantize_weights(model)
    exact = {"INFERENCE_PRECISION_HINT": "f32", "DYNAMIC_QUANTIZATION_GROUP_SIZE": "0"}
    return openvino.Core().compile_model(model, "CPU", exact)


def weights_of(compiled: openvino.CompiledModel, columns: int) -> np.ndarray:
    """Multiply with the identity, which gives the weights as they are after rounding."""
    return np.asarray(compiled([np.eye(columns, dtype=np.float32)])[0]).T


def test_multiples_of_the_scale_come_back_as_they_were() -> None:
    # The largest of the group is 127, so the scale is 1 and every whole number is a step.
    weights = np.array([[127, -127, 3, 0], [127, 64, -1, 5]], dtype=np.float32)
    np.testing.assert_allclose(weights_of(product(weights), 4), weights, atol=1e-3)


def test_a_large_weight_coarsens_its_own_group_only() -> None:
    weights = np.full((1, 2 * GROUP), 0.5, dtype=np.float32)
    weights[0, 0] = 127.0  # steps of 1 in the first group: 0.5 becomes 0 (to even)
    found = weights_of(product(weights), 2 * GROUP)[0]
    np.testing.assert_allclose(found[1:GROUP], 0.0, atol=1e-3)
    np.testing.assert_allclose(found[GROUP:], 0.5, atol=1e-3)


def test_weights_that_are_all_zero_stay_zero() -> None:
    found = weights_of(product(np.zeros((2, 4), dtype=np.float32)), 4)
    np.testing.assert_array_equal(found, np.zeros((2, 4)))
