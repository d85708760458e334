"""Opportunity by a reranker at hand: it reads what the original queries of a run found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from leadline.metrics.coherence import Members, RerankingOpportunity, top
from leadline.metrics.ranks import Ties
from leadline.metrics.topics import is_original
from leadline.types import Corpus, Metric, Qrels, Query, Reranker, Run


@dataclass(frozen=True)
class Opportunity(Metric):
    """How often rephrasings keep in the first k what a reranker would put first.

    reranker  reorders the first k documents of every original query
    corpus    that was searched

    Unit: topic with an original that found something, and a rephrasing.
    """

    reranker: Reranker = field(repr=False, hash=False)
    corpus: Corpus = field(repr=False, hash=False)
    k: int = 50
    members: Members = "others"
    ties: Ties = "trec"
    unit: str = field(default="topic", init=False)

    @property
    def name(self) -> str:
        """`Opportunity@50`."""
        return RerankingOpportunity({}, self.k, self.members).name

    def __call__(self, queries: Sequence[Query], qrels: Qrels, run: Run) -> dict[str, float]:
        """Return the share of rephrasings by topic."""
        found = {
            each.id: top(run, each, self.k, self.ties) for each in queries if is_original(each)
        }
        candidates = {query_id: ids for query_id, ids in found.items() if ids}
        asked = [query for query in queries if query.id in candidates]
        reranked = self.reranker.rerank(asked, self.corpus, candidates) if asked else {}
        return RerankingOpportunity(reranked, self.k, self.members, self.ties)(queries, qrels, run)
