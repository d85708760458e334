"""A trained model on disk: whole or not at all, with a card that tells how it was made."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from leadline.data.writing import atomic_folder

LAST = "modules.json"
"""Moved into place last: a folder without it is not taken for a model."""


def save_model(out: Path, write: Callable[[Path], None], card: str) -> None:
    """Put a model and its card into a folder that may hold other files (log, checkpoints).

    write  writes the model into an empty folder
    """
    staged = out / "model.part"
    shutil.rmtree(staged, ignore_errors=True)
    with atomic_folder(staged) as folder:
        write(folder)
        (folder / "README.md").write_text(card, "utf-8")
    for path in sorted(staged.iterdir(), key=lambda each: each.name == LAST):
        target = out / path.name
        if target.is_dir():
            shutil.rmtree(target)
        path.replace(target)
    staged.rmdir()


def model_card(
    title: str,
    about: str,
    use: str,
    *,
    library: str,
    tags: Sequence[str],
    base: str,
    figures: Mapping[str, Mapping[str, float]],
    settings: Mapping[str, Any],
    data: Mapping[str, Any],
) -> str:
    """Return a model card in Markdown, with the front matter that hubs read.

    figures   row -> column -> value, such as "untrained" -> "nDCG@10"
    settings, data  what it was trained with and on
    """
    columns = list(dict.fromkeys(name for row in figures.values() for name in row))
    table = [
        "| | " + " | ".join(columns) + " |",
        "|---|" + "---:|" * len(columns),
        *(
            f"| {name} | " + " | ".join(_number(row.get(each)) for each in columns) + " |"
            for name, row in figures.items()
        ),
    ]
    front = ["---", f"library_name: {library}", "tags:", *(f"- {tag}" for tag in tags)]
    front += [f"base_model: {json.dumps(base)}", "---"]
    parts = ["\n".join(front), f"# {title}", about, use, "## Figures on validation queries"]
    parts += ["\n".join(table), "## Settings", _listed(settings), "## Data", _listed(data)]
    return "\n\n".join(parts) + "\n"


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.4f}"


def _listed(values: Mapping[str, Any]) -> str:
    lines = [f"- {name}: `{_code(value)}`" for name, value in values.items()]
    return "\n".join(lines) or "- nothing noted"


def _code(value: Any) -> str:
    shown = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return " ".join(shown.replace("`", "'").split())
