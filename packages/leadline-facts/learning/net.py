"""The networks of `learn.py` in PyTorch: trained here, evaluated elsewhere with NumPy."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from kinds import Kind
from leadline_facts.choose.network import UNKNOWN, Features

_GAP = 3
"""Empty tokens between the texts of a batch, so that none is the neighbour of another."""

Pack = dict[str, Tensor]


def packed_text(
    rows: NDArray[np.int64],
    table: NDArray[np.float32],
    known: Features,
    marks: Sequence[float],
    weights: Sequence[float],
) -> Pack:
    """Return a text, its pairs and what is right as tensors."""
    return {
        "rows": torch.tensor(rows),
        "table": torch.tensor(table),
        "windows": torch.tensor(known.windows),
        "pairs": torch.tensor(known.pairs),
        "of_pair": torch.tensor(known.of_pair),
        "operations": torch.tensor(known.operations),
        "results": torch.tensor(known.results),
        "marks": torch.tensor(marks, dtype=torch.float32),
        "weights": torch.tensor(weights, dtype=torch.float32),
    }


def _batch(packs: Sequence[Pack]) -> Pack:
    joined: dict[str, list[Tensor]] = {name: [] for name in packs[0]}
    tokens = pairs = 0
    for pack in packs:
        for name, value in pack.items():
            if name == "windows":
                value = value + tokens
            if name == "of_pair":
                value = value + pairs
            joined[name].append(value)
        joined["rows"].append(torch.zeros(_GAP, dtype=torch.int64))
        joined["table"].append(torch.zeros(_GAP, pack["table"].shape[1]))
        tokens += len(pack["rows"]) + _GAP
        pairs += len(pack["pairs"])
    return {name: torch.cat(values) for name, values in joined.items()}


class Net(nn.Module):
    """Words and three neighbours at a time -> windows -> pair -> each of its operations."""

    def __init__(
        self, kind: Kind, words: int, size: int = 48, signals: int = 64, hidden: int = 128
    ) -> None:
        super().__init__()
        classes, operations = len(kind.cues.names), len(kind.operations)
        self.is_started = False
        self.words = nn.Embedding(words, size, padding_idx=0)
        with torch.no_grad():
            self.words.weight.mul_(0.3)
        self.signals = nn.Conv1d(size + classes, signals, 3, padding=1)
        inputs = (signals + classes) * len(kind.windows) + len(kind.pair_names)
        self.norm = nn.BatchNorm1d(inputs)
        self.drop = nn.Dropout(0.3)
        self.pair = nn.Linear(inputs, hidden)
        self.direct = nn.Linear(hidden, operations)
        self.operation = nn.Embedding(operations, hidden)
        self.result = nn.Linear(len(kind.result_names), hidden)
        self.drop_late = nn.Dropout(0.2)
        self.deep = nn.Linear(hidden, 48)
        self.last = nn.Linear(48, 1)

    def forward(self, pack: Pack) -> Tensor:
        """Return the log odds of each candidate of a batch: (candidates,)."""
        rows = pack["rows"]
        if self.training:
            rows = torch.where(torch.rand(rows.shape) < 0.1, torch.full_like(rows, UNKNOWN), rows)
        tokens = torch.cat([self.words(rows), pack["table"]], 1)
        signals = torch.relu(self.signals(tokens.T[None]))[0].T
        read = torch.cat([signals, pack["table"]], 1)
        sums = torch.cat([torch.zeros(1, read.shape[1]), read.cumsum(0)])
        around = sums[pack["windows"][..., 1]] - sums[pack["windows"][..., 0]]
        pooled = torch.log1p(around.clamp(min=0)).flatten(1)
        known = self.norm(torch.cat([pooled, pack["pairs"]], 1))
        pair = torch.relu(self.pair(self.drop(known)))
        joint = pair[pack["of_pair"]] + self.operation(pack["operations"])
        joint = self.drop_late(torch.relu(joint + self.result(pack["results"])))
        deep = self.last(torch.relu(self.deep(joint)))[:, 0]
        return deep + self.direct(pair)[pack["of_pair"], pack["operations"]]


def started(net: Net, weights: Mapping[str, Any]) -> None:
    """Let a network go on from weights that `exported` wrote: their norm is folded in."""
    with torch.no_grad():
        kernel = torch.tensor(weights["signals"])
        out = kernel.shape[1]
        net.words.weight.copy_(torch.tensor(weights["words"]))
        net.signals.weight.copy_(kernel.reshape(3, -1, out).permute(2, 1, 0))
        net.signals.bias.copy_(torch.tensor(weights["signals_bias"]))
        for name in ("pair", "deep", "last", "direct"):
            layer = getattr(net, name)
            layer.weight.copy_(torch.tensor(weights[name]).T)
            layer.bias.copy_(torch.tensor(weights[f"{name}_bias"]))
        net.operation.weight.copy_(torch.tensor(weights["operation"]))
        net.result.weight.copy_(torch.tensor(weights["result"]).T)
        net.result.bias.copy_(torch.tensor(weights["result_bias"]))
    net.is_started = True


def trained(
    kind: Kind,
    packs: Sequence[Pack],
    words: int,
    epochs: int,
    seed: int,
    start: Mapping[str, Any] | None = None,
) -> Net:
    """Return a network that learned from texts; the same seed gives the same one.

    start  weights to go on from, as `exported` writes them
    """
    torch.manual_seed(seed)
    shuffle = random.Random(seed)
    packs = [each for each in packs if len(each["of_pair"])]
    net, size = Net(kind, words), 16
    if start:
        started(net, start)
    rate = 5e-4 if start else 3e-3
    optimizer = torch.optim.AdamW(net.parameters(), lr=rate, weight_decay=0.02)
    steps = epochs * -(-len(packs) // size)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, rate, total_steps=steps)
    for _ in range(epochs):
        net.train()
        if net.is_started:
            net.norm.eval()
        shuffle.shuffle(packs)
        for start in range(0, len(packs) - 1, size):  # a single text may be a single pair
            batch = _batch(packs[start : start + size])
            loss = nn.functional.binary_cross_entropy_with_logits(
                net(batch), batch["marks"], weight=batch["weights"], reduction="sum"
            )
            optimizer.zero_grad()
            (loss / 500).backward()
            nn.utils.clip_grad_norm_(net.parameters(), 2.0)
            optimizer.step()
            schedule.step()
    return net.eval()


@torch.no_grad()
def exported(net: Net) -> dict[str, Any]:
    """Return the weights as `amount_network` reads them, the norm folded into what follows."""
    norm = net.norm
    assert norm.running_mean is not None and norm.running_var is not None
    scale = norm.weight / torch.sqrt(norm.running_var + norm.eps)
    shift = norm.bias - norm.running_mean * scale
    kernel = net.signals.weight  # (signals, inputs, 3)
    weights = {
        "words": net.words.weight,
        "signals": kernel.permute(2, 1, 0).reshape(-1, kernel.shape[0]),
        "signals_bias": net.signals.bias,
        "pair": (net.pair.weight * scale).T,
        "pair_bias": net.pair.bias + net.pair.weight @ shift,
        "operation": net.operation.weight,
        "result": net.result.weight.T,
        "result_bias": net.result.bias,
        "deep": net.deep.weight.T,
        "deep_bias": net.deep.bias,
        "last": net.last.weight.T,
        "last_bias": net.last.bias,
        "direct": net.direct.weight.T,
        "direct_bias": net.direct.bias,
    }
    return {name: np.array(value, np.float32) for name, value in weights.items()}
