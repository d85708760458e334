"""Dense search in Milvus Lite finds what exact search finds, at 50,000 documents: minutes.

pytest -m slow tests/retrievers/test_milvus_dense.py
"""

from __future__ import annotations

import sys
import zlib
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

pytest.importorskip("pymilvus")
pytest.importorskip("milvus_lite")
pytest.importorskip("torch")

from leadline.retrievers import milvus
from leadline.retrievers.parts.search import top_k
from leadline.types import Document, Query

DOCUMENTS, QUERIES, WIDTH, DEPTH = 50_000, 200, 64, 100
ROUNDING = 1e-6


class Drawn:
    """Vectors of length 1, drawn by the text: no model, so that only the search is compared."""

    settings: dict[str, Any] = {}  # noqa: RUF012

    @property
    def encoders(self) -> Any:
        return {
            "document": SimpleNamespace(key=lambda: "drawn", kind=lambda side: side),
            "query": SimpleNamespace(key=lambda: "drawn", kind=lambda side: side),
        }

    def rows(self, texts: Sequence[str], side: str) -> Sequence[str]:
        return texts

    def vectors(self, rows: Sequence[str]) -> Any:
        drawn = [np.random.default_rng(zlib.crc32(text.encode())) for text in rows]
        found = np.stack([each.standard_normal(WIDTH, dtype=np.float32) for each in drawn])
        return found / np.linalg.norm(found, axis=1, keepdims=True)


@pytest.mark.slow
def test_dense_results_are_those_of_exact_search(tmp_path: Path) -> None:
    corpus = {f"d{n}": Document(f"d{n}", f"document {n}") for n in range(DOCUMENTS)}
    queries = [Query(f"q{n}", f"query {n}") for n in range(QUERIES)]
    source = Drawn()
    retriever: Any = milvus.build(str(tmp_path / "lite.db"), mode="dense", encoder=source)
    run = retriever.index(corpus).search(queries, DEPTH)

    documents = source.vectors([document.content for document in corpus.values()])
    asked = source.vectors([query.content for query in queries])
    scores, places = top_k(asked, [documents], DEPTH, device="cpu")
    names = list(corpus)
    exchanged = 0
    for query, vector, its_scores, its_places in zip(queries, asked, scores, places, strict=True):
        found = run[query.id]
        assert list(found.values()) == pytest.approx(its_scores.tolist(), abs=ROUNDING)
        for rank, (name, place) in enumerate(zip(found, its_places, strict=True)):
            if name != names[place]:
                # Only documents whose scores are equal but for rounding may change places.
                own = float(documents[int(name[1:])] @ vector)
                assert own == pytest.approx(its_scores[rank], abs=ROUNDING)
                exchanged += 1
    sys.stdout.write(f"{exchanged} of {QUERIES * DEPTH:,} places differ, by rounding\n")
    assert exchanged <= QUERIES * DEPTH / 1000
