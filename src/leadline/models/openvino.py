"""Run an encoder on OpenVINO, which is faster than torch on a CPU."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from threading import Lock
from typing import Any

from leadline.errors import InputError, needs
from leadline.models.cutting import in_batches
from leadline.models.loading import in_order, shared_beginning, tokenized

with needs("fast"):
    import numpy as np
    import openvino
    import torch
    from openvino import opset13 as operations
    from torch import nn

GROUP = 128
"""Neighbouring weights and activations that share a scale. Rows of other lengths share one."""

_LARGEST = 127

_FORMATS = {
    "float32": {"INFERENCE_PRECISION_HINT": "f32"},
    "float16": {"INFERENCE_PRECISION_HINT": "f16"},
    "bfloat16": {"INFERENCE_PRECISION_HINT": "bf16"},
    "int8": {"DYNAMIC_QUANTIZATION_GROUP_SIZE": str(GROUP)},
}
_POOLED = "pooled"
"""Name of the mask of the tokens that go into the vector."""

_SAMPLES = ("one", "a text of several words, (with) marks", "what is longer than the others " * 9)
_LIKE = 0.98
"""A conversion failed if the cosine of its vector to that of torch is below this."""


class Compiled:
    """An encoder compiled for this CPU, which replaces its torch modules.

    It computes one batch on each core in parallel, which is faster than all cores on one batch.
    """

    def __init__(self, model: Any, dtype: str) -> None:
        """Compile a SentenceTransformer, and free its transformer.

        dtype  format of multiplications; auto is bfloat16 if the CPU has it. int8 applies to
               weights and their inputs, the rest is as with auto.
        """
        if any(
            getattr(each, "pooling_mode", "") == "weightedmean"
            and not getattr(each, "include_prompt", True)
            for each in model
        ):
            raise InputError(
                "backend=openvino does not support pooling=weightedmean with pool_prompt=False."
            )
        self._model = model
        self._tokenizer = model.tokenizer
        expected = model.encode(list(_SAMPLES), show_progress_bar=False)
        compiled = self._compile(dtype)
        count = compiled.get_property("OPTIMAL_NUMBER_OF_INFER_REQUESTS")
        # No queue with callbacks: OpenVINO frees these in its own threads, which wait for Python
        # for ever while Python waits for them.
        self._requests = [compiled.create_infer_request() for _ in range(count)]
        self._lock = Lock()
        found = self.encode(_SAMPLES, model.prompts.get(model.default_prompt_name or "", ""))
        if not _cosines(expected, found).min() >= _LIKE:  # NaN also fails this comparison
            raise self._unfit()
        model[0].model = _LetGo(model[0].model.config)

    def encode(
        self, texts: Sequence[str], prompt: str = "", most: int | None = None, size: int = 16
    ) -> Any:
        """Return float32 [len(texts), D], normalised only if the model does that.

        prompt  prefix of every text
        most    tokens to read of a text with its prompt; None for the model's length
        size    texts of a batch
        """
        most = most or self._model.max_seq_length
        read = tokenized(self._tokenizer, [prompt + text for text in texts], most)
        left_out = self._left_out(prompt, read["input_ids"])
        parts = [*in_batches(read["input_ids"], size)]
        found: list[Any] = []
        count = len(self._requests)

        def keep(number: int) -> None:
            request = self._requests[number % count]
            request.wait()
            found.append(request.get_output_tensor(0).data.copy())

        with self._lock:
            for number, part in enumerate(parts):
                batch = self._batch({name: [rows[i] for i in part] for name, rows in read.items()})
                mask = batch["attention_mask"]
                batch[_POOLED] = mask * (np.cumsum(mask, axis=1) > left_out[part][:, None])
                if number >= count:
                    keep(number - count)
                self._requests[number % count].start_async(batch)
            for number in range(max(0, len(parts) - count), len(parts)):
                keep(number)
        return in_order(parts, found)

    def _compile(self, dtype: str) -> Any:
        example = self._batch(dict(self._tokenizer(["a b c", "a"])))
        example[_POOLED] = example["attention_mask"]
        tensors = tuple(torch.from_numpy(each) for each in example.values())
        whole = _Whole(self._model.cpu().float(), list(example))
        try:
            with torch.no_grad(), warnings.catch_warnings():
                warnings.simplefilter(
                    "ignore"
                )  # warnings of the tracer, whose result is checked below
                converted = openvino.convert_model(whole, example_input=tensors)
        except Exception as error:  # a tracer may raise anything
            raise self._unfit() from error
        for name, given in zip(example, converted.inputs, strict=True):
            given.get_tensor().set_names({name})
            given.get_node().set_partial_shape(openvino.PartialShape([-1, -1]))
        converted.validate_nodes_and_infer_types()
        if dtype == "int8":
            quantize_weights(converted)
        properties = {"PERFORMANCE_HINT": "THROUGHPUT", **_FORMATS.get(dtype, {})}
        return openvino.Core().compile_model(converted, "CPU", properties)

    def _batch(self, rows: dict[str, list[list[int]]]) -> dict[str, Any]:
        return dict(self._tokenizer.pad(rows, padding=True, return_tensors="np"))

    def _left_out(self, prompt: str, rows: Sequence[Sequence[int]]) -> Any:
        """Return how many first tokens of each text are left out of its vector, int [n]."""
        if not prompt or all(getattr(each, "include_prompt", True) for each in self._model):
            return np.zeros(len(rows), dtype=np.int64)
        alone = self._tokenizer(prompt)["input_ids"]
        return np.array([shared_beginning(alone, row) for row in rows])

    def _unfit(self) -> InputError:
        kind = self._model[0].model.config.model_type
        return InputError(
            f"Cannot convert a model of type {kind!r} for OpenVINO. Leave out backend=openvino."
        )


class _Whole(nn.Module):  # type: ignore[misc]
    """An encoder as a function of tensors in a fixed order, for the converter."""

    def __init__(self, model: Any, names: list[str]) -> None:
        super().__init__()
        self.transformer = model[0].model
        self.others = nn.ModuleList(list(model)[1:])
        self.names = names

    def forward(self, *tensors: Any) -> Any:
        given = dict(zip(self.names, tensors, strict=True))
        pooled = given.pop(_POOLED)
        states = self.transformer(**given).last_hidden_state
        features = {"token_embeddings": states, "attention_mask": pooled}
        for module in self.others:
            features = module(features)
        return features["sentence_embedding"]


class _LetGo(nn.Module):  # type: ignore[misc]
    """Replaces a transformer after its weights are freed."""

    def __init__(self, config: Any) -> None:
        super().__init__()
        self.config = config


def _cosines(left: Any, right: Any) -> Any:
    lengths = np.linalg.norm(left, axis=1) * np.linalg.norm(right, axis=1)
    return (left * right).sum(axis=1) / np.maximum(lengths, np.finfo(np.float32).tiny)


def quantize_weights(model: Any) -> None:
    """Replace the constant matrices of an openvino.Model by integers, in place.

    Each number becomes the nearest of 255 steps between minus and plus the largest of its group.
    The CPU then multiplies integers, if activations are quantised too
    (property DYNAMIC_QUANTIZATION_GROUP_SIZE).
    """
    for node in model.get_ops():
        if node.get_type_name() == "MatMul":
            weights = node.input_value(1).get_node()
            if weights.get_type_name() == "Constant" and len(weights.shape) == 2:
                node.input(1).replace_source_output(_integers(weights.get_data()).output(0))
    model.validate_nodes_and_infer_types()


def _integers(weights: Any) -> Any:
    """Return a graph that restores the weights [rows, columns], up to rounding."""
    rows, columns = weights.shape
    group = GROUP if columns % GROUP == 0 else columns
    grouped = weights.astype(np.float32).reshape(rows, columns // group, group)
    scales = np.abs(grouped).max(axis=2, keepdims=True) / _LARGEST
    scales = np.maximum(scales, np.finfo(np.float16).tiny).astype(np.float16)
    steps = np.clip(np.rint(grouped / scales), -_LARGEST, _LARGEST).astype(np.int8)
    if group == columns:
        steps, scales = steps.reshape(rows, columns), scales.reshape(rows, 1)
    restored = operations.multiply(
        operations.convert(operations.constant(steps), "f16"), operations.constant(scales)
    )
    if group != columns:
        shape = operations.constant(np.array(weights.shape))
        restored = operations.reshape(restored, shape, special_zero=False)
    return operations.convert(restored, "f32")
