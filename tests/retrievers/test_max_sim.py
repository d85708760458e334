import numpy as np
import pytest

pytest.importorskip("sentence_transformers")

from leadline.retrievers import late_interaction as module
from leadline.retrievers.late_interaction import Tokens, max_sim


def tokens(*texts: list[list[float]]) -> Tokens:
    rows = np.array([row for text in texts for row in text], np.float32).reshape(-1, 2)
    return Tokens(rows, np.array([len(text) for text in texts]))


def random_tokens(seed: int, lengths: list[int]) -> Tokens:
    rows = np.random.default_rng(seed).normal(size=(sum(lengths), 8)).astype(np.float32)
    return Tokens(rows / np.linalg.norm(rows, axis=1, keepdims=True), np.array(lengths))


def test_a_document_without_tokens_scores_less_than_any() -> None:
    queries = tokens([[1, 0], [0, 1]])
    documents = tokens([], [[-1, 0]], [])
    assert max_sim(queries, documents, "cpu").tolist() == [[-2, -1, -2]]


def test_scores_are_those_of_sentence_transformers() -> None:
    queries, documents = random_tokens(0, [4, 1, 7]), random_tokens(1, [3, 9, 1, 20, 5])
    ours = max_sim(queries, documents, "cpu")
    theirs = module._on_accelerator(queries, documents, "cpu")
    assert ours == pytest.approx(theirs, abs=1e-5)


def test_parts_of_any_size_give_what_the_whole_gives(monkeypatch: pytest.MonkeyPatch) -> None:
    queries, documents = random_tokens(0, [4, 1, 7]), random_tokens(1, [3, 9, 1, 20, 5])
    whole = max_sim(queries, documents, "cpu")
    monkeypatch.setattr(module, "_QUERY_TOKENS", 5)
    monkeypatch.setattr(module, "_DOCUMENT_TOKENS", 10)
    assert max_sim(queries, documents, "cpu") == pytest.approx(whole, abs=1e-5)
