"""Systems by short name: a row of catalog.yaml holds every setting that a name stands for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from leadline.text.words import table

Value = str | int | float | bool


@dataclass(frozen=True, slots=True)
class Row:
    """A name that stands for a full setting; catalog.yaml explains the fields.

    sources     where settings were read, and the fields that were read there, parted by spaces
    unverified  a field for which no source was found, and how it is set instead
    """

    name: str
    stage: str
    about: str
    options: Mapping[str, Value] = field(default_factory=dict)
    sources: Mapping[str, str] = field(default_factory=dict)
    systems: tuple[str, ...] = ()
    parameters: float = 0
    license: str = ""
    unverified: Mapping[str, str] = field(default_factory=dict)
    runs: str = ""

    @property
    def source_of(self) -> dict[str, str]:
        """Each sourced field and where it was read."""
        return {name: source for source, names in self.sources.items() for name in names.split()}


def _rows() -> dict[str, Row]:
    content = table("leadline.systems", "catalog")
    rows: dict[str, Row] = {}
    for name, settings in content["systems"].items():
        given = dict(settings)
        like = rows.get(given.pop("like", ""))
        own = {key: given.pop(key, {}) for key in ("options", "sources", "unverified")}
        own["sources"] = {content["places"].get(k, k): v for k, v in own["sources"].items()}
        row: dict[str, Any] = {**given, "systems": tuple(given.get("systems", ()))}
        if like is not None:
            same = {key: getattr(like, key) for key in ("stage", "parameters", "license")}
            row, own["options"] = {**same, **row}, {**like.options, **own["options"]}
        rows[name] = Row(name, **row, **own)
    return rows


ROWS: Mapping[str, Row] = _rows()
"""Every row by its name."""
