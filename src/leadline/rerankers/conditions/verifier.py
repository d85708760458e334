"""Does a sentence say what a condition asks? Token by token, with weights that were learned.

Every token of the condition looks for its like in the sentence, and every token of the sentence
for its like in the condition: what is asked must be said, and what is said must have been asked.
"""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from leadline.data.cache import cache_folder
from leadline.models.alignment import LAYERS, Head, token_weights
from leadline.models.token_states import MINILM, States, TokenEncoder
from leadline.progress import track
from leadline.rerankers.conditions.kept_tokens import KeptTokens, Tokens

WEIGHTS = Path(__file__).with_name("verifier.npz")
"""Made by studies/learning/verifier."""

_WRITTEN_AT_ONCE = 2_000
_KEPT = 60_000
"""Texts whose tokens stay in memory, about 7 kB each."""


@dataclass
class Verifier:
    """Scores conditions against sentences; tokens of a text are computed once.

    kept   where they stay for other runs; None for memory only, unless
    cache  they are to be kept below the cache of the user
    """

    head: Head
    kept: KeptTokens | None = None
    encoder: TokenEncoder = field(default_factory=lambda: TokenEncoder(MINILM, LAYERS))
    cache: bool = False
    _known: OrderedDict[str, Tokens] = field(default_factory=OrderedDict, repr=False)

    def prepare(self, texts: Sequence[str]) -> None:
        """Compute the tokens of texts that are not known yet."""
        missing = [text for text in dict.fromkeys(texts) if text not in self._known]
        if missing and self.cache and self.kept is None:
            self.kept = _kept_for(self.head, self.encoder)
        if missing and self.kept is not None:
            self._known |= self.kept.known(missing)
            missing = [text for text in missing if text not in self._known]
        fresh: dict[str, Tokens] = {}
        found = self.encoder.encode(missing) if missing else ()
        for place, states in track(found, "Reading sentences", total=len(missing)):
            fresh[missing[place]] = self._tokens(states)
            if len(fresh) % _WRITTEN_AT_ONCE == 0:
                self._keep(fresh)
                fresh = {}
        self._keep(fresh)
        while len(self._known) > max(_KEPT, len(texts)):
            self._known.popitem(last=False)

    def scores(self, conditions: Sequence[str], spans: Sequence[str]) -> Any:
        """Return float32 [len(conditions), len(spans)], from about 0 to 1."""
        self.prepare([*conditions, *spans])
        asked = [self._known[text] for text in conditions]
        said = [self._known[text] for text in spans]
        vectors = np.concatenate([each.vectors for each in said]).astype(np.float32)
        saying = np.concatenate([each.saying for each in said])
        starts = _starts(said)
        totals = np.add.reduceat(saying, starts)
        rows = []
        for each in asked:
            alike = each.vectors.astype(np.float32) @ vectors.T
            found = np.maximum.reduceat(alike, starts, axis=1)
            covered = each.asking @ found / each.asking.sum()
            asked_for = np.add.reduceat(alike.max(axis=0) * saying, starts) / totals
            rows.append(covered + self.head.balance * asked_for)
        return np.stack(rows) / (1 + self.head.balance)

    def _keep(self, fresh: dict[str, Tokens]) -> None:
        self._known |= fresh
        if fresh and self.kept is not None:
            self.kept.keep(fresh)

    def _tokens(self, states: States) -> Tokens:
        vectors = states.vectors if len(states.tokens) else np.ones((1, len(self.head.projection)))
        plain = token_weights(states.tokens or [""])
        projected = vectors @ self.head.projection
        projected /= np.linalg.norm(projected, axis=1, keepdims=True).clip(min=1e-6)
        weights = [
            (plain * np.exp((vectors @ learned[:-1] + learned[-1]).clip(-3, 3))).astype(np.float32)
            for learned in (self.head.asking, self.head.saying)
        ]
        return Tokens(projected.astype(np.float16), *weights)


def _starts(texts: Sequence[Tokens]) -> Any:
    lengths = [len(each.saying) for each in texts]
    return np.cumsum([0, *lengths[:-1]])


def _kept_for(head: Head, encoder: TokenEncoder) -> KeptTokens:
    """Return the database of an encoder with these weights, below the cache of the user."""
    digest = hashlib.blake2b(digest_size=16)
    digest.update(repr((encoder.identity(), encoder.layers, encoder.max_length)).encode())
    for each in (head.projection, head.asking, head.saying):
        digest.update(np.ascontiguousarray(each).tobytes())
    return KeptTokens(cache_folder("tokens") / f"{digest.hexdigest()}.sqlite")


def settings_of(verifier: Verifier) -> Mapping[str, Any]:
    """Return what a report tells of a verifier."""
    return {"model": verifier.encoder.model, "layers": verifier.encoder.layers}
