"""Rerank with an encoder-decoder (monoT5), by the probability of its first output word."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

from leadline.errors import InputError, needs
from leadline.llm.prompt import Prompt
from leadline.models.checkpoints import Dtype
from leadline.rerankers.parts.pairs import (
    LocalPairs,
    Pair,
    judging_prompt,
    query_text,
    true_false_score,
)
from leadline.types import Query, Reranker

with needs("dense"):
    import torch

    from leadline.models.cutting import check_room, count, fit, readable
    from leadline.models.weights import Source

Activation = Literal["softmax", "none"]

_SPACE = "\N{LOWER ONE EIGHTH BLOCK}"


def build(
    model: str,
    *,
    template: str = "relevant",
    positive: str = "true",
    negative: str = "false",
    activation: Activation = "softmax",
    max_length: int | None = None,
    batch_size: int = 32,
    device: str = "",
    dtype: Dtype = "auto",
    revision: str = "",
    trust_remote_code: bool = False,
    cache: bool = True,
) -> Reranker:
    """Return a sequence-to-sequence reranker; the model is loaded when something must be scored.

    model       name on the hub, or folder
    template    a prompt of this package, or a .txt file with $query and $document
    positive    the word for a relevant document; `negative` the other one
    activation  softmax for the probability of the positive of the two words; none for the
                difference of their logits, which does not saturate
    max_length  tokens of a prompt, beyond which the document is cut; None for what the model reads
    dtype       auto is float32 on a processor, bfloat16 or float16 elsewhere
    revision    branch, tag or commit on the hub
    cache       keep scores on disk, so that a run that was broken off goes on from there

    Raises InputError when a value is out of its range or the model cannot be loaded, and
    MissingExtraError without torch and transformers.

    Source: Nogueira et al., Document Ranking with a Pretrained Sequence-to-Sequence Model.
    """
    prompt = judging_prompt(template)
    options = {
        "device": device,
        "dtype": dtype,
        "max_length": max_length,
        "revision": revision,
        "trust_remote_code": trust_remote_code,
    }
    words = (negative, positive)
    source = Source("Seq2SeqLM", model, options)
    return SequenceToSequence(
        source=source,
        batch_size=batch_size,
        cache=cache,
        prompt=prompt,
        words=words,
        activation=activation,
    )


@dataclass(kw_only=True)
class SequenceToSequence(LocalPairs):
    """A reranker; `build` explains the options."""

    prompt: Prompt
    words: tuple[str, str]
    activation: Activation
    name = "sequence_to_sequence"

    @property
    def own(self) -> dict[str, Any]:
        """Settings beside those of the model that decide a score."""
        return {
            "prompt": self.prompt.name,
            "prompt_hash": self.prompt.hash,
            "negative": self.words[0],
            "positive": self.words[1],
            "activation": self.activation,
        }

    @cached_property
    def _word_ids(self) -> list[int]:
        tokenizer = self.source.weights.tokenizer
        vocabulary = tokenizer.get_vocab()
        ids = []
        for word in self.words:
            entry = next((each for each in (_SPACE + word, word) if each in vocabulary), None)
            if entry is None:
                raise InputError(f"{word!r} is not a single token of {self.source.name!r}.")
            ids.append(vocabulary[entry])
        return ids

    def encoded(self, pairs: Sequence[Pair]) -> dict[str, list[list[int]]]:
        """Return the tokens of each pair in its prompt."""
        return {"input_ids": [self._ids(query, document.content) for query, document in pairs]}

    def _ids(self, query: Query, document: str) -> list[int]:
        tokenizer, length = self.source.weights.tokenizer, self.source.weights.max_length
        options = {"split_special_tokens": True}  # `</s>` in a document is text
        before, after = self.prompt.around("query", document="")
        taken = count(tokenizer, before + after)
        check_room(self.source.name, taken, 2, length)
        room = min(max(length * 3 // 4, taken + 1), length - 1)
        text = fit(tokenizer, before, readable(query_text(query)), after, room)
        before, after = self.prompt.around("document", query=text)
        kept = fit(tokenizer, before, readable(document), after, length, **options)
        return list(tokenizer(before + kept + after, **options)["input_ids"])

    def values(self, inputs: Any) -> list[float]:
        """Return the scores of a batch of tensors."""
        weights = self.source.weights
        start = weights.model.config.decoder_start_token_id
        first = torch.full((len(inputs["input_ids"]), 1), start, device=weights.device)
        logits = weights.model(**inputs, decoder_input_ids=first).logits[:, 0].float()
        rows: list[tuple[float, float]] = logits[:, self._word_ids].tolist()
        if self.activation == "none":
            return [true - false for false, true in rows]
        return [true_false_score(true, false) for false, true in rows]
