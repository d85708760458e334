"""A sheet for people who read what was synthesized."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

from leadline.data.writing import atomic_file
from leadline.kinds.reasoning.groups import Group

QUERIES = 20


def write_sample(path: str | Path, groups: Sequence[Group], *, seed: int = 0) -> int:
    """Write queries drawn by the seed, with their passages, judgements and traces, as plain text.

    Returns how many queries it holds. Raises InputError when the file cannot be written.
    """
    drawn = random.Random(f"{seed} sample").sample(list(groups), min(QUERIES, len(groups)))
    with atomic_file(path) as handle:
        for group in drawn:
            handle.write("\n".join(_told(group)) + "\n\n")
    return len(drawn)


def _told(group: Group) -> list[str]:
    lines = [
        "=" * 96,
        f"{group.id} ({group.style}, {group.difficulty}; seed: {_line(group.seed)[:120]})",
        "",
        f"QUERY    {_line(group.query)}",
    ]
    for passage in group.passages:
        label = "relevant" if passage.is_relevant else "not relevant"
        lines += [
            "",
            f"PASSAGE  [{label}, {passage.relation}]   agree? ____",
            f"         {_line(passage.text)}",
            f"TRACE    {_line(passage.trace)}",
        ]
    return lines


def _line(text: str) -> str:
    return " ".join(text.split())
