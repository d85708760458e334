"""The language models that a builder asks, and how it asks them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from leadline.types import LLM


@dataclass(frozen=True)
class Models:
    """Who writes, who reads, and how.

    attempts     drafts before something is given up
    max_tokens   length of an answer, the reasoning of a model included
    temperature  of the writer; the verifier has 0
    effort       low: one small question at a time, for weak models
    reads        False where the verifier was tried and is unfit: code judges alone
    """

    writer: LLM
    verifier: LLM
    attempts: int = 3
    max_tokens: int = 3_000
    temperature: float = 0.8
    effort: Literal["low", "high"] = "high"
    reads: bool = True
