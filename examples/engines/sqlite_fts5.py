"""SQLite FTS5, nothing to install: `leadline check CORPUS -s ./sqlite_fts5.py`."""

import re
import sqlite3
from collections.abc import Mapping

from leadline import Document

Ranking = list[tuple[str, float]]


def search(queries: list[str], k: int, corpus: Mapping[str, Document]) -> list[Ranking]:
    """Index a corpus in memory and return the k best documents of each query."""
    table = sqlite3.connect(":memory:")
    table.execute("CREATE VIRTUAL TABLE doc USING fts5(id UNINDEXED, title, text, tokenize=porter)")
    rows = ((each.id, each.title, each.text) for each in corpus.values())
    table.executemany("INSERT INTO doc VALUES (?, ?, ?)", rows)

    def find(query: str) -> Ranking:
        words = " OR ".join(f'"{word}"' for word in re.findall(r"\w+", query)) or '""'
        best = "SELECT id, -rank FROM doc WHERE doc MATCH ? ORDER BY rank LIMIT ?"
        return table.execute(best, (words, k)).fetchall()

    return [find(query) for query in queries]
