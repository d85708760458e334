"""Chroma: `leadline check CORPUS -s ./chroma_vectors.py`, or `:MODEL` for another encoder."""

from collections.abc import Sequence
from uuid import uuid4

import chromadb
from sentence_transformers import SentenceTransformer

from leadline.types import Candidates, Corpus, Query, Run


class Chroma:
    name = "chroma"

    def __init__(self, model: str) -> None:
        self.encoder = SentenceTransformer(model)

    def index(self, corpus: Corpus) -> "Chroma":
        client, cosine = chromadb.EphemeralClient(), {"hnsw": {"space": "cosine"}}
        self.docs = client.create_collection(uuid4().hex, configuration=cosine)
        self.docs.add(list(corpus), self.encoder.encode([each.content for each in corpus.values()]))
        return self

    def search(self, queries: Sequence[Query], k: int) -> Run:
        vectors = self.encoder.encode([query.content for query in queries])
        found = self.docs.query(vectors, n_results=min(k, self.docs.count()), include=["distances"])
        pairs = map(zip, found["ids"], found["distances"])
        hits = [{id: 1 - distance for id, distance in each} for each in pairs]
        return dict(zip([query.id for query in queries], hits, strict=True))

    def score(self, queries: Sequence[Query], candidates: Candidates) -> Run:
        found = self.search(queries, self.docs.count())
        return {query: {id: found[query][id] for id in ids} for query, ids in candidates.items()}


def build(model: str = "sentence-transformers/all-MiniLM-L6-v2") -> Chroma:
    return Chroma(model)
