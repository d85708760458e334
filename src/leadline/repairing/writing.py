"""What came of a repair: repair.json, and repaired.yaml where something is recommended."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from leadline import __version__
from leadline.data.writing import atomic_file
from leadline.repairing.rules import MARGIN, Effect, Trial
from leadline.repairing.trial import Repair


def write_repair(out: Path, repair: Repair, lacking: dict[str, str]) -> None:
    """Write repair.json, and repaired.yaml, a system file, where something is recommended.

    An older repaired.yaml goes away where nothing is.
    """
    with atomic_file(out / "repair.json") as file:
        json.dump(as_json(repair, lacking), file, ensure_ascii=False, indent=1)
        file.write("\n")
    path = out / "repaired.yaml"
    if repair.recommended and repair.confirmed is not None:
        with atomic_file(path) as file:
            file.write(repair.confirmed.proposal.yaml(out))
    else:
        path.unlink(missing_ok=True)


def as_json(repair: Repair, lacking: dict[str, str]) -> dict[str, Any]:
    """Return repair.json."""
    confirmed = repair.confirmed
    return {
        "leadline": __version__,
        "system": repair.system,
        "recommended": confirmed.proposal.name if confirmed and repair.recommended else None,
        "queries": {"tried on": repair.topics[0], "confirmed on": repair.topics[1]},
        "seconds": {"index": repair.base_seconds[0], "search": repair.base_seconds[1]},
        "index bytes": repair.base_bytes,
        "ordinary queries may lose": MARGIN,
        "confirmed": None if confirmed is None else _trial(confirmed),
        "also helps": [_trial(each) for each in repair.also],
        "tried on the other half": [_trial(each) for each in repair.second],
        "tried": [_trial(each) for each in repair.tried],
        "not tried": {**lacking, **repair.failed},
    }


def _trial(trial: Trial) -> dict[str, Any]:
    return {
        "proposal": trial.proposal.name,
        "why": trial.proposal.why,
        "helps": trial.helps,
        "mean gain": trial.mean_gain,
        "seconds": {"index": trial.index_seconds, "search": trial.search_seconds},
        "index bytes": trial.index_bytes,
        "nDCG@10 of both halves, lower bound": trial.ordinary_low,
        "effects": [_effect(each) for each in trial.effects],
    }


def _effect(effect: Effect) -> dict[str, Any]:
    it = effect.difference
    return {
        "benchmark": effect.benchmark,
        "metric": it.metric,
        "before": it.mean_b,
        "after": it.mean_a,
        "change": it.difference,
        "low": it.low,
        "high": it.high,
        "p": it.p,
        "n": it.n,
    }


def told_bytes(size: int | None) -> str:
    """Return the size of an index for a reader; `?` where it is not known."""
    if size is None:
        return "?"
    return f"{size / 1e6:.1f} MB" if size >= 1e5 else f"{size / 1e3:.1f} kB"
