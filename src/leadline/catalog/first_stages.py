"""Lexical first stages, and fusions."""

from __future__ import annotations

from leadline.catalog.row import Row

ROWS = (
    Row(
        name="bm25-lucene",
        stage="bm25",
        about="BM25 with Anserini's k1 and b.",
        options={"method": "lucene", "k1": 0.9, "b": 0.4},
        source="protocols of LimRank and Rank1: the BM25 of BRIGHT",
        unverified=("Lucene's English analyser: words are split and stopped as bm25s does",),
    ),
    Row(
        name="hybrid",
        stage="fusion",
        about="Reciprocal rank fusion of bm25 and minilm.",
        systems=("bm25", "minilm"),
        source="Cormack et al., Reciprocal Rank Fusion outperforms Condorcet",
        parameters=22.7,
        license="apache-2.0",
    ),
)
