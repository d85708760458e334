"""Attention of a cross-encoder between the words of a query and of a document.

Source: Lu et al., MultiConIR (heat map of a reranker's attention).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from leadline.errors import InputError, needs
from leadline.models.weights import Weights, load
from leadline.report.shapes import HeatMap

with needs("dense"):
    import torch

    from leadline.models.cutting import cut, readable

COLUMNS = 24
"""Words of a document in one figure."""


@dataclass(frozen=True)
class AttentionMap:
    """Attention between words, averaged over all heads and layers.

    to_document  [query word][document word]: what a token of the query word gives the tokens of
                 the document word
    to_query     [query word][document word]: what a token of the document word gives those of
                 the query word
    score        the logit of the model
    cut          whether the document was cut to what the model reads
    """

    query: tuple[str, ...]
    document: tuple[str, ...]
    to_document: tuple[tuple[float, ...], ...]
    to_query: tuple[tuple[float, ...], ...]
    score: float
    cut: bool

    @property
    def shown(self) -> tuple[str, tuple[tuple[float, ...], ...]]:
        """What figures show, and its name: query to document unless the model is causal.

        In a causal model the query stands first and sees no document.
        """
        if any(map(any, self.to_document)):
            return "query to document", self.to_document
        return "document to query", self.to_query

    def strongest(self, count: int = 5) -> list[tuple[str, str, float]]:
        """Return the pairs of words with most attention in what is shown."""
        _, values = self.shown
        pairs = [
            (word, other, value)
            for word, row in zip(self.query, values, strict=True)
            for other, value in zip(self.document, row, strict=True)
        ]
        return sorted(pairs, key=lambda pair: -pair[2])[:count]

    def as_json(self) -> dict[str, Any]:
        """Return what a file tells of it."""
        return {
            "score": self.score,
            "document cut": self.cut,
            "query": self.query,
            "document": self.document,
            "query to document": self.to_document,
            "document to query": self.to_query,
        }


def load_attentive(model: str) -> Weights:
    """Return a cross-encoder of the hub or a folder that tells its attention.

    Raises InputError when it cannot be loaded.
    """
    return load("SequenceClassification", model, attn_implementation="eager")


def attention(weights: Weights, query: str, document: str) -> AttentionMap:
    """Return where the model looks when it reads the pair.

    Raises InputError when the query or the document has no word, or the tokenizer does not tell
    words.
    """
    encoded = _encoded(weights, query, document)
    tokens = len(encoded["input_ids"])
    inputs = {key: torch.tensor([values], device=weights.device) for key, values in encoded.items()}
    with torch.inference_mode():
        out = weights.model(**inputs, output_attentions=True)
    if not out.attentions or out.attentions[0] is None:
        raise InputError(
            f"The model {weights.model.name_or_path!r} does not return attention weights."
        )
    mean = torch.stack([each[0].float().mean(0) for each in out.attentions]).mean(0).cpu()
    asked, held = (_words(encoded, side, text) for side, text in enumerate((query, document)))
    if not asked or not held:
        raise InputError(f"The model reads no word of the {'document' if asked else 'query'}.")
    logits = out.logits[0].float().tolist()
    whole = weights.tokenizer(query, document, split_special_tokens=True, verbose=False)
    return AttentionMap(
        query=tuple(word for word, _ in asked),
        document=tuple(word for word, _ in held),
        to_document=_between(mean, asked, held),
        to_query=tuple(zip(*_between(mean, held, asked), strict=True)),
        score=logits[-1] - logits[0] if len(logits) == 2 else logits[0],
        cut=len(whole["input_ids"]) > tokens,
    )


def heat_maps(found: AttentionMap) -> list[HeatMap]:
    """Return figures of so many document words each as are readable, on one scale of shades."""
    direction, values = found.shown
    most = max(max(row) for row in values)
    return [
        HeatMap(
            title=f"Attention, {direction}, document words {start + 1} to "
            f"{min(start + COLUMNS, len(found.document))}",
            row_label="query",
            column_label="document",
            rows=found.query,
            columns=found.document[start : start + COLUMNS],
            values=tuple(row[start : start + COLUMNS] for row in values),
            low=0.0,
            high=most,
            note="Mean over all heads and layers; over the tokens that look, summed over the "
            f"tokens looked at. The darkest shade is {most:.3f}.",
        )
        for start in range(0, len(found.document), COLUMNS)
    ]


Word = tuple[str, Sequence[int]]
"""A word and the places of its tokens."""


def _encoded(weights: Weights, query: str, document: str) -> Any:
    tokenizer, length = weights.tokenizer, weights.max_length
    if not tokenizer.is_fast:
        raise InputError(
            "The tokenizer of this model does not map tokens to words. Use a model with a fast "
            "tokenizer."
        )
    return tokenizer(
        cut(tokenizer, readable(query), length * 3 // 4),
        readable(document),
        truncation="only_second",
        max_length=length,
        split_special_tokens=True,  # `[SEP]` in a document is text
    )


def _words(encoded: Any, side: int, text: str) -> list[Word]:
    """Return the words of the query (0) or the document (1) in their order."""
    text, places = readable(text), dict[int, list[int]]()
    sides, words = encoded.sequence_ids(), encoded.word_ids()
    for place, (its, word) in enumerate(zip(sides, words, strict=True)):
        if its == side and word is not None:
            places.setdefault(word, []).append(place)
    found: list[Word] = []
    for its in places.values():
        spans = [span for place in its if (span := encoded.token_to_chars(place)) is not None]
        found.append((text[spans[0].start : spans[-1].end].strip() if spans else "", its))
    return found


def _between(mean: Any, looking: Sequence[Word], seen: Sequence[Word]) -> tuple[Any, ...]:
    """Return [looking][seen]: mean over the tokens that look, sum over those looked at."""
    return tuple(
        tuple(float(mean[list(rows)][:, list(columns)].sum(1).mean()) for _, columns in seen)
        for _, rows in looking
    )
