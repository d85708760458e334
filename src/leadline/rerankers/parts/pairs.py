"""Make a run from a function that scores pairs of query and document."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from leadline.data.cache import cache_folder
from leadline.data.spreading import in_order, is_spreading, kept_results, spread
from leadline.errors import InputError
from leadline.llm.prompt import Prompt
from leadline.models.cutting import in_batches
from leadline.progress import track
from leadline.types import (
    Candidates,
    Corpus,
    Document,
    Query,
    Reranker,
    Run,
    best_first,
    candidates_of,
    check_positive,
)

Pair = tuple[Query, Document]
Score = Callable[[Sequence[Pair]], Sequence[float]]


class PairReranker(Reranker):
    """A reranker on a model that scores pairs; it can be pickled.

    cache  keep scores on disk, so that a run that was broken off goes on from there
    """

    cache = True

    @property
    def identity(self) -> str:
        """What decides a score beside the pair."""
        raise NotImplementedError

    def scores(self, pairs: Sequence[Pair]) -> Sequence[float]:
        """Return a number for each pair."""
        raise NotImplementedError

    def rerank(self, queries: Sequence[Query], corpus: Corpus, candidates: Candidates) -> Run:
        """Score every candidate of each query, best first."""
        return rerank_pairs(
            self.scores, queries, corpus, candidates, identity=self.identity, keep=self.cache
        )


@dataclass(kw_only=True)
class LocalPairs(PairReranker):
    """One on a model of transformers.

    source  a `leadline.models.weights.Source`, loaded when something must be scored
    """

    source: Any
    batch_size: int
    cache: bool = True

    def __post_init__(self) -> None:
        check_positive(batch_size=self.batch_size)

    @property
    def own(self) -> dict[str, Any]:
        """Settings beside those of the model that decide a score."""
        raise NotImplementedError

    def encoded(self, pairs: Sequence[Pair]) -> Mapping[str, Any]:
        """Return the rows of what the tokenizer makes of each pair, `input_ids` among them."""
        raise NotImplementedError

    def values(self, inputs: Any) -> list[float]:
        """Return the scores of a batch of tensors."""
        raise NotImplementedError

    @property
    def settings(self) -> dict[str, Any]:
        """What a report tells of the reranker."""
        return {**self.source.settings, **self.own, "batch_size": self.batch_size}

    @property
    def identity(self) -> str:
        """What decides a score beside the pair."""
        return json.dumps([self.source.identity, self.own])

    def scores(self, pairs: Sequence[Pair]) -> list[float]:
        """Return the score of each pair; pairs of like length share a batch."""
        import torch

        weights = self.source.weights
        encoded = self.encoded(pairs)
        scores = [0.0] * len(pairs)
        for batch in in_batches(encoded["input_ids"], self.batch_size):
            rows = {key: [values[each] for each in batch] for key, values in encoded.items()}
            inputs = weights.tokenizer.pad(rows, return_tensors="pt").to(weights.device)
            with torch.inference_mode():
                for place, value in zip(batch, self.values(inputs), strict=True):
                    scores[place] = value
        return scores


def rerank_pairs(
    score: Score,
    queries: Sequence[Query],
    corpus: Corpus,
    candidates: Candidates,
    *,
    block: int = 1024,
    label: str = "Reranking",
    identity: str = "",
    keep: bool = True,
) -> Run:
    """Score every candidate of each query, best first; ties in the order of the candidates.

    score     takes at most `block` pairs at once and returns a number for each
    identity  everything that decides a score beside the pair. With it, blocks are kept on disk
              as they come and may be spread over workers; `score` must then be picklable and
              change nothing but what it returns
    keep      whether blocks are kept on disk, where there is an identity
    """
    pairs = _pairs(queries, corpus, candidates)
    total = sum(len(set(candidates.get(query.id, ()))) for query in queries)
    found: dict[str, dict[str, float]] = {query.id: {} for query in queries}
    blocks = iter(lambda: list(islice(pairs, block)), [])
    scored = _scored(score, blocks, identity, keep)
    for each, values in track(scored, label, total=total, step=block):
        for (query, document), value in zip(each, values, strict=True):
            if math.isnan(value):
                raise InputError(
                    f"The score of document {document.id!r} for query {query.id!r} is not a "
                    "number. A float16 model may have overflowed. Try dtype=float32."
                )
            found[query.id][document.id] = value
    return {query: best_first([*scores], [*scores.values()]) for query, scores in found.items()}


def _scored(
    score: Score, blocks: Iterable[list[Pair]], identity: str, keep: bool
) -> Iterator[tuple[list[Pair], Any]]:
    """Yield blocks with their scores, in order, which decides ties."""
    digest = hashlib.sha256(identity.encode()).hexdigest()[:32]
    folder = cache_folder("scores") / digest if identity and keep else None

    def arriving(some: Iterable[list[Pair]]) -> Iterator[tuple[int, Any]]:
        if folder is None:
            return spread(score, some)
        return kept_results(score, some, folder, _content)

    if identity and is_spreading():
        every = list(blocks)
        yield from zip(every, in_order(arriving(every)), strict=True)
        return
    for each in blocks:  # one at a time: a corpus may be larger than memory
        if folder is None:
            yield each, score(each)
        else:
            ((_, values),) = arriving([each])
            yield each, values


def _content(block: Sequence[Pair]) -> list[list[str]]:
    return [[query.content, document.content] for query, document in block]


def _pairs(queries: Sequence[Query], corpus: Corpus, candidates: Candidates) -> Iterator[Pair]:
    for query in queries:
        for name in dict.fromkeys(candidates_of(query, candidates, corpus)):
            yield query, corpus[name]


QUERY_PLACE = "FILL_QUERY_HERE"
_SENTENCE_ENDS = (".", "!", "?")


def true_false_score(true: float, false: float) -> float:
    """Return the share of the positive answer: exp(true) / (exp(true) + exp(false)).

    true, false  logits or log-probabilities of the two answers

    Returns a number in [0, 1].
    Source: Weller et al., Rank1; Weller et al., FollowIR.
    """
    return sigmoid(true - false)


def sigmoid(x: float) -> float:
    """Return 1 / (1 + exp(-x)) in double precision, for any x."""
    if x >= 0:
        return 1.0 / (1.0 + math.exp(-x))
    return math.exp(x) / (1.0 + math.exp(x))


def forced_answer_prompt(prompt: str, generated: str) -> str:
    """Return the prompt that makes a model answer whose reasoning did not come to an end.

    The reasoning is cut behind its last complete sentence, and closed.

    Source: Weller et al., Rank1, released code.
    """
    text = generated.rstrip()
    last = max(text.rfind(end) for end in _SENTENCE_ENDS)
    if not text.endswith(_SENTENCE_ENDS) and last >= 0:
        text = text[: last + 1]
    return f"{prompt}\n{text.strip()}\n</think>"


def query_text(query: Query, query_prompt: str = "") -> str:
    """Return a query with its instruction, put into the prompt that a data set has for it.

    A query that equals its instruction stands there once.

    query_prompt  a text with FILL_QUERY_HERE, every one of which becomes the query; empty for the
                  query's facet `prompt`, where it has one

    Source: Weller et al., Rank1, released code.
    """
    text = query.text
    if query.instruction:
        same = text.strip() == query.instruction.strip()
        text = text.strip() if same else f"{text} {query.instruction}".strip()
    frame = query_prompt or query.facets.get("prompt", "")
    return frame.replace(QUERY_PLACE, text) if frame else text


def judging_prompt(template: str) -> Prompt:
    """Return a prompt of this package by its name, or a user's own by its .txt file."""
    own = template.endswith(".txt")
    prompt = Prompt.read(template) if own else Prompt.load("leadline.rerankers", template)
    if set(prompt.fields) != {"query", "document"}:
        has = ", ".join(f"${field}" for field in prompt.fields) or "none"
        raise InputError(f"{prompt.name}: the fields must be $query and $document, got {has}.")
    prompt.around("query", document="")
    prompt.around("document", query="")
    return prompt
