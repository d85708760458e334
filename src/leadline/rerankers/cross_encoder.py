"""Rerank with any cross-encoder, which reads query and document together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

from leadline.errors import InputError, needs
from leadline.llm.delimiting import without_marks
from leadline.models.checkpoints import Dtype
from leadline.rerankers.parts.pairs import LocalPairs, Pair, sigmoid
from leadline.types import Document, Query, Reading, Reranker

with needs("dense"):
    from leadline.models.cutting import check_room, count, cut, fit, readable
    from leadline.models.weights import Source, Weights

Activation = Literal["none", "sigmoid"]

QUERY, DOCUMENT = "{query}", "{document}"
"""Where they stand in one text."""


def build(
    model: str,
    *,
    activation: Activation = "none",
    query_prompt: str = "",
    document_prompt: str = "",
    pair: str = "",
    max_length: int | None = None,
    batch_size: int = 32,
    device: str = "",
    dtype: Dtype = "auto",
    labels: int | None = None,
    adapter: str = "",
    revision: str = "",
    trust_remote_code: bool = False,
    cache: bool = True,
) -> Reranker:
    """Return a cross-encoder; the model is loaded when something must be scored.

    model            name on the hub, or folder
    activation       none for raw logits, which do not saturate and so do not tie; or sigmoid.
                     Of two labels the logit of the second minus that of the first counts
    query_prompt     put before a query
    document_prompt  put before a document
    pair             one text with {query} and {document} in it, special tokens too, which the model
                     reads instead of a pair; empty for a pair
    max_length       tokens of a pair, beyond which the document is cut; a query has at most
                     three quarters of them; None for what the model reads
    dtype            auto is float32 on a processor, bfloat16 or float16 elsewhere
    labels           outputs of the head, where the checkpoint leaves them open
    adapter          LoRA weights merged into the model: name on the hub, or folder (needs peft)
    revision         branch, tag or commit on the hub
    cache            keep scores on disk, so that a run that was broken off goes on from there

    Raises InputError when a value is out of its range or the model cannot be loaded, and
    MissingExtraError without torch and transformers.
    """
    options = {
        "device": device,
        "dtype": dtype,
        "max_length": max_length,
        "revision": revision,
        "adapter": adapter,
        "trust_remote_code": trust_remote_code,
        **({"num_labels": labels} if labels else {}),
    }
    source = Source("SequenceClassification", model, options)
    if pair and not (QUERY in pair and pair.index(QUERY) < pair.find(DOCUMENT)):
        raise InputError(f"pair must contain {QUERY} and then {DOCUMENT}, got {pair!r}.")
    return CrossEncoderReranker(
        source=source,
        batch_size=batch_size,
        cache=cache,
        activation=activation,
        query_prompt=query_prompt,
        document_prompt=document_prompt,
        pair=pair,
    )


@dataclass(kw_only=True)
class CrossEncoderReranker(LocalPairs):
    """A reranker; `build` explains the options."""

    activation: Activation
    query_prompt: str
    document_prompt: str
    pair: str
    name = "cross_encoder"

    @property
    def own(self) -> dict[str, Any]:
        """Settings beside those of the model that decide a score."""
        names = ("activation", "query_prompt", "document_prompt", *(["pair"] if self.pair else []))
        return {name: getattr(self, name) for name in names}

    @property
    def _weights(self) -> Weights:
        weights: Weights = self.source.weights
        outputs = weights.model.config.num_labels
        if outputs not in (1, 2):
            raise InputError(
                f"The model {self.source.name!r} has {outputs} labels, but a cross-encoder "
                "has 1 or 2."
            )
        # A causal classifier reads its last token, which padding before it would move.
        weights.tokenizer.padding_side = weights.tokenizer.truncation_side = "right"
        return weights

    def read(self, queries: Sequence[str], documents: Sequence[str]) -> list[Reading]:
        """Tell pairs by their tokens, as far as the model reads."""
        pairs = [
            (Query(str(place), query), Document(str(place), document))
            for place, (query, document) in enumerate(zip(queries, documents, strict=True))
        ]
        if not pairs:
            return []
        length = self._weights.max_length
        cut_at = f"cut at {length} tokens"
        asked = self._queries(pairs)
        read = self.encoded(pairs)["input_ids"]
        whole = self.encoded(pairs, whole=True)["input_ids"]
        return [
            Reading(
                tuple(tokens),
                cut_at if len(tokens) < len(every) else "",
                f"cut at {self._query_length} tokens"
                if asked[query.id] != readable(self.query_prompt + query.content)
                else "",
            )
            for (query, _), tokens, every in zip(pairs, read, whole, strict=True)
        ]

    def _queries(self, pairs: Sequence[Pair]) -> dict[str, str]:
        tokenizer, length = self._weights.tokenizer, self._query_length
        return {
            query.id: cut(tokenizer, readable(self.query_prompt + query.content), length)
            for query, _ in pairs
        }

    @property
    def _query_length(self) -> int:
        """Tokens of a query at most: three quarters, and one is left to the document."""
        tokenizer, length = self._weights.tokenizer, self._weights.max_length
        frame = self.pair.replace(QUERY, "").replace(DOCUMENT, "")
        taken = count(tokenizer, frame) if frame else tokenizer.num_special_tokens_to_add(pair=True)
        check_room(self.source.name, taken, 2, length)
        return min(length * 3 // 4, length - taken - 1)

    def encoded(self, pairs: Sequence[Pair], *, whole: bool = False) -> Any:
        """Return the tokens of each pair; `whole` leaves the document uncut."""
        tokenizer, length = self._weights.tokenizer, self._weights.max_length
        queries = self._queries(pairs)
        if self.pair:
            return self._joined(pairs, queries, whole)
        return tokenizer(
            [queries[query.id] for query, _ in pairs],
            [readable(self.document_prompt + document.content) for _, document in pairs],
            truncation=False if whole else "only_second",
            max_length=None if whole else length,
            split_special_tokens=True,  # `[SEP]` in a document is text
            verbose=False,
        )

    def _joined(self, pairs: Sequence[Pair], queries: Mapping[str, str], whole: bool) -> Any:
        """Return the tokens of one text for each pair; only the document is cut."""
        tokenizer, length = self._weights.tokenizer, self._weights.max_length
        start, _, rest = self.pair.partition(QUERY)
        between, _, end = rest.partition(DOCUMENT)
        plain = partial(
            without_marks, template="", tokens=tokenizer.all_special_tokens, neutral=False
        )
        texts = []
        for query, document in pairs:
            before = start + plain(queries[query.id]) + between
            text = plain(readable(self.document_prompt + document.content))
            if not whole:
                text = fit(tokenizer, before, text, end, length)
            texts.append(before + text + end)
        return tokenizer(texts, verbose=False)

    def values(self, inputs: Any) -> list[float]:
        """Return the scores of a batch of tensors."""
        logits = self._weights.model(**inputs).logits.float()
        two = logits.shape[1] == 2
        values: list[float] = (logits[:, -1] - logits[:, 0] if two else logits[:, 0]).tolist()
        return [sigmoid(value) for value in values] if self.activation == "sigmoid" else values
