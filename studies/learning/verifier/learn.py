"""Make the verifier that comes with Leadline, from texts that no test of conditions uses.

    python studies/learning/verifier/learn.py SHARED OUT

SHARED holds condaqa_dev, trec_dl21_pool, medline1033 and lisa. Three sources of pairs: those of
pairs.tsv, three times; people's edits of sentences with a negation; ladders built by rules.
"""

from __future__ import annotations

import csv
import gzip
import json
import random
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch.nn.functional import cross_entropy, normalize, softplus

from leadline.benchmark import Benchmark
from leadline.data.documents import read_corpus
from leadline.errors import InputError
from leadline.kinds.conditions import by_rules
from leadline.models.checkpoints import MINILM
from leadline.progress import track
from leadline.rerankers.parts.verifier import LAYERS, Head, States, TokenEncoder, token_weights
from leadline.text.sentences import split_sentences
from leadline.types import Document

TAKEN = {"trec_dl21_pool": 260, "medline1033": 120, "lisa": 120}
LADDERS, EPOCHS, SEED = 220, 4, 3
DROPPED = 0.25
"""Share of the words of a rule-built condition that are left out, so that it is no copy."""

PAIRS = Path(__file__).with_name("pairs.tsv")
"""149 sentences, each with a query that it answers in other words and an edit that does not.

Written for this purpose, about nothing real."""

_COLUMNS = ("short", "sentence", "negative")
_SHARPNESS = 20.0
_IN_BATCH = 0.3
"""Weight of telling a sentence from those of other pairs, against from its own edit."""


@dataclass(frozen=True)
class Pair:
    """What is asked, a sentence that says so, and one that nearly does."""

    asked: str
    sentence: str
    negative: str


@dataclass(frozen=True)
class VerifierSettings:
    """How it is trained.

    dimensions  of a token's vector
    hold        weight of staying near the start, which is a principal component analysis
    """

    dimensions: int = 128
    epochs: int = 6
    batch_size: int = 16
    learning_rate: float = 1e-3
    hold: float = 1.0
    seed: int = 0


def read_pairs(path: str | Path = PAIRS) -> list[Pair]:
    """Return the pairs of a table with the columns short, sentence and negative.

    Raises InputError where a column is missing.
    """
    with Path(path).open(encoding="utf-8", newline="") as lines:
        rows = csv.DictReader(lines, delimiter="\t")
        if missing := set(_COLUMNS) - set(rows.fieldnames or ()):
            raise InputError(f"{path} has no column {', '.join(sorted(missing))}.")
        return [Pair(row["short"], row["sentence"], row["negative"]) for row in rows]


def pairs_of(benchmark: Benchmark) -> Iterator[Pair]:
    """Yield a pair for each condition that one document of a ladder alone breaks.

    The condition is what a list-style query adds to the one before it; the sentences are those in
    which the two documents differ, where that is one each.
    """
    texts = {
        (query.topic, int(query.facets.get("k", 0))): query.text
        for query in benchmark.queries
        if query.facets.get("style") == "list"
    }
    for query in benchmark.queries:
        k = int(query.facets.get("k", 0))
        shorter = texts.get((query.topic, k - 1), "")
        if query.facets.get("style") != "list" or not shorter or not query.text.startswith(shorter):
            continue
        grades = benchmark.qrels[query.id]
        split = [
            [each.text for each in split_sentences(benchmark.corpus[id].text)]
            for grade in (k, k - 1)
            for id in grades
            if grades[id] == grade
        ]
        met = [text for text in split[0] if text not in split[1]]
        broken = [text for text in split[1] if text not in split[0]]
        if len(met) == len(broken) == 1:
            item = query.text[len(shorter) :].strip().lstrip("(0123456789").lstrip(".) ")
            yield Pair(item, met[0], broken[0])


def train_verifier(pairs: Sequence[Pair], settings: VerifierSettings) -> Head:
    """Return weights learned from pairs, on one core in minutes; the same seed, the same weights.

    Raises InputError without pairs.
    """
    if not pairs:
        raise InputError("A verifier needs pairs to learn from, got none.")
    torch.manual_seed(settings.seed)
    texts = list(dict.fromkeys(t for p in pairs for t in (p.asked, p.sentence, p.negative)))
    states: dict[str, States] = {}
    encoder = TokenEncoder(MINILM, LAYERS)
    for place, found in track(encoder.encode(texts), "Reading sentences", total=len(texts)):
        states[texts[place]] = found
    model = _Alignment(_components(states, settings.dimensions))
    _fit(model, pairs, states, settings)
    return model.head()


def _components(states: dict[str, States], dimensions: int) -> Any:
    """Return [layers * D, d]: principal directions of token vectors in their sentence."""
    vectors = np.concatenate([each.vectors for each in states.values()])
    vectors[:, : vectors.shape[1] // len(LAYERS)] = 0.0  # words alone: learned, not started from
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True).clip(min=1e-6)
    _, _, directions = torch.linalg.svd(torch.from_numpy(vectors.T @ vectors))
    return directions[:dimensions].T.contiguous()


class _Alignment(torch.nn.Module):
    def __init__(self, start: Any) -> None:
        super().__init__()
        self.start = start.clone()
        self.projection = torch.nn.Parameter(start.clone())
        self.asking = torch.nn.Parameter(torch.zeros(len(start) + 1))
        self.saying = torch.nn.Parameter(torch.zeros(len(start) + 1))
        self.balance = torch.nn.Parameter(torch.tensor(1.0))

    def forward(self, asked: Any, said: Any) -> Any:
        """Return [queries, sentences] of two batches, each (vectors, plain weights)."""
        queries, asking = self._tokens(asked[0], asked[1], self.asking)
        sentences, saying = self._tokens(said[0], said[1], self.saying)
        alike = torch.einsum("qad,sbd->qsab", queries, sentences)
        of_queries, of_sentences = (asking > 0)[:, None, :, None], (saying > 0)[None, :, None, :]
        found = alike.masked_fill(~of_sentences, -1).amax(3) * asking[:, None]
        wanted = alike.masked_fill(~of_queries, -1).amax(2) * saying[None]
        covered = found.sum(2) / asking.sum(1)[:, None]
        asked_for = wanted.sum(2) / saying.sum(1)[None]
        return covered + self.balance * asked_for

    def drift(self) -> Any:
        """Return how far the weights are from their start."""
        weights = (self.asking[:-1] ** 2).sum() + (self.saying[:-1] ** 2).sum()
        return ((self.projection - self.start) ** 2).sum() + 0.01 * weights

    def head(self) -> Head:
        """Return the weights as they are kept."""
        return Head(
            self.projection.detach().numpy(),
            self.asking.detach().numpy(),
            self.saying.detach().numpy(),
            float(self.balance.detach()),
        )

    def _tokens(self, vectors: Any, plain: Any, learned: Any) -> tuple[Any, Any]:
        logs = (vectors @ learned[:-1] + learned[-1]).clamp(-3, 3)
        return normalize(vectors @ self.projection, dim=-1), plain * logs.exp()


def _fit(
    model: _Alignment,
    pairs: Sequence[Pair],
    states: dict[str, States],
    settings: VerifierSettings,
) -> None:
    rate = settings.learning_rate
    optimiser = torch.optim.Adam(
        [
            {"params": [model.projection], "lr": rate},
            {"params": [model.asking, model.saying], "lr": 10 * rate},
            {"params": [model.balance], "lr": 5 * rate},
        ]
    )
    rng, size = random.Random(settings.seed), settings.batch_size
    for _ in track(range(settings.epochs), "Training", total=settings.epochs):
        order = rng.sample(list(pairs), len(pairs))
        for start in range(0, len(order), size):
            batch = order[start : start + size]
            asked = _padded([states[pair.asked] for pair in batch])
            said = [states[pair.sentence] for pair in batch]
            said += [states[pair.negative] for pair in batch]
            scores = _SHARPNESS * model(asked, _padded(said))
            loss = _loss(scores, batch) + settings.hold * model.drift()
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()


def _loss(scores: Any, batch: Sequence[Pair]) -> Any:
    """Return the loss of [n, 2n] scores: sentences, then their edits."""
    n = len(batch)
    places = torch.arange(n)
    twins = torch.tensor([[a.sentence == b.sentence for b in batch] for a in batch])
    twins &= ~torch.eye(n, dtype=torch.bool)
    others = scores.masked_fill(torch.cat([twins, twins], 1), float("-inf"))
    own = softplus(scores[places, places + n] - scores[places, places]).mean()
    return own + _IN_BATCH * cross_entropy(others, places)


def _padded(states: Sequence[States]) -> tuple[Any, Any]:
    longest = max(len(each.tokens) for each in states)
    vectors = torch.zeros(len(states), longest, states[0].vectors.shape[1])
    plain = torch.zeros(len(states), longest)
    for row, each in enumerate(states):
        vectors[row, : len(each.tokens)] = torch.from_numpy(each.vectors)
        plain[row, : len(each.tokens)] = torch.from_numpy(token_weights(each.tokens))
    return vectors, plain


def edited_by_people(folder: Path) -> Iterator[Pair]:
    """Yield a paraphrase that asks, the original sentence, and its affirmative edit."""
    passages: dict[str, dict[str, dict[str, str]]] = {}
    with gzip.open(folder / "passages.jsonl.gz", "rt", encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            passages.setdefault(row["passage_id"], {})[row["edit"]] = row
    for edits in passages.values():
        if not {"original", "paraphrase", "affirmative"} <= set(edits):
            continue
        original = {each.text for each in split_sentences(edits["original"]["text"])}
        changed = [
            [
                each.text
                for each in split_sentences(edits[name]["text"])
                if each.text not in original
            ]
            for name in ("paraphrase", "affirmative")
        ]
        if all(len(each) == 1 for each in changed):
            sentence = edits["original"]["original_sentence"].strip()
            yield Pair(changed[0][0], sentence, changed[1][0])


def built_by_rules(shared: Path) -> Iterator[Pair]:
    """Yield pairs of ladders built by rules, with words left out of what is asked."""
    rng = random.Random(SEED)
    documents: dict[str, Document] = {}
    for name, count in TAKEN.items():
        corpus = read_corpus(shared / name)
        for id in rng.sample(list(corpus), count):
            documents[f"{name}-{id}"] = Document(f"{name}-{id}", corpus[id].text)
    for pair in pairs_of(by_rules.build(documents, seed=SEED, limit=LADDERS)):
        words = [word for word in pair.asked.split() if rng.random() > DROPPED]
        if len(pair.sentence.split()) < 50 and len(words) > 2:
            yield Pair(" ".join(words), pair.sentence, pair.negative)


def main(shared: str, out: str) -> None:
    """Learn, and write the weights."""
    people = list(edited_by_people(Path(shared) / "condaqa_dev"))
    rules = list(built_by_rules(Path(shared)))
    sys.stderr.write(f"{len(people)} pairs by people, {len(rules)} by rules\n")
    pairs = [*read_pairs() * 3, *people, *rules]
    train_verifier(pairs, VerifierSettings(epochs=EPOCHS)).save(out)


if __name__ == "__main__":
    main(*sys.argv[1:])
