from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

pytest.importorskip("torch")

from leadline.retrievers.parts.search import top_k


def blocks(documents: np.ndarray, size: int) -> Iterator[np.ndarray]:
    for start in range(0, len(documents), size):
        yield documents[start : start + size]


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 40), st.integers(1, 9), st.integers(1, 12), st.integers(0, 9999))
def test_any_division_into_blocks_gives_the_best_with_ties_in_corpus_order(
    size: int, k: int, block: int, seed: int
) -> None:
    # Whole numbers are exact in single precision, and few of them make many ties.
    generator = np.random.default_rng(seed)
    documents = generator.integers(0, 3, (size, 2)).astype(np.float32)
    queries = generator.integers(0, 3, (3, 2)).astype(np.float32)
    scores, places = top_k(queries, blocks(documents, block), k, device="cpu")
    for query, its_scores, its_places in zip(queries, scores, places, strict=True):
        products = documents @ query
        expected = sorted(range(size), key=lambda place: (-products[place], place))[:k]
        assert its_places.tolist() == expected
        assert its_scores.tolist() == products[expected].tolist()


@pytest.mark.parametrize("values", [2, 50, 10**6])
def test_the_best_of_many_documents_are_found_by_their_groups(values: int) -> None:
    # 3,001 documents are looked at in groups and a rest; few values make ties across groups.
    generator = np.random.default_rng(values)
    documents = generator.integers(0, values, (3001, 1)).astype(np.float32)
    documents[-1] = values  # the best one is in the rest
    _, places = top_k(np.ones((2, 1), np.float32), [documents], 9, device="cpu")
    expected = sorted(range(3001), key=lambda place: (-documents[place, 0], place))[:9]
    assert places.tolist() == [expected, expected]
