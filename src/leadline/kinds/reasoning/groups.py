"""Groups of a query and judged passages, and what is left out of them: repetitions and leaks."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from leadline.text.tokens import normalised, tokens
from leadline.types import Corpus, Document, Query, Run

_RUN = 3
_Shingles = set[tuple[str, ...]]
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
    found: set[int] = set()
    for place, text in enumerate(texts):
        shingles = _shingles(text)
        shared = Counter(other for each in shingles for other in holders[each])
        if any(
            count / (len(shingles) + sizes[other] - count) >= threshold
            for other, count in shared.items()
        ):
            found.add(place)
            continue
        sizes[place] = len(shingles)
        for each in shingles:
            holders[each].append(place)
    return found


class Leaks:
    """Tells whether a text gives away a query of an evaluation.

    It does where it says the same words, or holds half of the query's runs of three words.
    """

    def __init__(self, queries: Iterable[str], share: float = 0.5) -> None:
        self._share = share
        self._same: set[str] = set()
        self._sizes: list[int] = []
        self._holders: dict[tuple[str, ...], list[int]] = defaultdict(list)
        for query in queries:
            self._same.add(normalised(query))
            words = tokens(query)
            if len(words) < _RUN + 1:
                continue  # one run of words says too little
            shingles = _shingles(query)
            for each in shingles:
                self._holders[each].append(len(self._sizes))
            self._sizes.append(len(shingles))

    def __call__(self, text: str) -> bool:
        """Tell it of a text."""
        if normalised(text) in self._same:
            return True
        counts = Counter(
            place for each in _shingles(text) if each in self._holders
            for place in self._holders[each]
        )  # fmt: skip
        return any(count / self._sizes[place] >= self._share for place, count in counts.items())


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
    texts = [passage.text for group in kept for passage in group.passages]
    again = near_duplicates(texts, threshold)
    number = 0
    result = []
    for group in kept:
        passages = []
        for passage in group.passages:
            if number in again:
                drop(group, "near-duplicate", passage)
            elif leaks(passage.text):
                drop(group, "in an evaluation", passage)
            else:
                passages.append(passage)
            number += 1
        if any(each.is_relevant for each in passages):
            result.append(replace(group, passages=tuple(passages)))
        else:
            drop(group, "no relevant passage left")
    return result


def _shingles(text: str) -> _Shingles:
    words = tokens(text)
    if len(words) < _RUN:
        return {tuple(words)}
    return {tuple(words[place : place + _RUN]) for place in range(len(words) - _RUN + 1)}
