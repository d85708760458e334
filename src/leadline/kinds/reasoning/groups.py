"""Turn groups of a query and judged passages into pairs and a benchmark.

Repetitions and leaks are left out.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path
from statistics import fmean
from typing import Any

from leadline.benchmark import Benchmark
from leadline.data.writing import atomic_file
from leadline.kinds.reasoning.kind import KIND
from leadline.kinds.reasoning.pairs import JudgedPair
from leadline.text.tokens import normalised, tokens
from leadline.types import Corpus, Document, Query, Run

_RUN = 3  # words
_SHOWN = 20  # queries of a sample
_Note = Callable[[str, str], None]


@dataclass(frozen=True, slots=True)
class Passage:
    """A passage with its judgement, which is the intended one.

    relation  `direct` or `indirect`; `negative` for a hard negative
    number    its place among all that were written for the query
    """

    text: str
    relation: str
    trace: str
    number: int = 0

    @property
    def is_relevant(self) -> bool:
        """Whether it is meant, and judged, to be relevant."""
        return self.relation != "negative"


@dataclass(frozen=True, slots=True)
class Group:
    """A query with its passages.

    id       of its seed, with the style
    seed     the query it grew from
    refused  by number of a passage: why it was not kept
    words    `enough` where words alone put all relevant passages first, else `not enough`; empty
             where that was not tried
    """

    id: str
    query: str
    style: str
    difficulty: str
    seed: str
    passages: tuple[Passage, ...]
    refused: tuple[tuple[int, str], ...] = ()
    words: str = ""


def by_words(
    groups: Sequence[Group], find: Callable[[Corpus, Sequence[Query]], Run]
) -> list[Group]:
    """Say of each group whether words alone find its relevant passages, before any other.

    find  ranks a corpus for queries by words, such as BM25: it gets the passages of all groups
    """
    corpus = {f"{group.id}/{each.number}": Document(f"{group.id}/{each.number}", each.text)
              for group in groups for each in group.passages}  # fmt: skip
    run = find(corpus, [Query(group.id, group.query) for group in groups])
    labelled = []
    for group in groups:
        relevant = {f"{group.id}/{each.number}" for each in group.passages if each.is_relevant}
        scores = run.get(group.id, {})
        first = sorted(scores, key=lambda id: -scores[id])[: len(relevant)]
        words = "enough" if set(first) == relevant else "not enough"
        labelled.append(replace(group, words=words))
    return labelled


def near_duplicates(texts: Sequence[str], threshold: float) -> set[int]:
    """Return the places of texts that repeat an earlier one.

    threshold  share of their runs of three words that two texts have in common (Jaccard), from
               which they count as the same
    """
    holders: dict[tuple[str, ...], list[int]] = defaultdict(list)
    sizes: dict[int, int] = {}
    for place, text in enumerate(texts):
        shingles = _shingles(text)
        shared = Counter(other for each in shingles for other in holders[each])
        if all(
            count / (len(shingles) + sizes[other] - count) < threshold
            for other, count in shared.items()
        ):
            sizes[place] = len(shingles)
            for each in shingles:
                holders[each].append(place)
    return set(range(len(texts))) - sizes.keys()


class Leaks:
    """Tells whether a text gives away a query of an evaluation.

    It does where it says the same words, or holds half of the query's runs of three words.
    """

    def __init__(self, queries: Iterable[str], share: float = 0.5) -> None:
        self._share = share
        queries = list(queries)
        self._same = {normalised(query) for query in queries}
        # One run of words says too little.
        long = [_shingles(query) for query in queries if len(tokens(query)) > _RUN]
        self._sizes = [len(shingles) for shingles in long]
        self._holders: dict[tuple[str, ...], list[int]] = defaultdict(list)
        for place, shingles in enumerate(long):
            for each in shingles:
                self._holders[each].append(place)

    def __call__(self, text: str) -> bool:
        """Tell it of a text."""
        counts = Counter(place for each in _shingles(text) for place in self._holders.get(each, ()))
        return normalised(text) in self._same or any(
            count / self._sizes[place] >= self._share for place, count in counts.items()
        )


def filtered(
    groups: Sequence[Group],
    dropped: Counter[str],
    *,
    leaks: Leaks,
    threshold: float = 0.7,
    note: _Note = lambda id, reason: None,
) -> list[Group]:
    """Return the groups without leaks and near-duplicates; what is left out is counted.

    A group needs a relevant passage and, for training, anything else: without a relevant one it is
    left out whole.

    note  is called with the id of a query or passage that is left out, and why
    """

    def drop(group: Group, reason: str, passage: Passage | None = None) -> None:
        dropped[f"{'query' if passage is None else 'passage'}: {reason}"] += 1
        note(group.id if passage is None else f"{group.id}/{passage.number}", reason)

    repeated = near_duplicates([group.query for group in groups], threshold)
    kept = []
    for place, group in enumerate(groups):
        if place in repeated:
            drop(group, "near-duplicate")
        elif leaks(group.query) or leaks(group.seed):
            drop(group, "in an evaluation")
        else:
            kept.append(group)
    again = near_duplicates([each.text for group in kept for each in group.passages], threshold)
    numbers = count()
    result = []
    for group in kept:
        passages = []
        for passage in group.passages:
            if next(numbers) in again:
                drop(group, "near-duplicate", passage)
            elif leaks(passage.text):
                drop(group, "in an evaluation", passage)
            else:
                passages.append(passage)
        if any(each.is_relevant for each in passages):
            result.append(replace(group, passages=tuple(passages)))
        else:
            drop(group, "no relevant passage left")
    return result


def _shingles(text: str) -> set[tuple[str, ...]]:
    words = tokens(text)
    if len(words) < _RUN:
        return {tuple(words)}
    return {tuple(words[place : place + _RUN]) for place in range(len(words) - _RUN + 1)}


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
    passages = list(group.passages)
    random.Random(f"0 {group.id}").shuffle(passages)
    return {f"{group.id}-{n}": each for n, each in enumerate(passages, start=1)}


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


def write_sample(path: str | Path, groups: Sequence[Group], *, seed: int = 0) -> int:
    """Write queries drawn by the seed, with their passages, judgements and traces, as plain text.

    Returns how many queries it holds. Raises InputError if the file cannot be written.
    """
    drawn = random.Random(f"{seed} sample").sample(list(groups), min(_SHOWN, len(groups)))
    with atomic_file(path) as handle:
        for group in drawn:
            handle.write(f"{'=' * 96}\n{group.id} ({group.style}, {group.difficulty}; seed: ")
            handle.write(f"{_line(group.seed)[:120]})\n\nQUERY    {_line(group.query)}\n")
            for each in group.passages:
                label = "relevant" if each.is_relevant else "not relevant"
                handle.write(f"\nPASSAGE  [{label}, {each.relation}]   agree? ____\n")
                handle.write(f"         {_line(each.text)}\nTRACE    {_line(each.trace)}\n")
            handle.write("\n")
    return len(drawn)


def _line(text: str) -> str:
    return " ".join(text.split())
