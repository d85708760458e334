"""Qdrant in memory: `leadline check CORPUS -s ./qdrant_local.py`, with `:MODEL` another encoder."""

from collections.abc import Sequence

from qdrant_client import QdrantClient, models
from sentence_transformers import SentenceTransformer

from leadline.types import Candidates, Corpus, Query, Run


class Qdrant:
    name = "qdrant"

    def __init__(self, model: str) -> None:
        self.encoder = SentenceTransformer(model)

    def index(self, corpus: Corpus) -> "Qdrant":
        vectors = self.encoder.encode([each.content for each in corpus.values()])
        kind = models.VectorParams(size=vectors.shape[1], distance=models.Distance.COSINE)
        self.client = QdrantClient(":memory:")
        self.client.create_collection("docs", vectors_config=kind)
        self.client.upload_collection("docs", vectors, [{"id": id} for id in corpus])
        return self

    def search(self, queries: Sequence[Query], k: int) -> Run:
        vectors = self.encoder.encode([query.content for query in queries])
        found = [self.client.query_points("docs", query=each, limit=k).points for each in vectors]
        hits = [{point.payload["id"]: point.score for point in points} for points in found]
        return dict(zip([query.id for query in queries], hits, strict=True))

    def score(self, queries: Sequence[Query], candidates: Candidates) -> Run:
        found = self.search(queries, self.client.count("docs").count)
        return {query: {id: found[query][id] for id in ids} for query, ids in candidates.items()}


def build(model: str = "sentence-transformers/all-MiniLM-L6-v2") -> Qdrant:
    return Qdrant(model)
