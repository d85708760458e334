"""PostgreSQL with pgvector, your own table: `DATABASE_URL=... leadline check CORPUS -s FILE`."""

import os

import psycopg
from sentence_transformers import SentenceTransformer

MODEL = os.environ.get("MODEL", "sentence-transformers/all-MiniLM-L6-v2")  # made the vectors
NEAREST = """SELECT id, 1 - (embedding <=> %(vector)s::vector) FROM documents
    ORDER BY embedding <=> %(vector)s::vector LIMIT %(k)s"""

encoder = SentenceTransformer(MODEL)
database = psycopg.connect(os.environ["DATABASE_URL"])


def search(query: str, k: int) -> list[tuple[str, float]]:
    """Return the k best documents of a query."""
    vector = str(encoder.encode(query).tolist())
    return database.execute(NEAREST, {"vector": vector, "k": k}).fetchall()
