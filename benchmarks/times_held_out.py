"""What networks of times make of documents that they were not taught on, and how good it is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from leadline.enrichers.learned.time_judging import (
    ADDED,
    DROPPED,
    KINDS,
    Options,
    opinions,
    rows,
    verdicts,
)
from leadline.fact_values import Key, canonical
from leadline.types import Fact

Matrix = NDArray[np.float32]


@dataclass
class Held:
    """A document judged by networks that were not taught on what its writer wrote.

    facts     of the rules
    groups    values that compete, with how likely each is
    expected  difficulty by value
    wrong     values that are listed as wrong
    """

    facts: Sequence[Fact]
    groups: Sequence[Options]
    expected: Mapping[Key, int]
    wrong: set[Key]

    @property
    def likely(self) -> dict[Key, float]:
        """How likely the network finds each value."""
        found: dict[Key, float] = {}
        for key, share in (each for group in self.groups for each in group):
            found[key] = max(share, found.get(key, 0.0))
        return found

    @property
    def stated(self) -> set[Key]:
        """What rules find stated."""
        return {canonical(each.kind, each.value) for each in self.facts if each.role == "stated"}

    @property
    def derived(self) -> set[Key]:
        """What rules derive."""
        return {
            canonical(each.kind, each.value)
            for each in self.facts
            if each.role == "derived" and each.kind in KINDS
        }


def kind_of(value: Any) -> str:
    """Return the kind that a value without one must be of, by its form."""
    if isinstance(value, list):
        return "date_range"
    if isinstance(value, str):
        if ":" in value:
            return "time"
        return {4: "year", 7: "month"}.get(len(value), "date")
    return "duration" if isinstance(value, dict) else "age"


def teach_judge(documents: Sequence[Held], decay: float = 1.0) -> Matrix:
    """Return the weights that join network and rules: values of a group compete with none."""
    found: list[list[float]] = []
    labels: list[float] = []
    groups: list[int] = []
    weights_: list[float] = []
    for each in documents:
        derived, others, stated = opinions(each.facts)
        for group in each.groups:
            kept = [option for option in group if option[0] not in stated]
            if not kept:
                continue
            count = groups[-1] + 1 if groups else 0
            found += rows(kept, derived, others)
            labels += [float(key in each.expected) for key, _ in kept]
            groups += [count] * len(kept)
            weights_ += [_UNJUDGED if each.expected and not
                         any(key in each.expected or key in each.wrong for key, _ in kept) else 1.0
                         ] * len(kept)  # fmt: skip
    inputs, ids = torch.tensor(found), torch.tensor(groups)
    weights = torch.zeros(inputs.shape[1], requires_grad=True)
    optimizer = torch.optim.LBFGS([weights], max_iter=200)

    def closure() -> Any:
        optimizer.zero_grad()
        count = groups[-1] + 1
        loss = group_loss(
            inputs @ weights, torch.tensor(labels), torch.tensor(weights_), ids, count
        )
        loss = loss * count + decay * (weights**2).sum()
        loss.backward()
        return loss

    optimizer.step(closure)
    return np.asarray(weights.detach().numpy(), np.float32)


_UNJUDGED = 0.5


def report(name: str, documents: Sequence[Held], chosen: Sequence[set[Key]]) -> None:
    """Print recall at difficulty 1 and 2, wrong values, and what is derived where nothing is."""
    found = expected = derived = wrong = extra = empty = 0
    for each, given in zip(documents, chosen, strict=True):
        easy = {key for key, difficulty in each.expected.items() if difficulty < 3}
        given = given - each.stated
        found, expected = found + len(easy & (given | each.stated)), expected + len(easy)
        derived, wrong = derived + len(given), wrong + len(given & each.wrong)
        if not each.expected:
            empty, extra = empty + 1, extra + len(given)
    print(
        f"{name:24} recall {found / expected:.3f}  derived {derived:4}  wrong {wrong:3} "
        f"({wrong / max(1, derived):.3f})  in empty documents {extra / max(1, empty):.2f}",
        flush=True,
    )


def joined(each: Held, judge: Matrix, added: float, dropped: float) -> set[Key]:
    derived, others, _ = opinions(each.facts)
    chance: dict[Key, float] = {}
    for group in each.groups:
        for (key, _), share in zip(
            group, verdicts(judge, rows(group, derived, others)), strict=True
        ):
            chance[key] = max(chance.get(key, 0.0), float(share))
    kept = {key for key in derived if chance.get(key, 1.0) >= dropped}
    return kept | {key for key, share in chance.items() if share >= added}


def evaluate(documents: Mapping[str, Sequence[Held]]) -> None:
    """Report for rules, network and both on the sets whose texts no author of rules has read."""
    unread = [name for name in documents if name != "old"]
    everyone = [each for name in unread for each in documents[name]]
    judges = {
        name: teach_judge([each for other in unread if other != name for each in documents[other]])
        for name in unread
    }
    report("rules", everyone, [each.derived for each in everyone])
    for least in (0.2, 0.3, 0.4, 0.5, 0.7):
        report(
            f"network from {least}",
            everyone,
            [{key for key, p in each.likely.items() if p >= least} for each in everyone],
        )
    for added in (0.3, 0.35, 0.4, 0.45, 0.5, 0.6):
        for dropped in (0.05, 0.1, 0.2, 0.3):
            report(f"both {added} {dropped}", everyone,
                   [joined(each, judges[name], added, dropped) for name in unread
                    for each in documents[name]])  # fmt: skip
    for name in documents:
        judge = judges.get(name, next(iter(judges.values())))
        report(f"{name}: rules", documents[name], [each.derived for each in documents[name]])
        report(f"{name}: both", documents[name],
               [joined(each, judge, ADDED, DROPPED) for each in documents[name]])  # fmt: skip


def group_loss(scores: Any, labels: Any, weights: Any, groups: Any, count: int) -> Any:
    """Return the mean over groups of -log of the share of the right readings, or of none."""
    strength = torch.exp(scores.clamp(-15, 15))
    whole = torch.ones(count).index_add(0, groups, strength)
    right = torch.zeros(count).index_add(0, groups, strength * labels)
    is_right = torch.zeros(count).index_add(0, groups, labels) > 0
    parts = torch.where(is_right[groups], labels, torch.ones(len(labels)))
    weight = torch.zeros(count).index_add(0, groups, weights * parts)
    weight = weight / torch.zeros(count).index_add(0, groups, parts)
    told = torch.where(is_right, right, torch.ones(count))
    return -(weight * (torch.log(told + 1e-9) - torch.log(whole))).sum() / count
