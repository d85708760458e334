"""Does a system follow an instruction, and its reverse? WISE, SICR, p-MRR, robustness.

Ranks start at 1, and ties keep the order of the run. A document that is not in a ranking has the
rank after its last one, and a score below all others (0 in the modes named after code).

A topic has one query in each of the modes (facet `mode`) original, instructed and reversed. Gold
documents are relevant under the original and the instructed query. Documents relevant only under
the original became non-relevant. A topic has no value if a variant is missing or retrieved
nothing, if it has no gold document (WISE, SICR), or if none became non-relevant (p-MRR).

`depth` compares all modes at the same depth: longer rankings are cut, and a missing document has
the rank depth + 1. 0 uses every ranking in full, as the released code does.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from statistics import fmean
from typing import Literal, NamedTuple, TypeAlias

from leadline.errors import InputError
from leadline.metrics.ranking import ndcg
from leadline.metrics.ranks import Ties, check_scores, ranks_of
from leadline.metrics.record import Measure
from leadline.metrics.topics import by_topic, matching, topic_of
from leadline.types import Qrels, Query, Run

WISEMode: TypeAlias = Literal["paper", "code_v0.1.0", "code_head"]
SICRMode: TypeAlias = Literal["paper", "code_head"]
WISE_MODES: tuple[WISEMode, ...] = ("paper", "code_v0.1.0", "code_head")
SICR_MODES: tuple[SICRMode, ...] = ("paper", "code_head")
MODES = ("original", "instructed", "reversed")


class Triple(NamedTuple):
    """A number for each mode of a query."""

    original: float
    instructed: float
    reversed: float


def wise(
    original: int,
    instructed: int,
    reversed: int,
    n_relevant: int,
    *,
    k: int = 20,
    mode: WISEMode = "paper",
) -> float:
    """Return the reward of one gold document for moving as the instruction asks, in [-1, 1].

    original, instructed, reversed  its rank in each mode
    n_relevant  documents relevant to the original query: gold and became non-relevant
    k           rank in the original mode beyond which a success earns 0.01
    mode        `paper`, or one of two releases of the code, which differ from it

    Raises InputError if a rank or k is below 1.
    Source: Zhou et al., InfoSearch, eq. 4-8; its package v0.1.0; its repository at HEAD.
    """
    _check_mode(mode, WISE_MODES)
    _check_ranks(original, instructed, reversed, k)
    if instructed <= original < reversed:
        return _reward(original, instructed, n_relevant, k, mode)
    if reversed < original < instructed and mode != "code_v0.1.0":
        return -1.0
    if original <= instructed:
        return (original - instructed) / instructed
    return (reversed - original) / original


def ideal_wise(original: int, n_relevant: int, *, k: int = 20, mode: WISEMode = "paper") -> float:
    """Return the WISE of a document that ranks first when wanted, and falls when excluded."""
    return wise(original, 1, original + 1, n_relevant, k=k, mode=mode)


def sicr(
    original: int,
    instructed: int,
    reversed: int,
    scores: tuple[float, float, float],
    *,
    mode: SICRMode = "paper",
) -> float:
    """Return 1 if a gold document complies with the instruction and its reverse, else 0.

    It must rise in rank and score when it is wanted, and fall in both when it is excluded.

    scores  its scores in the three modes, in the order of the ranks
    mode    `code_head` also accepts a document that was first and stays first

    Source: Zhou et al., InfoSearch, eq. 9; its repository at HEAD.
    """
    _check_mode(mode, SICR_MODES)
    _check_ranks(original, instructed, reversed)
    before, asked, refused = scores
    falls = original < reversed and before > refused
    if mode == "code_head" and original == 1:
        return float(falls and instructed == 1 and asked >= before)
    return float(falls and instructed < original and asked > before)


def sicr_of_topic(values: Sequence[float], *, mode: SICRMode = "paper") -> float:
    """Return the SICR of a topic from those of its gold documents, in the order of the qrels.

    mode  `paper` takes their mean. `code_head` divides the last one by their number, because the
          released code resets its sum for every document

    Raises InputError if there is no gold document.
    """
    _check_mode(mode, SICR_MODES)
    if not values:
        raise InputError("SICR needs at least one gold document for a topic.")
    return fmean(values) if mode == "paper" else values[-1] / len(values)


def p_mrr(original: int, changed: int) -> float:
    """Return how far a document moved when the query changed, in (-1, 1). Positive is down.

    Down is right for a document that the change made non-relevant.
    Source: Weller et al., FollowIR, eq. 1; Zhou et al., InfoSearch, section 3.3.
    """
    _check_ranks(original, changed)
    if original >= changed:
        return changed / original - 1
    return 1 - original / changed


def robustness(
    run: Run, qrels: Qrels, groups: Mapping[str, Sequence[str]], *, k: int = 10, ties: Ties = "trec"
) -> dict[str, float]:
    """Return the lowest nDCG@k among the instruction variants of each core query.

    groups  core query -> its variants. A judged variant that is not in the run counts 0, one
            without relevant documents is left out

    Source: Zhou et al., InfoSearch, Robustness@10.
    """
    asked = {each: qrels[each] for ids in groups.values() for each in ids if each in qrels}
    values = ndcg(run, asked, k, ties=ties)
    judged = {
        core: [values[each] for each in ids if each in values] for core, ids in groups.items()
    }
    return {core: min(each) for core, each in judged.items() if each}


def judged_changes(
    original: Mapping[str, int], instructed: Mapping[str, int]
) -> tuple[list[str], list[str]]:
    """Return the gold documents, and those that became non-relevant under the instruction."""
    relevant = [document_id for document_id, grade in original.items() if grade > 0]
    gold = [each for each in relevant if instructed.get(each, 0) > 0]
    return gold, [each for each in relevant if instructed.get(each, 0) <= 0]


@dataclass(frozen=True)
class _OfGold(Measure):
    """The mean value of a topic's gold documents."""

    depth: int = field(default=0, kw_only=True)

    def __call__(self, queries: Sequence[Query], qrels: Qrels, run: Run) -> dict[str, float]:
        """Return the mean by topic."""
        return {
            topic.name: self._joined([self._value(topic, each) for each in topic.gold])
            for topic in topics_in(queries, qrels, run, depth=self.depth)
            if topic.gold
        }

    def _joined(self, values: Sequence[float]) -> float:
        return fmean(values)

    def _value(self, topic: InstructedTopic, document_id: str) -> float:
        raise NotImplementedError


@dataclass(frozen=True)
class WISE(_OfGold):
    """Mean reward of a topic's gold documents."""

    stem = "WISE"
    mode: WISEMode = "paper"
    k: int = 20

    def _value(self, topic: InstructedTopic, document_id: str) -> float:
        return wise(*topic.ranks(document_id), topic.judged, k=self.k, mode=self.mode)


@dataclass(frozen=True)
class IdealWISE(_OfGold):
    """WISE of a topic if each gold document ranked first when wanted, and fell when excluded."""

    stem = "IdealWISE"
    mode: WISEMode = "paper"
    k: int = 20

    def _value(self, topic: InstructedTopic, document_id: str) -> float:
        original = topic.ranks(document_id)[0]
        return ideal_wise(original, topic.judged, k=self.k, mode=self.mode)


@dataclass(frozen=True)
class GoldRank(_OfGold):
    """Mean rank of a topic's gold documents in one mode.

    In the reversed mode, a lower rank is better.
    """

    stem = "GoldRank"
    mode: str = "original"

    def _value(self, topic: InstructedTopic, document_id: str) -> float:
        return topic.ranks(document_id)[MODES.index(self.mode)]


@dataclass(frozen=True)
class SICR(_OfGold):
    """Share of a topic's gold documents that comply (`sicr_of_topic` in the mode of the code).

    scores  `score` compares the scores of the modes, which must be on one scale; `rank` uses 1/rank
            as the score, for listwise rerankers
    """

    stem = "SICR"
    mode: SICRMode = "paper"
    scores: Literal["score", "rank"] = "score"

    def by_rank(self) -> SICR:
        """Return a version that uses ranks as scores."""
        return replace(self, scores="rank")

    def _joined(self, values: Sequence[float]) -> float:
        return sicr_of_topic(values, mode=self.mode)

    def _value(self, topic: InstructedTopic, document_id: str) -> float:
        ranks = topic.ranks(document_id)
        if self.scores == "rank":
            scores = Triple(*(1 / rank for rank in ranks))
        else:
            scores = topic.scores(document_id, 0.0 if self.mode == "code_head" else -math.inf)
        return sicr(*ranks, scores, mode=self.mode)


@dataclass(frozen=True)
class PairwiseMRR(Measure):
    """Mean p-MRR of a topic's documents that became non-relevant."""

    stem = "p-MRR"
    depth: int = 0

    def __call__(self, queries: Sequence[Query], qrels: Qrels, run: Run) -> dict[str, float]:
        """Return the mean p-MRR by topic."""
        return {
            topic.name: fmean(p_mrr(*topic.ranks(each)[:2]) for each in topic.became)
            for topic in topics_in(queries, qrels, run, MODES[:2], depth=self.depth)
            if topic.became
        }


@dataclass(frozen=True)
class Robustness(Measure):
    """Lowest nDCG@k among the variants of each core query (facet `core`), within one mode."""

    stem = "Robustness"
    k: int = 10
    mode: str = "instructed"

    def units(self, queries: Sequence[Query]) -> list[str]:
        """Return the core queries."""
        return list(self._groups(queries))

    def __call__(self, queries: Sequence[Query], qrels: Qrels, run: Run) -> dict[str, float]:
        """Return the lowest nDCG@k by core query (facet `core`, else the topic)."""
        return robustness(run, qrels, self._groups(queries), k=self.k)

    def _groups(self, queries: Sequence[Query]) -> dict[str, list[str]]:
        groups: dict[str, list[str]] = {}
        for query in matching(queries, (("mode", self.mode),)):
            groups.setdefault(query.facets.get("core") or topic_of(query), []).append(query.id)
        return groups


class InstructedTopic(NamedTuple):
    """The rankings of a topic by mode, and the documents whose moves are measured.

    found  document id -> rank, by mode, for retrieved documents
    """

    name: str
    rankings: Sequence[Mapping[str, float]]
    found: Sequence[Mapping[str, int]]
    gold: Sequence[str]
    became: Sequence[str]
    depth: int = 0

    @property
    def judged(self) -> int:
        """How many documents are relevant to the original query."""
        return len(self.gold) + len(self.became)

    def ranks(self, document_id: str) -> tuple[int, int, int]:
        """Return the rank in each mode. A mode that is not compared repeats the one before."""
        ranks = [
            found.get(document_id, (self.depth or len(ranking)) + 1)
            for found, ranking in zip(self.found, self.rankings, strict=True)
        ]
        return ranks[0], ranks[1], ranks[-1]

    def scores(self, document_id: str, missing: float) -> Triple:
        """Return the score in each mode."""
        return Triple(*(ranking.get(document_id, missing) for ranking in self.rankings))


def topics_in(
    queries: Sequence[Query],
    qrels: Qrels,
    run: Run,
    modes: Sequence[str] = MODES,
    *,
    depth: int = 0,
) -> Iterator[InstructedTopic]:
    """Yield the topics that have every mode, with the needed judgements and retrieved documents."""
    for name, variants in by_topic(queries).items():
        by_mode = _by_mode(name, variants)
        asked = [by_mode.get(mode) for mode in modes]
        present = [query for query in asked if query is not None and run.get(query.id)]
        if len(present) < len(modes) or any(query.id not in qrels for query in present[:2]):
            continue
        for query in present:
            check_scores(query.id, run[query.id])
        gold, became = judged_changes(qrels[present[0].id], qrels[present[1].id])
        rankings = [_cut(run[query.id], depth) for query in present]
        found = [ranks_of(ranking, [*gold, *became], "stable") for ranking in rankings]
        yield InstructedTopic(name, rankings, found, gold, became, depth)


def _cut(ranking: Mapping[str, float], depth: int) -> Mapping[str, float]:
    return dict(islice(ranking.items(), depth)) if depth and len(ranking) > depth else ranking


def _by_mode(name: str, variants: Sequence[Query]) -> dict[str, Query]:
    by_mode: dict[str, Query] = {}
    for query in variants:
        mode = query.facets.get("mode", "")
        if mode in by_mode and mode in MODES:
            raise InputError(
                f"Topic {name!r} has two queries with the facet mode={mode} "
                f"({by_mode[mode].id!r}, {query.id!r}). Use a separate topic for each instruction."
            )
        by_mode[mode] = query
    return by_mode


def _reward(original: int, instructed: int, n_relevant: int, k: int, mode: WISEMode) -> float:
    within = original <= n_relevant if mode == "paper" else original < n_relevant
    if within and instructed == 1:
        return 1.0
    if original > k:
        return 0.01
    moved = original - instructed
    loss = math.sqrt(moved) if mode == "code_head" else moved
    return (1 - loss / k) / math.sqrt(instructed)


def _check_mode(mode: str, known: Sequence[str]) -> None:
    if mode not in known:
        raise InputError(f"mode must be one of {', '.join(known)}, got {mode!r}.")


def _check_ranks(*ranks: int) -> None:
    for rank in ranks:
        if rank < 1:
            raise InputError(f"Ranks and k start at 1, got {rank}.")
