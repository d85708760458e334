"""A learned model that decides, token by token, whether a sentence states a condition.

Every token of the condition is matched with the most similar token of the sentence, and every token
of the sentence with one of the condition.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from leadline.data.digests import libraries
from leadline.data.writing import cannot_write
from leadline.errors import InputError, needs
from leadline.models.checkpoints import MINILM, best_device, content_of, folder_of, loading
from leadline.models.cutting import in_batches, readable
from leadline.retrievers.parts.store import Stored
from leadline.text.words import words_of

WEIGHTS = Path(__file__).with_name("verifier.npz")
"""Made by studies/learning/verifier."""

LAYERS = (0, 4, 6)
"""Layers of `minilm` whose token vectors are read: words, and words in their sentence."""

_IN_MEMORY = 60_000
_BATCH = 32
_FORMAT = 1
_LIGHT = 0.15
_STOP = words_of(
    """
    the a an of in on at to and or was were is are be been by with for from as that this it
    its his her he she they their had has have which who
    """
)


@dataclass(frozen=True)
class Head:
    """What is learned; float32.

    projection  [layers * D, d] of the states of a token
    asking      [layers * D + 1] log weight of a token of a condition, with a constant
    saying      [layers * D + 1] log weight of a token of a sentence
    balance     weight of what is said against what is asked, above 0
    """

    projection: Any
    asking: Any
    saying: Any
    balance: float

    def save(self, path: str | Path) -> None:
        """Write the weights. Raises InputError where that cannot be."""
        try:
            np.savez_compressed(
                Path(path),
                format=np.array(_FORMAT),
                projection=self.projection.astype(np.float16),
                asking=self.asking.astype(np.float32),
                saying=self.saying.astype(np.float32),
                balance=np.array(self.balance, dtype=np.float32),
            )
        except OSError as error:
            raise cannot_write(Path(path), error) from error


def load_head(path: str | Path) -> Head:
    """Return the weights in a file. Raises InputError where they are not of this format."""
    try:
        with np.load(path, allow_pickle=False) as stored:
            if int(stored["format"]) != _FORMAT:
                raise KeyError("format")
            arrays = {name: stored[name].astype(np.float32) for name in stored.files}
    except (OSError, ValueError, KeyError) as error:
        raise InputError(
            f"{path} is not a verifier ({error}). Train one with studies/learning/verifier"
        ) from error
    return Head(arrays["projection"], arrays["asking"], arrays["saying"], float(arrays["balance"]))


class States(NamedTuple):
    """The tokens of one text, and float32 [len(tokens), layers * D], each layer's of length 1."""

    tokens: Sequence[str]
    vectors: Any


class Tokens(NamedTuple):
    """float16 [n, d] of length 1, and float32 [n]: how much each counts on either side."""

    vectors: Any
    asking: Any
    saying: Any


@dataclass(frozen=True)
class TokenEncoder:
    """An encoder read at some of its layers; it is loaded when first needed.

    layers      0 for the embeddings of words, 1 for the first layer, ...
    max_length  tokens read of a text, with those around it
    """

    model: str = MINILM
    layers: tuple[int, ...] = LAYERS
    max_length: int = 128

    def encode(self, texts: Sequence[str]) -> Iterator[tuple[int, States]]:
        """Yield the place of each text and its tokens, in an order of its own."""
        with needs("dense"):
            import torch
        tokenizer, model = self._loaded
        texts = [readable(text) for text in texts]
        options = {"truncation": True, "max_length": self.max_length}
        for batch in in_batches(tokenizer(texts, **options)["input_ids"], _BATCH):
            some = [texts[place] for place in batch]
            rows = tokenizer(some, padding=True, return_tensors="pt", **options)
            with torch.inference_mode():
                states = model(**rows.to(model.device), output_hidden_states=True).hidden_states
            layers = [states[each].float() for each in self.layers]
            parts = [torch.nn.functional.normalize(layer, dim=-1) for layer in layers]
            vectors = torch.cat(parts, dim=-1).cpu().numpy()
            lengths = rows["attention_mask"].sum(dim=1).tolist()
            for row, (place, length) in enumerate(zip(batch, lengths, strict=True)):
                ids = rows["input_ids"][row, 1 : length - 1].tolist()
                inner = np.ascontiguousarray(vectors[row, 1 : length - 1])
                yield int(place), States(tokenizer.convert_ids_to_tokens(ids), inner)

    def identity(self) -> str:
        """Return what changes when its numbers may: content, settings, packages that run it."""
        content = f"{content_of(self.model)} {libraries('models')}"
        return repr((content, self.layers, self.max_length))

    @cached_property
    def _loaded(self) -> tuple[Any, Any]:
        with needs("dense"):
            import transformers
        folder = str(folder_of(self.model) or self.model)
        with loading(folder):
            tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
            model = transformers.AutoModel.from_pretrained(folder)
        return tokenizer, model.to(best_device()).eval()


@dataclass
class Verifier:
    """Scores conditions against sentences; tokens of a text are computed once.

    cache  keep them on disk for other runs
    """

    head: Head
    encoder: TokenEncoder = field(default_factory=TokenEncoder)
    cache: bool = False
    _known: dict[str, Tokens] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        self._stored = Stored("tokens", self._key, self.cache)

    def prepare(self, texts: Sequence[str]) -> None:
        """Compute the tokens of texts that are not known yet."""
        missing = [text for text in dict.fromkeys(texts) if text not in self._known]
        if not missing:
            return
        store = self._stored.store
        spans = store.spans(missing, self._rows, label="Reading sentences")
        rows, lengths = store.arrays(spans)
        for text, part in zip(missing, np.split(rows, np.cumsum(lengths)[:-1]), strict=True):
            halves = np.ascontiguousarray(part[:, :-2]).view(np.float16)
            self._known[text] = Tokens(halves, part[:, -2], part[:, -1])
        while len(self._known) > max(_IN_MEMORY, len(texts)):
            del self._known[next(iter(self._known))]

    def scores(self, conditions: Sequence[str], spans: Sequence[str]) -> Any:
        """Return float32 [len(conditions), len(spans)], from about 0 to 1."""
        self.prepare([*conditions, *spans])
        asked = [self._known[text] for text in conditions]
        said = [self._known[text] for text in spans]
        vectors = np.concatenate([each.vectors for each in said]).astype(np.float32)
        saying = np.concatenate([each.saying for each in said])
        starts = np.cumsum([0, *(len(each.saying) for each in said[:-1])])
        totals = np.add.reduceat(saying, starts)
        rows = []
        for each in asked:
            alike = each.vectors.astype(np.float32) @ vectors.T
            found = np.maximum.reduceat(alike, starts, axis=1)
            covered = each.asking @ found / each.asking.sum()
            asked_for = np.add.reduceat(alike.max(axis=0) * saying, starts) / totals
            rows.append(covered + self.head.balance * asked_for)
        return np.stack(rows) / (1 + self.head.balance)

    def _key(self) -> str:
        digest = hashlib.blake2b(self.encoder.identity().encode(), digest_size=16)
        for each in (self.head.projection, self.head.asking, self.head.saying):
            digest.update(np.ascontiguousarray(each).tobytes())
        return digest.hexdigest()

    def _rows(self, texts: Sequence[str]) -> list[Any]:
        """Return float32 [tokens, d / 2 + 2] for each text: pairs of half precision, weights."""
        found: list[Any] = [None] * len(texts)
        for place, states in self.encoder.encode(texts):
            known = len(states.tokens)
            vectors = states.vectors if known else np.ones((1, len(self.head.projection)))
            plain = token_weights(states.tokens or [""])
            projected = vectors @ self.head.projection
            projected /= np.linalg.norm(projected, axis=1, keepdims=True).clip(min=1e-6)
            weights = [
                plain * np.exp((vectors @ learned[:-1] + learned[-1]).clip(-3, 3))
                for learned in (self.head.asking, self.head.saying)
            ]
            halves = projected.astype(np.float16).view(np.float32)
            found[place] = np.column_stack([halves, *weights]).astype(np.float32)
        return found


def token_weights(tokens: Sequence[str]) -> Any:
    """Return float32 [len(tokens)]: little for marks and the commonest words."""
    light = [token in _STOP or not token.strip("#").isalnum() for token in tokens]
    return np.where(light, _LIGHT, 1.0).astype(np.float32)
