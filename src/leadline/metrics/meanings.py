"""What the names of metrics mean, in words for the reader of a report."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from leadline.metrics.catalogue import MetricEntry, catalogue
from leadline.metrics.names import read_name


@dataclass(frozen=True)
class Meaning:
    """What one metric says.

    low, high  the bounds of a value, None where there is none
    chance     the value of a system that guesses; None where that depends on the corpus
    qualifies  metric beside which alone it says something, so that it ranks no systems; or empty
    """

    sentence: str
    better: Literal["higher", "lower", "neither"] = "neither"
    low: float | None = None
    high: float | None = None
    chance: float | None = None
    qualifies: str = ""

    @property
    def bounds(self) -> tuple[float | None, float | None]:
        """The bounds of a value."""
        return self.low, self.high

    @property
    def span(self) -> tuple[float, float] | None:
        """The bounds, when there are both: only then a value has a place on a scale."""
        if self.low is None or self.high is None:
            return None
        return self.low, self.high


def meaning_of(name: str) -> Meaning:
    """Return what a metric says; a metric that the catalogue lacks says nothing but its name."""
    stem = read_name(name).stem
    entry = _catalogued().get(stem)
    if entry is None:
        return Meaning("", "neither")
    return Meaning(
        sentence=_SENTENCES.get(stem, f"{entry.meaning[:1].upper()}{entry.meaning[1:]}."),
        better=entry.better,
        low=entry.low,
        high=entry.high,
        chance=_CHANCE.get(stem),
        qualifies=entry.qualifies,
    )


def entries(names: Iterable[str]) -> list[tuple[str, str]]:
    """Return (name, sentence) for each known metric among the names, once, in their order."""
    stems = dict.fromkeys(read_name(name).stem for name in names)
    return [
        (", ".join(_written(stem)), meaning_of(stem).sentence)
        for stem in stems
        if stem in _catalogued()
    ]


def label_of(name: str) -> str:
    """Return the name of a metric as tables show it: `Noticed, all cases` is easier to read."""
    parts = read_name(name)
    if parts.plain not in _LABELS:
        return name
    return _LABELS[parts.plain] + (f" [{parts.facet}={parts.value}]" if parts.facet else "")


def is_better(name: str, value: float, other: float) -> bool:
    """Tell whether a value of the metric is strictly better than another."""
    better = meaning_of(name).better
    if better == "neither":
        return False
    return value < other if better == "lower" else value > other


def may_rank(name: str) -> bool:
    """Tell whether systems can be ordered by a metric: it has a better side, and stands alone."""
    meaning = meaning_of(name)
    return meaning.better != "neither" and not meaning.qualifies


def _catalogued() -> dict[str, MetricEntry]:
    """Return the entry of each stem; the one without a cut-off where there are two."""
    return {_stem_of(entry.name): entry for entry in reversed(catalogue())}


def _written(stem: str) -> list[str]:
    return [entry.name for entry in catalogue() if _stem_of(entry.name) == stem]


def _stem_of(name: str) -> str:
    return name.partition("@")[0]


_LABELS = {
    "Noticed[unseen=missed]": "Noticed, all cases",
    "Noticed": "Noticed, seen cases",
}

_CHANCE = {"WinRate": 0.5, "Adjacent": 0.5, "Noticed": 0.0}

# Where a reader needs more than the line of the catalogue.
_SENTENCES = {
    "WinRate": (
        "Share of pairs in which the document that meets every condition of the query scores "
        "higher than the same document with one condition broken. @k: for queries of k "
        "conditions; without @k: the mean over k. A coin scores 0.5; a tie counts as a loss."
    ),
    "Adjacent": (
        "Share of pairs in which, under the query with all its conditions, the document that "
        "meets k of them scores higher than the one that meets k - 1. A coin scores 0.5; a tie "
        "counts as a loss."
    ),
    "FlipRate": (
        "Share of the pairs of Adjacent that come out differently when the same conditions are "
        "written as prose instead of a list. Lower is better; 0 means the wording does not matter."
    ),
    "TieRate": (
        "Share of the pairs of WinRate in which both documents have the same score, so that the "
        "system cannot tell them apart. Lower is better."
    ),
    "Noticed": (
        "Win rate on the edits minus the win rate on their controls. A control is a change of the "
        "same size at the same place that breaks no condition. 0: it only marks that something "
        "changed; 1: every broken condition, and no control. “All cases” "
        "(Noticed[unseen=missed], which leadline gate judges) counts a case that the system could "
        "not see as not noticed; “seen cases” (Noticed) leaves such a case out."
    ),
    "Unseen": (
        "Share of the cases that the system could not see: the edit stands behind its cut, or in "
        "words that it drops, or the query was cut. Lower is better."
    ),
    "ScoreDifference": (
        "By how much the better document of a pair of WinRate scores higher, in units of the "
        "system's own score: never to be compared between systems."
    ),
    "RBO": (
        "Rank-biased overlap of the first k documents for a query and for a rephrasing of it, "
        "where the top counts most. 1 means the same documents in the same order, 0 none in "
        "common."
    ),
    "Spearman": (
        "Rank correlation of the first k documents for a query and for a rephrasing of it. 1 "
        "means the same order, -1 the reverse."
    ),
    "nDCG": (
        "How much relevance the first k documents hold, counted less the lower it stands, as a "
        "share of the best possible ranking."
    ),
    "MRR": (
        "Mean of 1 / rank of the first relevant document among the first k; 0 where there is none."
    ),
    "MAP": "Mean, over the relevant documents, of the precision at the rank of each.",
    "Recall": "Share of the relevant documents that are among the first k.",
    "P": "Share of the first k documents that are relevant.",
    "WISE": (
        "How well documents move as an instruction and its reverse ask, from -1 (the wrong way) "
        "to 1."
    ),
    "SICR": (
        "Share of the documents an instruction is about that both rise when it asks for them and "
        "fall when it refuses them."
    ),
    "p-MRR": (
        "Change in the rank of the documents that an instruction makes irrelevant: above 0 they "
        "move down, as they should; below 0 they move up."
    ),
    "MeanRank": "Mean rank of the first relevant document. Lower is better.",
    "SetRank": (
        "Mean rank of the relevant document among the documents that were written to be confused "
        "with it. Lower is better; guessing inside a set of 30 gives 15.5."
    ),
}
