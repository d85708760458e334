"""LanceDB: `leadline check CORPUS -s ./lancedb_vectors.py`, or `:MODEL` for another encoder."""

from collections.abc import Sequence

import lancedb
from sentence_transformers import SentenceTransformer

from leadline.types import Candidates, Corpus, Query, Run


class Lance:
    name = "lancedb"

    def __init__(self, model: str) -> None:
        self.encoder = SentenceTransformer(model)

    def index(self, corpus: Corpus) -> "Lance":
        vectors = self.encoder.encode([each.content for each in corpus.values()])
        rows = [{"id": id, "vector": vector} for id, vector in zip(corpus, vectors, strict=True)]
        self.table = lancedb.connect("memory://").create_table("docs", rows, mode="overwrite")
        return self

    def search(self, queries: Sequence[Query], k: int) -> Run:
        vectors = self.encoder.encode([query.content for query in queries])
        asked = [self.table.search(each).distance_type("cosine").limit(k) for each in vectors]
        found = [{hit["id"]: 1 - hit["_distance"] for hit in each.to_list()} for each in asked]
        return {query.id: hits for query, hits in zip(queries, found, strict=True)}

    def score(self, queries: Sequence[Query], candidates: Candidates) -> Run:
        found = self.search(queries, self.table.count_rows())
        return {query: {id: found[query][id] for id in ids} for query, ids in candidates.items()}


def build(model: str = "sentence-transformers/all-MiniLM-L6-v2") -> Lance:
    return Lance(model)
