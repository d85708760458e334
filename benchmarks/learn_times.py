"""Teaches the network of times which readings hold, and tells how well it does on unread texts.

Run: python benchmarks/learn_times.py [--evaluate] [--seeds 2] [FILE ...]

Reads implied_facts_dev, the folders of implied_facts_texts that may be read, its `learning` folder,
and further FILEs; writes `times.npz` into the package. Needs torch. With `--evaluate` every set is
read by a network that was not taught on it, and nothing is written.
"""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from times_held_out import Held, evaluate, group_loss, kind_of, teach_judge
from torch import nn

from leadline.enrichers.learned import time_features
from leadline.enrichers.learned.time_candidates import (
    Candidate,
    Passage,
    add_derived,
    candidates,
)
from leadline.enrichers.learned.time_facts import LEAST_ANCHOR, ROUNDS, chances, competing, grouped
from leadline.enrichers.learned.time_feature_names import FINGERPRINT
from leadline.enrichers.learned.time_features import Features
from leadline.enrichers.learned.time_judging import Options
from leadline.enrichers.temporal import ruled_facts
from leadline.enrichers.times.doubts import Doubts
from leadline.fact_values import canonical

SHARED = Path(os.environ.get("LEADLINE_SHARED", Path(__file__).resolve().parents[2] / "shared"))
TEXTS = Path(__file__).parent / "implied_facts_texts"
PACKAGE = Path(time_features.__file__).parent
HIDDEN, MIDDLE = 128, 24
Matrix = NDArray[np.float32]


@dataclass
class Read:
    """A document with its readings so far.

    rows, labels, weights  one a reading
    """

    document: Mapping[str, Any]
    passage: Passage
    features: Features | None
    gold: dict[tuple[object, ...], Mapping[str, Any]]
    wrong: set[str]
    found: list[Candidate] = field(default_factory=list)
    rows: list[Matrix] = field(default_factory=list)
    labels: list[float] = field(default_factory=list)
    weights: list[float] = field(default_factory=list)
    fresh: int = 0

    def grow(self) -> None:
        """Read what the anchors since the last round give, and label it."""
        new = candidates(self.passage, fresh=self.fresh) if self.features else []
        if not new or self.features is None:
            return
        self.rows.append(self.features.rows(new))
        for each in new:
            self.found.append(each)
            label, weight = self._judged(each)
            self.labels.append(label)
            self.weights.append(weight)

    def _judged(self, each: Candidate) -> tuple[float, float]:
        fact = self.gold.get(canonical(each.kind, each.told()))
        mention = self.passage.mentions[each.mention]
        words = self.document["text"][mention.start : mention.end]
        if fact:
            return 1.0, 1.0 if any(words in part for part in fact["evidence"]) else 0.3
        if json.dumps(each.told()) in self.wrong:
            return 0.0, 1.5
        stepping = any(words in part for some in self.gold.values() for part in some["evidence"])
        return 0.0, 0.4 if stepping else 1.0


def read_document(document: Mapping[str, Any]) -> Read:
    passage = Passage(document["text"])
    features = Features(passage, Doubts(document["text"])) if passage.mentions else None
    gold = {canonical(each["kind"], each["value"]): each for each in document["facts"]}
    wrong = {json.dumps(each) for each in document["not_facts"]}
    return Read(document, passage, features, gold, wrong)


@dataclass
class Taught:
    """Networks with the scaling of their inputs; `kept` are the features that vary enough."""

    kept: NDArray[np.int64]
    center: Matrix
    scale: Matrix
    networks: list[nn.Module]

    def scores(self, rows: Matrix) -> Matrix:
        """Return a score for each row of features; 0 is that of no reading."""
        with torch.no_grad():
            scaled = torch.tensor((rows[:, self.kept] - self.center) / self.scale).clamp(-6, 6)
            found = torch.stack([network(scaled)[:, 0] for network in self.networks]).mean(0)
            return np.asarray(found.numpy(), np.float32)


def teach(
    reads: Sequence[Read], *, seeds: int, epochs: int = 24, decay: float = 0.3, rate: float = 3e-3,
    least: int = 25, drop: float = 0.3, hidden: int = HIDDEN, wide: float = 0.5,
) -> Taught:  # fmt: skip
    """Return networks taught on the readings of documents.

    The readings of one expression compete with each other, and with none of them being meant.
    """
    reads = [each for each in reads if each.found]
    inputs = np.concatenate([rows for each in reads for rows in each.rows])
    sizes = [len(each.found) for each in reads]
    seen = np.zeros(inputs.shape[1], int)
    for part in np.split(inputs, np.cumsum(sizes)[:-1]):
        seen += part.any(0)
    kept = np.nonzero((seen >= least) & (inputs.std(0) > 0))[0]
    inputs = inputs[:, kept]
    center, scale = inputs.mean(0), inputs.std(0) + 0.05
    scaled = torch.tensor((inputs - center) / scale).clamp(-6, 6)
    labels = torch.tensor([label for each in reads for label in each.labels])
    weights = torch.tensor([weight for each in reads for weight in each.weights])
    starts = np.concatenate(([0], np.cumsum(sizes)))
    groups = [torch.tensor(competing(each.found)) for each in reads]
    networks: list[nn.Module] = []
    for seed in range(seeds):
        torch.manual_seed(seed)
        network = nn.Sequential(
            nn.Linear(scaled.shape[1], hidden), nn.ReLU(), nn.Dropout(drop),
            nn.Linear(hidden, MIDDLE), nn.ReLU(), nn.Linear(MIDDLE, 1),
        )  # fmt: skip
        optimizer = torch.optim.AdamW(network.parameters(), lr=rate, weight_decay=decay)
        steps = epochs * ((len(reads) + _BATCH - 1) // _BATCH)
        schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, rate, total_steps=steps)
        network.train()
        for _ in range(epochs):
            order = torch.randperm(len(reads)).tolist()
            for start in range(0, len(order), _BATCH):
                chosen = order[start : start + _BATCH]
                rows = torch.cat([torch.arange(starts[at], starts[at + 1]) for at in chosen])
                ids, count = [], 0
                for at in chosen:
                    ids.append(groups[at] + count)
                    count += int(groups[at].max()) + 1
                mask = (torch.rand(scaled.shape[1]) > wide) / (1 - wide)
                loss = group_loss(network(scaled[rows] * mask)[:, 0], labels[rows], weights[rows],
                             torch.cat(ids), count)  # fmt: skip
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
                schedule.step()
        network.eval()
        networks.append(network)
    return Taught(kept, center, scale, networks)


_BATCH = 16


def likely(taught: Taught, each: Read) -> Matrix:
    if not each.rows:
        return np.zeros(0, np.float32)
    return chances(taught.scores(np.concatenate(each.rows)), each.found)


def advance(reads: Sequence[Read], taught: Taught) -> None:
    """Add what is likely by now as anchors, and read on from there."""
    for each in reads:
        shares = likely(taught, each).tolist()
        each.fresh = add_derived(each.passage, each.found, shares, LEAST_ANCHOR)
        if each.fresh < len(each.passage.anchors):
            each.grow()


def grown(folds: Mapping[str, Sequence[Read]], seeds: int) -> None:
    """Read all documents in rounds; each half of the folds is judged by what the other teaches."""
    for reads in folds.values():
        for each in reads:
            each.grow()
    halves: list[list[Read]] = [[], []]
    for reads in sorted(folds.values(), key=len, reverse=True):
        min(halves, key=len).extend(reads)
    for _ in range(ROUNDS - 1):
        taught = [teach(half, seeds=seeds, epochs=10) for half in halves]
        for half, judge in zip(halves, reversed(taught), strict=True):
            advance(half, judge)


def options(each: Read, shares: Matrix) -> list[Options]:
    """Return the values that compete, with how likely each is."""
    return [
        [(canonical(each.found[at].kind, each.found[at].told()), share) for share, at in group]
        for group in grouped(each.found, shares)
    ]


def held(each: Read, shares: Matrix) -> Held:
    wrong = {canonical(kind_of(value), value) for value in each.document["not_facts"]}
    expected = {key: fact["difficulty"] for key, fact in each.gold.items()}
    return Held(ruled_facts(each.document["text"]), options(each, shares), expected, wrong)


def documents(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def folds(more: Sequence[Path]) -> dict[str, list[Read]]:
    """Return documents by who wrote them."""
    paths = {"dev": SHARED / "data" / "implied_facts_dev" / "temporal.jsonl"}
    for name in ("first", "second", "third", "fourth"):
        paths[name] = TEXTS / name / "temporal.jsonl"
    for path in sorted((TEXTS / "learning").glob("times_*.jsonl")):
        paths[path.stem] = path
    for path in more:
        paths[path.parent.name if path.stem == "temporal" else path.stem] = path
    return {name: [read_document(each) for each in documents(path)] for name, path in paths.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--evaluate", action="store_true")
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--out", type=Path, default=PACKAGE / "times.npz")
    chosen = parser.parse_args()
    torch.set_num_threads(1)
    read: dict[str, list[Read]] = {}
    for name, some in folds(chosen.files).items():
        read.setdefault("old" if name in _OLD else name, []).extend(some)
    grown(read, 1)
    print(sum(len(each.found) for some in read.values() for each in some), "readings", flush=True)
    judged: dict[str, list[Held]] = {}
    for name, some in read.items():
        if name == "old" and not chosen.evaluate:
            continue
        others = [each for other in read if other != name for each in read[other]]
        taught = teach(others, seeds=1)
        judged[name] = [held(each, likely(taught, each)) for each in some]
    evaluate(judged)
    if chosen.evaluate:
        return
    judge = teach_judge([each for name, some in judged.items() if name != "old" for each in some])
    whole = teach([each for some in read.values() for each in some], seeds=chosen.seeds)
    keep(whole, judge, chosen.out)


_OLD = ("dev", "first", "second", "third", "fourth")


def keep(taught: Taught, judge: Matrix, path: Path) -> None:
    """Write networks and judge to a file, in half precision."""
    arrays: dict[str, Any] = {
        "fingerprint": np.array(FINGERPRINT), "networks": np.array(len(taught.networks)),
        "kept": taught.kept.astype(np.int16), "center": taught.center.astype(np.float16),
        "scale": taught.scale.astype(np.float16), "judge": judge,
    }  # fmt: skip
    for seed, network in enumerate(taught.networks):
        linear = [each for each in network.modules() if isinstance(each, nn.Linear)]
        for number, each in enumerate(linear):
            arrays[f"weights{seed}_{number}"] = each.weight.detach().numpy().T.astype(np.float16)
            arrays[f"biases{seed}_{number}"] = each.bias.detach().numpy().astype(np.float16)
    np.savez_compressed(path, **arrays)
    print(f"{path}: {path.stat().st_size / 1000:.0f} KB")


if __name__ == "__main__":
    main()
