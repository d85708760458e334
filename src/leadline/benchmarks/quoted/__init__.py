"""Results that others published on a benchmark, one file a benchmark, with their source."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

from leadline.benchmark import Quoted


def quoted_results(name: str, part: str, *, departs: str = "") -> tuple[Quoted, ...]:
    """Return what was published on one part of a benchmark, as fractions.

    name     of the file here: `implicit_facts`
    departs  in what the benchmark at hand differs from the published one; empty for nothing
    """
    table: dict[str, Any] = json.loads(
        files(__name__).joinpath(f"{name}.json").read_text(encoding="utf-8")
    )
    return tuple(
        Quoted(
            system=system,
            metrics={metric: round(value / 100, 6) for metric, value in parts[part].items()},
            source=table["source"],
            documents=table["documents"],
            queries=table["queries"],
            departs=departs,
        )
        for system, parts in table["systems"].items()
    )
