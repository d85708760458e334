"""Systems by short name: a row holds every setting that a name stands for. Data, no logic."""

from __future__ import annotations

from collections.abc import Mapping

from leadline.catalog import decoders, encoders, first_stages
from leadline.catalog.row import Row

__all__ = ["ROWS", "Row"]

ROWS: Mapping[str, Row] = {
    row.name: row for rows in (first_stages.ROWS, encoders.ROWS, decoders.ROWS) for row in rows
}
"""Every row by its name."""
