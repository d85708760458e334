"""Reasoning: whether a system finds documents whose relevance only reasoning can recognise."""

from __future__ import annotations

from leadline.kinds.kind import Kind
from leadline.metrics.ranking import MAP, MRR, NDCG, Recall

KIND = Kind(
    name="reasoning",
    question="Does the system find a document whose relevance takes reasoning to see?",
    metrics=(NDCG(10), MRR(10), Recall(100), MAP(100)),
    main=("nDCG@10", "MRR@10", "Recall@100"),
    breakdowns=("nDCG@10[relation]", "nDCG@10[relevant]", "nDCG@10[words]"),
)
