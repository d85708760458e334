"""Cases that rules made, as a language model reads them before anything is asked with them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from leadline.prompt import Prompt


@dataclass(frozen=True)
class Sheet:
    """Cases of one document, read in one call.

    document  its id
    cases     each as it is read, without its number
    texts     other fields of the prompt, such as the topic
    """

    document: str
    cases: Sequence[str]
    texts: Mapping[str, str] = field(default_factory=dict)


class CaseReader(Protocol):
    """Whoever says which cases are good."""

    @property
    def name(self) -> str:
        """What reports call it."""
        ...

    def good_cases(
        self, prompt: Prompt, sheets: Sequence[Sheet], refused: Counter[str]
    ) -> list[list[bool]]:
        """Return which cases of each sheet are good; why others are not is counted in `refused`."""
        ...
