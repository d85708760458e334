"""Groups as what trainers and evaluations read: pairs, permutations, sets, a benchmark."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from leadline.benchmark import Benchmark
from leadline.kinds.reasoning.groups import Group, Passage
from leadline.kinds.reasoning.kind import KIND
from leadline.kinds.reasoning.pairs import JudgedPair
from leadline.types import Document, Query

_ORDER = {"direct": 0, "indirect": 1, "negative": 2}


@dataclass(frozen=True, slots=True)
class Split:
    """Groups to train on, and groups to evaluate on; the same where none are held out."""

    training: Sequence[Group]
    held_out: Sequence[Group]


def split(groups: Sequence[Group], share: float, seed: int) -> Split:
    """Hold out a share of the seed queries, with all that was made of them.

    With a share of 0, or a single seed, everything is on both sides.
    """
    seeds = sorted({group.seed for group in groups})
    count = min(len(seeds) - 1, max(1, round(share * len(seeds)))) if share > 0 else 0
    if count < 1:
        return Split(groups, groups)
    held = set(random.Random(f"{seed} held out").sample(seeds, count))
    return Split(
        [group for group in groups if group.seed not in held],
        [group for group in groups if group.seed in held],
    )


def pairs_of(groups: Sequence[Group]) -> Iterator[JudgedPair]:
    """Yield every passage with its query and judgement."""
    for group in groups:
        for passage in group.passages:
            facets = {
                "group": group.id, "style": group.style, "difficulty": group.difficulty,
                "relation": passage.relation,
            }  # fmt: skip
            yield JudgedPair(group.query, passage.text, passage.is_relevant, passage.trace, facets)


def balanced(pairs: Sequence[JudgedPair], seed: int, size: int | None = None) -> list[JudgedPair]:
    """Return as many relevant pairs as others, drawn by the seed, in the order given.

    size  most pairs, half of each
    """
    sides = {side: [n for n, each in enumerate(pairs) if each.relevant == side]
             for side in (True, False)}  # fmt: skip
    count = min(map(len, sides.values()))
    if size is not None:
        count = min(count, size // 2)
    rng = random.Random(f"{seed} balance")
    kept = {place for places in sides.values() for place in rng.sample(places, count)}
    return [each for place, each in enumerate(pairs) if place in kept]


def mixed(own: Sequence[JudgedPair], others: Sequence[JudgedPair], seed: int) -> list[JudgedPair]:
    """Return own pairs and those of another set in one order, by the seed."""
    pairs = [*own, *others]
    random.Random(f"{seed} mix").shuffle(pairs)
    return pairs


def permutations(groups: Sequence[Group], seed: int) -> Iterator[dict[str, Any]]:
    """Yield groups for listwise training: documents shuffled, and their order, best first.

    `order` has numbers from 1, as a listwise reranker says them: direct, then indirect, then not
    relevant.
    """
    for group in groups:
        shuffled = _shuffled(group, seed)
        order = sorted(range(len(shuffled)), key=lambda n: (_ORDER[shuffled[n].relation], n))
        yield {
            "query": group.query,
            "documents": [each.text for each in shuffled],
            "order": [place + 1 for place in order],
            "relations": [each.relation for each in shuffled],
        }


def sets(groups: Sequence[Group], seed: int) -> Iterator[dict[str, Any]]:
    """Yield groups for setwise training: one relevant document among the others, and which it is.

    A group without a negative gives no set.
    """
    for group in groups:
        negatives = [each for each in group.passages if not each.is_relevant]
        for number, best in enumerate(group.passages):
            if not best.is_relevant or not negatives:
                continue
            documents = [best, *negatives]
            random.Random(f"{seed} {group.id} {number}").shuffle(documents)
            yield {
                "query": group.query,
                "documents": [each.text for each in documents],
                "best": documents.index(best) + 1,
            }


def as_benchmark(name: str, split: Split, **facts: Any) -> Benchmark:
    """Return the groups held out as a benchmark, with all passages as its corpus.

    Documents have the facet `relation`, queries `style`, `difficulty`, `words` (whether words alone
    find their documents) and `relevant`, the number of their relevant documents.

    Raises InputError when a held-out query has no relevant passage.
    """
    corpus: dict[str, Document] = {}
    known = {group.id: group for group in (*split.training, *split.held_out)}
    for group in known.values():
        for id, passage in _named(group).items():
            corpus[id] = Document(id, passage.text, facets={"relation": passage.relation})
    queries, qrels = [], {}
    for group in split.held_out:
        grades = {id: int(passage.is_relevant) for id, passage in _named(group).items()}
        relations = {each.relation for each in group.passages if each.is_relevant}
        facets = {
            "style": group.style, "difficulty": group.difficulty,
            "relevant": str(sum(grades.values())),
            "relation": relations.pop() if len(relations) == 1 else "both",
            **({"words": group.words} if group.words else {}),
        }  # fmt: skip
        queries.append(Query(group.id, group.query, group.id, facets=facets))
        qrels[group.id] = grades
    return Benchmark(
        name, corpus, queries, qrels, built_by="llm",
        built={"builder": "leadline.kinds.reasoning", **facts}, **KIND.measured(),
    ).validated()  # fmt: skip


def _named(group: Group) -> dict[str, Passage]:
    """Return the passages by id, numbered in an order that says nothing: ids may break ties."""
    return {f"{group.id}-{n}": each for n, each in enumerate(_shuffled(group, 0), start=1)}


def statistics(groups: Sequence[Group], pairs: Sequence[JudgedPair]) -> dict[str, Any]:
    """Return counts and mean lengths of what was kept."""
    passages = [each for group in groups for each in group.passages]

    def mean_words(texts: Sequence[str]) -> float:
        return round(fmean(len(text.split()) for text in texts), 1) if texts else 0.0

    def counts(values: Sequence[str]) -> dict[str, int]:
        return {value: values.count(value) for value in sorted(set(values))}

    return {
        "queries": len(groups),
        "queries by style": counts([group.style for group in groups]),
        "queries by difficulty": counts([group.difficulty for group in groups]),
        "queries that words alone solve": sum(group.words == "enough" for group in groups),
        "passages by relation": counts([each.relation for each in passages]),
        "words of a query": mean_words([group.query for group in groups]),
        "words of a passage": mean_words([each.text for each in passages]),
        "words of a trace": mean_words([each.trace for each in passages]),
        "pairs": len(pairs),
        "relevant pairs": sum(each.relevant for each in pairs),
    }


def _shuffled(group: Group, seed: int) -> list[Passage]:
    passages = list(group.passages)
    random.Random(f"{seed} {group.id}").shuffle(passages)
    return passages
