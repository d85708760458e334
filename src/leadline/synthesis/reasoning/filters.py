"""What is left out of synthesized groups: repetitions, and what an evaluation asks."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace

from leadline.synthesis.reasoning.making import Group
from leadline.text.tokens import normalised, tokens

_RUN = 3
_Shingles = set[tuple[str, ...]]


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
    groups: Sequence[Group], dropped: Counter[str], *, leaks: Leaks, threshold: float = 0.7
) -> list[Group]:
    """Return the groups without leaks and near-duplicates; what is left out is counted.

    A group needs a relevant passage and, for training, anything else: without a relevant one it is
    left out whole.
    """
    repeated = near_duplicates([group.query for group in groups], threshold)
    kept = []
    for place, group in enumerate(groups):
        if place in repeated:
            dropped["query: near-duplicate"] += 1
        elif leaks(group.query) or leaks(group.seed):
            dropped["query: in an evaluation"] += 1
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
                dropped["passage: near-duplicate"] += 1
            elif leaks(passage.text):
                dropped["passage: in an evaluation"] += 1
            else:
                passages.append(passage)
            number += 1
        if any(each.is_relevant for each in passages):
            result.append(replace(group, passages=tuple(passages)))
        else:
            dropped["query: no relevant passage left"] += 1
    return result


def _shingles(text: str) -> _Shingles:
    words = tokens(text)
    if len(words) < _RUN:
        return {tuple(words)}
    return {tuple(words[place : place + _RUN]) for place in range(len(words) - _RUN + 1)}
