"""Run the transformer of an encoder on OpenVINO, which is faster on a processor than torch."""

from __future__ import annotations

import warnings
from typing import Any

from leadline.errors import InputError, needs

with needs("fast"):
    import numpy as np
    import openvino
    import torch
    from torch import nn
    from transformers.modeling_outputs import BaseModelOutput

    from leadline.retrievers.int8 import GROUP, quantize_weights


_FORMATS = {
    "float32": {"INFERENCE_PRECISION_HINT": "f32"},
    "float16": {"INFERENCE_PRECISION_HINT": "f16"},
    "bfloat16": {"INFERENCE_PRECISION_HINT": "bf16"},
    "int8": {"DYNAMIC_QUANTIZATION_GROUP_SIZE": str(GROUP)},
}


def compile_for_openvino(model: Any, dtype: str) -> None:
    """Exchange the transformer of a SentenceTransformer for one compiled for this processor.

    dtype  format that numbers are multiplied in; auto for the processor's choice, which is
           bfloat16 where it has it. int8 holds for weights and what they are multiplied with, the
           rest is as with auto.

    Raises InputError when the architecture cannot be converted.
    """
    transformer = model[0]
    transformer.model = _Compiled(transformer.model.cpu().float(), model.tokenizer, dtype)


class _Compiled(nn.Module):  # type: ignore[misc]
    def __init__(self, model: Any, tokenizer: Any, dtype: str) -> None:
        super().__init__()
        self.config = model.config
        example = dict(tokenizer(["a b c", "a"], padding=True, return_tensors="pt"))
        try:
            with torch.no_grad(), warnings.catch_warnings():
                warnings.simplefilter("ignore")  # a tracer's guesses, which the tests check
                converted = openvino.convert_model(
                    _LastStates(model, list(example)), example_input=tuple(example.values())
                )
        except Exception as error:  # whatever a tracer may stumble over
            raise InputError(
                f"A model of the kind {model.config.model_type!r} cannot be converted for "
                "OpenVINO. Leave backend=openvino out."
            ) from error
        for each in converted.inputs:
            each.get_node().set_partial_shape(openvino.PartialShape([-1, -1]))
        converted.validate_nodes_and_infer_types()
        if dtype == "int8":
            quantize_weights(converted)
        properties = {"PERFORMANCE_HINT": "LATENCY", **_FORMATS.get(dtype, {})}
        compiled = openvino.Core().compile_model(converted, "CPU", properties)
        self._names = list(example)
        self._request = compiled.create_infer_request()

    def forward(self, **features: Any) -> Any:
        inputs = [np.ascontiguousarray(features[name].numpy()) for name in self._names]
        outputs = self._request.infer(inputs, share_inputs=True, share_outputs=False)
        return BaseModelOutput(last_hidden_state=torch.from_numpy(outputs[0]))


class _LastStates(nn.Module):  # type: ignore[misc]
    """A model as a function of tensors in a fixed order, as the converter wants it."""

    def __init__(self, model: Any, names: list[str]) -> None:
        super().__init__()
        self.model = model
        self.names = names

    def forward(self, *tensors: Any) -> Any:
        return self.model(**dict(zip(self.names, tensors, strict=True))).last_hidden_state
