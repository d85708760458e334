"""What the names of metrics mean, in words for the reader of a report."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class MetricName:
    """The parts of a name such as `WinRate@3[edit=number]`."""

    stem: str
    k: int | None = None
    facet: str = ""
    value: str = ""

    @property
    def plain(self) -> str:
        """The name without its facet: `WinRate@3`."""
        return self.stem if self.k is None else f"{self.stem}@{self.k}"


@dataclass(frozen=True)
class Meaning:
    """What one metric says.

    chance     the value of a system that guesses; None where that depends on the corpus
    is_rank    the value is a rank, from 1, and no fraction
    low        the lowest possible value of a fraction
    """

    sentence: str
    better: Literal["higher", "lower"] = "higher"
    chance: float | None = None
    is_rank: bool = False
    low: float = 0.0


def parse(name: str) -> MetricName:
    """Return the parts of a metric name; what is no metric name at all becomes the stem."""
    found = _NAME.fullmatch(name)
    if not found:
        return MetricName(name)
    k = int(found["k"]) if found["k"] else None
    return MetricName(found["stem"], k, found["facet"] or "", found["value"] or "")


def meaning_of(name: str) -> Meaning:
    """Return what a metric says; a metric that nobody described says nothing but its name."""
    return _MEANINGS.get(parse(name).stem, Meaning(""))


def entries(names: Iterable[str]) -> list[tuple[str, str]]:
    """Return (name, sentence) for each described metric among the names, once, in their order."""
    stems = dict.fromkeys(parse(name).stem for name in names)
    return [
        (_TITLES.get(stem, stem), _MEANINGS[stem].sentence) for stem in stems if stem in _MEANINGS
    ]


def is_better(name: str, value: float, other: float) -> bool:
    """Tell whether a value of the metric is strictly better than another."""
    return value < other if meaning_of(name).better == "lower" else value > other


_NAME = re.compile(
    r"(?P<stem>[^@\[\]]+)(?:@(?P<k>\d{1,9}))?(?:\[(?P<facet>[^=\]]+)=(?P<value>.*)\])?", re.DOTALL
)

_TITLES = {
    "WinRate": "WinRate, WinRate@k",
    "Adjacent": "Adjacent, Adjacent@k",
    "nDCG": "nDCG@k",
    "MRR": "MRR@k",
    "MAP": "MAP@k",
    "Recall": "Recall@k",
    "P": "P@k",
    "RBO": "RBO@k",
    "Spearman": "Spearman@k",
    "Robustness": "Robustness@k",
    "Opportunity": "Opportunity@k",
}

_MEANINGS = {
    "WinRate": Meaning(
        "Share of pairs in which the document that meets every condition of the query scores "
        "higher than the same document with one condition broken. @k: for queries of k "
        "conditions; without @k: the mean over k. A coin scores 0.5; a tie counts as a loss.",
        chance=0.5,
    ),
    "Adjacent": Meaning(
        "Share of pairs in which, under the query with all its conditions, the document that "
        "meets k of them scores higher than the one that meets k - 1. A coin scores 0.5; a tie "
        "counts as a loss.",
        chance=0.5,
    ),
    "FlipRate": Meaning(
        "Share of such adjacent pairs that come out differently when the same conditions are "
        "written as prose instead of a list. Lower is better; 0 means the wording does not "
        "matter.",
        better="lower",
    ),
    "RBO": Meaning(
        "Rank-biased overlap of the first k documents for a query and for a rephrasing of it, "
        "where the top counts most. 1 means the same documents in the same order, 0 none in "
        "common."
    ),
    "Spearman": Meaning(
        "Rank correlation of the first k documents for a query and for a rephrasing of it. 1 "
        "means the same order, -1 the reverse.",
        low=-1.0,
    ),
    "nDCG": Meaning(
        "How much relevance the first k documents hold, counted less the lower it stands, as a "
        "share of the best possible ranking."
    ),
    "MRR": Meaning(
        "Mean of 1 / rank of the first relevant document among the first k; 0 where there is none."
    ),
    "MAP": Meaning("Mean, over the relevant documents, of the precision at the rank of each."),
    "Recall": Meaning("Share of the relevant documents that are among the first k."),
    "P": Meaning("Share of the first k documents that are relevant."),
    "WISE": Meaning(
        "How far an instruction moves the documents it is about in the right direction, from -1 "
        "(the wrong one) to 1.",
        low=-1.0,
    ),
    "SICR": Meaning(
        "Share of topics in which the system obeys both an instruction and its reverse strictly."
    ),
    "p-MRR": Meaning(
        "Change in the rank of the documents that an instruction makes irrelevant: above 0 they "
        "move down, as they should; below 0 they move up.",
        low=-1.0,
    ),
    "Robustness": Meaning(
        "Mean, over groups of equivalent instructions, of the worst nDCG@k in each group."
    ),
    "Opportunity": Meaning(
        "Share of queries whose relevant documents a reranker of the first k could still lift."
    ),
    "ROUGE-1": Meaning("Share of the words of the right answer that the given answer contains."),
    "MeanRank": Meaning(
        "Mean rank of the relevant document. Lower is better.", better="lower", is_rank=True
    ),
    "SetRank": Meaning(
        "Mean rank of the relevant document among the documents that were written to be confused "
        "with it. Lower is better.",
        better="lower",
        is_rank=True,
    ),
}
