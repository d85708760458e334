"""A row of the catalog."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

Value = str | int | float | bool


@dataclass(frozen=True, slots=True)
class Row:
    """A name that stands for a full setting.

    stage       the file that runs it: `dense` is retrievers/dense.py, `fusion` joins `systems`
    options     what is handed to it: for an encoder model, pooling, prompts, lengths and
                similarity; whoever types the name may override each
    about       one line for `leadline list systems`
    sources     a source (repository, path, version; or a paper and its place) and, separated by
                blanks, the fields that were read there
    systems     the chains that a fusion joins
    parameters  millions of weights; 0 for a system without any
    license     of the weights, as its publisher names it; empty where none was found
    runs        repository of the hub whose Python its model runs, which a user must allow with
                `trust_remote_code=true`; empty for none
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
    def fields(self) -> tuple[str, ...]:
        """What a source is owed: every option, and what is said of the weights."""
        weights = ("parameters", "license") if self.parameters else ()
        pinned = ("revision",) if self.parameters and not self.systems and self.on_hub else ()
        joined = ("systems",) if self.systems else ()
        return tuple(dict.fromkeys((*self.options, *joined, *weights, *pinned)))

    @property
    def on_hub(self) -> bool:
        """Whether its model is a name on the hub, which is told by its slash."""
        return "/" in str(self.options.get("model", ""))

    @property
    def source_of(self) -> dict[str, str]:
        """Each sourced field and where it was read."""
        return {name: source for source, names in self.sources.items() for name in names.split()}
