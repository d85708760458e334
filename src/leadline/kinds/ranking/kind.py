"""Ranking: whether the relevant documents are ranked first."""

from __future__ import annotations

from leadline.kinds.kind import Kind
from leadline.metrics.ranking import MAP, MRR, NDCG, Recall

KIND = Kind(
    name="ranking",
    question="Are the relevant documents ranked first?",
    metrics=(NDCG(10), MRR(10), Recall(100), MAP(100)),
    main=("nDCG@10", "MRR@10", "Recall@100"),
)
