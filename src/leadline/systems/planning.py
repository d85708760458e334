"""What a dry run does not touch: Python files and search services, which a file may name."""

from __future__ import annotations

from pathlib import Path

from leadline.llm.account import current
from leadline.progress import say
from leadline.systems.spec import Stage, is_path


def is_left_out(stage: Stage) -> bool:
    """Tell whether a dry run is under way in which a stage is not built."""
    named = Path(stage.name)
    return is_planning() and (
        stage.name == "endpoint" or (is_path(stage.name) and named.suffix == ".py")
    )


def is_planning() -> bool:
    """Tell whether a dry run is under way."""
    kept = current()
    return kept is not None and kept.dry_run


def tell_left_out(what: str) -> None:
    """Say that something is neither run nor asked, and what stands in for it."""
    say(f"{what} is not run in a dry run; as a first stage, bm25 stands in for it.")
